/* The diagnosis as JSON: schema ktriage.diagnosis/1. */
#include "report/words.h"

#include "json/write.h"

#include "base/banned.h"

#define SCHEMA     "ktriage.diagnosis/1"
#define CAUSES_MAX 20u
#define REAL_DB    1 /* decimals of decibels */

struct doc {
	struct kt_session *s;
	const struct kt_kb *kb;
	const struct kt_judgement *j;
	struct kt_jw w;
};

static void fact_names(struct doc *d, const char *key, const uint32_t *facts, size_t n)
{
	kt_jw_open(&d->w, key, '[');
	for (size_t i = 0; i < n; i++)
		kt_jw_str(&d->w, NULL, kt_kb_text(d->kb, d->kb->facts[facts[i]].id));
	kt_jw_close(&d->w);
}

static void filled(struct doc *d, const char *key, struct kt_ref text, uint32_t cause)
{
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	kt_session_fill(d->s, kt_kb_text(d->kb, text), cause, &b);
	kt_jw_str_or_null(&d->w, key, kt_str_trim(kt_buf_view(&b)));
	kt_buf_free(&b);
}

static void addends(struct doc *d, const char *key, const struct kt_cause_view *c, bool against)
{
	kt_jw_open(&d->w, key, '[');
	for (size_t i = 0; i < c->n_addends; i++) {
		const struct kt_addend *a = &c->addends[i];
		if ((a->ddb < 0) != against)
			continue;
		kt_jw_open(&d->w, NULL, '{');
		kt_jw_str(&d->w, "weight", kt_str_c(kt_addend_word(d->kb, a)));
		kt_jw_fixed(&d->w, "db", a->ddb, REAL_DB);
		kt_jw_str(&d->w, "source", a->obs ? a->obs->source : KT_NONE);
		kt_jw_str(&d->w, "text", kt_addend_text(d->kb, a));
		kt_jw_str_or_null(&d->w, "note", kt_addend_note(d->kb, a));
		kt_jw_int(&d->w, "hits", a->hits);
		kt_jw_str_or_null(&d->w, "last", kt_addend_last(a));
		kt_jw_bool(&d->w, "counted", a->counted);
		kt_jw_bool(&d->w, "at_least", a->at_least);
		kt_jw_close(&d->w);
	}
	kt_jw_close(&d->w);
}

static void strings(struct doc *d, const char *key, struct kt_span span)
{
	kt_jw_open(&d->w, key, '[');
	for (uint32_t i = 0; i < span.n; i++)
		kt_jw_str(&d->w, NULL, kt_kb_text(d->kb, d->kb->strings[span.at + i]));
	kt_jw_close(&d->w);
}

/* For the leading cause the margin to the next fix or OTHER; for the others how far
 * they stand behind the leading one. */
static int margin_of(const struct doc *d, uint32_t cause)
{
	if (cause == d->j->lead)
		return d->j->has_margin ? d->j->margin_ddb : 0;
	return d->j->lead == KT_NIL ? 0 : d->j->causes[cause].s_ddb - d->j->causes[d->j->lead].s_ddb;
}

static void cause(struct doc *d, uint32_t row)
{
	const struct kt_cause *c = &d->kb->causes[row];
	const struct kt_cause_view *v = &d->j->causes[row];

	kt_jw_open(&d->w, NULL, '{');
	kt_jw_str(&d->w, "id", kt_kb_text(d->kb, c->id));
	kt_jw_str(&d->w, "area", kt_kb_text(d->kb, c->area));
	kt_jw_str(&d->w, "title", kt_kb_text(d->kb, c->title));
	kt_jw_str(&d->w, "fix_id", kt_kb_fix(d->kb, row));
	kt_jw_fixed(&d->w, "probability", v->p_milli, 3);
	kt_jw_fixed(&d->w, "score_db", v->s_ddb, REAL_DB);
	kt_jw_fixed(&d->w, "margin_db", margin_of(d, row), REAL_DB);
	filled(d, "fix", c->fix_text, row);
	kt_jw_open(&d->w, "rerun", '{');
	kt_jw_str(&d->w, "verdict", kt_str_c(kt_rerun_word((enum kt_rerun)c->rerun)));
	filled(d, "reason", c->rerun_reason, row);
	kt_jw_close(&d->w);
	filled(d, "tradeoff", c->tradeoff, row);
	filled(d, "verify", c->verify_text, row);
	strings(d, "refs", c->refs);
	addends(d, "for", v, false);
	addends(d, "against", v, true);
	fact_names(d, "open_gates", v->open_gates, v->n_open_gates);
	fact_names(d, "assumptions", v->assumptions, v->n_assumptions);
	kt_jw_close(&d->w);
}

