/* The list of observations, in an order of its own content and indexed. */
#include <stdlib.h>
#include <string.h>

#include "core/eval.h"

#include "base/banned.h"

#define CMP(a, b)                                  \
	do {                                       \
		if ((a) != (b))                    \
			return (a) < (b) ? -1 : 1; \
	} while (0)
#define CMP_STR(a, b)                          \
	do {                                   \
		int c_ = kt_str_cmp((a), (b)); \
		if (c_)                        \
			return c_;             \
	} while (0)

static uint64_t place(const struct kt_obs *o)
{
	return o->rec ? o->rec->at : o->at;
}

/* By place first among those of one kind; the rest makes it total up to equal
 * content, so that no result depends on the order of the list. */
static int by_content(const void *p, const void *q)
{
	const struct kt_obs *a = *(const struct kt_obs *const *)p;
	const struct kt_obs *b = *(const struct kt_obs *const *)q;

	CMP(a->kind, b->kind);
	CMP(place(a), place(b));
	CMP(a->at, b->at);
	CMP(a->item, b->item);
	CMP(a->fact, b->fact);
	CMP(a->state, b->state);
	CMP(a->row, b->row);
	CMP(a->rec ? a->rec->id : KT_NIL, b->rec ? b->rec->id : KT_NIL);
	CMP_STR(a->value, b->value);
	CMP_STR(a->scope, b->scope);
	CMP_STR(a->source, b->source);
	CMP_STR(a->text, b->text);
	CMP(a->complete, b->complete);
	return 0;
}

struct aside {
	bool *items, *facts, *faults;
};

static void note_aside(struct kt_base *b, struct aside *as, size_t i)
{
	const struct kt_obs *o = b->obs[i];

	if (o->rec)
		as->faults[b->fault[i]] = true;
	if (o->fact < b->kb->n_facts)
		as->facts[o->fact] = true;
	if (o->item >= b->kb->n_items)
		return;
	as->items[o->item] = true;
	if (b->kb->items[o->item].kind == KT_ITEM_ASK)
		as->facts[b->kb->items[o->item].fact] = true;
}

static bool is_aside(const struct kt_base *b, const struct aside *as, size_t i)
{
	const struct kt_obs *o = b->obs[i];

	if (o->kind == KT_OBS_ASIDE || (b->fault[i] != KT_NIL && as->faults[b->fault[i]]))
		return true;
	if (o->kind == KT_OBS_HIT || o->kind == KT_OBS_SHOW)
		return as->items[o->item];
	return o->kind == KT_OBS_FACT && as->facts[o->fact];
}

/* An item set aside takes the faults with it in which it was hit. */
static void drop_aside(struct kt_base *b)
{
	struct aside as = {
		KT_NEW_N(b->a, bool, b->kb->n_items),
		KT_NEW_N(b->a, bool, b->kb->n_facts),
		KT_NEW_N(b->a, bool, b->n_faults),
	};
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		if (b->obs[i]->kind == KT_OBS_ASIDE)
			note_aside(b, &as, i);
	for (size_t i = 0; i < b->n; i++)
		if (b->obs[i]->kind == KT_OBS_HIT && as.items[b->obs[i]->item] && b->fault[i] != KT_NIL)
			as.faults[b->fault[i]] = true;
	for (size_t i = 0; i < b->n; i++) {
		if (is_aside(b, &as, i))
			continue;
		b->obs[n] = b->obs[i];
		b->fault[n++] = b->fault[i];
	}
	b->n = n;
}

/* Rows that the knowledge base does not have are no observations. */
static bool is_sound(const struct kt_kb *kb, const struct kt_obs *o)
{
	switch (o->kind) {
	case KT_OBS_HIT: return o->rec && o->item < kb->n_items && kb->items[o->item].kind == KT_ITEM_LOG;
	case KT_OBS_SHOW: return o->item < kb->n_items && kb->items[o->item].kind == KT_ITEM_SHOW;
	case KT_OBS_FACT: return o->fact < kb->n_facts;
	case KT_OBS_FATAL: return o->rec != NULL;
	default: return true;
	}
}

static void take_obs(struct kt_base *b, const struct kt_obs *obs, size_t n)
{
	b->obs = KT_NEW_N(b->a, const struct kt_obs *, n);
	b->fault = KT_NEW_N(b->a, uint32_t, n);
	for (size_t i = 0; i < n; i++)
		if (is_sound(b->kb, &obs[i]))
			b->obs[b->n++] = &obs[i];
	if (b->n)
		qsort(b->obs, b->n, sizeof *b->obs, by_content);
	b->n_faults = kt_faults(b->obs, b->n, b->a, b->fault);
	drop_aside(b);
}

static int by_text(const void *p, const void *q)
{
	return kt_str_cmp(*(const struct kt_str *)p, *(const struct kt_str *)q);
}

static bool names_operation(const struct kt_base *b, const struct kt_obs *o)
{
	return o->kind == KT_OBS_FACT && o->state == KT_STATE_PRESENT &&
	       kt_str_eq_c(kt_kb_text(b->kb, b->kb->facts[o->fact].id), KT_FAILED_OPERATION);
}

static void collect_ops(struct kt_base *b)
{
	uint32_t n = 0;

	b->ops = KT_NEW_N(b->a, struct kt_str, 2 * b->n + 1);
	for (size_t i = 0; i < b->n; i++) {
		const struct kt_obs *o = b->obs[i];
		if (o->rec && o->rec->op.len)
			b->ops[n++] = o->rec->op;
		if (o->kind == KT_OBS_FACT && o->scope.len)
			b->ops[n++] = o->scope;
		if (names_operation(b, o) && o->value.len)
			b->ops[n++] = o->value;
	}
	if (n)
		qsort(b->ops, n, sizeof *b->ops, by_text);
	for (uint32_t i = 0; i < n; i++)
		if (!i || !kt_str_eq(b->ops[i], b->ops[b->n_ops - 1]))
			b->ops[b->n_ops++] = b->ops[i];
}

