#include "author/case.h"

#include <unistd.h>

#include "author/folder.h"
#include "base/alloc.h"
#include "base/file.h"
#include "rules/keys.h"

#include "base/banned.h"

struct reader {
	struct kt_arena *a;
	struct kt_diags *d;
	struct kt_cases *out;
	struct kt_err *err;
	uint32_t n_files;
};

#define FIRST_ORDER 1000000u /* behind the rule files */

/* A YAML file of the case; false when it is not there or wrong. */
static bool read_yaml(struct reader *r, struct kt_case *c, struct kt_source *src, const char *name)
{
	struct kt_buf text = KT_BUF(KT_YAML_MAX);
	struct kt_err err = {0};

	src->path = kt_arena_fmt(r->a, KT_FMT "/%s", KT_ARG(c->path), name);
	src->order = FIRST_ORDER + r->n_files++;
	bool read = kt_file_read(src->path.p, &text, &err) == 0;
	src->text = kt_arena_str(r->a, kt_buf_view(&text));
	kt_buf_free(&text);
	if (!read) {
		kt_diags_add(r->d, KT_DIAG_ERROR, kt_place_whole(src), NULL, "cannot be read");
		return false;
	}
	if (kt_yaml_parse(src, r->a, r->d) < 0)
		return false;
	if (!src->root)
		kt_diags_add(r->d, KT_DIAG_ERROR, kt_place_whole(src), NULL, "the file is empty");
	return src->root != NULL;
}

static bool there(struct reader *r, const struct kt_case *c, const char *name)
{
	return access(kt_arena_fmt(r->a, KT_FMT "/%s", KT_ARG(c->path), name).p, F_OK) == 0;
}

static void read_verdicts(struct kt_case *c, const struct kt_yaml *y)
{
	if (y && y->kind == KT_YAML_SCALAR)
		c->verdicts |= 1u << kt_word_at(kt_words_verdict, y->text, 0);
	for (const struct kt_yaml *v = y ? y->first : NULL; v; v = v->next)
		if (!v->bad)
			c->verdicts |= 1u << kt_word_at(kt_words_verdict, v->text, 0);
}

static void read_expect(struct reader *r, struct kt_case *c)
{
	size_t before = r->d->n_errors;

	if (read_yaml(r, c, &c->expect, "expect.yaml"))
		kt_keys_check(&kt_keys_expect, c->expect.root, r->d);
	c->bad = r->d->n_errors > before;
	const struct kt_yaml *root = c->expect.root, *first = kt_yaml_get(root, "first");
	const struct kt_yaml *never = kt_yaml_get(root, "never");
	c->kind = (enum kt_case_kind)kt_word_at(kt_words_case_kind, kt_yaml_text(kt_yaml_get(root, "kind")),
						0);
	c->provenance = (enum kt_provenance)kt_word_at(kt_words_provenance,
						       kt_yaml_text(kt_yaml_get(root, "provenance")), 0);
	c->first = kt_yaml_text(first);
	c->first_at = first ? first->at : kt_place_whole(&c->expect);
	read_verdicts(c, kt_yaml_get(root, "verdict"));
	c->never = KT_NEW_N(r->a, struct kt_str, never ? never->n + 1 : 1);
	for (const struct kt_yaml *v = never ? never->first : NULL; v; v = v->next)
		if (!v->bad)
			c->never[c->n_never++] = v->text;
}

static void read_answers(struct reader *r, struct kt_case *c)
{
	struct kt_source *src = KT_NEW(r->a, struct kt_source);
	size_t before = r->d->n_errors;

	if (!there(r, c, "answers.yaml"))
		return;
	if (read_yaml(r, c, src, "answers.yaml") && src->root->kind != KT_YAML_MAP)
		kt_diags_add(r->d, KT_DIAG_ERROR, src->root->at, NULL,
			     "answers are a map of facts to values");
	c->bad = c->bad || r->d->n_errors > before;
	if (c->bad)
		return;
	c->answers = KT_NEW_N(r->a, struct kt_case_answer, src->root->n + 1);
	for (const struct kt_yaml *v = src->root->first; v; v = v->next)
		c->answers[c->n_answers++] = (struct kt_case_answer){v->key->text,
								     kt_str_trim(kt_yaml_text(v)), v->at};
}

static void read_inputs(struct reader *r, struct kt_case *c)
{
	struct kt_str dir = kt_arena_fmt(r->a, KT_FMT "/inputs", KT_ARG(c->path));
	struct kt_names names = {0};
	struct kt_err none = {0};
	bool one = there(r, c, "input.txt");

	if (kt_folder_list(dir.p, r->a, &names, &none) < 0)
		kt_err_clear(&none);
	c->inputs = KT_NEW_N(r->a, struct kt_str, names.n + 1);
	if (one)
		c->inputs[c->n_inputs++] = kt_arena_fmt(r->a, KT_FMT "/input.txt", KT_ARG(c->path));
	for (size_t i = 0; i < names.n; i++)
		c->inputs[c->n_inputs++] = kt_arena_fmt(r->a, "%s/" KT_FMT, dir.p, KT_ARG(names.at[i]));
	kt_names_free(&names);
	if (there(r, c, "cluster"))
		c->cluster = kt_arena_fmt(r->a, KT_FMT "/cluster", KT_ARG(c->path));
	if (c->n_inputs || c->cluster.len || c->n_answers)
		return;
	kt_diags_add(r->d, KT_DIAG_ERROR, kt_place_whole(&c->expect), NULL,
		     "nothing to diagnose: no input.txt, inputs/, cluster/ or answers.yaml beside it");
	c->bad = true;
}

/* Diagnostics point into the case: it must not move afterwards. */
static void read_case(struct reader *r, struct kt_str dir, struct kt_str cause, struct kt_str name)
{
	struct kt_case *c = KT_NEW(r->a, struct kt_case);

	c->cause = cause;
	c->name = name;
	c->path = kt_arena_fmt(r->a, KT_FMT "/" KT_FMT, KT_ARG(dir), KT_ARG(name));
	if (!kt_folder_is(c->path.p))
		return;
	read_expect(r, c);
	read_answers(r, c);
	read_inputs(r, c);
	KT_PUSH(r->out->at, r->out->n, r->out->cap) = *c;
}

static int read_cause(struct reader *r, const char *dir, struct kt_str cause)
{
	struct kt_str path = kt_arena_fmt(r->a, "%s/" KT_FMT, dir, KT_ARG(cause));
	struct kt_names names;

	if (!kt_folder_is(path.p))
		return 0;
	if (kt_folder_list(path.p, r->a, &names, r->err) < 0)
		return -1;
	for (size_t i = 0; i < names.n; i++)
		read_case(r, path, cause, names.at[i]);
	kt_names_free(&names);
	return 0;
}

int kt_cases_read(const char *dir, struct kt_arena *a, struct kt_diags *d, struct kt_cases *out,
		  struct kt_err *err)
{
	struct reader r = {.a = a, .d = d, .out = out, .err = err};
	struct kt_names causes;
	int rc = 0;

	if (!kt_folder_is(dir))
		return 0;
	if (kt_folder_list(dir, a, &causes, err) < 0)
		return -1;
	for (size_t i = 0; i < causes.n && rc == 0; i++)
		rc = read_cause(&r, dir, causes.at[i]);
	kt_names_free(&causes);
	return rc;
}

void kt_cases_free(struct kt_cases *c)
{
	kt_free(c->at);
	*c = (struct kt_cases){0};
}
