/* One HTTP exchange with the checks that go before it; see live.h. */
#include "kusto/live.h"

#include <string.h>

#include "base/alloc.h"

#include "base/banned.h"

#define CONNECT_MS 10000

int kt_live_check(const struct kt_live *l, const struct kt_address *to, struct kt_err *err)
{
	struct kt_str host = kt_str_c(to->host);

	if (!to->https && !kt_address_loopback(to))
		return kt_err_set(err, KT_ERR_REFUSED,
				  "'%s' is asked over http: only https is spoken, but for this "
				  "machine itself",
				  to->host);
	if (!kt_trust_host(l->trust, host))
		return kt_err_set(err, KT_ERR_REFUSED,
				  "'%s' is no host that Microsoft is known to run clusters on: "
				  "nothing was sent; --trust-host %s lets it be asked",
				  to->host, to->host);
	return 0;
}

static int load(struct kt_live *l, struct kt_err *err)
{
	if (l->http)
		return 0;
	l->ops = kt_module_load(l->module, err);
	if (!l->ops)
		return -1;
	l->http = l->ops->open();
	return l->http ? 0 : kt_err_set(err, KT_ERR_INTERNAL, "the HTTP module does not start");
}

/* ---- what comes back ---- */

static void on_header(void *ctx, const char *line, size_t len)
{
	struct kt_exchange *x = ctx;
	struct kt_str s = {line, len};
	const struct {
		const char *name;
		struct kt_buf *to;
	} kept[] = {{"content-type", &x->content_type},
		    {"x-ms-activity-id", &x->activity_id},
		    {"location", &x->location},
		    {"retry-after", &x->retry_after}};
	size_t colon = kt_str_chr(s, ':', 0);

	for (size_t i = 0; colon != KT_NPOS && i < KT_LEN(kept); i++) {
		if (!kt_str_ieq(kt_str_sub(s, 0, colon), kt_str_c(kept[i].name)))
			continue;
		kt_buf_clear(kept[i].to);
		kt_buf_add(kept[i].to, kt_str_trim(kt_str_from(s, colon + 1)));
	}
}

static bool on_body(void *ctx, const char *p, size_t len)
{
	struct kt_exchange *x = ctx;

	kt_buf_add(&x->answer, (struct kt_str){p, len});
	return !x->answer.full;
}

static enum kt_reply_state failed(const struct kt_exchange *x, enum kt_http_outcome outcome,
				  struct kt_err *err)
{
	const char *host = x->to->host, *why = x->result.error;

	switch (outcome) {
	case KT_HTTP_RESOLVE:
		kt_err_set(err, KT_ERR_CLUSTER, "'%s' cannot be reached: no address is known for it (%s)",
			   host, why);
		return KT_REPLY_UNREACHABLE;
	case KT_HTTP_CONNECT:
		kt_err_set(err, KT_ERR_CLUSTER, "'%s' cannot be reached: %s", host, why);
		return KT_REPLY_UNREACHABLE;
	case KT_HTTP_TLS:
	case KT_HTTP_UNTRUSTED:
		kt_err_set(err, KT_ERR_CLUSTER,
			   "'%s' cannot be reached safely: %s; behind a proxy that opens TLS, name "
			   "its certificates in SSL_CERT_FILE",
			   host, why);
		return KT_REPLY_UNREACHABLE;
	case KT_HTTP_PROXY:
		kt_err_set(err, KT_ERR_CLUSTER, "the proxy does not let us through to '%s': %s", host, why);
		return KT_REPLY_UNREACHABLE;
	case KT_HTTP_EMPTY:
	case KT_HTTP_CUT:
		kt_err_set(err, KT_ERR_CLUSTER, "the connection to '%s' was cut: %s", host, why);
		return KT_REPLY_UNREACHABLE;
	case KT_HTTP_TIMEOUT:
		kt_err_set(err, KT_ERR_CLUSTER, "'%s' did not answer in time: %s", host, why);
		return KT_REPLY_TIMEOUT;
	case KT_HTTP_CANCELLED: kt_err_set(err, KT_ERR_CANCELLED, "cancelled"); return KT_REPLY_CANCELLED;
	case KT_HTTP_TOO_LARGE:
		kt_err_set(err, KT_ERR_LIMIT, "the answer of '%s' is larger than %u bytes", host,
			   KT_DECODE_MAX_BODY);
		return KT_REPLY_LIMIT;
	default:
		kt_err_set(err, KT_ERR_CLUSTER, "the request to '%s' failed: %s", host, why);
		return KT_REPLY_FAILED;
	}
}

