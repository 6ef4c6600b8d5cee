/* How many bytes of a text are a certain one: line ends, at the speed of memory. */
#ifndef KT_BASE_COUNT_H
#define KT_BASE_COUNT_H

#include <stddef.h>

/* Takes the widest vectors that this processor knows. */
size_t kt_count_byte(const char *p, size_t n, char c);

/* The same with what every processor of its kind knows: for tests and benchmarks. */
size_t kt_count_byte_portable(const char *p, size_t n, char c);

#endif
