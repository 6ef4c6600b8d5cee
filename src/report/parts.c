#include "report/words.h"

#include <inttypes.h>

#include "term/table.h"

#include "base/banned.h"

static const char *cluster_word(struct kt_session *s)
{
	size_t n, failed = 0;
	const struct kt_command_view *c = kt_session_commands(s, &n);

	if (!kt_session_connected(s))
		return "no cluster";
	for (size_t i = 0; i < n; i++) {
		if (c[i].state == KT_CMD_DONE)
			return "cluster asked";
		failed += c[i].state == KT_CMD_FAILED;
	}
	return failed ? "cluster gave no answer" : "cluster not asked";
}

/* Of many inputs the ones that say nothing are counted only. */
#define INPUTS_MAX 20u

static void add_input(const struct kt_report *r, const struct kt_input_view *in, struct kt_buf *b)
{
	kt_buf_fmt(b, KT_FMT ": ", KT_ARG(in->name));
	if (!in->complete)
		kt_buf_fmt(b, KT_FMT "; ", KT_ARG(in->problem));
	kt_add_thousands(b, in->lines);
	kt_buf_fmt(b, " line%s read%s, ", kt_plural(in->lines), in->complete ? " to the end" : "");
	kt_buf_str(b, kt_at_least(r->style, in->at_least));
	kt_add_thousands(b, in->matched);
	kt_buf_fmt(b, " record%s matched", kt_plural(in->matched));
}

void kt_report_inputs(const struct kt_report *r)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	size_t n, quiet = 0;
	const struct kt_input_view *in = kt_session_inputs(r->session, &n);
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	for (size_t i = 0; i < n; i++) {
		kt_buf_clear(&b);
		if (n > INPUTS_MAX && in[i].complete && !in[i].matched)
			quiet++;
		else
			add_input(r, &in[i], &b);
		if (i + 1 == n) {
			if (quiet)
				kt_buf_fmt(&b, "%s%zu more read to the end without a match",
					   b.len ? " \u00b7 " : "", quiet);
			kt_buf_fmt(&b, " \u00b7 %u cause%s \u00b7 ", kb->n_causes, kt_plural(kb->n_causes));
			kt_buf_str(&b, cluster_word(r->session));
		}
		if (b.len)
			kt_line(r, KT_PAINT_DIM, "%s", kt_buf_c(&b));
	}
	kt_buf_free(&b);
}

static void add_step(const struct kt_report *r, unsigned no, const struct kt_plan_step *step)
{
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	kt_step_text(r->session, step, &b);
	kt_buf_fmt(&b, "  (%u s; %s", step->cost_s,
		   step->pinned && !step->gain_1024 ? "asked first" : kt_gain_words(step->gain_1024));
	if (r->verbose) {
		kt_buf_str(&b, ", ");
		kt_buf_fixed(&b, kt_plan_gain_milli(step), 3);
		kt_buf_str(&b, " bit");
	}
	kt_buf_char(&b, ')');
	struct kt_buf l = KT_BUF(16);
	kt_buf_fmt(&l, "%u)", no);
	kt_row(r, kt_buf_c(&l), step->kind == KT_PLAN_SHOW ? KT_PAINT_CODE : KT_PAINT_PLAIN, kt_buf_view(&b));
	kt_buf_free(&l);
	kt_buf_free(&b);
}

/* Nothing to ask: what a cluster would tell, else what to collect. */
static void nothing_next(const struct kt_report *r, size_t most)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	uint32_t checks[8];
	size_t n = kt_offline_checks(r->session, checks, most < KT_LEN(checks) ? most : KT_LEN(checks));

	if (n)
		kt_line(r, KT_PAINT_HEAD, "Next: these commands would tell (give the cluster's address)");
	for (size_t i = 0; i < n; i++) {
		struct kt_plan_step step = {.kind = KT_PLAN_SHOW, .fact = KT_NIL, .check = checks[i]};
		struct kt_buf text = KT_BUF(KT_BUF_TEXT);
		kt_step_text(r->session, &step, &text);
		kt_row(r, "-", KT_PAINT_DIM, kt_kb_text(kb, kb->checks[checks[i]].title));
		kt_row(r, "", KT_PAINT_CODE, kt_buf_view(&text));
		kt_buf_free(&text);
	}
	if (!n && kt_session_judgement(r->session)->verdict == KT_AMBIGUOUS)
		kt_report_collect(r);
	else if (!n)
		kt_line(r, KT_PAINT_PLAIN, "No check is left that would tell enough.");
}

