#include "world.h"

#include <stdlib.h>

#include "base/banned.h"

static struct kt_str fact_id(const struct world *w, uint32_t f)
{
	return kt_kb_text(w->kb, w->kb->facts[f].id);
}

static struct kt_str cause_id(const struct world *w, uint32_t c)
{
	return c == KT_NIL ? KT_S("-") : kt_kb_text(w->kb, w->kb->causes[c].id);
}

static void addends(const struct world *w, const struct kt_cause_view *v, unsigned what, struct kt_buf *out)
{
	for (size_t i = 0; i < v->n_addends; i++) {
		const struct kt_addend *a = &v->addends[i];
		const struct kt_item *it = &w->kb->items[w->kb->evidence[a->evidence].item];
		kt_buf_fmt(out, "  %s%d " KT_FMT " at " KT_FMT, a->counted ? "" : "not ", a->ddb,
			   KT_ARG(kt_kb_text(w->kb, it->text)), KT_ARG(a->obs->source));
		if (what & DIGEST_HITS)
			kt_buf_fmt(out, " %u hits", a->hits);
		kt_buf_char(out, '\n');
	}
}

static void causes(const struct world *w, const struct kt_judgement *j, unsigned what, struct kt_buf *out)
{
	for (uint32_t i = 0; i < w->n_causes; i++) { /* by name, whatever their row */
		uint32_t row = kt_kb_cause(w->kb, kt_str_c(w->causes[i].id));
		const struct kt_cause_view *v = &j->causes[row];
		kt_buf_fmt(out, "%s %s%s S %d P %u\n", w->causes[i].id, v->evoked ? "evoked" : "",
			   v->excluded ? "excluded" : "", v->s_ddb, v->p_milli);
		for (size_t k = 0; k < v->n_open_gates; k++)
			kt_buf_fmt(out, "  open " KT_FMT "\n", KT_ARG(fact_id(w, v->open_gates[k])));
		for (size_t k = 0; k < v->n_assumptions; k++)
			kt_buf_fmt(out, "  assumed " KT_FMT "\n", KT_ARG(fact_id(w, v->assumptions[k])));
		addends(w, v, what, out);
	}
	for (size_t i = 0; i < j->n_evoked; i++)
		kt_buf_fmt(out, "evoked " KT_FMT "\n", KT_ARG(cause_id(w, j->evoked[i])));
}

static void rest(const struct world *w, const struct kt_judgement *j, struct kt_buf *out)
{
	kt_buf_fmt(out, "%s OTHER %d %u fix " KT_FMT " %u lead " KT_FMT " margin %d open %d\n",
		   kt_verdict_word(j->verdict), j->other_s_ddb, j->other_p_milli, KT_ARG(j->fix),
		   j->fix_p_milli, KT_ARG(cause_id(w, j->lead)), j->margin_ddb, j->open_conflict);
	for (size_t i = 0; i < j->n_conflicts; i++)
		kt_buf_fmt(out, "conflict " KT_FMT " " KT_FMT " " KT_FMT "\n", KT_ARG(j->conflicts[i].fix_a),
			   KT_ARG(j->conflicts[i].fix_b),
			   KT_ARG(cause_id(w, j->conflicts[i].excluded_cause)));
	for (size_t i = 0; i < j->n_problems; i++)
		kt_buf_fmt(out, "problem " KT_FMT " " KT_FMT " %s %u\n", KT_ARG(j->problems[i].fix),
			   KT_ARG(cause_id(w, j->problems[i].cause)), kt_verdict_word(j->problems[i].verdict),
			   j->problems[i].p_milli);
	for (uint32_t i = 0; i < w->kb->n_facts; i++)
		kt_buf_fmt(out, "fact " KT_FMT " %s " KT_FMT "\n", KT_ARG(fact_id(w, i)),
			   kt_fact_state_word(j->facts[i].state), KT_ARG(j->facts[i].value));
	for (size_t i = 0; i < j->n_not_checked; i++)
		kt_buf_fmt(out, "not checked %u\n", j->not_checked[i]);
	for (size_t i = 0; i < j->n_unexplained; i++)
		kt_buf_fmt(out, "unexplained " KT_FMT "\n", KT_ARG(j->unexplained[i]->source));
}

static void next(const struct world *w, const struct kt_obs *obs, size_t n, const struct kt_judgement *j,
		 struct kt_arena *a, struct kt_buf *out)
{
	struct kt_plan plan;

	kt_plan(w->kb, obs, n, j, a, &plan);
	for (size_t i = 0; i < plan.n; i++)
		kt_buf_fmt(out, "next %d %u %u %u %u\n", plan.steps[i].kind, plan.steps[i].fact,
			   plan.steps[i].check, plan.steps[i].gain_1024, plan.steps[i].cost_s);
}

void world_digest(const struct world *w, const struct kt_obs *obs, size_t n, unsigned what,
		  struct kt_buf *out)
{
	struct kt_arena a = {0};
	struct kt_judgement j;

	kt_judge(w->kb, obs, n, &a, &j);
	causes(w, &j, what, out);
	rest(w, &j, out);
	if (what & DIGEST_NEXT)
		next(w, obs, n, &j, &a, out);
	kt_arena_free(&a);
}
