/* Case folders through a session. */
#include "author/author.h"
#include "author/case.h"
#include "author/trial.h"
#include "rules/keys.h"
#include "term/signals.h"

#include "base/banned.h"

#define SHOWN_CAUSES 4

struct runner {
	const struct kt_kb *kb;
	struct kt_trial trial;
	struct kt_buf *out;
	size_t passed, failed;
};

/* ---- running one case ---- */

/* Answers first: in a run they would be asked for, in any order. */
static int feed(struct runner *r, struct kt_session *s, const struct kt_case *c, struct kt_err *err)
{
	for (size_t i = 0; i < c->n_answers; i++)
		if (kt_session_set(s, c->answers[i].fact, c->answers[i].value, KT_ANSWER, err) < 0)
			return -1;
	for (size_t i = 0; i < c->n_inputs; i++)
		if (kt_session_scan(s, c->inputs[i].p, err) < 0)
			return -1;
	if (c->cluster.len && kt_trial_connect(&r->trial, s, c->cluster, err) < 0)
		return -1;
	return kt_session_go(s, err);
}

/* ---- judging it ---- */

static struct kt_str id_of(const struct runner *r, uint32_t cause)
{
	return cause == KT_NIL ? KT_S("nothing") : kt_kb_text(r->kb, r->kb->causes[cause].id);
}

static bool is_answer(const struct runner *r, const struct kt_judgement *j, struct kt_str cause)
{
	return kt_trial_is_answer(j, kt_kb_cause(r->kb, cause));
}

static bool leads(const struct runner *r, const struct kt_judgement *j, struct kt_str cause)
{
	return (j->lead != KT_NIL && kt_str_eq(id_of(r, j->lead), cause)) || is_answer(r, j, cause);
}

static void add_verdicts(struct kt_buf *out, uint32_t verdicts)
{
	const char *sep = "";

	for (uint32_t i = 0; kt_words_verdict[i]; i++) {
		if (!(verdicts & 1u << i))
			continue;
		kt_buf_fmt(out, "%s%s", sep, kt_words_verdict[i]);
		sep = " or ";
	}
}

/* What is wrong, one clause each; nothing when all is as expected. */
static void judge(const struct runner *r, const struct kt_case *c, const struct kt_judgement *j,
		  struct kt_buf *why)
{
	uint32_t some_lead = 1u << KT_CONFIRMED | 1u << KT_LIKELY | 1u << KT_AMBIGUOUS;
	uint32_t verdicts = c->verdicts ? c->verdicts : c->kind == KT_CASE_QUIET ? UINT32_MAX : some_lead;

	if (!(verdicts & 1u << j->verdict)) {
		kt_buf_fmt(why, "  verdict %s instead of ", kt_verdict_json(j->verdict));
		add_verdicts(why, verdicts);
		kt_buf_char(why, '\n');
	}
	if (c->first.len && !leads(r, j, c->first))
		kt_buf_fmt(why, "  " KT_FMT " leads instead of " KT_FMT "\n", KT_ARG(id_of(r, j->lead)),
			   KT_ARG(c->first));
	if (c->kind == KT_CASE_QUIET && is_answer(r, j, c->cause))
		kt_buf_fmt(why, "  " KT_FMT " is the answer and should be quiet\n", KT_ARG(c->cause));
	for (size_t i = 0; i < c->n_never; i++)
		if (is_answer(r, j, c->never[i]))
			kt_buf_fmt(why, "  " KT_FMT " is the answer and must never be\n",
				   KT_ARG(c->never[i]));
}

static void add_gates(const struct runner *r, const struct kt_cause_view *v, struct kt_buf *out)
{
	for (size_t i = 0; i < v->n_open_gates; i++)
		kt_buf_fmt(out, "%s" KT_FMT, i ? ", " : "; not known: ",
			   KT_ARG(kt_kb_text(r->kb, r->kb->facts[v->open_gates[i]].id)));
}

static void add_evoked(const struct runner *r, const struct kt_judgement *j, struct kt_buf *out)
{
	for (size_t i = 0; i < j->n_evoked && i < SHOWN_CAUSES; i++) {
		const struct kt_cause_view *v = &j->causes[j->evoked[i]];
		kt_buf_str(out, "    ");
		kt_buf_fixed(out, v->p_milli, 3);
		kt_buf_fmt(out, " " KT_FMT, KT_ARG(id_of(r, v->cause)));
		add_gates(r, v, out);
		kt_buf_char(out, '\n');
	}
	kt_buf_str(out, "    ");
	kt_buf_fixed(out, j->other_p_milli, 3);
	kt_buf_str(out, " none that is known\n");
	if (j->open_conflict)
		kt_buf_str(out, "    with an open conflict\n");
}

/* An expected cause that a gate excludes is the usual surprise. */
static void add_excluded(const struct runner *r, const struct kt_case *c, const struct kt_judgement *j,
			 struct kt_buf *out)
{
	uint32_t cause = kt_kb_cause(r->kb, c->first.len ? c->first : c->cause);

