#include "author/options_lex.h"

#include "base/banned.h"

#define LOOK 64 /* bytes behind "//" that tell a division from a comment */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' ||
	       (unsigned char)c >= 0x80;
}

/* … where somebody left something out */
static bool is_ellipsis(struct kt_str text, size_t at)
{
	return kt_str_starts(kt_str_from(text, at), KT_S("\xe2\x80\xa6"));
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\1';
}

static char peek(const struct kt_opt_lexer *l, size_t ahead)
{
	return ahead < l->text.len - l->at ? l->text.p[l->at + ahead] : '\0';
}

static char before(const struct kt_opt_lexer *l)
{
	return l->at ? l->text.p[l->at - 1] : '\n';
}

static void skip_line(struct kt_opt_lexer *l)
{
	size_t end = kt_str_chr(l->text, '\n', l->at);

	l->at = end == KT_NPOS ? l->text.len : end;
}

/* "n // 2)" of Python: one operand, then what closes or parts. */
static bool is_division(const struct kt_opt_lexer *l)
{
	struct kt_str rest = kt_str_sub(l->text, l->at + 2, LOOK);
	size_t i = 0, from;

	while (i < rest.len && is_blank(rest.p[i]))
		i++;
	for (from = i; i < rest.len && is_word(rest.p[i]);)
		i++;
	return i > from && i < rest.len && (rest.p[i] == ')' || rest.p[i] == ',' || rest.p[i] == ']');
}

static bool skip_comment(struct kt_opt_lexer *l)
{
	char c = peek(l, 0), d = peek(l, 1);

	if (c == '/' && d == '*') {
		size_t end = kt_str_find(l->text, KT_S("*/"), l->at + 2);
		l->at = end == KT_NPOS ? l->text.len : end + 2;
		return true;
	}
	bool hash = c == '#' && (is_blank(before(l)) || before(l) == '\n');
	if (!hash && (c != '/' || d != '/' || before(l) == ':' || is_division(l)))
		return false;
	skip_line(l);
	return true;
}

/* To the next token; true when a line began on the way. */
static bool skip_space(struct kt_opt_lexer *l)
{
	bool line = l->at == 0;

	while (l->at < l->text.len) {
		char c = peek(l, 0);
		size_t next = peek(l, 1) == '\r' || peek(l, 1) == '\1' ? 2 : 1;
		if (c == '\\' && peek(l, next) == '\n')
			l->at += next + 1; /* the line goes on */
		else if (c == '\n' || is_blank(c)) {
			line = line || c == '\n';
			l->at++;
		} else if (!skip_comment(l)) {
			break;
		}
	}
	return line;
}

/* Letters in front of a quote: r"", f'', s"". */
static bool is_prefix(struct kt_str word)
{
	for (size_t i = 0; i < word.len; i++)
		if (kt_str_chr(KT_S("rRbBuUfFs"), word.p[i], 0) == KT_NPOS)
			return false;
	return (word.len && word.len <= 2) || kt_str_eq_c(word, "raw");
}

static bool has_any(struct kt_str word, struct kt_str letters)
{
	for (size_t i = 0; i < word.len; i++)
		if (kt_str_chr(letters, word.p[i], 0) != KT_NPOS)
			return true;
	return false;
}

/* RAW: a backslash is one. A byte 1 is where a notebook had an escape of its own. */
static struct kt_str unescape(struct kt_opt_lexer *l, struct kt_str s, bool raw)
{
	if ((raw || kt_str_chr(s, '\\', 0) == KT_NPOS) && kt_str_chr(s, '\1', 0) == KT_NPOS)
		return s;
	char *out = kt_arena_alloc(l->a, s.len);
	size_t n = 0;
	for (size_t i = 0; i < s.len; i++) {
		if (s.p[i] == '\1')
			continue;
		if (s.p[i] == '\\' && !raw && i + 1 < s.len) {
			char c = s.p[++i];
			out[n++] = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
		} else {
			out[n++] = s.p[i];
		}
	}
	return (struct kt_str){out, n};
}

