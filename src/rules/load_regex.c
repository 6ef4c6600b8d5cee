#include "rules/load.h"

#include "base/alloc.h"

#include "base/banned.h"

/* Behind the class that begins at AT: a ] right after [ or [^ is a member. */
static size_t skip_class(struct kt_str re, size_t at)
{
	at++;
	if (at < re.len && re.p[at] == '^')
		at++;
	if (at < re.len && re.p[at] == ']')
		at++;
	while (at < re.len && re.p[at] != ']') {
		if (re.p[at] == '\\')
			at++;
		else if (kt_str_starts(kt_str_from(re, at), KT_S("[:"))) {
			size_t end = kt_str_find(re, KT_S(":]"), at + 2);
			at = end == KT_NPOS ? at : end + 1;
		}
		at++;
	}
	return at + 1;
}

static size_t skip_escape(struct kt_str re, size_t at)
{
	if (at + 1 < re.len && re.p[at + 1] == 'Q') {
		size_t end = kt_str_find(re, KT_S("\\E"), at + 2);
		return end == KT_NPOS ? re.len : end + 2;
	}
	return at + 2;
}

/* (?<name>  (?P<name>  (?'name' */
static bool group_name(struct kt_str at_bracket, struct kt_str *name)
{
	static const struct {
		const char *open;
		char close;
	} forms[] = {{"(?P<", '>'}, {"(?<", '>'}, {"(?'", '\''}};

	for (size_t i = 0; i < KT_LEN(forms); i++) {
		struct kt_str open = kt_str_c(forms[i].open);
		if (!kt_str_starts(at_bracket, open))
			continue;
		size_t end = kt_str_chr(at_bracket, forms[i].close, open.len);
		if (end == KT_NPOS || at_bracket.p[open.len] == '=' || at_bracket.p[open.len] == '!')
			return false;
		*name = kt_str_sub(at_bracket, open.len, end - open.len);
		return true;
	}
	return false;
}

bool kt_regex_group(struct kt_str regex, size_t *at, struct kt_str *name)
{
	while (*at < regex.len) {
		size_t here = *at;
		char c = regex.p[here];
		*at = c == '\\' ? skip_escape(regex, here) : c == '[' ? skip_class(regex, here) : here + 1;
		if (c == '(' && group_name(kt_str_from(regex, here), name))
			return true;
	}
	return false;
}

static void note_groups(struct kt_load *l, const struct kt_yaml *node, uint32_t pattern)
{
	struct kt_str name;
	size_t at = 0;

	while (kt_regex_group(node->text, &at, &name)) {
		uint32_t fact = kt_map_get(&l->facts.map, name);
		if (fact == KT_NIL)
			kt_load_unknown(l, kt_yaml_inside(node, (size_t)(name.p - node->text.p)),
					"fact as a group's name:", name, &l->facts.map);
		else
			KT_PUSH(l->teach, l->n_teach, l->cap_teach) = (struct kt_teach){fact, pattern};
	}
}

static void ask_hook(struct kt_load *l, const struct kt_yaml *node, uint32_t pattern)
{
	struct kt_rules_pattern info = {.n = 0};
	struct kt_err err = {0};
	size_t at = 0;

	if (!l->hooks->pattern)
		return;
	if (l->hooks->pattern(l->hooks->ctx, node->text, &info, &at, &err) < 0)
		KT_LOAD_FAULT(l, kt_yaml_inside(node, at), NULL, "%s", err.text);
	else
		kt_kbb_literals(l->b, pattern, info.literals, info.n, info.fold);
}

uint32_t kt_load_pattern(struct kt_load *l, const struct kt_yaml *regex)
{
	if (!regex || regex->bad)
		return KT_NIL;
	uint32_t row = kt_kbb_pattern(l->b, regex->text);
	if (row >= l->n_patterns) {
		l->n_patterns = row + 1;
		ask_hook(l, regex, row);
		note_groups(l, regex, row);
	}
	return row;
}
