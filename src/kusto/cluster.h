/* A cluster that can be asked: live, or from a folder of recordings.
 *
 * A request holds a plan of the guard; nothing else can be sent. Live, recording
 * and replaying clusters answer alike, so a diagnosis from recordings gives the
 * same bytes as the one that was recorded, failures included. Secrets in cells and
 * error texts (SAS signatures, keys, tokens) are masked before anybody sees them.
 *
 *     struct kt_cluster *c = kt_cluster_open(&opts, err);
 *     struct kt_reply reply = {0};
 *     if (kt_cluster_run(c, &(struct kt_request){.plan = &plan, .database = db}, &reply, err) < 0)
 *             ... reply.state, err->text ...
 *     kt_reply_free(&reply);
 *     kt_cluster_close(c);
 *
 * Opening sends nothing. A token is asked for at the first request that needs one,
 * goes only to hosts on the trusted list (or loopback, or named by trust_hosts)
 * over https, and is wiped when the cluster is closed. Redirects are not followed.
 */
#ifndef KT_KUSTO_CLUSTER_H
#define KT_KUSTO_CLUSTER_H

#include "kusto/decode.h"
#include "kusto/guard.h"

#define KT_AUTHS(X)                                                                          \
	X(DEFAULT, "default") /* KTRIAGE_TOKEN if set, else az; none for http on loopback */ \
	X(NONE, "none")                                                                      \
	X(ENV, "env")     /* KTRIAGE_TOKEN */                                                \
	X(FILE, "file")   /* file:PATH, readable by its owner only */                        \
	X(STDIN, "stdin") /* first line */                                                   \
	X(AZ, "az")       /* az account get-access-token */

enum kt_auth_method {
#define X(id, word) KT_AUTH_##id,
	KT_AUTHS(X)
#undef X
};

struct kt_auth {
	enum kt_auth_method method;
	struct kt_str path; /* FILE */
};

/* "az", "file:/run/token", …; class USAGE with the nearest word. */
KT_MUST_CHECK int kt_auth_parse(struct kt_str text, struct kt_auth *out, struct kt_err *err);

/* All text is borrowed and must outlive the cluster. */
struct kt_cluster_opts {
	struct kt_str url;      /* any form of a cluster's address; not used by replay */
	struct kt_str database; /* wins over one in the address */
	struct kt_auth auth;
	const struct kt_guard *guard;     /* reads the commands of recordings */
	struct kt_str trusted_tsv;        /* rules/trusted.tsv */
	const struct kt_str *trust_hosts; /* exact names, given by the person */
	size_t n_trust_hosts;
	struct kt_str replay_dir; /* not empty: answers from here, no network */
	struct kt_str record_dir; /* not empty: answers are written here, too */
	/* Cancelling: FN returns true, or FD becomes readable (-1 and 0: none). Asked
	 * all the time, also while waiting to try again. */
	bool (*cancelled)(void *ctx);
	void *cancel_ctx;
	int cancel_fd;
	/* For tests; 0 is the default. */
	unsigned retry_base_ms;    /* 1000 */
	unsigned grace_ms;         /* 30000: beyond the service's own time limit */
	struct kt_str http_module; /* path of ktriage-http.so */
};

struct kt_request {
	const struct kt_guard_plan *plan;
	struct kt_str database; /* empty: the cluster's */
	unsigned timeout_ms;    /* asked of the service; 0: 60000; at most one hour */
	bool confirmed;         /* a person said yes (class ASK) */
	bool ingest;            /* where both endpoints answer: ask the ingest one */
};

struct kt_reply {
	enum kt_reply_state state;
	struct kt_result result; /* state DONE */
	char activity_id[64];    /* empty if there was none */
	uint32_t tries;
};

struct kt_cluster;

/* NULL: class USAGE (address), REFUSED (host not trusted, http), INPUT (recordings). */
struct kt_cluster *kt_cluster_open(const struct kt_cluster_opts *opts, struct kt_err *err);
void kt_cluster_close(struct kt_cluster *take_cluster);

/* 0 and *OUT with state DONE; else -1, the state says what kind of failure. *OUT
 * must be zeroed; kt_reply_free in both cases. */
KT_MUST_CHECK int kt_cluster_run(struct kt_cluster *c, const struct kt_request *rq, struct kt_reply *out,
				 struct kt_err *err);
void kt_reply_free(struct kt_reply *r);

/* False when the answers come from recordings. */
bool kt_cluster_live(const struct kt_cluster *c);

/* What people see: "https://mycluster.westeurope.kusto.windows.net", or the folder. */
struct kt_str kt_cluster_name(const struct kt_cluster *c);
struct kt_str kt_cluster_database(const struct kt_cluster *c);

#endif
