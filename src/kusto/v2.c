/* Answers of /v2/: an array of frames, whole tables or in fragments; see answer.h. */
#include "kusto/answer.h"

#include "base/banned.h"

#define MAX_TABLES  64
#define WORST_LEVEL 2 /* this and less is a failure */

struct table {
	int64_t id;
	bool primary, open;
	size_t n_rows;
};

struct frames {
	struct kt_decoding *d;
	struct table tables[MAX_TABLES];
	size_t n;
	bool found;     /* a primary table was begun */
	int64_t chosen; /* its id */
	bool ended;
};

static struct kt_str word(const struct kt_json *frame, const char *key)
{
	return kt_json_str(kt_json_get(frame, key));
}

static struct table *table_of(struct frames *f, const struct kt_json *frame)
{
	int64_t id = kt_json_int(kt_json_get(frame, "TableId"), -1);

	for (size_t i = 0; i < f->n; i++)
		if (f->tables[i].id == id)
			return &f->tables[i];
	return NULL;
}

static int check_errors(struct frames *f, const struct kt_json *frame)
{
	const struct kt_json *errors = kt_json_get(frame, "OneApiErrors");

	return kt_json_len(errors) ? kt_decoding_one_api(f->d, kt_json_at(errors, 0)) : 0;
}

/* A row of the completion information with a bad level is a failure that nothing
 * else may say (deferred partial failures). */
static int check_level(struct frames *f, const struct kt_json *frame)
{
	const struct kt_json *columns = kt_json_get(frame, "Columns"), *rows = kt_json_get(frame, "Rows");
	size_t level = kt_answer_column(columns, "Level"), text = kt_answer_column(columns, "StatusCodeName");
	size_t payload = kt_answer_column(columns, "Payload");

	for (size_t i = 0; level != KT_NPOS && i < kt_json_len(rows); i++) {
		const struct kt_json *row = kt_json_at(rows, i);
		if (kt_json_int(kt_json_at(row, level), WORST_LEVEL + 1) > WORST_LEVEL)
			continue;
		struct kt_str s = kt_json_str(kt_json_at(row, text));
		return kt_decoding_text(f->d, s.len ? s : kt_json_str(kt_json_at(row, payload)));
	}
	return 0;
}

/* Is this the table whose rows are kept? The first primary one is. */
static bool choose(struct frames *f, const struct kt_json *frame)
{
	bool primary = kt_str_eq_c(word(frame, "TableKind"), "PrimaryResult");

	if (!primary || f->found)
		return false;
	f->found = true;
	f->chosen = kt_json_int(kt_json_get(frame, "TableId"), -1);
	return true;
}

static int data_table(struct frames *f, const struct kt_json *frame)
{
	const struct kt_json *rows = kt_json_get(frame, "Rows");

	if (kt_str_eq_c(word(frame, "TableKind"), "QueryCompletionInformation") && check_level(f, frame) < 0)
		return -1;
	if (!choose(f, frame))
		return kt_table_check(f->d, rows);
	if (kt_table_columns(f->d, kt_json_get(frame, "Columns")) < 0)
		return -1;
	return kt_table_rows(f->d, rows);
}

static int table_header(struct frames *f, const struct kt_json *frame)
{
	if (f->n == MAX_TABLES || table_of(f, frame))
		return kt_decoding_malformed(f->d, "a table begins twice");
	struct table *t = &f->tables[f->n++];
	*t = (struct table){.id = kt_json_int(kt_json_get(frame, "TableId"), -1), .open = true};
	t->primary = choose(f, frame);
	return t->primary ? kt_table_columns(f->d, kt_json_get(frame, "Columns")) : 0;
}

static int table_fragment(struct frames *f, const struct kt_json *frame)
{
	struct table *t = table_of(f, frame);
	const struct kt_json *rows = kt_json_get(frame, "Rows");
	struct kt_str how = word(frame, "TableFragmentType");
	bool again = kt_str_eq_c(how, "DataReplace");

	if (!t || !t->open)
		return kt_decoding_malformed(f->d, "rows of a table that did not begin");
	if (!again && !kt_str_eq_c(how, "DataAppend"))
		return kt_decoding_malformed(f->d, "a fragment that neither adds nor replaces");
	if (again) {
		t->n_rows = 0;
		if (t->primary)
			kt_table_clear_rows(f->d);
	}
	t->n_rows += kt_json_len(rows);
	return t->primary ? kt_table_rows(f->d, rows) : kt_table_check(f->d, rows);
}

static int table_completion(struct frames *f, const struct kt_json *frame)
{
	struct table *t = table_of(f, frame);

	if (check_errors(f, frame) < 0)
		return -1;
	if (!t || !t->open)
		return kt_decoding_malformed(f->d, "a table ends that did not begin");
	if (kt_json_int(kt_json_get(frame, "RowCount"), -1) != (int64_t)t->n_rows)
		return kt_decoding_malformed(f->d, "a table has another number of rows than it says");
	t->open = false;
	return 0;
}

static int table_progress(struct frames *f, const struct kt_json *frame)
{
	(void)f;
	(void)frame;
	return 0;
}

static int data_set_completion(struct frames *f, const struct kt_json *frame)
{
	f->ended = true;
	if (check_errors(f, frame) < 0)
		return -1;
	if (kt_json_kind(kt_json_get(frame, "HasErrors")) != KT_JSON_BOOL)
		return kt_decoding_malformed(f->d, "its end does not say whether it failed");
	if (kt_json_bool(kt_json_get(frame, "HasErrors"), true))
		return kt_decoding_fail(f->d, KT_REPLY_FAILED, "the service says that it failed, not why");
	if (kt_json_bool(kt_json_get(frame, "Cancelled"), false))
		return kt_decoding_fail(f->d, KT_REPLY_FAILED, "the service cancelled it");
	for (size_t i = 0; i < f->n; i++)
		if (f->tables[i].open)
			return kt_decoding_malformed(f->d, "a table does not end");
	return f->found ? 0 : kt_decoding_malformed(f->d, "no table holds the result");
}

static const struct {
	const char *type;
	int (*read)(struct frames *f, const struct kt_json *frame);
} kinds[] = {
	{"DataTable", data_table},
	{"TableHeader", table_header},
	{"TableFragment", table_fragment},
	{"TableProgress", table_progress},
	{"TableCompletion", table_completion},
	{"DataSetCompletion", data_set_completion},
};

static int read_frame(struct frames *f, const struct kt_json *frame)
{
	for (size_t i = 0; i < KT_LEN(kinds); i++)
		if (kt_str_eq_c(word(frame, "FrameType"), kinds[i].type))
			return kinds[i].read(f, frame);
	return kt_decoding_malformed(f->d, "a frame of no known type");
}

int kt_decode_v2(struct kt_decoding *d, const struct kt_json *doc)
{
	struct frames f = {.d = d};
	size_t n = kt_json_len(doc);

	if (kt_json_kind(doc) != KT_JSON_ARRAY ||
	    !kt_str_eq_c(word(kt_json_at(doc, 0), "FrameType"), "DataSetHeader"))
		return kt_decoding_malformed(d, "it does not begin as an answer to a query does");
	for (size_t i = 1; i < n; i++) {
		if (f.ended)
			return kt_decoding_malformed(d, "it goes on behind its end");
		if (read_frame(&f, kt_json_at(doc, i)) < 0)
			return -1;
	}
	return f.ended ? 0 : kt_decoding_malformed(d, "it ends early: there is no closing frame");
}
