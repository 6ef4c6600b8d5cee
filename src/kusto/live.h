/* A live cluster; for live.c, exchange.c and signin.c only. */
#ifndef KT_KUSTO_LIVE_H
#define KT_KUSTO_LIVE_H

#include "base/buf.h"
#include "kusto/endpoint.h"
#include "kusto/module.h"
#include "kusto/source.h"
#include "kusto/token.h"
#include "kusto/trust.h"

struct kt_live {
	struct kt_address engine, ingest; /* the same where there is no twin */
	struct kt_trust *trust;
	struct kt_auth auth;
	struct kt_token token;
	bool signed_in; /* the token, or none, was settled */
	bool down[2];   /* engine, ingest: the last command got no connection, however often tried */
	struct kt_cancel cancel;
	unsigned retry_base_ms, grace_ms;
	struct kt_str module;
	const struct kt_http_ops *ops; /* NULL until the first request */
	void *http;
	struct kt_buf name, database;
};

/* One exchange of bytes: an answer, or how it failed. */
struct kt_exchange {
	struct kt_live *live;
	const struct kt_address *to;
	const char *path; /* behind the base, or behind the root */
	bool at_root;
	struct kt_str body;       /* p NULL: GET */
	struct kt_str request_id; /* may be empty */
	bool with_token;
	unsigned total_ms;
	/* out */
	struct kt_http_result result;
	struct kt_buf answer, content_type, activity_id, location, retry_after;
	bool too_large;
};

/* DONE when an answer of any status came whole; else the state and the error. */
enum kt_reply_state kt_exchange_run(struct kt_exchange *x, enum kt_http_outcome *outcome, struct kt_err *err);
void kt_exchange_free(struct kt_exchange *x);

/* Settles which token goes with requests; sends at most one request without one. */
enum kt_reply_state kt_live_sign_in(struct kt_live *l, struct kt_err *err);

/* Nothing is sent to a host before this said yes. Class REFUSED. */
KT_MUST_CHECK int kt_live_check(const struct kt_live *l, const struct kt_address *to, struct kt_err *err);

#endif
