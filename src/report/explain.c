/* how, why, why-not, what-if: explanations of the core in words. */
#include "report/words.h"

#include "base/banned.h"

static const struct kt_obs *observations(const struct kt_report *r, size_t *n)
{
	return kt_session_obs(r->session, n);
}

static void how_addend(const struct kt_report *r, const struct kt_addend *a)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	kt_buf_fmt(&b, KT_FMT, KT_ARG(a->obs ? a->obs->source : KT_S("-")));
	kt_add_db(r, &b, a->ddb);
	kt_buf_fmt(&b, "  " KT_FMT, KT_ARG(kt_addend_text(kb, a)));
	kt_add_times(r, &b, a, " (", ")");
	struct kt_str note = kt_addend_note(kb, a);
	if (note.len)
		kt_buf_fmt(&b, " (" KT_FMT ")", KT_ARG(note));
	if (!a->counted)
		kt_buf_str(&b, " (counts through another item of the same fault)");
	kt_row(r, kt_addend_word(kb, a), a->counted ? KT_PAINT_PLAIN : KT_PAINT_DIM, kt_buf_view(&b));
	kt_buf_free(&b);
}

void kt_report_how(const struct kt_report *r, uint32_t cause)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	const struct kt_judgement *j = kt_session_judgement(r->session);
	const struct kt_cause_view *c = &j->causes[cause];

	kt_line(r, KT_PAINT_HEAD, KT_FMT ": " KT_FMT, KT_ARG(kt_cause_id(kb, cause)),
		KT_ARG(kt_kb_text(kb, kb->causes[cause].title)));
	if (!c->n_addends)
		kt_line(r, KT_PAINT_PLAIN, "  Nothing was seen for it or against it.");
	for (size_t i = 0; i < c->n_addends; i++)
		how_addend(r, &c->addends[i]);
	if (kb->causes[cause].prior != KT_PRIOR_UNCOMMON)
		kt_row(r, "prior", KT_PAINT_DIM,
		       kb->causes[cause].prior == KT_PRIOR_COMMON ? KT_S("a common cause")
								  : KT_S("a rare cause"));
	if (kb->causes[cause].gate_text.len)
		kt_row(r, "only when", KT_PAINT_DIM, kt_kb_text(kb, kb->causes[cause].gate_text));
	if (r->verbose) {
		struct kt_buf b = KT_BUF(128);
		kt_buf_fixed(&b, c->s_ddb, 1);
		kt_buf_str(&b, " dB, probability ");
		kt_buf_fixed(&b, c->p_milli, 3);
		kt_row(r, "sum", KT_PAINT_PLAIN, kt_buf_view(&b));
		kt_buf_free(&b);
	}
}

static unsigned possible(const struct kt_kb *kb, const struct kt_judgement *j)
{
	unsigned n = 0;

	for (uint32_t c = 0; c < kb->n_causes; c++)
		n += !j->causes[c].excluded;
	return n;
}

/* How many causes an answer leaves in the running. */
static void add_left(const struct kt_report *r, uint32_t fact, struct kt_str value, struct kt_buf *out)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	struct kt_judgement then;
	size_t n;
	const struct kt_obs *obs = observations(r, &n);

	kt_what_if(kb, obs, n, fact, value, kt_session_arena(r->session), &then);
	kt_buf_fmt(out, "leaves %u of %u causes", possible(kb, &then),
		   possible(kb, kt_session_judgement(r->session)));
}

void kt_report_why(const struct kt_report *r, uint32_t fact)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	const struct kt_fact *f = &kb->facts[fact];
	struct kt_why why;
	size_t n;
	const struct kt_obs *obs = observations(r, &n);

	kt_why(kb, obs, n, fact, kt_session_arena(r->session), &why);
	if (f->why.len)
		kt_line(r, KT_PAINT_PLAIN, "  " KT_FMT, KT_ARG(kt_kb_text(kb, f->why)));
	const struct kt_plan *plan = kt_session_plan(r->session);
	for (size_t i = 0; i < plan->n; i++)
		if (plan->steps[i].kind == KT_PLAN_ASK && plan->steps[i].fact == fact)
			kt_line(r, KT_PAINT_PLAIN, "  It %s. About %u s.",
				kt_gain_words(plan->steps[i].gain_1024), plan->steps[i].cost_s);
	for (size_t i = 0; i < why.n; i++) {
		const struct kt_why_answer *a = &why.answers[i];
		struct kt_buf b = KT_BUF(KT_BUF_TEXT);
		if (a->lead == KT_NIL)
			add_left(r, fact, a->value, &b);
		else
			kt_buf_fmt(&b, "%s, " KT_FMT, kt_verdict_word(a->verdict),
				   KT_ARG(kt_cause_id(kb, a->lead)));
		if (a->n_excluded)
			kt_buf_fmt(&b, "; excludes %u candidate%s", a->n_excluded, kt_plural(a->n_excluded));
		struct kt_buf label = KT_BUF(200);
		kt_buf_add(&label, a->value);
		kt_row(r, kt_buf_c(&label), KT_PAINT_PLAIN, kt_buf_view(&b));
		kt_buf_free(&label);
		kt_buf_free(&b);
	}
	if (why.n && why.answers[0].lead != KT_NIL && !why.separates)
		kt_line(r, KT_PAINT_DIM,
			"  No answer changes the leading fix by itself; it decides what may be confirmed.");
}

