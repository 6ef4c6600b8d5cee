#include "kusto/lexer.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "kusto/literal.h"

#include "base/banned.h"

int kt_lex_refuse(struct kt_str text, size_t at, struct kt_err *err, const char *fmt, ...)
{
	char why[sizeof err->text];
	size_t line = 1, column = 1;
	va_list ap;

	for (size_t i = 0; i < at && i < text.len; i++) {
		bool inside = ((unsigned char)text.p[i] & 0xc0) == 0x80;
		column += !inside;
		if (text.p[i] == '\n') {
			line++;
			column = 1;
		}
	}
	va_start(ap, fmt);
	vsnprintf(why, sizeof why, fmt, ap);
	va_end(ap);
	if (line > 1)
		return kt_err_set(err, KT_ERR_REFUSED, "line %zu, column %zu: %s", line, column, why);
	return kt_err_set(err, KT_ERR_REFUSED, "column %zu: %s", column, why);
}

/* Tokens behind the one at hand that a parser may look at: so many END are there. */
#define LOOK_AHEAD 3

static bool is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_word(char c)
{
	return is_alpha(c) || kt_lexer_digit(c);
}

void kt_lexer_push(struct kt_lexer *l, enum kt_tok kind, struct kt_str text, size_t at)
{
	KT_PUSH(l->toks, l->n, l->cap) = (struct kt_token){kind, text, at, l->at};
}

void kt_lexer_blanks(struct kt_lexer *l)
{
	char c = kt_lexer_peek(l, 0);

	while (l->at < l->s.len && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
		l->at++;
		c = kt_lexer_peek(l, 0);
	}
}

/* ---- numbers and typed literals ---- */

static size_t span_of(const struct kt_lexer *l, size_t from, bool (*is)(char))
{
	size_t n = 0;

	while (is(kt_lexer_peek(l, from + n)))
		n++;
	return n;
}

static bool is_hex(char c)
{
	return kt_lexer_hex(c) >= 0;
}

static bool guid_here(const struct kt_lexer *l)
{
	return kt_literal_is_guid(kt_str_sub(l->s, l->at, 36)) && !is_word(kt_lexer_peek(l, 36)) &&
	       kt_lexer_peek(l, 36) != '-';
}

static size_t exponent_here(const struct kt_lexer *l, size_t n)
{
	size_t sign = kt_lexer_peek(l, n + 1) == '-' || kt_lexer_peek(l, n + 1) == '+';

	if ((kt_lexer_peek(l, n) != 'e' && kt_lexer_peek(l, n) != 'E') ||
	    !kt_lexer_digit(kt_lexer_peek(l, n + 1 + sign)))
		return 0;
	return 1 + sign + span_of(l, n + 1 + sign, kt_lexer_digit);
}

static int lex_number(struct kt_lexer *l)
{
	size_t start = l->at, n = span_of(l, 0, kt_lexer_digit);
	bool real = false;

	if (n == 1 && kt_lexer_peek(l, 0) == '0' &&
	    (kt_lexer_peek(l, 1) == 'x' || kt_lexer_peek(l, 1) == 'X')) {
		n = 2 + span_of(l, 2, is_hex);
	} else {
		if (kt_lexer_peek(l, n) == '.' && kt_lexer_digit(kt_lexer_peek(l, n + 1))) {
			real = true;
			n += 1 + span_of(l, n + 1, kt_lexer_digit);
		}
		size_t e = exponent_here(l, n);
		real = real || e;
		n += e;
	}
	size_t unit = span_of(l, n, is_word);
	struct kt_str text = kt_str_sub(l->s, l->at, n + unit);
	if (unit && !kt_literal_is_unit(kt_str_from(text, n)))
		return kt_lex_refuse(l->s, start, l->err,
				     "'" KT_FMT "' is no number; timespans are "
				     "written 2d, 3h, 15m, 30s or 100ms",
				     KT_ARG(text));
	l->at += n + unit;
	kt_lexer_push(l, real || unit ? KT_TOK_ATOM : KT_TOK_INT, text, start);
	return 0;
}

