/* Chances of outcomes, for each cause: of items, of answers. */
#include <stdlib.h>

#include "core/weigh.h"

#include "base/banned.h"

#define TEN4           10000u
#define ONE            UINT64_C(1000000000000)
#define ITEMS_MAX      8u /* 10000^8 fits 128 bits */
#define OPERATIONS_MAX 64u

struct kt_chance kt_chance(enum kt_weight w)
{
	static const struct kt_chance table[] = {
		[KT_W_NONE] = {0, 0},
		[KT_W_PROVES] = {9000, 9},
		[KT_W_STRONG] = {8000, 80},
		[KT_W_SUGGESTS] = {6000, 600},
		[KT_W_HINTS] = {4500, 1500},
		[KT_W_HINTS_AGAINST] = {1500, 4500},
		[KT_W_ARGUES_AGAINST] = {600, 6000},
		[KT_W_STRONG_AGAINST] = {80, 8000},
	};
	return table[w];
}

static void make_room(struct kt_outcomes *o, struct kt_arena *a)
{
	o->p = KT_NEW_N(a, kt_u128, (size_t)(o->n_touched + 1) * o->n);
	o->post = KT_NEW_N(a, kt_u128, (size_t)(o->n_touched + 1) * o->n);
}

/* What a cause that does not mention the item takes: the smallest that is named. */
static uint32_t smallest(const struct kt_mention *m, uint32_t n)
{
	uint32_t q = TEN4;

	for (uint32_t i = 0; i < n; i++)
		if (kt_chance(m[i].weight).else_present < q)
			q = kt_chance(m[i].weight).else_present;
	return q;
}

static const struct kt_mention *mention_of(const struct kt_mention *m, uint32_t n, uint32_t who)
{
	for (uint32_t i = 0; i < n; i++)
		if (m[i].who == who)
			return &m[i];
	return NULL;
}

/* Item number BIT of the check: outcome V has it when that bit is set. */
static void times_item(kt_u128 *row, uint32_t n, uint32_t bit, uint32_t present, uint32_t absent)
{
	for (uint32_t v = 0; v < n; v++)
		row[v] *= v >> bit & 1 ? present : absent;
}

static void item_chances(struct kt_weigh *w, struct kt_outcomes *o, uint32_t item, uint32_t bit)
{
	struct kt_span s = w->by_item[item];
	const struct kt_mention *all = &w->mentions[s.at];
	uint32_t q = smallest(all, s.n);

	for (uint32_t i = 0; i <= o->n_touched; i++) {
		const struct kt_mention *m = i < o->n_touched ? mention_of(all, s.n, o->touched[i]) : NULL;
		uint32_t present = m ? kt_chance(m->weight).present : q;
		/* Without a weight for absence the cause stays as those that do not mention it. */
		uint32_t if_absent = m && m->absent ? present : q;
		times_item(o->p + (size_t)i * o->n, o->n, bit, present, TEN4 - present);
		times_item(o->post + (size_t)i * o->n, o->n, bit, present, TEN4 - if_absent);
	}
}

static void touch_items(struct kt_weigh *w, struct kt_outcomes *o, const uint32_t *items, uint32_t n,
			struct kt_arena *a)
{
	uint32_t total = 0, m = 0;

	for (uint32_t i = 0; i < n; i++)
		total += w->by_item[items[i]].n;
	o->touched = KT_NEW_N(a, uint32_t, total);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < w->by_item[items[i]].n; k++)
			o->touched[m++] = w->mentions[w->by_item[items[i]].at + k].who;
	o->n_touched = kt_unique(o->touched, m);
}

uint64_t kt_gain_items(struct kt_weigh *w, const uint32_t *items, uint32_t n)
{
	struct kt_arena a = {0};
	struct kt_outcomes o = {.q = 1};

	if (n > ITEMS_MAX)
		n = ITEMS_MAX;
	o.n = 1u << n;
	for (uint32_t i = 0; i < n; i++)
		o.q *= TEN4;
	touch_items(w, &o, items, n, &a);
	make_room(&o, &a);
	for (size_t i = 0; i < (size_t)(o.n_touched + 1) * o.n; i++)
		o.p[i] = o.post[i] = 1;
	for (uint32_t i = 0; i < n; i++)
		item_chances(w, &o, items[i], i);
	uint64_t gain = kt_gain(w, &o);
	kt_arena_free(&a);
	return gain;
}

/* Answers to a question. */
struct asking {
	struct kt_weigh *w;
	uint32_t fact;
	struct kt_str value; /* tried now */
	const struct kt_choice *choices[ITEMS_MAX * ITEMS_MAX];
	uint32_t n;
};

static bool value_if(void *ctx, const struct kt_node *node, struct kt_str *value)
{
	const struct asking *q = ctx;

	if (node->fact != q->fact)
		return kt_value_soft(&q->w->run->base->view, node, value);
	*value = q->value;
	return true;
}

static bool is_open(const struct kt_kb *kb, uint32_t choice)
{
	return !kt_str_eq_c(kt_kb_text(kb, kb->choices[choice].value), KT_NOT_SET);
}

