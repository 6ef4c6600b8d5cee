/* What the program does: its scan over a log, in each way that it can take. */
#ifndef PRODUCT_H
#define PRODUCT_H

#include "hits.h"
#include "input/input.h"

struct way {
	bool portable; /* the filter without AVX2 */
	unsigned threads;
	uint64_t segment; /* bytes of the parts that threads share; 0: as usual */
	size_t chunk;     /* 0: the file; else as a pipe: behind its start so many bytes at once */
};

/* The hits of PATH, a file or a folder. False: not all was read, said on stderr. */
bool product_scan(const struct kt_kb *kb, const struct kt_headers *headers, const char *path,
		  const struct way *way, struct hits *out);

/* This processor can take both ways of the filter. */
bool product_has_avx2(void);

#endif
