#include "author/lint.h"

#include "base/alloc.h"

#include "base/banned.h"

struct kt_place kt_lint_at(const struct kt_yaml *map, const char *key)
{
	const struct kt_yaml *v = kt_yaml_get(map, key);

	return v ? v->at : map->key ? map->key->at : map->at;
}

/* ---- the author's text of each row ---- */

static uint32_t pattern_row(const struct kt_kb *kb, struct kt_str regex)
{
	for (uint32_t i = 0; i < kb->n_patterns; i++)
		if (kt_str_eq(kt_kb_text(kb, kb->patterns[i].text), regex))
			return i;
	return KT_NIL;
}

static void note_pattern(struct kt_lint *l, const struct kt_yaml *regex, const struct kt_yaml *owner)
{
	uint32_t row = regex ? pattern_row(l->kb, regex->text) : KT_NIL;

	if (row == KT_NIL || l->patterns[row])
		return;
	l->patterns[row] = regex;
	l->owners[row] = owner;
}

static void note_logs(struct kt_lint *l, const struct kt_yaml *map, const char *list_key)
{
	const struct kt_yaml *list = kt_yaml_get(map, list_key);

	for (const struct kt_yaml *v = list ? list->first : NULL; v; v = v->next)
		note_pattern(l, v->kind == KT_YAML_SCALAR ? v : kt_yaml_get(v, "log"), map);
}

struct count {
	uint32_t facts, checks, causes, faults;
};

/* Rows stand in the order of the files. */
static void find_in(struct kt_lint *l, const struct kt_yaml *root, struct count *n)
{
	const struct kt_yaml *facts = kt_yaml_get(root, "facts"), *checks = kt_yaml_get(root, "checks");
	const struct kt_yaml *causes = kt_yaml_get(root, "causes");
	const struct kt_yaml *faults = kt_yaml_get(root, "option-faults");

	for (const struct kt_yaml *v = faults ? faults->first : NULL; v && n->faults < l->kb->n_option_faults;
	     v = v->next)
		l->faults[n->faults++] = v;
	note_logs(l, root, "fatal");
	note_logs(l, root, "noise");
	for (const struct kt_yaml *v = facts ? facts->first : NULL; v && n->facts < l->kb->n_facts;
	     v = v->next) {
		l->facts[n->facts++] = v;
		note_logs(l, v, "learn");
	}
	for (const struct kt_yaml *v = checks ? checks->first : NULL; v && n->checks < l->kb->n_checks;
	     v = v->next)
		l->checks[n->checks++] = v;
	for (const struct kt_yaml *v = causes ? causes->first : NULL; v && n->causes < l->kb->n_causes;
	     v = v->next) {
		l->causes[n->causes++] = v;
		note_logs(l, v, "evidence");
	}
}

void kt_lint_find(struct kt_lint *l, const struct kt_rules *rules)
{
	struct count n = {0};

	l->causes = KT_NEW_N(l->a, const struct kt_yaml *, l->kb->n_causes + 1u);
	l->facts = KT_NEW_N(l->a, const struct kt_yaml *, l->kb->n_facts + 1u);
	l->faults = KT_NEW_N(l->a, const struct kt_yaml *, l->kb->n_option_faults + 1u);
	l->checks = KT_NEW_N(l->a, const struct kt_yaml *, l->kb->n_checks + 1u);
	l->owners = KT_NEW_N(l->a, const struct kt_yaml *, l->kb->n_patterns + 1u);
	l->patterns = KT_NEW_N(l->a, const struct kt_yaml *, l->kb->n_patterns + 1u);
	for (size_t i = 0; i < rules->n_sources; i++)
		find_in(l, rules->sources[i].root, &n);
}

/* ---- causes by themselves ---- */

static bool has_specific(const struct kt_kb *kb, const struct kt_cause *c)
{
	for (uint32_t i = 0; i < c->evidence.n; i++)
		if (kt_weight_ddb((enum kt_weight)kb->evidence[c->evidence.at + i].weight) >= 200)
			return true;
	return false;
}

/* Cheap differences first: there are many names. */
static bool is_slip(struct kt_str name, struct kt_str id)
{
	size_t longer = name.len > id.len ? name.len - id.len : id.len - name.len;

	return longer <= 2 && name.p[0] == id.p[0] && kt_str_distance(name, id, 2) <= 2;
}

/* A name that is nearly one of the base is a slip; others may come with a later pack. */
static void check_names(struct kt_lint *l, uint32_t cause, const char *key)
{
	const struct kt_yaml *list = kt_yaml_get(l->causes[cause], key);
	struct kt_str own = kt_kb_text(l->kb, l->kb->causes[cause].id);

	for (const struct kt_yaml *v = list ? list->first : NULL; v; v = v->next) {
		if (kt_str_eq(v->text, own))
			kt_lint_say(l, KT_LINT_NAMES_ITSELF, l->causes[cause], v->at, NULL,
				    "a cause is no look-alike of itself");
		if (kt_kb_cause(l->kb, v->text) != KT_NIL)
			continue;
		for (uint32_t i = 0; i < l->kb->n_causes; i++) {
			struct kt_str id = kt_kb_text(l->kb, l->kb->causes[i].id);
			if (is_slip(v->text, id))
				kt_lint_say(l, KT_LINT_UNKNOWN_CAUSE, l->causes[cause], v->at, NULL,
					    "unknown cause \"" KT_FMT "\"; did you mean \"" KT_FMT "\"?",
					    KT_ARG(v->text), KT_ARG(id));
		}
	}
}