uint32_t kt_open_choices(const struct kt_kb *kb, uint32_t fact)
{
	struct kt_span s = kb->facts[fact].choices;
	uint32_t n = 0;

	for (uint32_t i = s.at; i < s.at + s.n; i++)
		n += is_open(kb, i);
	return n;
}

static void list_choices(struct asking *q)
{
	const struct kt_kb *kb = q->w->kb;
	struct kt_span s = kb->facts[q->fact].choices;

	for (uint32_t i = s.at; i < s.at + s.n && q->n < KT_LEN(q->choices); i++)
		if (is_open(kb, i))
			q->choices[q->n++] = &kb->choices[i];
}

static enum kt_tri try_value(struct asking *q, uint32_t v, uint32_t cond)
{
	q->value = kt_kb_text(q->w->kb, q->choices[v]->value);
	return kt_cond_eval(q->w->kb, cond, value_if, q);
}

struct leaf_find {
	uint32_t fact;
	bool found;
};

static void find_leaf(void *ctx, const struct kt_node *leaf)
{
	struct leaf_find *f = ctx;

	f->found = f->found || leaf->fact == f->fact;
}

static bool mentions_fact(const struct kt_kb *kb, uint32_t node, uint32_t fact)
{
	struct leaf_find f = {.fact = fact};

	kt_cond_walk(kb, node, find_leaf, &f);
	return f.found;
}

/* Items that ask this fact and that somebody mentions, by their text. */
static uint32_t *ask_items(const struct kt_weigh *w, uint32_t fact, uint32_t *n, struct kt_arena *a)
{
	const struct kt_kb *kb = w->kb;
	uint32_t *items = KT_NEW_N(a, uint32_t, kb->n_items);

	for (uint32_t i = 0; i < kb->n_items; i++) {
		if (kb->items[i].kind != KT_ITEM_ASK || kb->items[i].fact != fact || !w->by_item[i].n)
			continue;
		uint32_t j = (*n)++;
		struct kt_str text = kt_kb_text(kb, kb->items[i].text);
		for (; j && kt_str_cmp(kt_kb_text(kb, kb->items[items[j - 1]].text), text) > 0; j--)
			items[j] = items[j - 1];
		items[j] = i;
	}
	return items;
}

static void touch_asked(struct asking *q, struct kt_outcomes *o, const uint32_t *items, uint32_t n_items,
			struct kt_arena *a)
{
	struct kt_weigh *w = q->w;
	uint32_t total = w->n_who, m = 0;

	for (uint32_t i = 0; i < n_items; i++)
		total += w->by_item[items[i]].n;
	o->touched = KT_NEW_N(a, uint32_t, total);
	for (uint32_t i = 0; i < w->n_who; i++)
		if (mentions_fact(w->kb, w->kb->causes[w->who[i].cause].gate, q->fact))
			o->touched[m++] = i;
	for (uint32_t i = 0; i < n_items; i++)
		for (uint32_t k = 0; k < w->by_item[items[i]].n; k++)
			o->touched[m++] = w->mentions[w->by_item[items[i]].at + k].who;
	o->n_touched = kt_unique(o->touched, m);
}

/* The item is present for K of the answers: its chance is shared evenly. */
static void times_answer(kt_u128 *row, const bool *present, uint32_t n, uint32_t k, uint32_t chance,
			 uint32_t if_absent)
{
	for (uint32_t v = 0; v < n; v++) {
		kt_u128 x = row[v] * (present[v] ? chance : TEN4 - if_absent) / TEN4;
		row[v] = x / (present[v] ? k : n - k);
	}
}

static void answer_chances(struct asking *q, struct kt_outcomes *o, uint32_t item, bool *present)
{
	struct kt_weigh *w = q->w;
	struct kt_span s = w->by_item[item];
	const struct kt_mention *all = &w->mentions[s.at];
	uint32_t least = smallest(all, s.n), k = 0;

	for (uint32_t v = 0; v < o->n; v++) {
		present[v] = try_value(q, v, w->kb->items[item].cond) == KT_TRUE;
		k += present[v];
	}
	for (uint32_t i = 0; k && k < o->n && i <= o->n_touched; i++) {
		const struct kt_mention *m = i < o->n_touched ? mention_of(all, s.n, o->touched[i]) : NULL;
		uint32_t chance = m ? kt_chance(m->weight).present : least;
		times_answer(o->p + (size_t)i * o->n, present, o->n, k, chance, chance);
		times_answer(o->post + (size_t)i * o->n, present, o->n, k, chance,
			     m && m->absent ? chance : least);
	}
}

/* Which answers the gate allows; all where it allows none. */
static void gate_mask(struct asking *q, uint32_t cause, uint32_t n, bool *mask)
{
	uint32_t gate = q->w->kb->causes[cause].gate;
	bool any = false;

	for (uint32_t v = 0; v < n; v++) {
		mask[v] = try_value(q, v, gate) != KT_FALSE;
		any = any || mask[v];
	}
	for (uint32_t v = 0; v < n && !any; v++)
		mask[v] = true;
}

