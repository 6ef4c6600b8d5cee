/* One session for each case, phase by phase. */
#include "author/eval.h"
#include "term/signals.h"

#include "base/banned.h"

struct person {
	struct kt_session *s;
	const struct kt_label *l;
	bool open; /* may be asked */
	uint32_t asked;
};

/* Asks until there is a verdict: LIKELY is one. */
static bool answer(void *ctx, uint32_t fact, struct kt_str *value)
{
	struct person *p = ctx;
	const struct kt_kb *kb = kt_session_kb(p->s);

	if (!p->open || kt_trial_sure(kt_session_judgement(p->s)))
		return false;
	p->asked++;
	*value = KT_S("unknown");
	for (size_t i = 0; i < p->l->n_answers; i++)
		if (kt_str_eq(p->l->answers[i].fact, kt_kb_text(kb, kb->facts[fact].id)))
			*value = p->l->answers[i].value;
	return true;
}

static void note_answers(const struct kt_judgement *j, struct kt_arena *a, struct kt_found *f)
{
	if (!kt_trial_sure(j))
		return;
	f->answers = KT_NEW_N(a, uint32_t, j->n_problems + 1);
	for (size_t i = 0; i < j->n_problems; i++)
		f->answers[f->n_answers++] = j->problems[i].cause;
	if (!f->n_answers)
		f->answers[f->n_answers++] = j->lead;
}

static struct kt_found look(struct person *p, struct kt_arena *a)
{
	const struct kt_judgement *j = kt_session_judgement(p->s);
	struct kt_found f = {.verdict = j->verdict, .questions = p->asked};
	size_t n_commands;
	const struct kt_command_view *commands = kt_session_commands(p->s, &n_commands);

	for (size_t i = 0; i < n_commands; i++)
		f.commands += commands[i].state == KT_CMD_DONE;
	for (size_t i = 0; i < j->n_evoked && f.n_causes < KT_FOUND_CAUSES; i++) {
		f.causes[f.n_causes] = j->causes[j->evoked[i]].cause;
		f.p_milli[f.n_causes++] = j->causes[j->evoked[i]].p_milli;
	}
	note_answers(j, a, &f);
	return f;
}

/* What a phase discloses. */
static int disclose(struct kt_trial *t, struct person *p, enum kt_phase phase, struct kt_err *err)
{
	const struct kt_label *l = p->l;

	switch (phase) {
	case KT_PHASE_ERROR: return l->error.len ? kt_session_scan(p->s, l->error.p, err) : 0;
	case KT_PHASE_LOGS:
		for (size_t i = 0; i < l->logs.n; i++)
			if (kt_session_scan(p->s, l->logs.at[i].p, err) < 0)
				return -1;
		return 0;
	case KT_PHASE_CLUSTER:
		if (l->cluster.len && kt_trial_connect(t, p->s, l->cluster, err) < 0)
			return -1;
		return kt_session_go(p->s, err);
	default: p->open = true; return kt_session_go(p->s, err);
	}
}

static int run_case(struct kt_trial *t, const struct kt_label *l, struct kt_arena *a, struct kt_eval_case *c,
		    struct kt_err *err)
{
	struct person *p = t->ui_ctx;
	int rc = 0;

	*p = (struct person){.s = kt_trial_session(t, err), .l = l};
	if (!p->s)
		return -1;
	c->label = l;
	for (int i = 0; rc == 0 && i < KT_N_PHASES; i++) {
		rc = disclose(t, p, (enum kt_phase)i, err);
		if (rc == 0)
			c->at[i] = look(p, a);
	}
	return rc;
}

int kt_eval_run(const struct kt_kb *kb, const struct kt_labels *labels, struct kt_arena *a,
		struct kt_diags *d, struct kt_eval *out, struct kt_err *err)
{
	const struct kt_ui ui = {.ask = answer};
	struct person person = {.asked = 0};
	struct kt_trial trial = {.kb = kb, .ui = &ui, .ui_ctx = &person};

	*out = (struct kt_eval){.kb = kb, .cases = KT_NEW_N(a, struct kt_eval_case, labels->n + 1)};
	for (size_t i = 0; i < labels->n && !kt_signal_cancelled(); i++) {
		struct kt_err fault = {0};
		if (run_case(&trial, &labels->at[i], a, &out->cases[out->n], &fault) == 0)
			out->n++;
		else
			kt_diags_add(d, KT_DIAG_ERROR, labels->at[i].at, NULL, "case " KT_FMT ": %s",
				     KT_ARG(labels->at[i].name), fault.text);
	}
	kt_trial_free(&trial);
	if (kt_signal_cancelled())
		return kt_err_set(err, KT_ERR_CANCELLED, "cancelled after %zu cases", out->n);
	return 0;
}