typedef int write_literal(struct kt_str v, struct kt_buf *out, struct kt_err *err);

static int write_guid(struct kt_str v, struct kt_buf *out, struct kt_err *err)
{
	kt_buf_str(out, "guid(");
	if (kt_str_eq_c(v, "null"))
		kt_buf_add(out, v);
	else if (kt_literal_guid(v, out, err) < 0)
		return -1;
	kt_buf_char(out, ')');
	return 0;
}

/* long(1), bool(true), real(nan): one bare word inside. */
static bool is_scalar_text(struct kt_str v)
{
	static const char *const words[] = {"true", "false", "null", "nan", "inf", "+inf", "-inf"};
	size_t sign = v.len && (v.p[0] == '-' || v.p[0] == '+');

	for (size_t i = 0; i < KT_LEN(words); i++)
		if (kt_str_eq_c(v, words[i]))
			return true;
	if (v.len <= sign || v.len > 64 || !kt_lexer_digit(v.p[sign]))
		return false;
	for (size_t i = sign; i < v.len; i++)
		if (!is_hex(v.p[i]) && v.p[i] != 'x' && v.p[i] != '.' && v.p[i] != '-' && v.p[i] != '+')
			return false;
	return true;
}

static const struct {
	const char *word, *as;
	write_literal *fn; /* NULL: a bare word in brackets behind `as` */
} typed[] = {
	{"datetime", "datetime", kt_literal_datetime},
	{"date", "datetime", kt_literal_datetime},
	{"timespan", "timespan", kt_literal_timespan},
	{"time", "timespan", kt_literal_timespan},
	{"guid", "guid", write_guid},
	{"bool", "bool", NULL},
	{"boolean", "bool", NULL},
	{"int", "int", NULL},
	{"long", "long", NULL},
	{"real", "real", NULL},
	{"double", "real", NULL},
	{"decimal", "decimal", NULL},
};

/* datetime(…): the brackets hold no expression but the literal itself. */
static int lex_typed(struct kt_lexer *l, size_t which, size_t open)
{
	size_t start = l->at, close = kt_str_chr(l->s, ')', open);
	struct kt_buf b = KT_BUF(256);
	struct kt_err why = {0};
	int rc = 0;

	if (close == KT_NPOS)
		return kt_lex_refuse(l->s, open, l->err, "the bracket that opens here does not close");
	struct kt_str v = kt_str_trim(kt_str_sub(l->s, open + 1, close - open - 1));
	if (v.len >= 2 && (v.p[0] == '"' || v.p[0] == '\'') && v.p[v.len - 1] == v.p[0])
		v = kt_str_sub(v, 1, v.len - 2);
	if (typed[which].fn)
		rc = typed[which].fn(v, &b, &why);
	else if (is_scalar_text(v))
		kt_buf_fmt(&b, "%s(" KT_FMT ")", typed[which].as, KT_ARG(v));
	else
		rc = kt_err_set(&why, KT_ERR_REFUSED, "'" KT_FMT "' is no value of type %s",
				KT_ARG(kt_str_sub(v, 0, 40)), typed[which].as);
	if (rc < 0) {
		kt_lex_refuse(l->s, open + 1, l->err, "%s", why.text);
	} else {
		l->at = close + 1;
		kt_lexer_push(l, KT_TOK_ATOM, kt_arena_str(l->a, kt_buf_view(&b)), start);
	}
	kt_buf_free(&b);
	return rc;
}

static int lex_word(struct kt_lexer *l)
{
	size_t start = l->at, n = span_of(l, 0, is_word);
	struct kt_str word = kt_str_sub(l->s, l->at, n);
	struct kt_lexer ahead = *l;

	ahead.at += n;
	kt_lexer_blanks(&ahead);
	for (size_t i = 0; kt_lexer_peek(&ahead, 0) == '(' && i < KT_LEN(typed); i++)
		if (kt_str_eq_c(word, typed[i].word))
			return lex_typed(l, i, ahead.at);
	l->at += n;
	kt_lexer_push(l, KT_TOK_NAME, word, start);
	return 0;
}

