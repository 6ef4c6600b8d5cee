#include <criterion/criterion.h>
#include <string.h>

#include "base.h"

static void expect(const char *regex, struct kt_str text, const char *hits)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_buf got = KT_BUF(1 << 16);

	base_pattern(b, kt_str_c(regex));
	base_hits(kt_kbb_kb(b), NULL, text, &got, NULL);
	cr_expect_str_eq(kt_buf_c(&got), hits, "%s: %s", regex, kt_buf_c(&got));
	kt_buf_free(&got);
	kt_kbb_free(b);
}

Test(matcher, first_match_of_evidence_and_all_of_what_teaches)
{
	expect("took \\d+ ms", KT_S("a took 12 ms, b took 7 ms"), "0@2-12\n");
	expect("took (?<ms>\\d+) ms", KT_S("a took 12 ms, b took 7 ms"), "0@2-12 ms=12\n0@16-25 ms=7\n");
}

Test(matcher, a_learning_pattern_without_groups_gives_all)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_buf got = KT_BUF(4096);
	uint32_t row = base_pattern(b, KT_S("Transactional"));

	kt_kbb_add_learns(b, &(struct kt_learn){.fact = 0, .pattern = row, .item = KT_NIL});
	base_hits(kt_kbb_kb(b), NULL, KT_S("Transactional, Transactional"), &got, NULL);
	cr_assert_str_eq(kt_buf_c(&got), "0@0-13\n0@15-28\n");
	kt_buf_free(&got);
	kt_kbb_free(b);
}

Test(matcher, lines_and_bytes)
{
	expect("^second line$", KT_S("first line\nsecond line\nthird line"), "0@11-22\n");
	expect("one.*three", KT_S("one two\nthree"), "");
	expect("one[\\s\\S]{0,9}three", KT_S("one two\nthree"), "0@0-13\n");
	expect("after", ((struct kt_str){"\0\xff\0after", 8}), "0@3-8\n");
	expect("(?<x>needed)?optional", KT_S("optional"), "0@0-8\n");
	expect("absent-literal", KT_S("absent literal"), "");
}

/* A literal stands at every offset: the filter's stride must not lose it. */
Test(matcher, literals_at_every_offset_and_length)
{
	static const char alphabet[] = "Kustowriterfinalize";
	char text[64], regex[32];

	for (size_t len = 1; len <= 19; len++)
		for (size_t at = 0; at + len <= 40; at++) {
			struct kt_buf want = KT_BUF(64);
			memset(text, '.', sizeof text);
			memcpy(text + at, alphabet, len);
			memcpy(regex, alphabet, len);
			regex[len] = '\0';
			kt_buf_fmt(&want, "0@%zu-%zu\n", at, at + len);
			expect(regex, (struct kt_str){text, 40}, kt_buf_c(&want));
			kt_buf_free(&want);
		}
}

Test(matcher, case_folded_literals)
{
	expect("(?i)connection RESET", KT_S("Connection Reset by peer"), "0@0-16\n");
	expect("connection reset", KT_S("Connection Reset by peer"), "");
	/* bytes that differ in the bit that folds letters are different all the same */
	expect("key@[0-9]", KT_S("key`1 key@2"), "0@6-11\n");
	expect("abcdefg@h", KT_S("abcdefg`h"), "");
}

Test(matcher, hits_come_by_row_and_stop_when_told)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_buf got = KT_BUF(4096);

	base_pattern(b, KT_S("zzz-last"));
	base_pattern(b, KT_S("aaa-first"));
	base_hits(kt_kbb_kb(b), NULL, KT_S("aaa-first zzz-last"), &got, NULL);
	cr_assert_str_eq(kt_buf_c(&got), "0@10-18\n1@0-9\n");
	kt_buf_free(&got);
	kt_kbb_free(b);
}

static int stop_at_once(void *ctx, const struct kt_hit *hit)
{
	(void)hit;
	++*(int *)ctx;
	return 42;
}

