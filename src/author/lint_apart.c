/* Causes that one text evokes: found by running the cases. Can a check tell them apart? */
#include "author/lint.h"

#include <stdlib.h>

#include "author/trial.h"

#include "base/banned.h"

#define COUNTS 100 /* tenths of a decibel between two causes */

struct apart {
	struct kt_lint *l;
	const struct kt_judgement *j;
	const struct kt_case *c;
};

/* ---- one pair ---- */

static bool was_hit(const struct apart *p, uint32_t cause, uint32_t evidence)
{
	const struct kt_cause_view *v = &p->j->causes[cause];

	for (size_t i = 0; i < v->n_addends; i++)
		if (v->addends[i].evidence == evidence)
			return true;
	return false;
}

static const struct kt_evidence *item_of(const struct kt_kb *kb, uint32_t cause, uint32_t item)
{
	struct kt_span s = kb->causes[cause].evidence;

	for (uint32_t i = s.at; i < s.at + s.n; i++)
		if (kb->evidence[i].item == item)
			return &kb->evidence[i];
	return NULL;
}

static int present(const struct kt_evidence *e)
{
	return e ? kt_weight_ddb((enum kt_weight)e->weight) : 0;
}

static int absent(const struct kt_evidence *e)
{
	return e ? kt_weight_ddb((enum kt_weight)e->absent) : 0;
}

/* An item of A, not yet hit, that moves A and B apart when it is present or absent. */
static bool has_separator(const struct apart *p, uint32_t a, uint32_t b)
{
	const struct kt_kb *kb = p->l->kb;
	struct kt_span s = kb->causes[a].evidence;

	for (uint32_t i = s.at; i < s.at + s.n; i++) {
		const struct kt_evidence *mine = &kb->evidence[i], *other = item_of(kb, b, mine->item);
		if (!was_hit(p, a, i) && (abs(present(mine) - present(other)) >= COUNTS ||
					  abs(absent(mine) - absent(other)) >= COUNTS))
			return true;
	}
	return false;
}

/* Some values of facts leave one possible and exclude the other. */
static bool gates_separate(struct kt_lint *l, uint32_t a, uint32_t b)
{
	uint32_t x = l->kb->causes[a].gate, y = l->kb->causes[b].gate;

	if (x == y)
		return false;
	return (y != KT_NIL && kt_lint_satisfiable(l, x, y, true)) ||
	       (x != KT_NIL && kt_lint_satisfiable(l, y, x, true));
}

static bool needs_no_check(const struct kt_kb *kb, uint32_t a, uint32_t b)
{
	return kb->causes[a].carrier || kb->causes[b].carrier || kt_lint_are_twins(kb, a, b) ||
	       kt_str_eq(kt_kb_fix(kb, a), kt_kb_fix(kb, b));
}

static void look_at_pair(struct apart *p, uint32_t a, uint32_t b)
{
	const struct kt_kb *kb = p->l->kb;
	bool *told = &p->l->told[(size_t)a * kb->n_causes + b];

	if (*told || needs_no_check(kb, a, b))
		return;
	if (has_separator(p, a, b) || has_separator(p, b, a) || gates_separate(p->l, a, b))
		return;
	*told = true;
	kt_lint_say(
		p->l, KT_LINT_INSEPARABLE, p->l->causes[b], kt_lint_at(p->l->causes[b], "id"),
		"give one of them a show:, an ask:, a text or a gate that the other has not; or accept it "
		"with twins:",
		"no check tells " KT_FMT " from " KT_FMT " once both are evoked, as by " KT_FMT "/" KT_FMT,
		KT_ARG(kt_kb_text(kb, kb->causes[b].id)), KT_ARG(kt_kb_text(kb, kb->causes[a].id)),
		KT_ARG(p->c->cause), KT_ARG(p->c->name));
}

/* ---- all cases ---- */

static void look_at_case(struct apart *p, struct kt_session *s)
{
	struct kt_err err = {0};

	for (size_t i = 0; i < p->c->n_inputs; i++)
		if (kt_session_scan(s, p->c->inputs[i].p, &err) < 0)
			return; /* test tells it */
	p->j = kt_session_judgement(s);
	for (size_t i = 0; i < p->j->n_evoked; i++)
		for (size_t k = 0; k < p->j->n_evoked; k++)
			if (p->j->evoked[i] < p->j->evoked[k])
				look_at_pair(p, p->j->evoked[i], p->j->evoked[k]);
}

void kt_lint_apart(struct kt_lint *l)
{
	struct apart p = {.l = l};

	struct kt_trial trial = {.kb = l->kb};

	for (size_t i = 0; i < l->cases->n; i++) {
		struct kt_err err = {0};
		p.c = &l->cases->at[i];
		struct kt_session *s = p.c->bad || !p.c->n_inputs ? NULL : kt_trial_session(&trial, &err);
		if (s)
			look_at_case(&p, s);
	}
	kt_trial_free(&trial);
}
