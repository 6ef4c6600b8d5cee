/* The shipped header table, and the records of a text written out for comparison. */
#ifndef TEST_INPUT_GATHER_H
#define TEST_INPUT_GATHER_H

#include "base/buf.h"
#include "input/input.h"

/* rules/headers.tsv, compiled; free with kt_headers_free. */
struct kt_headers *gather_headers(void);

/* What was gathered; the inputs, too. */
struct gather {
	struct kt_headers *headers;
	struct kt_inputs in;
	struct kt_buf out;    /* per record: "line+lines id|time|level|thread|logger|message\n" */
	struct kt_buf texts;  /* per record its text, then "\n--\n" */
	struct kt_buf counts; /* see gather_counts */
	uint64_t stop_at;     /* ends the reading at that record, from 1; 0: never */
	uint64_t n;
	size_t longest; /* bytes of the longest text */
};

void gather_init(struct gather *g);
void gather_free(struct gather *g);
int gather_record(void *ctx_gather, const struct kt_record *r);

/* Reads TEXT as pasted; aborts the test when it does not end with 0. */
void gather_text(struct gather *g, struct kt_str text);

/* "id=n id=n" of all headers, in the order in which they came; "none" for none. */
const char *gather_counts(struct gather *g);

#endif
