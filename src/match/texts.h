/* Small sets of texts, for finding what a regular expression needs. Inside the
 * module only. All memory is the arena's. */
#ifndef KT_MATCH_TEXTS_H
#define KT_MATCH_TEXTS_H

#include "base/arena.h"

#define KT_TEXTS_EXACT 32  /* texts of a set that is multiplied */
#define KT_TEXTS_COVER 64  /* of one that is only looked for */
#define KT_TEXTS_LEN   128 /* bytes of a text */

/* A set, or "not known" (n 0). */
struct kt_texts {
	const struct kt_str *s;
	uint32_t n;
	bool fold;      /* some of it is meant without regard to case */
	uint64_t price; /* see kt_texts_price; 0: not worked out yet */
};

struct kt_texts kt_texts_one(struct kt_arena *a, struct kt_str s, bool fold);
/* Every text of X followed by every text of Y; not known when that is too much. */
struct kt_texts kt_texts_times(struct kt_arena *a, struct kt_texts x, struct kt_texts y);
/* Both together, each once; not known when one is not, or when more than MAX. */
struct kt_texts kt_texts_plus(struct kt_arena *a, struct kt_texts x, struct kt_texts y, uint32_t max);
/* Without the texts in which another one stands: who finds that one needs no more. */
struct kt_texts kt_texts_least(struct kt_arena *a, struct kt_texts x);
size_t kt_texts_shortest(struct kt_texts x);

/* What it costs to look for one of X, in sixteenths of a hit of the filter in a MiB
 * of ordinary logs. */
#define KT_TEXTS_FEW     4                     /* of a cover that is taken for what it says, if it is cheap */
#define KT_TEXTS_MORE    8                     /* bytes longer */
#define KT_TEXTS_CHEAP   (UINT64_C(1000) * 16) /* not worth a search for something better */
#define KT_TEXTS_USELESS UINT64_MAX            /* not known, or holds the empty text */
#define KT_TEXTS_BRIEF   (UINT64_C(60000) * 16) /* at least, with a text below seven bytes: a pass of its own */
uint64_t kt_texts_price(struct kt_texts x);

/* The one that is cheaper to look for, with its price. */
struct kt_texts kt_texts_better(struct kt_texts x, struct kt_texts y);

#endif
