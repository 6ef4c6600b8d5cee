#include "author/author.h"
#include "author/lint.h"

#include "base/banned.h"

static void lint(struct kt_lint *l, const struct kt_rules *rules)
{
	kt_lint_find(l, rules);
	kt_lint_causes(l);
	kt_lint_facts(l);
	kt_lint_checks(l);
	kt_lint_patterns(l);
	kt_lint_gates(l);
	kt_lint_pairs(l);
	kt_lint_cases(l);
}

static void add_count(struct kt_buf *out, uint32_t n, const char *what, const char *behind)
{
	kt_buf_fmt(out, "%u %s%s%s", n, what, n == 1 ? "" : "s", behind);
}

static void summary(const struct kt_kb *kb, const struct kt_cases *cases, const struct kt_diags *d,
		    struct kt_buf *out)
{
	if (kb) {
		add_count(out, kb->n_causes, "cause", ", ");
		add_count(out, kb->n_facts, "fact", ", ");
		add_count(out, kb->n_checks, "check", ", ");
		add_count(out, kb->n_patterns, "pattern", ", ");
		add_count(out, (uint32_t)cases->n, "case", ": ");
	}
	kt_buf_fmt(out, "%zu error%s, %zu warning%s\n", d->n_errors, d->n_errors == 1 ? "" : "s",
		   d->n_warnings, d->n_warnings == 1 ? "" : "s");
}

static int check(const struct kt_author_opts *o, const struct kt_rules_hooks *hooks, struct kt_buf *out,
		 struct kt_err *err)
{
	struct kt_arena arena = {0};
	struct kt_diags diags = {0};
	struct kt_cases cases = {0};
	struct kt_rules *rules = NULL;
	struct kt_str dir = o->cases ? kt_str_c(o->cases) : kt_arena_fmt(&arena, "%s/cases", o->dir);
	int rc = kt_rules_load(o->dir, hooks, &rules, &diags, err);

	if (rc == 0)
		rc = kt_cases_read(dir.p, &arena, &diags, &cases, err);
	if (rc == 0) {
		struct kt_lint l = {
			.kb = rules->kb, .hooks = hooks, .a = &arena, .d = &diags, .cases = &cases};
		lint(&l, rules);
	}
	kt_diags_sort(&diags);
	kt_diags_format(&diags, out);
	if (rc == 0 || diags.n)
		summary(rules ? rules->kb : NULL, &cases, &diags, out);
	if (rc == 0 && diags.n_errors)
		rc = kt_err_set(err, KT_ERR_RULES, "%zu error%s in the rules", diags.n_errors,
				diags.n_errors == 1 ? "" : "s");
	kt_rules_free(rules);
	kt_cases_free(&cases);
	kt_diags_free(&diags);
	kt_arena_free(&arena);
	return rc;
}

int kt_author_check(const struct kt_author_opts *o, struct kt_buf *out, struct kt_err *err)
{
	struct kt_author_hooks own;

	if (o->hooks)
		return check(o, o->hooks, out, err);
	kt_author_hooks_init(&own);
	int rc = check(o, &own.hooks, out, err);
	kt_author_hooks_free(&own);
	return rc;
}
