/* What a regular expression needs: texts of which one stands in every match.
 *
 *     struct kt_literals lits;
 *     if (kt_literals_of(KT_S("Failed to (move|merge) extents"), &lits)) ...
 *             // {"Failed to move extents", "Failed to merge extents"}
 *
 * The answer is never wrong, only sometimes missing: a construct this parser does
 * not know for sure gives no cover. Pure text work: no regex library.
 */
#ifndef KT_MATCH_LITERAL_H
#define KT_MATCH_LITERAL_H

#include "base/err.h"
#include "base/str.h"

#define KT_LITERALS_MAX 64 /* texts of a cover */
#define KT_LITERAL_LEN  64 /* bytes of a text; longer ones are shortened */

struct kt_literals {
	uint32_t n;      /* 0: no cover known */
	bool fold;       /* compare with ASCII case folded (texts are low case then) */
	bool whole;      /* every text that matches is known: there are no rarer ones to be had */
	size_t shortest; /* bytes of the shortest text */
	struct {
		uint8_t len;
		char text[KT_LITERAL_LEN];
	} lit[KT_LITERALS_MAX];
};

/* True when a cover was found; of several possible ones, that with long and few
 * texts. */
bool kt_literals_of(struct kt_str regex, struct kt_literals *out);

static inline struct kt_str kt_literal(const struct kt_literals *l, uint32_t i)
{
	return (struct kt_str){l->lit[i].text, l->lit[i].len};
}

/* Checks one pattern as the matcher will compile it. On error (-1) ERR (class
 * RULES) says why and *AT is the byte of the pattern; else OUT is filled. */
#define KT_PATTERN_GROUPS 32
struct kt_pattern_info {
	uint32_t n_groups;                 /* named ones */
	char group[KT_PATTERN_GROUPS][33]; /* their names, each once, by group number */
	bool nested_repeats;               /* an unbounded repeat inside an unbounded repeat: may be slow.
	                            Not seen in a pattern that kt_literals_of does not understand */
};
KT_MUST_CHECK int kt_pattern_check(struct kt_str regex, struct kt_pattern_info *out, size_t *at,
				   struct kt_err *err);

#endif
