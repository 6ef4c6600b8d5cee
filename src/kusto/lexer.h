/* State of the lexer; for lex.c and lexstring.c only. */
#ifndef KT_KUSTO_LEXER_H
#define KT_KUSTO_LEXER_H

#include "base/buf.h"
#include "kusto/lex.h"

struct kt_lexer {
	struct kt_str s;
	size_t at;
	struct kt_arena *a;
	struct kt_err *err;
	struct kt_token *toks;
	size_t n, cap;
};

/* The byte AHEAD of the place, NUL behind the end. */
static inline char kt_lexer_peek(const struct kt_lexer *l, size_t ahead)
{
	if (l->at + ahead < l->s.len)
		return l->s.p[l->at + ahead];
	return '\0';
}

static inline bool kt_lexer_at(const struct kt_lexer *l, const char *c)
{
	return kt_str_starts(kt_str_from(l->s, l->at), kt_str_c(c));
}

static inline bool kt_lexer_digit(char c)
{
	return c >= '0' && c <= '9';
}

void kt_lexer_push(struct kt_lexer *l, enum kt_tok kind, struct kt_str text, size_t at);
void kt_lexer_blanks(struct kt_lexer *l);

/* -1, or the value of a hexadecimal digit. */
int kt_lexer_hex(char c);

/* A string literal of any form begins here. */
bool kt_lexer_string_here(const struct kt_lexer *l);
/* One or more neighbours as one token. */
KT_MUST_CHECK int kt_lexer_string(struct kt_lexer *l);
/* ['name'], ["name"], [@'name'] as one token; false if that does not stand here. */
bool kt_lexer_bracket(struct kt_lexer *l);

#endif
