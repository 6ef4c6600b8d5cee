/* Any bytes as patterns (lines up to an empty one) and a text: the filter changes
 * nothing, and no pattern gets past its limits. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "core/build.h"
#include "match/literal.h"
#include "match/matcher.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_pattern(struct kt_kbb *b, struct kt_str regex)
{
	struct kt_literals lits;
	struct kt_str list[KT_LITERALS_MAX];
	struct kt_pattern_info info;
	size_t at;

	if (kt_pattern_check(regex, &info, &at, NULL) < 0)
		return;
	uint32_t row = kt_kbb_pattern(b, regex);
	if (!kt_literals_of(regex, &lits))
		return;
	for (uint32_t i = 0; i < lits.n; i++)
		list[i] = kt_literal(&lits, i);
	kt_kbb_literals(b, row, list, lits.n, lits.fold);
}

static int note(void *ctx, const struct kt_hit *hit)
{
	struct kt_buf *b = ctx;

	kt_buf_fmt(b, "%u %llu %llu\n", hit->pattern, (unsigned long long)hit->start,
		   (unsigned long long)hit->end);
	for (size_t i = 0; i < hit->n_caps; i++)
		kt_buf_add(b, hit->caps[i].text);
	return 0;
}

/* Returns the number of limits that were met. */
static uint64_t hits(const struct kt_kb *kb, bool prefilter, struct kt_str text, struct kt_buf *out)
{
	struct kt_match_limits l = KT_MATCH_LIMITS;

	l.prefilter = prefilter;
	l.steps_retry = l.steps;
	l.window = 4096;
	l.overlap = 1024;
	struct kt_matcher *m = kt_matcher_new(kb, &l);
	for (unsigned i = 0; i < 2; i++)
		kt_match_feed(m, text, 0, true, note, out);
	uint64_t limits = kt_matcher_stats(m).limits;
	kt_matcher_free(m);
	return limits;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kt_str text = {(const char *)data, size}, line;
	struct kt_buf with = KT_BUF(1 << 20), without = KT_BUF(1 << 20);
	struct kt_kbb *b = kt_kbb_new();

	for (unsigned i = 0; i < 20 && kt_str_cut(&text, '\n', &line) && line.len; i++)
		if (line.len < 500)
			add_pattern(b, line);
	const struct kt_kb *kb = kt_kbb_kb(b);
	/* what the filter skips cannot meet a limit, so only the unfiltered count matters */
	hits(kb, true, text, &with);
	if (hits(kb, false, text, &without) == 0 && !kt_str_eq(kt_buf_view(&with), kt_buf_view(&without))) {
		fprintf(stderr, "with the filter:\n%s\nwithout:\n%s\n", kt_buf_c(&with), kt_buf_c(&without));
		abort();
	}
	kt_buf_free(&with);
	kt_buf_free(&without);
	kt_kbb_free(b);
	return 0;
}