static uint32_t op_of(const struct kt_base *b, struct kt_str key)
{
	const struct kt_str *hit = key.len && b->n_ops ? bsearch(&key, b->ops, b->n_ops, sizeof key, by_text)
						       : NULL;

	return hit ? (uint32_t)(hit - b->ops) : KT_NIL;
}

/* Two names for the operation that failed are none. */
static uint32_t named_op(const struct kt_base *b)
{
	uint32_t named = KT_NIL;

	for (size_t i = 0; i < b->n; i++) {
		if (!names_operation(b, b->obs[i]))
			continue;
		uint32_t op = op_of(b, b->obs[i]->value);
		if (named != KT_NIL && op != named)
			return KT_NIL;
		named = op;
	}
	return named;
}

static int by_u64(const void *p, const void *q)
{
	uint64_t a = *(const uint64_t *)p, b = *(const uint64_t *)q;

	return (a > b) - (a < b);
}

/* The operations of each fault, from all of its records. */
static void index_fault_ops(struct kt_base *b)
{
	uint64_t *pairs = KT_NEW_N(b->a, uint64_t, b->n);
	size_t n = 0;

	b->fault_ops = KT_NEW_N(b->a, struct kt_span, b->n_faults);
	b->op_list = KT_NEW_N(b->a, uint32_t, b->n);
	for (size_t i = 0; i < b->n; i++) {
		uint32_t op = b->obs[i]->rec ? op_of(b, b->obs[i]->rec->op) : KT_NIL;
		if (op != KT_NIL)
			pairs[n++] = (uint64_t)b->fault[i] << 32 | op;
	}
	if (n)
		qsort(pairs, n, sizeof *pairs, by_u64);
	for (size_t i = 0, m = 0; i < n; i++) {
		if (i && pairs[i] == pairs[i - 1])
			continue;
		struct kt_span *s = &b->fault_ops[pairs[i] >> 32];
		if (!s->n)
			s->at = (uint32_t)m;
		s->n++;
		b->op_list[m++] = (uint32_t)pairs[i];
	}
}

struct fact_row {
	uint32_t fact, scope, obs;
};

static int by_fact(const void *p, const void *q)
{
	const struct fact_row *a = p, *b = q;

	CMP(a->fact, b->fact);
	CMP(a->scope, b->scope);
	CMP(a->obs, b->obs);
	return 0;
}

static void index_facts(struct kt_base *b)
{
	struct fact_row *rows = KT_NEW_N(b->a, struct fact_row, b->n);
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->n; i++)
		if (b->obs[i]->kind == KT_OBS_FACT) {
			uint32_t op = op_of(b, b->obs[i]->scope);
			rows[n++] = (struct fact_row){b->obs[i]->fact, op == KT_NIL ? 0 : op + 1, i};
		}
	if (n)
		qsort(rows, n, sizeof *rows, by_fact);
	b->by_fact = KT_NEW_N(b->a, struct kt_span, b->kb->n_facts);
	b->fact_obs = KT_NEW_N(b->a, uint32_t, n);
	b->fact_scope = KT_NEW_N(b->a, uint32_t, n);
	for (uint32_t i = 0; i < n; i++) {
		struct kt_span *s = &b->by_fact[rows[i].fact];
		if (!s->n)
			s->at = i;
		s->n++;
		b->fact_obs[i] = rows[i].obs;
		b->fact_scope[i] = rows[i].scope;
	}
	for (uint32_t i = 0; i < b->kb->n_facts; i++)
		b->op_facts = b->op_facts || b->kb->facts[i].scope == KT_SCOPE_OPERATION;
}

static void index_inputs(struct kt_base *b)
{
	b->complete = true;
	b->fatal = KT_NEW_N(b->a, uint32_t, b->n);
	for (uint32_t i = 0; i < b->n; i++) {
		const struct kt_obs *o = b->obs[i];
		if (o->kind == KT_OBS_INPUT) {
			b->any_input = true;
			b->complete = b->complete && o->complete;
		}
		if (o->kind == KT_OBS_CONNECTED)
			b->connected = true;
		if (o->kind == KT_OBS_FATAL)
			b->fatal[b->n_fatal++] = i;
	}
}

void kt_base_init(struct kt_base *b, const struct kt_kb *kb, const struct kt_obs *obs, size_t n,
		  struct kt_arena *a)
{
	memset(b, 0, sizeof *b);
	b->kb = kb;
	b->a = a;
	take_obs(b, obs, n);
	collect_ops(b);
	b->named = named_op(b);
	index_fault_ops(b);
	index_facts(b);
	index_inputs(b);
	kt_items_init(b);
	kt_view_init(&b->view, b, a);
	b->gate_memo = KT_NEW_N(a, uint8_t, kb->n_nodes);
	b->ask_memo = KT_NEW_N(a, struct kt_hits *, kb->n_items);
	b->ask_state = KT_NEW_N(a, uint8_t, kb->n_items);
}

int kt_by_u32(const void *p, const void *q)
{
	uint32_t a = *(const uint32_t *)p, b = *(const uint32_t *)q;

	return (a > b) - (a < b);
}

uint32_t kt_unique(uint32_t *v, uint32_t n)
{
	uint32_t m = 0;

	if (n)
		qsort(v, n, sizeof *v, kt_by_u32);
	for (uint32_t i = 0; i < n; i++)
		if (!i || v[i] != v[m - 1])
			v[m++] = v[i];
	return m;
}
