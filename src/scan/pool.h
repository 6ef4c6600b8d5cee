/* Several threads over the files of a path. Inside the module only. */
#ifndef KT_SCAN_POOL_H
#define KT_SCAN_POOL_H

#include "scan/lane.h"

struct kt_pool_files {
	char **path;
	size_t n, cap;
	size_t begun; /* after kt_pool_run: the others were not read, it was stopped */
};

/* Reads FILES in order with the N lanes behind HOME, which stays with the calling
 * thread, and tells SINK. Rows are added to IN, whose limits and `stop` hold. */
KT_MUST_CHECK int kt_pool_run(struct kt_inputs *in, struct kt_pool_files *files, struct kt_lane *home,
			      struct kt_lane *lanes, size_t n, const struct kt_scan_sink *sink);

#endif
