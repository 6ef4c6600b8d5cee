/* Recordings: one file for each request; see source.h and replay.c.
 *
 *   {"schema": "ktriage.recording/1", "cluster": "https://…", "database": "…",
 *    "endpoint": "engine", "kind": "mgmt", "text": "canonical", "state": "done",
 *    "columns": [["Name", "type"], …], "rows": [["cell", null, …], …]}
 * or, where it failed, "error" (the text) and "class" in place of the rows. What is
 * written was redacted before.
 */
#include "kusto/source.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "json/write.h"

#include "base/banned.h"

#define RECORD_MAX (256u << 20)

int kt_record_prepare(struct kt_str dir, struct kt_err *err)
{
	char *path = kt_strdup(dir);
	int rc = mkdir(path, 0700) < 0 && errno != EEXIST ? -1 : access(path, W_OK | X_OK);

	if (rc < 0)
		kt_err_set(err, KT_ERR_OUTPUT, "%s: cannot hold recordings: %s", path, strerror(errno));
	kt_free(path);
	return rc;
}

static const char *endpoint_word(const struct kt_request *rq)
{
	return kt_request_to_ingest(rq) ? "ingest" : "engine";
}

static const char *kind_word(const struct kt_request *rq)
{
	return rq->plan->kind == KT_GUARD_QUERY ? "query" : "mgmt";
}

/* "DIR/<16 hexadecimal digits>.json" */
static void add_path(struct kt_str dir, struct kt_str database, const struct kt_request *rq,
		     struct kt_buf *out)
{
	uint64_t h = kt_str_hash(kt_str_c(endpoint_word(rq)), KT_HASH_SEED);

	h = kt_str_hash(kt_str_c(kind_word(rq)), h);
	h = kt_str_hash(database, h);
	h = kt_str_hash(KT_S("\n"), h);
	h = kt_str_hash(kt_buf_view(&rq->plan->text), h);
	kt_buf_fmt(out, KT_FMT "/%016" PRIx64 ".json", KT_ARG(dir), h);
}

static void add_result(struct kt_jw *w, const struct kt_result *r)
{
	kt_jw_open(w, "columns", '[');
	for (size_t i = 0; i < r->n_columns; i++) {
		kt_jw_open(w, NULL, '[');
		kt_jw_str(w, NULL, r->columns[i].name);
		kt_jw_str(w, NULL, r->columns[i].type);
		kt_jw_close(w);
	}
	kt_jw_close(w);
	kt_jw_open(w, "rows", '[');
	for (size_t row = 0; row < r->n_rows; row++) {
		kt_buf_char(w->out, '\n'); /* one row a line, for people who compare */
		kt_jw_open(w, NULL, '[');
		for (size_t i = 0; i < r->n_columns; i++) {
			struct kt_str s = kt_result_cell(r, row, i);
			if (s.p)
				kt_jw_str(w, NULL, s);
			else
				kt_jw_null(w, NULL);
		}
		kt_jw_close(w);
	}
	kt_jw_close(w);
}

static void add_record(struct kt_jw *w, struct kt_str cluster, struct kt_str database,
		       const struct kt_request *rq, const struct kt_reply *reply, const struct kt_err *reason)
{
	kt_jw_open(w, NULL, '{');
	kt_jw_str(w, "schema", KT_S("ktriage.recording/1"));
	kt_jw_str(w, "cluster", cluster);
	kt_jw_str(w, "database", database);
	kt_jw_str(w, "endpoint", kt_str_c(endpoint_word(rq)));
	kt_jw_str(w, "kind", kt_str_c(kind_word(rq)));
	kt_jw_str(w, "text", kt_buf_view(&rq->plan->text));
	kt_jw_str(w, "state", kt_str_c(kt_reply_word(reply->state)));
	if (reply->state == KT_REPLY_DONE) {
		add_result(w, &reply->result);
	} else {
		kt_jw_str(w, "error", kt_str_c(reason->text));
		kt_jw_str(w, "class", kt_str_c(kt_err_class_word(reason->cls)));
	}
	kt_jw_close(w);
	kt_buf_char(w->out, '\n');
}

int kt_record_write(struct kt_str dir, struct kt_str cluster, struct kt_str database,
		    const struct kt_request *rq, const struct kt_reply *reply, const struct kt_err *reason,
		    struct kt_err *err)
{
	struct kt_buf path = KT_BUF(KT_BUF_NAME), text = KT_BUF(RECORD_MAX);
	struct kt_jw w = {.out = &text};
	int rc;

	if (reply->state == KT_REPLY_CANCELLED)
		return 0;
	add_path(dir, database, rq, &path);
	add_record(&w, cluster, database, rq, reply, reason);
	if (path.full || text.full)
		rc = kt_err_set(err, KT_ERR_OUTPUT, KT_FMT ": an answer is too large to be recorded",
				KT_ARG(dir));
	else
		rc = kt_file_replace(kt_buf_c(&path), kt_buf_view(&text), err);
	kt_buf_free(&path);
	kt_buf_free(&text);
	return rc;
}