Test(matcher, the_callback_ends_the_feed)
{
	struct kt_kbb *b = kt_kbb_new();
	int calls = 0;

	base_pattern(b, KT_S("(?<a>first)"));
	base_pattern(b, KT_S("second"));
	struct kt_matcher *m = kt_matcher_new(kt_kbb_kb(b), NULL);
	cr_assert(kt_match_feed(m, KT_S("first first second"), 0, stop_at_once, &calls) == 42);
	cr_assert(calls == 1);
	kt_matcher_free(m);
	kt_kbb_free(b);
}

Test(matcher, offsets_begin_at_the_base)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_buf got = KT_BUF(4096);

	base_pattern(b, KT_S("split in (?<n>\\d) pieces"));
	struct kt_matcher *m = kt_matcher_new(kt_kbb_kb(b), NULL);
	cr_assert(kt_match_feed(m, KT_S("split in 4 pieces"), 7, base_note_hit, &got) == 0);
	cr_assert_str_eq(kt_buf_c(&got), "0@7-24 n=4\n");
	kt_matcher_free(m);
	kt_buf_free(&got);
	kt_kbb_free(b);
}

/* --- what is not run --- */

Test(matcher, a_pattern_runs_only_where_a_literal_stands)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_buf got = KT_BUF(4096);

	for (int i = 0; i < 300; i++) {
		struct kt_buf re = KT_BUF(64);
		kt_buf_fmt(&re, "message number %04d of many", i);
		base_pattern(b, kt_buf_view(&re));
		kt_buf_free(&re);
	}
	struct kt_matcher *m = kt_matcher_new(kt_kbb_kb(b), NULL);
	kt_match_feed(m, KT_S("some INFO line that holds nothing of interest"), 0, base_note_hit, &got);
	cr_assert(kt_matcher_stats(m).runs == 0 && kt_matcher_stats(m).compiled == 0);
	kt_match_feed(m, KT_S("x message number 0123 of many"), 0, base_note_hit, &got);
	cr_assert(kt_matcher_stats(m).runs == 1 && kt_matcher_stats(m).compiled == 1);
	cr_assert_str_eq(kt_buf_c(&got), "123@2-29\n");
	kt_matcher_free(m);
	kt_buf_free(&got);
	kt_kbb_free(b);
}

/* --- long subjects --- */

static void fill(struct kt_buf *b, size_t n)
{
	while (b->len < n)
		kt_buf_str(b, "filler text without any meaning\n");
}

Test(matcher, windows_find_each_match_once)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_buf text = KT_BUF(1 << 20), want = KT_BUF(4096), got = KT_BUF(4096);
	struct base_limit limit = {0};

	base_pattern(b, KT_S("^needle (?<n>\\d+)$"));
	for (unsigned i = 0; i < 12; i++) {
		fill(&text, i * 31000 + 20);
		kt_buf_fmt(&want, "0@%zu-%zu n=%u\n", text.len, text.len + 8, i % 10);
		kt_buf_fmt(&text, "needle %u\n", i % 10);
	}
	fill(&text, 400000);
	base_hits(kt_kbb_kb(b), NULL, kt_buf_view(&text), &got, &limit);
	cr_assert_str_eq(kt_buf_c(&got), kt_buf_c(&want));
	cr_assert(limit.n == 0);
	kt_buf_free(&text);
	kt_buf_free(&want);
	kt_buf_free(&got);
	kt_kbb_free(b);
}

/* A match across the end of a window is found; one longer than a window is said. */
Test(matcher, matches_over_the_end_of_a_window)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_buf text = KT_BUF(1 << 20), got = KT_BUF(4096);
	struct kt_match_limits l = KT_MATCH_LIMITS;
	struct base_limit limit = {0};

	l.steps = 1000000;
	base_pattern(b, KT_S("BEGIN-OF[\\s\\S]{0,40000}?END-OF"));
	fill(&text, 60000);
	size_t from = text.len;
	kt_buf_str(&text, "BEGIN-OF");
	fill(&text, from + 30000);
	kt_buf_str(&text, "END-OF");
	size_t to = text.len;
	fill(&text, 200000);
	base_hits(kt_kbb_kb(b), &l, kt_buf_view(&text), &got, &limit);
	struct kt_buf want = KT_BUF(64);
	kt_buf_fmt(&want, "0@%zu-%zu\n", from, to);
	cr_expect_str_eq(kt_buf_c(&got), kt_buf_c(&want));
	cr_expect(limit.n == 0);
	kt_buf_free(&want);
	kt_buf_free(&text);
	kt_buf_free(&got);
	kt_kbb_free(b);
}

