/* All patterns of a knowledge base over any inputs, in one pass.
 *
 *     struct kt_scan *s = kt_scan_new(kb, headers, &KT_SCAN_OPTIONS);
 *     struct kt_scan_sink sink = {.record = on_record, .ctx = c};
 *     rc = kt_scan_path(s, "driver.log", &sink);
 *     rows = kt_scan_inputs(s, &n);               // what became of each input
 *     kt_scan_free(s);
 *
 * The sink is told of every record in which a pattern matches, in the order of the
 * inputs and their lines, by the calling thread; how many threads work does not
 * change what it is told. Matching and reading are as input/input.h and
 * match/matcher.h say, and what is found is what is found when every record is
 * given to the matcher.
 *
 * Long files are divided into segments (struct kt_input_limits), which threads
 * share; of many files each thread takes one. The first `cap` records of a segment
 * in which a pattern matches that teaches nothing are given; of further ones only
 * its literals are counted, unless another pattern matches in the same record.
 */
#ifndef KT_SCAN_SCAN_H
#define KT_SCAN_SCAN_H

#include "input/input.h"
#include "match/filter.h"
#include "match/matcher.h"

struct kt_scan_options {
	unsigned threads;  /* 0: one for each processor */
	uint32_t cap;      /* 0: none */
	bool every_record; /* no record is passed over (tests) */
	bool trace;        /* time each pattern */
	enum kt_filter_path path;
	struct kt_match_limits match;
	struct kt_input_limits input;
	const volatile sig_atomic_t *stop; /* not NULL and set: stop; what was found so far was told */
};

#define KT_SCAN_CAP 1000
#define KT_SCAN_OPTIONS            \
	((struct kt_scan_options){ \
		.threads = 1, .cap = KT_SCAN_CAP, .match = KT_MATCH_LIMITS, .input = KT_INPUT_LIMITS})

struct kt_scan_sink {
	/* A record with its hits, ordered as kt_match_feed gives them; offsets are in REC's text,
	 * REC's input is a row of kt_scan_inputs. Everything is valid during the call.
	 * Anything but 0 ends the scan. */
	int (*record)(void *ctx, const struct kt_record *rec, const struct kt_hit *hits, size_t n);
	/* A pattern could not be judged at LINE of INPUT. May be NULL, as those below. */
	void (*limit)(void *ctx, uint32_t input, uint64_t line, uint32_t pattern, enum kt_inconclusive why);
	/* Beyond the cap, literals of PATTERN stood LITERALS more times in INPUT. */
	void (*capped)(void *ctx, uint32_t input, uint32_t pattern, uint64_t literals);
	/* TOTAL 0: not known. */
	void (*progress)(void *ctx, struct kt_str name, uint64_t done, uint64_t total);
	void *ctx;
};

struct kt_scan;

/* KB and HEADERS stay borrowed. */
struct kt_scan *kt_scan_new(const struct kt_kb *kb, const struct kt_headers *headers,
			    const struct kt_scan_options *options);
void kt_scan_free(struct kt_scan *take_s);

/* 0, or what the sink returned. */
KT_MUST_CHECK int kt_scan_path(struct kt_scan *s, const char *path, const struct kt_scan_sink *sink);
KT_MUST_CHECK int kt_scan_fd(struct kt_scan *s, int fd, struct kt_str name, const struct kt_scan_sink *sink);
KT_MUST_CHECK int kt_scan_text(struct kt_scan *s, struct kt_str text, struct kt_str name,
			       const struct kt_scan_sink *sink);

/* The inputs of all calls so far, in order. Valid until the next call. */
const struct kt_input *kt_scan_inputs(const struct kt_scan *s, size_t *n);

/* Of all threads together. */
struct kt_match_stats kt_scan_stats(const struct kt_scan *s);
struct kt_pattern_stats kt_scan_pattern_stats(const struct kt_scan *s, uint32_t pattern);

#endif