/* To the sum Q; what the divisions leave goes to the last. */
static void to_one(kt_u128 *p, kt_u128 *post, const bool *mask, uint32_t n)
{
	kt_u128 sum = 0, given = 0;
	uint32_t last = 0;

	for (uint32_t v = 0; v < n; v++) {
		p[v] = mask[v] ? p[v] : 0;
		post[v] = mask[v] ? post[v] : 0;
		sum += p[v];
	}
	for (uint32_t v = 0; v < n && sum; v++) {
		p[v] = p[v] * ONE / sum;
		post[v] = post[v] * ONE / sum;
		given += p[v];
		if (p[v])
			last = v;
	}
	p[last] += ONE - given;
}

static void mask_answers(struct asking *q, struct kt_outcomes *o, bool *mask)
{
	for (uint32_t i = 0; i <= o->n_touched; i++) {
		for (uint32_t v = 0; v < o->n; v++)
			mask[v] = true;
		if (i < o->n_touched)
			gate_mask(q, q->w->who[o->touched[i]].cause, o->n, mask);
		to_one(o->p + (size_t)i * o->n, o->post + (size_t)i * o->n, mask, o->n);
	}
}

uint64_t kt_gain_fact(struct kt_weigh *w, uint32_t fact)
{
	struct kt_arena a = {0};
	struct asking q = {.w = w, .fact = fact};
	uint32_t n_items = 0;
	uint32_t *items = ask_items(w, fact, &n_items, &a);
	uint64_t gain = 0;

	list_choices(&q);
	struct kt_outcomes o = {.n = q.n, .q = ONE};
	touch_asked(&q, &o, items, n_items, &a);
	if (q.n && o.n_touched) {
		bool *flags = KT_NEW_N(&a, bool, o.n);
		make_room(&o, &a);
		for (size_t i = 0; i < (size_t)(o.n_touched + 1) * o.n; i++)
			o.p[i] = o.post[i] = ONE;
		for (uint32_t i = 0; i < n_items; i++)
			answer_chances(&q, &o, items[i], flags);
		mask_answers(&q, &o, flags);
		gain = kt_gain(w, &o);
	}
	kt_arena_free(&a);
	return gain;
}

/* Which operation failed: what the gate of a cause would be in each. A cause whose
 * faults lie in operations of their own is judged there in any case. */
static void operation_mask(struct kt_weigh *w, const struct kt_who *p, const uint32_t *ops, uint32_t n,
			   bool *mask)
{
	uint32_t gate = w->kb->causes[p->cause].gate;
	bool any = false;

	if (p->standing == KT_NIL || !w->run->standing[p->standing].ops)
		for (uint32_t v = 0; v < n; v++) {
			kt_view_reset(&w->named, ops[v]);
			mask[v] = kt_cond_eval(w->kb, gate, kt_value_soft, &w->named) != KT_FALSE;
			any = any || mask[v];
		}
	for (uint32_t v = 0; v < n && !any; v++)
		mask[v] = true;
}

/* Operations that tell a fact which differs between them. */
static uint32_t list_operations(const struct kt_weigh *w, uint32_t *ops)
{
	struct kt_base *b = w->run->base;
	bool *seen = KT_NEW_N(w->a, bool, b->n_ops);
	uint32_t n = 0;

	for (uint32_t f = 0; f < w->kb->n_facts; f++) {
		struct kt_span s = b->by_fact[f];
		if (kt_view_fact(&b->view, f)->state != KT_FS_VARIES)
			continue;
		for (uint32_t i = s.at; i < s.at + s.n; i++)
			if (b->fact_scope[i])
				seen[b->fact_scope[i] - 1] = true;
	}
	for (uint32_t i = 0; i < b->n_ops && n < OPERATIONS_MAX; i++)
		if (seen[i])
			ops[n++] = i;
	return n;
}

uint64_t kt_gain_operation(struct kt_weigh *w)
{
	struct kt_arena a = {0};
	uint32_t ops[OPERATIONS_MAX];
	struct kt_outcomes o = {.n = list_operations(w, ops), .q = ONE};
	bool mask[OPERATIONS_MAX];

	o.touched = KT_NEW_N(&a, uint32_t, w->n_who);
	for (uint32_t i = 0; i < w->n_who; i++)
		if (w->kb->causes[w->who[i].cause].gate != KT_NIL)
			o.touched[o.n_touched++] = i;
	make_room(&o, &a);
	for (uint32_t i = 0; i <= o.n_touched; i++) {
		for (uint32_t v = 0; v < o.n; v++) {
			o.p[(size_t)i * o.n + v] = o.post[(size_t)i * o.n + v] = ONE;
			mask[v] = true;
		}
		if (i < o.n_touched)
			operation_mask(w, &w->who[o.touched[i]], ops, o.n, mask);
		to_one(o.p + (size_t)i * o.n, o.post + (size_t)i * o.n, mask, o.n);
	}
	uint64_t gain = o.n > 1 ? kt_gain(w, &o) : 0;
	kt_arena_free(&a);
	return gain;
}
