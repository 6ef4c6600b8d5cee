/* What the HTTP module (ktriage-http.so) offers. A plain table of C functions: the
 * module is loaded at the first request and links nothing of the program.
 */
#ifndef KT_KUSTO_HTTP_HTTP_H
#define KT_KUSTO_HTTP_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#define KT_HTTP_ABI    1
#define KT_HTTP_SYMBOL "kt_http_module"

enum kt_http_outcome {
	KT_HTTP_OK,      /* an answer with a status came whole */
	KT_HTTP_RESOLVE, /* no such host, or no DNS */
	KT_HTTP_CONNECT,
	KT_HTTP_TLS,       /* the handshake failed */
	KT_HTTP_UNTRUSTED, /* the certificate is not for this host, or of nobody known */
	KT_HTTP_PROXY,
	KT_HTTP_EMPTY, /* the connection ended before a byte of an answer */
	KT_HTTP_CUT,   /* it ended inside the answer, or the coding is broken */
	KT_HTTP_TIMEOUT,
	KT_HTTP_CANCELLED,
	KT_HTTP_TOO_LARGE, /* on_body said no */
	KT_HTTP_OTHER,
};

struct kt_http_request {
	const char *url;
	const char *const *headers; /* "Name: value", NULL at the end */
	const char *body;           /* NULL: GET; else POST */
	size_t body_len;
	unsigned connect_ms, total_ms; /* time limits */
	bool plain;                    /* http is allowed (loopback), and no proxy is asked */
	int cancel_fd;                 /* readable: stop at once; -1: none */
	bool (*cancelled)(void *ctx);  /* asked several times a second; may be NULL */
	void *cancel_ctx;
	void (*on_header)(void *ctx, const char *line, size_t len);
	bool (*on_body)(void *ctx, const char *p, size_t len); /* decompressed; false: too much */
	void *ctx;
};

struct kt_http_result {
	int status;
	char error[256]; /* in words, where there is no answer */
};

struct kt_http_ops {
	unsigned abi;
	void *(*open)(void); /* NULL: out of memory */
	enum kt_http_outcome (*perform)(void *http, const struct kt_http_request *rq,
					struct kt_http_result *out);
	void (*close)(void *http);
};

extern const struct kt_http_ops kt_http_module;

#endif
