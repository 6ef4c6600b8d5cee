/* What must stand beside a literal that stands in many records. For the filter, and
 * for those who judge patterns by their cost.
 *
 *     (?<ms>\d{7,}) ms on        " ms on " is everywhere, seven digits before it are not
 *
 * A guard is derived only where the literal is a part that every match passes, in a
 * row of plain bytes, classes and their repeats; any other construct ends it, or
 * there is none. The row is followed byte by byte away from the literal, in all ways
 * at once. It ends where there may be a line end: beside one the bytes of a file are not
 * those of a record, which has lost '\r' and the prefixes that collectors add.
 */
#ifndef KT_MATCH_GUARD_H
#define KT_MATCH_GUARD_H

#include "base/str.h"

#define KT_GUARD_LITERAL 64

/* The row on one side. Step I is bit I; step `steps` is the end: anything. */
struct kt_guard_side {
	uint64_t takes[256]; /* steps that may be this byte */
	uint64_t optional;   /* steps that may be left out */
	uint64_t again;      /* steps that may come again */
	uint64_t first;      /* steps beside the literal */
	unsigned steps;      /* 0: nothing is known of this side */
};

struct kt_beside {
	struct kt_guard_side left, right;
	bool right_first; /* that side turns away sooner */
	char literal[KT_GUARD_LITERAL];
	uint32_t len;
};

/* False: there is none. LITERAL stands in each match of REGEX; with FOLD ASCII case
 * does not count and it has none. Empty: one is chosen, the best to look for. The guard
 * may be for another literal, beside which it sees sooner that there is no match; its
 * own is to be looked for. */
bool kt_beside_of(struct kt_str regex, struct kt_str literal, bool fold, struct kt_beside *out);

/* Whether a match may have the literal at [FROM, TO) of TEXT. What lies outside of
 * TEXT is not known and may be anything. */
bool kt_beside_allows(const struct kt_beside *g, struct kt_str text, size_t from, size_t to);

#endif