static void causes(struct doc *d)
{
	kt_jw_open(&d->w, "causes", '[');
	for (size_t i = 0; i < d->j->n_evoked && i < CAUSES_MAX; i++)
		if (d->j->causes[d->j->evoked[i]].p_milli >= 1)
			cause(d, d->j->evoked[i]);
	kt_jw_close(&d->w);
}

static void problems(struct doc *d)
{
	kt_jw_open(&d->w, "problems", '[');
	for (size_t i = 0; i < d->j->n_problems; i++) {
		const struct kt_problem *p = &d->j->problems[i];
		kt_jw_open(&d->w, NULL, '{');
		kt_jw_str(&d->w, "id", kt_cause_id(d->kb, p->cause));
		kt_jw_str(&d->w, "fix_id", p->fix);
		kt_jw_str(&d->w, "verdict", kt_str_c(kt_verdict_json(p->verdict)));
		kt_jw_fixed(&d->w, "probability", p->p_milli, 3);
		kt_jw_close(&d->w);
	}
	kt_jw_close(&d->w);
}

static void conflicts(struct doc *d)
{
	kt_jw_open(&d->w, "conflicts", '[');
	for (size_t i = 0; i < d->j->n_conflicts; i++) {
		const struct kt_conflict *c = &d->j->conflicts[i];
		kt_jw_open(&d->w, NULL, '{');
		if (c->excluded_cause != KT_NIL) {
			kt_jw_str(&d->w, "excluded", kt_cause_id(d->kb, c->excluded_cause));
			kt_jw_str(&d->w, "gate",
				  kt_kb_text(d->kb, d->kb->causes[c->excluded_cause].gate_text));
		} else {
			kt_jw_str(&d->w, "fix_a", c->fix_a);
			kt_jw_str(&d->w, "fix_b", c->fix_b);
		}
		kt_jw_bool(&d->w, "open", d->j->open_conflict);
		kt_jw_close(&d->w);
	}
	kt_jw_close(&d->w);
}

static void excluded(struct doc *d)
{
	size_t n;
	const struct kt_obs *obs = kt_session_obs(d->s, &n);

	kt_jw_open(&d->w, "excluded", '[');
	for (uint32_t c = 0; c < d->kb->n_causes; c++) {
		struct kt_why_not why;
		if (!d->j->causes[c].excluded)
			continue;
		kt_why_not(d->kb, obs, n, d->j, c, kt_session_arena(d->s), &why);
		kt_jw_open(&d->w, NULL, '{');
		kt_jw_str(&d->w, "id", kt_cause_id(d->kb, c));
		kt_jw_str(&d->w, "gate", kt_kb_text(d->kb, d->kb->causes[c].gate_text));
		kt_jw_str_or_null(&d->w, "source", why.n_gate_obs ? why.gate_obs[0]->source : KT_NONE);
		kt_jw_close(&d->w);
	}
	kt_jw_close(&d->w);
}

static void rests_on(struct doc *d)
{
	size_t n;
	const struct kt_obs *obs = kt_session_obs(d->s, &n);
	const struct kt_obs *one = kt_rests_on(d->kb, obs, n, d->j, kt_session_arena(d->s));

	kt_jw_str_or_null(&d->w, "rests_on_one", one ? one->source : KT_NONE);
}

static void would_confirm(struct doc *d)
{
	const struct kt_plan *plan = kt_session_plan(d->s);
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	if (d->j->verdict == KT_CONFIRMED || d->j->verdict == KT_HEALTHY) {
		kt_jw_null(&d->w, "would_confirm");
		return;
	}
	if (d->j->lead != KT_NIL && d->kb->causes[d->j->lead].would_confirm.len)
		kt_session_fill(d->s, kt_kb_text(d->kb, d->kb->causes[d->j->lead].would_confirm), d->j->lead,
				&b);
	else if (plan->n)
		kt_step_text(d->s, &plan->steps[0], &b);
	kt_jw_str_or_null(&d->w, "would_confirm", kt_str_trim(kt_buf_view(&b)));
	kt_buf_free(&b);
}

static void next_of(struct doc *d, const char *kind, struct kt_str id, struct kt_str text,
		    uint32_t gain_milli, uint32_t cost_s)
{
	kt_jw_open(&d->w, NULL, '{');
	kt_jw_str(&d->w, "kind", kt_str_c(kind));
	kt_jw_str(&d->w, "id", id);
	kt_jw_str(&d->w, "text", kt_str_trim(text));
	kt_jw_fixed(&d->w, "gain_bits", gain_milli, 3);
	kt_jw_int(&d->w, "cost_s", cost_s);
	kt_jw_close(&d->w);
}

