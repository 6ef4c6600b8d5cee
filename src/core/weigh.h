/* Inside of plan: who could be the cause, with what mass, and what an answer
 * would tell. Not a contract. */
#ifndef KT_CORE_WEIGH_H
#define KT_CORE_WEIGH_H

#include "core/eval.h"
#include "core/plan.h"

/* A cause that counts while planning: evoked, or while nothing specific is known
 * one of the idle that share OTHER's mass. */
struct kt_who {
	uint32_t cause;
	uint32_t fix;      /* row of fixes below */
	uint32_t standing; /* row of the run, or KT_NIL */
	kt_u128 mass;
};

struct kt_fixmass {
	struct kt_str fix;
	kt_u128 mass;
	uint32_t level; /* row of levels */
};

/* Fixes of equal mass that a check does not touch weigh the same: they are
 * counted together. */
struct kt_level {
	kt_u128 mass;
	uint32_t n;
};

struct kt_mention { /* a cause has evidence on an item */
	uint32_t who;
	enum kt_weight weight;
	bool absent; /* it has a weight for absence too */
};

struct kt_weigh {
	struct kt_run *run;
	const struct kt_kb *kb;
	struct kt_arena *a;
	struct kt_who *who;
	uint32_t n_who;
	uint32_t *who_of;         /* per cause, or KT_NIL */
	struct kt_fixmass *fixes; /* the last is OTHER's */
	uint32_t n_fixes;
	struct kt_level *levels;
	uint32_t n_levels;
	kt_u128 total;
	uint64_t h0;             /* entropy now, in 1/2^20 bit */
	struct kt_span *by_item; /* of mentions */
	struct kt_mention *mentions;
	struct kt_view named; /* for trying operations */
};

void kt_weigh_init(struct kt_weigh *w, struct kt_run *r, struct kt_arena *a);

/* What a question or check of N outcomes would tell. P of row I (one per touched
 * cause) and then, as the last row, of everybody else: integers of sum Q.
 * POST: the same for what an outcome does to the masses. */
struct kt_outcomes {
	uint32_t n;
	kt_u128 q;
	uint32_t *touched; /* rows of who */
	uint32_t n_touched;
	kt_u128 *p, *post; /* (n_touched + 1) * n */
};

/* Expected bits in 1/2^20, without availability. */
uint64_t kt_gain(struct kt_weigh *w, const struct kt_outcomes *o);

/* Chances in 1/10000 of an item to be present. */
struct kt_chance {
	uint32_t present, else_present;
};
struct kt_chance kt_chance(enum kt_weight w);

/* Gains in 1/2^20 bit, availability not in it. */
uint64_t kt_gain_items(struct kt_weigh *w, const uint32_t *items, uint32_t n);
uint64_t kt_gain_fact(struct kt_weigh *w, uint32_t fact);
uint64_t kt_gain_operation(struct kt_weigh *w);
uint32_t kt_open_choices(const struct kt_kb *kb, uint32_t fact); /* without not-set */

#endif
