/* A cluster for tests: speaks as the real service does, and misbehaves on demand.
 *
 *   testserver RULES [--log FILE] [--tls KEY CERT]
 *
 * Listens on 127.0.0.1, on a port that the kernel chooses; prints the port; ends
 * when its stdin is closed. RULES has a line for each behaviour, fields by tabs:
 *
 *   where   mgmt, query (v2), query1 (v1), metadata, or *
 *   text    of the request; a `*` at its end: any rest; `*`: any
 *   does    words: file=PATH (beside RULES) body=TEXT status=N type=T delay=MS cut=BYTES
 *           chunked gzip repeat=N retry-after=N location=URL times=N close
 *
 * The first line that agrees and has not been used up (times=) answers. Without one
 * the answer is 400, as of the service. FILE gets one line for each request.
 */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "json/json.h"

#include "gzip.h"

#include "base/banned.h"

#define MAX_BODY (1u << 20)
#define ACTIVITY "5e50aaaa-0000-4000-8000-00000000beef"

struct rule {
	struct kt_str where, text, does;
	unsigned used;
};

struct server {
	struct kt_buf rules_text;
	struct kt_str folder;
	struct rule *rules;
	size_t n_rules, cap_rules;
	FILE *log;
	pthread_mutex_t lock;
	bool stopping;
};

/* A request while its body arrives, and its answer while that is sent. */
struct call {
	struct kt_buf body;
};

struct sending {
	struct kt_buf bytes;
	size_t cut; /* 0: whole */
};

/* ---- rules ---- */

static bool word(struct kt_str does, const char *name, struct kt_str *value)
{
	struct kt_str rest = does, piece;
	size_t n = strlen(name);

	while (kt_str_cut(&rest, ' ', &piece)) {
		if (!kt_str_starts(piece, kt_str_c(name)) || (piece.len > n && piece.p[n] != '='))
			continue;
		*value = piece.len > n ? kt_str_from(piece, n + 1) : KT_S("");
		return true;
	}
	return false;
}

static unsigned number(struct kt_str does, const char *name, unsigned otherwise)
{
	struct kt_str value;
	uint64_t n;

	return word(does, name, &value) && kt_str_uint(value, 1u << 30, &n) ? (unsigned)n : otherwise;
}

static int read_rules(struct server *s, const char *path, struct kt_err *err)
{
	const char *slash = strrchr(path, '/');
	struct kt_str rest, line;

	s->folder = slash ? (struct kt_str){path, (size_t)(slash - path)} : KT_S(".");
	if (kt_file_read(path, &s->rules_text, err) < 0)
		return -1;
	rest = kt_buf_view(&s->rules_text);
	while (kt_str_cut(&rest, '\n', &line)) {
		struct rule r = {0};
		if (!line.len || line.p[0] == '#')
			continue;
		if (!kt_str_cut(&line, '\t', &r.where) || !kt_str_cut(&line, '\t', &r.text) ||
		    !kt_str_cut(&line, '\t', &r.does))
			return kt_err_set(err, KT_ERR_INPUT, "%s: a rule has three fields", path);
		KT_PUSH(s->rules, s->n_rules, s->cap_rules) = r;
	}
	return 0;
}

static bool agrees(struct kt_str pattern, struct kt_str text)
{
	if (kt_str_ends(pattern, KT_S("*")))
		return kt_str_starts(text, kt_str_sub(pattern, 0, pattern.len - 1));
	return kt_str_eq(pattern, text);
}

static struct kt_str choose(struct server *s, struct kt_str where, struct kt_str text)
{
	struct kt_str does = KT_NONE;

	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < s->n_rules && !does.p; i++) {
		struct rule *r = &s->rules[i];
		unsigned times = number(r->does, "times", 0);
		if (!agrees(r->where, where) || !agrees(r->text, text) || (times && r->used >= times))
			continue;
		r->used++;
		does = r->does;
	}
	pthread_mutex_unlock(&s->lock);
	return does;
}

/* ---- answers ---- */

static ssize_t send_part(void *cls, uint64_t pos, char *to, size_t max)
{
	struct sending *s = cls;
	size_t end = s->cut && s->cut < s->bytes.len ? s->cut : s->bytes.len;

	if (pos >= end)
		return end < s->bytes.len ? MHD_CONTENT_READER_END_WITH_ERROR
					  : MHD_CONTENT_READER_END_OF_STREAM;
	size_t n = end - pos < max ? end - (size_t)pos : max;
	memcpy(to, s->bytes.p + pos, n);
	return (ssize_t)n;
}

static void drop_sending(void *cls)
{
	struct sending *s = cls;

	kt_buf_free(&s->bytes);
	kt_free(s);
}

