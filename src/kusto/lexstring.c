/* String literals in all their forms; see lex.h. */
#include "kusto/lexer.h"

#include "base/utf8.h"

#include "base/banned.h"

int kt_lexer_hex(char c)
{
	if (kt_lexer_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* N hexadecimal digits at l->at. */
static int read_hex(struct kt_lexer *l, size_t n, uint32_t *out)
{
	*out = 0;
	for (size_t i = 0; i < n; i++, l->at++) {
		int v = kt_lexer_hex(kt_lexer_peek(l, 0));
		if (v < 0)
			return kt_lex_refuse(l->s, l->at, l->err, "an escape needs %zu hexadecimal digits",
					     n);
		*out = *out << 4 | (uint32_t)v;
	}
	return 0;
}

static void read_octal(struct kt_lexer *l, uint32_t *out)
{
	*out = 0;
	for (int i = 0; i < 3 && kt_lexer_peek(l, 0) >= '0' && kt_lexer_peek(l, 0) <= '7'; i++, l->at++)
		*out = *out * 8 + (uint32_t)(kt_lexer_peek(l, 0) - '0');
}

/* The second half of a UTF-16 pair, as the language writes characters above U+FFFF. */
static int read_pair(struct kt_lexer *l, uint32_t *c)
{
	uint32_t low;

	if (!kt_lexer_at(l, "\\u"))
		return kt_lex_refuse(l->s, l->at, l->err, "half of a surrogate pair");
	l->at += 2;
	if (read_hex(l, 4, &low) < 0)
		return -1;
	if (*c >= 0xdc00 || low < 0xdc00 || low > 0xdfff)
		return kt_lex_refuse(l->s, l->at, l->err, "half of a surrogate pair");
	*c = 0x10000 + ((*c - 0xd800) << 10) + (low - 0xdc00);
	return 0;
}

static int read_escape(struct kt_lexer *l, uint32_t *c)
{
	static const char from[] = "\\\"'abfnrtv", to[] = "\\\"'\a\b\f\n\r\t\v";
	char k = kt_lexer_peek(l, 1);
	int rc = 0;

	for (size_t i = 0; i + 1 < sizeof from; i++) {
		if (k == from[i]) {
			*c = (uint32_t)to[i];
			l->at += 2;
			return 0;
		}
	}
	if (k >= '0' && k <= '7') {
		l->at += 1;
		read_octal(l, c);
		return 0;
	}
	if (k != 'x' && k != 'u' && k != 'U')
		return kt_lex_refuse(l->s, l->at, l->err,
				     "no such escape in a string; write \\\\ for a backslash");
	l->at += 2;
	rc = read_hex(l, k == 'x' ? 2 : k == 'u' ? 4 : 8, c);
	if (rc == 0 && *c >= 0xd800 && *c <= 0xdfff)
		rc = read_pair(l, c);
	return rc;
}

static int add_char(struct kt_lexer *l, struct kt_buf *out, uint32_t c, size_t at)
{
	char bytes[4];
	size_t n;

	if (c == 0 || c > 0x10ffff)
		return kt_lex_refuse(l->s, at, l->err, c ? "no such character" : "a string may not hold NUL");
	kt_utf8_encode(c, bytes, &n);
	kt_buf_add(out, (struct kt_str){bytes, n});
	return 0;
}

/* "…" or '…', l->at behind the opening quote. */
static int read_quoted(struct kt_lexer *l, char quote, struct kt_buf *out)
{
	size_t start = l->at - 1;

	while (l->at < l->s.len) {
		char c = kt_lexer_peek(l, 0);
		uint32_t u = 0;
		size_t at = l->at;
		if (c == quote) {
			l->at++;
			return 0;
		}
		if (c == '\n' || c == '\r')
			return kt_lex_refuse(l->s, at, l->err,
					     "a string ends on its line; write \\n for a line end");
		if (c != '\\') {
			kt_buf_char(out, c);
			l->at++;
		} else if (read_escape(l, &u) < 0 || add_char(l, out, u, at) < 0) {
			return -1;
		}
	}
	return kt_lex_refuse(l->s, start, l->err, "the string that begins here does not end");
}

/* @"…": only a doubled quote is special. */
static int read_verbatim(struct kt_lexer *l, char quote, struct kt_buf *out)
{
	size_t start = l->at - 1;

	for (; l->at < l->s.len; l->at++) {
		char c = kt_lexer_peek(l, 0);
		if (c == '\n' || c == '\r')
			return kt_lex_refuse(l->s, l->at, l->err, "a string ends on its line");
		if (c == quote && kt_lexer_peek(l, 1) != quote) {
			l->at++;
			return 0;
		}
		if (c == quote)
			l->at++;
		kt_buf_char(out, c);
	}
	return kt_lex_refuse(l->s, start, l->err, "the string that begins here does not end");
}

static int read_fenced(struct kt_lexer *l, const char *fence, struct kt_buf *out)
{
	size_t end = kt_str_find(l->s, kt_str_c(fence), l->at);

	if (end == KT_NPOS)
		return kt_lex_refuse(l->s, l->at - 3, l->err, "the string that begins here does not end");
	kt_buf_add(out, kt_str_sub(l->s, l->at, end - l->at));
	l->at = end + 3;
	return 0;
}

bool kt_lexer_string_here(const struct kt_lexer *l)
{
	size_t i = kt_lexer_peek(l, 0) == 'h' || kt_lexer_peek(l, 0) == 'H';
	char c = kt_lexer_peek(l, i);

	if (c == '@')
		c = kt_lexer_peek(l, i + 1);
	else if (kt_lexer_at(l, "```") || kt_lexer_at(l, "~~~"))
		return true;
	return c == '"' || c == '\'';
}

/* One literal of any form; *HIDDEN if it has an h in front. */
static int read_string(struct kt_lexer *l, struct kt_buf *out, bool *hidden)
{
	char c = kt_lexer_peek(l, 0);

	if (c == 'h' || c == 'H') {
		*hidden = true;
		l->at++;
		c = kt_lexer_peek(l, 0);
	}
	if (c == '`' || c == '~') {
		l->at += 3;
		return read_fenced(l, c == '`' ? "```" : "~~~", out);
	}
	if (c == '@') {
		c = kt_lexer_peek(l, 1);
		l->at += 2;
		return read_verbatim(l, c, out);
	}
	l->at++;
	return read_quoted(l, c, out);
}

/* Neighbouring literals are one. */
int kt_lexer_string(struct kt_lexer *l)
{
	struct kt_buf b = KT_BUF(l->s.len + 4);
	size_t start = l->at, end;
	bool hidden = false;
	int rc;

	do {
		rc = read_string(l, &b, &hidden);
		end = l->at;
		kt_lexer_blanks(l);
	} while (rc == 0 && kt_lexer_string_here(l));
	l->at = end;
	if (rc == 0)
		kt_lexer_push(l, hidden ? KT_TOK_HIDDEN : KT_TOK_STRING, kt_arena_str(l->a, kt_buf_view(&b)),
			      start);
	kt_buf_free(&b);
	return rc;
}

bool kt_lexer_bracket(struct kt_lexer *l)
{
	struct kt_lexer ahead = *l;
	struct kt_err ignored = {0};
	struct kt_buf b = KT_BUF(l->s.len + 4);
	bool hidden = false, is_name = false;

	ahead.err = &ignored;
	ahead.at++;
	kt_lexer_blanks(&ahead);
	if (kt_lexer_string_here(&ahead) && read_string(&ahead, &b, &hidden) == 0 && !hidden) {
		kt_lexer_blanks(&ahead);
		is_name = kt_lexer_peek(&ahead, 0) == ']';
	}
	if (is_name) {
		size_t start = l->at;
		l->at = ahead.at + 1;
		kt_lexer_push(l, KT_TOK_BRACKET, kt_arena_str(l->a, kt_buf_view(&b)), start);
	}
	kt_buf_free(&b);
	return is_name;
}
