/* One judgement: which causes stand, the verdict. */
#include <string.h>

#include "core/eval.h"

#include "base/banned.h"

static bool observed(struct kt_base *b, const bool *gone, const struct kt_evidence *e, uint8_t *states)
{
	if (!states[e->item])
		states[e->item] = (uint8_t)(1 + kt_look(b, e->item, gone).state);
	if (states[e->item] == 1 + KT_STATE_PRESENT)
		return e->weight != KT_W_NONE;
	return states[e->item] == 1 + KT_STATE_ABSENT && e->absent != KT_W_NONE;
}

static bool is_live(struct kt_base *b, const bool *gone, const struct kt_cause *c, uint8_t *states)
{
	for (uint32_t i = c->evidence.at; i < c->evidence.at + c->evidence.n; i++)
		if (observed(b, gone, &b->kb->evidence[i], states))
			return true;
	return false;
}

static void stand(struct kt_run *r, uint32_t cause)
{
	const struct kt_kb *kb = r->base->kb;
	const struct kt_cause *c = &kb->causes[cause];
	struct kt_standing *x = &r->standing[r->n];

	*x = (struct kt_standing){.cause = cause,
				  .id = kt_kb_text(kb, c->id),
				  .fix = kt_kb_fix(kb, cause),
				  .carrier = c->carrier};
	kt_gate(r, x);
	if (kt_units(r, x) || x->lost)
		r->n++;
}

/* Most causes have nothing to say: they cost a look at the states of their items. */
static void stand_all(struct kt_run *r)
{
	struct kt_base *b = r->base;
	uint8_t *states = KT_NEW_N(r->a, uint8_t, b->kb->n_items);
	uint32_t *live = KT_NEW_N(r->a, uint32_t, b->kb->n_causes), n = 0;

	for (uint32_t i = 0; i < b->kb->n_causes; i++)
		if (is_live(b, r->gone, &b->kb->causes[i], states))
			live[n++] = i;
	r->standing = KT_NEW_N(r->a, struct kt_standing, n);
	for (uint32_t i = 0; i < n; i++)
		stand(r, live[i]);
}

static void stand_again(struct kt_run *r, const struct kt_run *top)
{
	r->standing = KT_NEW_N(r->a, struct kt_standing, top->n);
	for (uint32_t i = 0; i < top->n; i++)
		stand(r, top->standing[i].cause);
}

/* A silent check is done when all of its items are known to be absent. */
static void silent_checks(struct kt_run *r)
{
	struct kt_base *b = r->base;
	const struct kt_kb *kb = b->kb;
	uint8_t *seen = KT_NEW_N(r->a, uint8_t, kb->n_checks); /* 1 some item, 2 one not absent */

	for (uint32_t i = 0; i < kb->n_evidence; i++) {
		const struct kt_item *it = &kb->items[kb->evidence[i].item];
		if (it->kind != KT_ITEM_SHOW || !kb->checks[it->check].silent)
			continue;
		bool absent = kt_look(b, kb->evidence[i].item, NULL).state == KT_STATE_ABSENT;
		seen[it->check] |= absent ? 1 : 3;
	}
	r->not_checked = KT_NEW_N(r->a, uint32_t, kb->n_checks);
	for (uint32_t i = 0; i < kb->n_checks; i++)
		if (kb->checks[i].silent && seen[i] != 1)
			r->not_checked[r->n_not_checked++] = i;
}

/* Somebody saw something: what was read cannot deny it. */
static bool any_complaint(struct kt_base *b)
{
	for (uint32_t i = 0; i < b->kb->n_facts; i++)
		if (b->kb->facts[i].complaint && kt_view_fact(&b->view, i)->state != KT_FS_UNKNOWN)
			return true;
	return false;
}

static bool is_healthy(const struct kt_run *r)
{
	const struct kt_base *b = r->base;

	return b->any_input && b->complete && !b->n_fatal && !r->n_evoked && !r->n_conflicts &&
	       !(b->connected && r->n_not_checked) && !any_complaint(r->base);
}

static bool any_specific(const struct kt_run *r)
{
	for (uint32_t i = 0; i < r->n_evoked; i++)
		if (kt_has(&r->standing[r->evoked[i]], KT_SPECIFIC_DDB))
			return true;
	return false;
}

static enum kt_verdict weakest(const struct kt_run *r)
{
	enum kt_verdict v = KT_CONFIRMED;

	for (size_t i = 0; i < r->n_problems; i++)
		if (r->problems[i].verdict > v)
			v = r->problems[i].verdict;
	return v;
}

static bool at_least(uint64_t part, uint64_t total, unsigned percent)
{
	return (kt_u128)part * 100 >= (kt_u128)total * percent;
}

/* The first that holds, in the order of the rules. */
static enum kt_verdict verdict_of(const struct kt_run *r)
{
	if (is_healthy(r))
		return KT_HEALTHY;
	if (r->closed)
		return weakest(r);
	if (!r->n_evoked)
		return KT_NOT_KNOWN;
	const struct kt_fixsum *f = &r->fixes[r->best];
	const struct kt_standing *x = &r->standing[f->lead];
	if (!x->carrier && at_least(f->weight, r->total, 95) && kt_confirms(x, true, NULL) && !x->n_open &&
	    !x->n_assumed && x->gate == KT_TRUE && !r->n_conflicts)
		return KT_CONFIRMED;
	if (!x->carrier && at_least(f->weight, r->total, 80) && kt_has(x, KT_SPECIFIC_DDB))
		return KT_LIKELY;
	if ((!any_specific(r) && !at_least(f->weight, r->total, 80)) || r->other_weight > f->weight)
		return KT_NOT_KNOWN;
	return KT_AMBIGUOUS;
}

void kt_run(struct kt_run *r, struct kt_base *b, struct kt_arena *a, const bool *gone,
	    const struct kt_run *top)
{
	memset(r, 0, sizeof *r);
	r->base = b;
	r->a = a;
	r->gone = gone;
	if (top)
		stand_again(r, top);
	else
		stand_all(r);
	kt_score(r);
	for (uint32_t i = 0; i < r->n; i++)
		if (r->standing[i].evoked)
			kt_gate_lists(r, &r->standing[i]);
	kt_conflicts(r);
	if (!top) {
		silent_checks(r);
		kt_problems(r);
	}
	r->verdict = verdict_of(r);
}
