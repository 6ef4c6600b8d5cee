/* The answer of rules eval, as text and as JSON. */
#include "author/eval.h"

#include <stdlib.h>

#include "json/write.h"

#include "base/banned.h"

#define LAST (KT_N_PHASES - 1)

/* ---- questions and commands ---- */

struct spread {
	uint32_t median2, most; /* the median doubled, so that it is whole */
	uint64_t sum;
};

static int by_size(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static struct spread spread_of(const struct kt_eval *e, enum kt_phase phase, struct kt_arena *a)
{
	uint32_t *asked = KT_NEW_N(a, uint32_t, e->n + 1);
	struct spread s = {0};

	if (!e->n)
		return s;
	for (size_t i = 0; i < e->n; i++) {
		asked[i] = e->cases[i].at[phase].questions;
		s.sum += e->cases[i].at[phase].commands;
	}
	qsort(asked, e->n, sizeof *asked, by_size);
	s.median2 = asked[(e->n - 1) / 2] + asked[e->n / 2];
	s.most = asked[e->n - 1];
	return s;
}

/* ---- groups of cases that are alike ---- */

struct group {
	enum kt_outcome outcome;
	struct kt_str fidelity;
	struct kt_tally t;
	size_t fair; /* right, or not committed */
};

static int by_name(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->outcome != y->outcome)
		return x->outcome < y->outcome ? -1 : 1;
	return kt_str_cmp(x->fidelity, y->fidelity);
}

static struct group *groups_of(const struct kt_eval *e, enum kt_phase phase, struct kt_arena *a, size_t *n)
{
	struct group *g = KT_NEW_N(a, struct group, e->n + 1);

	*n = 0;
	for (size_t i = 0; i < e->n; i++) {
		const struct kt_label *l = e->cases[i].label;
		struct kt_marks m = kt_eval_marks(e->kb, l, &e->cases[i].at[phase]);
		size_t k = 0;
		while (k < *n && !(g[k].outcome == l->outcome && kt_str_eq(g[k].fidelity, l->fidelity)))
			k++;
		if (k == *n)
			g[(*n)++] = (struct group){.outcome = l->outcome, .fidelity = l->fidelity};
		kt_tally_add(&g[k].t, l, &m);
		g[k].fair += !m.committed || m.right;
	}
	if (*n)
		qsort(g, *n, sizeof *g, by_name);
	return g;
}

/* ---- text ---- */

static void add_phase(const struct kt_eval *e, enum kt_phase phase, struct kt_arena *a, struct kt_buf *out)
{
	struct kt_tally t = kt_eval_tally(e, phase);
	struct spread s = spread_of(e, phase, a);

	kt_buf_fmt(out, "%-12s %11zu %9zu %8zu %5zu %7zu %9zu %5zu of %-3zu ", kt_phase_shown(phase), t.first,
		   t.fix, t.three, t.wrong, t.harm, t.abstained, t.novel, t.unknown);
	kt_buf_fixed(out, (int64_t)s.median2 * 5, 1);
	kt_buf_fmt(out, " (max %u) %8llu\n", s.most, (unsigned long long)s.sum);
}

static void add_share(struct kt_buf *out, size_t part, size_t all)
{
	kt_buf_fmt(out, "  %5zu  ", part);
	kt_buf_fixed(out, (int64_t)((part * 2000 + all) / (2 * all)), 1);
	kt_buf_str(out, " %");
}

static void add_groups(const struct kt_eval *e, enum kt_phase phase, struct kt_arena *a, struct kt_buf *out)
{
	size_t n;
	const struct group *g = groups_of(e, phase, a, &n);

	for (size_t i = 0; i < n; i++) {
		kt_buf_fmt(out, "%-12s  %-12.*s %5zu", kt_outcome_word(g[i].outcome), KT_ARG(g[i].fidelity),
			   g[i].t.n);
		add_share(out, g[i].t.first, g[i].t.n);
		add_share(out, g[i].t.three, g[i].t.n);
		add_share(out, g[i].t.right, g[i].t.n);
		add_share(out, g[i].fair, g[i].t.n);
		kt_buf_fmt(out, "  %5zu\n", g[i].t.wrong);
	}
}

/* With none wrong of n the share lies below 3/n, in 95 of 100 such trials. */
static void add_bound(const struct kt_tally *t, struct kt_buf *out)
{
	kt_buf_fmt(out, "confident and wrong: %zu of %zu", t->wrong, t->n);
	if (!t->wrong && t->n > 3) {
		kt_buf_str(out, "; by the rule of three the true share is below ");
		kt_buf_fixed(out, (int64_t)((3000 + t->n - 1) / t->n), 1);
		kt_buf_str(out, " % (95 % sure)");
	}
	kt_buf_char(out, '\n');
}

static void add_mistaken(const struct kt_eval *e, struct kt_arena *a, struct kt_buf *out)
{
	size_t n;
	const struct kt_mistaken *m = kt_eval_mistaken(e, a, &n);

	if (n)
		kt_buf_str(out, "\ntaken for another (expected, first, how often)\n");
	for (size_t i = 0; i < n; i++) {
		kt_buf_fmt(out, "  %-40.*s %-40.*s %zu", KT_ARG(m[i].expected), KT_ARG(m[i].got), m[i].n);
		if (m[i].wrong)
			kt_buf_fmt(out, ", %zu with confidence", m[i].wrong);
		kt_buf_char(out, '\n');
	}
}

