/* A record: one message of a log with all its lines, one event of an event log,
 * or one paragraph or stack trace of pasted text.
 *
 * TEXT is what the software printed: lines end in '\n' (the last one has none);
 * '\r', ANSI colours and the prefixes that log collectors add are gone. A record
 * longer than head + tail (struct kt_input_limits) has a marker line in place of
 * its middle, and says so in CUT. Where the file holds the record as one line of
 * JSON, TEXT is the decoded form (strings that hold line ends stand on lines of
 * their own), so that a trace reads the same whatever carried it.
 *
 * All text is borrowed and valid only during the callback, but for HEADER, which
 * lives as long as the header table.
 */
#ifndef KT_INPUT_RECORD_H
#define KT_INPUT_RECORD_H

#include "base/str.h"
#include "core/memory.h"

struct kt_record {
	struct kt_str text;
	uint32_t input;  /* row of kt_inputs.list */
	uint64_t line;   /* its first line in the input, from 1 */
	uint64_t lines;  /* how many lines of the input it takes */
	uint64_t offset; /* of its first byte in the input (UTF-16: of the chunk it is in) */
	enum kt_media media;
	struct kt_str header;                               /* id of the header's shape; empty: no header */
	struct kt_str time, level, thread, logger, message; /* parts of TEXT, empty where absent;
	                                                      message: the rest of the header line */
	bool flat;                                          /* TEXT is decoded from one line of the input */
	bool cut;                                           /* the middle is missing: */
	uint64_t dropped;                                   /* bytes left out */
	uint64_t dropped_lines;                             /* line ends among them */
	size_t cut_at, cut_len;                             /* where the marker line stands in TEXT */
};

/* Line of the input (from 1) on which byte AT of the record's text stands. */
uint64_t kt_record_line_at(const struct kt_record *r, size_t at);

/* The whole line of TEXT around byte AT, without its line end. */
struct kt_str kt_record_line_text(const struct kt_record *r, size_t at);

/* Called for each record; anything but 0 stops the reading. */
typedef int (*kt_record_fn)(void *ctx, const struct kt_record *r);

#endif
