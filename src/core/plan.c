#include "core/plan.h"

#include <stdlib.h>

#include "core/weigh.h"

#include "base/banned.h"

#define SCAN_PM    900u /* availability where the pack does not say */
#define SHOW_PM    700u
#define ASK_PM     800u
#define EXTRA_S    4u           /* what any check costs beside its own time */
#define WORTH_1024 (3u * 1024u) /* 0.03 bit, in 1/1024 bit * 100 */

/* A step and what orders it. */
struct cand {
	struct kt_plan_step step;
	uint32_t pin; /* 0: none */
	uint32_t order;
	struct kt_str id;
};

struct planner {
	struct kt_weigh w;
	struct kt_base *b;
	struct cand *cands;
	size_t n;
	uint32_t *of_check; /* items not collected that somebody mentions, check by check */
	struct kt_span *by_check;
	/* what the best check that a fact opens is worth, with all costs */
	struct {
		uint32_t gain, cost;
	} * opens;
};

static uint32_t to_1024(uint64_t gain)
{
	return (uint32_t)((gain + 512) >> 10);
}

static uint32_t gain_1024(uint64_t gain, uint32_t avail_pm)
{
	return to_1024(gain * avail_pm / 1000);
}

static struct cand *push(struct planner *p, struct kt_plan_step step, uint32_t pin, uint32_t order,
			 struct kt_ref id)
{
	struct cand *c = &p->cands[p->n++];

	*c = (struct cand){step, pin, order, kt_kb_text(p->w.kb, id)};
	c->step.pinned = pin > 0;
	return c;
}

/* Items of checks, by check and then by what people see of them. */
struct item_row {
	const struct kt_kb *kb;
	uint32_t check, item;
	struct kt_str text;
};

static int by_check(const void *p, const void *q)
{
	const struct item_row *a = p, *b = q;

	if (a->check != b->check)
		return a->check < b->check ? -1 : 1;
	int c = kt_str_cmp(a->text, b->text);
	if (c)
		return c;
	const struct kt_item *x = &a->kb->items[a->item], *y = &b->kb->items[b->item];
	if (x->mode != y->mode)
		return x->mode < y->mode ? -1 : 1;
	return (a->item > b->item) - (a->item < b->item);
}

static bool collectable(struct planner *p, uint32_t item)
{
	const struct kt_item *it = &p->w.kb->items[item];

	return it->kind != KT_ITEM_ASK && it->check != KT_NIL && p->w.by_item[item].n &&
	       kt_look(p->b, item, NULL).state == KT_STATE_NOT_COLLECTED;
}

static void index_checks(struct planner *p, struct kt_arena *a)
{
	const struct kt_kb *kb = p->w.kb;
	struct item_row *rows = KT_NEW_N(a, struct item_row, kb->n_items);
	uint32_t n = 0;

	for (uint32_t i = 0; i < kb->n_items; i++)
		if (collectable(p, i))
			rows[n++] = (struct item_row){kb, kb->items[i].check, i,
						      kt_kb_text(kb, kb->items[i].text)};
	if (n)
		qsort(rows, n, sizeof *rows, by_check);
	p->by_check = KT_NEW_N(a, struct kt_span, kb->n_checks);
	p->of_check = KT_NEW_N(a, uint32_t, n);
	for (uint32_t i = 0; i < n; i++) {
		struct kt_span *s = &p->by_check[rows[i].check];
		if (!s->n)
			s->at = i;
		s->n++;
		p->of_check[i] = rows[i].item;
	}
}

/* Not offered again: known, assumed, or the person does not know. Of a version more can be known than its bounds. */
static bool is_settled(struct planner *p, uint32_t fact)
{
	const struct kt_slot *s = kt_view_fact(&p->b->view, fact);

	if (kt_known(s, true) && kt_version_is_span(s->value))
		return kt_view_unknown(p->b, fact);
	return kt_known(s, true) || (s->state == KT_FS_UNKNOWN && kt_view_asked(p->b, fact));
}