static void put_body(struct server *s, struct kt_str does, struct kt_buf *out)
{
	struct kt_buf path = KT_BUF(KT_BUF_NAME), plain = KT_BUF(MAX_BODY * 64);
	struct kt_str value;
	struct kt_err err = {0};

	if (word(does, "file", &value)) {
		kt_buf_fmt(&path, KT_FMT "/" KT_FMT, KT_ARG(s->folder), KT_ARG(value));
		if (kt_file_read(kt_buf_c(&path), &plain, &err) < 0)
			fprintf(stderr, "testserver: %s\n", err.text);
	} else if (word(does, "body", &value)) {
		kt_buf_add(&plain, value);
	}
	if (word(does, "gzip", &value))
		gzip_stored(kt_buf_view(&plain), out);
	for (unsigned n = number(does, "repeat", 0) + !out->len; n > 0; n--)
		kt_buf_add(out, kt_buf_view(&plain));
	kt_buf_free(&path);
	kt_buf_free(&plain);
}

static void add_header(struct MHD_Response *r, struct kt_str does, const char *name, const char *key)
{
	struct kt_str value;
	char *text;

	if (!word(does, key, &value))
		return;
	text = kt_strdup(value);
	MHD_add_response_header(r, name, value.len ? text : "gzip");
	kt_free(text);
}

static enum MHD_Result answer(struct server *s, struct MHD_Connection *c, struct kt_str does)
{
	struct sending *body = kt_alloc(sizeof *body);
	struct kt_str value;
	bool chunked = word(does, "chunked", &value);

	for (unsigned ms = number(does, "delay", 0); ms && !s->stopping; ms -= ms < 20 ? ms : 20)
		usleep(20000);
	body->bytes = KT_BUF(MAX_BODY * 64);
	body->cut = number(does, "cut", 0);
	put_body(s, does, &body->bytes);
	struct MHD_Response *r = MHD_create_response_from_callback(
		chunked ? MHD_SIZE_UNKNOWN : body->bytes.len, 4096, send_part, body, drop_sending);
	if (word(does, "type", &value))
		add_header(r, does, "Content-Type", "type");
	else
		MHD_add_response_header(r, "Content-Type", "application/json; charset=utf-8");
	MHD_add_response_header(r, "x-ms-activity-id", ACTIVITY);
	add_header(r, does, "Retry-After", "retry-after");
	add_header(r, does, "Location", "location");
	add_header(r, does, "Content-Encoding", "gzip");
	if (word(does, "close", &value))
		MHD_add_response_header(r, "Connection", "close");
	enum MHD_Result rc = MHD_queue_response(c, number(does, "status", 200), r);
	MHD_destroy_response(r);
	return rc;
}

/* ---- requests ---- */

static void note(struct server *s, struct MHD_Connection *c, const char *method, const char *url,
		 struct kt_str csl, struct kt_str body)
{
	const char *auth = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Authorization");
	const char *id = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "x-ms-client-request-id");

	if (!s->log)
		return;
	pthread_mutex_lock(&s->lock);
	fprintf(s->log, "%s %s auth=%s id=%s csl=" KT_FMT " body=" KT_FMT "\n", method, url,
		auth ? auth : "-", id ? id : "-", KT_ARG(csl), KT_ARG(body));
	fflush(s->log);
	pthread_mutex_unlock(&s->lock);
}

static const char metadata[] =
	"{\"AzureAD\":{\"LoginEndpoint\":\"https://login.microsoftonline.com\",\"LoginMfaRequired\":false,"
	"\"KustoClientAppId\":\"db662dc1-0cfe-4e1c-a843-19a68e65be58\",\"KustoClientRedirectUri\":\"https://"
	"microsoft/"
	"kustoclient\",\"KustoServiceResourceId\":\"https://"
	"kusto.kusto.windows.net\",\"FirstPartyAuthorityUrl\":"
	"\"https://login.microsoftonline.com/f8cdef31-a31e-4b4a-93e4-5f571e91255a\"},\"dSTS\":null}";

static struct kt_str where_of(const char *url)
{
	static const char *const places[][2] = {{"/v1/rest/mgmt", "mgmt"},
						{"/v2/rest/query", "query"},
						{"/v1/rest/query", "query1"},
						{"/v1/rest/auth/metadata", "metadata"},
						{"/v1/rest/ping", "ping"}};

	for (size_t i = 0; i < KT_LEN(places); i++)
		if (!strcmp(url, places[i][0]))
			return kt_str_c(places[i][1]);
	return KT_S("none");
}