	if (cause != KT_NIL && j->causes[cause].excluded)
		kt_buf_fmt(out, "    " KT_FMT " is excluded by its gate: " KT_FMT "\n",
			   KT_ARG(id_of(r, cause)),
			   KT_ARG(kt_kb_text(r->kb, r->kb->causes[cause].gate_text)));
}

/* A case of which nothing could be read proves nothing. */
static void unread(struct kt_session *s, struct kt_buf *why)
{
	size_t n;
	const struct kt_input_view *in = kt_session_inputs(s, &n);

	for (size_t i = 0; i < n; i++)
		if (!in[i].complete && !in[i].records)
			kt_buf_fmt(why, "  " KT_FMT ": " KT_FMT "\n", KT_ARG(in[i].name),
				   KT_ARG(in[i].problem));
}

static void add_problems(struct kt_session *s, struct kt_buf *why)
{
	size_t n;
	const struct kt_input_view *in = kt_session_inputs(s, &n);

	for (size_t i = 0; i < n; i++)
		if (!in[i].complete && in[i].records)
			kt_buf_fmt(why, "    " KT_FMT ": " KT_FMT "\n", KT_ARG(in[i].name),
				   KT_ARG(in[i].problem));
}

static void run_in(struct runner *r, struct kt_session *s, const struct kt_case *c, struct kt_buf *why)
{
	struct kt_err err = {0};

	if (feed(r, s, c, &err) < 0) {
		kt_buf_fmt(why, "  %s\n", err.text);
		return;
	}
	const struct kt_judgement *j = kt_session_judgement(s);
	unread(s, why);
	judge(r, c, j, why);
	if (!why->len)
		return;
	add_problems(s, why);
	add_evoked(r, j, why);
	add_excluded(r, c, j, why);
}

static void run_case(struct runner *r, const struct kt_case *c)
{
	struct kt_buf why = KT_BUF(KT_BUF_TEXT);
	struct kt_err err = {0};
	struct kt_session *s = kt_trial_session(&r->trial, &err);

	if (!s)
		kt_buf_fmt(&why, "  %s\n", err.text);
	else
		run_in(r, s, c, &why);
	if (why.len)
		kt_buf_fmt(r->out, "FAILED " KT_FMT "\n" KT_FMT, KT_ARG(c->path), KT_ARG(kt_buf_view(&why)));
	*(why.len ? &r->failed : &r->passed) += 1;
	kt_buf_free(&why);
}

/* ---- all ---- */

/* "write." or "write.x" or "write.x/fires" */
static bool is_wanted(const struct kt_case *c, struct kt_str only)
{
	struct kt_buf name = KT_BUF(KT_BUF_NAME);

	kt_buf_fmt(&name, KT_FMT "/" KT_FMT, KT_ARG(c->cause), KT_ARG(c->name));
	bool wanted = kt_str_starts(kt_buf_view(&name), only);
	kt_buf_free(&name);
	return wanted;
}

static int run_all(const struct kt_kb *kb, const struct kt_cases *cases, struct kt_str only,
		   struct kt_buf *out, struct kt_err *err)
{
	struct runner r = {.kb = kb, .trial = {.kb = kb}, .out = out};

	for (size_t i = 0; i < cases->n; i++) {
		const struct kt_case *c = &cases->at[i];
		if (!is_wanted(c, only))
			continue;
		if (kt_signal_cancelled())
			break;
		if (c->bad)
			r.failed++;
		else
			run_case(&r, c);
	}
	kt_trial_free(&r.trial);
	if (kt_signal_cancelled())
		return kt_err_set(err, KT_ERR_CANCELLED, "cancelled after %zu cases", r.passed + r.failed);
	kt_buf_fmt(out, "%zu passed, %zu failed\n", r.passed, r.failed);
	if (r.failed)
		return kt_err_set(err, KT_ERR_RULES, "%zu case%s failed", r.failed, r.failed == 1 ? "" : "s");
	if (!r.passed)
		return kt_err_set(err, KT_ERR_USAGE, "no case begins with \"" KT_FMT "\"", KT_ARG(only));
	return 0;
}

static int test(const struct kt_author_opts *o, const struct kt_rules_hooks *hooks, struct kt_buf *out,
		struct kt_err *err)
{
	struct kt_arena arena = {0};
	struct kt_diags diags = {0};
	struct kt_cases cases = {0};
	struct kt_rules *rules = NULL;
	struct kt_str dir = o->cases ? kt_str_c(o->cases) : kt_arena_fmt(&arena, "%s/cases", o->dir);
	int rc = kt_rules_open(o->dir, hooks, &rules, &diags, err);

	if (rc == 0)
		rc = kt_cases_read(dir.p, &arena, &diags, &cases, err);
	kt_diags_sort(&diags);
	kt_diags_format(&diags, out);
	if (rc == 0)
		rc = run_all(rules->kb, &cases, o->only, out, err);
	kt_cases_free(&cases);
	kt_rules_free(rules);
	kt_diags_free(&diags);
	kt_arena_free(&arena);
	return rc;
}

int kt_author_test(const struct kt_author_opts *o, struct kt_buf *out, struct kt_err *err)
{
	return kt_author_hooked(o, test, out, err);
}