Test(matcher, a_match_longer_than_a_window_is_said)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_buf text = KT_BUF(1 << 20), got = KT_BUF(4096);
	struct base_limit limit = {0};

	base_pattern(b, KT_S("BEGIN-OF[\\s\\S]*"));
	kt_buf_str(&text, "BEGIN-OF");
	fill(&text, 200000);
	base_hits(kt_kbb_kb(b), NULL, kt_buf_view(&text), &got, &limit);
	cr_assert(limit.n == 1 && limit.why == KT_INCONCLUSIVE_WINDOW && limit.offset == 0);
	kt_buf_free(&text);
	kt_buf_free(&got);
	kt_kbb_free(b);
}

/* --- limits: each is said, and nothing hangs --- */

Test(matcher, too_many_steps_are_said)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_buf got = KT_BUF(4096);
	struct base_limit limit = {0};

	base_pattern(b, KT_S("never mind"));
	uint32_t row = base_pattern(b, KT_S("evil (a+)+$"));
	struct kt_matcher *m = kt_matcher_new(kt_kbb_kb(b), NULL);
	kt_matcher_on_limit(m, base_note_limit, &limit);
	kt_match_feed(m, KT_S("evil aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"), 500,
		      base_note_hit, &got);
	cr_assert(limit.n == 1 && limit.pattern == row && limit.why == KT_INCONCLUSIVE_STEPS &&
		  limit.offset == 500);
	cr_assert(kt_matcher_limits(m, row) == 1 && kt_matcher_limits(m, 0) == 0);
	cr_assert(got.len == 0);
	kt_matcher_free(m);
	kt_buf_free(&got);
	kt_kbb_free(b);
}

/* A short subject is worth a second try with more steps. */
Test(matcher, a_second_try_finds_what_the_first_gave_up)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_buf got = KT_BUF(4096);
	struct kt_match_limits l = KT_MATCH_LIMITS;
	struct base_limit limit = {0};
	struct kt_str text = KT_S("kkaaaaaaaaaaaaaaaaaaaaaac literal kkab literal");

	base_pattern(b, KT_S("kk(a|aa)+b literal"));
	base_hits(kt_kbb_kb(b), NULL, text, &got, &limit);
	cr_assert_str_eq(kt_buf_c(&got), "0@34-46\n");
	cr_assert(limit.n == 0);
	l.short_subject = 10;
	kt_buf_clear(&got);
	base_hits(kt_kbb_kb(b), &l, text, &got, &limit);
	cr_assert(got.len == 0 && limit.n == 1 && limit.why == KT_INCONCLUSIVE_STEPS);
	kt_buf_free(&got);
	kt_kbb_free(b);
}

