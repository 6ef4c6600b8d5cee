/* A knowledge base of patterns alone, and hits gathered as text. */
#ifndef TEST_MATCH_BASE_H
#define TEST_MATCH_BASE_H

#include "base/buf.h"
#include "core/build.h"
#include "match/literal.h"
#include "match/matcher.h"

/* Adds REGEX with its literals as the rule compiler does; its row. */
uint32_t base_pattern(struct kt_kbb *b, struct kt_str regex);

/* "row@start-end name=text;..." of each hit, one line each. */
int base_note_hit(void *ctx_buf, const struct kt_hit *hit);

struct base_limit {
	unsigned n;
	uint32_t pattern;
	uint64_t offset;
	enum kt_inconclusive why;
};
void base_note_limit(void *ctx_limit, uint32_t pattern, uint64_t offset, enum kt_inconclusive why);

/* All hits of TEXT fed as one record. */
void base_hits(const struct kt_kb *kb, const struct kt_match_limits *limits, struct kt_str text,
	       struct kt_buf *out, struct base_limit *limit);

#endif
