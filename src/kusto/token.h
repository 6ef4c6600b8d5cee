/* Access tokens: where they come from, and that they leave no trace.
 *
 * A token lives in one block of memory that is wiped when it is dropped; it is
 * never an argument of a process, never in an error, never on a disk.
 */
#ifndef KT_KUSTO_TOKEN_H
#define KT_KUSTO_TOKEN_H

#include "kusto/cancel.h"
#include "kusto/cluster.h"

#define KT_TOKEN_ENV "KTRIAGE_TOKEN"
#define KT_TOKEN_MAX 65536

struct kt_token {
	char *p; /* NUL-terminated; NULL: none */
	size_t len;
};

/* METHOD is ENV, FILE, STDIN or AZ. RESOURCE is for az. Class USAGE (no token
 * there, file open to others), CLUSTER (az failed) or CANCELLED. */
KT_MUST_CHECK int kt_token_get(const struct kt_auth *auth, struct kt_str resource,
			       const struct kt_cancel *cancel, struct kt_token *out, struct kt_err *err);
void kt_token_drop(struct kt_token *t);

/* Takes blanks and a pasted "Bearer " off what stands in T; class USAGE if no token is left. */
KT_MUST_CHECK int kt_token_clean(struct kt_token *t, const char *source, struct kt_err *err);

/* az account get-access-token, without a shell, killed with all its children when
 * it takes too long. *OUT is what it printed of the token. */
KT_MUST_CHECK int kt_token_az(struct kt_str resource, const struct kt_cancel *cancel, struct kt_token *out,
			      struct kt_err *err);

#endif
