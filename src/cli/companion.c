/* explain, search, option, runbook: the rules without an incident. */
#include "cli/cli.h"

#include <unistd.h>

#include "base/alloc.h"
#include "report/report.h"

#include "base/banned.h"

struct book {
	struct kt_rules *rules;
	struct kt_style style;
	struct kt_buf out;
	struct kt_report r;
};

static enum kt_exit book_open(const struct kt_args *a, struct book *b)
{
	*b = (struct book){.out = KT_BUF(KT_BUF_TEXT)};
	kt_style_init(&b->style, a->color, STDOUT_FILENO);
	b->r = (struct kt_report){.style = &b->style, .out = &b->out};
	return kt_cli_rules(a, &b->rules);
}

static enum kt_exit book_close(struct book *b, enum kt_exit rc)
{
	if (rc == KT_EXIT_FOUND)
		rc = kt_answer_out(&b->out, true, rc);
	kt_buf_free(&b->out);
	kt_rules_free(b->rules);
	return rc;
}

/* "no cause 'x'; did you mean 'y'?" over the ids of a table. */
static enum kt_exit no_such(const char *what, struct kt_str id, const struct kt_str *ids, size_t n)
{
	struct kt_err err = {0};
	struct kt_str near = kt_str_nearest(id, ids, n);

	kt_err_set(&err, KT_ERR_USAGE, "no %s '" KT_FMT "'%s" KT_FMT "%s", what, KT_ARG(id),
		   near.len ? "; did you mean '" : "", KT_ARG(near),
		   near.len ? "'?" : "; search WORDS finds one");
	return kt_fail(&err);
}

static enum kt_exit usage(const char *text)
{
	struct kt_err err = {0};

	kt_err_set(&err, KT_ERR_USAGE, "%s", text);
	return kt_fail(&err);
}

enum kt_exit kt_run_explain(struct kt_args *a)
{
	struct book b;

	if (a->n_rest != 1)
		return usage("explain needs one cause id: ktriage explain ID; search WORDS finds one");
	enum kt_exit rc = book_open(a, &b);
	if (rc != KT_EXIT_FOUND)
		return rc;
	const struct kt_kb *kb = b.rules->kb;
	struct kt_str id = kt_str_c(a->rest[0]);
	uint32_t cause = kt_kb_cause(kb, id);
	if (cause != KT_NIL) {
		kt_report_cause(&b.r, kb, cause);
	} else {
		struct kt_str *ids = kt_alloc_n(kb->n_causes, sizeof *ids);
		for (uint32_t i = 0; i < kb->n_causes; i++)
			ids[i] = kt_kb_text(kb, kb->causes[i].id);
		rc = no_such("cause", id, ids, kb->n_causes);
		kt_free(ids);
	}
	return book_close(&b, rc);
}

enum kt_exit kt_run_option(struct kt_args *a)
{
	struct book b;

	if (a->n_rest > 1)
		return usage("option takes one name: ktriage option [NAME]");
	enum kt_exit rc = book_open(a, &b);
	if (rc != KT_EXIT_FOUND)
		return rc;
	const struct kt_kb *kb = b.rules->kb;
	struct kt_str *ids = kt_alloc_n(kb->n_options, sizeof *ids);
	bool found = false;
	for (uint32_t i = 0; i < kb->n_options; i++) {
		ids[i] = kt_kb_text(kb, kb->options[i].id);
		if (a->n_rest && !kt_str_eq_c(ids[i], a->rest[0]))
			continue;
		found = true;
		kt_report_option(&b.r, kb, i);
	}
	if (!found && a->n_rest)
		rc = no_such("option", kt_str_c(a->rest[0]), ids, kb->n_options);
	kt_free(ids);
	return book_close(&b, rc);
}

/* "search -": the error text on stdin is diagnosed, as a paste in the shell is. */
static enum kt_exit search_text(struct kt_args *a)
{
	a->format = KT_NONE;
	return kt_run_diagnose(a);
}

enum kt_exit kt_run_search(struct kt_args *a)
{
	struct book b;
	struct kt_buf words = KT_BUF(KT_BUF_NAME);

	if (!a->n_rest)
		return usage("search needs words: ktriage search WORDS, or - for an error text on stdin");
	if (a->n_rest == 1 && kt_str_eq_c(kt_str_c(a->rest[0]), "-"))
		return search_text(a);
	enum kt_exit rc = book_open(a, &b);
	if (rc != KT_EXIT_FOUND)
		return rc;
	for (size_t i = 0; i < a->n_rest; i++)
		kt_buf_fmt(&words, "%s%s", i ? " " : "", a->rest[i]);
	kt_report_search(&b.r, b.rules->kb, kt_buf_view(&words));
	kt_buf_free(&words);
	return book_close(&b, rc);
}

enum kt_exit kt_run_runbook(struct kt_args *a)
{
	struct book b;

	if (a->n_rest > 1)
		return usage("runbook takes one area: ktriage runbook [AREA]");
	enum kt_exit rc = book_open(a, &b);
	if (rc != KT_EXIT_FOUND)
		return rc;
	kt_report_runbook(&b.r, b.rules->kb, a->n_rest ? kt_str_c(a->rest[0]) : KT_NONE);
	if (!b.out.len) {
		book_close(&b, KT_EXIT_USAGE);
		return usage("no cause stands in this area; areas are the first parts of the causes' ids");
	}
	return book_close(&b, rc);
}