static void next_steps(struct doc *d)
{
	static const char *const kinds[] = {
		[KT_PLAN_ASK] = "ask", [KT_PLAN_SHOW] = "show", [KT_PLAN_SCAN] = "scan"};
	const struct kt_plan *plan = kt_session_plan(d->s);
	union {
		const struct kt_judgement *in;
		void *out;
	} ctx = {.in = d->j};

	kt_jw_open(&d->w, "next", '[');
	for (size_t i = 0; i < plan->n; i++) {
		const struct kt_plan_step *p = &plan->steps[i];
		struct kt_buf b = KT_BUF(KT_BUF_TEXT);
		kt_step_text(d->s, p, &b);
		next_of(d, kinds[p->kind],
			kt_kb_text(d->kb, p->kind == KT_PLAN_ASK ? d->kb->facts[p->fact].id
								 : d->kb->checks[p->check].id),
			kt_buf_view(&b), kt_plan_gain_milli(p), p->cost_s);
		kt_buf_free(&b);
	}
	uint32_t offline[3];
	size_t n_offline = plan->n ? 0 : kt_offline_checks(d->s, offline, KT_LEN(offline));
	for (size_t i = 0; i < n_offline; i++) {
		struct kt_plan_step step = {.kind = KT_PLAN_SHOW, .fact = KT_NIL, .check = offline[i]};
		struct kt_buf b = KT_BUF(KT_BUF_TEXT);
		kt_step_text(d->s, &step, &b);
		next_of(d, "show", kt_kb_text(d->kb, d->kb->checks[offline[i]].id), kt_buf_view(&b), 0,
			d->kb->checks[offline[i]].cost_s);
		kt_buf_free(&b);
	}
	bool collect = d->j->verdict == KT_NOT_KNOWN ||
		       (d->j->verdict == KT_AMBIGUOUS && !plan->n && !n_offline);
	for (uint32_t i = 0; collect && i < d->kb->n_notes; i++) {
		const struct kt_note *note = &d->kb->notes[i];
		struct kt_buf b = KT_BUF(KT_BUF_TEXT);
		if (note->kind == KT_NOTE_COLLECT &&
		    (note->cond == KT_NIL ||
		     kt_cond_eval(d->kb, note->cond, kt_judge_value, ctx.out) != KT_TRUE)) {
			kt_session_fill(d->s, kt_kb_text(d->kb, note->text), KT_NIL, &b);
			next_of(d, "collect", kt_kb_text(d->kb, note->id), kt_buf_view(&b), 0, 0);
		}
		kt_buf_free(&b);
	}
	kt_jw_close(&d->w);
}

static void fact(struct doc *d, uint32_t row, struct kt_str scope, struct kt_str value, const char *state,
		 struct kt_str source)
{
	kt_jw_open(&d->w, NULL, '{');
	kt_jw_str(&d->w, "id", kt_kb_text(d->kb, d->kb->facts[row].id));
	kt_jw_str(&d->w, "scope", scope.len ? scope : KT_S("incident"));
	kt_jw_str_or_null(&d->w, "value", value);
	kt_jw_str(&d->w, "state", kt_str_c(state));
	kt_jw_str_or_null(&d->w, "source", source);
	kt_jw_close(&d->w);
}

static bool is_open_gate(const struct doc *d, uint32_t row)
{
	for (size_t i = 0; i < d->j->n_evoked; i++) {
		const struct kt_cause_view *v = &d->j->causes[d->j->evoked[i]];
		for (size_t k = 0; k < v->n_open_gates; k++)
			if (v->open_gates[k] == row)
				return true;
	}
	return false;
}

static void facts(struct doc *d)
{
	static const char *const words[] = {
		[KT_FS_UNKNOWN] = "unknown", [KT_FS_KNOWN] = "known",       [KT_FS_DEFAULT] = "known",
		[KT_FS_ASSUMED] = "assumed", [KT_FS_DISPUTED] = "disputed", [KT_FS_VARIES] = "known"};

	kt_jw_open(&d->w, "facts", '[');
	for (uint32_t f = 0; f < d->kb->n_facts; f++) {
		const struct kt_fact_view *v = &d->j->facts[f];
		if (v->state == KT_FS_DISPUTED || v->state == KT_FS_VARIES) {
			for (size_t i = 0; i < v->n_obs; i++)
				fact(d, f, v->obs[i]->scope, v->obs[i]->value, words[v->state],
				     v->obs[i]->source);
			continue;
		}
		if (v->n_obs || v->asked || is_open_gate(d, f))
			fact(d, f, v->n_obs ? v->obs[0]->scope : KT_NONE, v->value, words[v->state],
			     v->n_obs ? v->obs[0]->source : KT_NONE);
	}
	kt_jw_close(&d->w);
}