/* Quadratic without counted steps: only the window and the clock stop it. */
Test(matcher, a_slow_pattern_is_switched_off_and_back_on)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_buf text = KT_BUF(1 << 20), got = KT_BUF(4096);
	struct kt_match_limits l = KT_MATCH_LIMITS;
	struct base_limit limit = {0};

	base_pattern(b, KT_S("(?<a>\\S+) \\k<a>"));
	base_pattern(b, KT_S("healthy"));
	l.budget_ms = 100;
	while (text.len < 60000)
		kt_buf_char(&text, 'x');
	kt_buf_str(&text, " healthy");
	struct kt_matcher *m = kt_matcher_new(kt_kbb_kb(b), &l);
	kt_matcher_on_limit(m, base_note_limit, &limit);
	for (unsigned i = 0; i < 200 && limit.why != KT_INCONCLUSIVE_TIME; i++)
		kt_match_feed(m, kt_buf_view(&text), 0, NULL, NULL);
	cr_assert(limit.pattern == 0 && limit.why == KT_INCONCLUSIVE_TIME);
	uint64_t before = kt_matcher_limits(m, 0), runs = kt_matcher_stats(m).runs;
	kt_match_feed(m, KT_S("so so healthy"), 0, base_note_hit, &got);
	cr_assert_str_eq(kt_buf_c(&got), "1@6-13\n", "only the healthy one runs");
	cr_assert(kt_matcher_limits(m, 0) == before + 1 && kt_matcher_stats(m).runs == runs + 1);
	kt_matcher_restart(m);
	kt_buf_clear(&got);
	kt_match_feed(m, KT_S("so so healthy"), 0, base_note_hit, &got);
	cr_assert_str_eq(kt_buf_c(&got), "0@0-5 a=so\n1@6-13\n");
	kt_matcher_free(m);
	kt_buf_free(&text);
	kt_buf_free(&got);
	kt_kbb_free(b);
}

Test(matcher, more_matches_than_taken_are_said_but_known)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_buf text = KT_BUF(4096), got = KT_BUF(4096);
	struct base_limit limit = {0};

	base_pattern(b, KT_S("(?<n>\\d+) item"));
	for (int i = 0; i < 20; i++)
		kt_buf_fmt(&text, "%d item ", i);
	struct kt_matcher *m = kt_matcher_new(kt_kbb_kb(b), NULL);
	kt_matcher_on_limit(m, base_note_limit, &limit);
	kt_match_feed(m, kt_buf_view(&text), 0, base_note_hit, &got);
	cr_assert(kt_matcher_stats(m).hits == 16);
	cr_assert(limit.n == 1 && limit.why == KT_INCONCLUSIVE_HITS && kt_matcher_limits(m, 0) == 0);
	kt_matcher_free(m);
	kt_buf_free(&text);
	kt_buf_free(&got);
	kt_kbb_free(b);
}

Test(matcher, a_pattern_that_does_not_compile_is_said_once)
{
	struct kt_kbb *b = kt_kbb_new();
	struct base_limit limit = {0};

	base_pattern(b, KT_S("broken ("));
	struct kt_matcher *m = kt_matcher_new(kt_kbb_kb(b), NULL);
	kt_matcher_on_limit(m, base_note_limit, &limit);
	kt_match_feed(m, KT_S("broken"), 0, NULL, NULL);
	kt_match_feed(m, KT_S("broken"), 0, NULL, NULL);
	cr_assert(limit.n == 1 && limit.why == KT_INCONCLUSIVE_PATTERN);
	cr_assert(kt_matcher_limits(m, 0) == 2);
	kt_matcher_free(m);
	kt_kbb_free(b);
}

/* Machine code and the interpreter agree. */
Test(matcher, same_hits_before_and_after_it_is_worth_compiling)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_buf first = KT_BUF(4096), later = KT_BUF(4096);

	base_pattern(b, KT_S("^(?<what>\\w+) failed after (?<n>\\d+) tries(?<rest>.*)$"));
	struct kt_matcher *m = kt_matcher_new(kt_kbb_kb(b), NULL);
	kt_match_feed(m, KT_S("x\nmove failed after 3 tries [and 2]"), 0, base_note_hit, &first);
	for (int i = 0; i < 20; i++) {
		kt_buf_clear(&later);
		kt_match_feed(m, KT_S("x\nmove failed after 3 tries [and 2]"), 0, base_note_hit, &later);
	}
	cr_assert(first.len && kt_str_eq(kt_buf_view(&first), kt_buf_view(&later)));
	cr_assert(kt_matcher_stats(m).jitted == 1);
	kt_matcher_free(m);
	kt_buf_free(&first);
	kt_buf_free(&later);
	kt_kbb_free(b);
}
