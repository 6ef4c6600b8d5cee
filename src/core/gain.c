/* What the outcomes of a check would tell: exact one-step look-ahead.
 *
 * Masses and chances are whole numbers; their products stay below 2^126, sums of
 * products with logarithms are kept in 192 bits. So the result has no rounding but
 * the ends of its divisions. Where a product would be larger, low bits go, of
 * the chances first: a power of two, because the table of logarithms sees only
 * the leading bits of a number.
 */
#include <stdlib.h>

#include "core/weigh.h"

#include "base/banned.h"

#define PRODUCT_BITS 126u
#define CHANCE_BITS  64u /* those of the chances that stay in any case */

static unsigned bits(kt_u128 n)
{
	return n ? (kt_log2(n) >> 20) + 1 : 0;
}

/* Mass of one fix after an outcome, and the sum over all of them. */
struct after {
	struct kt_wide sum; /* of mass * log2(mass) */
	kt_u128 total;
};

static void add_mass(struct after *s, kt_u128 m, uint32_t n)
{
	if (!m || !n)
		return;
	s->total += m * n;
	kt_wide_add(&s->sum, m, (uint64_t)kt_log2(m) * n);
}

/* One question over the masses. Fixes with a touched cause are looked at one by
 * one, the others level by level. */
struct look {
	struct kt_weigh *w;
	const struct kt_outcomes *o;
	unsigned cut, cut_p; /* low bits that masses and chances lose */
	uint32_t *order;     /* touched, by fix */
	uint32_t *level_n;   /* fixes of each level that are not touched */
	kt_u128 *rest;       /* of each touched: mass of its fix that is not touched */
};

static const struct kt_who *who_at(const struct look *l, uint32_t i)
{
	return &l->w->who[l->o->touched[l->order[i]]];
}

/* Touched causes of few fixes: sorted by insertion, they come nearly sorted. */
static void order_by_fix(struct look *l)
{
	for (uint32_t i = 0; i < l->o->n_touched; i++) {
		uint32_t j = i, fix = l->w->who[l->o->touched[i]].fix;
		for (; j && who_at(l, j - 1)->fix > fix; j--)
			l->order[j] = l->order[j - 1];
		l->order[j] = i;
	}
}

static void split(struct look *l)
{
	struct kt_weigh *w = l->w;

	for (uint32_t i = 0; i < w->n_levels; i++)
		l->level_n[i] = w->levels[i].n;
	for (uint32_t i = 0, end; i < l->o->n_touched; i = end) {
		const struct kt_fixmass *f = &w->fixes[who_at(l, i)->fix];
		l->rest[i] = f->mass;
		l->level_n[f->level]--;
		for (end = i; end < l->o->n_touched && who_at(l, end)->fix == who_at(l, i)->fix; end++)
			l->rest[i] -= who_at(l, end)->mass;
	}
}

/* Entropy of the masses once outcome V is known. */
static uint64_t entropy_after(const struct look *l, uint32_t v)
{
	const struct kt_outcomes *o = l->o;
	struct after s = {0};
	kt_u128 others = o->post[(size_t)o->n_touched * o->n + v] >> l->cut_p;

	for (uint32_t i = 0; i < l->w->n_levels; i++)
		add_mass(&s, (l->w->levels[i].mass >> l->cut) * others, l->level_n[i]);
	for (uint32_t i = 0, end; i < o->n_touched; i = end) {
		kt_u128 m = (l->rest[i] >> l->cut) * others;
		for (end = i; end < o->n_touched && who_at(l, end)->fix == who_at(l, i)->fix; end++)
			m += (who_at(l, end)->mass >> l->cut) *
			     (o->post[(size_t)l->order[end] * o->n + v] >> l->cut_p);
		add_mass(&s, m, 1);
	}
	return s.total ? kt_log2(s.total) - kt_wide_div(s.sum, s.total) : 0;
}

/* Chance of outcome V, times the total mass and Q. */
static kt_u128 chance_of(const struct look *l, uint32_t v)
{
	const struct kt_outcomes *o = l->o;
	kt_u128 rest = l->w->total, sum = 0;

	for (uint32_t i = 0; i < o->n_touched; i++) {
		kt_u128 m = l->w->who[o->touched[i]].mass;
		rest -= m;
		sum += (m >> l->cut) * (o->p[(size_t)i * o->n + v] >> l->cut_p);
	}
	return sum + (rest >> l->cut) * (o->p[(size_t)o->n_touched * o->n + v] >> l->cut_p);
}

static uint64_t look_ahead(const struct look *l)
{
	const struct kt_outcomes *o = l->o;
	struct kt_wide acc = {0};

	for (uint32_t v = 0; v < o->n; v++) {
		kt_u128 s = chance_of(l, v);
		if (s)
			kt_wide_add(&acc, s, entropy_after(l, v));
	}
	uint64_t h = kt_wide_div(acc, (l->w->total >> l->cut) * (o->q >> l->cut_p));
	return l->w->h0 > h ? l->w->h0 - h : 0;
}

static void make_fit(struct look *l)
{
	unsigned q = bits(l->o->q), need = bits(l->w->total) + q;
	unsigned over = need > PRODUCT_BITS ? need - PRODUCT_BITS : 0;
	unsigned spare = q > CHANCE_BITS ? q - CHANCE_BITS : 0;

	l->cut_p = over < spare ? over : spare;
	l->cut = over - l->cut_p;
}

uint64_t kt_gain(struct kt_weigh *w, const struct kt_outcomes *o)
{
	struct look l = {.w = w, .o = o};
	struct kt_arena a = {0};

	make_fit(&l);
	if (!(w->total >> l.cut))
		return 0;
	l.order = KT_NEW_N(&a, uint32_t, o->n_touched);
	l.rest = KT_NEW_N(&a, kt_u128, o->n_touched);
	l.level_n = KT_NEW_N(&a, uint32_t, w->n_levels);
	order_by_fix(&l);
	split(&l);
	uint64_t gain = look_ahead(&l);
	kt_arena_free(&a);
	return gain;
}
