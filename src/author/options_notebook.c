/* A notebook is JSON whose cells hold the source, line by line, as texts. What is read in
 * its place has the same length: all but the source is blank, and a byte 1, which the
 * lexer drops, stands where an escape was. So places stay those of the file. */
#include "author/options_read.h"

#include <string.h>

#include "base/banned.h"

#define GONE '\1'

static size_t string_end(struct kt_str s, size_t at)
{
	for (; at < s.len && s.p[at] != '"'; at++)
		at += s.p[at] == '\\';
	return at < s.len ? at : s.len;
}

/* Copies what the string [FROM, TO) means. */
static void copy(struct kt_str s, size_t from, size_t to, char *out)
{
	for (size_t i = from; i < to; i++) {
		out[i] = s.p[i];
		if (s.p[i] != '\\' || i + 1 >= to)
			continue;
		out[i++] = GONE;
		char c = s.p[i];
		out[i] = c == 'n' ? '\n' : c == 't' || c == 'r' ? ' ' : c;
		for (size_t k = 0; c == 'u' && k < 4 && i + 1 < to; k++)
			out[i++] = GONE;
		if (c == 'u')
			out[i] = '_';
	}
}

bool kt_opt_notebook(struct kt_str text, struct kt_arena *a, struct kt_str *out)
{
	bool source = false, list = false, is_key = false;
	struct kt_str trimmed = kt_str_trim(text);

	if (!kt_str_starts(trimmed, KT_S("{")) || kt_str_find(text, KT_S("\"cells\""), 0) == KT_NPOS)
		return false;
	char *copied = kt_arena_alloc(a, text.len);
	for (size_t i = 0; i < text.len; i++)
		copied[i] = text.p[i] == '\n' ? '\n' : ' ';
	for (size_t i = 0; i < text.len; i++) {
		char c = text.p[i];
		if (c == '"') {
			size_t end = string_end(text, i + 1);
			struct kt_str s = kt_str_sub(text, i + 1, end - i - 1);
			if (source)
				copy(text, i + 1, end, copied);
			source = source && list;
			is_key = kt_str_eq_c(s, "source");
			i = end;
		} else if (c == ':') {
			source = is_key;
			list = false;
		} else if (c == '[' && source) {
			list = true;
		} else if (c == ']' || c == '}' || c == '{') {
			source = list = is_key = false;
		}
	}
	*out = (struct kt_str){copied, text.len};
	return true;
}