/* ---- what is sent ---- */

static void add_headers(const struct kt_exchange *x, struct kt_buf *to, const char **lines)
{
	size_t at[8], n = 0;

#define LINE(...) (at[n++] = to->len, kt_buf_fmt(to, __VA_ARGS__), kt_buf_char(to, '\0'))
	LINE("Accept: application/json");
	if (x->body.p) {
		LINE("Content-Type: application/json; charset=utf-8");
		LINE("x-ms-app: ktriage");
		LINE("x-ms-client-version: ktriage:{%s}", KT_VERSION);
		LINE("x-ms-readonly: true");
		LINE("Expect:"); /* none: not to wait for leave to send the body */
		LINE("x-ms-client-request-id: " KT_FMT, KT_ARG(x->request_id));
	}
#undef LINE
	for (size_t i = 0; i < n; i++)
		lines[i] = to->p + at[i];
	lines[n] = NULL;
}

/* The header with the token has a block of its own, to be wiped. */
static char *token_line(const struct kt_token *t, size_t *size)
{
	static const char name[] = "Authorization: Bearer ";
	char *line;

	*size = sizeof name + t->len;
	line = kt_alloc(*size);
	memcpy(line, name, sizeof name - 1);
	memcpy(line + sizeof name - 1, t->p, t->len);
	return line;
}

static enum kt_http_outcome perform(struct kt_exchange *x, const char *url)
{
	struct kt_live *l = x->live;
	struct kt_buf headers = KT_BUF(KT_BUF_NAME);
	const char *lines[10];
	char *secret = NULL;
	size_t n = 0, size = 0;
	struct kt_http_request rq = {
		.url = url,
		.headers = lines,
		.body = x->body.p,
		.body_len = x->body.len,
		.connect_ms = CONNECT_MS,
		.total_ms = x->total_ms,
		.plain = kt_address_loopback(x->to),
		.cancel_fd = l->cancel.fd,
		.cancelled = l->cancel.fn,
		.cancel_ctx = l->cancel.ctx,
		.on_header = on_header,
		.on_body = on_body,
		.ctx = x,
	};

	add_headers(x, &headers, lines);
	if (x->with_token && l->token.p) {
		while (lines[n])
			n++;
		secret = token_line(&l->token, &size);
		lines[n] = secret;
		lines[n + 1] = NULL;
	}
	enum kt_http_outcome outcome = l->ops->perform(l->http, &rq, &x->result);
	if (secret)
		explicit_bzero(secret, size);
	kt_free(secret);
	kt_buf_free(&headers);
	return outcome;
}

enum kt_reply_state kt_exchange_run(struct kt_exchange *x, enum kt_http_outcome *outcome, struct kt_err *err)
{
	struct kt_buf url = KT_BUF(KT_BUF_NAME);
	enum kt_reply_state state = KT_REPLY_REFUSED;

	*outcome = KT_HTTP_OTHER;
	x->answer = KT_BUF(KT_DECODE_MAX_BODY);
	x->content_type = x->activity_id = x->location = x->retry_after = KT_BUF(1024);
	if (kt_live_check(x->live, x->to, err) < 0)
		return KT_REPLY_REFUSED;
	if (load(x->live, err) < 0)
		return KT_REPLY_FAILED;
	if (x->at_root)
		kt_address_root(x->to, &url);
	else
		kt_address_base(x->to, &url);
	kt_buf_str(&url, x->path);
	*outcome = perform(x, kt_buf_c(&url));
	state = *outcome == KT_HTTP_OK ? KT_REPLY_DONE : failed(x, *outcome, err);
	kt_buf_free(&url);
	return state;
}

void kt_exchange_free(struct kt_exchange *x)
{
	kt_buf_free(&x->answer);
	kt_buf_free(&x->content_type);
	kt_buf_free(&x->activity_id);
	kt_buf_free(&x->location);
	kt_buf_free(&x->retry_after);
}
