/* The evidence of one cause: items and named groups with their hits. */
#include <stdlib.h>

#include "core/eval.h"

#include "base/banned.h"

int kt_look_ddb(const struct kt_evidence *e, enum kt_state s)
{
	if (s == KT_STATE_PRESENT)
		return kt_weight_ddb((enum kt_weight)e->weight);
	return s == KT_STATE_ABSENT ? kt_weight_ddb((enum kt_weight)e->absent) : 0;
}

/* A question judged in several operations and for the whole incident: what speaks
 * for the cause holds in one of them, what speaks against it must hold in all. So
 * a line in one more operation never takes an answer away. */
static struct kt_look look_in_ops(struct kt_run *r, const struct kt_standing *x, const struct kt_evidence *e)
{
	struct kt_base *b = r->base;
	struct kt_look best = kt_look(b, e->item, x->drop[0]);
	int best_ddb = kt_look_ddb(e, best.state);
	struct kt_view view;

	kt_view_init(&view, b, r->a);
	for (uint32_t i = 0; i < x->n_ops; i++) {
		kt_view_reset(&view, x->ops[i]);
		struct kt_look l = kt_look_ask(b, &view, e->item, x->drop[0], r->a);
		int ddb = kt_look_ddb(e, l.state);
		if (ddb > best_ddb) {
			best = l;
			best_ddb = ddb;
		}
	}
	return best;
}

static struct kt_look look(struct kt_run *r, const struct kt_standing *x, const struct kt_evidence *e)
{
	if (x->n_ops && r->base->kb->items[e->item].kind == KT_ITEM_ASK)
		return look_in_ops(r, x, e);
	return kt_look(r->base, e->item, x->drop[0]);
}

static int cmp_parts(const struct kt_kb *kb, const struct kt_part *a, const struct kt_part *b)
{
	int x = abs(a->ddb), y = abs(b->ddb);

	if (x != y)
		return x > y ? -1 : 1;
	return kt_str_cmp(kt_kb_text(kb, kb->items[kb->evidence[a->evidence].item].text),
			  kt_kb_text(kb, kb->items[kb->evidence[b->evidence].item].text));
}

static void add_part(const struct kt_kb *kb, struct kt_unit *u, struct kt_part *p)
{
	struct kt_part **at = &u->parts;

	while (*at && cmp_parts(kb, *at, p) <= 0)
		at = &(*at)->next;
	p->next = *at;
	*at = p;
}

static struct kt_unit *unit_of(struct kt_standing *x, const struct kt_kb *kb, const struct kt_evidence *e,
			       int side)
{
	struct kt_str group = kt_kb_text(kb, e->group);

	for (uint32_t i = 0; group.len && i < x->n_units[side]; i++) {
		struct kt_unit *u = &x->units[side][i];
		if (u->item == KT_NIL && kt_str_eq(u->name, group))
			return u;
	}
	struct kt_unit *u = &x->units[side][x->n_units[side]++];
	u->item = group.len ? KT_NIL : e->item;
	u->name = group.len ? group : kt_kb_text(kb, kb->items[e->item].text);
	u->group = KT_NIL;
	return u;
}

static void add_evidence(struct kt_run *r, struct kt_standing *x, uint32_t row)
{
	const struct kt_kb *kb = r->base->kb;
	const struct kt_cause *c = &kb->causes[x->cause];
	struct kt_look l = look(r, x, &kb->evidence[row]);
	int ddb = kt_look_ddb(&kb->evidence[row], l.state);

	if (!ddb)
		return;
	if (!x->units[0]) {
		x->units[0] = KT_NEW_N(r->a, struct kt_unit, c->evidence.n);
		x->units[1] = KT_NEW_N(r->a, struct kt_unit, c->evidence.n);
	}
	struct kt_part *p = KT_NEW(r->a, struct kt_part);
	*p = (struct kt_part){.evidence = row, .ddb = ddb, .hits = l.hits};
	struct kt_unit *u = unit_of(x, kb, &kb->evidence[row], ddb < 0);
	add_part(kb, u, p);
	u->ddb = u->parts->ddb;
}

/* Heaviest first, then by name. */
static int by_weight(const void *p, const void *q)
{
	const struct kt_unit *a = p, *b = q;
	int x = abs(a->ddb), y = abs(b->ddb);

	if (x != y)
		return x > y ? -1 : 1;
	int c = kt_str_cmp(a->name, b->name);
	return c ? c : (a->item > b->item) - (a->item < b->item);
}

static void sort_units(struct kt_standing *x, int side)
{
	if (x->n_units[side])
		qsort(x->units[side], x->n_units[side], sizeof *x->units[side], by_weight);
}

static bool is_repeated(const struct kt_kb *kb, struct kt_span s, uint32_t row)
{
	for (uint32_t i = s.at; i < row; i++)
		if (kb->evidence[i].item == kb->evidence[row].item)
			return true;
	return false;
}

