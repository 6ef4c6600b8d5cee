#include "author/lint.h"

#include "base/file.h"
#include "rules/keys.h"

#include "base/banned.h"

#define INPUT_MAX   (8u << 20)
#define OTHER_BYTES 100 /* of an input, besides what the cause's patterns spell */

/* ---- the input is more than the pattern ---- */

/* Bytes of the longest fixed text of a pattern that stands in the line. */
static size_t spelled_by(const struct kt_kb *kb, const struct kt_pattern *p, struct kt_str line)
{
	size_t longest = 0;

	for (uint32_t i = 0; i < p->literals.n; i++) {
		struct kt_str lit = kt_kb_text(kb, kb->strings[p->literals.at + i]);
		size_t at = p->fold ? kt_str_ifind(line, lit, 0) : kt_str_find(line, lit, 0);
		if (at != KT_NPOS && lit.len > longest)
			longest = lit.len;
	}
	return longest;
}

static size_t spelled(const struct kt_kb *kb, const struct kt_cause *c, struct kt_str line)
{
	size_t n = 0;

	for (uint32_t i = 0; i < c->evidence.n; i++) {
		const struct kt_item *item = &kb->items[kb->evidence[c->evidence.at + i].item];
		if (item->kind == KT_ITEM_LOG)
			n += spelled_by(kb, &kb->patterns[item->pattern], line);
	}
	return n;
}

/* Bytes that the cause's patterns do not spell, up to OTHER_BYTES. */
static size_t other_bytes(const struct kt_kb *kb, const struct kt_cause *c, const struct kt_case *k)
{
	size_t n = 0;

	for (size_t i = 0; i < k->n_inputs; i++) {
		struct kt_buf text = KT_BUF(INPUT_MAX);
		struct kt_err err = {0};
		if (kt_file_read(k->inputs[i].p, &text, &err) < 0)
			n = OTHER_BYTES; /* a folder, or large: more than a pattern */
		struct kt_str rest = kt_buf_view(&text), line;
		while (n < OTHER_BYTES && kt_str_cut(&rest, '\n', &line)) {
			size_t len = kt_str_trim(line).len, mine = spelled(kb, c, line);
			n += len > mine ? len - mine : 0;
		}
		kt_buf_free(&text);
	}
	return n;
}

/* ---- one case ---- */

static struct kt_place case_place(const struct kt_case *k, const char *key)
{
	const struct kt_yaml *v = kt_yaml_get(k->expect.root, key);

	return v ? v->at : k->expect.root->at;
}

static void check_answers(struct kt_lint *l, const struct kt_case *k)
{
	for (size_t i = 0; i < k->n_answers; i++)
		if (kt_kb_fact(l->kb, k->answers[i].fact) == KT_NIL)
			kt_lint_say(l, KT_LINT_WRONG_CASE, NULL, k->answers[i].at, NULL,
				    "unknown fact \"" KT_FMT "\"", KT_ARG(k->answers[i].fact));
}

static void check_first(struct kt_lint *l, const struct kt_case *k)
{
	bool own = kt_str_eq(k->first, k->cause);

	if (k->first.len && kt_kb_cause(l->kb, k->first) == KT_NIL)
		kt_lint_say(l, KT_LINT_WRONG_CASE, NULL, k->first_at,
			    "where that cause is not in the base the case is quiet",
			    "unknown cause \"" KT_FMT "\"", KT_ARG(k->first));
	else if (k->kind == KT_CASE_FIRES && !own)
		kt_lint_say(l, KT_LINT_WRONG_CASE, NULL, case_place(k, "first"), NULL,
			    "a case that fires has first: " KT_FMT, KT_ARG(k->cause));
	else if (k->kind == KT_CASE_LOOK_ALIKE && (own || !k->first.len))
		kt_lint_say(l, KT_LINT_WRONG_CASE, NULL, case_place(k, "first"), NULL,
			    "a look-alike has first: another cause");
	else if (k->kind == KT_CASE_QUIET && own)
		kt_lint_say(l, KT_LINT_WRONG_CASE, NULL, k->first_at, NULL,
			    "in a quiet case its own cause is not the answer");
}

