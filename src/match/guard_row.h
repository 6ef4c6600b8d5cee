/* A regular expression as one row of what every match passes. Inside guard*.c only. */
#ifndef KT_MATCH_GUARD_ROW_H
#define KT_MATCH_GUARD_ROW_H

#include "base/str.h"

#define KT_GUARD_ITEMS    160
#define KT_GUARD_NO_LIMIT UINT32_MAX

struct kt_byteset {
	uint64_t bits[4];
};

/* A class and how often. A gap (`any`): something, perhaps nothing. */
struct kt_guard_item {
	struct kt_byteset set;
	uint32_t min, max;
	bool any;
};

/* The pattern as one row of what every match passes, groups flattened. */
struct kt_guard_row {
	struct kt_str re;
	size_t at;
	struct kt_guard_item item[KT_GUARD_ITEMS];
	size_t n;
	unsigned depth;
	bool fold;
	bool bad; /* something that is not understood: no guard at all */
};

/* False: something is not understood, and nothing may be concluded. Alternatives are
 * laid over each other, so the row passes more than the pattern, never less. */
bool kt_guard_row_of(struct kt_str regex, bool fold, struct kt_guard_row *out);

static inline void kt_byteset_add(struct kt_byteset *s, unsigned c)
{
	s->bits[c >> 6] |= UINT64_C(1) << (c & 63);
}

static inline bool kt_byteset_has(const struct kt_byteset *s, unsigned c)
{
	return s->bits[c >> 6] >> (c & 63) & 1;
}

/* Letters of either case with those of the other. */
void kt_byteset_forget_case(struct kt_byteset *s);

#endif
