/* The HTTP module over libcurl. The only file that names it. */
#include "kusto/http/http.h"

#include <curl/curl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POLL_MS         100 /* how often the cancel callback is asked */
#define IDLE_MS         1000
#define KEEP_IDLE_S     30L /* load balancers drop what is idle for four minutes */
#define KEEP_INTERVAL_S 60L

struct http {
	CURLM *multi; /* holds the connections between requests */
};

/* One request under way. */
struct job {
	const struct kt_http_request *rq;
	CURL *easy;
	struct curl_slist *headers;
	bool refused; /* on_body said no */
	size_t received;
	char error[CURL_ERROR_SIZE];
};

static void *http_open(void)
{
	struct http *h = calloc(1, sizeof *h);

	if (h && curl_global_init(CURL_GLOBAL_DEFAULT) == 0)
		h->multi = curl_multi_init();
	if (h && !h->multi) {
		free(h);
		h = NULL;
	}
	return h;
}

static void http_close(void *http)
{
	struct http *h = http;

	if (!h)
		return;
	curl_multi_cleanup(h->multi);
	curl_global_cleanup();
	free(h);
}

static size_t on_header(char *p, size_t size, size_t n, void *ctx)
{
	struct job *job = ctx;

	job->received += size * n;
	job->rq->on_header(job->rq->ctx, p, size * n);
	return size * n;
}

static size_t on_body(char *p, size_t size, size_t n, void *ctx)
{
	struct job *job = ctx;

	job->received += size * n;
	if (!job->rq->on_body(job->rq->ctx, p, size * n)) {
		job->refused = true;
		return 0;
	}
	return size * n;
}

static bool add_headers(struct job *job)
{
	for (const char *const *line = job->rq->headers; *line; line++) {
		struct curl_slist *more = curl_slist_append(job->headers, *line);
		if (!more)
			return false;
		job->headers = more;
	}
	return true;
}

/* A header may be the token. */
static void drop_headers(struct curl_slist *list)
{
	for (struct curl_slist *l = list; l; l = l->next)
		explicit_bzero(l->data, strlen(l->data));
	curl_slist_free_all(list);
}

static const char *ca_file(void)
{
	const char *path = getenv("CURL_CA_BUNDLE");

	return path && *path ? path : getenv("SSL_CERT_FILE");
}

static void set_network(struct job *job)
{
	CURL *e = job->easy;
	const struct kt_http_request *rq = job->rq;

	curl_easy_setopt(e, CURLOPT_URL, rq->url);
	curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, rq->plain ? "http,https" : "https");
	curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(e, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	curl_easy_setopt(e, CURLOPT_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(e, CURLOPT_SSL_VERIFYHOST, 2L);
	curl_easy_setopt(e, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	if (ca_file() && *ca_file())
		curl_easy_setopt(e, CURLOPT_CAINFO, ca_file());
	if (rq->plain)
		curl_easy_setopt(e, CURLOPT_NOPROXY, "*");
	curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, (long)rq->connect_ms);
	curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, (long)rq->total_ms);
	curl_easy_setopt(e, CURLOPT_TCP_KEEPALIVE, 1L);
	curl_easy_setopt(e, CURLOPT_TCP_KEEPIDLE, KEEP_IDLE_S);
	curl_easy_setopt(e, CURLOPT_TCP_KEEPINTVL, KEEP_INTERVAL_S);
}

static void set_exchange(struct job *job)
{
	CURL *e = job->easy;
	const struct kt_http_request *rq = job->rq;

	curl_easy_setopt(e, CURLOPT_ACCEPT_ENCODING, "gzip");
	curl_easy_setopt(e, CURLOPT_HTTPHEADER, job->headers);
	if (rq->body) {
		curl_easy_setopt(e, CURLOPT_POST, 1L);
		curl_easy_setopt(e, CURLOPT_POSTFIELDS, rq->body);
		curl_easy_setopt(e, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)rq->body_len);
	}
	curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(e, CURLOPT_HEADERDATA, job);
	curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(e, CURLOPT_WRITEDATA, job);
	curl_easy_setopt(e, CURLOPT_ERRORBUFFER, job->error);
	curl_easy_setopt(e, CURLOPT_USERAGENT, "ktriage/" KT_VERSION);
}

