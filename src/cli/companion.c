/* explain, search, option, runbook: the rules without an incident. */
#include "cli/cli.h"

#include <unistd.h>

#include "base/alloc.h"
#include "report/report.h"
#include "term/signals.h"

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
	kt_session_free(b->r.session);
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

#define ALIKE 6 /* ids that are listed where a part of an id means several */

/* The one cause whose id holds PART; else KT_NIL, with the first of them in ALIKE_OUT. */
static uint32_t cause_part(const struct kt_kb *kb, struct kt_str part, struct kt_buf *alike)
{
	uint32_t found = KT_NIL;
	size_t n = 0;

	for (uint32_t i = 0; i < kb->n_causes && part.len; i++) {
		struct kt_str id = kt_kb_text(kb, kb->causes[i].id);
		if (kt_str_ieq(id, part))
			return i;
		if (kt_str_ifind(id, part, 0) == KT_NPOS)
			continue;
		if (n < ALIKE)
			kt_buf_fmt(alike, "%s" KT_FMT, n ? ", " : "", KT_ARG(id));
		else if (n == ALIKE)
			kt_buf_str(alike, ", …");
		found = i;
		n++;
	}
	return n == 1 ? found : KT_NIL;
}

static enum kt_exit no_cause(const struct kt_kb *kb, struct kt_str id, struct kt_str alike)
{
	struct kt_err err = {0};

	if (alike.len) {
		kt_err_set(&err, KT_ERR_USAGE, "several causes are called so: " KT_FMT, KT_ARG(alike));
		return kt_fail(&err);
	}
	struct kt_str *ids = kt_alloc_n(kb->n_causes, sizeof *ids);
	for (uint32_t i = 0; i < kb->n_causes; i++)
		ids[i] = kt_kb_text(kb, kb->causes[i].id);
	enum kt_exit rc = no_such("cause", id, ids, kb->n_causes);
	kt_free(ids);
	return rc;
}

enum kt_exit kt_run_explain(struct kt_args *a)
{
	struct book b;
	struct kt_buf alike = KT_BUF(KT_BUF_NAME);

	if (a->n_rest != 1)
		return usage("explain needs one cause id: ktriage explain ID; search WORDS finds one");
	enum kt_exit rc = book_open(a, &b);
	if (rc != KT_EXIT_FOUND)
		return rc;
	struct kt_str id = kt_str_c(a->rest[0]);
	uint32_t cause = cause_part(b.rules->kb, id, &alike);
	if (cause != KT_NIL)
		kt_report_cause(&b.r, b.rules->kb, cause);
	else
		rc = no_cause(b.rules->kb, id, kt_buf_view(&alike));
	kt_buf_free(&alike);
	return book_close(&b, rc);
}

/* Options, and the names that are taken for theirs; those with the same name in other
 * letters, too. Returns how many were shown. */
static size_t show_options(struct book *b, struct kt_str name)
{
	const struct kt_kb *kb = b->rules->kb;
	size_t shown = 0;

	for (uint32_t i = 0; i < kb->n_options; i++)
		if (!name.len || kt_str_ieq(kt_kb_text(kb, kb->options[i].id), name)) {
			kt_report_option(&b->r, kb, i);
			shown++;
		}
	for (uint32_t i = 0; i < kb->n_options && !shown; i++)
		shown += kt_report_wrong_option(&b->r, kb, i, name);
	return shown;
}

static enum kt_exit no_option(const struct kt_kb *kb, struct kt_str name)
{
	size_t n = 0, most = kb->n_options;

	for (uint32_t i = 0; i < kb->n_options; i++)
		most += kb->options[i].wrong.n;
	struct kt_str *ids = kt_alloc_n(most + 1, sizeof *ids);
	for (uint32_t i = 0; i < kb->n_options; i++) {
		ids[n++] = kt_kb_text(kb, kb->options[i].id);
		for (uint32_t k = 0; k < kb->options[i].wrong.n; k++)
			ids[n++] = kt_kb_text(kb, kb->choices[kb->options[i].wrong.at + k].value);
	}
	enum kt_exit rc = no_such("option", name, ids, n);
	kt_free(ids);
	return rc;
}

enum kt_exit kt_run_option(struct kt_args *a)
{
	struct book b;

	if (a->check.len && a->n_rest)
		return usage("option takes a name or --check FILE, not both");
	if (a->check.len)
		return kt_cli_option_check(a);
	if (a->format.len)
		return usage("--format goes with --check");
	if (a->n_rest > 1)
		return usage("option takes one name: ktriage option [NAME]");
	enum kt_exit rc = book_open(a, &b);
	if (rc != KT_EXIT_FOUND)
		return rc;
	struct kt_str name = a->n_rest ? kt_str_c(a->rest[0]) : KT_NONE;
	if (!show_options(&b, name) && a->n_rest)
		rc = no_option(b.rules->kb, name);
	return book_close(&b, rc);
}

static bool cancelled(void *ctx)
{
	(void)ctx;
	return kt_signal_cancelled();
}

static const struct kt_ui text_ui = {.cancelled = cancelled, .stop = &kt_signal_flag};

static enum kt_exit unreadable(void)
{
	struct kt_err err = {0};

	kt_err_set(&err, KT_ERR_INPUT, "search -: standard input cannot be read");
	return kt_fail(&err);
}

/* "search -": which causes' texts stand in what stdin gives. The real patterns judge,
 * record by record; nothing is weighed. */
static enum kt_exit search_text(struct kt_args *a)
{
	struct book b;
	struct kt_err err = {0};
	enum kt_exit rc = book_open(a, &b);

	if (rc != KT_EXIT_FOUND)
		return rc;
	struct kt_session_opts opts = {.kb = b.rules->kb, .ui = &text_ui};
	if (kt_session_new(&opts, &b.r.session, &err) < 0 || kt_session_scan(b.r.session, "-", &err) < 0)
		rc = kt_fail(&err);
	else if (kt_report_nothing_read(b.r.session))
		rc = unreadable();
	else
		kt_report_texts(&b.r);
	return book_close(&b, rc);
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