void kt_report_next(const struct kt_report *r, size_t most)
{
	const struct kt_plan *plan = kt_session_plan(r->session);

	if (!plan->n) {
		nothing_next(r, most);
		return;
	}
	kt_line(r, KT_PAINT_HEAD, "Next, best first");
	for (size_t i = 0; i < plan->n && i < most; i++)
		add_step(r, (unsigned)i + 1, &plan->steps[i]);
}

static const char *const step_titles[] = {"what failed, and how it was set", "where the error shows",
					  "match the error", "collect what decides", "resolve"};

static void step_line(const struct kt_report *r, enum kt_step step, enum kt_paint paint, const char *mark)
{
	kt_line(r, paint, "%sStep %d of 5 \u00b7 %s%s%s", mark, (int)step + 1, kt_step_word(step),
		mark[0] ? ": " : "", mark[0] ? step_titles[step] : "");
}

static void choices(const struct kt_kb *kb, const struct kt_fact *f, struct kt_buf *b)
{
	bool not_set = f->defaults.n > 0;

	kt_buf_str(b, "   [");
	for (uint32_t i = 0; i < f->choices.n; i++) {
		struct kt_str value = kt_kb_text(kb, kb->choices[f->choices.at + i].value);
		kt_buf_fmt(b, KT_FMT " / ", KT_ARG(value));
		not_set = not_set && !kt_str_eq_c(value, "not-set");
	}
	kt_buf_str(b, not_set ? "not-set / unknown]" : "unknown]");
}

void kt_report_question(const struct kt_report *r)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	uint32_t q = kt_session_question(r->session);
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	step_line(r, kt_session_step(r->session), KT_PAINT_DIM, "");
	if (q == KT_NIL) {
		if (kt_session_asked_enough(r->session) && kt_session_best_question(r->session) != KT_NIL)
			kt_line(r, KT_PAINT_DIM, "%s",
				"Enough questions; ask puts the next one, plan lists them.");
		kt_buf_free(&b);
		return;
	}
	kt_session_fill(r->session, kt_kb_text(kb, kb->facts[q].ask), KT_NIL, &b);
	choices(kb, &kb->facts[q], &b);
	kt_line(r, KT_PAINT_PLAIN, "%s", kt_buf_c(&b));
	kt_buf_free(&b);
}

static bool fact_shown(const struct kt_fact_view *v)
{
	return v->n_obs > 0 || v->asked || v->state != KT_FS_UNKNOWN;
}

static void known_of_step(const struct kt_report *r, enum kt_step step)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	const struct kt_judgement *j = kt_session_judgement(r->session);

	for (uint32_t f = 0; f < kb->n_facts; f++) {
		const struct kt_fact_view *v = &j->facts[f];
		if (kb->facts[f].step != (uint32_t)step || !fact_shown(v))
			continue;
		kt_row_fmt(r, "", KT_PAINT_PLAIN, KT_FMT " = " KT_FMT " (%s)",
			   KT_ARG(kt_kb_text(kb, kb->facts[f].id)),
			   KT_ARG(v->value.len ? v->value : KT_S("?")), kt_fact_state_word(v->state));
	}
}

void kt_report_where(const struct kt_report *r)
{
	enum kt_step now = kt_session_step(r->session);

	for (int step = KT_STEP_CLASSIFY; step <= KT_STEP_RESOLVE; step++) {
		step_line(r, (enum kt_step)step, step == (int)now ? KT_PAINT_HEAD : KT_PAINT_DIM,
			  step == (int)now ? "> " : "  ");
		known_of_step(r, (enum kt_step)step);
	}
	const struct kt_judgement *j = kt_session_judgement(r->session);
	kt_line(r, KT_PAINT_PLAIN,
		"Verdict so far: %s"
		"%s" KT_FMT,
		kt_verdict_word(j->verdict), j->lead == KT_NIL ? "" : ", ",
		KT_ARG(kt_cause_id(kt_session_kb(r->session), j->lead)));
}