/* End of the string that begins at FROM, or KT_NPOS. */
static size_t string_end(struct kt_opt_lexer *l, size_t from, char quote, bool triple)
{
	size_t which = quote == '\'';

	if (triple ? l->no_triple[which] : from < l->open[which])
		return KT_NPOS;
	for (size_t i = from; i < l->text.len; i++) {
		char c = l->text.p[i];
		if (c == '\\') {
			i++;
		} else if (triple && c == quote) {
			if (i + 2 < l->text.len && l->text.p[i + 1] == quote && l->text.p[i + 2] == quote)
				return i;
		} else if (c == quote) {
			return i;
		} else if (c == '\n' && !triple) {
			l->open[which] = i;
			return KT_NPOS;
		}
	}
	if (triple)
		l->no_triple[which] = true;
	else
		l->open[which] = l->text.len;
	return KT_NPOS;
}

/* A string at AT + PREFIX; false when its quote is never closed. */
static bool take_string(struct kt_opt_lexer *l, size_t prefix, struct kt_opt_token *t)
{
	struct kt_str letters = kt_str_sub(l->text, l->at, prefix);
	char quote = peek(l, prefix);
	bool triple = peek(l, prefix + 1) == quote && peek(l, prefix + 2) == quote;
	size_t marks = triple ? 3 : 1, from = l->at + prefix + marks;
	size_t end = string_end(l, from, quote, triple);

	if (end == KT_NPOS)
		return false;
	struct kt_str inside = kt_str_sub(l->text, from, end - from);
	bool raw = has_any(letters, KT_S("rR"));
	bool puts = (has_any(letters, KT_S("fF")) && kt_str_chr(inside, '{', 0) != KT_NPOS) ||
		    (has_any(letters, KT_S("s")) && kt_str_chr(inside, '$', 0) != KT_NPOS);
	t->kind = KT_OT_STRING;
	t->plain = !puts;
	t->text = unescape(l, inside, raw);
	l->at = end + marks;
	return true;
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'';
}

static void take_word(struct kt_opt_lexer *l, struct kt_opt_token *t)
{
	size_t n = 0;

	while (is_word(peek(l, n)) && !is_ellipsis(l->text, l->at + n))
		n++;
	struct kt_str word = kt_str_sub(l->text, l->at, n);
	if (is_quote(peek(l, n)) && is_prefix(word) && take_string(l, n, t))
		return;
	t->kind = is_digit(word.p[0]) ? KT_OT_NUMBER : KT_OT_WORD;
	if (t->kind == KT_OT_NUMBER && peek(l, n) == '.' && is_digit(peek(l, n + 1)))
		for (n++; is_word(peek(l, n));)
			n++;
	t->text = kt_str_sub(l->text, l->at, n);
	l->at += n;
}

static void take_sign(struct kt_opt_lexer *l, struct kt_opt_token *t)
{
	static const struct kt_str two[] = {{"->", 2}, {"=>", 2}, {"==", 2}, {"!=", 2}, {"<=", 2},
					    {">=", 2}, {"+=", 2}, {"**", 2}, {"::", 2}, {"<-", 2}};
	struct kt_str rest = kt_str_sub(l->text, l->at, 2);
	size_t n = is_ellipsis(l->text, l->at) ? 3 : 1;

	for (size_t i = 0; i < KT_LEN(two); i++)
		if (kt_str_eq(rest, two[i]))
			n = 2;
	t->kind = KT_OT_SIGN;
	t->text = kt_str_sub(l->text, l->at, n);
	l->at += n;
}

struct kt_opt_token kt_opt_next(struct kt_opt_lexer *l)
{
	struct kt_opt_token t = {.kind = KT_OT_END};

	t.line = skip_space(l);
	t.at = l->at;
	if (l->at < l->text.len) {
		if (is_word(peek(l, 0)) && !is_ellipsis(l->text, l->at))
			take_word(l, &t);
		else if (!is_quote(peek(l, 0)) || !take_string(l, 0, &t))
			take_sign(l, &t);
	}
	t.end = l->at;
	return t;
}
