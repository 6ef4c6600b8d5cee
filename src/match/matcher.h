/* All patterns of a knowledge base over bytes.
 *
 *     struct kt_matcher *m = kt_matcher_new(kb, NULL);
 *     kt_matcher_on_limit(m, on_limit, ctx);
 *     kt_match_feed(m, rec->text, 0, on_hit, ctx);   // one record
 *     kt_matcher_free(m);
 *
 * Patterns are PCRE2 over bytes (no UTF): ^ and $ are line ends, `.` stays on a
 * line. A pattern is run only where one of its literals stands (kb->patterns);
 * one without literals is run on everything. Each is compiled at its first use.
 *
 * No pattern can hang or die unseen: steps, depth, memory, subject length and
 * time are limited, and each limit that is hit is reported. Absence of a pattern
 * that met a limit is not known: kt_matcher_limits(m, row) > 0.
 */
#ifndef KT_MATCH_MATCHER_H
#define KT_MATCH_MATCHER_H

#include "core/kb.h"

struct kt_matcher;

struct kt_match_limits {
	uint32_t steps;         /* PCRE2 match limit of a first try */
	uint32_t steps_retry;   /* of a second try, where the subject is short */
	uint32_t short_subject; /* bytes */
	uint32_t depth;         /* PCRE2 depth limit */
	uint32_t heap_kib;
	uint32_t window;    /* bytes of a subject; longer ones are taken in overlapping windows */
	uint32_t overlap;   /* a match longer than this may be missed at a window's end: reported */
	uint32_t max_hits;  /* of one pattern in one feed, where all are wanted */
	uint32_t budget_ms; /* of one pattern, from kt_matcher_restart; it is off afterwards */
	uint32_t jit_after; /* uses of a pattern until it is worth compiling to machine code */
	bool prefilter;     /* false: every pattern runs on everything (tests) */
};

#define KT_MATCH_LIMITS                                       \
	((struct kt_match_limits){.steps = 10000,             \
				  .steps_retry = 1000000,     \
				  .short_subject = 16u << 10, \
				  .depth = 20000,             \
				  .heap_kib = 16384,          \
				  .window = 64u << 10,        \
				  .overlap = 16u << 10,       \
				  .max_hits = 16,             \
				  .budget_ms = 2000,          \
				  .jit_after = 8,             \
				  .prefilter = true})

/* LIMITS NULL: KT_MATCH_LIMITS. KB is borrowed and must stay. */
struct kt_matcher *kt_matcher_new(const struct kt_kb *kb, const struct kt_match_limits *limits);
void kt_matcher_free(struct kt_matcher *take_m);

struct kt_capture {
	struct kt_str name;  /* named groups only; lives as long as the matcher */
	uint64_t start, end; /* offsets, as in the hit */
	struct kt_str text;  /* the bytes, valid during the callback */
};

struct kt_hit {
	uint32_t pattern;              /* row of kb->patterns */
	uint64_t start, end;           /* base + offset of the match */
	const struct kt_capture *caps; /* groups that took part, by group number */
	size_t n_caps;
};

/* Anything but 0 ends the feed. */
typedef int (*kt_hit_fn)(void *ctx, const struct kt_hit *hit);

/* One call per match: by pattern row, then by place. Patterns that teach a fact
 * (kb->learns, or a named group) give all matches that do not overlap, up to
 * max_hits; of others the first. Offsets in hits are those in TEXT, plus BASE.
 * Returns 0 or the value with which FN ended it. */
int kt_match_feed(struct kt_matcher *m, struct kt_str text, uint64_t base, kt_hit_fn fn, void *ctx);

/* Why a pattern could not be judged. */
#define KT_INCONCLUSIVES(X)                                   \
	X(STEPS, "too many steps")                            \
	X(DEPTH, "too deep")                                  \
	X(MEMORY, "too much memory")                          \
	X(WINDOW, "a match reaches over the end of a window") \
	X(TIME, "too slow: switched off")                     \
	X(HITS, "more matches than are taken")                \
	X(PATTERN, "the pattern does not compile")            \
	X(OTHER, "the regex engine failed")

enum kt_inconclusive {
#define X(id, word) KT_INCONCLUSIVE_##id,
	KT_INCONCLUSIVES(X)
#undef X
};
const char *kt_inconclusive_word(enum kt_inconclusive why);

/* FILTER of the same knowledge base instead of one of M's own (which is made when
 * something is fed): matchers of several threads share one. Borrowed. */
struct kt_filter;
void kt_matcher_share(struct kt_matcher *m, const struct kt_filter *filter);

/* Called for each limit hit, with the offset where the subject (or the match that
 * met it) begins. TIME and PATTERN once, as the pattern stays off. */
typedef void (*kt_limit_fn)(void *ctx, uint32_t pattern, uint64_t offset, enum kt_inconclusive why);
void kt_matcher_on_limit(struct kt_matcher *m, kt_limit_fn fn, void *ctx);

/* How often PATTERN could not be judged since kt_matcher_new, records left out
 * while it was off included. HITS does not count: the pattern is known to match. */
uint64_t kt_matcher_limits(const struct kt_matcher *m, uint32_t pattern);
/* The matcher of another thread could not judge PATTERN so many times more. */
void kt_matcher_add_limits(struct kt_matcher *m, uint32_t pattern, uint64_t n);

/* A new input: time budgets start again, and patterns switched off for time are on. */
void kt_matcher_restart(struct kt_matcher *m);

/* What was done, for tests and --verbose. */
struct kt_match_stats {
	uint64_t feeds, bytes;
	uint64_t runs; /* PCRE2 calls */
	uint64_t hits, limits;
	uint32_t compiled, jitted;
};
struct kt_match_stats kt_matcher_stats(const struct kt_matcher *m);

/* The same of one pattern. */
struct kt_pattern_stats {
	uint64_t candidates; /* feeds it was to be judged on: a literal of it stands there, or it has none */
	uint64_t runs, hits, limits;
	uint64_t ns; /* in PCRE2, since kt_matcher_trace; 0 without it */
};
struct kt_pattern_stats kt_matcher_pattern_stats(const struct kt_matcher *m, uint32_t pattern);
void kt_matcher_trace(struct kt_matcher *m, bool on);

#endif
