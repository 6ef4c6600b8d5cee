#include "core/explain.h"

#include <string.h>

#include "core/eval.h"

#include "base/banned.h"

/* The list without the person's own answers to a fact, and one more. */
static size_t with_answer(const struct kt_obs *obs, size_t n, uint32_t fact, struct kt_str value,
			  struct kt_obs *out)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (obs[i].kind != KT_OBS_FACT || obs[i].fact != fact || obs[i].rec)
			out[m++] = obs[i];
	out[m++] = (struct kt_obs){.kind = KT_OBS_FACT,
				   .item = KT_NIL,
				   .fact = fact,
				   .state = KT_STATE_PRESENT,
				   .value = value,
				   .source = KT_S("what if")};
	return m;
}

void kt_what_if(const struct kt_kb *kb, const struct kt_obs *obs, size_t n, uint32_t fact,
		struct kt_str value, struct kt_arena *a, struct kt_judgement *out)
{
	struct kt_obs *list = KT_NEW_N(a, struct kt_obs, n + 1);
	size_t m = with_answer(obs, n, fact, kt_arena_str(a, value), list);

	kt_judge(kb, list, m, a, out);
}

static uint32_t newly_excluded(const struct kt_judgement *before, const struct kt_judgement *then)
{
	uint32_t n = 0;

	for (size_t i = 0; i < before->n_evoked; i++)
		n += then->causes[before->evoked[i]].excluded;
	return n;
}

static struct kt_why_answer answer(const struct kt_kb *kb, const struct kt_obs *obs, size_t n, uint32_t fact,
				   struct kt_str value, const struct kt_judgement *now)
{
	struct kt_arena tmp = {0};
	struct kt_judgement j;

	kt_what_if(kb, obs, n, fact, value, &tmp, &j);
	struct kt_why_answer out = {
		.value = value,
		.verdict = j.verdict,
		.lead = j.lead,
		.fix = j.lead == KT_NIL ? KT_NONE : kt_kb_fix(kb, j.lead),
		.fix_p_milli = j.fix_p_milli,
		.n_excluded = newly_excluded(now, &j),
	};
	kt_arena_free(&tmp);
	return out;
}

/* The choices of a fact; of the operation that failed: those that were seen. */
static struct kt_str *choices_of(const struct kt_base *b, uint32_t fact, struct kt_arena *a, size_t *n)
{
	const struct kt_kb *kb = b->kb;
	struct kt_span s = kb->facts[fact].choices;

	if (!s.n && kt_str_eq_c(kt_kb_text(kb, kb->facts[fact].id), KT_FAILED_OPERATION)) {
		*n = b->n_ops;
		return b->ops;
	}
	struct kt_str *out = KT_NEW_N(a, struct kt_str, s.n);
	for (uint32_t i = 0; i < s.n; i++)
		out[i] = kt_kb_text(kb, kb->choices[s.at + i].value);
	*n = s.n;
	return out;
}

void kt_why(const struct kt_kb *kb, const struct kt_obs *obs, size_t n, uint32_t fact, struct kt_arena *a,
	    struct kt_why *out)
{
	struct kt_judgement now;
	struct kt_str *values;

	kt_judge(kb, obs, n, a, &now);
	*out = (struct kt_why){.fact = fact};
	values = choices_of(now.run->base, fact, a, &out->n);
	out->answers = KT_NEW_N(a, struct kt_why_answer, out->n);
	for (size_t i = 0; i < out->n; i++) {
		out->answers[i] = answer(kb, obs, n, fact, values[i], &now);
		out->separates = out->separates || !kt_str_eq(out->answers[i].fix, out->answers[0].fix);
	}
}

/* The facts of a gate that have a value: their observations make it false. */
struct gate_facts {
	struct kt_base *b;
	struct kt_view *view;
	uint32_t *facts, n;
};

static void note_fact(void *ctx, const struct kt_node *leaf)
{
	struct gate_facts *g = ctx;

	if (leaf->fact != KT_NIL && kt_known(kt_view_fact(g->view, leaf->fact), false))
		g->facts[g->n++] = leaf->fact;
}

static void gate_observations(struct kt_base *b, const struct kt_standing *x, uint32_t gate,
			      struct kt_arena *a, struct kt_why_not *out)
{
	struct gate_facts g = {b, &b->view, KT_NEW_N(a, uint32_t, KT_COND_MAX * 2), 0};
	struct kt_view view;

	kt_view_init(&view, b, a);
	if (x && x->n_ops) {
		kt_view_reset(&view, x->ops[0]);
		g.view = &view;
	}
	kt_cond_walk(b->kb, gate, note_fact, &g);
	kt_sort_facts(b->kb, g.facts, &g.n);
	out->gate_obs = KT_NEW_N(a, const struct kt_obs *, b->n);
	for (uint32_t i = 0; i < g.n; i++) {
		struct kt_rows rows = kt_view_uses(g.view, g.facts[i], a);
		for (uint32_t k = 0; k < rows.n; k++)
			out->gate_obs[out->n_gate_obs++] = b->obs[rows.p[k]];
	}
}

