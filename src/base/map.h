/* A window of a file in memory, which another program may shorten meanwhile: what
 * is gone reads as NUL bytes instead of ending the program.
 *
 *     struct kt_map m;
 *     if (kt_map_open(&m, fd, offset, len) == 0) {
 *             use(m.text);
 *             bool torn = m.torn;      // the file became shorter than the window
 *             kt_map_close(&m);
 *     }
 *
 * A thread has at most one window at a time.
 */
#ifndef KT_BASE_MAP_H
#define KT_BASE_MAP_H

#include <signal.h>

#include "base/err.h"
#include "base/str.h"

struct kt_map {
	struct kt_str text;
	volatile sig_atomic_t torn;
	char *base; /* of the mapping, at a page */
	size_t size;
};

/* 0, or -1 with errno (KT_FAIL_READ counts it as a read). M must not move while it
 * is open; LEN is at least 1 and below SIZE_MAX / 2. */
KT_MUST_CHECK int kt_map_open(struct kt_map *m, int fd, uint64_t offset, size_t len);
void kt_map_close(struct kt_map *m);

#endif
