#include "kusto/decode.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "kusto/answer.h"

#include "base/banned.h"

void kt_result_free(struct kt_result *r)
{
	kt_arena_free(&r->arena);
	kt_free(r->cells);
	*r = (struct kt_result){0};
}

size_t kt_result_column(const struct kt_result *r, struct kt_str name)
{
	size_t found = KT_NPOS;

	for (size_t i = 0; i < r->n_columns; i++)
		if (kt_str_eq(r->columns[i].name, name))
			return i;
	for (size_t i = 0; i < r->n_columns; i++) {
		if (!kt_str_ieq(r->columns[i].name, name))
			continue;
		if (found != KT_NPOS)
			return KT_NPOS;
		found = i;
	}
	return found;
}

/* ---- columns ---- */

/* .NET names of v1 and the aliases of KQL, as KQL's own words. */
static struct kt_str type_word(struct kt_str type)
{
	static const char *const words[][2] = {
		{"String", "string"},     {"Int32", "int"},          {"Int64", "long"},
		{"Double", "real"},       {"Boolean", "bool"},       {"SByte", "bool"},
		{"DateTime", "datetime"}, {"TimeSpan", "timespan"},  {"Guid", "guid"},
		{"Object", "dynamic"},    {"SqlDecimal", "decimal"}, {"Decimal", "decimal"},
		{"date", "datetime"},     {"time", "timespan"},      {"boolean", "bool"},
		{"double", "real"},       {"uuid", "guid"},          {"uniqueid", "guid"},
		{"int32", "int"},         {"int64", "long"},
	};

	for (size_t i = 0; i < KT_LEN(words); i++)
		if (kt_str_eq_c(type, words[i][0]))
			return kt_str_c(words[i][1]);
	return type;
}

size_t kt_answer_column(const struct kt_json *columns, const char *name)
{
	for (size_t i = 0; i < kt_json_len(columns); i++)
		if (kt_str_eq_c(kt_json_str(kt_json_get(kt_json_at(columns, i), "ColumnName")), name))
			return i;
	return KT_NPOS;
}

int kt_table_columns(struct kt_decoding *d, const struct kt_json *columns)
{
	struct kt_result *r = d->out;

	if (kt_json_kind(columns) != KT_JSON_ARRAY || !kt_json_len(columns))
		return kt_decoding_malformed(d, "a table without columns");
	r->n_columns = kt_json_len(columns);
	r->columns = kt_arena_alloc_n(&r->arena, r->n_columns, sizeof *r->columns);
	for (size_t i = 0; i < r->n_columns; i++) {
		const struct kt_json *c = kt_json_at(columns, i);
		struct kt_str type = kt_json_str(kt_json_get(c, "ColumnType"));
		if (!type.len)
			type = kt_json_str(kt_json_get(c, "DataType"));
		if (!kt_json_get(c, "ColumnName"))
			return kt_decoding_malformed(d, "a column without a name");
		r->columns[i].name = kt_arena_str(&r->arena, kt_json_str(kt_json_get(c, "ColumnName")));
		r->columns[i].type = kt_arena_str(&r->arena, type_word(type));
	}
	return 0;
}

/* ---- cells ---- */

/* The shortest decimal that reads back as the same number. */
static void put_real(struct kt_str text, struct kt_buf *out)
{
	char c[64], s[64];
	int digits = 15;

	snprintf(c, sizeof c, KT_FMT, KT_ARG(text));
	double v = strtod(c, NULL);
	do
		snprintf(s, sizeof s, "%.*g", digits, v);
	while (strtod(s, NULL) != v && ++digits <= 17);
	kt_buf_str(out, s);
}

static struct kt_str cell_text(struct kt_decoding *d, const struct kt_json *v, struct kt_str type)
{
	enum kt_json_kind kind = kt_json_kind(v);
	struct kt_buf b = KT_BUF(d->a->body.len * 8 + 64), real = KT_BUF(64);
	struct kt_str s;

	if (kind == KT_JSON_STR)
		return kt_arena_str(&d->out->arena, kt_json_str(v));
	if (kind == KT_JSON_INT && kt_str_eq_c(type, "bool"))
		return kt_json_int(v, 0) ? KT_S("true") : KT_S("false");
	if (kind == KT_JSON_REAL) {
		kt_json_text(v, &b);
		put_real(kt_buf_view(&b), &real);
		s = kt_arena_str(&d->out->arena, kt_buf_view(&real));
	} else {
		kt_json_text(v, &b);
		s = kt_arena_str(&d->out->arena, kt_buf_view(&b));
	}
	kt_buf_free(&b);
	kt_buf_free(&real);
	return s;
}

