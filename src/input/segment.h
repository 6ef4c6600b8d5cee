/* A part of a long file, for threads: each reads segments of its own, and together
 * they hand out the records of the file.
 *
 * Where a segment begins is only seen from its bytes; a record that quotes another log
 * may make the part before it end elsewhere. So the owner compares: when a segment's
 * `start` is the `stop` of the one before, all is well; else it is read again from there.
 */
#ifndef KT_INPUT_SEGMENT_H
#define KT_INPUT_SEGMENT_H

#include "input/input.h"

/* Opens PATH when it may be read in segments: a regular file of more than one, with text in
 * bytes. Its descriptor, or -1. *SIZE: its bytes now. */
int kt_segment_open(const struct kt_inputs *in, const char *path, uint64_t *size);

/* The records from the first line at or behind BEGIN that begins one (BEGIN 0: from the
 * start) to the first at or behind END that does (END UINT64_MAX: to the end). */
struct kt_segment {
	int fd; /* borrowed */
	uint64_t begin, end;
	uint64_t start, stop; /* out: where those lines are; start KT_NO_START: there is none before END */
	/* Not NULL: called when `start` is known, before the first record. Not 0: ends it. */
	int (*started)(void *ctx);
};
#define KT_NO_START UINT64_MAX

/* Adds a row for it, in which line numbers begin with 1 at `start`. Returns what FN or
 * `started` returned. */
KT_MUST_CHECK int kt_read_segment(struct kt_inputs *in, struct kt_str name, struct kt_segment *seg,
				  kt_record_fn fn, void *ctx);

/* The counters of ROW, of IN, are those of the whole: says what follows from them. */
void kt_input_conclude(struct kt_inputs *in, struct kt_input *row);

#endif
