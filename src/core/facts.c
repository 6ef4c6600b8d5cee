/* Facts, as one operation or the whole incident sees them. */
#include <stdlib.h>

#include "core/eval.h"

#include "base/banned.h"

/* Facts rest on other facts (a default on a version); a longer chain than this
 * is no rule but a damaged file. */
#define DEPTH_MAX 32

void kt_view_init(struct kt_view *v, const struct kt_base *b, struct kt_arena *a)
{
	*v = (struct kt_view){.base = b, .op = KT_NIL};
	v->slots = KT_NEW_N(a, struct kt_slot, b->kb->n_facts);
}

void kt_view_reset(struct kt_view *v, uint32_t op)
{
	for (uint32_t i = 0; i < v->base->kb->n_facts; i++)
		v->slots[i] = (struct kt_slot){0};
	v->op = op;
}

bool kt_view_asked(const struct kt_base *b, uint32_t fact)
{
	return b->by_fact[fact].n > 0;
}

bool kt_view_unknown(const struct kt_base *b, uint32_t fact)
{
	struct kt_span s = b->by_fact[fact];

	for (uint32_t i = s.at; i < s.at + s.n; i++)
		if (b->obs[b->fact_obs[i]]->state == KT_STATE_UNKNOWN)
			return true;
	return false;
}

bool kt_known(const struct kt_slot *s, bool soft)
{
	return s->state == KT_FS_KNOWN || s->state == KT_FS_DEFAULT || (soft && s->state == KT_FS_ASSUMED);
}

/* What the observations of one scope say together. */
struct said {
	bool any, differ, not_set;
	struct kt_str value;
};

static struct kt_str larger(struct kt_str a, struct kt_str b, int sign)
{
	int c = 0;

	if (!kt_version_cmp(a, b, &c) || c == 0)
		return kt_str_cmp(a, b) <= 0 ? a : b; /* "5.3" and "5.3.0": one of them, whatever the order */
	return c * sign > 0 ? a : b;
}

/* What two versions have in common of which one at least is a span; false: nothing. */
static bool narrow(const struct kt_base *b, struct kt_str *value, struct kt_str other)
{
	struct kt_str lo, hi, lo2, hi2;
	int c;

	if (!kt_version_span(*value, &lo, &hi) || !kt_version_span(other, &lo2, &hi2))
		return false;
	lo = larger(lo, lo2, 1);
	hi = larger(hi, hi2, -1);
	if (!kt_version_cmp(lo, hi, &c) || c > 0)
		return false;
	*value = c == 0 ? lo : kt_arena_fmt(b->a, KT_FMT ".." KT_FMT, KT_ARG(lo), KT_ARG(hi));
	return true;
}

static bool agrees(const struct kt_base *b, uint32_t fact, struct kt_str *value, struct kt_str other)
{
	bool spans = kt_version_is_span(*value) || kt_version_is_span(other);

	if (spans && b->kb->facts[fact].type == KT_FACT_VERSION)
		return narrow(b, value, other);
	return kt_str_eq(*value, other);
}

static void hear(const struct kt_base *b, uint32_t at, struct said *s)
{
	const struct kt_obs *o = b->obs[b->fact_obs[at]];

	if (o->state != KT_STATE_PRESENT)
		return;
	if (kt_str_eq_c(o->value, KT_NOT_SET)) {
		s->not_set = true;
		return;
	}
	if (s->any)
		s->differ = s->differ || !agrees(b, o->fact, &s->value, o->value);
	else
		s->value = o->value;
	s->any = true;
}

static bool version_known(struct kt_view *v, uint32_t fact)
{
	uint32_t needs = v->base->kb->facts[fact].needs;

	if (needs == KT_NIL)
		return true;
	if (needs == fact)
		return false;
	const struct kt_slot *s = kt_view_fact(v, needs);
	return kt_known(s, false) && !kt_version_is_span(s->value);
}

/* The first default that applies; of an unknown version the first at all. */
static bool default_of(struct kt_view *v, uint32_t fact, bool known, struct kt_str *value)
{
	const struct kt_kb *kb = v->base->kb;
	struct kt_span s = kb->facts[fact].defaults;

	for (uint32_t i = s.at; i < s.at + s.n; i++) {
		const struct kt_default *d = &kb->defaults[i];
		if (known && d->when != KT_NIL && kt_cond_eval(kb, d->when, kt_value_soft, v) != KT_TRUE)
			continue;
		*value = kt_kb_text(kb, d->value);
		return true;
	}
	return false;
}

static struct kt_slot unset(struct kt_view *v, uint32_t fact, const struct said *s)
{
	struct kt_str value;
	bool known = version_known(v, fact), has = default_of(v, fact, known, &value);

	if (s->any && has && kt_str_eq(s->value, value))
		return (struct kt_slot){.state = KT_FS_KNOWN, .value = value};
	if (s->any)
		return (struct kt_slot){.state = KT_FS_DISPUTED};
	if (!has)
		return (struct kt_slot){.state = KT_FS_UNKNOWN};
	return (struct kt_slot){.state = known ? KT_FS_DEFAULT : KT_FS_ASSUMED, .value = value};
}

static struct kt_slot conclude(struct kt_view *v, uint32_t fact, const struct said *s)
{
	if (s->differ)
		return (struct kt_slot){.state = KT_FS_DISPUTED};
	if (s->not_set)
		return unset(v, fact, s);
	return (struct kt_slot){.state = s->any ? KT_FS_KNOWN : KT_FS_UNKNOWN, .value = s->value};
}

static struct kt_slot from_all(struct kt_view *v, uint32_t fact)
{
	struct kt_span s = v->base->by_fact[fact];
	struct said said = {0};