static void needed(const struct kt_report *r, const struct kt_why_not *w)
{
	const struct kt_kb *kb = kt_session_kb(r->session);

	for (size_t i = 0; i < w->n_needed && i < 5; i++) {
		const struct kt_evidence *e = &kb->evidence[w->needed[i]];
		const struct kt_item *item = &kb->items[e->item];
		const char *label = item->kind == KT_ITEM_LOG    ? "a record"
				    : item->kind == KT_ITEM_SHOW ? "a row"
								 : "an answer";
		if (item->kind == KT_ITEM_SHOW)
			kt_row_fmt(r, label, KT_PAINT_PLAIN, KT_FMT ": " KT_FMT " (%s)",
				   KT_ARG(kt_kb_text(kb, kb->checks[item->check].id)),
				   KT_ARG(kt_kb_text(kb, item->text)),
				   kt_weight_word((enum kt_weight)e->weight));
		else
			kt_row_fmt(r, label, KT_PAINT_PLAIN, KT_FMT " (%s)",
				   KT_ARG(kt_kb_text(kb, e->note.len ? e->note : item->text)),
				   kt_weight_word((enum kt_weight)e->weight));
	}
}

void kt_report_why_not(const struct kt_report *r, uint32_t cause)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	const struct kt_judgement *j = kt_session_judgement(r->session);
	struct kt_why_not w;
	size_t n;
	const struct kt_obs *obs = observations(r, &n);
	struct kt_str id = kt_cause_id(kb, cause);

	kt_why_not(kb, obs, n, j, cause, kt_session_arena(r->session), &w);
	switch (w.reason) {
	case KT_WN_LEADS:
		kt_line(r, KT_PAINT_PLAIN, KT_FMT " is the leading cause.", KT_ARG(id));
		kt_report_how(r, cause);
		break;
	case KT_WN_EXCLUDED:
		kt_line(r, KT_PAINT_PLAIN, KT_FMT " is excluded: it happens only when " KT_FMT ".",
			KT_ARG(id), KT_ARG(kt_kb_text(kb, kb->causes[cause].gate_text)));
		for (size_t i = 0; i < w.n_gate_obs; i++)
			kt_row_fmt(r, "but", KT_PAINT_PLAIN, KT_FMT " = " KT_FMT " (" KT_FMT ")",
				   KT_ARG(kt_kb_text(kb, kb->facts[w.gate_obs[i]->fact].id)),
				   KT_ARG(w.gate_obs[i]->value), KT_ARG(w.gate_obs[i]->source));
		break;
	case KT_WN_OUTWEIGHED:
		kt_line(r, KT_PAINT_PLAIN, KT_FMT " has evidence, but " KT_FMT " has more.", KT_ARG(id),
			KT_ARG(kt_cause_id(kb, w.by)));
		kt_report_how(r, cause);
		break;
	case KT_WN_WEAK:
		kt_line(r, KT_PAINT_PLAIN,
			KT_FMT " has some evidence, but not enough to be a candidate. It would need",
			KT_ARG(id));
		needed(r, &w);
		break;
	case KT_WN_UNSUPPORTED:
		kt_line(r, KT_PAINT_PLAIN, "Nothing was seen for " KT_FMT ". It would need", KT_ARG(id));
		needed(r, &w);
		break;
	}
}

void kt_report_what_if(const struct kt_report *r, uint32_t fact, struct kt_str value)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	const struct kt_judgement *j = kt_session_judgement(r->session);
	struct kt_judgement then;
	size_t n;
	const struct kt_obs *obs = observations(r, &n);

	kt_what_if(kb, obs, n, fact, value, kt_session_arena(r->session), &then);
	kt_row_fmt(r, "now", KT_PAINT_PLAIN, "%s  " KT_FMT, kt_verdict_word(j->verdict),
		   KT_ARG(kt_cause_id(kb, j->lead)));
	kt_row_fmt(r, "then", KT_PAINT_HEAD, "%s  " KT_FMT, kt_verdict_word(then.verdict),
		   KT_ARG(kt_cause_id(kb, then.lead)));
	for (uint32_t c = 0; c < kb->n_causes; c++) {
		bool was = j->causes[c].evoked, is = then.causes[c].evoked;
		if (was && then.causes[c].excluded)
			kt_row_fmt(r, "excluded", KT_PAINT_PLAIN, KT_FMT " (" KT_FMT ")",
				   KT_ARG(kt_cause_id(kb, c)),
				   KT_ARG(kt_kb_text(kb, kb->causes[c].gate_text)));
		else if (was != is)
			kt_row_fmt(r, is ? "new" : "gone", KT_PAINT_PLAIN, KT_FMT,
				   KT_ARG(kt_cause_id(kb, c)));
	}
}
