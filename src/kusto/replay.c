/* A cluster played from recordings, without network. The format is in record.c.
 *
 * Files are found by what stands in them, so a case's author may name and write
 * them by hand; the command is read by the guard, as it would be to be sent.
 */
#include "kusto/source.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "json/json.h"

#include "base/banned.h"

#define RECORD_MAX (256u << 20)
#define MAX_FILES  4096

struct record {
	struct kt_json *doc;
	struct kt_str file, text, database;
	bool ingest, query;
};

struct replay {
	struct kt_arena arena;
	struct record *records;
	size_t n, cap;
	struct kt_str dir, name, database;
};

/* ---- reading the folder ---- */

static int malformed(struct kt_err *err, const char *what)
{
	return kt_err_set(err, KT_ERR_INPUT, "no recording: %s", what);
}

/* The canonical print of the recorded command. */
static int read_text(struct replay *p, struct record *r, const struct kt_guard *guard, struct kt_err *err)
{
	struct kt_guard_plan plan = {0};
	struct kt_str text = kt_json_str(kt_json_get(r->doc, "text"));

	if (!text.len)
		return malformed(err, "it has no text");
	if (!guard) {
		r->text = text;
		return 0;
	}
	struct kt_err why = {0};
	if (kt_guard_parse(guard, text, KT_BY_PACK, &plan, &why) < 0)
		return kt_err_set(err, KT_ERR_INPUT, "%s", why.text);
	r->text = kt_arena_str(&p->arena, kt_buf_view(&plan.text));
	r->query = plan.kind == KT_GUARD_QUERY;
	kt_guard_plan_free(&plan);
	return 0;
}

static int check_rows(const struct kt_json *doc, struct kt_err *err)
{
	const struct kt_json *columns = kt_json_get(doc, "columns"), *rows = kt_json_get(doc, "rows");
	size_t n = kt_json_len(columns);

	if (kt_json_kind(columns) != KT_JSON_ARRAY || kt_json_kind(rows) != KT_JSON_ARRAY || !n)
		return malformed(err, "it needs columns and rows");
	for (size_t i = 0; i < n; i++)
		if (kt_json_len(kt_json_at(columns, i)) != 2)
			return malformed(err, "a column is [\"Name\", \"type\"]");
	for (size_t i = 0; i < kt_json_len(rows); i++)
		if (kt_json_kind(kt_json_at(rows, i)) != KT_JSON_ARRAY ||
		    kt_json_len(kt_json_at(rows, i)) != n)
			return malformed(err, "a row has one cell for each column");
	return 0;
}

static bool state_of(const struct kt_json *doc, enum kt_reply_state *out)
{
	struct kt_str word = kt_json_str(kt_json_get(doc, "state"));

	for (size_t i = 0; i <= KT_REPLY_FAILED; i++) {
		/* What was cancelled is never recorded. */
		if (i != KT_REPLY_CANCELLED && kt_str_eq_c(word, kt_reply_word((enum kt_reply_state)i))) {
			*out = (enum kt_reply_state)i;
			return true;
		}
	}
	return false;
}

static int check_record(struct replay *p, struct record *r, const struct kt_guard *guard, struct kt_err *err)
{
	enum kt_reply_state state;
	struct kt_str cluster = kt_json_str(kt_json_get(r->doc, "cluster"));

	if (!kt_str_eq_c(kt_json_str(kt_json_get(r->doc, "schema")), "ktriage.recording/1"))
		return malformed(err, "its schema is not ktriage.recording/1");
	if (read_text(p, r, guard, err) < 0)
		return -1;
	if (!state_of(r->doc, &state))
		return malformed(err, "its state is none");
	r->database = kt_json_str(kt_json_get(r->doc, "database"));
	struct kt_str endpoint = kt_json_str(kt_json_get(r->doc, "endpoint"));
	r->ingest = kt_str_eq_c(endpoint, "ingest");
	if (endpoint.len && !r->ingest && !kt_str_eq_c(endpoint, "engine"))
		return malformed(err, "its endpoint is neither engine nor ingest");
	if (!p->name.len)
		p->name = cluster;
	return state == KT_REPLY_DONE ? check_rows(r->doc, err) : 0;
}

static bool same_database(struct kt_str a, struct kt_str b)
{
	return !a.len || !b.len || kt_str_ieq(a, b);
}

static const struct record *find(const struct replay *p, struct kt_str text, bool ingest,
				 struct kt_str database)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->records[i].ingest == ingest && kt_str_eq(p->records[i].text, text) &&
		    same_database(p->records[i].database, database))
			return &p->records[i];
	return NULL;
}

