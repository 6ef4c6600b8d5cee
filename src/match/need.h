/* A careful reader of regular expressions: what is in every match. Inside the
 * module only. Pure text work. */
#ifndef KT_MATCH_NEED_H
#define KT_MATCH_NEED_H

#include "match/texts.h"

struct kt_need {
	bool known;            /* every construct was understood */
	bool nested;           /* an unbounded repeat in an unbounded repeat (as far as read) */
	struct kt_texts cover; /* n 0: none */
	bool whole;            /* every text that matches was known */
};

struct kt_need kt_need_of(struct kt_arena *a, struct kt_str regex);

#endif
