/* Text in pieces → the records that matter. Inside the module only.
 *
 * With a sieve, only stretches of lines around its places go through the assembler:
 * from the last line before the place that begins a record to the first one behind
 * it. Everywhere else only line ends are counted. The stretch is longer where a sign
 * says that lines are not what they look like (see kt_headers_signs); lines with
 * escape sequences are looked at without them. Always assembled are the first 16 KiB, the last record, and
 * records that may be too long to be kept whole. So what is handed out is a part of
 * what is handed out without a sieve, and every record with a place is in it.
 *
 * The sweep rests between pieces either before a line that begins a record (CLEAN), or in
 * the middle of a stretch (OPEN). Which records are handed out does not depend on
 * the pieces.
 */
#ifndef KT_INPUT_SWEEP_H
#define KT_INPUT_SWEEP_H

#include "input/assemble.h"
#include "input/input.h"

struct kt_sweep {
	const struct kt_headers *headers;
	const struct kt_sieve *sieve;      /* NULL: every record is handed out */
	const volatile sig_atomic_t *stop; /* may be NULL */
	struct kt_assembler assembler;
	struct kt_input *input;
	uint32_t row;
	bool open;
	bool fresh;       /* nothing was added since it was opened at the start of a record */
	uint64_t offset;  /* of the next byte to be added */
	uint64_t sample;  /* up to here everything is assembled */
	uint64_t lines;   /* line ends before `counted` */
	uint64_t counted; /* offset */
	/* Lines with escape sequences: without them, and what stands in them. */
	struct kt_buf plain, scratch;
	struct kt_sieve_place *escaped;
	size_t n_escaped, cap_escaped;
};

/* The record function and what it gets is that of IN. */
void kt_sweep_init(struct kt_sweep *w, const struct kt_inputs *in, kt_record_fn fn, void *ctx);
void kt_sweep_free(struct kt_sweep *w);

/* INPUT is row ROW. OFFSET: where the first text stands; a line that begins a record
 * stands there, or it is the start of the input, which is sampled. */
void kt_sweep_begin(struct kt_sweep *w, struct kt_input *input, uint32_t row, uint64_t offset);

/* Goes on with TEXT, which begins at w->offset. LAST: the input ends with it. Stops
 * before the first line at or behind UNTIL that begins a record: then the sweep is
 * not open and w->offset >= UNTIL. Adds up how much of TEXT is done with: the rest must
 * be there again at the start of the next call, with more (a rest of 1 MiB never needs
 * more). Returns what the record function returned; when STOP is set, 0. */
#define KT_SWEEP_ENOUGH (1u << 20)
int kt_sweep_add(struct kt_sweep *w, struct kt_str text, bool last, uint64_t until, size_t *used);

/* Where in TEXT, which begins at w->offset, the first line at or behind UNTIL begins
 * that begins a record; NPOS: not in TEXT, or not known before more of it is. UNTIL is
 * behind w->offset. */
size_t kt_sweep_find(struct kt_sweep *w, struct kt_str text, uint64_t until);

/* Line ends in all that is done with. */
uint64_t kt_sweep_lines(const struct kt_sweep *w);

#endif
