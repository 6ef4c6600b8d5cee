/* Which patterns can match at all: one pass over the bytes, by pieces of four.
 * Inside the module only.
 *
 * From each literal of seven bytes or more a window of seven is taken: whatever
 * its place in the text, one of the window's four pieces of four bytes begins at
 * a multiple of four. So only every fourth position of the text is looked up.
 * Literals of four to six bytes need a second pass that looks at every position,
 * and each shorter one a search of its own.
 */
#ifndef KT_MATCH_FILTER_H
#define KT_MATCH_FILTER_H

#include "core/kb.h"

/* A set of pattern rows. */
struct kt_rowset {
	uint64_t *bits;
	uint32_t n; /* rows */
};

static inline bool kt_rowset_has(const struct kt_rowset *s, uint32_t row)
{
	return s->bits[row >> 6] >> (row & 63) & 1;
}

static inline void kt_rowset_add(struct kt_rowset *s, uint32_t row)
{
	s->bits[row >> 6] |= UINT64_C(1) << (row & 63);
}

struct kt_filter;

/* ALWAYS is filled with the rows that the filter cannot judge: without literals.
 * KB stays borrowed. */
struct kt_filter *kt_filter_new(const struct kt_kb *kb, struct kt_rowset *always);
void kt_filter_free(struct kt_filter *take_f);

/* Adds the rows of which a literal stands in TEXT. */
void kt_filter_scan(const struct kt_filter *f, struct kt_str text, struct kt_rowset *out);

#endif
