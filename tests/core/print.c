#include "driver.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "core/plan.h"
#include "json/write.h"

#include "base/banned.h"

static void milli(struct kt_jw *w, const char *key, uint32_t v)
{
	struct kt_buf b = KT_BUF(32);

	kt_buf_fixed(&b, v, 3);
	kt_jw_str(w, key, kt_buf_view(&b));
	kt_buf_free(&b);
}

static struct kt_str fact_id(const struct driver *d, uint32_t f)
{
	return kt_kb_text(d->kb, d->kb->facts[f].id);
}

static struct kt_str cause_id(const struct driver *d, uint32_t c)
{
	return kt_kb_text(d->kb, d->kb->causes[c].id);
}

static const char *key_of(struct driver *d, struct kt_str s)
{
	return kt_arena_str(&d->a, s).p;
}

static void facts(struct kt_jw *w, const struct driver *d, const char *key, const uint32_t *f, size_t n)
{
	kt_jw_open(w, key, '[');
	for (size_t i = 0; i < n; i++)
		kt_jw_str(w, NULL, fact_id(d, f[i]));
	kt_jw_close(w);
}

static int by_text(const void *p, const void *q)
{
	return kt_str_cmp(*(const struct kt_str *)p, *(const struct kt_str *)q);
}

static void sorted(struct kt_jw *w, const char *key, struct kt_str *s, size_t n)
{
	if (n)
		qsort(s, n, sizeof *s, by_text);
	kt_jw_open(w, key, '[');
	for (size_t i = 0; i < n; i++)
		kt_jw_str(w, NULL, s[i]);
	kt_jw_close(w);
}

static void facts_in(struct kt_jw *w, struct driver *d, const struct kt_judgement *j, const char *key,
		     enum kt_fact_state state)
{
	struct kt_str *s = KT_NEW_N(&d->a, struct kt_str, d->n_declared);
	size_t n = 0;

	for (uint32_t i = 0; i < d->n_declared; i++)
		if (j->facts[i].state == state)
			s[n++] = fact_id(d, i);
	sorted(w, key, s, n);
}

static void causes(struct kt_jw *w, struct driver *d, const struct kt_judgement *j)
{
	kt_jw_open(w, "causes", '{');
	for (size_t i = 0; i < j->n_evoked; i++) {
		const struct kt_cause_view *v = &j->causes[j->evoked[i]];
		kt_jw_open(w, key_of(d, cause_id(d, v->cause)), '{');
		kt_jw_int(w, "S", v->s_ddb);
		milli(w, "P", v->p_milli);
		facts(w, d, "open_gates", v->open_gates, v->n_open_gates);
		facts(w, d, "assumptions", v->assumptions, v->n_assumptions);
		kt_jw_close(w);
	}
	kt_jw_close(w);
	kt_jw_open(w, "OTHER", '{');
	kt_jw_int(w, "S", j->other_s_ddb);
	milli(w, "P", j->other_p_milli);
	kt_jw_close(w);
	kt_jw_open(w, "evoked", '[');
	for (size_t i = 0; i < j->n_evoked; i++)
		kt_jw_str(w, NULL, cause_id(d, j->evoked[i]));
	kt_jw_close(w);
}

static void excluded(struct kt_jw *w, struct driver *d, const struct kt_judgement *j)
{
	struct kt_str *s = KT_NEW_N(&d->a, struct kt_str, d->kb->n_causes);
	size_t n = 0;

	for (uint32_t i = 0; i < d->kb->n_causes; i++)
		if (j->causes[i].excluded)
			s[n++] = cause_id(d, i);
	if (n)
		qsort(s, n, sizeof *s, by_text);
	kt_jw_open(w, "excluded", '[');
	for (size_t i = 0; i < n; i++) {
		kt_jw_open(w, NULL, '{');
		kt_jw_str(w, "id", s[i]);
		kt_jw_str(w, "gate", kt_kb_text(d->kb, d->kb->causes[kt_kb_cause(d->kb, s[i])].gate_text));
		kt_jw_close(w);
	}
	kt_jw_close(w);
}

