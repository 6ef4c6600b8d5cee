/* Hosts that may get a token: rules/trusted.tsv, loopback, and names a person gives.
 *
 * A suffix rule holds its leading dot, so evilkusto.windows.net is not trusted.
 * A trailing dot, an IP address other than loopback, and a name in another
 * spelling of loopback are not trusted. Nothing is sent before this was asked.
 *
 * Source: the official clients' list of well-known endpoints and its algorithm.
 */
#ifndef KT_KUSTO_TRUST_H
#define KT_KUSTO_TRUST_H

#include "base/err.h"
#include "base/str.h"

struct kt_trust;

/* TSV and HOSTS are borrowed. NULL and class RULES for a malformed row. */
struct kt_trust *kt_trust_new(struct kt_str tsv, const struct kt_str *hosts, size_t n_hosts,
			      struct kt_err *err);
void kt_trust_free(struct kt_trust *take_trust);

bool kt_trust_loopback(struct kt_str host);
bool kt_trust_host(const struct kt_trust *t, struct kt_str host);
/* LOGIN is the sign-in address that HOST named; it must belong to that host's cloud. */
bool kt_trust_login(const struct kt_trust *t, struct kt_str host, struct kt_str login);

#endif
