/* A matcher from inside: the matcher is matcher.c, one pattern over one feed is
 * one_pattern.c. */
#ifndef KT_MATCH_ONE_PATTERN_H
#define KT_MATCH_ONE_PATTERN_H

#include "base/buf.h"
#include "match/engine.h"
#include "match/filter.h"

struct kt_matcher {
	const struct kt_kb *kb;
	struct kt_engine engine;
	struct kt_compiled *compiled; /* by row */
	struct kt_filter *own_filter;
	const struct kt_filter *filter; /* NULL: not needed yet */
	struct kt_rowset candidates;
	struct kt_candidates places; /* of literals, in a feed longer than a window */
	struct kt_capture *caps;
	size_t cap_caps;
	kt_limit_fn on_limit;
	void *limit_ctx;
	struct kt_match_stats stats;
};

/* One pattern in one feed. */
struct kt_match_job {
	struct kt_matcher *m;
	struct kt_compiled *c;
	uint32_t row;
	struct kt_str text;
	uint64_t base;
	kt_hit_fn fn;
	void *ctx;
	uint32_t hits;
	bool by_place; /* m->places says in which windows a literal stands */
};

/* Returns 0 or the value with which the hit function ended the feed. */
int kt_match_one(struct kt_match_job *j);

/* Counts, and tells. */
void kt_match_limit(struct kt_matcher *m, uint32_t row, uint64_t offset, enum kt_inconclusive why);

#endif
