/* Words, strings and signs of a job's source, whatever language it is in: Python, Scala,
 * Java, JSON. Comments are skipped. Nothing is refused: what is no token is a sign. */
#ifndef KT_AUTHOR_OPTIONS_LEX_H
#define KT_AUTHOR_OPTIONS_LEX_H

#include "base/arena.h"

enum kt_opt_token_kind { KT_OT_END, KT_OT_WORD, KT_OT_NUMBER, KT_OT_STRING, KT_OT_SIGN };

struct kt_opt_token {
	enum kt_opt_token_kind kind;
	size_t at, end;     /* bytes of the text; of a string with its quotes */
	struct kt_str text; /* of a string what it means, when it is plain */
	bool line;          /* the first on its line */
	bool plain;         /* STRING: no variable is put into it */
};

struct kt_opt_lexer {
	struct kt_str text;
	struct kt_arena *a; /* strings with escapes */
	size_t at;
	size_t open[2];    /* up to here no quote " ' closes */
	bool no_triple[2]; /* no """ ''' closes from here on */
};

/* The next token; END again and again at the end. Linear in the text. */
struct kt_opt_token kt_opt_next(struct kt_opt_lexer *l);

#endif