/* ---- marks ---- */

static const struct {
	const char *mark, *why;
} refused[] = {
	{"//", "comments are not accepted: one could hide a part of the command"},
	{"<|", "'<|' feeds a query to a command"},
	{";", "';' begins a second statement; one statement is sent at a time"},
	{"{", "braces are not accepted; placeholders are filled before this"},
	{"}", "braces are not accepted"},
	{"=>", "'=>' is not accepted"},
};

static int lex_mark(struct kt_lexer *l)
{
	static const char *const marks[] = {"==", "=~", "!=", "!~", "<=", ">=", "<>", "..", "|",
					    "(",  ")",  "[",  "]",  ",",  ".",  "=",  "<",  ">",
					    "+",  "-",  "*",  "/",  "%",  "!",  "~",  ":"};
	size_t start = l->at;

	for (size_t i = 0; i < KT_LEN(refused); i++)
		if (kt_lexer_at(l, refused[i].mark))
			return kt_lex_refuse(l->s, start, l->err, "%s", refused[i].why);
	for (size_t i = 0; i < KT_LEN(marks); i++) {
		struct kt_str m = kt_str_c(marks[i]);
		if (kt_lexer_at(l, marks[i])) {
			l->at += m.len;
			kt_lexer_push(l, KT_TOK_MARK, m, start);
			return 0;
		}
	}
	uint32_t c;
	size_t n = kt_utf8_next(l->s, start, &c);
	if (c == KT_UTF8_BAD || c < 0x20)
		return kt_lex_refuse(l->s, start, l->err, "a byte that is no text (0x%02x)",
				     (unsigned)(unsigned char)l->s.p[start]);
	return kt_lex_refuse(l->s, start, l->err, "'" KT_FMT "' is not accepted here",
			     KT_ARG(kt_str_sub(l->s, start, n)));
}

static int lex_one(struct kt_lexer *l)
{
	char c = kt_lexer_peek(l, 0);

	if (kt_lexer_string_here(l))
		return kt_lexer_string(l);
	if (c == '[' && kt_lexer_bracket(l))
		return 0;
	if (is_word(c) && guid_here(l)) {
		size_t start = l->at;
		l->at += 36;
		kt_lexer_push(l, KT_TOK_GUID, kt_str_sub(l->s, start, 36), start);
		return 0;
	}
	if (kt_lexer_digit(c))
		return lex_number(l);
	if (is_alpha(c))
		return lex_word(l);
	return lex_mark(l);
}

static int check_utf8(struct kt_lexer *l)
{
	for (size_t at = 0; at < l->s.len;) {
		uint32_t c;
		size_t n = kt_utf8_next(l->s, at, &c);
		if (c == KT_UTF8_BAD || c == 0)
			return kt_lex_refuse(l->s, at, l->err, c ? "not valid UTF-8" : "a NUL byte");
		at += n;
	}
	return 0;
}

int kt_lex(struct kt_str text, struct kt_arena *a, struct kt_token **out, size_t *n, struct kt_err *err)
{
	struct kt_lexer l = {.s = text, .a = a, .err = err};
	int rc = check_utf8(&l);

	kt_lexer_blanks(&l);
	while (rc == 0 && l.at < l.s.len) {
		rc = lex_one(&l);
		kt_lexer_blanks(&l);
	}
	for (int i = 0; i <= LOOK_AHEAD; i++)
		kt_lexer_push(&l, KT_TOK_END, KT_NONE, l.s.len);
	*n = l.n;
	*out = kt_arena_alloc_n(a, l.n, sizeof *l.toks);
	for (size_t i = 0; i < l.n; i++)
		(*out)[i] = l.toks[i];
	kt_free(l.toks);
	return rc;
}
