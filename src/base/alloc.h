/* Memory that is there or ends the program.
 *
 * These never return NULL: when memory runs out they write one line to stderr
 * and leave with status 70, as every journal record is on disk by then. Sizes
 * that come from a foreign input are bounded before they get here (kt_buf has a
 * ceiling, readers have limits), so this is a machine out of memory, not an
 * attack.
 *
 * KT_FAIL_ALLOC=n in the environment makes the n-th allocation fail, and at its end
 * the program writes into the file KT_FAULT_COUNTS how many allocations, reads and
 * writes there were; builds with KT_FAULTS only.
 */
#ifndef KT_BASE_ALLOC_H
#define KT_BASE_ALLOC_H

#include <stddef.h>

#include "base/str.h"

void *kt_alloc(size_t size);             /* zeroed */
void *kt_alloc_n(size_t n, size_t size); /* zeroed, n * size checked */
void *kt_realloc(void *take_p, size_t n, size_t size);
char *kt_strdup(struct kt_str s); /* NUL-terminated copy */
void kt_free(void *take_p);

/* Room for one more: doubles CAP as needed and returns the moved array. */
void *kt_grow(void *take_p, size_t n, size_t *cap, size_t size);

#define KT_PUSH(arr, n, cap) (*((arr) = kt_grow((arr), (n), &(cap), sizeof *(arr)), &(arr)[(n)++]))

/* Read and write with the same injection: KT_FAIL_READ=n, KT_FAIL_WRITE=n fail
 * the n-th call: with EIO, and with ENOSPC after half of the bytes. Both retry EINTR
 * and short writes. */
#include <sys/types.h>
ssize_t kt_read(int fd, void *buf, size_t len);        /* bytes, 0 at the end, -1 with errno */
int kt_write_all(int fd, const void *buf, size_t len); /* 0, or -1 with errno */

/* Counts a read that is made in another way; true: it must fail. */
bool kt_fault_read(void);

#endif
