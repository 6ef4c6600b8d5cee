/* Where a byte of a scalar stands in the file.
 *
 * Folding and indentation change blanks only, so the way is counted in characters
 * that are no blanks. */
#include "rules/yaml.h"

#include "base/utf8.h"

#include "base/banned.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t count_solid(struct kt_str s)
{
	size_t n = 0;
	uint32_t c;

	for (size_t at = 0; at < s.len;) {
		n += !is_blank(s.p[at]);
		at += kt_utf8_next(s, at, &c);
	}
	return n;
}

/* Bytes of the escape at AT of a double-quoted text, and whether it stands for a blank. */
static size_t escape_len(struct kt_str text, size_t at, bool *blank)
{
	int c = at + 1 < text.len ? text.p[at + 1] : '\n';

	*blank = c == 'n' || c == 't' || c == '\t' || c == ' ' || c == 'r' || c == '\n';
	return c == 'x' ? 4 : c == 'u' ? 6 : c == 'U' ? 10 : 2;
}

/* First byte of the content: behind the quote, or on the line below | and >. */
static size_t content_start(const struct kt_yaml *scalar, size_t at)
{
	struct kt_str text = scalar->at.src->text;

	if (scalar->style == KT_YAML_SINGLE || scalar->style == KT_YAML_DOUBLE)
		return at + 1;
	if (scalar->style == KT_YAML_LITERAL || scalar->style == KT_YAML_FOLDED) {
		size_t nl = kt_str_chr(text, '\n', at);
		return nl == KT_NPOS ? text.len : nl + 1;
	}
	return at;
}

/* Bytes of the source that stand for one character of the value. */
static size_t step(const struct kt_yaml *scalar, struct kt_str text, size_t at, bool *blank)
{
	uint32_t c;

	*blank = is_blank(text.p[at]);
	if (scalar->style == KT_YAML_DOUBLE && text.p[at] == '\\')
		return escape_len(text, at, blank);
	if (scalar->style == KT_YAML_SINGLE && text.p[at] == '\'')
		return 2;
	return kt_utf8_next(text, at, &c);
}

struct kt_place kt_yaml_inside(const struct kt_yaml *scalar, size_t at)
{
	struct kt_str text = scalar->at.src->text;
	size_t pos = content_start(scalar, kt_place_offset(scalar->at));
	size_t left = count_solid(kt_str_sub(scalar->text, 0, at));
	bool at_end = count_solid(kt_str_from(scalar->text, at)) == 0;
	bool blank;

	while (pos < text.len && left > 0) {
		size_t len = step(scalar, text, pos, &blank);
		left -= !blank;
		pos += len;
	}
	while (!at_end && pos < text.len && is_blank(text.p[pos]) && !is_blank(scalar->text.p[at]))
		pos++;
	return kt_place_of(scalar->at.src, pos < text.len ? pos : text.len);
}
