/* Two problems at once: each side of a conflict judged without the others. */
#include <stdlib.h>

#include "core/eval.h"

#include "base/banned.h"

struct sides {
	struct kt_run *r;
	uint32_t *fixes; /* rows of r->fixes */
	uint32_t n;
	uint32_t *holders; /* per group: sides whose leading cause has a specific item there */
};

static void list_sides(struct sides *s)
{
	struct kt_run *r = s->r;
	bool *is_side = KT_NEW_N(r->a, bool, r->n_fixes);

	for (size_t i = 0; i < r->n_fix_conflicts; i++)
		for (uint32_t f = 0; f < r->n_fixes; f++)
			if (kt_str_eq(r->fixes[f].fix, r->conflicts[i].fix_a) ||
			    kt_str_eq(r->fixes[f].fix, r->conflicts[i].fix_b))
				is_side[f] = true;
	s->fixes = KT_NEW_N(r->a, uint32_t, r->n_fixes);
	for (uint32_t f = 0; f < r->n_fixes; f++)
		if (is_side[f])
			s->fixes[s->n++] = f;
}

struct own {
	const struct kt_base *b;
	bool *groups;
	uint64_t at; /* first record, UINT64_MAX without */
};

static void take_group(void *ctx, const struct kt_part *p, const struct kt_hit *h)
{
	struct own *o = ctx;

	(void)p;
	o->groups[h->group] = true;
	if (h->group < o->b->n_faults && h->at < o->at)
		o->at = h->at;
}

static struct own own_groups(struct sides *s, uint32_t fix, struct kt_arena *a)
{
	struct own o = {s->r->base, KT_NEW_N(a, bool, s->r->base->n_groups), UINT64_MAX};

	kt_each_hit(&s->r->standing[s->r->fixes[fix].lead_plain], KT_SPECIFIC_DDB, take_group, &o);
	return o;
}

static void count_holders(struct sides *s)
{
	uint32_t n = s->r->base->n_groups;

	s->holders = KT_NEW_N(s->r->a, uint32_t, n);
	for (uint32_t i = 0; i < s->n; i++) {
		struct kt_arena a = {0};
		struct own o = own_groups(s, s->fixes[i], &a);
		for (uint32_t g = 0; g < n; g++)
			s->holders[g] += o.groups[g];
		kt_arena_free(&a);
	}
}

static bool judge_side(struct sides *s, uint32_t fix, struct kt_problem *out, struct kt_arena *a)
{
	struct kt_run *r = s->r, alone;
	struct own o = own_groups(s, fix, a);
	bool *gone = KT_NEW_N(a, bool, r->base->n_groups);

	for (uint32_t g = 0; g < r->base->n_groups; g++)
		gone[g] = s->holders[g] > o.groups[g];
	kt_run(&alone, r->base, a, gone, r);
	if (alone.verdict > KT_LIKELY || !kt_str_eq(alone.fixes[alone.best].fix, r->fixes[fix].fix))
		return false;
	const struct kt_fixsum *best = &alone.fixes[alone.best];
	*out = (struct kt_problem){
		.fix = r->fixes[fix].fix,
		.cause = alone.standing[best->lead].cause,
		.verdict = alone.verdict,
		.p_milli = kt_milli(best->weight, alone.total),
		.at = o.at,
	};
	return true;
}

static int by_place(const void *p, const void *q)
{
	const struct kt_problem *a = p, *b = q;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return kt_str_cmp(a->fix, b->fix);
}

void kt_problems(struct kt_run *r)
{
	struct sides s = {.r = r};
	size_t n = 0;

	if (!r->n_fix_conflicts)
		return;
	list_sides(&s);
	count_holders(&s);
	r->problems = KT_NEW_N(r->a, struct kt_problem, s.n);
	for (uint32_t i = 0; i < s.n && n == i; i++) {
		struct kt_arena a = {0};
		n += judge_side(&s, s.fixes[i], &r->problems[n], &a);
		kt_arena_free(&a);
	}
	r->closed = n == s.n;
	if (!r->closed)
		return;
	r->n_problems = n;
	qsort(r->problems, n, sizeof *r->problems, by_place);
}
