/* The answer for people: verdict, why, what against it, fix, what is left. */
#include "report/words.h"

#include "base/banned.h"

#define WHY_MAX      5u /* addends shown; how shows all */
#define OTHERS_MAX   4u
#define SEPARATE_MAX 3u

static enum kt_paint paint_of(enum kt_verdict v)
{
	return v == KT_CONFIRMED || v == KT_HEALTHY ? KT_PAINT_GOOD
	       : v == KT_NOT_KNOWN                  ? KT_PAINT_BAD
						    : KT_PAINT_WARN;
}

static void add_filled(const struct kt_report *r, const char *label, enum kt_paint paint, struct kt_str text,
		       uint32_t cause)
{
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	kt_session_fill(r->session, text, cause, &b);
	kt_row(r, label, paint, kt_buf_view(&b));
	kt_buf_free(&b);
}

static void headline(const struct kt_report *r, enum kt_verdict v, const char *text)
{
	kt_paint(r->out, r->style, paint_of(v), kt_str_c(kt_verdict_word(v)));
	kt_buf_str(r->out, "  ");
	kt_wrap(r->out, r->style, KT_PAINT_PLAIN, kt_str_c(text), kt_width(kt_str_c(kt_verdict_word(v))) + 2,
		4);
	kt_buf_char(r->out, '\n');
}

static void cause_headline(const struct kt_report *r, enum kt_verdict v, uint32_t cause)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	kt_buf_fmt(&b, KT_FMT ": " KT_FMT, KT_ARG(kt_cause_id(kb, cause)),
		   KT_ARG(kt_kb_text(kb, kb->causes[cause].title)));
	headline(r, v, kt_buf_c(&b));
	kt_buf_free(&b);
}

static void rerun(const struct kt_report *r, uint32_t cause)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	const struct kt_cause *c = &kb->causes[cause];
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	kt_buf_str(&b, c->rerun == KT_RERUN_UNSAFE_UNTIL_CHECKED ? "unsafe until checked"
								 : kt_rerun_word((enum kt_rerun)c->rerun));
	if (c->rerun_reason.len) {
		kt_buf_str(&b, ": ");
		kt_session_fill(r->session, kt_kb_text(kb, c->rerun_reason), cause, &b);
	}
	kt_row(r, "re-run", c->rerun == KT_RERUN_SAFE ? KT_PAINT_GOOD : KT_PAINT_WARN, kt_buf_view(&b));
	kt_buf_free(&b);
}

static void one_addend(const struct kt_report *r, const char *label, const struct kt_addend *a)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	kt_buf_fmt(&b, KT_FMT "  " KT_FMT "  (%s", KT_ARG(a->obs ? a->obs->source : KT_S("-")),
		   KT_ARG(kt_addend_text(kb, a)), kt_addend_word(kb, a));
	kt_add_db(r, &b, a->ddb);
	kt_add_times(r, &b, a, ", ", "");
	struct kt_str note = kt_addend_note(kb, a);
	if (note.len)
		kt_buf_fmt(&b, "; " KT_FMT, KT_ARG(note));
	kt_buf_char(&b, ')');
	kt_row(r, label, KT_PAINT_PLAIN, kt_buf_view(&b));
	kt_buf_free(&b);
}

static void addends(const struct kt_report *r, const char *label, const struct kt_cause_view *c, bool against)
{
	unsigned shown = 0;

	for (size_t i = 0; i < c->n_addends && shown < WHY_MAX; i++) {
		if ((c->addends[i].ddb < 0) != against)
			continue;
		one_addend(r, shown ? "" : label, &c->addends[i]);
		shown++;
	}
	if (!shown)
		kt_row(r, label, KT_PAINT_PLAIN, KT_S("nothing"));
}

static void fact_list(const struct kt_report *r, const char *label, const uint32_t *facts, size_t n,
		      const char *tail)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	for (size_t i = 0; i < n; i++)
		kt_buf_fmt(&b, "%s" KT_FMT, i ? ", " : "", KT_ARG(kt_kb_text(kb, kb->facts[facts[i]].id)));
	kt_buf_str(&b, tail);
	if (n)
		kt_row(r, label, KT_PAINT_WARN, kt_buf_view(&b));
	kt_buf_free(&b);
}

/* The line or row that the verdict stands on alone. */
static void rests_on(const struct kt_report *r)
{
	size_t n;
	const struct kt_obs *obs = kt_session_obs(r->session, &n);
	const struct kt_obs *one = kt_rests_on(kt_session_kb(r->session), obs, n,
					       kt_session_judgement(r->session),
					       kt_session_arena(r->session));

	if (one)
		kt_row_fmt(r, "rests on", KT_PAINT_PLAIN, KT_FMT " alone", KT_ARG(one->source));
}

