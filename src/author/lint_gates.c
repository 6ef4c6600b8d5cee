/* Can a gate be true? All values that matter are tried. */
#include "author/lint.h"

#include "base/alloc.h"

#include "base/banned.h"

#define TRIES_MAX 200000u
#define FACTS_MAX 12

struct domain {
	uint32_t fact;      /* or KT_NIL: */
	struct kt_ref name; /* of an option */
	struct kt_str all;  /* what an option is compared with, one behind the other */
	struct kt_str *values;
	size_t n, cap, at;
};

struct search {
	struct kt_lint *l;
	struct domain d[FACTS_MAX];
	size_t n;
	bool too_many;
};

static struct domain *domain_of(struct search *s, const struct kt_node *leaf)
{
	/* Equal texts share their bytes. */
	for (size_t i = 0; i < s->n; i++)
		if (s->d[i].fact == leaf->fact &&
		    (leaf->fact != KT_NIL || s->d[i].name.off == leaf->name.off))
			return &s->d[i];
	if (s->n == FACTS_MAX) {
		s->too_many = true;
		return NULL;
	}
	s->d[s->n] = (struct domain){.fact = leaf->fact, .name = leaf->name};
	return &s->d[s->n++];
}

static void add_value(struct domain *d, struct kt_str v)
{
	for (size_t i = 0; i < d->n; i++)
		if (kt_str_eq(d->values[i], v))
			return;
	KT_PUSH(d->values, d->n, d->cap) = v;
}

/* Options are not set, or have what is compared with, something near it, or all that is
 * looked for in them at once. */
static void see_option(struct search *s, struct domain *d, const struct kt_node *leaf)
{
	const struct kt_kb *kb = s->l->kb;

	add_value(d, KT_NONE);
	for (uint32_t i = 0; i < leaf->values.n; i++) {
		struct kt_str v = kt_kb_text(kb, kb->strings[leaf->values.at + i]);
		add_value(d, v);
		add_value(d, KT_S("0"));
		add_value(d, kt_arena_fmt(s->l->a, KT_FMT ".0.0.0.1", KT_ARG(v)));
		add_value(d, KT_S("something else"));
		d->all = kt_arena_fmt(s->l->a, KT_FMT KT_FMT, KT_ARG(d->all), KT_ARG(v));
		add_value(d, d->all);
	}
}

/* Facts with choices take those; others what the comparison names, and something
 * below, just above and beside it. */
static void see_leaf(void *ctx, const struct kt_node *leaf)
{
	struct search *s = ctx;
	const struct kt_kb *kb = s->l->kb;
	struct domain *d = domain_of(s, leaf);

	if (!d)
		return;
	if (leaf->fact == KT_NIL) {
		see_option(s, d, leaf);
		return;
	}
	const struct kt_fact *f = &kb->facts[leaf->fact];
	for (uint32_t i = 0; i < f->choices.n; i++)
		add_value(d, kt_kb_text(kb, kb->choices[f->choices.at + i].value));
	for (uint32_t i = 0; i < leaf->values.n && !f->choices.n; i++) {
		struct kt_str v = kt_kb_text(kb, kb->strings[leaf->values.at + i]);
		add_value(d, v);
		add_value(d, kt_arena_fmt(s->l->a, KT_FMT ".0.0.0.1", KT_ARG(v)));
		add_value(d, KT_S("0"));
		add_value(d, KT_S("something else"));
	}
}

static bool value_of(void *ctx, const struct kt_node *node, struct kt_str *value)
{
	struct search *s = ctx;
	const struct domain *d = domain_of(s, node);

	if (!d || !d->n)
		return false;
	*value = d->values[d->at];
	return true;
}

/* The next combination; false after the last. */
static bool step(struct search *s)
{
	for (size_t i = 0; i < s->n; i++) {
		if (++s->d[i].at < s->d[i].n)
			return true;
		s->d[i].at = 0;
	}
	return false;
}

static bool tries_are_few(const struct search *s)
{
	uint64_t tries = 1;

	for (size_t i = 0; i < s->n && tries <= TRIES_MAX; i++)
		tries *= s->d[i].n;
	return !s->too_many && tries <= TRIES_MAX;
}

bool kt_lint_satisfiable(struct kt_lint *l, uint32_t a, uint32_t b, bool denied)
{
	struct search s = {.l = l};
	bool found = false;

	kt_cond_walk(l->kb, a, see_leaf, &s);
	kt_cond_walk(l->kb, b, see_leaf, &s);
	if (!tries_are_few(&s))
		found = true;
	while (!found) {
		found = kt_cond_eval(l->kb, a, value_of, &s) == KT_TRUE &&
			kt_cond_eval(l->kb, b, value_of, &s) == (denied ? KT_FALSE : KT_TRUE);
		if (!found && !step(&s))
			break;
	}
	for (size_t i = 0; i < s.n; i++)
		kt_free(s.d[i].values);
	return found;
}

static void need_satisfiable(struct kt_lint *l, enum kt_lint_id id, const struct kt_yaml *rule, uint32_t node,
			     const char *key, const char *what)
{
	if (node != KT_NIL && !kt_lint_satisfiable(l, node, KT_NIL, false))
		kt_lint_say(l, id, rule, kt_lint_at(rule, key), NULL, "%s can never be true", what);
}

void kt_lint_gates(struct kt_lint *l)
{
	const struct kt_kb *kb = l->kb;

	for (uint32_t i = 0; i < kb->n_causes; i++) {
		const char *key = kt_yaml_get(l->causes[i], "when")       ? "when"
				  : kt_yaml_get(l->causes[i], "versions") ? "versions"
									  : "unless";
		need_satisfiable(l, KT_LINT_IMPOSSIBLE_GATE, l->causes[i], kb->causes[i].gate, key,
				 "the gate of this cause");
	}
	for (uint32_t i = 0; i < kb->n_facts; i++) {
		need_satisfiable(l, KT_LINT_IMPOSSIBLE_CONDITION, l->facts[i], kb->facts[i].when, "when",
				 "this condition");
		for (uint32_t j = 0; j < kb->facts[i].defaults.n; j++)
			need_satisfiable(l, KT_LINT_IMPOSSIBLE_CONDITION, l->facts[i],
					 kb->defaults[kb->facts[i].defaults.at + j].when, "default",
					 "the condition of a default");
	}
}
