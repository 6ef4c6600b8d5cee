/* option --check: an option list or a job's source against the reference. */
#include "cli/cli.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "author/options.h"
#include "base/alloc.h"
#include "base/file.h"
#include "json/write.h"
#include "term/escape.h"

#include "base/banned.h"

#define SOURCE_MAX (4u << 20) /* bytes; no job's source is longer */
#define MOST_SHOWN 10000      /* findings */

static int read_stdin(struct kt_buf *out, struct kt_err *err)
{
	char piece[1 << 16];
	ssize_t n;

	while ((n = kt_read(STDIN_FILENO, piece, sizeof piece)) > 0 && !out->full)
		kt_buf_add(out, (struct kt_str){piece, (size_t)n});
	if (n < 0)
		return kt_err_set(err, KT_ERR_INPUT, "stdin: %s", strerror(errno));
	return out->full ? kt_err_set(err, KT_ERR_LIMIT, "stdin: longer than %u bytes", SOURCE_MAX) : 0;
}

static const char *level(const struct kt_option_finding *f)
{
	return f->warning ? "warning" : "error";
}

static void as_text(const char *name, const struct kt_option_findings *found, struct kt_buf *out)
{
	struct kt_buf line = KT_BUF(KT_BUF_TEXT);

	for (size_t i = 0; i < found->n && i < MOST_SHOWN; i++) {
		const struct kt_option_finding *f = &found->p[i];
		kt_buf_clear(&line);
		kt_buf_fmt(&line, "%s:%u:%u: %s: ", name, f->line, f->column, level(f));
		kt_buf_add(&line, f->text);
		if (f->cause.len)
			kt_buf_fmt(&line, " (" KT_FMT ")", KT_ARG(f->cause));
		kt_escape(out, kt_buf_view(&line), KT_ESC_LINE);
		kt_buf_fmt(out, " [" KT_FMT "]\n", KT_ARG(f->id));
	}
	kt_buf_free(&line);
}

static void as_json(const char *name, const struct kt_option_findings *found, struct kt_buf *out)
{
	struct kt_jw w = {.out = out};

	kt_jw_open(&w, NULL, '{');
	kt_jw_str(&w, "schema", KT_S("ktriage.options/1"));
	kt_jw_str(&w, "file", kt_str_c(name));
	kt_jw_int(&w, "lists", (int64_t)found->lists);
	kt_jw_int(&w, "options", (int64_t)found->options);
	kt_jw_int(&w, "found", (int64_t)found->n);
	kt_jw_open(&w, "findings", '[');
	for (size_t i = 0; i < found->n && i < MOST_SHOWN; i++) {
		const struct kt_option_finding *f = &found->p[i];
		kt_jw_open(&w, NULL, '{');
		kt_jw_int(&w, "line", f->line);
		kt_jw_int(&w, "column", f->column);
		kt_jw_str(&w, "level", kt_str_c(level(f)));
		kt_jw_str(&w, "id", f->id);
		kt_jw_str_or_null(&w, "option", f->option);
		kt_jw_str(&w, "text", f->text);
		kt_jw_str_or_null(&w, "cause", f->cause);
		kt_jw_close(&w);
	}
	kt_jw_close(&w);
	kt_jw_close(&w);
	kt_buf_char(out, '\n');
}

static enum kt_exit check(const struct kt_args *a, const struct kt_kb *kb, struct kt_str text)
{
	struct kt_arena arena = {0};
	struct kt_option_findings found;
	struct kt_buf out = KT_BUF(KT_BUF_TEXT);
	bool standard = kt_str_eq_c(a->check, "-");
	const char *name = standard ? "stdin" : a->check.p;

	if (kt_str_starts(text, KT_S("\xef\xbb\xbf")))
		text = kt_str_from(text, 3);
	kt_options_check(kb, text, &arena, &found);
	if (kt_str_eq_c(a->format, "json"))
		as_json(name, &found, &out);
	else
		as_text(name, &found, &out);
	if (found.n > MOST_SHOWN)
		kt_complain(kt_arena_fmt(&arena, "%zu findings more are not shown", found.n - MOST_SHOWN));
	if (!found.lists)
		kt_complain(KT_S("no option of the connector was found: there was nothing to check"));
	enum kt_exit rc = kt_answer_out(&out, false, found.n ? KT_EXIT_NOT_KNOWN : KT_EXIT_FOUND);
	kt_buf_free(&out);
	kt_arena_free(&arena);
	return rc;
}

enum kt_exit kt_cli_option_check(const struct kt_args *a)
{
	struct kt_buf text = KT_BUF(SOURCE_MAX);
	struct kt_rules *rules;
	struct kt_err err = {0};

	if (a->format.len && !kt_str_eq_c(a->format, "text") && !kt_str_eq_c(a->format, "json")) {
		kt_err_set(&err, KT_ERR_USAGE, "--format: '" KT_FMT "' is none of text, json",
			   KT_ARG(a->format));
		return kt_fail(&err);
	}
	enum kt_exit rc = kt_cli_rules(a, &rules);
	if (rc != KT_EXIT_FOUND)
		return rc;
	int got = kt_str_eq_c(a->check, "-") ? read_stdin(&text, &err)
					     : kt_file_read(a->check.p, &text, &err);
	rc = got < 0 ? kt_fail(&err) : check(a, rules->kb, kt_buf_view(&text));
	kt_rules_free(rules);
	kt_buf_free(&text);
	return rc;
}
