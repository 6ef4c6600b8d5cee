/* "name = value" and "name: value", one a line: a file of properties, or what a person
 * noted down. */
#include "author/options_read.h"

#include "base/alloc.h"

#include "base/banned.h"

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	       c == '.' || c == '-';
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'';
}

static size_t skip_blanks(struct kt_str s, size_t at)
{
	while (at < s.len && (s.p[at] == ' ' || s.p[at] == '\t'))
		at++;
	return at;
}

/* The value as it is meant: quotes and a comma at the end off; false when it is computed. */
static bool value_of(struct kt_str s, struct kt_str *value)
{
	s = kt_str_trim(s);
	if (s.len && (s.p[s.len - 1] == ',' || s.p[s.len - 1] == ';'))
		s = kt_str_trim(kt_str_sub(s, 0, s.len - 1));
	*value = s;
	if (s.len >= 2 && is_quote(s.p[0]) && s.p[s.len - 1] == s.p[0]) {
		*value = kt_str_sub(s, 1, s.len - 2);
		return kt_str_chr(*value, s.p[0], 0) == KT_NPOS;
	}
	if (s.len && (s.p[0] == '{' || s.p[0] == '['))
		return true;
	for (size_t i = 0; i < s.len; i++)
		if (kt_str_chr(KT_S("()*+\"'"), s.p[i], 0) != KT_NPOS)
			return false;
	return s.len > 0;
}

static bool line_pair(struct kt_str line, struct kt_opt_pair *pair)
{
	size_t at = skip_blanks(line, 0);

	if (kt_str_starts(kt_str_from(line, at), KT_S("- ")))
		at = skip_blanks(line, at + 1);
	bool quoted = at < line.len && is_quote(line.p[at]);
	size_t from = at + quoted, end = from;
	while (end < line.len && is_name(line.p[end]))
		end++;
	at = skip_blanks(line, end + quoted);
	if (end == from || at >= line.len || (line.p[at] != '=' && line.p[at] != ':') ||
	    (at + 1 < line.len && line.p[at + 1] == line.p[at]))
		return false;
	*pair = (struct kt_opt_pair){.name = kt_str_sub(line, from, end - from), .at = from};
	pair->known = value_of(kt_str_from(line, at + 1), &pair->value);
	return true;
}

static bool is_passed_over(struct kt_str line)
{
	return !line.len || line.p[0] == '#' || line.p[0] == '!' || line.p[0] == ';' || line.p[0] == '[' ||
	       kt_str_starts(line, KT_S("//"));
}

void kt_opt_read_lines(const struct kt_kb *kb, struct kt_str text, struct kt_opt_lists *out)
{
	struct kt_opt_list list = {.at = 0};
	struct kt_str rest = text, line;
	size_t others = 0;

	while (kt_str_cut(&rest, '\n', &line)) {
		struct kt_opt_pair pair;
		if (is_passed_over(kt_str_trim(line)))
			continue;
		if (!line_pair(line, &pair)) {
			others++;
			continue;
		}
		pair.at += (size_t)(line.p - text.p);
		pair.option = kt_opt_named(kb, pair.name);
		KT_PUSH(list.pairs, list.n, list.cap) = pair;
	}
	if (!list.n || others * 4 > list.n) { /* something else that holds such lines */
		kt_free(list.pairs);
		return;
	}
	KT_PUSH(out->p, out->n, out->cap) = list;
}
