/* What the runs are worth, and where they went wrong. */
#include "author/eval.h"

#include <stdlib.h>

#include "base/file.h"
#include "json/json.h"

#include "base/banned.h"

const char *kt_phase_word(enum kt_phase p)
{
	static const char *const words[] = {
#define X(id, word, shown) word,
		KT_PHASES(X)
#undef X
	};

	return words[p];
}

const char *kt_phase_shown(enum kt_phase p)
{
	static const char *const words[] = {
#define X(id, word, shown) shown,
		KT_PHASES(X)
#undef X
	};

	return words[p];
}

static bool holds(const struct kt_str_list *list, struct kt_str id)
{
	for (size_t i = 0; i < list->n; i++)
		if (kt_str_eq(list->at[i], id))
			return true;
	return false;
}

static struct kt_str id_of(const struct kt_kb *kb, uint32_t cause)
{
	return kt_kb_text(kb, kb->causes[cause].id);
}

static bool same_fix(const struct kt_kb *kb, const struct kt_str_list *expected, uint32_t cause)
{
	for (size_t i = 0; i < expected->n; i++)
		if (kt_str_eq(kt_kb_fix(kb, kt_kb_cause(kb, expected->at[i])), kt_kb_fix(kb, cause)))
			return true;
	return false;
}

static bool is_right(const struct kt_label *l, const struct kt_marks *m)
{
	switch (l->outcome) {
	case KT_OUTCOME_DIAGNOSE: return m->first && !m->wrong;
	case KT_OUTCOME_ASK: return !m->wrong;
	default: return !m->committed;
	}
}

struct kt_marks kt_eval_marks(const struct kt_kb *kb, const struct kt_label *l, const struct kt_found *f)
{
	struct kt_marks m = {.committed = f->n_answers > 0};

	for (size_t i = 0; i < f->n_causes; i++) {
		bool expected = holds(&l->expected, id_of(kb, f->causes[i]));
		m.first = m.first || (i == 0 && expected);
		m.three = m.three || expected;
	}
	m.fix = f->n_causes && same_fix(kb, &l->expected, f->causes[0]);
	for (size_t i = 0; i < f->n_answers; i++) {
		m.wrong = m.wrong || !holds(&l->expected, id_of(kb, f->answers[i]));
		m.harm = m.harm || holds(&l->must_not, id_of(kb, f->answers[i]));
	}
	m.novel = l->outcome == KT_OUTCOME_UNKNOWN && f->verdict == KT_NOT_KNOWN;
	m.right = is_right(l, &m);
	return m;
}

void kt_tally_add(struct kt_tally *t, const struct kt_label *l, const struct kt_marks *m)
{
	t->n++;
	t->first += m->first;
	t->fix += m->fix;
	t->three += m->three;
	t->wrong += m->wrong;
	t->harm += m->harm;
	t->committed += m->committed;
	t->abstained += !m->committed;
	t->novel += m->novel;
	t->unknown += l->outcome == KT_OUTCOME_UNKNOWN;
	t->right += m->right;
}

struct kt_tally kt_eval_tally(const struct kt_eval *e, enum kt_phase phase)
{
	struct kt_tally t = {0};

	for (size_t i = 0; i < e->n; i++) {
		struct kt_marks m = kt_eval_marks(e->kb, e->cases[i].label, &e->cases[i].at[phase]);
		kt_tally_add(&t, e->cases[i].label, &m);
	}
	return t;
}

struct kt_str kt_eval_first_id(const struct kt_eval *e, const struct kt_found *f)
{
	return f->n_causes ? id_of(e->kb, f->causes[0]) : KT_S("-");
}

/* ---- taken for another ---- */

static int by_count(const void *a, const void *b)
{
	const struct kt_mistaken *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	int order = kt_str_cmp(x->expected, y->expected);
	return order ? order : kt_str_cmp(x->got, y->got);
}

static void count_mistake(struct kt_mistaken *list, size_t *n, struct kt_str expected, struct kt_str got,
			  bool wrong)
{
	size_t i = 0;

	while (i < *n && !(kt_str_eq(list[i].expected, expected) && kt_str_eq(list[i].got, got)))
		i++;
	if (i == *n)
		list[(*n)++] = (struct kt_mistaken){expected, got, 0, 0};
	list[i].n++;
	list[i].wrong += wrong;
}

struct kt_mistaken *kt_eval_mistaken(const struct kt_eval *e, struct kt_arena *a, size_t *n)
{
	struct kt_mistaken *list = KT_NEW_N(a, struct kt_mistaken, e->n + 1);

	*n = 0;
	for (size_t i = 0; i < e->n; i++) {
		const struct kt_eval_case *c = &e->cases[i];
		const struct kt_found *f = &c->at[KT_N_PHASES - 1];
		struct kt_marks m = kt_eval_marks(e->kb, c->label, f);
		struct kt_str_list expected = c->label->expected;
		if (m.wrong || (f->n_causes && expected.n && !m.first))
			count_mistake(list, n, expected.n ? expected.at[0] : KT_S("-"),
				      kt_eval_first_id(e, f), m.wrong);
	}
	if (*n)
		qsort(list, *n, sizeof *list, by_count);
	return list;
}

/* ---- beside an earlier run ---- */

static struct kt_json *case_named(const struct kt_json *cases, struct kt_str name)
{
	for (size_t i = 0; i < kt_json_len(cases); i++)
		if (kt_str_eq(kt_json_str(kt_json_get(kt_json_at(cases, i), "case")), name))
			return kt_json_at(cases, i);
	return NULL;
}

int kt_eval_moved(const struct kt_eval *e, struct kt_str before, struct kt_arena *a, struct kt_moved **out,
		  size_t *n, struct kt_err *err)
{
	struct kt_json *doc = kt_json_parse(before, err);
	const struct kt_json *cases = kt_json_get(doc, "cases");

	*out = KT_NEW_N(a, struct kt_moved, e->n + 1);
	*n = 0;
	if (!doc)
		return -1;
	if (!kt_str_eq(kt_json_str(kt_json_get(doc, "schema")), KT_S("ktriage.eval/1"))) {
		kt_json_free(doc);
		return kt_err_set(err, KT_ERR_INPUT, "is no answer of rules eval --format json");
	}
	for (size_t i = 0; i < e->n; i++) {
		const struct kt_eval_case *c = &e->cases[i];
		const struct kt_found *now = &c->at[KT_N_PHASES - 1];
		const struct kt_json *then = case_named(cases, c->label->name);
		struct kt_str verdict = kt_json_str(kt_json_get(then, "verdict"));
		struct kt_str first = kt_json_str(kt_json_get(then, "first"));
		if (then && kt_str_eq_c(verdict, kt_verdict_json(now->verdict)) &&
		    kt_str_eq(first, kt_eval_first_id(e, now)))
			continue;
		(*out)[(*n)++] = (struct kt_moved){c, kt_arena_str(a, then ? verdict : KT_S("new")),
						   kt_arena_str(a, then ? first : KT_S("-"))};
	}
	kt_json_free(doc);
	return 0;
}