static void fact_row(struct kt_table *t, struct kt_str id, struct kt_str value, const char *state,
		     struct kt_str source)
{
	kt_table_cell(t, id);
	kt_table_cell(t, value);
	kt_table_cell_c(t, state);
	kt_table_cell(t, source);
}

void kt_report_facts(const struct kt_report *r)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	const struct kt_judgement *j = kt_session_judgement(r->session);
	struct kt_table t;
	bool some = false;

	kt_table_init(&t);
	kt_table_column(&t, KT_S("fact"), false);
	kt_table_column(&t, KT_S("value"), false);
	kt_table_column(&t, KT_S("state"), false);
	kt_table_column(&t, KT_S("from"), false);
	for (uint32_t f = 0; f < kb->n_facts; f++) {
		const struct kt_fact_view *v = &j->facts[f];
		struct kt_str id = kt_kb_text(kb, kb->facts[f].id);
		if (!fact_shown(v))
			continue;
		some = true;
		if (v->state != KT_FS_DISPUTED && v->state != KT_FS_VARIES) {
			fact_row(&t, id, v->value, kt_fact_state_word(v->state),
				 v->n_obs ? v->obs[0]->source : KT_NONE);
			continue;
		}
		for (size_t i = 0; i < v->n_obs; i++)
			fact_row(&t, id, v->obs[i]->value, kt_fact_state_word(v->state), v->obs[i]->source);
	}
	if (some)
		kt_table_render(&t, r->style, 2, r->out);
	else
		kt_line(r, KT_PAINT_PLAIN, "Nothing is known yet.");
	kt_table_free(&t);
}

/* The row of evidence in which an item weighs most, over the causes that are not
 * excluded; KT_NIL when nobody in the running uses it. */
static uint32_t heaviest(const struct kt_kb *kb, const struct kt_judgement *j, uint32_t item, uint32_t *cause)
{
	uint32_t best = KT_NIL;

	for (uint32_t c = 0; c < kb->n_causes; c++)
		for (uint32_t e = 0; e < kb->causes[c].evidence.n && !j->causes[c].excluded; e++) {
			uint32_t row = kb->causes[c].evidence.at + e;
			if (kb->evidence[row].item != item ||
			    (best != KT_NIL &&
			     kt_weight_ddb((enum kt_weight)kb->evidence[row].weight) <=
				     kt_weight_ddb((enum kt_weight)kb->evidence[best].weight)))
				continue;
			best = row;
			*cause = c;
		}
	return best;
}

static bool is_seen(const struct kt_obs *o)
{
	return o->kind == KT_OBS_HIT || (o->kind == KT_OBS_SHOW && o->state == KT_STATE_PRESENT);
}

/* The heaviest evidence that O is, and for which cause; KT_NIL for what speaks for
 * nobody, or only against causes that are no candidates. */
static uint32_t evidence_of(const struct kt_report *r, const struct kt_obs *o, uint32_t *cause)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	const struct kt_judgement *j = kt_session_judgement(r->session);
	uint32_t row = is_seen(o) ? heaviest(kb, j, o->item, cause) : KT_NIL;
	int ddb = row == KT_NIL ? 0 : kt_weight_ddb((enum kt_weight)kb->evidence[row].weight);

	return ddb == 0 || (ddb < 0 && !j->causes[*cause].evoked) ? KT_NIL : row;
}

static void evidence_row(const struct kt_report *r, struct kt_table *t, const struct kt_obs *o, bool last)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	struct kt_buf times = KT_BUF(32), says = KT_BUF(KT_BUF_NAME);
	uint32_t cause = KT_NIL, row = evidence_of(r, o, &cause);

	kt_buf_str(&times, kt_at_least(r->style, o->at_least));
	kt_add_thousands(&times, o->count ? o->count : 1);
	kt_buf_fmt(&says, "%s " KT_FMT, kt_weight_word((enum kt_weight)kb->evidence[row].weight),
		   KT_ARG(kt_cause_id(kb, cause)));
	kt_table_cell(t, o->source);
	if (last)
		kt_table_cell(t, o->last);
	kt_table_cell(t, kt_buf_view(&times));
	kt_table_cell(t, kt_buf_view(&says));
	kt_table_cell(t, o->text.len ? o->text : kt_kb_text(kb, kb->items[o->item].text));
	kt_buf_free(&times);
	kt_buf_free(&says);
}