static int add_row(struct kt_decoding *d, const struct kt_json *row)
{
	struct kt_result *r = d->out;

	/* Official clients fill a short row up with nulls, and so do we. */
	if (!kt_json_len(row) || kt_json_len(row) > r->n_columns)
		return kt_decoding_malformed(d, "a row has more cells than there are columns, or none");
	if (d->n_cells + r->n_columns > KT_DECODE_MAX_CELLS)
		return kt_decoding_fail(d, KT_REPLY_LIMIT, "the answer has more than %u cells",
					KT_DECODE_MAX_CELLS);
	for (size_t i = 0; i < r->n_columns; i++) {
		const struct kt_json *v = kt_json_at(row, i);
		bool null = !v || kt_json_kind(v) == KT_JSON_NULL;
		struct kt_str s = null ? KT_NONE : cell_text(d, v, r->columns[i].type);
		if (!null && !s.p)
			s = KT_S("");
		KT_PUSH(r->cells, d->n_cells, d->cap_cells) = s;
	}
	r->n_rows++;
	return 0;
}

/* An object in place of a row: a failure, in one of two spellings. */
static int check_row(struct kt_decoding *d, const struct kt_json *row)
{
	const struct kt_json *v2 = kt_json_get(row, "OneApiErrors"), *v1 = kt_json_get(row, "Exceptions");

	if (kt_json_kind(row) == KT_JSON_ARRAY)
		return 0;
	if (kt_json_len(v2))
		return kt_decoding_one_api(d, kt_json_at(v2, 0));
	if (kt_json_len(v1))
		return kt_decoding_text(d, kt_json_str(kt_json_at(v1, 0)));
	return kt_decoding_malformed(d, "a row that is none");
}

int kt_table_check(struct kt_decoding *d, const struct kt_json *rows)
{
	if (kt_json_kind(rows) != KT_JSON_ARRAY)
		return kt_decoding_malformed(d, "a table without rows");
	for (size_t i = 0; i < kt_json_len(rows); i++)
		if (check_row(d, kt_json_at(rows, i)) < 0)
			return -1;
	return 0;
}

int kt_table_rows(struct kt_decoding *d, const struct kt_json *rows)
{
	if (kt_table_check(d, rows) < 0)
		return -1;
	for (size_t i = 0; i < kt_json_len(rows); i++)
		if (add_row(d, kt_json_at(rows, i)) < 0)
			return -1;
	return 0;
}

void kt_table_clear_rows(struct kt_decoding *d)
{
	d->n_cells = 0;
	d->out->n_rows = 0;
}

/* ---- the whole ---- */

static int decode_body(struct kt_decoding *d)
{
	struct kt_err why = {0};
	int rc;

	if (d->a->body.len > KT_DECODE_MAX_BODY)
		return kt_decoding_fail(d, KT_REPLY_LIMIT, "the answer is larger than %u bytes",
					KT_DECODE_MAX_BODY);
	struct kt_str body = kt_str_trim(d->a->body);
	if (!body.len || (body.p[0] != '[' && body.p[0] != '{'))
		return kt_decoding_foreign(d);
	struct kt_json *doc = kt_json_parse(d->a->body, &why);
	if (!doc)
		return kt_decoding_fail(d, KT_REPLY_MALFORMED, "the answer ends early or is no JSON (%.200s)",
					why.text);
	if (kt_json_get(doc, "error"))
		rc = kt_decoding_one_api(d, doc);
	else
		rc = d->a->v2 ? kt_decode_v2(d, doc) : kt_decode_v1(d, doc);
	kt_json_free(doc);
	return rc;
}

enum kt_reply_state kt_decode(const struct kt_answer *a, struct kt_result *out, struct kt_err *err)
{
	struct kt_decoding d = {.a = a, .out = out, .err = err};
	locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	locale_t before = uselocale(plain); /* numbers have a point, wherever we are */
	int rc = a->status == 200 ? decode_body(&d) : kt_decoding_status(&d);

	uselocale(before);
	if (plain)
		freelocale(plain);
	if (rc < 0)
		kt_result_free(out);
	return d.state;
}