static int read_record(struct replay *p, struct kt_str file, const struct kt_guard *guard, struct kt_err *err)
{
	struct kt_buf path = KT_BUF(KT_BUF_NAME), text = KT_BUF(RECORD_MAX);
	struct record r = {.file = file};
	int rc = -1;

	kt_buf_fmt(&path, KT_FMT "/" KT_FMT, KT_ARG(p->dir), KT_ARG(file));
	if (kt_file_read(kt_buf_c(&path), &text, err) < 0)
		goto out;
	r.doc = kt_json_parse(kt_buf_view(&text), err);
	rc = r.doc ? check_record(p, &r, guard, err) : -1;
	const struct record *other = rc == 0 ? find(p, r.text, r.ingest, r.database) : NULL;
	if (other)
		rc = kt_err_set(err, KT_ERR_INPUT, "the same command is recorded in " KT_FMT,
				KT_ARG(other->file));
	if (rc < 0)
		kt_err_prefix(err, "%s: ", kt_buf_c(&path));
	KT_PUSH(p->records, p->n, p->cap) = r; /* also a bad one: its document is released with the rest */
out:
	kt_buf_free(&path);
	kt_buf_free(&text);
	return rc;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_json(const struct dirent *e)
{
	return e->d_name[0] != '.' && kt_str_ends(kt_str_c(e->d_name), KT_S(".json"));
}

static int read_folder(struct replay *p, const struct kt_guard *guard, struct kt_err *err)
{
	struct dirent **names;
	char *dir = kt_strdup(p->dir);
	int n = scandir(dir, &names, is_json, by_name), rc = 0;

	if (n < 0)
		rc = kt_err_set(err, KT_ERR_INPUT, "%s: no recordings can be read: %s", dir, strerror(errno));
	else if (n == 0 || n > MAX_FILES)
		rc = kt_err_set(err, KT_ERR_INPUT, "%s: there are %s recordings in it", dir,
				n ? "too many" : "no");
	for (int i = 0; i < n; i++) {
		if (rc == 0)
			rc = read_record(p, kt_arena_str(&p->arena, kt_str_c(names[i]->d_name)), guard, err);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	kt_free(dir);
	return rc;
}

/* ---- answering ---- */

static void take_cell(const struct kt_json *v, struct kt_result *out, struct kt_str *cell)
{
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	if (kt_json_kind(v) == KT_JSON_NULL)
		return;
	kt_json_text(v, &b);
	*cell = kt_arena_str(&out->arena, kt_buf_view(&b));
	if (!cell->p)
		*cell = KT_S("");
	kt_buf_free(&b);
}

static void take_rows(const struct kt_json *doc, struct kt_result *out)
{
	const struct kt_json *columns = kt_json_get(doc, "columns"), *rows = kt_json_get(doc, "rows");

	out->n_columns = kt_json_len(columns);
	out->columns = kt_arena_alloc_n(&out->arena, out->n_columns, sizeof *out->columns);
	for (size_t i = 0; i < out->n_columns; i++) {
		const struct kt_json *c = kt_json_at(columns, i);
		out->columns[i].name = kt_arena_str(&out->arena, kt_json_str(kt_json_at(c, 0)));
		out->columns[i].type = kt_arena_str(&out->arena, kt_json_str(kt_json_at(c, 1)));
	}
	out->n_rows = kt_json_len(rows);
	out->cells = kt_alloc_n(out->n_rows * out->n_columns + 1, sizeof *out->cells);
	for (size_t row = 0; row < out->n_rows; row++)
		for (size_t i = 0; i < out->n_columns; i++)
			take_cell(kt_json_at(kt_json_at(rows, row), i), out,
				  &out->cells[row * out->n_columns + i]);
}

/* Of what a cluster can be at fault for; a recording may say anything. */
static enum kt_err_class class_of(struct kt_str word)
{
	static const enum kt_err_class classes[] = {KT_ERR_REFUSED, KT_ERR_LIMIT, KT_ERR_INPUT};

	for (size_t i = 0; i < KT_LEN(classes); i++)
		if (kt_str_eq_c(word, kt_err_class_word(classes[i])))
			return classes[i];
	return KT_ERR_CLUSTER;
}

static int replay_run(void *self, const struct kt_request *rq, struct kt_reply *out, struct kt_err *err)
{
	struct replay *p = self;
	struct kt_str database = rq->database.len ? rq->database : p->database;
	const struct record *r = find(p, kt_buf_view(&rq->plan->text), kt_request_to_ingest(rq), database);

	out->state = KT_REPLY_NOT_RECORDED;
	if (!r)
		return kt_err_set(err, KT_ERR_CLUSTER, "the recordings in " KT_FMT " do not hold it",
				  KT_ARG(p->dir));
	state_of(r->doc, &out->state);
	if (out->state == KT_REPLY_DONE) {
		take_rows(r->doc, &out->result);
		return 0;
	}
	struct kt_str text = kt_json_str(kt_json_get(r->doc, "error"));
	return kt_err_set(err, class_of(kt_json_str(kt_json_get(r->doc, "class"))), KT_FMT,
			  KT_ARG(text.len ? text : KT_S("it failed when it was recorded")));
}

static void replay_close(void *take_self)
{
	struct replay *p = take_self;

	for (size_t i = 0; i < p->n; i++)
		kt_json_free(p->records[i].doc);
	kt_free(p->records);
	kt_arena_free(&p->arena);
	kt_free(p);
}

static struct kt_str replay_name(const void *self)
{
	const struct replay *p = self;

	return p->name.len ? p->name : p->dir;
}

static struct kt_str replay_database(const void *self)
{
	return ((const struct replay *)self)->database;
}

int kt_replay_open(const struct kt_cluster_opts *opts, struct kt_source *out, struct kt_err *err)
{
	struct replay *p = kt_alloc(sizeof *p);

	p->dir = opts->replay_dir;
	p->database = opts->database;
	*out = (struct kt_source){.self = p,
				  .run = replay_run,
				  .close = replay_close,
				  .name = replay_name,
				  .database = replay_database};
	if (read_folder(p, opts->guard, err) == 0)
		return 0;
	replay_close(p);
	return -1;
}
