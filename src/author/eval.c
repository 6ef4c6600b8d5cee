/* rules eval: labels, runs, answer. */
#include "author/eval.h"

#include "author/author.h"
#include "base/file.h"

#include "base/banned.h"

#define BEFORE_MAX (64u << 20)

static void add_moved(const struct kt_eval *e, const struct kt_moved *m, size_t n, struct kt_buf *out)
{
	kt_buf_fmt(out, "\nmoved: %zu of %zu case%s\n", n, e->n, e->n == 1 ? "" : "s");
	for (size_t i = 0; i < n; i++) {
		const struct kt_found *now = &m[i].c->at[KT_N_PHASES - 1];
		struct kt_marks marks = kt_eval_marks(e->kb, m[i].c->label, now);
		kt_buf_fmt(out, "  " KT_FMT ": " KT_FMT " " KT_FMT " -> %s " KT_FMT " (%s)\n",
			   KT_ARG(m[i].c->label->name), KT_ARG(m[i].verdict), KT_ARG(m[i].first),
			   kt_verdict_json(now->verdict), KT_ARG(kt_eval_first_id(e, now)),
			   marks.wrong   ? "confident and wrong"
			   : marks.right ? "right"
					 : "not right");
	}
}

static int compare(const struct kt_eval *e, const char *path, struct kt_arena *a, struct kt_buf *out,
		   struct kt_err *err)
{
	struct kt_buf before = KT_BUF(BEFORE_MAX);
	struct kt_moved *moved = NULL;
	size_t n = 0;
	int rc = kt_file_read(path, &before, err);

	if (rc == 0) {
		rc = kt_eval_moved(e, kt_buf_view(&before), a, &moved, &n, err);
		if (rc < 0)
			kt_err_prefix(err, "%s: ", path);
	}
	if (rc == 0)
		add_moved(e, moved, n, out);
	kt_buf_free(&before);
	return rc;
}

static int answer(const struct kt_author_opts *o, const struct kt_eval *e, const struct kt_diags *d,
		  struct kt_arena *a, struct kt_buf *out, struct kt_err *err)
{
	struct kt_tally last = kt_eval_tally(e, KT_N_PHASES - 1);

	(o->json ? kt_eval_json : kt_eval_text)(e, a, out);
	if (o->against && compare(e, o->against, a, o->json ? o->notes : out, err) < 0)
		return -1;
	if (d->n_errors)
		return kt_err_set(err, KT_ERR_RULES,
				  "%zu fault%s in the reports; what cannot be used was left out", d->n_errors,
				  d->n_errors == 1 ? "" : "s");
	if (last.wrong)
		return kt_err_set(err, KT_ERR_RULES, "%zu case%s confident and wrong", last.wrong,
				  last.wrong == 1 ? " is" : "s are");
	return 0;
}

static int eval(const struct kt_author_opts *o, const struct kt_rules_hooks *hooks, struct kt_buf *out,
		struct kt_err *err)
{
	struct kt_arena arena = {0};
	struct kt_diags diags = {0};
	struct kt_labels labels = {0};
	struct kt_eval result = {0};
	struct kt_rules *rules = NULL;
	int rc = kt_rules_open(o->dir, hooks, &rules, &diags, err);

	if (rc == 0)
		rc = kt_labels_read(o->tree, o->answers, rules->kb, &arena, &diags, &labels, err);
	if (rc == 0)
		rc = kt_eval_run(rules->kb, &labels, &arena, &diags, &result, err);
	kt_diags_sort(&diags);
	kt_diags_format(&diags, o->notes);
	if (rc == 0)
		rc = answer(o, &result, &diags, &arena, out, err);
	kt_labels_free(&labels);
	kt_rules_free(rules);
	kt_diags_free(&diags);
	kt_arena_free(&arena);
	return rc;
}

int kt_author_eval(const struct kt_author_opts *o, struct kt_buf *out, struct kt_err *err)
{
	return kt_author_hooked(o, eval, out, err);
}