static void commands(struct doc *d)
{
	static const char *const states[] = {"done", "failed", "not_sent"};
	size_t n;
	const struct kt_command_view *c = kt_session_commands(d->s, &n);

	kt_jw_open(&d->w, "commands", '[');
	for (size_t i = 0; i < n; i++) {
		kt_jw_open(&d->w, NULL, '{');
		kt_jw_str(&d->w, "text", kt_str_trim(c[i].text));
		kt_jw_str(&d->w, "endpoint", c[i].endpoint == KT_ENGINE ? KT_S("engine") : KT_S("ingest"));
		kt_jw_str(&d->w, "state", kt_str_c(states[c[i].state]));
		kt_jw_int(&d->w, "rows", (int64_t)c[i].rows);
		kt_jw_str_or_null(&d->w, "reason", c[i].reason);
		kt_jw_close(&d->w);
	}
	kt_jw_close(&d->w);
}

static void inputs(struct doc *d)
{
	size_t n;
	const struct kt_input_view *in = kt_session_inputs(d->s, &n);

	kt_jw_open(&d->w, "inputs", '[');
	for (size_t i = 0; i < n; i++) {
		kt_jw_open(&d->w, NULL, '{');
		kt_jw_str(&d->w, "name", in[i].name);
		kt_jw_int(&d->w, "lines", (int64_t)in[i].lines);
		kt_jw_int(&d->w, "bytes", (int64_t)in[i].bytes);
		kt_jw_bool(&d->w, "complete", in[i].complete);
		kt_jw_int(&d->w, "records_matched", (int64_t)in[i].matched);
		kt_jw_str_or_null(&d->w, "problem", in[i].problem);
		kt_jw_bool(&d->w, "at_least", in[i].at_least);
		kt_jw_close(&d->w);
	}
	kt_jw_close(&d->w);
	const struct kt_str *limits = kt_session_inconclusive(d->s, &n);
	kt_jw_open(&d->w, "inconclusive", '[');
	for (size_t i = 0; i < n; i++)
		kt_jw_str(&d->w, NULL, limits[i]);
	kt_jw_close(&d->w);
}

static void unexplained(struct doc *d)
{
	size_t n;
	const struct kt_obs *obs = kt_session_obs(d->s, &n);

	kt_jw_open(&d->w, "unexplained", '[');
	for (size_t i = 0; i < d->j->n_unexplained; i++)
		for (size_t k = 0; k < n; k++) {
			if (obs[k].kind != KT_OBS_FATAL || obs[k].rec != d->j->unexplained[i])
				continue;
			kt_jw_open(&d->w, NULL, '{');
			kt_jw_str(&d->w, "source", obs[k].source);
			kt_jw_str(&d->w, "text", obs[k].text);
			kt_jw_close(&d->w);
			break;
		}
	kt_jw_close(&d->w);
}

static void packs(struct doc *d)
{
	kt_jw_open(&d->w, "packs", '[');
	for (uint32_t i = 0; i < d->kb->n_packs; i++) {
		kt_jw_open(&d->w, NULL, '{');
		kt_jw_str(&d->w, "name", kt_kb_text(d->kb, d->kb->packs[i].id));
		kt_jw_str(&d->w, "version", kt_kb_text(d->kb, d->kb->packs[i].version));
		kt_jw_int(&d->w, "causes", d->kb->packs[i].n_causes);
		kt_jw_close(&d->w);
	}
	kt_jw_close(&d->w);
}

void kt_report_json(struct kt_session *s, int exit_code, struct kt_buf *out)
{
	struct doc d = {.s = s, .kb = kt_session_kb(s), .j = kt_session_judgement(s), .w = {.out = out}};

	kt_jw_open(&d.w, NULL, '{');
	kt_jw_str(&d.w, "schema", KT_S(SCHEMA));
	kt_jw_str(&d.w, "version", KT_S(KT_VERSION));
	kt_jw_str(&d.w, "verdict", kt_str_c(kt_verdict_json(d.j->verdict)));
	kt_jw_int(&d.w, "exit", exit_code);
	causes(&d);
	problems(&d);
	conflicts(&d);
	excluded(&d);
	rests_on(&d);
	would_confirm(&d);
	next_steps(&d);
	facts(&d);
	commands(&d);
	inputs(&d);
	unexplained(&d);
	packs(&d);
	kt_jw_close(&d.w);
	kt_buf_char(out, '\n');
}
