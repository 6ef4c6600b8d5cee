#include "author/author.h"
#include "author/lint.h"
#include "input/headers.h"
#include "kusto/trust.h"

#include "base/banned.h"

static void lint(struct kt_lint *l, const struct kt_rules *rules)
{
	kt_lint_find(l, rules);
	kt_lint_causes(l);
	kt_lint_facts(l);
	kt_lint_checks(l);
	kt_lint_patterns(l);
	kt_lint_gates(l);
	kt_lint_options(l);
	kt_lint_reach(l);
	kt_lint_pairs(l);
	kt_lint_cases(l);
	kt_lint_apart(l);
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
	kt_buf_fmt(out, "%zu error%s, %zu warning%s", d->n_errors, d->n_errors == 1 ? "" : "s", d->n_warnings,
		   d->n_warnings == 1 ? "" : "s");
	if (d->n_infos)
		kt_buf_fmt(out, ", %zu to know", d->n_infos);
	kt_buf_char(out, '\n');
}

static void bad_file(struct kt_lint *l, const char *name, const struct kt_err *err)
{
	struct kt_source *src = KT_NEW(l->a, struct kt_source);

	src->name = src->path = kt_str_c(name);
	src->text = kt_kb_file(l->kb, name);
	kt_lint_say(l, KT_LINT_DATA_FILE, NULL, kt_place_whole(src), NULL, "%s", err->text);
}

/* The files that are read when they are needed, long after the rules. */
static void lint_files(struct kt_lint *l)
{
	struct kt_err headers_err = {0}, trust_err = {0};
	struct kt_headers *headers = kt_headers_parse(kt_kb_file(l->kb, "headers.tsv"), &headers_err);
	struct kt_trust *trust = kt_trust_new(kt_kb_file(l->kb, "trusted.tsv"), NULL, 0, &trust_err);

	if (!headers)
		bad_file(l, "headers.tsv", &headers_err);
	if (!trust)
		bad_file(l, "trusted.tsv", &trust_err);
	kt_headers_free(headers);
	kt_trust_free(trust);
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
		lint_files(&l);
		kt_lint_accepts(&l);
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
	return kt_author_hooked(o, check, out, err);
}