static bool can_ask(struct planner *p, uint32_t fact)
{
	const struct kt_kb *kb = p->w.kb;

	return !is_settled(p, fact) &&
	       kt_cond_eval(kb, kb->facts[fact].when, kt_value_soft, &p->b->view) == KT_TRUE;
}

/* Cost of what has to be asked before the check can run; -1 if it cannot. */
static int64_t cost_of_needs(struct planner *p, const struct kt_check *k, bool *missing)
{
	const struct kt_kb *kb = p->w.kb;
	int64_t cost = 0;

	for (uint32_t i = k->needs.at; i < k->needs.at + k->needs.n; i++) {
		uint32_t f = kb->fact_refs[i];
		if (kt_known(kt_view_fact(&p->b->view, f), true))
			continue;
		*missing = true;
		if (!can_ask(p, f))
			return -1;
		cost += kb->facts[f].cost_s;
	}
	return cost;
}

static bool is_worth_more(uint64_t gain_a, uint64_t cost_a, uint64_t gain_b, uint64_t cost_b)
{
	return gain_a * (cost_b + EXTRA_S) > gain_b * (cost_a + EXTRA_S);
}

/* The check counts for each fact that it still needs, its costs and theirs added. */
static void note_opened(struct planner *p, const struct kt_check *k, uint32_t gain, uint64_t cost)
{
	const struct kt_kb *kb = p->w.kb;
	uint32_t sum = cost > UINT32_MAX ? UINT32_MAX : (uint32_t)cost;

	for (uint32_t i = k->needs.at; i < k->needs.at + k->needs.n; i++) {
		uint32_t f = kb->fact_refs[i];
		if (kt_known(kt_view_fact(&p->b->view, f), true))
			continue;
		if (is_worth_more(gain, sum, p->opens[f].gain, p->opens[f].cost)) {
			p->opens[f].gain = gain;
			p->opens[f].cost = sum;
		}
	}
}

static void consider_check(struct planner *p, uint32_t check)
{
	const struct kt_check *k = &p->w.kb->checks[check];
	struct kt_span items = p->by_check[check];
	bool scan = k->kind == KT_CHECK_SCAN, missing = false;

	if (!items.n || (!scan && !p->b->connected))
		return;
	int64_t needs = scan ? 0 : cost_of_needs(p, k, &missing);
	if (needs < 0)
		return;
	uint64_t gain = kt_gain_items(&p->w, p->of_check + items.at, items.n);
	uint32_t g = gain_1024(gain, k->avail_pm ? k->avail_pm : scan ? SCAN_PM : SHOW_PM);
	if (missing) {
		note_opened(p, k, g, (uint64_t)needs + k->cost_s);
		return;
	}
	push(p,
	     (struct kt_plan_step){.kind = scan ? KT_PLAN_SCAN : KT_PLAN_SHOW,
				   .fact = KT_NIL,
				   .check = check,
				   .gain_1024 = g,
				   .cost_s = k->cost_s,
				   .automatic = k->automatic},
	     0, k->order, k->id);
}

static struct kt_plan_step question(const struct planner *p, uint32_t fact, uint64_t gain)
{
	const struct kt_fact *f = &p->w.kb->facts[fact];

	return (struct kt_plan_step){.kind = KT_PLAN_ASK,
				     .fact = fact,
				     .check = KT_NIL,
				     .cost_s = f->cost_s,
				     .gain_1024 = gain_1024(gain, f->avail_pm ? f->avail_pm : ASK_PM)};
}

static void consider_fact(struct planner *p, uint32_t fact)
{
	const struct kt_fact *f = &p->w.kb->facts[fact];
	uint32_t choices = kt_open_choices(p->w.kb, fact);

	if (!can_ask(p, fact) || (!choices && !f->pin && !p->opens[fact].gain))
		return;
	struct kt_plan_step s = question(p, fact, choices ? kt_gain_fact(&p->w, fact) : 0);
	if (!choices && p->opens[fact].gain) {
		s.gain_1024 = p->opens[fact].gain;
		s.cost_s = p->opens[fact].cost;
	}
	push(p, s, f->pin, f->order, f->id);
}

