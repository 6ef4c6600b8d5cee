/* What people see of the texts that a regular expression matches: its literal pieces
 * in order.
 *
 *     kt_wording_of(&arena, KT_S("Failed to (?:move|merge) \\d+ extents"), KT_WORDING_NEEDED)
 *             // {"Failed to move \0 extents", "Failed to merge \0 extents"}
 *
 * Pure text work: no regex library. A construct this reader does not know for sure
 * gives no wording.
 */
#ifndef KT_MATCH_WORDING_H
#define KT_MATCH_WORDING_H

#include "base/arena.h"

#define KT_WORDING_GAP '\0' /* stands between two pieces: something, or nothing */

enum kt_wording_use {
	/* Every match holds all pieces of one of the texts, in order. */
	KT_WORDING_NEEDED,
	/* For a person: of marks that are written in several ways the first, blanks for
	 * blanks, and what may be left out is left out. No test of anything. */
	KT_WORDING_SHOWN,
};

struct kt_wording {
	const struct kt_str *s;
	uint32_t n; /* 0: none is known, or none that says something */
	bool fold;  /* ASCII case means nothing in some of it */
};

struct kt_wording kt_wording_of(struct kt_arena *a, struct kt_str regex, enum kt_wording_use use);

/* Cuts the next piece, never empty, off the front of *REST; false when nothing is left. */
bool kt_wording_piece(struct kt_str *rest, struct kt_str *piece);
/* Bytes of the longest piece without blanks around it: how little TEXT stands by chance. */
size_t kt_wording_longest(struct kt_str text);
#define KT_WORDING_SURE 7u /* long enough to be told from what stands anywhere */
/* All pieces of TEXT stand in SUBJECT, in order. */
bool kt_wording_stands(struct kt_str text, struct kt_str subject, bool fold);

#endif