static void conflicts(struct kt_jw *w, struct driver *d, const struct kt_judgement *j)
{
	for (int gate = 0; gate < 2; gate++) {
		kt_jw_open(w, gate ? "gate_conflicts" : "conflicts", '[');
		for (size_t i = 0; i < j->n_conflicts; i++) {
			const struct kt_conflict *c = &j->conflicts[i];
			if ((c->excluded_cause != KT_NIL) != gate)
				continue;
			kt_jw_open(w, NULL, '[');
			kt_jw_str(w, NULL, gate ? cause_id(d, c->excluded_cause) : c->fix_a);
			kt_jw_str(w, NULL,
				  gate ? kt_kb_text(d->kb, d->kb->causes[c->excluded_cause].gate_text)
				       : c->fix_b);
			kt_jw_close(w);
		}
		kt_jw_close(w);
	}
	kt_jw_bool(w, "open_conflict", j->open_conflict);
	kt_jw_open(w, "problems", '[');
	for (size_t i = 0; i < j->n_problems; i++) {
		kt_jw_open(w, NULL, '[');
		kt_jw_str(w, NULL, j->problems[i].fix);
		kt_jw_str(w, NULL, kt_str_c(kt_verdict_word(j->problems[i].verdict)));
		milli(w, NULL, j->problems[i].p_milli);
		kt_jw_close(w);
	}
	kt_jw_close(w);
}

static void lead(struct kt_jw *w, struct driver *d, const struct kt_judgement *j)
{
	kt_jw_str_or_null(w, "fix", j->fix);
	if (j->lead == KT_NIL) {
		kt_jw_null(w, "fix_P");
		kt_jw_null(w, "lead");
		kt_jw_null(w, "margin");
		facts(w, d, "open_gates", NULL, 0);
		return;
	}
	milli(w, "fix_P", j->fix_p_milli);
	kt_jw_str(w, "lead", cause_id(d, j->lead));
	kt_jw_int(w, "margin", j->margin_ddb);
	facts(w, d, "open_gates", j->causes[j->lead].open_gates, j->causes[j->lead].n_open_gates);
}

static void not_checked(struct kt_jw *w, struct driver *d, const struct kt_judgement *j)
{
	struct kt_str *s = KT_NEW_N(&d->a, struct kt_str, j->n_not_checked);

	for (size_t i = 0; i < j->n_not_checked; i++)
		s[i] = kt_kb_text(d->kb, d->kb->checks[j->not_checked[i]].id);
	sorted(w, "not_checked", s, j->n_not_checked);
}

static void next(struct kt_jw *w, struct driver *d, const struct kt_judgement *j)
{
	struct kt_plan plan;

	kt_plan(d->kb, d->obs, d->n_obs, j, &d->a, &plan);
	kt_jw_open(w, "next", '[');
	for (size_t i = 0; i < plan.n; i++) {
		const struct kt_plan_step *s = &plan.steps[i];
		kt_jw_open(w, NULL, '{');
		kt_jw_str(w, "id",
			  s->kind == KT_PLAN_ASK ? fact_id(d, s->fact)
						 : kt_kb_text(d->kb, d->kb->checks[s->check].id));
		milli(w, "gain", kt_plan_gain_milli(s));
		kt_jw_int(w, "cost", s->cost_s);
		kt_jw_close(w);
	}
	kt_jw_close(w);
}

void driver_judge(struct driver *d, struct kt_buf *out)
{
	struct kt_judgement j;
	struct kt_jw w = {.out = out};

	kt_judge(d->kb, d->obs, d->n_obs, &d->a, &j);
	kt_jw_open(&w, NULL, '{');
	causes(&w, d, &j);
	excluded(&w, d, &j);
	kt_jw_str(&w, "verdict", kt_str_c(kt_verdict_word(j.verdict)));
	lead(&w, d, &j);
	facts_in(&w, d, &j, "assumptions", KT_FS_ASSUMED);
	facts_in(&w, d, &j, "defaults", KT_FS_DEFAULT);
	facts_in(&w, d, &j, "disputed", KT_FS_DISPUTED);
	facts_in(&w, d, &j, "varies", KT_FS_VARIES);
	conflicts(&w, d, &j);
	not_checked(&w, d, &j);
	next(&w, d, &j);
	kt_jw_close(&w);
}
