/* One input while it is read: its row, its sweep, and what went wrong. Inside the
 * module only. */
#ifndef KT_INPUT_READING_H
#define KT_INPUT_READING_H

#include "input/bytes.h"
#include "input/sniff.h"
#include "input/sweep.h"

struct kt_reading {
	struct kt_inputs *inputs;
	struct kt_input *input;
	struct kt_sweep sweep;
	uint64_t until; /* where the next segment begins; UINT64_MAX without a sieve */
	uint64_t end;   /* no further than the first record at or behind it */
	bool partial;   /* the last line has no end */
	bool part;      /* it is a segment: its owner concludes */
};

/* Adds a row. PART: for a segment only. */
void kt_reading_begin(struct kt_reading *r, struct kt_inputs *in, struct kt_str name, bool part,
		      kt_record_fn fn, void *ctx);
/* RC: what the record function returned. Says what is left to be said of the input. */
void kt_reading_end(struct kt_reading *r, int rc);

/* Why the input is not complete; the first reason stays. */
void kt_reading_problem(struct kt_reading *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

bool kt_reading_stopped(const struct kt_reading *r);

/* Goes on with TEXT as kt_sweep_add does, over all segments that begin in it. */
int kt_reading_add(struct kt_reading *r, struct kt_str text, bool last, size_t *used);

/* B to its end. */
int kt_reading_stream(struct kt_reading *r, struct kt_bytes *b);

/* A file in windows: from the sweep's offset to the end, or to the first record at or
 * behind END. */
int kt_reading_windows(struct kt_reading *r, int fd, uint64_t end);

#endif
