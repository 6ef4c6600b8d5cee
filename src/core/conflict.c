/* Evidence that no one cause accounts for. */
#include <stdlib.h>

#include "base/alloc.h"
#include "core/eval.h"

#include "base/banned.h"

/* A specific item of an evoked cause that is no carrier. */
struct spec {
	const struct kt_standing *x;
	const struct kt_part *part;
	uint32_t item;
	uint32_t have; /* row of struct pairs' sets */
};

struct pairs {
	struct kt_run *r;
	struct spec *specs;
	size_t n, cap;
	uint32_t *items; /* those of specs, sorted */
	uint32_t n_items;
	uint64_t *have; /* a set of evoked causes for each of items */
	size_t words;
	uint64_t *found; /* fix row << 32 | fix row */
	size_t n_found, cap_found;
};

static uint32_t item_of(const struct kt_run *r, const struct kt_part *p)
{
	return r->base->kb->evidence[p->evidence].item;
}

static bool is_side(const struct kt_standing *x)
{
	return x->evoked && !x->carrier;
}

static void each_part(struct pairs *ps, void (*fn)(struct pairs *ps, uint32_t i, const struct kt_part *p))
{
	const struct kt_run *r = ps->r;

	for (uint32_t i = 0; i < r->n_evoked; i++) {
		const struct kt_standing *x = &r->standing[r->evoked[i]];
		if (!is_side(x))
			continue;
		for (uint32_t u = 0; u < x->n_units[0]; u++)
			for (const struct kt_part *p = x->units[0][u].parts; p; p = p->next)
				if (kt_any_hit(p->hits, x->drop[0]))
					fn(ps, i, p);
	}
}

static void add_spec(struct pairs *ps, uint32_t i, const struct kt_part *p)
{
	struct spec s = {.x = &ps->r->standing[ps->r->evoked[i]], .part = p, .item = item_of(ps->r, p)};

	if (p->ddb >= KT_SPECIFIC_DDB)
		KT_PUSH(ps->specs, ps->n, ps->cap) = s;
}

static uint32_t *row_of(const struct pairs *ps, uint32_t item)
{
	return bsearch(&item, ps->items, ps->n_items, sizeof item, kt_by_u32);
}

static void note_have(struct pairs *ps, uint32_t i, const struct kt_part *p)
{
	const uint32_t *row = row_of(ps, item_of(ps->r, p));

	if (row)
		ps->have[(size_t)(row - ps->items) * ps->words + i / 64] |= UINT64_C(1) << i % 64;
}

static void collect(struct pairs *ps)
{
	each_part(ps, add_spec);
	ps->items = kt_alloc_n(ps->n, sizeof *ps->items);
	for (size_t i = 0; i < ps->n; i++)
		ps->items[i] = ps->specs[i].item;
	if (ps->n)
		qsort(ps->items, ps->n, sizeof *ps->items, kt_by_u32);
	for (size_t i = 0; i < ps->n; i++)
		if (!i || ps->items[i] != ps->items[ps->n_items - 1])
			ps->items[ps->n_items++] = ps->items[i];
	ps->words = ps->r->n_evoked / 64 + 1;
	ps->have = kt_alloc_n(ps->n_items * ps->words, sizeof *ps->have);
	for (size_t i = 0; i < ps->n; i++)
		ps->specs[i].have = (uint32_t)(row_of(ps, ps->specs[i].item) - ps->items);
	each_part(ps, note_have);
}

/* Do the two share a fault or check? Places stand in order in both. */
static bool meet(const struct kt_base *b, const struct kt_standing *x, const struct kt_part *p,
		 const struct kt_standing *y, const struct kt_part *q)
{
	for (uint32_t i = 0, j = 0; i < p->hits.n && j < q->hits.n;) {
		const struct kt_hit *h = &p->hits.p[i], *k = &q->hits.p[j];
		uint32_t s = kt_place(b, h), t = kt_place(b, k);
		if (!kt_counts(x->drop[0], h) || s < t)
			i++;
		else if (!kt_counts(y->drop[0], k) || s > t)
			j++;
		else
			return true;
	}
	return false;
}

/* One item in two places: does a cause hold it in both? */
static bool holds_both_hits(const struct pairs *ps, const struct spec *a, const struct spec *b)
{
	for (size_t i = 0; i < ps->n; i++) {
		const struct spec *s = &ps->specs[i];
		if (s->item == a->item && meet(ps->r->base, s->x, s->part, a->x, a->part) &&
		    meet(ps->r->base, s->x, s->part, b->x, b->part))
			return true;
	}
	return false;
}

