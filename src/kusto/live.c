/* A live cluster: one request, its retries, its answer. */
#include "kusto/live.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "json/write.h"

#include "base/banned.h"

#define TIMEOUT_MS        60000u
#define TIMEOUT_MAX_MS    3600000u /* the service's own maximum */
#define GRACE_MS          30000u
#define RETRY_BASE_MS     1000u
#define RETRIES           3u
#define RETRY_AFTER_MAX_S 60u
#define MAX_RECORDS       100000 /* of a query: more is an error there, not a cut here */
#define DEFAULT_DATABASE  "NetDefaultDB"

/* ---- the request's bytes ---- */

static void random_bytes(unsigned char *to, size_t n)
{
	while (getrandom(to, n, 0) != (ssize_t)n)
		;
}

/* KTR.<kind>;<guid>: the guid lets an administrator find or cancel the request. */
static void make_request_id(const struct kt_request *rq, struct kt_buf *out)
{
	unsigned char b[16];

	random_bytes(b, sizeof b);
	b[6] = (b[6] & 0x0f) | 0x40;
	b[8] = (b[8] & 0x3f) | 0x80;
	kt_buf_fmt(out, "KTR.%s;", rq->plan->kind == KT_GUARD_QUERY ? "query" : "mgmt");
	for (size_t i = 0; i < sizeof b; i++)
		kt_buf_fmt(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", b[i]);
}

static unsigned timeout_of(const struct kt_request *rq)
{
	unsigned ms = rq->timeout_ms ? rq->timeout_ms : TIMEOUT_MS;

	return ms > TIMEOUT_MAX_MS ? TIMEOUT_MAX_MS : ms;
}

/* The service ignores a malformed limit in silence: hh:mm:ss, at least a second. */
static void add_time_limit(struct kt_jw *w, unsigned ms)
{
	unsigned s = ms < 1000 ? 1 : ms / 1000;
	char text[32];

	snprintf(text, sizeof text, "%02u:%02u:%02u", s / 3600, s / 60 % 60, s % 60);
	kt_jw_str(w, "servertimeout", kt_str_c(text));
}

static void make_body(const struct kt_request *rq, struct kt_str database, struct kt_buf *out)
{
	/* Those behind the fourth would also refuse to list what they fence off. */
	static const char *const fences[] = {
		"request_readonly",
		"request_callout_disabled",
		"request_remote_entities_disabled",
		"request_sandboxed_execution_disabled",
		"request_external_data_disabled",
		"request_external_table_disabled",
		"request_readonly_hardline",
	};
	struct kt_jw w = {.out = out};
	bool query = rq->plan->kind == KT_GUARD_QUERY;

	kt_jw_open(&w, NULL, '{');
	kt_jw_str(&w, "db", database);
	kt_jw_str(&w, "csl", kt_buf_view(&rq->plan->text));
	kt_jw_open(&w, "properties", '{');
	kt_jw_open(&w, "Options", '{');
	add_time_limit(&w, timeout_of(rq));
	for (size_t i = 0; i < (query ? KT_LEN(fences) : 4); i++)
		kt_jw_bool(&w, fences[i], true);
	if (query)
		kt_jw_int(&w, "truncationmaxrecords", MAX_RECORDS);
	kt_jw_close(&w);
	kt_jw_close(&w);
	kt_jw_close(&w);
}

/* ---- trying again ---- */

struct attempt {
	struct kt_live *live;
	const struct kt_request *rq;
	struct kt_reply *out;
	struct kt_buf body;
	bool refreshed;  /* the token was renewed once */
	unsigned wait_s; /* what the service asked us to wait */
	enum kt_http_outcome outcome;
	int status;
	int64_t took_ms;
};

static bool no_connection(const struct attempt *a)
{
	return a->outcome == KT_HTTP_RESOLVE || a->outcome == KT_HTTP_CONNECT || a->outcome == KT_HTTP_TLS;
}

static bool try_again(const struct attempt *a)
{
	bool passing = no_connection(a) || a->outcome == KT_HTTP_EMPTY;
	bool busy = a->outcome == KT_HTTP_OK && (a->status == 429 || a->status == 503 || a->status == 504);

	/* The command before tried long enough. */
	if (no_connection(a) && a->live->down[kt_request_to_ingest(a->rq)])
		return false;
	/* What already took long would take long again. */
	if (a->out->tries > RETRIES || a->took_ms > timeout_of(a->rq) / 2)
		return false;
	if (a->wait_s > RETRY_AFTER_MAX_S || a->out->state == KT_REPLY_LIMIT)
		return false;
	return passing || busy;
}

static int64_t pause_ms(const struct attempt *a)
{
	unsigned base = a->live->retry_base_ms;
	int64_t ms = (int64_t)base << (a->out->tries - 1);
	unsigned char jitter;

	random_bytes(&jitter, 1);
	ms += (int64_t)base * jitter / 512;
	return a->wait_s ? (int64_t)a->wait_s * base : ms;
}

static void keep_activity_id(const struct kt_exchange *x, struct kt_reply *out)
{
	snprintf(out->activity_id, sizeof out->activity_id, "%.63s", kt_buf_c(&x->activity_id));
}

static void once(struct attempt *a, struct kt_err *err)
{
	struct kt_live *l = a->live;
	struct kt_buf id = KT_BUF(64);
	bool query = a->rq->plan->kind == KT_GUARD_QUERY;
	struct kt_exchange x = {.live = l,
				.to = kt_request_to_ingest(a->rq) ? &l->ingest : &l->engine,
				.path = query ? "/v2/rest/query" : "/v1/rest/mgmt",
				.body = kt_buf_view(&a->body),
				.with_token = true,
				.total_ms = timeout_of(a->rq) + l->grace_ms};
	int64_t began = kt_now_ms();
	uint64_t wait = 0;

	make_request_id(a->rq, &id);
	x.request_id = kt_buf_view(&id);
	a->out->state = kt_exchange_run(&x, &a->outcome, err);
	a->status = x.result.status;
	a->took_ms = kt_now_ms() - began;
	if (a->out->state == KT_REPLY_DONE) {
		struct kt_answer answer = {
			.status = x.result.status,
			.content_type = kt_buf_view(&x.content_type),
			.activity_id = kt_buf_view(&x.activity_id),
			.location = kt_buf_view(&x.location),
			.body = kt_buf_view(&x.answer),
			.v2 = query,
		};
		keep_activity_id(&x, a->out);
		a->out->state = kt_decode(&answer, &a->out->result, err);
	}
	if (!kt_str_uint(kt_buf_view(&x.retry_after), 86400, &wait))
		wait = 0;
	a->wait_s = (unsigned)wait;
	kt_exchange_free(&x);
	kt_buf_free(&id);
}

/* One token of az may have run out while the shell was open. */
static bool renew(struct attempt *a, struct kt_err *err)
{
	struct kt_live *l = a->live;

	if (a->out->state != KT_REPLY_SIGN_IN || a->refreshed ||
	    (l->auth.method != KT_AUTH_AZ && l->auth.method != KT_AUTH_DEFAULT) || !l->token.p)
		return false;
	a->refreshed = true;
	kt_token_drop(&l->token);
	l->signed_in = false;
	kt_err_clear(err);
	a->out->state = kt_live_sign_in(l, err);
	return a->out->state == KT_REPLY_DONE;
}

static void add_wait(const struct attempt *a, struct kt_err *err)
{
	if (a->out->state == KT_REPLY_THROTTLED && a->wait_s)
		kt_err_prefix(err, "the service asks to wait %u s: ", a->wait_s);
}

static void run(struct attempt *a, struct kt_err *err)
{
	for (;;) {
		a->out->tries++;
		kt_err_clear(err);
		once(a, err);
		if (!no_connection(a))
			a->live->down[kt_request_to_ingest(a->rq)] = false;
		if (a->out->state == KT_REPLY_DONE)
			return;
		if (renew(a, err))
			continue;
		if (!try_again(a))
			break;
		if (kt_cancel_sleep(&a->live->cancel, pause_ms(a))) {
			kt_err_clear(err);
			kt_err_set(err, KT_ERR_CANCELLED, "cancelled");
			a->out->state = KT_REPLY_CANCELLED;
			return;
		}
	}
	a->live->down[kt_request_to_ingest(a->rq)] = no_connection(a);
	add_wait(a, err);
}

static int live_run(void *self, const struct kt_request *rq, struct kt_reply *out, struct kt_err *err)
{
	struct kt_live *l = self;
	struct attempt a = {.live = l, .rq = rq, .out = out, .body = KT_BUF((size_t)8 * KT_GUARD_MAX_TEXT)};
	struct kt_err why = {0};
	struct kt_str database = rq->database.len ? rq->database : kt_buf_view(&l->database);

	out->state = kt_live_sign_in(l, &why);
	if (out->state == KT_REPLY_DONE) {
		make_body(rq, database.len ? database : KT_S(DEFAULT_DATABASE), &a.body);
		if (a.body.full) {
			kt_err_set(&why, KT_ERR_REFUSED, "the command is too long to be sent");
			out->state = KT_REPLY_REFUSED;
		} else {
			run(&a, &why);
		}
	}
	kt_buf_free(&a.body);
	if (out->state == KT_REPLY_DONE)
		return 0;
	return kt_err_set(err, why.cls, "%s", why.text);
}

/* ---- opening and closing ---- */

static void live_close(void *take_self)
{
	struct kt_live *l = take_self;

	if (l->http)
		l->ops->close(l->http);
	kt_token_drop(&l->token);
	kt_trust_free(l->trust);
	kt_buf_free(&l->name);
	kt_buf_free(&l->database);
	kt_free(l);
}

static struct kt_str live_name(const void *self)
{
	return kt_buf_view(&((const struct kt_live *)self)->name);
}

static struct kt_str live_database(const void *self)
{
	return kt_buf_view(&((const struct kt_live *)self)->database);
}

static int set_up(struct kt_live *l, const struct kt_cluster_opts *opts, struct kt_err *err)
{
	struct kt_address given;

	if (kt_address_parse(opts->url, &given, err) < 0)
		return -1;
	l->trust = kt_trust_new(opts->trusted_tsv, opts->trust_hosts, opts->n_trust_hosts, err);
	if (!l->trust)
		return -1;
	if (!kt_address_twin(&given, false, &l->engine))
		l->engine = given;
	if (!kt_address_twin(&given, true, &l->ingest))
		l->ingest = given;
	kt_address_base(&l->engine, &l->name);
	kt_buf_add(&l->database, opts->database.len ? opts->database : kt_str_c(given.database));
	return kt_live_check(l, &l->engine, err);
}

int kt_live_open(const struct kt_cluster_opts *opts, struct kt_source *out, struct kt_err *err)
{
	struct kt_live *l = kt_alloc(sizeof *l);

	l->auth = opts->auth;
	l->cancel = (struct kt_cancel){opts->cancelled, opts->cancel_ctx,
				       opts->cancel_fd ? opts->cancel_fd : -1};
	l->retry_base_ms = opts->retry_base_ms ? opts->retry_base_ms : RETRY_BASE_MS;
	l->grace_ms = opts->grace_ms ? opts->grace_ms : GRACE_MS;
	l->module = opts->http_module;
	l->name = l->database = KT_BUF(KT_BUF_NAME);
	*out = (struct kt_source){.self = l,
				  .run = live_run,
				  .close = live_close,
				  .name = live_name,
				  .database = live_database};
	if (set_up(l, opts, err) == 0)
		return 0;
	live_close(l);
	return -1;
}
