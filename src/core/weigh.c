#include "core/weigh.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

#define COMMON_DDB 30 /* the largest prior */

static void add_who(struct kt_weigh *w, uint32_t cause, uint32_t standing, kt_u128 mass)
{
	w->who_of[cause] = w->n_who;
	w->who[w->n_who++] = (struct kt_who){cause, 0, standing, mass};
}

static uint64_t prior_mass(const struct kt_kb *kb, uint32_t cause)
{
	return kt_pow_neg((uint32_t)(COMMON_DDB - kt_prior_ddb((enum kt_prior)kb->causes[cause].prior)));
}

/* Causes neither evoked nor excluded nor carriers. */
static uint32_t *list_idle(struct kt_weigh *w, uint32_t *n, kt_u128 *sum)
{
	struct kt_run *r = w->run;
	uint32_t *idle = KT_NEW_N(w->a, uint32_t, w->kb->n_causes);
	bool *out = KT_NEW_N(w->a, bool, w->kb->n_causes), *live = KT_NEW_N(w->a, bool, w->kb->n_causes);

	for (uint32_t i = 0; i < r->n; i++) {
		live[r->standing[i].cause] = true;
		out[r->standing[i].cause] = r->standing[i].evoked || r->standing[i].excluded;
	}
	for (uint32_t i = 0; i < w->kb->n_causes; i++) {
		const struct kt_cause *c = &w->kb->causes[i];
		if (c->carrier || out[i])
			continue;
		if (!live[i] && kt_gate_incident(r->base, c->gate) == KT_FALSE)
			continue;
		idle[(*n)++] = i;
		*sum += prior_mass(w->kb, i);
	}
	return idle;
}

/* A fifth of OTHER's mass stays unknown, the rest goes to the idle by prior: all
 * masses times five times the sum of the idle priors, to stay whole numbers.
 * Returns what stays unknown. */
static kt_u128 share_masses(struct kt_weigh *w)
{
	struct kt_run *r = w->run;
	kt_u128 z = 0, other = r->other_weight;
	uint32_t n_idle = 0;
	const uint32_t *idle = r->known ? NULL : list_idle(w, &n_idle, &z);
	kt_u128 scale = 5 * (z ? z : 1);

	w->who = KT_NEW_N(w->a, struct kt_who, r->n_evoked + n_idle);
	for (uint32_t i = 0; i < r->n_evoked; i++) {
		const struct kt_standing *x = &r->standing[r->evoked[i]];
		add_who(w, x->cause, r->evoked[i], x->weight * scale);
	}
	for (uint32_t i = 0; i < n_idle; i++)
		add_who(w, idle[i], KT_NIL, other * 4 * prior_mass(w->kb, idle[i]));
	return z ? other * z : other * 5;
}

/* Rows of fixes by their text: open addressing. */
static uint32_t fix_row(struct kt_weigh *w, uint32_t *slots, uint32_t mask, struct kt_str fix)
{
	uint32_t i = (uint32_t)kt_str_hash(fix, KT_HASH_SEED) & mask;

	for (; slots[i]; i = (i + 1) & mask)
		if (kt_str_eq(w->fixes[slots[i] - 1].fix, fix))
			return slots[i] - 1;
	w->fixes[w->n_fixes].fix = fix;
	slots[i] = ++w->n_fixes;
	return w->n_fixes - 1;
}

static void sum_fixes(struct kt_weigh *w, kt_u128 unknown)
{
	uint32_t size = 16;

	while (size < 2 * w->n_who)
		size *= 2;
	uint32_t *slots = KT_NEW_N(w->a, uint32_t, size);
	w->fixes = KT_NEW_N(w->a, struct kt_fixmass, w->n_who + 1);
	for (uint32_t i = 0; i < w->n_who; i++) {
		struct kt_who *p = &w->who[i];
		p->fix = fix_row(w, slots, size - 1, kt_kb_fix(w->kb, p->cause));
		w->fixes[p->fix].mass += p->mass;
		w->total += p->mass;
	}
	w->fixes[w->n_fixes++].mass = unknown;
	w->total += unknown;
}