bool kt_units(struct kt_run *r, struct kt_standing *x)
{
	const struct kt_kb *kb = r->base->kb;
	struct kt_span s = kb->causes[x->cause].evidence;

	for (uint32_t i = s.at; i < s.at + s.n; i++)
		if (!is_repeated(kb, s, i))
			add_evidence(r, x, i);
	sort_units(x, 0);
	sort_units(x, 1);
	return x->n_units[0] + x->n_units[1] > 0;
}

void kt_yield(struct kt_standing *x, const bool *drop)
{
	x->drop[0] = drop;
	for (uint32_t i = 0; i < x->n_units[0]; i++) {
		struct kt_unit *u = &x->units[0][i];
		const struct kt_part *p = u->parts;
		while (p && !kt_any_hit(p->hits, drop))
			p = p->next;
		u->ddb = p ? p->ddb : 0;
		u->group = KT_NIL;
		u->counted = false;
	}
	sort_units(x, 0);
}

void kt_each_hit(const struct kt_standing *x, int ddb,
		 void (*fn)(void *ctx, const struct kt_part *p, const struct kt_hit *h), void *ctx)
{
	for (uint32_t i = 0; i < x->n_units[0]; i++)
		for (const struct kt_part *p = x->units[0][i].parts; p; p = p->next)
			for (uint32_t h = 0; p->ddb >= ddb && h < p->hits.n; h++)
				if (kt_counts(x->drop[0], &p->hits.p[h]))
					fn(ctx, p, &p->hits.p[h]);
}

bool kt_has(const struct kt_standing *x, int ddb)
{
	for (uint32_t i = 0; i < x->n_units[0]; i++)
		for (const struct kt_part *p = x->units[0][i].parts; p; p = p->next)
			if (p->ddb >= ddb && kt_any_hit(p->hits, x->drop[0]))
				return true;
	return false;
}

/* Of each kind and class two groups are enough to find one that differs from
 * any other hit. */
struct kernel {
	const struct kt_hit **p;
	uint32_t n, cap;
};

static bool same_kind(const struct kt_hit *a, const struct kt_hit *b)
{
	return a->kind == b->kind && kt_str_eq(a->cls, b->cls);
}

static void kernel_add(struct kt_arena *a, struct kernel *k, const struct kt_hit *h)
{
	uint32_t alike = 0;

	for (uint32_t i = 0; i < k->n; i++) {
		if (!same_kind(k->p[i], h))
			continue;
		if (k->p[i]->group == h->group || ++alike == 2)
			return;
	}
	if (k->n == k->cap) {
		const struct kt_hit **old = k->p;
		k->cap = k->cap ? 2 * k->cap : 8;
		k->p = KT_NEW_N(a, const struct kt_hit *, k->cap);
		for (uint32_t i = 0; i < k->n; i++)
			k->p[i] = old[i];
	}
	k->p[k->n++] = h;
}

static struct kernel kernel_of(const struct kt_standing *x, const bool *unsure, const struct kt_unit *u,
			       int ddb, struct kt_arena *a)
{
	struct kernel k = {0};

	for (const struct kt_part *p = u->parts; p && p->ddb >= ddb; p = p->next)
		for (uint32_t i = 0; i < p->hits.n; i++) {
			const struct kt_hit *h = &p->hits.p[i];
			if (kt_counts(x->drop[0], h) && kt_counts(unsure, h))
				kernel_add(a, &k, h);
		}
	return k;
}

static bool found(uint32_t witness[2], const struct kt_hit *a, const struct kt_hit *b)
{
	if (witness) {
		witness[0] = a->group;
		witness[1] = b->group;
	}
	return true;
}

static bool independent(const struct kernel *a, const struct kernel *b, uint32_t witness[2])
{
	for (uint32_t i = 0; i < a->n; i++)
		for (uint32_t j = 0; j < b->n; j++)
			if (a->p[i]->group != b->p[j]->group && !same_kind(a->p[i], b->p[j]))
				return found(witness, a->p[i], b->p[j]);
	return false;
}

static bool confirms(const struct kt_standing *x, const bool *unsure, uint32_t witness[2], struct kt_arena *a)
{
	uint32_t n = x->n_units[0];
	struct kernel *suggests = KT_NEW_N(a, struct kernel, n);

	for (uint32_t i = 0; i < n; i++) {
		struct kernel proves = kernel_of(x, unsure, &x->units[0][i], 300, a);
		if (proves.n)
			return found(witness, proves.p[0], proves.p[0]);
		suggests[i] = kernel_of(x, unsure, &x->units[0][i], KT_EVOKES_DDB, a);
	}
	for (uint32_t i = 0; i < n; i++) {
		struct kernel specific = kernel_of(x, unsure, &x->units[0][i], KT_SPECIFIC_DDB, a);
		for (uint32_t j = 0; j < n; j++)
			if (i != j && independent(&specific, &suggests[j], witness))
				return true;
	}
	return false;
}

bool kt_confirms(const struct kt_standing *x, bool sure, uint32_t witness[2])
{
	struct kt_arena a = {0};
	bool yes = confirms(x, sure ? x->unsure : NULL, witness, &a);

	kt_arena_free(&a);
	return yes;
}
