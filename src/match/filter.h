/* Where a literal of a pattern stands: one pass over the bytes, by pieces of four.
 *
 *     struct kt_filter *f = kt_filter_new(kb, signs, n_signs);
 *     struct kt_candidates c = {0};
 *     kt_filter_find(f, text, 0, text.len, &c);      // places, in order
 *     kt_candidates_free(&c);
 *
 * From each literal of eleven bytes or more a window of eleven is taken: whatever
 * its place in the text, two neighbouring pieces of four bytes that begin at
 * multiples of four lie in the window. So only every fourth position of the text
 * is looked up (one piece for windows of seven). Shorter literals need a pass that
 * looks at every position.
 *
 * A filter is never changed after it was made: threads share it.
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

/* SIGNS: further texts that are looked for (exactly, case counts; at least seven
 * bytes, no line end): sign I is row kb->n_patterns + I. KB and SIGNS stay
 * borrowed. */
struct kt_filter *kt_filter_new(const struct kt_kb *kb, const struct kt_str *signs, size_t n_signs);
/* The same without a look at what stands beside literals: cheaper to make. */
struct kt_filter *kt_filter_new_plain(const struct kt_kb *kb, const struct kt_str *signs, size_t n_signs);
void kt_filter_free(struct kt_filter *take_f);

/* The patterns without literals, which the filter cannot judge. */
const struct kt_rowset *kt_filter_always(const struct kt_filter *f);
bool kt_filter_has_always(const struct kt_filter *f);

/* Which way kt_filter_find takes: chosen by what the processor can do; tests and
 * benchmarks set it. Both give the same candidates. */
enum kt_filter_path { KT_FILTER_AUTO, KT_FILTER_PORTABLE, KT_FILTER_AVX2 };
/* False: this processor cannot. */
bool kt_filter_take_path(struct kt_filter *f, enum kt_filter_path path);

struct kt_candidate {
	uint32_t at;  /* where the literal begins, from the start of the text */
	uint32_t row; /* of kb->patterns, or a sign */
};

struct kt_candidates {
	struct kt_candidate *list;
	size_t n, cap;
};

/* Where a literal is frequent in ordinary logs, places that cannot be part of a match,
 * by what stands beside them (guard.h), are left out, and another literal that every
 * match holds may be looked for instead.
 *
 * Replaces OUT by the literals that begin in [FROM, TO) of TEXT, in the order of
 * their places (rows in order at the same place; each (place, row) once). TEXT
 * below 2^31 bytes; literals may end behind TO. */
void kt_filter_find(const struct kt_filter *f, struct kt_str text, size_t from, size_t to,
		    struct kt_candidates *out);
void kt_candidates_free(struct kt_candidates *take_c);

/* Adds the patterns of which a literal stands in TEXT (signs left out). */
void kt_filter_scan(const struct kt_filter *f, struct kt_str text, struct kt_rowset *out);

#endif
