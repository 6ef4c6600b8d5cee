/* The next check: exact one-step look-ahead over what each check would tell. */
#ifndef KT_CORE_PLAN_H
#define KT_CORE_PLAN_H

#include "core/judge.h"

enum kt_plan_kind { KT_PLAN_ASK, KT_PLAN_SHOW, KT_PLAN_SCAN };

struct kt_plan_step {
	enum kt_plan_kind kind;
	uint32_t fact, check; /* the one that applies; the other KT_NIL */
	uint32_t gain_1024;   /* expected bits * 1024 */
	uint32_t cost_s;
	bool automatic, pinned;
};

struct kt_plan {
	struct kt_plan_step *steps; /* best first */
	size_t n;
};

/* Empty after CONFIRMED and HEALTHY. J must come from the same list. */
void kt_plan(const struct kt_kb *kb, const struct kt_obs *obs, size_t n, const struct kt_judgement *j,
	     struct kt_arena *a, struct kt_plan *out);

/* Thousandths of a bit of a step's gain, half up. */
uint32_t kt_plan_gain_milli(const struct kt_plan_step *s);

/* Entropy in 1/2^20 bit of N weights, from the table of log2. */
uint64_t kt_entropy(const uint64_t *w, size_t n);

#endif