static void to_be_sure(const struct kt_report *r, uint32_t cause)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	const struct kt_plan *plan = kt_session_plan(r->session);
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	if (kb->causes[cause].would_confirm.len)
		kt_session_fill(r->session, kt_kb_text(kb, kb->causes[cause].would_confirm), cause, &b);
	else if (plan->n)
		kt_step_text(r->session, &plan->steps[0], &b);
	if (b.len)
		kt_row(r, "to be sure", KT_PAINT_PLAIN, kt_buf_view(&b));
	kt_buf_free(&b);
}

static void answer(const struct kt_report *r, enum kt_verdict v, uint32_t cause)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	const struct kt_judgement *j = kt_session_judgement(r->session);
	const struct kt_cause_view *c = &j->causes[cause];

	cause_headline(r, v, cause);
	rerun(r, cause);
	addends(r, "why", c, false);
	addends(r, "against", c, true);
	fact_list(r, "not known", c->open_gates, c->n_open_gates, ": not confirmed until it is");
	fact_list(r, "assumed", c->assumptions, c->n_assumptions,
		  ": the default, as the version is not known");
	add_filled(r, "fix", KT_PAINT_PLAIN, kt_kb_text(kb, kb->causes[cause].fix_text), cause);
	if (kb->causes[cause].tradeoff.len)
		add_filled(r, "cost", KT_PAINT_PLAIN, kt_kb_text(kb, kb->causes[cause].tradeoff), cause);
	if (v != KT_CONFIRMED)
		to_be_sure(r, cause);
}

static void candidates(const struct kt_report *r)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	const struct kt_judgement *j = kt_session_judgement(r->session);

	for (size_t i = 0; i < j->n_evoked && i < OTHERS_MAX; i++) {
		const struct kt_cause *c = &kb->causes[j->evoked[i]];
		struct kt_buf b = KT_BUF(KT_BUF_TEXT);
		kt_buf_fmt(&b, KT_FMT ": " KT_FMT, KT_ARG(kt_kb_text(kb, c->id)),
			   KT_ARG(kt_kb_text(kb, c->title)));
		if (r->verbose) {
			kt_buf_str(&b, " (");
			kt_buf_fixed(&b, j->causes[j->evoked[i]].p_milli, 3);
			kt_add_db(r, &b, j->causes[j->evoked[i]].s_ddb);
			kt_buf_char(&b, ')');
		}
		kt_blanks(r->out, 2);
		kt_wrap(r->out, r->style, KT_PAINT_PLAIN, kt_buf_view(&b), 2, 6);
		kt_buf_char(r->out, '\n');
		kt_buf_free(&b);
		if (j->causes[j->evoked[i]].n_addends)
			one_addend(r, "why", &j->causes[j->evoked[i]].addends[0]);
		rerun(r, j->evoked[i]);
	}
}

static void conflicts(const struct kt_report *r)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	const struct kt_judgement *j = kt_session_judgement(r->session);

	for (size_t i = 0; j->open_conflict && i < j->n_conflicts; i++) {
		const struct kt_conflict *c = &j->conflicts[i];
		if (c->excluded_cause != KT_NIL)
			kt_row_fmt(r, "conflict", KT_PAINT_WARN,
				   "the evidence speaks for " KT_FMT ", which an answer excludes (" KT_FMT
				   ")",
				   KT_ARG(kt_cause_id(kb, c->excluded_cause)),
				   KT_ARG(kt_kb_text(kb, kb->causes[c->excluded_cause].gate_text)));
		else
			kt_row_fmt(r, "conflict", KT_PAINT_WARN,
				   "evidence for " KT_FMT " and for " KT_FMT
				   " does not fit one cause: set one aside",
				   KT_ARG(c->fix_a), KT_ARG(c->fix_b));
	}
}

static void problems(const struct kt_report *r)
{
	const struct kt_judgement *j = kt_session_judgement(r->session);

	kt_line(r, KT_PAINT_HEAD, "%zu problems, in the order they appear", j->n_problems);
	for (size_t i = 0; i < j->n_problems; i++)
		answer(r, j->problems[i].verdict, j->problems[i].cause);
}

static void unexplained(const struct kt_report *r)
{
	const struct kt_judgement *j = kt_session_judgement(r->session);
	size_t n;
	const struct kt_obs *obs = kt_session_obs(r->session, &n);

	for (size_t i = 0; i < j->n_unexplained && i < OTHERS_MAX; i++)
		for (size_t k = 0; k < n; k++)
			if (obs[k].kind == KT_OBS_FATAL && obs[k].rec == j->unexplained[i]) {
				kt_row_fmt(r, i ? "" : "unexplained", KT_PAINT_PLAIN, KT_FMT "  " KT_FMT,
					   KT_ARG(obs[k].source), KT_ARG(obs[k].text));
				break;
			}
}

