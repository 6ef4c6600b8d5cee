/* Where answers come from: a cluster over the network, or a folder of recordings. */
#ifndef KT_KUSTO_SOURCE_H
#define KT_KUSTO_SOURCE_H

#include "kusto/cluster.h"

struct kt_source {
	void *self;
	/* As kt_cluster_run. The plan is known to be one that may be sent. */
	int (*run)(void *self, const struct kt_request *rq, struct kt_reply *out, struct kt_err *err);
	void (*close)(void *take_self);
	struct kt_str (*name)(const void *self);
	struct kt_str (*database)(const void *self);
};

KT_MUST_CHECK int kt_live_open(const struct kt_cluster_opts *opts, struct kt_source *out, struct kt_err *err);
KT_MUST_CHECK int kt_replay_open(const struct kt_cluster_opts *opts, struct kt_source *out,
				 struct kt_err *err);

/* Makes the folder if need be, and sees whether it can be written to. */
KT_MUST_CHECK int kt_record_prepare(struct kt_str dir, struct kt_err *err);
/* Keeps what a request gave, DONE or not, in a file named by its hash. REASON is
 * the error's text. Cancelled requests are not kept. */
KT_MUST_CHECK int kt_record_write(struct kt_str dir, struct kt_str cluster, struct kt_str database,
				  const struct kt_request *rq, const struct kt_reply *reply,
				  const struct kt_err *reason, struct kt_err *err);

/* engine or ingest: where the request goes. */
static inline bool kt_request_to_ingest(const struct kt_request *rq)
{
	return rq->plan->either ? rq->ingest : rq->plan->endpoint == KT_INGEST;
}

#endif