void kt_eval_text(const struct kt_eval *e, struct kt_arena *a, struct kt_buf *out)
{
	struct kt_tally last = kt_eval_tally(e, LAST);

	kt_buf_fmt(out, "%zu case%s\n%-12s %11s %9s %8s %5s %7s %9s %12s %-13s %8s\n", e->n,
		   e->n == 1 ? "" : "s", "disclosed", "right first", "right fix", "in three", "wrong",
		   "harmful", "abstained", "novel named", "questions", "commands");
	for (int i = 0; i < KT_N_PHASES; i++)
		add_phase(e, (enum kt_phase)i, a, out);
	kt_buf_fmt(out, "\n%-12s  %-12s %5s  %-14s%-15s%-15s%-16s%s\n", "before questions", "", "cases",
		   "right first", "in three", "right", "right or silent", "wrong");
	add_groups(e, KT_PHASE_CLUSTER, a, out);
	kt_buf_str(out, "after questions\n");
	add_groups(e, LAST, a, out);
	add_bound(&last, out);
	add_mistaken(e, a, out);
}

/* ---- JSON ---- */

static void json_causes(const struct kt_eval *e, const struct kt_found *f, struct kt_jw *w)
{
	kt_jw_open(w, "causes", '[');
	for (size_t i = 0; i < f->n_causes; i++) {
		kt_jw_open(w, NULL, '{');
		kt_jw_str(w, "id", kt_kb_text(e->kb, e->kb->causes[f->causes[i]].id));
		kt_jw_fixed(w, "probability", f->p_milli[i], 3);
		kt_jw_close(w);
	}
	kt_jw_close(w);
}

static void json_phase(const struct kt_eval *e, const struct kt_eval_case *c, enum kt_phase phase,
		       struct kt_jw *w)
{
	const struct kt_found *f = &c->at[phase];
	struct kt_marks m = kt_eval_marks(e->kb, c->label, f);

	kt_jw_open(w, kt_phase_word(phase), '{');
	kt_jw_str(w, "verdict", kt_str_c(kt_verdict_json(f->verdict)));
	json_causes(e, f, w);
	kt_jw_bool(w, "right", m.right);
	kt_jw_bool(w, "right_first", m.first);
	kt_jw_bool(w, "in_three", m.three);
	kt_jw_bool(w, "wrong", m.wrong);
	kt_jw_int(w, "questions", f->questions);
	kt_jw_int(w, "commands", f->commands);
	kt_jw_close(w);
}

static void json_case(const struct kt_eval *e, const struct kt_eval_case *c, struct kt_jw *w)
{
	kt_jw_open(w, NULL, '{');
	kt_jw_str(w, "case", c->label->name);
	kt_jw_str(w, "outcome", kt_str_c(kt_outcome_word(c->label->outcome)));
	kt_jw_str_or_null(w, "fidelity", c->label->fidelity);
	kt_jw_open(w, "expected", '[');
	for (size_t i = 0; i < c->label->expected.n; i++)
		kt_jw_str(w, NULL, c->label->expected.at[i]);
	kt_jw_close(w);
	kt_jw_str(w, "verdict", kt_str_c(kt_verdict_json(c->at[LAST].verdict)));
	kt_jw_str(w, "first", kt_eval_first_id(e, &c->at[LAST]));
	kt_jw_open(w, "phases", '{');
	for (int i = 0; i < KT_N_PHASES; i++)
		json_phase(e, c, (enum kt_phase)i, w);
	kt_jw_close(w);
	kt_jw_close(w);
}

static void json_total(const struct kt_eval *e, enum kt_phase phase, struct kt_arena *a, struct kt_jw *w)
{
	struct kt_tally t = kt_eval_tally(e, phase);
	struct spread s = spread_of(e, phase, a);

	kt_jw_open(w, kt_phase_word(phase), '{');
	kt_jw_int(w, "cases", (int64_t)t.n);
	kt_jw_int(w, "right_first", (int64_t)t.first);
	kt_jw_int(w, "right_fix", (int64_t)t.fix);
	kt_jw_int(w, "in_three", (int64_t)t.three);
	kt_jw_int(w, "wrong", (int64_t)t.wrong);
	kt_jw_int(w, "harmful", (int64_t)t.harm);
	kt_jw_int(w, "abstained", (int64_t)t.abstained);
	kt_jw_int(w, "novel", (int64_t)t.unknown);
	kt_jw_int(w, "novel_named", (int64_t)t.novel);
	kt_jw_int(w, "right", (int64_t)t.right);
	kt_jw_fixed(w, "questions_median", (int64_t)s.median2 * 5, 1);
	kt_jw_int(w, "questions_max", s.most);
	kt_jw_int(w, "commands", (int64_t)s.sum);
	kt_jw_close(w);
}

void kt_eval_json(const struct kt_eval *e, struct kt_arena *a, struct kt_buf *out)
{
	struct kt_jw w = {.out = out};
	size_t n;
	const struct kt_mistaken *m = kt_eval_mistaken(e, a, &n);

	kt_jw_open(&w, NULL, '{');
	kt_jw_str(&w, "schema", KT_S("ktriage.eval/1"));
	kt_jw_open(&w, "totals", '{');
	for (int i = 0; i < KT_N_PHASES; i++)
		json_total(e, (enum kt_phase)i, a, &w);
	kt_jw_close(&w);
	kt_jw_open(&w, "mistaken", '[');
	for (size_t i = 0; i < n; i++) {
		kt_jw_open(&w, NULL, '{');
		kt_jw_str(&w, "expected", m[i].expected);
		kt_jw_str(&w, "first", m[i].got);
		kt_jw_int(&w, "cases", (int64_t)m[i].n);
		kt_jw_int(&w, "wrong", (int64_t)m[i].wrong);
		kt_jw_close(&w);
	}
	kt_jw_close(&w);
	kt_jw_open(&w, "cases", '[');
	for (size_t i = 0; i < e->n; i++)
		json_case(e, &e->cases[i], &w);
	kt_jw_close(&w);
	kt_jw_close(&w);
	kt_buf_char(out, '\n');
}