static struct kt_str usual(struct kt_str where, struct kt_buf *b)
{
	if (kt_str_eq_c(where, "metadata"))
		kt_buf_fmt(b, "body=%s", metadata);
	else if (kt_str_eq_c(where, "ping"))
		kt_buf_str(b, "type=text/plain body=Pong!");
	else if (kt_str_eq_c(where, "none"))
		kt_buf_str(b, "status=404 type=text/plain");
	else
		kt_buf_str(b,
			   "status=400 body={\"error\":{\"code\":\"BadRequest\",\"message\":\"no-rule\"}}");
	return kt_buf_view(b);
}

static enum MHD_Result dispatch(struct server *s, struct MHD_Connection *c, const char *method,
				const char *url, struct kt_str body)
{
	struct kt_err ignored = {0};
	struct kt_json *doc = body.len ? kt_json_parse(body, &ignored) : NULL;
	struct kt_str where = where_of(url), csl = kt_json_str(kt_json_get(doc, "csl"));
	struct kt_buf b = KT_BUF(8192);
	enum MHD_Result rc;

	note(s, c, method, url, csl, body);
	struct kt_str does = choose(s, where, csl);
	if (!does.p)
		does = usual(where, &b);
	if (body.len && !doc)
		does = KT_S("status=400 body=not-json");
	rc = answer(s, c, does);
	kt_json_free(doc);
	kt_buf_free(&b);
	return rc;
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *c, const char *url, const char *method,
				  const char *version, const char *data, size_t *size, void **ctx)
{
	struct call *call = *ctx;

	(void)version;
	if (!call) {
		call = kt_alloc(sizeof *call);
		call->body = KT_BUF(MAX_BODY);
		*ctx = call;
		return MHD_YES;
	}
	if (*size) {
		kt_buf_add(&call->body, (struct kt_str){data, *size});
		*size = 0;
		return MHD_YES;
	}
	return dispatch(cls, c, method, url, kt_buf_view(&call->body));
}

static void on_done(void *cls, struct MHD_Connection *c, void **ctx, enum MHD_RequestTerminationCode why)
{
	struct call *call = *ctx;

	(void)cls;
	(void)c;
	(void)why;
	if (call)
		kt_buf_free(&call->body);
	kt_free(call);
}

/* ---- the program ---- */

static char *read_pem(const char *path)
{
	struct kt_buf b = KT_BUF(65536);
	struct kt_err err = {0};

	if (kt_file_read(path, &b, &err) < 0)
		fprintf(stderr, "testserver: %s\n", err.text);
	return b.p;
}

static struct MHD_Daemon *start(struct server *s, char *key, char *cert)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	unsigned flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD |
			 (key ? MHD_USE_TLS : 0);

	return MHD_start_daemon(flags, 0, NULL, NULL, on_request, s, MHD_OPTION_SOCK_ADDR, &at,
				MHD_OPTION_NOTIFY_COMPLETED, on_done, NULL, MHD_OPTION_CONNECTION_TIMEOUT,
				60u, key ? MHD_OPTION_HTTPS_MEM_KEY : MHD_OPTION_END, key,
				MHD_OPTION_HTTPS_MEM_CERT, cert, MHD_OPTION_END);
}

int main(int argc, char **argv)
{
	struct server s = {.rules_text = KT_BUF(MAX_BODY), .lock = PTHREAD_MUTEX_INITIALIZER};
	struct kt_err err = {0};
	char *key = NULL, *cert = NULL;

	signal(SIGPIPE, SIG_IGN);
	for (int i = 2; i < argc; i++) {
		if (!strcmp(argv[i], "--log") && i + 1 < argc)
			s.log = fopen(argv[++i], "a");
		else if (!strcmp(argv[i], "--tls") && i + 2 < argc) {
			key = read_pem(argv[++i]);
			cert = read_pem(argv[++i]);
		}
	}
	if (argc < 2 || read_rules(&s, argv[1], &err) < 0) {
		fprintf(stderr, "testserver: %s\n",
			argc < 2 ? "usage: testserver RULES [--log FILE] [--tls KEY CERT]" : err.text);
		return 2;
	}
	struct MHD_Daemon *d = start(&s, key, cert);
	if (!d) {
		fprintf(stderr, "testserver: cannot start\n");
		return 2;
	}
	printf("%u\n", MHD_get_daemon_info(d, MHD_DAEMON_INFO_BIND_PORT)->port);
	fflush(stdout);
	while (getchar() != EOF)
		;
	s.stopping = true;
	MHD_stop_daemon(d);
	if (s.log)
		fclose(s.log);
	kt_free(key);
	kt_free(cert);
	kt_free(s.rules);
	kt_buf_free(&s.rules_text);
	return 0;
}
