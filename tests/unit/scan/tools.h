/* A few patterns and the header table. */
#ifndef KT_TEST_SCAN_TOOLS_H
#define KT_TEST_SCAN_TOOLS_H

#include "core/build.h"
#include "scan/scan.h"

struct tools {
	struct kt_kbb *builder;
	const struct kt_kb *kb;
	struct kt_headers *headers;
};

void tools_begin(struct tools *t);
void tools_end(struct tools *t);

#endif