static enum kt_http_outcome proxy_or(struct job *job, enum kt_http_outcome otherwise)
{
	long code = 0;

	curl_easy_getinfo(job->easy, CURLINFO_HTTP_CONNECTCODE, &code);
	return code >= 400 ? KT_HTTP_PROXY : otherwise;
}

static enum kt_http_outcome outcome_of(struct job *job, CURLcode rc)
{
	switch (rc) {
	case CURLE_OK: return KT_HTTP_OK;
	case CURLE_COULDNT_RESOLVE_HOST: return KT_HTTP_RESOLVE;
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_PROXY: return KT_HTTP_PROXY;
	case CURLE_COULDNT_CONNECT: return KT_HTTP_CONNECT;
	case CURLE_SSL_CONNECT_ERROR: return KT_HTTP_TLS;
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_ISSUER_ERROR: return KT_HTTP_UNTRUSTED;
	case CURLE_OPERATION_TIMEDOUT: return KT_HTTP_TIMEOUT;
	case CURLE_WRITE_ERROR: return job->refused ? KT_HTTP_TOO_LARGE : KT_HTTP_OTHER;
	case CURLE_GOT_NOTHING:
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR: return proxy_or(job, job->received ? KT_HTTP_CUT : KT_HTTP_EMPTY);
	case CURLE_PARTIAL_FILE:
	case CURLE_BAD_CONTENT_ENCODING:
	case CURLE_WEIRD_SERVER_REPLY: return KT_HTTP_CUT;
	default: return KT_HTTP_OTHER;
	}
}

static bool cancelled(const struct kt_http_request *rq, const struct curl_waitfd *fd)
{
	return fd->revents || (rq->cancelled && rq->cancelled(rq->cancel_ctx));
}

/* Drives the transfer to its end, or until it is cancelled. */
static CURLcode drive(struct http *h, struct job *job, bool *stopped)
{
	struct curl_waitfd fd = {.fd = job->rq->cancel_fd, .events = CURL_WAIT_POLLIN};
	unsigned n_fds = job->rq->cancel_fd >= 0;
	int running = 1, left;
	CURLMcode rc = CURLM_OK;

	while (rc == CURLM_OK && !(*stopped = cancelled(job->rq, &fd))) {
		rc = curl_multi_perform(h->multi, &running);
		if (rc != CURLM_OK || !running)
			break;
		rc = curl_multi_poll(h->multi, &fd, n_fds, job->rq->cancelled ? POLL_MS : IDLE_MS, NULL);
	}
	for (CURLMsg *m; (m = curl_multi_info_read(h->multi, &left));)
		if (m->msg == CURLMSG_DONE && m->easy_handle == job->easy)
			return m->data.result;
	return CURLE_FAILED_INIT;
}

static enum kt_http_outcome http_perform(void *http, const struct kt_http_request *rq,
					 struct kt_http_result *out)
{
	struct http *h = http;
	struct job job = {.rq = rq, .easy = curl_easy_init()};
	struct sigaction quiet = {.sa_handler = SIG_IGN}, before;
	enum kt_http_outcome outcome = KT_HTTP_OTHER;
	bool stopped = false;
	long status = 0;

	*out = (struct kt_http_result){0};
	if (!job.easy || !add_headers(&job))
		goto out;
	set_network(&job);
	set_exchange(&job);
	if (curl_multi_add_handle(h->multi, job.easy) != CURLM_OK)
		goto out;
	sigaction(SIGPIPE, &quiet, &before); /* the TLS library writes without MSG_NOSIGNAL */
	CURLcode rc = drive(h, &job, &stopped);
	sigaction(SIGPIPE, &before, NULL);
	curl_easy_getinfo(job.easy, CURLINFO_RESPONSE_CODE, &status);
	outcome = stopped ? KT_HTTP_CANCELLED : outcome_of(&job, rc);
	out->status = (int)status;
	snprintf(out->error, sizeof out->error, "%s", job.error[0] ? job.error : curl_easy_strerror(rc));
	curl_multi_remove_handle(h->multi, job.easy);
out:
	if (job.easy)
		curl_easy_cleanup(job.easy);
	drop_headers(job.headers);
	return outcome;
}

const struct kt_http_ops kt_http_module = {
	.abi = KT_HTTP_ABI,
	.open = http_open,
	.perform = http_perform,
	.close = http_close,
};