void kt_lint_causes(struct kt_lint *l)
{
	for (uint32_t i = 0; i < l->kb->n_causes; i++) {
		const struct kt_cause *c = &l->kb->causes[i];
		if (!c->carrier && !has_specific(l->kb, c))
			kt_lint_say(
				l, KT_LINT_NO_SPECIFIC, l->causes[i], kt_lint_at(l->causes[i], "evidence"),
				"without one it can never be LIKELY; a mere wrapper is marked carrier: true",
				KT_FMT " has no specific item: none weighs strong or proves",
				KT_ARG(kt_kb_text(l->kb, c->id)));
		check_names(l, i, "look-alikes");
		check_names(l, i, "twins");
	}
}

/* ---- facts ---- */

bool kt_lint_is_learned(const struct kt_kb *kb, uint32_t fact)
{
	for (uint32_t i = 0; i < kb->n_learns; i++)
		if (kb->learns[i].fact == fact)
			return true;
	return false;
}

static bool in_gates(const struct kt_kb *kb, uint32_t fact)
{
	for (uint32_t i = 0; i < kb->n_nodes; i++)
		if (kb->nodes[i].op > KT_OP_NOT && kb->nodes[i].fact == fact)
			return true;
	for (uint32_t i = 0; i < kb->n_fact_refs; i++)
		if (kb->fact_refs[i] == fact)
			return true;
	for (uint32_t i = 0; i < kb->n_facts; i++)
		if (kb->facts[i].needs == fact)
			return true;
	return false;
}

/* All texts stand in the pool. */
static bool in_texts(struct kt_lint *l, struct kt_str id)
{
	struct kt_str placeholder = kt_arena_fmt(l->a, "{" KT_FMT "}", KT_ARG(id));

	return kt_str_find(l->kb->pool, placeholder, 0) != KT_NPOS;
}

static bool is_learned_from_rows(const struct kt_kb *kb, uint32_t fact)
{
	for (uint32_t i = 0; i < kb->n_learns; i++)
		if (kb->learns[i].fact == fact && kb->learns[i].item != KT_NIL)
			return true;
	return false;
}

/* Pins, keys, times and what is asked of the cluster are used by the program itself. */
static bool is_used(struct kt_lint *l, uint32_t fact)
{
	const struct kt_fact *f = &l->kb->facts[fact];

	return f->pin || f->key || f->type == KT_FACT_DATETIME || is_learned_from_rows(l->kb, fact) ||
	       in_gates(l->kb, fact) || in_texts(l, kt_kb_text(l->kb, f->id));
}

void kt_lint_facts(struct kt_lint *l)
{
	for (uint32_t i = 0; i < l->kb->n_facts; i++) {
		const struct kt_fact *f = &l->kb->facts[i];
		struct kt_str id = kt_kb_text(l->kb, f->id);
		struct kt_place at = l->facts[i]->key->at;
		if (!f->ask.len && !kt_lint_is_learned(l->kb, i))
			kt_lint_say(l, KT_LINT_NEVER_KNOWN, l->facts[i], at,
				    "give it ask: or learn:", "fact " KT_FMT " is neither asked nor learned",
				    KT_ARG(id));
		if (f->ask.len && !f->why.len)
			kt_lint_say(l, KT_LINT_NO_WHY, l->facts[i], at, NULL,
				    "fact " KT_FMT " is asked without a why:", KT_ARG(id));
		if (!is_used(l, i))
			kt_lint_say(l, KT_LINT_UNUSED_FACT, l->facts[i], at, NULL,
				    "nothing uses fact " KT_FMT, KT_ARG(id));
	}
}

/* ---- checks ---- */

static bool check_used(const struct kt_kb *kb, uint32_t check)
{
	if (kb->checks[check].kind == KT_CHECK_SCAN)
		return true;
	for (uint32_t i = 0; i < kb->n_items; i++)
		if (kb->items[i].check == check)
			return true;
	for (uint32_t i = 0; i < kb->n_notes; i++)
		if (kb->notes[i].check == check)
			return true;
	return false;
}

void kt_lint_checks(struct kt_lint *l)
{
	for (uint32_t i = 0; i < l->kb->n_checks; i++)
		if (!check_used(l->kb, i))
			kt_lint_say(l, KT_LINT_UNUSED_CHECK, l->checks[i], l->checks[i]->key->at, NULL,
				    "nothing uses check " KT_FMT,
				    KT_ARG(kt_kb_text(l->kb, l->kb->checks[i].id)));
}