static int by_mass(const void *p, const void *q)
{
	const struct kt_fixmass *a = *(struct kt_fixmass *const *)p, *b = *(struct kt_fixmass *const *)q;

	return (a->mass > b->mass) - (a->mass < b->mass);
}

static void make_levels(struct kt_weigh *w)
{
	struct kt_fixmass **sorted = KT_NEW_N(w->a, struct kt_fixmass *, w->n_fixes);

	for (uint32_t i = 0; i < w->n_fixes; i++)
		sorted[i] = &w->fixes[i];
	qsort(sorted, w->n_fixes, sizeof *sorted, by_mass);
	w->levels = KT_NEW_N(w->a, struct kt_level, w->n_fixes);
	for (uint32_t i = 0; i < w->n_fixes; i++) {
		if (!i || sorted[i]->mass != sorted[i - 1]->mass)
			w->levels[w->n_levels++].mass = sorted[i]->mass;
		w->levels[w->n_levels - 1].n++;
		sorted[i]->level = w->n_levels - 1;
	}
}

static void each_mention(struct kt_weigh *w,
			 void (*fn)(struct kt_weigh *w, uint32_t item, struct kt_mention m))
{
	for (uint32_t i = 0; i < w->n_who; i++) {
		struct kt_span s = w->kb->causes[w->who[i].cause].evidence;
		for (uint32_t e = s.at; e < s.at + s.n; e++) {
			const struct kt_evidence *ev = &w->kb->evidence[e];
			if (ev->weight != KT_W_NONE)
				fn(w, ev->item,
				   (struct kt_mention){i, (enum kt_weight)ev->weight,
						       ev->absent != KT_W_NONE});
		}
	}
}

static void count_mention(struct kt_weigh *w, uint32_t item, struct kt_mention m)
{
	(void)m;
	w->by_item[item].n++;
}

/* Of an item that a cause names twice the first counts. */
static void put_mention(struct kt_weigh *w, uint32_t item, struct kt_mention m)
{
	struct kt_span *s = &w->by_item[item];

	if (s->n && w->mentions[s->at + s->n - 1].who == m.who)
		return;
	w->mentions[s->at + s->n++] = m;
}

static void index_mentions(struct kt_weigh *w)
{
	uint32_t at = 0;

	w->by_item = KT_NEW_N(w->a, struct kt_span, w->kb->n_items);
	each_mention(w, count_mention);
	for (uint32_t i = 0; i < w->kb->n_items; i++) {
		w->by_item[i].at = at;
		at += w->by_item[i].n;
		w->by_item[i].n = 0;
	}
	w->mentions = KT_NEW_N(w->a, struct kt_mention, at);
	each_mention(w, put_mention);
}

static uint64_t entropy_now(const struct kt_weigh *w, unsigned cut)
{
	struct kt_wide sum = {0};
	kt_u128 total = 0;

	for (uint32_t i = 0; i < w->n_levels; i++) {
		kt_u128 m = w->levels[i].mass >> cut;
		if (!m)
			continue;
		total += m * w->levels[i].n;
		kt_wide_add(&sum, m, (uint64_t)kt_log2(m) * w->levels[i].n);
	}
	return total ? kt_log2(total) - kt_wide_div(sum, total) : 0;
}

void kt_weigh_init(struct kt_weigh *w, struct kt_run *r, struct kt_arena *a)
{
	*w = (struct kt_weigh){.run = r, .kb = r->base->kb, .a = a};
	w->who_of = KT_NEW_N(a, uint32_t, w->kb->n_causes);
	for (uint32_t i = 0; i < w->kb->n_causes; i++)
		w->who_of[i] = KT_NIL;
	sum_fixes(w, share_masses(w));
	make_levels(w);
	index_mentions(w);
	w->h0 = entropy_now(w, 0);
	kt_view_init(&w->named, r->base, a);
}