static const struct kt_standing *standing_of(const struct kt_run *r, uint32_t cause)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (r->standing[i].cause == cause)
			return &r->standing[i];
	return NULL;
}

static void list_needed(const struct kt_kb *kb, const struct kt_run *r, uint32_t cause, struct kt_arena *a,
			struct kt_why_not *out)
{
	struct kt_span s = kb->causes[cause].evidence;

	out->needed = KT_NEW_N(a, uint32_t, s.n);
	for (uint32_t i = s.at; i < s.at + s.n; i++) {
		const struct kt_evidence *e = &kb->evidence[i];
		enum kt_state st = kt_look(r->base, e->item, NULL).state;
		bool seen = st == KT_STATE_PRESENT;
		if (kt_weight_ddb((enum kt_weight)e->weight) > 0 && !seen)
			out->needed[out->n_needed++] = i;
		else if (kt_weight_ddb((enum kt_weight)e->absent) > 0 && st != KT_STATE_ABSENT && !seen)
			out->needed[out->n_needed++] = i;
	}
}

static bool is_answer(const struct kt_judgement *j, uint32_t cause)
{
	for (size_t i = 0; i < j->n_problems; i++)
		if (j->problems[i].cause == cause)
			return true;
	return cause == j->lead;
}

static enum kt_why_not_reason reason_of(const struct kt_judgement *j, uint32_t cause)
{
	const struct kt_cause_view *v = &j->causes[cause];

	if (v->excluded)
		return KT_WN_EXCLUDED;
	if (v->evoked)
		return is_answer(j, cause) ? KT_WN_LEADS : KT_WN_OUTWEIGHED;
	for (size_t i = 0; i < v->n_addends; i++)
		if (v->addends[i].ddb > 0)
			return KT_WN_WEAK;
	return KT_WN_UNSUPPORTED;
}

void kt_why_not(const struct kt_kb *kb, const struct kt_obs *obs, size_t n, const struct kt_judgement *j,
		uint32_t cause, struct kt_arena *a, struct kt_why_not *out)
{
	struct kt_run *r = j->run;

	(void)obs;
	(void)n;
	*out = (struct kt_why_not){.reason = reason_of(j, cause), .cause = cause, .by = KT_NIL};
	if (out->reason == KT_WN_OUTWEIGHED)
		out->by = j->lead;
	if (out->reason == KT_WN_EXCLUDED)
		gate_observations(r->base, standing_of(r, cause), kb->causes[cause].gate, a, out);
	list_needed(kb, r, cause, a, out);
}

/* Groups that a verdict may rest on: those that the sum counts, and those that
 * confirm. Without any other the leading cause stands as it does. */
struct support {
	const struct kt_standing *x;
	uint32_t *groups;
	size_t n;
	const struct kt_obs *obs; /* the strongest that lies in the group asked for */
	uint32_t group;
	int ddb;
};

static void note_group(struct support *s, uint32_t group)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->groups[i] == group)
			return;
	s->groups[s->n++] = group;
}

static void list_support(struct support *s, struct kt_arena *a)
{
	uint32_t witness[2];

	s->groups = KT_NEW_N(a, uint32_t, s->x->n_units[0] + 2);
	for (uint32_t i = 0; i < s->x->n_units[0]; i++)
		if (s->x->units[0][i].counted)
			note_group(s, s->x->units[0][i].group);
	if (kt_confirms(s->x, true, witness)) {
		note_group(s, witness[0]);
		note_group(s, witness[1]);
	}
}

static void find_obs(void *ctx, const struct kt_part *p, const struct kt_hit *h)
{
	struct support *s = ctx;

	if (h->group != s->group || p->ddb <= s->ddb)
		return;
	s->obs = h->obs;
	s->ddb = p->ddb;
}

static bool weaker_without(struct kt_run *top, uint32_t group)
{
	struct kt_arena tmp = {0};
	bool *gone = KT_NEW_N(&tmp, bool, top->base->n_groups);
	struct kt_run without;

	gone[group] = true;
	kt_run(&without, top->base, &tmp, gone, top);
	bool weaker = without.verdict > top->verdict ||
		      !kt_str_eq(without.fixes[without.best].fix, top->fixes[top->best].fix);
	kt_arena_free(&tmp);
	return weaker;
}

/* A verdict rests on a group where it would be weaker without; on one alone where
 * there is no other such group. Thirty retries are one group. */
const struct kt_obs *kt_rests_on(const struct kt_kb *kb, const struct kt_obs *obs, size_t n,
				 const struct kt_judgement *j, struct kt_arena *a)
{
	struct kt_run *r = j->run;
	struct support s = {.group = KT_NIL};

	(void)kb;
	(void)obs;
	(void)n;
	if (j->verdict > KT_LIKELY || j->n_problems || r->best == KT_NIL)
		return NULL;
	s.x = &r->standing[r->fixes[r->best].lead];
	list_support(&s, a);
	for (size_t i = 0; i < s.n; i++) {
		if (!weaker_without(r, s.groups[i]))
			continue;
		if (s.group != KT_NIL)
			return NULL;
		s.group = s.groups[i];
	}
	kt_each_hit(s.x, 1, find_obs, &s);
	return s.obs;
}
