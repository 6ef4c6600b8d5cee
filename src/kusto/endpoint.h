/* Addresses of a cluster, in every form that people paste.
 *
 *   https://help.kusto.windows.net   …/   …:443   …/Samples   …;fed=true
 *   help.kusto.windows.net           help.westeurope (no: a bare word is no host)
 *   Data Source=https://…;Initial Catalog=Samples
 *   https://adx.monitor.azure.com/subscriptions/…   (a proxy: the path stays)
 *
 * Source: how the official clients read connection strings.
 */
#ifndef KT_KUSTO_ENDPOINT_H
#define KT_KUSTO_ENDPOINT_H

#include "base/buf.h"
#include "base/err.h"

struct kt_address {
	bool https;
	char host[256];      /* lower case; no brackets around an IPv6 address */
	unsigned port;       /* 0: the scheme's own */
	char path[512];      /* "" or "/a/b", of a proxy */
	char database[1100]; /* "" if none was given */
	bool ipv6;
};

/* Class USAGE with what is wrong and the form that is right. Credentials in the
 * address are an error: they would end up in histories and logs. */
KT_MUST_CHECK int kt_address_parse(struct kt_str text, struct kt_address *out, struct kt_err *err);

bool kt_address_loopback(const struct kt_address *a);
bool kt_address_is_ingest(const struct kt_address *a);

/* The engine of an ingest address and the reverse. False where there is none: on
 * loopback, an IP address or a proxy both are the same. */
bool kt_address_twin(const struct kt_address *a, bool ingest, struct kt_address *out);

/* scheme://host[:port], and that with the proxy's path. */
void kt_address_root(const struct kt_address *a, struct kt_buf *out);
void kt_address_base(const struct kt_address *a, struct kt_buf *out);

#endif
