/* Causes beside each other: can they be told apart, can each of them win? */
#include "author/lint.h"

#include <stdlib.h>

#include "base/banned.h"

#define EVOKES 100 /* tenths of a decibel */

static const struct kt_evidence *item_of(const struct kt_kb *kb, const struct kt_cause *c, uint32_t item)
{
	for (uint32_t i = 0; i < c->evidence.n; i++)
		if (kb->evidence[c->evidence.at + i].item == item)
			return &kb->evidence[c->evidence.at + i];
	return NULL;
}

static int weight(const struct kt_evidence *e)
{
	return kt_weight_ddb((enum kt_weight)e->weight);
}

static bool evoke_together(const struct kt_kb *kb, const struct kt_cause *a, const struct kt_cause *b,
			   uint32_t *item)
{
	for (uint32_t i = 0; i < a->evidence.n; i++) {
		const struct kt_evidence *e = &kb->evidence[a->evidence.at + i];
		const struct kt_evidence *other = item_of(kb, b, e->item);
		if (!other || kb->items[e->item].kind != KT_ITEM_LOG || weight(e) < EVOKES ||
		    weight(other) < EVOKES)
			continue;
		*item = e->item;
		return true;
	}
	return false;
}

/* Has A an item that B has not and that counts? */
static bool has_own(const struct kt_kb *kb, const struct kt_cause *a, const struct kt_cause *b)
{
	for (uint32_t i = 0; i < a->evidence.n; i++) {
		const struct kt_evidence *e = &kb->evidence[a->evidence.at + i];
		bool counts = abs(weight(e)) >= EVOKES || kt_weight_ddb((enum kt_weight)e->absent) <= -EVOKES;
		if (counts && !item_of(kb, b, e->item))
			return true;
	}
	return false;
}

static bool names(const struct kt_kb *kb, struct kt_span list, struct kt_str id)
{
	for (uint32_t i = 0; i < list.n; i++)
		if (kt_str_eq(kt_kb_text(kb, kb->strings[list.at + i]), id))
			return true;
	return false;
}

bool kt_lint_are_twins(const struct kt_kb *kb, uint32_t a, uint32_t b)
{
	const struct kt_cause *x = &kb->causes[a], *y = &kb->causes[b];

	return names(kb, x->twins, kt_kb_text(kb, y->id)) || names(kb, y->twins, kt_kb_text(kb, x->id));
}

/* A wrapper yields to what is inside it: they need not be told apart. */
static void check_apart(struct kt_lint *l, uint32_t a, uint32_t b)
{
	const struct kt_kb *kb = l->kb;
	const struct kt_cause *x = &kb->causes[a], *y = &kb->causes[b];
	uint32_t item;

	if (x->carrier || y->carrier || !evoke_together(kb, x, y, &item))
		return;
	if (x->gate != y->gate || has_own(kb, x, y) || has_own(kb, y, x))
		return;
	l->told[(size_t)a * kb->n_causes + b] = true;
	kt_lint_say(l, KT_LINT_INSEPARABLE, l->causes[b], kt_lint_at(l->causes[b], "id"),
		    "give one of them a show:, an ask: or a gate that the other has not; or accept it with "
		    "twins:",
		    "no check tells " KT_FMT " from " KT_FMT " (both are evoked by '" KT_FMT "')",
		    KT_ARG(kt_kb_text(kb, y->id)), KT_ARG(kt_kb_text(kb, x->id)),
		    KT_ARG(kt_str_sub(kt_kb_text(kb, kb->items[item].text), 0, 80)));
}

/* Whatever speaks for A speaks for B at least as loudly, and nothing more against it. */
static bool dominates(struct kt_lint *l, const struct kt_cause *b, const struct kt_cause *a)
{
	const struct kt_kb *kb = l->kb;

	if (b->carrier || (b->gate != KT_NIL && b->gate != a->gate))
		return false;
	if (kt_prior_ddb((enum kt_prior)b->prior) < kt_prior_ddb((enum kt_prior)a->prior))
		return false;
	for (uint32_t i = 0; i < a->evidence.n; i++) {
		const struct kt_evidence *e = &kb->evidence[a->evidence.at + i];
		const struct kt_evidence *other = item_of(kb, b, e->item);
		if (weight(e) > 0 && (!other || weight(other) < weight(e)))
			return false;
	}
	for (uint32_t i = 0; i < b->evidence.n; i++) {
		const struct kt_evidence *e = &kb->evidence[b->evidence.at + i];
		if (weight(e) < 0 || e->absent != KT_W_NONE)
			return false;
	}
	return true;
}

static void check_dominated(struct kt_lint *l, uint32_t a, uint32_t b)
{
	const struct kt_kb *kb = l->kb;
	const struct kt_cause *x = &kb->causes[a], *y = &kb->causes[b];

	if (!dominates(l, y, x) || (dominates(l, x, y) && a < b))
		return;
	kt_lint_say(l, KT_LINT_DOMINATED, l->causes[a], kt_lint_at(l->causes[a], "id"),
		    "give it an item of its own",
		    KT_FMT " can never win: all that speaks for it speaks for " KT_FMT " as well",
		    KT_ARG(kt_kb_text(kb, x->id)), KT_ARG(kt_kb_text(kb, y->id)));
}

void kt_lint_pairs(struct kt_lint *l)
{
	const struct kt_kb *kb = l->kb;

	l->told = KT_NEW_N(l->a, bool, (size_t)kb->n_causes * kb->n_causes + 1);
	for (uint32_t a = 0; a < kb->n_causes; a++)
		for (uint32_t b = 0; b < kb->n_causes; b++) {
			if (a == b || kt_str_eq(kt_kb_fix(kb, a), kt_kb_fix(kb, b)) ||
			    kt_lint_are_twins(kb, a, b))
				continue;
			if (a < b)
				check_apart(l, a, b);
			check_dominated(l, a, b);
		}
}
