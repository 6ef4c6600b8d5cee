/* What is known of the texts that a part of a regular expression matches, and how
 * that of a whole follows from its parts. Inside the module only; all memory is
 * the arena's. */
#ifndef KT_MATCH_PART_H
#define KT_MATCH_PART_H

#include "match/texts.h"

struct kt_part {
	struct kt_texts exact;      /* all of them; n 0: too many, or not known */
	struct kt_texts head, tail; /* every one begins / ends with one of these (may be {""}) */
	struct kt_texts cover;      /* every one holds one of these */
	bool unbounded;             /* holds an unbounded repeat */
};

#define KT_PART_UNBOUNDED UINT32_MAX

struct kt_part kt_part_exactly(struct kt_texts t);
struct kt_part kt_part_empty(struct kt_arena *a);
/* Matches something that is not known, perhaps the empty text. */
struct kt_part kt_part_opaque(struct kt_arena *a);
/* Matches nothing, but one of COVER stands somewhere near. */
struct kt_part kt_part_look(struct kt_arena *a, struct kt_texts cover);
struct kt_part kt_part_either(struct kt_arena *a, struct kt_part x, struct kt_part y);
/* MIN to MAX times; `unbounded` is left to the caller. */
struct kt_part kt_part_repeated(struct kt_arena *a, struct kt_part p, uint32_t min, uint32_t max);

/* Parts one behind the other. PIECE: sets of texts, each beginning where the one
 * before it ends. */
#define KT_CHAIN_PIECES 24
struct kt_chain {
	struct kt_texts piece[KT_CHAIN_PIECES];
	uint32_t n;
	struct kt_texts head; /* every one begins with one of these */
	bool exact;           /* HEAD is all so far */
	struct kt_texts cover;
	uint32_t tried; /* covers that were weighed */
	bool unbounded;
};

void kt_chain_begin(struct kt_arena *a, struct kt_chain *c);
void kt_chain_add(struct kt_arena *a, struct kt_chain *c, const struct kt_part *p);
struct kt_part kt_chain_end(struct kt_arena *a, struct kt_chain *c);

#endif
