/* Can what a cause rests on be collected while the cause is possible? */
#include "author/lint.h"

#include "base/banned.h"

static bool can_be_known(const struct kt_kb *kb, uint32_t fact)
{
	return kb->facts[fact].ask.len || kt_lint_is_learned(kb, fact);
}

/* Asked while the gate holds, or learned without asking. */
static bool ask_reaches(struct kt_lint *l, uint32_t fact, uint32_t gate)
{
	const struct kt_fact *f = &l->kb->facts[fact];

	return kt_lint_is_learned(l->kb, fact) ||
	       (f->ask.len && kt_lint_satisfiable(l, f->when, gate, false));
}

static bool check_reaches(const struct kt_kb *kb, const struct kt_check *k, uint32_t *missing)
{
	for (uint32_t i = 0; i < k->needs.n; i++) {
		*missing = kb->fact_refs[k->needs.at + i];
		if (!can_be_known(kb, *missing))
			return false;
	}
	return true;
}

static void look_at_item(struct kt_lint *l, uint32_t cause, const struct kt_item *item)
{
	const struct kt_kb *kb = l->kb;
	struct kt_place at = kt_lint_at(l->causes[cause], "evidence");
	uint32_t missing;

	bool possible = kt_lint_satisfiable(l, kb->causes[cause].gate, KT_NIL, false);
	if (item->kind == KT_ITEM_ASK && possible && !ask_reaches(l, item->fact, kb->causes[cause].gate))
		kt_lint_say(l, KT_LINT_UNREACHABLE_ITEM, l->causes[cause], at, NULL,
			    "whenever " KT_FMT " may be asked, the gate of this cause is false",
			    KT_ARG(kt_kb_text(kb, kb->facts[item->fact].id)));
	if (item->kind == KT_ITEM_SHOW && !check_reaches(kb, &kb->checks[item->check], &missing))
		kt_lint_say(l, KT_LINT_UNREACHABLE_ITEM, l->causes[cause], at, NULL,
			    "check " KT_FMT " needs " KT_FMT ", which nobody can know",
			    KT_ARG(kt_kb_text(kb, kb->checks[item->check].id)),
			    KT_ARG(kt_kb_text(kb, kb->facts[missing].id)));
}

/* ---- questions ---- */

struct mention {
	uint32_t fact;
	bool found;
};

static void see_leaf(void *ctx, const struct kt_node *leaf)
{
	struct mention *m = ctx;

	m->found = m->found || leaf->fact == m->fact;
}

static bool mentions(const struct kt_kb *kb, const struct kt_cause *c, uint32_t fact)
{
	struct mention m = {.fact = fact};

	kt_cond_walk(kb, c->gate, see_leaf, &m);
	for (uint32_t i = 0; i < c->evidence.n; i++) {
		const struct kt_item *item = &kb->items[kb->evidence[c->evidence.at + i].item];
		m.found = m.found || (item->kind == KT_ITEM_ASK && item->fact == fact);
	}
	return m.found;
}

/* Does it tell something about a cause that is possible when it is asked? */
static void look_at_question(struct kt_lint *l, uint32_t fact)
{
	const struct kt_kb *kb = l->kb;
	bool mentioned = false;

	for (uint32_t i = 0; i < kb->n_causes; i++) {
		if (!mentions(kb, &kb->causes[i], fact) ||
		    !kt_lint_satisfiable(l, kb->causes[i].gate, KT_NIL, false))
			continue; /* an impossible gate is told by itself */
		mentioned = true;
		if (kt_lint_satisfiable(l, kb->facts[fact].when, kb->causes[i].gate, false))
			return;
	}
	if (mentioned)
		kt_lint_say(l, KT_LINT_UNREACHABLE_QUESTION, l->facts[fact],
			    kt_lint_at(l->facts[fact], "when"), NULL,
			    "whenever " KT_FMT " may be asked, all causes that it tells of are excluded",
			    KT_ARG(kt_kb_text(kb, kb->facts[fact].id)));
}

void kt_lint_reach(struct kt_lint *l)
{
	const struct kt_kb *kb = l->kb;

	for (uint32_t i = 0; i < kb->n_causes; i++)
		for (uint32_t k = 0; k < kb->causes[i].evidence.n; k++)
			look_at_item(l, i, &kb->items[kb->evidence[kb->causes[i].evidence.at + k].item]);
	for (uint32_t i = 0; i < kb->n_facts; i++)
		if (kb->facts[i].ask.len)
			look_at_question(l, i);
}
