/* Lines → records. Inside the module only.
 *
 * A line that matches a shape of the header table begins a record, and what has
 * no header goes on with it. Before the first header of an input (and behind a
 * "break") there is only pasted text: there a paragraph, and each stack trace, is
 * a record of its own.
 */
#ifndef KT_INPUT_SPLIT_H
#define KT_INPUT_SPLIT_H

#include "base/buf.h"
#include "input/cut.h"
#include "input/input.h"

struct kt_split {
	const struct kt_headers *headers;
	struct kt_input *input; /* counters: records, events, headed, cut */
	kt_record_fn fn;
	void *ctx;
	/* the record at hand */
	bool open;
	struct kt_cut text;
	struct kt_record rec; /* header fields are offsets until it is handed out: */
	size_t from[KT_FIELDS], len[KT_FIELDS];
	bool frames;     /* it holds frames of a trace */
	bool traceback;  /* it is in a Python traceback */
	bool chained;    /* its last line announces another one */
	uint64_t blank;  /* empty lines behind it, not yet added */
	uint64_t quoted; /* bytes that it quotes of another log */
	/* of the input */
	bool headed;      /* a header was seen: lines without one continue */
	bool truncated;   /* its last record is an event without its end */
	uint64_t line_no; /* of the line at hand */
	uint64_t offset;
	/* a line that a collector broke in pieces */
	struct kt_cut part;
	bool part_open;
	bool wrapped; /* the line at hand came out of a wrapper */
	uint64_t part_line, part_offset;
	struct kt_buf inner, plain, quiet,
		decoded; /* scratch: unwrapped, without colours, without noise, from JSON */
};

void kt_split_init(struct kt_split *s, const struct kt_headers *h, const struct kt_input_limits *limits,
		   kt_record_fn fn, void *ctx);
void kt_split_free(struct kt_split *s);

/* A new input, or a place in it behind LINES lines at which nothing before matters. */
void kt_split_begin(struct kt_split *s, struct kt_input *input, uint32_t row, uint64_t lines);

/* True when a line with a header would begin a record here, whatever came before. */
bool kt_split_settled(const struct kt_split *s);

/* One line without its line end, at OFFSET of the input. Where it is too long to be
 * whole, runs of NULs in it are one (kt_cut_add_line). Returns what FN returned. */
int kt_split_line(struct kt_split *s, const struct kt_cut_view *line, uint64_t offset);

/* N lines without anything in them; false: they must be given one by one. */
bool kt_split_empty(struct kt_split *s, uint64_t n);

/* The input is over: hands out the last record. */
int kt_split_end(struct kt_split *s);

/* Whether LINE, as it stands in an input ('\r' at its end or not), begins a record by
 * a header, a break or as an event whatever stands before it, but for a quote or a
 * line that goes on. False also when it is not so simple: with an escape sequence in
 * its header, behind NULs, or as JSON. Only behind a header or a break the lines that follow read the same
 * whatever stood before; behind an event they depend on whether the last header was a
 * break. */
bool kt_line_starts_record(const struct kt_headers *h, struct kt_str line);

#endif
