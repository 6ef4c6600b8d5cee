/* Regular expressions grown at random, each with a text that it is meant to match. */
#ifndef TEST_MATCH_GROW_H
#define TEST_MATCH_GROW_H

#include "base/buf.h"

struct grow {
	uint64_t state;        /* of the generator: the same seed, the same patterns */
	struct kt_str choices; /* are taken first, a byte each */
	unsigned names;
};

uint32_t grow_below(struct grow *g, uint32_t n);
/* SAMPLE is meant to match; now and then a look-around or a flag is in its way. */
void grow_pattern(struct grow *g, struct kt_buf *regex, struct kt_buf *sample);
/* Text of the same words, which patterns match by chance only. */
void grow_noise(struct grow *g, struct kt_buf *out, size_t bytes);

#endif
