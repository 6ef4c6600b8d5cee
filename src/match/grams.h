/* How often four bytes stand in ordinary logs, as measured: what a literal costs
 * that is looked for by pieces of four. ASCII case folded, as the filter does. Counts are
 * powers of two; pieces that share a hash are counted together, so they may be too high.
 *
 *     kt_gram_window(KT_S("info")).hits      // sixteenths: thousands in every MiB
 *     kt_gram_window(KT_S("No blob found"))  // the eleven bytes to look for, and the hits to expect
 */
#ifndef KT_MATCH_GRAMS_H
#define KT_MATCH_GRAMS_H

#include "base/str.h"

#define KT_GRAM        4  /* bytes of a piece */
#define KT_WINDOW_PAIR 11 /* bytes that hold two neighbouring pieces at any alignment */
#define KT_WINDOW_ONE  7  /* bytes that hold one at any alignment */

/* The part of a literal that is best to look for. */
struct kt_window {
	uint32_t at, len; /* KT_WINDOW_PAIR bytes, KT_WINDOW_ONE, or fewer: the literal has no more */
	uint32_t hits;    /* of its pieces to be expected in a MiB of text, sixteenths */
	uint32_t stands;  /* times that the whole literal is: as often as its rarest pieces */
};

/* Of LITERAL's windows of the longest kind that it has room for the one with the
 * fewest hits: pairs of pieces at every fourth position (11 bytes), single pieces
 * at every fourth (7), single pieces at every position (4 to 6), or the bytes as
 * they are (1 to 3). */
struct kt_window kt_gram_window(struct kt_str literal);

static inline uint32_t kt_gram_stands(struct kt_str literal)
{
	return kt_gram_window(literal).stands;
}

#endif
