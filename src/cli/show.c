/* show: one read-only command or query, for a person or a script. */
#include "cli/cli.h"

#include <unistd.h>

#include "json/write.h"
#include "report/report.h"
#include "term/escape.h"
#include "term/signals.h"

#include "base/banned.h"

static void json_rows(const struct kt_result *res, struct kt_buf *out)
{
	struct kt_jw w = {.out = out};

	kt_jw_open(&w, NULL, '[');
	for (size_t i = 0; i < res->n_rows; i++) {
		kt_jw_open(&w, NULL, '{');
		for (size_t c = 0; c < res->n_columns; c++) {
			struct kt_buf name = KT_BUF(KT_BUF_NAME);
			struct kt_str cell = kt_result_cell(res, i, c);
			kt_buf_add(&name, res->columns[c].name);
			if (cell.p)
				kt_jw_str(&w, kt_buf_c(&name), cell);
			else
				kt_jw_null(&w, kt_buf_c(&name));
			kt_buf_free(&name);
		}
		kt_jw_close(&w);
	}
	kt_jw_close(&w);
	kt_buf_char(out, '\n');
}

static bool is_number(struct kt_str s)
{
	bool digit = false;

	for (size_t i = 0; i < s.len; i++) {
		bool sign = s.p[i] == '-' || s.p[i] == '+';
		bool exponent = digit && (s.p[i] == 'e' || s.p[i] == 'E');
		if (s.p[i] >= '0' && s.p[i] <= '9')
			digit = true;
		else if (s.p[i] != '.' && !exponent &&
			 !(sign && (!i || s.p[i - 1] == 'e' || s.p[i - 1] == 'E')))
			return false;
	}
	return digit;
}

/* What a spreadsheet would run as a formula. */
static bool is_formula(struct kt_str s)
{
	return s.len && kt_str_chr(KT_S("=+-@\t\r"), s.p[0], 0) != KT_NPOS && !is_number(s);
}

/* RFC 4180; a formula gets a quote in front. */
static void csv_cell(struct kt_str cell, struct kt_buf *out)
{
	kt_buf_char(out, '"');
	if (is_formula(cell))
		kt_buf_char(out, '\'');
	for (size_t i = 0; i < cell.len; i++) {
		if (cell.p[i] == '"')
			kt_buf_char(out, '"');
		kt_buf_char(out, cell.p[i]);
	}
	kt_buf_char(out, '"');
}

static void tsv_cell(struct kt_str cell, struct kt_buf *out)
{
	for (size_t i = 0; i < cell.len; i++) {
		char c = cell.p[i];
		if (c == '\t' || c == '\n' || c == '\r' || c == '\\')
			kt_buf_fmt(out, "\\%c", c == '\t' ? 't' : c == '\n' ? 'n' : c == '\r' ? 'r' : '\\');
		else
			kt_buf_char(out, c);
	}
}

static void separated(const struct kt_result *res, char sep, struct kt_buf *out)
{
	void (*cell)(struct kt_str, struct kt_buf *) = sep == ',' ? csv_cell : tsv_cell;

	for (size_t c = 0; c < res->n_columns; c++) {
		if (c)
			kt_buf_char(out, sep);
		cell(res->columns[c].name, out);
	}
	kt_buf_char(out, '\n');
	for (size_t i = 0; i < res->n_rows * res->n_columns; i++) {
		cell(res->cells[i], out);
		kt_buf_char(out, (i + 1) % res->n_columns ? sep : '\n');
	}
}

/* A script gets the cells as they are, a terminal nothing that it would obey. */
static void for_terminal(struct kt_buf *out)
{
	struct kt_buf raw = *out;

	if (!isatty(STDOUT_FILENO))
		return;
	*out = KT_BUF(raw.max);
	kt_escape(out, kt_buf_view(&raw), KT_ESC_TEXT);
	out->full = out->full || raw.full;
	kt_buf_free(&raw);
}

static int check_format(const struct kt_args *a, struct kt_err *err)
{
	static const char *const formats[] = {"", "table", "json", "csv", "tsv"};

	for (size_t i = 0; i < KT_LEN(formats); i++)
		if (kt_str_eq_c(a->format, formats[i]))
			return 0;
	return kt_err_set(err, KT_ERR_USAGE, "--format: '" KT_FMT "' is none of table, json, csv, tsv",
			  KT_ARG(a->format));
}

static void render(const struct kt_args *a, struct kt_session *s, const struct kt_result *res,
		   struct kt_buf *out)
{
	struct kt_style style;

	kt_style_init(&style, a->color, STDOUT_FILENO);
	if (!a->format.len || kt_str_eq_c(a->format, "table"))
		kt_report_result(&(struct kt_report){.session = s, .style = &style, .out = out}, res);
	else if (kt_str_eq_c(a->format, "json"))
		json_rows(res, out);
	else if (kt_str_eq_c(a->format, "csv"))
		separated(res, ',', out);
	else
		separated(res, '\t', out);
	if (a->format.len && !kt_str_eq_c(a->format, "table"))
		for_terminal(out);
}

static enum kt_exit show(const struct kt_args *a, const struct kt_kb *kb)
{
	struct kt_session *s = NULL;
	struct kt_cluster *cluster = NULL;
	struct kt_result res = {0};
	struct kt_buf out = KT_BUF(64u << 20);
	struct kt_err err = {0};
	struct kt_str text = kt_str_trim(kt_str_c(a->rest[0]));
	bool query = text.len && text.p[0] != '.';
	enum kt_exit rc;

	struct kt_guard *guard = kt_guard_new(kt_kb_file(kb, "guard.tsv"), &err);
	bool done = guard && kt_session_new(&(struct kt_session_opts){.kb = kb}, &s, &err) == 0 &&
		    kt_cli_cluster(a, kb, guard, &cluster, &err) == 0;
	if (done && cluster)
		done = kt_session_connect(s, cluster, a->database, &err) == 0;
	done = done && kt_session_show(s, text, query, kt_session_arena(s), &res, &err) == 0;
	if (done)
		render(a, s, &res, &out);
	rc = done ? kt_answer_out(&out, true, KT_EXIT_FOUND) : kt_fail(&err);
	kt_result_free(&res);
	kt_session_free(s);
	kt_guard_free(guard);
	kt_buf_free(&out);
	return rc;
}

enum kt_exit kt_run_show(struct kt_args *a)
{
	struct kt_rules *rules;
	struct kt_err err = {0};

	if (a->n_rest != 1) {
		kt_err_set(&err, KT_ERR_USAGE,
			   "show needs one command: ktriage show --cluster URL '.show ...'");
		return kt_fail(&err);
	}
	if (check_format(a, &err) < 0)
		return kt_fail(&err);
	enum kt_exit rc = kt_cli_rules(a, &rules);
	if (rc != KT_EXIT_FOUND)
		return rc;
	rc = show(a, rules->kb);
	kt_rules_free(rules);
	return rc;
}
