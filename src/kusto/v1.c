/* Answers of /v1/: {"Tables": […], "Exceptions": […]}; see answer.h. */
#include "kusto/answer.h"

#include "base/banned.h"

#define WORST_SEVERITY 2 /* this and less is a failure */

static const struct kt_json *table_columns(const struct kt_json *table)
{
	return kt_json_get(table, "Columns");
}

static const struct kt_json *table_rows(const struct kt_json *table)
{
	return kt_json_get(table, "Rows");
}

static int take(struct kt_decoding *d, const struct kt_json *table)
{
	if (kt_table_columns(d, table_columns(table)) < 0)
		return -1;
	return kt_table_rows(d, table_rows(table));
}

static int check_status(struct kt_decoding *d, const struct kt_json *table)
{
	size_t severity = kt_answer_column(table_columns(table), "Severity");
	size_t text = kt_answer_column(table_columns(table), "StatusDescription");
	const struct kt_json *rows = table_rows(table);

	for (size_t i = 0; severity != KT_NPOS && i < kt_json_len(rows); i++) {
		const struct kt_json *row = kt_json_at(rows, i);
		if (kt_json_int(kt_json_at(row, severity), WORST_SEVERITY + 1) > WORST_SEVERITY)
			continue;
		return kt_decoding_text(d, kt_json_str(kt_json_at(row, text)));
	}
	return 0;
}

/* More than two tables: the last one says what the others are. */
static int by_contents(struct kt_decoding *d, const struct kt_json *tables)
{
	size_t n = kt_json_len(tables);
	const struct kt_json *toc = kt_json_at(tables, n - 1);
	size_t kind = kt_answer_column(table_columns(toc), "Kind");
	size_t ordinal = kt_answer_column(table_columns(toc), "Ordinal");
	const struct kt_json *result = NULL;

	if (kind == KT_NPOS || ordinal == KT_NPOS)
		return kt_decoding_malformed(d, "there is no table of contents");
	for (size_t i = 0; i < kt_json_len(table_rows(toc)); i++) {
		const struct kt_json *row = kt_json_at(table_rows(toc), i);
		struct kt_str word = kt_json_str(kt_json_at(row, kind));
		int64_t at = kt_json_int(kt_json_at(row, ordinal), -1);
		if (at < 0 || (size_t)at >= n - 1)
			return kt_decoding_malformed(d,
						     "the table of contents names a table that is not there");
		const struct kt_json *table = kt_json_at(tables, (size_t)at);
		if (kt_str_eq_c(word, "QueryStatus") && check_status(d, table) < 0)
			return -1;
		if (!result && (kt_str_eq_c(word, "QueryResult") || kt_str_eq_c(word, "PrimaryResult")))
			result = table;
	}
	return result ? take(d, result) : kt_decoding_malformed(d, "no table holds the result");
}

int kt_decode_v1(struct kt_decoding *d, const struct kt_json *doc)
{
	const struct kt_json *tables = kt_json_get(doc, "Tables"), *errors = kt_json_get(doc, "Exceptions");
	size_t n = kt_json_len(tables);

	if (kt_json_len(errors))
		return kt_decoding_text(d, kt_json_str(kt_json_at(errors, 0)));
	if (kt_json_kind(tables) != KT_JSON_ARRAY || !n)
		return kt_decoding_malformed(d, "there are no tables in it");
	for (size_t i = 0; i < n; i++)
		if (kt_table_check(d, table_rows(kt_json_at(tables, i))) < 0)
			return -1;
	return n > 2 ? by_contents(d, tables) : take(d, kt_json_at(tables, 0));
}
