/* Subjects made to be slow: counted in runs and limits, never in seconds. */
#include <criterion/criterion.h>
#include <string.h>

#include "base.h"

#define MIB (1u << 20)

/* B with N bytes C, and TAIL behind them. */
static void fill(struct kt_buf *b, char c, size_t n, struct kt_str tail)
{
	char run[1024];

	memset(run, c, sizeof run);
	for (; n; n -= n < sizeof run ? n : sizeof run)
		kt_buf_add(b, (struct kt_str){run, n < sizeof run ? n : sizeof run});
	kt_buf_add(b, tail);
}

struct outcome {
	struct kt_match_stats stats;
	uint64_t limits;
	struct base_limit last;
};

static struct outcome feed(const char *regex, struct kt_str text, const struct kt_match_limits *limits,
			   unsigned times)
{
	struct kt_kbb *b = kt_kbb_new();
	struct outcome o = {0};

	base_pattern(b, kt_str_c(regex));
	struct kt_matcher *m = kt_matcher_new(kt_kbb_kb(b), limits);
	kt_matcher_on_limit(m, base_note_limit, &o.last);
	while (times--)
		kt_match_feed(m, text, 0, NULL, NULL);
	o.stats = kt_matcher_stats(m);
	o.limits = kt_matcher_limits(m, 0);
	kt_matcher_free(m);
	kt_kbb_free(b);
	return o;
}

/* Quadratic, and no limit of PCRE2 sees it: given up after the first slice that was too
 * slow, in machine code as well. All 256 starts of a first slice cost 16 million steps;
 * a look at the whole first window alone would take hundreds of such slices. */
static void quadratic(uint32_t jit_after)
{
	struct kt_buf text = KT_BUF(2 * MIB);
	struct kt_match_limits l = KT_MATCH_LIMITS;

	while (text.len < MIB)
		fill(&text, 'x', 60000, KT_S(" y"));
	l.budget_ms = 0;
	l.jit_after = jit_after;
	struct outcome o = feed("(?<a>\\S+) \\k<a>", kt_buf_view(&text), &l, 3);
	cr_expect(o.last.why == KT_INCONCLUSIVE_TIME, "%s", kt_inconclusive_word(o.last.why));
	cr_expect(o.stats.runs < 20, "%llu runs", (unsigned long long)o.stats.runs);
	/* the first feed, and one for each feed it was off in */
	cr_expect(o.limits >= 3 && o.stats.hits == 0, "%llu limits", (unsigned long long)o.limits);
	kt_buf_free(&text);
}

Test(hostile, quadratic_in_the_interpreter, .timeout = 60)
{
	quadratic(1000);
}

Test(hostile, quadratic_in_machine_code, .timeout = 60)
{
	quadratic(1);
}

/* Without a blank the pattern cannot match: the filter sees it at once; a window alone
 * does not tell whether a blank comes later. */
Test(hostile, quadratic_without_what_it_needs, .timeout = 60)
{
	struct kt_buf text = KT_BUF(2 * MIB);
	struct kt_match_limits l = KT_MATCH_LIMITS;

	fill(&text, 'x', MIB, KT_NONE);
	cr_expect(feed("(?<a>\\S+) \\k<a>", kt_buf_view(&text), &l, 1).stats.runs == 0);
	l.prefilter = false;
	struct outcome o = feed("(?<a>\\S+) \\k<a>", kt_buf_view(&text), &l, 1);
	cr_expect(o.limits > 0 && o.stats.hits == 0, "%llu limits", (unsigned long long)o.limits);
	kt_buf_free(&text);
}

/* Nothing is searched behind the last literal of the pattern. */
Test(hostile, a_long_line_is_searched_up_to_the_last_literal)
{
	struct kt_buf text = KT_BUF(4 * MIB), got = KT_BUF(4096), want = KT_BUF(4096);
	struct kt_match_limits l = KT_MATCH_LIMITS;
	struct kt_kbb *b = kt_kbb_new();

	base_pattern(b, KT_S("[a-z]+ failed after (?<n>\\d+) tries"));
	fill(&text, '.', 10000, KT_S("move failed after 1 tries"));
	fill(&text, '.', 10000, KT_S("copy failed after 2 tries"));
	fill(&text, '.', 3 * MIB, KT_NONE);
	l.window = 4096; /* never taken in slices */
	l.overlap = 1024;
	struct kt_matcher *m = kt_matcher_new(kt_kbb_kb(b), &l);
	kt_match_feed(m, kt_buf_view(&text), 0, base_note_hit, &got);
	kt_buf_str(&want, "0@10000-10025 n=1\n0@20025-20050 n=2\n");
	cr_assert_str_eq(kt_buf_c(&got), kt_buf_c(&want));
	/* of some 1,000 windows those before the places, and one more search behind each hit */
	cr_assert(kt_matcher_stats(m).runs <= 12, "%llu", (unsigned long long)kt_matcher_stats(m).runs);
	kt_matcher_free(m);
	kt_buf_free(&text);
	kt_buf_free(&got);
	kt_buf_free(&want);
	kt_kbb_free(b);
}