	for (uint32_t i = s.at; i < s.at + s.n; i++)
		hear(v->base, i, &said);
	return conclude(v, fact, &said);
}

/* First row of SPAN whose scope is not below SCOPE; rows are sorted by scope. */
static uint32_t scope_start(const struct kt_base *b, struct kt_span s, uint32_t scope)
{
	uint32_t lo = s.at, hi = s.at + s.n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (b->fact_scope[mid] < scope)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The incident's observations count in every operation. SCOPE 0: they alone. */
static struct kt_slot from_scope(struct kt_view *v, uint32_t fact, uint32_t scope)
{
	const struct kt_base *b = v->base;
	struct kt_span s = b->by_fact[fact];
	uint32_t end = s.at + s.n;
	struct said said = {0};

	for (uint32_t i = s.at; i < end && b->fact_scope[i] == 0; i++)
		hear(b, i, &said);
	for (uint32_t i = scope_start(b, s, scope); scope && i < end && b->fact_scope[i] == scope; i++)
		hear(b, i, &said);
	return conclude(v, fact, &said);
}

static bool same(const struct kt_slot *a, const struct kt_slot *b)
{
	return a->state == b->state && kt_str_eq(a->value, b->value);
}

/* Nobody says which operation: known where all that tell it agree. */
static struct kt_slot from_each(struct kt_view *v, uint32_t fact)
{
	const struct kt_base *b = v->base;
	struct kt_span s = b->by_fact[fact];
	struct kt_slot first = {0};
	uint32_t last = 0;

	for (uint32_t i = s.at; i < s.at + s.n; i++) {
		uint32_t scope = b->fact_scope[i];
		if (scope == last || b->obs[b->fact_obs[i]]->state != KT_STATE_PRESENT)
			continue;
		struct kt_slot one = from_scope(v, fact, scope);
		if (last && !same(&first, &one))
			return (struct kt_slot){.state = KT_FS_VARIES};
		first = one;
		last = scope;
	}
	return last ? first : from_scope(v, fact, 0);
}

static uint32_t view_op(const struct kt_view *v)
{
	return v->op != KT_NIL ? v->op : v->base->named;
}

static struct kt_slot work_out(struct kt_view *v, uint32_t fact)
{
	uint32_t op = view_op(v);

	if (v->base->kb->facts[fact].scope != KT_SCOPE_OPERATION)
		return from_all(v, fact);
	return op != KT_NIL ? from_scope(v, fact, op + 1) : from_each(v, fact);
}

const struct kt_slot *kt_view_fact(struct kt_view *v, uint32_t fact)
{
	static const struct kt_slot unknown = {.state = KT_FS_UNKNOWN};
	struct kt_slot *s = &v->slots[fact];

	if (s->done)
		return s;
	if (s->busy || v->depth >= DEPTH_MAX)
		return &unknown; /* a fact that rests on itself */
	s->busy = true;
	v->depth++;
	struct kt_slot found = work_out(v, fact);
	v->depth--;
	found.done = true;
	*s = found;
	return s;
}

/* Rows [at, end) of fact_obs that have a value. */
static void take_rows(const struct kt_base *b, uint32_t at, uint32_t end, struct kt_rows *out)
{
	for (; at < end; at++)
		if (b->obs[b->fact_obs[at]]->state == KT_STATE_PRESENT)
			out->p[out->n++] = b->fact_obs[at];
}

struct kt_rows kt_view_uses(const struct kt_view *v, uint32_t fact, struct kt_arena *a)
{
	const struct kt_base *b = v->base;
	struct kt_span s = b->by_fact[fact];
	uint32_t op = view_op(v), end = s.at + s.n, shared = end, own = end, own_end = end;
	struct kt_rows out = {0};

	if (b->kb->facts[fact].scope == KT_SCOPE_OPERATION && op != KT_NIL) {
		shared = scope_start(b, s, 1);
		own = scope_start(b, s, op + 1);
		own_end = scope_start(b, s, op + 2);
	}
	out.p = KT_NEW_N(a, uint32_t, (size_t)(shared - s.at) + (own_end - own));
	take_rows(b, s.at, shared, &out);
	take_rows(b, own, own_end, &out);
	return out;
}

static bool value_of(struct kt_view *v, const struct kt_node *node, bool soft, struct kt_str *value)
{
	if (node->fact == KT_NIL)
		return false;
	const struct kt_slot *s = kt_view_fact(v, node->fact);
	*value = s->value;
	return kt_known(s, soft);
}

bool kt_value_sure(void *ctx, const struct kt_node *node, struct kt_str *value)
{
	return value_of(ctx, node, false, value);
}

bool kt_value_soft(void *ctx, const struct kt_node *node, struct kt_str *value)
{
	return value_of(ctx, node, true, value);
}

void kt_sort_facts(const struct kt_kb *kb, uint32_t *facts, uint32_t *n)
{
	uint32_t m = 0;

	if (*n)
		qsort(facts, *n, sizeof *facts, kt_by_u32);
	for (uint32_t i = 0; i < *n; i++)
		if (!i || facts[i] != facts[m - 1])
			facts[m++] = facts[i];
	*n = m;
	for (uint32_t i = 1; i < m; i++) { /* few: by insertion */
		uint32_t f = facts[i], j = i;
		struct kt_str name = kt_kb_text(kb, kb->facts[f].id);
		for (; j && kt_str_cmp(kt_kb_text(kb, kb->facts[facts[j - 1]].id), name) > 0; j--)
			facts[j] = facts[j - 1];
		facts[j] = f;
	}
}