/* Where operations differ, which of them failed is asked instead of the fact. */
static void consider_operation(struct planner *p, uint32_t fact, uint32_t pin)
{
	const struct kt_fact *f = &p->w.kb->facts[fact];

	if (f->pin && (!pin || f->pin < pin))
		pin = f->pin;
	if (can_ask(p, fact))
		push(p, question(p, fact, kt_gain_operation(&p->w)), pin, f->order, f->id);
}

static void consider_facts(struct planner *p)
{
	const struct kt_kb *kb = p->w.kb;
	uint32_t which = kt_kb_fact(kb, KT_S(KT_FAILED_OPERATION)), pin = 0;
	bool varies = false;

	for (uint32_t i = 0; i < kb->n_facts; i++) {
		bool differs = which != KT_NIL && kt_view_fact(&p->b->view, i)->state == KT_FS_VARIES;
		if (!differs) {
			if (i != which)
				consider_fact(p, i);
			continue;
		}
		varies = varies || can_ask(p, i);
		if (kb->facts[i].pin && (!pin || kb->facts[i].pin < pin))
			pin = kb->facts[i].pin;
	}
	if (varies)
		consider_operation(p, which, pin);
	else if (which != KT_NIL)
		consider_fact(p, which);
}

static int by_worth(const void *x, const void *y)
{
	const struct cand *a = x, *b = y;

	if (a->step.automatic != b->step.automatic)
		return a->step.automatic ? -1 : 1;
	if (a->step.pinned != b->step.pinned)
		return a->step.pinned ? -1 : 1;
	if (a->pin != b->pin)
		return a->pin < b->pin ? -1 : 1;
	if (is_worth_more(a->step.gain_1024, a->step.cost_s, b->step.gain_1024, b->step.cost_s))
		return -1;
	if (is_worth_more(b->step.gain_1024, b->step.cost_s, a->step.gain_1024, a->step.cost_s))
		return 1;
	if (a->order != b->order)
		return a->order < b->order ? -1 : 1;
	return kt_str_cmp(a->id, b->id);
}

/* What is automatic or pinned is kept whatever it is worth. */
static bool is_kept(const struct cand *c)
{
	return c->step.automatic || c->step.pinned || (uint64_t)c->step.gain_1024 * 100 >= WORTH_1024;
}

static void write_steps(struct planner *p, struct kt_arena *a, struct kt_plan *out)
{
	if (p->n)
		qsort(p->cands, p->n, sizeof *p->cands, by_worth);
	out->steps = KT_NEW_N(a, struct kt_plan_step, p->n);
	for (size_t i = 0; i < p->n; i++)
		if (is_kept(&p->cands[i]))
			out->steps[out->n++] = p->cands[i].step;
}

void kt_plan(const struct kt_kb *kb, const struct kt_obs *obs, size_t n, const struct kt_judgement *j,
	     struct kt_arena *a, struct kt_plan *out)
{
	struct kt_arena tmp = {0};
	struct planner p = {.b = j->run->base};

	(void)obs; /* the judgement keeps the list, indexed */
	(void)n;
	*out = (struct kt_plan){0};
	if (j->verdict == KT_CONFIRMED || j->verdict == KT_HEALTHY)
		return;
	kt_weigh_init(&p.w, j->run, &tmp);
	p.cands = KT_NEW_N(&tmp, struct cand, kb->n_checks + kb->n_facts);
	p.opens = kt_arena_alloc_n(&tmp, kb->n_facts, sizeof *p.opens);
	index_checks(&p, &tmp);
	for (uint32_t i = 0; i < kb->n_checks; i++)
		consider_check(&p, i);
	consider_facts(&p);
	write_steps(&p, a, out);
	kt_arena_free(&tmp);
}

uint32_t kt_plan_gain_milli(const struct kt_plan_step *s)
{
	return (s->gain_1024 * 2000 + 1024) / 2048;
}
