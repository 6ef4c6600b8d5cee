/* What must be true whatever the input. */
#ifndef KT_TEST_FUZZ_MUST_H
#define KT_TEST_FUZZ_MUST_H

#include <stdio.h>
#include <stdlib.h>

#define MUST(x)                                                                           \
	do {                                                                              \
		if (!(x)) {                                                               \
			fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #x); \
			abort();                                                          \
		}                                                                         \
	} while (0)

#endif
