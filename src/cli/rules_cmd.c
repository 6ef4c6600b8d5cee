/* rules: what authors run. */
#include "cli/cli.h"

#include "author/author.h"
#include "base/alloc.h"
#include "report/doc.h"

#include "base/banned.h"

struct job {
	const char *dir;
	const struct kt_args *a;
	struct kt_buf out, notes; /* notes go to stderr */
	struct kt_err err;
	enum kt_exit told; /* FOUND, or the status of a fault that was told already */
};

static int check(struct job *j)
{
	if (j->a->explain.len)
		return kt_author_explain(j->a->explain, &j->out, &j->err);
	return kt_author_check(&(struct kt_author_opts){.dir = j->dir}, &j->out, &j->err);
}

static int test(struct job *j)
{
	struct kt_author_opts o = {.dir = j->dir,
				   .only = j->a->n_rest > 1 ? kt_str_c(j->a->rest[1]) : KT_NONE};

	return kt_author_test(&o, &j->out, &j->err);
}

static int eval(struct job *j)
{
	const struct kt_args *a = j->a;
	struct kt_author_opts o = {.dir = j->dir,
				   .tree = a->n_rest > 1 ? a->rest[1] : NULL,
				   .answers = a->answers.p,
				   .against = a->against.p,
				   .json = kt_str_eq_c(a->format, "json"),
				   .notes = &j->notes};

	if (!o.tree)
		return kt_err_set(&j->err, KT_ERR_USAGE,
				  "rules eval needs the folder of the reports: "
				  "ktriage rules eval DIR");
	if (a->format.len && !o.json && !kt_str_eq_c(a->format, "text"))
		return kt_err_set(&j->err, KT_ERR_USAGE, "--format: '" KT_FMT "' is none of text, json",
				  KT_ARG(a->format));
	return kt_author_eval(&o, &j->out, &j->err);
}

/* FORMAT, or an error that names them all. */
static int doc_format(struct job *j, const struct kt_doc_format **out)
{
	struct kt_buf names = KT_BUF(KT_BUF_NAME);

	*out = kt_doc_format(j->a->format);
	for (size_t i = 0; i < kt_n_doc_formats; i++)
		kt_buf_fmt(&names, "%s%s", i ? ", " : "", kt_doc_formats[i].name);
	if (!*out)
		kt_err_set(&j->err, KT_ERR_USAGE, "--format: '" KT_FMT "' is none of %s",
			   KT_ARG(j->a->format), kt_buf_c(&names));
	kt_buf_free(&names);
	return *out ? 0 : -1;
}

static int doc(struct job *j)
{
	const struct kt_doc_format *format;
	struct kt_rules *rules = NULL;
	struct kt_str area = j->a->n_rest > 1 ? kt_str_c(j->a->rest[1]) : KT_NONE;
	struct kt_doc d;
	int rc = 0;

	if (doc_format(j, &format) < 0)
		return -1;
	if (kt_cli_rules(j->a, &rules) != KT_EXIT_FOUND) {
		j->told = KT_EXIT_RULES;
		return -1;
	}
	if (kt_doc_build(rules->kb, area, &d))
		format->write(&d, &j->out);
	else
		rc = kt_err_set(&j->err, KT_ERR_USAGE,
				"no cause stands in the area '" KT_FMT
				"'; areas are the first parts of the causes' ids",
				KT_ARG(area));
	kt_doc_free(&d);
	kt_rules_free(rules);
	return rc;
}

static int schema(struct job *j)
{
	kt_rules_schema(&j->out);
	return 0;
}

/* Made when the program is installed, so that the first start is fast too. */
static int image(struct job *j)
{
	struct kt_author_hooks hooks;
	struct kt_rules *rules = NULL;
	struct kt_diags diags = {0};
	struct kt_buf path = KT_BUF(KT_BUF_NAME);

	kt_author_hooks_init(&hooks);
	kt_buf_fmt(&path, "%s/rules.image", j->dir);
	int rc = kt_rules_load(j->dir, &hooks.hooks, &rules, &diags, &j->err);
	if (rc == 0)
		rc = kt_rules_image_write(rules, kt_buf_c(&path), &j->err);
	else
		kt_diags_format(&diags, &j->out);
	kt_rules_free(rules);
	kt_diags_free(&diags);
	kt_author_hooks_free(&hooks);
	kt_buf_free(&path);
	return rc;
}

static const struct {
	const char *name;
	int (*run)(struct job *j);
	size_t most; /* words, with its own */
} verbs[] = {{"check", check, 1}, {"test", test, 2},     {"eval", eval, 2},
	     {"doc", doc, 2},     {"schema", schema, 1}, {"image", image, 1}};

static enum kt_exit finish(struct job *j, int rc)
{
	enum kt_exit code = rc == 0                      ? KT_EXIT_FOUND
			    : j->err.cls == KT_ERR_RULES ? KT_EXIT_NOT_KNOWN
							 : kt_exit_of_error(&j->err);

	if (j->notes.len)
		kt_complain(kt_buf_view(&j->notes));
	if (j->out.len)
		code = kt_answer_out(&j->out, false, code);
	if (j->told != KT_EXIT_FOUND)
		code = j->told;
	else if (rc < 0)
		kt_complain(kt_str_c(j->err.text));
	kt_buf_free(&j->out);
	kt_buf_free(&j->notes);
	return code;
}

enum kt_exit kt_run_rules(struct kt_args *a)
{
	struct kt_buf dir = KT_BUF(KT_BUF_NAME);
	struct kt_str verb = a->n_rest ? kt_str_c(a->rest[0]) : KT_NONE;
	struct kt_str names[KT_LEN(verbs)];
	struct kt_err err = {0};

	for (size_t i = 0; i < KT_LEN(verbs); i++) {
		names[i] = kt_str_c(verbs[i].name);
		if (!kt_str_eq(verb, names[i]))
			continue;
		if (a->n_rest > verbs[i].most) {
			kt_err_set(&err, KT_ERR_USAGE, "rules %s takes no '%s'", verbs[i].name,
				   a->rest[a->n_rest - 1]);
			return kt_fail(&err);
		}
		kt_cli_rules_dir(a, &dir);
		struct job j = {.dir = kt_buf_c(&dir),
				.a = a,
				.out = KT_BUF(KT_BUF_TEXT),
				.notes = KT_BUF(KT_BUF_TEXT)};
		enum kt_exit rc = finish(&j, verbs[i].run(&j));
		kt_buf_free(&dir);
		return rc;
	}
	struct kt_str near = kt_str_nearest(verb, names, KT_LEN(verbs));
	kt_err_set(&err, KT_ERR_USAGE,
		   "rules: '" KT_FMT "' is none of check, test, eval, doc, schema, image%s" KT_FMT "%s",
		   KT_ARG(verb), near.len ? "; did you mean '" : "", KT_ARG(near), near.len ? "'?" : "");
	return kt_fail(&err);
}
