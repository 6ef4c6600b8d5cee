/* Where in a long input a record may be worth a look: filled in by who knows what
 * is looked for. The reader asks it block by block and hands out only the records
 * in which a place stands, with some around them.
 */
#ifndef KT_INPUT_SIEVE_H
#define KT_INPUT_SIEVE_H

#include "base/str.h"

/* A place AT of the text, and what stands there: a row of the owner, or sign I of the
 * header table (kt_headers_signs) as first_sign + I. */
struct kt_sieve_place {
	uint32_t at, row;
};

struct kt_sieve {
	/* The places that begin in [FROM, TO) of TEXT, in order; *N of them. They are
	 * valid until the next call. */
	const struct kt_sieve_place *(*find)(void *ctx, struct kt_str text, size_t from, size_t to,
					     size_t *n);
	/* Whether a record is to be handed out because of ROW, which is no sign. */
	bool (*want)(void *ctx, uint32_t row);
	/* Another segment of an input begins; INPUT: another input. */
	void (*restart)(void *ctx, bool input);
	uint32_t first_sign;
	void *ctx;
};

#endif
