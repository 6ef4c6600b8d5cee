/* Telling what a check found, unless the author accepts it with a reason. */
#include "author/lint.h"

#include "author/author.h"
#include "base/alloc.h"

#include "base/banned.h"

const struct kt_lint_row kt_lint_rows[KT_N_LINTS] = {
#define X(id, name, level, proves, why) {name, KT_DIAG_##level, proves, why},
	KT_LINT_CHECKS(X)
#undef X
};

static const char *const levels[] = {"error", "warning", "info"};

static bool is_accepted(struct kt_lint *l, enum kt_lint_id id, const struct kt_yaml *rule)
{
	const struct kt_yaml *accept = rule ? kt_yaml_get(rule, "accept") : NULL;

	for (const struct kt_yaml *v = accept ? accept->first : NULL; v; v = v->next)
		if (kt_str_eq_c(v->key->text, kt_lint_rows[id].name)) {
			KT_PUSH(l->used, l->n_used, l->cap_used) = v;
			return true;
		}
	return false;
}

void kt_lint_say(struct kt_lint *l, enum kt_lint_id id, const struct kt_yaml *rule, struct kt_place at,
		 const char *hint, const char *fmt, ...)
{
	struct kt_buf text = KT_BUF(KT_BUF_NAME);
	va_list ap;

	if (is_accepted(l, id, rule))
		return;
	va_start(ap, fmt);
	kt_buf_vfmt(&text, fmt, ap);
	va_end(ap);
	kt_diags_add(l->d, kt_lint_rows[id].level, at, hint, KT_FMT " [%s]", KT_ARG(kt_buf_view(&text)),
		     kt_lint_rows[id].name);
	kt_buf_free(&text);
}

/* ---- exceptions ---- */

static void names_of(struct kt_str *names)
{
	for (size_t i = 0; i < KT_N_LINTS; i++)
		names[i] = kt_str_c(kt_lint_rows[i].name);
}

static bool is_check(struct kt_str name)
{
	for (size_t i = 0; i < KT_N_LINTS; i++)
		if (kt_str_eq_c(name, kt_lint_rows[i].name))
			return true;
	return false;
}

static bool was_used(const struct kt_lint *l, const struct kt_yaml *entry)
{
	for (size_t i = 0; i < l->n_used; i++)
		if (l->used[i] == entry)
			return true;
	return false;
}

static void look_at_accept(struct kt_lint *l, const struct kt_yaml *rule)
{
	const struct kt_yaml *accept = kt_yaml_get(rule, "accept");
	struct kt_str names[KT_N_LINTS];

	names_of(names);
	for (const struct kt_yaml *v = accept ? accept->first : NULL; v; v = v->next) {
		struct kt_str near = kt_str_nearest(v->key->text, names, KT_N_LINTS);
		if (!is_check(v->key->text))
			kt_lint_say(l, KT_LINT_UNKNOWN_CHECK, NULL, v->key->at,
				    "ktriage rules check --explain all lists them",
				    "no check \"" KT_FMT "\"%s" KT_FMT "%s", KT_ARG(v->key->text),
				    near.len ? "; did you mean \"" : "", KT_ARG(near), near.len ? "\"?" : "");
		else if (!was_used(l, v))
			kt_lint_say(l, KT_LINT_IDLE_EXCEPTION, NULL, v->key->at, "take it out",
				    KT_FMT " finds nothing here", KT_ARG(v->key->text));
	}
}

void kt_lint_accepts(struct kt_lint *l)
{
	for (uint32_t i = 0; i < l->kb->n_facts; i++)
		look_at_accept(l, l->facts[i]);
	for (uint32_t i = 0; i < l->kb->n_checks; i++)
		look_at_accept(l, l->checks[i]);
	for (uint32_t i = 0; i < l->kb->n_causes; i++)
		look_at_accept(l, l->causes[i]);
	kt_free(l->used);
	l->used = NULL;
}

/* ---- explaining ---- */

int kt_author_explain(struct kt_str name, struct kt_buf *out, struct kt_err *err)
{
	struct kt_str names[KT_N_LINTS];

	names_of(names);
	if (kt_str_eq_c(name, "all")) {
		for (size_t i = 0; i < KT_N_LINTS; i++)
			kt_buf_fmt(out, "%-21s %-8s %s\n", kt_lint_rows[i].name,
				   levels[kt_lint_rows[i].level], kt_lint_rows[i].proves);
		return 0;
	}
	for (size_t i = 0; i < KT_N_LINTS; i++) {
		const struct kt_lint_row *row = &kt_lint_rows[i];
		if (!kt_str_eq(name, names[i]))
			continue;
		kt_buf_fmt(out,
			   "%s (%s)\n%s\n%s\nWhere it need not hold, the rule says why:\n"
			   "    accept: {%s: the reason}\n",
			   row->name, levels[row->level], row->proves, row->why, row->name);
		return 0;
	}
	struct kt_str near = kt_str_nearest(name, names, KT_N_LINTS);
	return kt_err_set(err, KT_ERR_USAGE, "no check '" KT_FMT "'%s" KT_FMT "%s", KT_ARG(name),
			  near.len ? "; did you mean '" : "", KT_ARG(near),
			  near.len ? "'?" : "; --explain all lists them");
}
