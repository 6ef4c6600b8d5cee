/* Words of KQL, by KQL's own lexical rules. For the guard only.
 *
 * A string's text is its value, decoded; neighbours are joined. What is no word
 * of the accepted language (comment, `;`, `<|`, braces, …) is an error with its
 * place and reason, so that nothing behind the lexer ever sees it.
 */
#ifndef KT_KUSTO_LEX_H
#define KT_KUSTO_LEX_H

#include "base/arena.h"
#include "base/err.h"

enum kt_tok {
	KT_TOK_END,
	KT_TOK_NAME,    /* identifier or keyword, as written */
	KT_TOK_BRACKET, /* ['name'], decoded */
	KT_TOK_STRING,  /* decoded */
	KT_TOK_HIDDEN,  /* h"…": kept from the service's logs; decoded */
	KT_TOK_INT,     /* digits or 0x… */
	KT_TOK_ATOM,    /* real, timespan, datetime(…), guid(…), long(…): canonical */
	KT_TOK_GUID,    /* bare */
	KT_TOK_MARK,    /* punctuation: one of | ( ) [ ] , . .. = == =~ != !~ < <= > >= + - * / % ! ~ : */
};

struct kt_token {
	enum kt_tok kind;
	struct kt_str text;
	size_t at, end; /* bytes of the source */
};

/* All tokens of TEXT, the last ones of kind END (some, so that looking ahead is safe). Class REFUSED with "column N: …". */
KT_MUST_CHECK int kt_lex(struct kt_str text, struct kt_arena *a, struct kt_token **out, size_t *n,
			 struct kt_err *err);

/* Sets "column N: …" (or "line L, column N: …") for byte AT of TEXT. Returns -1. */
int kt_lex_refuse(struct kt_str text, size_t at, struct kt_err *err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static inline bool kt_tok_is(const struct kt_token *t, const char *mark)
{
	return t->kind == KT_TOK_MARK && kt_str_eq_c(t->text, mark);
}

#endif