static bool one_holds_both(const struct pairs *ps, const struct spec *a, const struct spec *b)
{
	const uint64_t *p = ps->have + a->have * ps->words, *q = ps->have + b->have * ps->words;

	if (a->item == b->item)
		return holds_both_hits(ps, a, b);
	for (size_t w = 0; w < ps->words; w++)
		if (p[w] & q[w])
			return true;
	return false;
}

static void try_pair(struct pairs *ps, const struct spec *a, const struct spec *b)
{
	uint64_t f = a->x->fix_row, g = b->x->fix_row;

	if (f == g || meet(ps->r->base, a->x, a->part, b->x, b->part) || one_holds_both(ps, a, b))
		return;
	uint64_t pair = f < g ? f << 32 | g : g << 32 | f;
	KT_PUSH(ps->found, ps->n_found, ps->cap_found) = pair;
}

static int by_u64(const void *p, const void *q)
{
	uint64_t a = *(const uint64_t *)p, b = *(const uint64_t *)q;

	return (a > b) - (a < b);
}

/* Rows of fixes stand by name, so pairs do too. */
static void write_pairs(struct pairs *ps)
{
	struct kt_run *r = ps->r;

	if (ps->n_found)
		qsort(ps->found, ps->n_found, sizeof *ps->found, by_u64);
	for (size_t i = 0; i < ps->n_found; i++) {
		if (i && ps->found[i] == ps->found[i - 1])
			continue;
		r->conflicts[r->n_conflicts++] = (struct kt_conflict){
			r->fixes[ps->found[i] >> 32].fix, r->fixes[(uint32_t)ps->found[i]].fix, KT_NIL};
	}
	r->n_fix_conflicts = r->n_conflicts;
}

struct excluded {
	const struct kt_run *r;
	bool unanswered;
};

static void ask_place(void *ctx, const struct kt_part *p, const struct kt_hit *h)
{
	struct excluded *e = ctx;

	(void)p;
	if (!e->r->specific[kt_place(e->r->base, h)])
		e->unanswered = true;
}

/* A specific hit in an operation where the gate of its cause is false. */
static bool lost_unanswered(const struct kt_run *r, const struct kt_standing *x)
{
	const struct kt_kb *kb = r->base->kb;
	struct kt_span s = kb->causes[x->cause].evidence;

	for (uint32_t i = s.at; x->lost && i < s.at + s.n; i++) {
		const struct kt_evidence *e = &kb->evidence[i];
		struct kt_hits hits = r->base->item_hits[e->item];
		if (kb->items[e->item].kind != KT_ITEM_LOG ||
		    kt_weight_ddb((enum kt_weight)e->weight) < KT_SPECIFIC_DDB)
			continue;
		for (uint32_t h = 0; h < hits.n; h++)
			if (x->lost[hits.p[h].group] && kt_counts(r->gone, &hits.p[h]) &&
			    !r->specific[hits.p[h].group])
				return true;
	}
	return false;
}

static bool against_gate(const struct kt_run *r, const struct kt_standing *x)
{
	struct excluded e = {.r = r};

	if (x->carrier)
		return false;
	if (!x->excluded)
		return lost_unanswered(r, x);
	kt_each_hit(x, KT_SPECIFIC_DDB, ask_place, &e);
	return e.unanswered;
}

static int by_id(const void *p, const void *q)
{
	const struct kt_standing *a = *(const struct kt_standing *const *)p;
	const struct kt_standing *b = *(const struct kt_standing *const *)q;

	return kt_str_cmp(a->id, b->id);
}

static void gate_conflicts(struct kt_run *r, const struct kt_standing **list, size_t n)
{
	if (n)
		qsort(list, n, sizeof *list, by_id);
	for (size_t i = 0; i < n; i++)
		r->conflicts[r->n_conflicts++] = (struct kt_conflict){list[i]->fix, KT_NONE, list[i]->cause};
}

void kt_conflicts(struct kt_run *r)
{
	struct pairs ps = {.r = r};
	const struct kt_standing **list = KT_NEW_N(r->a, const struct kt_standing *, r->n);
	size_t n = 0;

	collect(&ps);
	for (size_t i = 0; i < ps.n; i++)
		for (size_t j = i + 1; j < ps.n; j++)
			try_pair(&ps, &ps.specs[i], &ps.specs[j]);
	for (uint32_t i = 0; i < r->n; i++)
		if (against_gate(r, &r->standing[i]))
			list[n++] = &r->standing[i];
	r->conflicts = KT_NEW_N(r->a, struct kt_conflict, ps.n_found + n);
	write_pairs(&ps);
	gate_conflicts(r, list, n);
	kt_free(ps.specs);
	kt_free(ps.items);
	kt_free(ps.have);
	kt_free(ps.found);
}