void kt_report_evidence(const struct kt_report *r)
{
	size_t n;
	const struct kt_obs *obs = kt_session_obs(r->session, &n);
	struct kt_table t;
	bool some = false, last = false;
	uint32_t cause;

	for (size_t i = 0; i < n; i++)
		last = last || (obs[i].last.len && evidence_of(r, &obs[i], &cause) != KT_NIL);
	kt_table_init(&t);
	kt_table_column(&t, KT_S("where"), false);
	if (last)
		kt_table_column(&t, KT_S("last"), false);
	kt_table_column(&t, KT_S("times"), true);
	kt_table_column(&t, KT_S("says most for"), false);
	kt_table_column(&t, KT_S("what"), false);
	for (size_t i = 0; i < n; i++)
		if (evidence_of(r, &obs[i], &cause) != KT_NIL) {
			evidence_row(r, &t, &obs[i], last);
			some = true;
		}
	if (some)
		kt_table_render(&t, r->style, 2, r->out);
	else
		kt_line(r, KT_PAINT_PLAIN, "No evidence was seen yet.");
	kt_table_free(&t);
}

void kt_report_fix(const struct kt_report *r, uint32_t cause)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	const struct kt_cause *c = &kb->causes[cause];
	const struct {
		const char *label;
		struct kt_ref text;
	} rows[] = {{"fix", c->fix_text}, {"cost", c->tradeoff}, {"verify", c->verify_text}};

	kt_line(r, KT_PAINT_HEAD, KT_FMT ": " KT_FMT, KT_ARG(kt_kb_text(kb, c->id)),
		KT_ARG(kt_kb_text(kb, c->title)));
	for (size_t i = 0; i < KT_LEN(rows); i++) {
		struct kt_buf b = KT_BUF(KT_BUF_TEXT);
		kt_session_fill(r->session, kt_kb_text(kb, rows[i].text), cause, &b);
		if (b.len)
			kt_row(r, rows[i].label, KT_PAINT_PLAIN, kt_buf_view(&b));
		kt_buf_free(&b);
	}
	for (uint32_t i = 0; i < c->refs.n; i++)
		kt_row(r, i ? "" : "see", KT_PAINT_DIM, kt_kb_text(kb, kb->strings[c->refs.at + i]));
}

void kt_report_collect(const struct kt_report *r)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	union {
		const struct kt_judgement *in;
		void *out;
	} ctx = {.in = kt_session_judgement(r->session)};

	kt_line(r, KT_PAINT_HEAD, "Collect, then run this again");
	for (uint32_t i = 0; i < kb->n_notes; i++) {
		const struct kt_note *note = &kb->notes[i];
		struct kt_buf b = KT_BUF(KT_BUF_TEXT);
		if (note->kind != KT_NOTE_COLLECT ||
		    (note->cond != KT_NIL &&
		     kt_cond_eval(kb, note->cond, kt_judge_value, ctx.out) == KT_TRUE))
			continue;
		kt_session_fill(r->session, kt_kb_text(kb, note->text), KT_NIL, &b);
		kt_row(r, "-", KT_PAINT_PLAIN, kt_buf_view(&b));
		kt_buf_free(&b);
	}
}

void kt_report_result(const struct kt_report *r, const struct kt_result *result)
{
	struct kt_table t;

	kt_table_init(&t);
	for (size_t c = 0; c < result->n_columns; c++)
		kt_table_column(&t, result->columns[c].name, kt_str_eq_c(result->columns[c].type, "long"));
	for (size_t i = 0; i < result->n_rows * result->n_columns; i++)
		kt_table_cell(&t, result->cells[i]);
	kt_table_render(&t, r->style, 0, r->out);
	kt_table_free(&t);
	kt_line(r, KT_PAINT_DIM, "%zu row%s%s", result->n_rows, kt_plural(result->n_rows),
		result->cut ? " (cut: there may be more)" : "");
}
