#include "kusto/cluster.h"

#include <sys/stat.h>

#include "base/alloc.h"
#include "base/redact.h"
#include "kusto/source.h"

#include "base/banned.h"

struct kt_cluster {
	struct kt_source source;
	bool replayed;
	struct kt_str record_dir;
};

/* The same request would stand in it twice, and the folder could not be replayed again. */
static int check_folders(const struct kt_cluster_opts *opts, struct kt_err *err)
{
	char *from = kt_strdup(opts->replay_dir), *to = kt_strdup(opts->record_dir);
	struct stat a, b;
	bool same = *from && *to && stat(from, &a) == 0 && stat(to, &b) == 0 && a.st_dev == b.st_dev &&
		    a.st_ino == b.st_ino;

	kt_free(from);
	kt_free(to);
	return same ? kt_err_set(err, KT_ERR_USAGE,
				 "what is replayed cannot be recorded into the same folder")
		    : 0;
}

struct kt_cluster *kt_cluster_open(const struct kt_cluster_opts *opts, struct kt_err *err)
{
	struct kt_cluster *c = kt_alloc(sizeof *c);
	int rc;

	c->record_dir = opts->record_dir;
	c->replayed = opts->replay_dir.len > 0;
	rc = check_folders(opts, err);
	if (rc == 0 && opts->record_dir.len)
		rc = kt_record_prepare(opts->record_dir, err);
	if (rc == 0)
		rc = opts->replay_dir.len ? kt_replay_open(opts, &c->source, err)
					  : kt_live_open(opts, &c->source, err);
	if (rc == 0)
		return c;
	kt_free(c);
	return NULL;
}

void kt_cluster_close(struct kt_cluster *take_cluster)
{
	if (!take_cluster)
		return;
	take_cluster->source.close(take_cluster->source.self);
	kt_free(take_cluster);
}

struct kt_str kt_cluster_name(const struct kt_cluster *c)
{
	return c->source.name(c->source.self);
}

struct kt_str kt_cluster_database(const struct kt_cluster *c)
{
	return c->source.database(c->source.self);
}

void kt_reply_free(struct kt_reply *r)
{
	kt_result_free(&r->result);
	*r = (struct kt_reply){0};
}

/* ---- what may be seen of an answer ---- */

static struct kt_str redacted(struct kt_arena *a, struct kt_str s)
{
	struct kt_buf b = KT_BUF(2 * s.len + 64);

	if (!s.p || !kt_redact_needed(s))
		return s;
	kt_redact(&b, s);
	s = b.full ? KT_S("***") : kt_arena_str(a, kt_buf_view(&b));
	kt_buf_free(&b);
	return s;
}

static void redact_cells(struct kt_result *r)
{
	for (size_t i = 0; i < r->n_rows * r->n_columns; i++)
		r->cells[i] = redacted(&r->arena, r->cells[i]);
}

/* The host of an address, nothing of an address that is none. In a recording the
 * host stands alone. */
static struct kt_str host_of(struct kt_str url, bool replayed)
{
	size_t at = kt_str_find(url, KT_S("://"), 0), end = 0;
	struct kt_str s = at != KT_NPOS ? kt_str_from(url, at + 3) : replayed ? url : KT_S("");

	while (end < s.len && s.p[end] != '/' && s.p[end] != '?' && s.p[end] != '#' && s.p[end] != ';' &&
	       s.p[end] != '\\')
		end++;
	s = kt_str_sub(s, 0, end);
	return kt_str_chr(s, '@', 0) == KT_NPOS ? s : KT_S("");
}

/* An answer with secrets: of the columns only those the table names, of an address
 * only its host. */
static void cut_to_hosts(const struct kt_guard_plan *plan, bool replayed, struct kt_result *r)
{
	struct kt_result cut = {.n_rows = r->n_rows};

	cut.columns = kt_arena_alloc_n(&cut.arena, plan->n_columns + 1, sizeof *cut.columns);
	cut.cells = kt_alloc_n(r->n_rows * plan->n_columns + 1, sizeof *cut.cells);
	for (size_t i = 0; i < plan->n_columns; i++) {
		size_t from = kt_result_column(r, plan->columns[i].name);
		bool host = kt_str_eq_c(plan->columns[i].type, "host");
		cut.columns[i].name = kt_arena_str(&cut.arena, plan->columns[i].name);
		cut.columns[i].type = KT_S("string");
		for (size_t row = 0; from != KT_NPOS && row < r->n_rows; row++) {
			struct kt_str s = kt_result_cell(r, row, from);
			s = kt_arena_str(&cut.arena, host ? host_of(s, replayed) : s);
			cut.cells[row * plan->n_columns + i] = s.p ? s : KT_S("");
		}
	}
	cut.n_columns = plan->n_columns;
	kt_result_free(r);
	*r = cut;
}

/* ---- a request ---- */

static int refuse(struct kt_reply *out, struct kt_err *err, const char *why, struct kt_str what)
{
	out->state = KT_REPLY_REFUSED;
	return kt_err_set(err, KT_ERR_REFUSED, "'" KT_FMT "' was not sent: %s",
			  KT_ARG(kt_str_sub(what, 0, 120)), why);
}

static int check(const struct kt_request *rq, struct kt_reply *out, struct kt_err *err)
{
	const struct kt_guard_plan *plan = rq->plan;
	struct kt_str text = kt_buf_view(&plan->text);

	if (plan->cls == KT_GUARD_REFUSE || !text.len || plan->text.full)
		return refuse(out, err, "the guard did not let it through", text);
	if (plan->cls == KT_GUARD_ASK && !rq->confirmed)
		return refuse(out, err, "it is costly and wants a yes first", text);
	return 0;
}

static void finish(const struct kt_cluster *c, const struct kt_request *rq, struct kt_reply *out)
{
	if (rq->plan->cls == KT_GUARD_REDACTED)
		cut_to_hosts(rq->plan, c->replayed, &out->result);
	redact_cells(&out->result);
	out->result.cut = rq->plan->limit && out->result.n_rows >= rq->plan->limit;
}

int kt_cluster_run(struct kt_cluster *c, const struct kt_request *rq, struct kt_reply *out,
		   struct kt_err *err)
{
	struct kt_err why = {0}, lost = {0};

	if (check(rq, out, err) < 0)
		return -1;
	int rc = c->source.run(c->source.self, rq, out, &why);
	if (rc == 0)
		finish(c, rq, out);
	struct kt_str database = rq->database.len ? rq->database : kt_cluster_database(c);
	if (c->record_dir.len &&
	    kt_record_write(c->record_dir, kt_cluster_name(c), database, rq, out, &why, &lost) < 0) {
		kt_result_free(&out->result);
		out->state = KT_REPLY_FAILED;
		return kt_err_set(err, lost.cls, "%s", lost.text);
	}
	return rc == 0 ? 0 : kt_err_set(err, why.cls, "%s", why.text);
}

bool kt_cluster_live(const struct kt_cluster *c)
{
	return !c->replayed;
}
