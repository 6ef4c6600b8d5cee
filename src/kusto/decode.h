/* Answers of the service: v1 (commands) and v2 (queries) to one table of rows.
 *
 * Every documented way of failing inside HTTP 200 is an error, and then there are
 * no rows at all: a partial result is no result. In v1: an object in place of a
 * row, top-level `Exceptions`, a status row of severity 2 or less. In v2:
 * `OneApiErrors` as a row, in a table's or in the data set's completion,
 * `HasErrors`, `Cancelled`, a completion row of level 2 or less. So is a body that
 * ends early, a table without its completion, a row that is wider than its table,
 * a count that does not agree, an unknown frame. Cells missing at the end of a row
 * are null, as to the official clients.
 *
 * Source: the REST reference ("response", "response v2", "partial query failures").
 */
#ifndef KT_KUSTO_DECODE_H
#define KT_KUSTO_DECODE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct kt_column {
	struct kt_str name, type; /* type: KQL's own word (string, long, datetime, …) or the service's */
};

/* The one result table. Zeroed is empty. Cells are text: bool as true or false,
 * numbers as written, dynamic as JSON; null is p == NULL. Row-major. */
struct kt_result {
	struct kt_arena arena;
	struct kt_column *columns;
	size_t n_columns;
	struct kt_str *cells;
	size_t n_rows;
	bool cut; /* the guard's own limit was reached: there may be more rows */
};

void kt_result_free(struct kt_result *r);

/* By name, exactly, or without case when that is one column only; else KT_NPOS. */
size_t kt_result_column(const struct kt_result *r, struct kt_str name);
static inline struct kt_str kt_result_cell(const struct kt_result *r, size_t row, size_t column)
{
	return r->cells[row * r->n_columns + column];
}

/* What became of a request. */
#define KT_REPLY_STATES(X)                                                            \
	X(DONE, "done")                                                               \
	X(REFUSED, "refused")           /* not sent: guard, trust list, no yes */     \
	X(UNREACHABLE, "unreachable")   /* DNS, connect, TLS, cut connection */       \
	X(SIGN_IN, "sign-in")           /* no token, or 401 */                        \
	X(PERMISSION, "permission")     /* 403 */                                     \
	X(NOT_FOUND, "not-found")       /* 404, no such database or entity */         \
	X(THROTTLED, "throttled")       /* 429 after the retries */                   \
	X(TIMEOUT, "timeout")           /* ours or the service's */                   \
	X(CANCELLED, "cancelled")       /* by the person */                           \
	X(LIMIT, "limit")               /* larger than it may be, there or here */    \
	X(MALFORMED, "malformed")       /* an answer that is none of the service's */ \
	X(NOT_RECORDED, "not-recorded") /* replay: no such request */                 \
	X(FAILED, "failed")             /* any other failure the service names */

enum kt_reply_state {
#define X(id, word) KT_REPLY_##id,
	KT_REPLY_STATES(X)
#undef X
};

const char *kt_reply_word(enum kt_reply_state s);

/* The answer to a request, as far as decoding needs it. */
struct kt_answer {
	int status; /* HTTP */
	struct kt_str content_type;
	struct kt_str activity_id; /* of the response's headers; may be empty */
	struct kt_str location;    /* of a redirect; may be empty */
	struct kt_str body;        /* complete, decompressed */
	bool v2;                   /* asked of /v2/ */
};

/* DONE and *OUT, or another state and ERR (class CLUSTER or LIMIT; ends with the
 * activity id, which support asks for). *OUT must be zeroed. */
enum kt_reply_state kt_decode(const struct kt_answer *a, struct kt_result *out, struct kt_err *err);

#define KT_DECODE_MAX_BODY  (96u << 20) /* bytes; the service's own limit is 64 MB of data */
#define KT_DECODE_MAX_CELLS (8u << 20)

#endif