/* A match that needs what stands behind a window is not found, and not passed over. */
static void reaches_over(const char *regex)
{
	struct kt_buf text = KT_BUF(MIB);
	struct kt_match_limits l = KT_MATCH_LIMITS;

	l.steps = 1000000;
	kt_buf_str(&text, "code 401 of ");
	fill(&text, '.', 200000, KT_S(" the cluster kusto.windows.net\n"));
	struct outcome o = feed(regex, kt_buf_view(&text), &l, 1);
	cr_expect(o.stats.hits == 0 && o.limits > 0 && o.last.why == KT_INCONCLUSIVE_WINDOW,
		  "%s: %llu limits", regex, (unsigned long long)o.limits);
	kt_buf_free(&text);
}

Test(hostile, a_match_that_reaches_over_windows_is_told)
{
	reaches_over("code 401 .*kusto\\.windows\\.net");
	reaches_over("\\b401\\b(?=.*\\bkusto\\.windows\\.net)");
	reaches_over("\\b401\\b[^\\n]*net$");
}

/* The same hits with and without the filter, whatever the windows and slices. */
static void same_hits(const char *regex, struct kt_str text)
{
	struct kt_buf with = KT_BUF(MIB), without = KT_BUF(MIB);
	struct kt_match_limits l = KT_MATCH_LIMITS;
	struct kt_kbb *b = kt_kbb_new();

	l.max_hits = 1000;
	base_pattern(b, kt_str_c(regex));
	base_hits(kt_kbb_kb(b), &l, text, &with, NULL);
	l.prefilter = false;
	base_hits(kt_kbb_kb(b), &l, text, &without, NULL);
	cr_expect(without.len > 0, "%s", regex);
	cr_expect_str_eq(kt_buf_c(&with), kt_buf_c(&without), "%s", regex);
	kt_buf_free(&with);
	kt_buf_free(&without);
	kt_kbb_free(b);
}

Test(hostile, places_near_the_ends_of_windows_and_slices)
{
	static const size_t ends[] = {256, 512, 768, 4096, 16384, 49152, 65536, 65792, 98304, 114688, 131072};
	struct kt_buf text = KT_BUF(MIB);

	for (size_t i = 0; i < KT_LEN(ends); i++)
		for (size_t back = 0; back < 48; back += 7) {
			kt_buf_clear(&text);
			fill(&text, '-', ends[i] - back, KT_S(" Queue needle 77 of the haystack Queue"));
			fill(&text, '-', 150000 - text.len, KT_S(" needle 78 of the haystack"));
			same_hits("(?<=\\s)(?<q>Queue )?needle (?<n>\\d+) of the haystack",
				  kt_buf_view(&text));
			same_hits("(?<=Queue needle )(?<n>\\d+)", kt_buf_view(&text));
		}
	kt_buf_free(&text);
}

Test(hostile, nested_repeats_meet_a_limit_that_is_said)
{
	struct kt_buf text = KT_BUF(2 * MIB);

	kt_buf_str(&text, "evil ");
	fill(&text, 'a', 40000, KT_S("!"));
	struct outcome o = feed("evil (?:a+)+$", kt_buf_view(&text), NULL, 12);
	/* JIT and interpreter alike: each feed one limit, and the long subject no second try */
	cr_assert(o.limits >= 12 && o.last.n >= 1 && o.stats.hits == 0);
	cr_assert(o.stats.runs <= 24, "%llu", (unsigned long long)o.stats.runs);
	kt_buf_free(&text);
}

Test(hostile, bytes_of_any_kind)
{
	struct kt_buf text = KT_BUF(2 * MIB);

	for (unsigned i = 0; i < 3 * 65536; i++)
		kt_buf_char(&text, (char)(i * 2654435761u >> 13));
	same_hits("needle of [^\\n]{0,9}\\x00|\\xff\\xfe needle|needle of \\x00 bytes",
		  KT_S("\0\xff\xfe needle of \0 bytes \xc3\x28\xed\xa0\x80"));
	kt_buf_add(&text, KT_S("\xc0\x80 needle of \0 bytes\0\0\n\0"));
	fill(&text, '\0', 70000, KT_S("\xf5 needle of \0 bytes"));
	same_hits("needle of \\x00 bytes", kt_buf_view(&text));
	struct outcome o = feed("needle of \\x00 bytes", kt_buf_view(&text), NULL, 1);
	cr_assert(o.stats.hits == 1 && o.limits == 0);
	kt_buf_free(&text);
}