static void not_known(const struct kt_report *r)
{
	const struct kt_judgement *j = kt_session_judgement(r->session);

	headline(r, KT_NOT_KNOWN, "no cause of these packs is supported well enough by what was read");
	unexplained(r);
	kt_row(r, "re-run", KT_PAINT_WARN,
	       KT_S("not known to be safe: nothing says what was written so far"));
	if (j->n_evoked) {
		kt_line(r, KT_PAINT_DIM, "  weakly supported:");
		candidates(r);
	}
	if (r->talking && kt_session_plan(r->session)->n)
		kt_line(r, KT_PAINT_DIM, "  report says what to collect");
	else if (!kt_report_nothing_read(r->session))
		kt_report_collect(r);
}

static void healthy(const struct kt_report *r)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	const struct kt_judgement *j = kt_session_judgement(r->session);

	headline(r, KT_HEALTHY, "no fatal record and no sign of a known cause in what was read");
	for (size_t i = 0; i < j->n_not_checked; i++)
		kt_row(r, i ? "" : "not checked", KT_PAINT_WARN,
		       kt_kb_text(kb, kb->checks[j->not_checked[i]].title));
}

/* The first of the commands that failed for the same reason, and were not done later. */
static bool failed_first(const struct kt_command_view *c, size_t n, size_t at)
{
	bool first = c[at].state == KT_CMD_FAILED;

	for (size_t i = 0; first && i < at; i++)
		first = c[i].state != KT_CMD_FAILED || !kt_str_eq(c[i].reason, c[at].reason);
	for (size_t i = at + 1; first && i < n; i++)
		first = c[i].state != KT_CMD_DONE || !kt_str_eq(c[i].text, c[at].text);
	return first;
}

static void not_answered(const struct kt_report *r)
{
	size_t n, shown = 0;
	const struct kt_command_view *c = kt_session_commands(r->session, &n);

	for (size_t i = 0; i < n && shown < OTHERS_MAX; i++) {
		size_t same = 0;
		if (!failed_first(c, n, i))
			continue;
		for (size_t k = i; k < n; k++)
			same += c[k].state == KT_CMD_FAILED && kt_str_eq(c[k].reason, c[i].reason);
		kt_row_fmt(r, shown++ ? "" : "no answer", KT_PAINT_WARN, "to %zu command%s: " KT_FMT, same,
			   kt_plural(same), KT_ARG(c[i].reason));
	}
}

static void always(const struct kt_report *r)
{
	size_t n;
	const struct kt_input_view *in = kt_session_inputs(r->session, &n);

	rests_on(r);
	for (size_t i = 0; i < n; i++)
		if (!in[i].complete)
			kt_row_fmt(r, "not read", KT_PAINT_WARN, KT_FMT ": " KT_FMT, KT_ARG(in[i].name),
				   KT_ARG(in[i].problem));
	not_answered(r);
	const struct kt_str *limits = kt_session_inconclusive(r->session, &n);
	for (size_t i = 0; i < n; i++)
		kt_row_fmt(r, "inconclusive", KT_PAINT_WARN, KT_FMT, KT_ARG(limits[i]));
}

static void advice(const struct kt_report *r)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	const struct kt_judgement *j = kt_session_judgement(r->session);

	for (uint32_t i = 0; i < kb->n_notes; i++) {
		const struct kt_note *note = &kb->notes[i];
		union {
			const struct kt_judgement *in;
			void *out;
		} ctx = {.in = j};
		if (note->kind != KT_NOTE_ADVICE || note->cond == KT_NIL ||
		    kt_cond_eval(kb, note->cond, kt_judge_value, ctx.out) != KT_TRUE)
			continue;
		add_filled(r, "also", KT_PAINT_PLAIN, kt_kb_text(kb, note->text), KT_NIL);
	}
}

void kt_report_verdict(const struct kt_report *r)
{
	const struct kt_judgement *j = kt_session_judgement(r->session);

	if (j->n_problems)
		problems(r);
	else if (j->verdict <= KT_LIKELY)
		answer(r, j->verdict, j->lead);
	else if (j->verdict == KT_AMBIGUOUS) {
		headline(r, KT_AMBIGUOUS, j->n_evoked > 1 ? "between" : "the leading cause needs more");
		candidates(r);
	} else if (j->verdict == KT_NOT_KNOWN)
		not_known(r);
	else
		healthy(r);
	conflicts(r);
	always(r);
	advice(r);
}

void kt_report_text(const struct kt_report *r)
{
	const struct kt_judgement *j = kt_session_judgement(r->session);

	kt_report_inputs(r);
	kt_buf_char(r->out, '\n');
	kt_report_verdict(r);
	if (j->verdict != KT_CONFIRMED && j->verdict != KT_HEALTHY)
		kt_report_next(r, SEPARATE_MAX);
}