static void check_case(struct kt_lint *l, const struct kt_case *k, uint32_t cause)
{
	const struct kt_cause *c = &l->kb->causes[cause];

	check_answers(l, k);
	check_first(l, k);
	if (k->kind == KT_CASE_FIRES && k->provenance != KT_RECORDED && k->n_inputs &&
	    other_bytes(l->kb, c, k) < OTHER_BYTES)
		kt_lint_say(l, KT_LINT_BARE_INPUT, l->causes[cause], k->expect.root->at,
			    "a case is a log extract with other records around",
			    "the input holds hardly more than the patterns of the cause spell");
}

/* ---- the cases of a cause ---- */

static bool look_alike_in_base(const struct kt_kb *kb, const struct kt_cause *c)
{
	for (uint32_t i = 0; i < c->look_alikes.n; i++)
		if (kt_kb_cause(kb, kt_kb_text(kb, kb->strings[c->look_alikes.at + i])) != KT_NIL)
			return true;
	return false;
}

static void check_kinds(struct kt_lint *l, uint32_t cause, const size_t kinds[3], size_t real)
{
	const struct kt_cause *c = &l->kb->causes[cause];
	const struct kt_yaml *rule = l->causes[cause];
	struct kt_place at = kt_lint_at(rule, "id");
	struct kt_str id = kt_kb_text(l->kb, c->id);

	if (!kinds[KT_CASE_FIRES])
		kt_lint_say(l, KT_LINT_NO_FIRES, rule, at, NULL,
			    KT_FMT " has no case that fires (cases/" KT_FMT "/…/expect.yaml)", KT_ARG(id),
			    KT_ARG(id));
	if (!kinds[KT_CASE_QUIET])
		kt_lint_say(l, KT_LINT_NO_QUIET, rule, at, NULL, KT_FMT " has no quiet case", KT_ARG(id));
	if (!kinds[KT_CASE_LOOK_ALIKE] && (look_alike_in_base(l->kb, c) || kinds[KT_CASE_QUIET] < 2))
		kt_lint_say(l, KT_LINT_NO_LOOK_ALIKE, rule, at,
			    "where no look-alike is in the base, a second quiet case with its text",
			    KT_FMT " has no case of a look-alike", KT_ARG(id));
	if (kinds[0] + kinds[1] + kinds[2] && !real)
		kt_lint_say(l, KT_LINT_ALL_CONSTRUCTED, rule, at,
			    "text written from a regex proves nothing about it",
			    "all cases of " KT_FMT " are constructed", KT_ARG(id));
}

static void check_cause(struct kt_lint *l, uint32_t cause)
{
	struct kt_str id = kt_kb_text(l->kb, l->kb->causes[cause].id);
	size_t kinds[3] = {0}, real = 0;

	for (size_t i = 0; i < l->cases->n; i++) {
		const struct kt_case *k = &l->cases->at[i];
		if (!kt_str_eq(k->cause, id))
			continue;
		kinds[k->kind]++;
		real += k->provenance != KT_CONSTRUCTED;
		if (!k->bad)
			check_case(l, k, cause);
	}
	check_kinds(l, cause, kinds, real);
}

void kt_lint_cases(struct kt_lint *l)
{
	for (uint32_t i = 0; i < l->kb->n_causes; i++)
		check_cause(l, i);
	for (size_t i = 0; i < l->cases->n; i++) {
		const struct kt_case *k = &l->cases->at[i];
		bool new_folder = i == 0 || !kt_str_eq(l->cases->at[i - 1].cause, k->cause);
		if (new_folder && kt_kb_cause(l->kb, k->cause) == KT_NIL)
			kt_lint_say(l, KT_LINT_WRONG_CASE, NULL, kt_place_whole(&k->expect),
				    "a folder of cases is named like its cause",
				    "unknown cause \"" KT_FMT "\"", KT_ARG(k->cause));
	}
}
