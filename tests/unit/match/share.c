/* Matchers of several threads: one filter, own numbers that add up. */
#include <criterion/criterion.h>

#include "base.h"
#include "match/filter.h"

static const struct kt_str text = {"24/01/02 ERROR Some: move failed after 3 tries", 46};

Test(share, two_matchers_use_one_filter)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_buf one = KT_BUF(4096), two = KT_BUF(4096);
	static const struct kt_str sign = {"24/01/02", 8};

	base_pattern(b, KT_S("move failed after (?<n>\\d+) tries"));
	base_pattern(b, KT_S("^\\d\\d/"));
	base_pattern(b, KT_S("absent as can be"));
	struct kt_filter *f = kt_filter_new(kt_kbb_kb(b), &sign, 1);
	struct kt_matcher *m[2];
	for (int i = 0; i < 2; i++) {
		m[i] = kt_matcher_new(kt_kbb_kb(b), NULL);
		kt_matcher_share(m[i], f);
		kt_match_feed(m[i], text, 0, base_note_hit, i ? &two : &one);
	}
	cr_assert_str_eq(kt_buf_c(&one), "0@21-46 n=3\n1@0-3\n");
	cr_assert_str_eq(kt_buf_c(&two), kt_buf_c(&one));
	kt_matcher_free(m[0]);
	kt_buf_clear(&two);
	kt_match_feed(m[1], text, 0, base_note_hit, &two);
	cr_assert_str_eq(kt_buf_c(&two), kt_buf_c(&one),
			 "a filter lives longer than a matcher that shares it");
	kt_matcher_free(m[1]);
	kt_filter_free(f);
	kt_buf_free(&one);
	kt_buf_free(&two);
	kt_kbb_free(b);
}

/* The filter that is shared decides what is run. */
Test(share, the_shared_filter_is_the_one_that_is_used)
{
	struct kt_kbb *b = kt_kbb_new(), *other = kt_kbb_new();

	base_pattern(b, KT_S("move failed"));
	kt_kbb_literals(other, kt_kbb_pattern(other, KT_S("move failed")), &KT_S("something else"), 1, false);
	struct kt_filter *f = kt_filter_new(kt_kbb_kb(other), NULL, 0);
	struct kt_matcher *m = kt_matcher_new(kt_kbb_kb(b), NULL);
	kt_matcher_share(m, f);
	kt_match_feed(m, text, 0, NULL, NULL);
	cr_assert(kt_matcher_stats(m).runs == 0);
	kt_matcher_free(m);
	kt_filter_free(f);
	kt_kbb_free(b);
	kt_kbb_free(other);
}

Test(share, numbers_of_a_pattern)
{
	struct kt_kbb *b = kt_kbb_new();

	base_pattern(b, KT_S("move failed after \\d+ tries"));
	base_pattern(b, KT_S("move failed with"));
	base_pattern(b, KT_S("tries: (?<n>\\d)"));
	struct kt_matcher *m = kt_matcher_new(kt_kbb_kb(b), NULL);
	for (int i = 0; i < 3; i++)
		kt_match_feed(m, text, 0, NULL, NULL);
	kt_match_feed(m, KT_S("move failed after some tries: 1, tries: 2"), 0, NULL, NULL);
	struct kt_pattern_stats first = kt_matcher_pattern_stats(m, 0),
				second = kt_matcher_pattern_stats(m, 1),
				third = kt_matcher_pattern_stats(m, 2);
	cr_assert(first.candidates == 4 && first.runs == 4 && first.hits == 3 && first.limits == 0);
	cr_assert(second.candidates == 0 && second.runs == 0);
	cr_assert(third.candidates == 1 && third.hits == 2 && third.runs >= 2);
	cr_assert(first.ns == 0, "time is measured only when asked for");
	kt_matcher_trace(m, true);
	for (int i = 0; i < 100; i++)
		kt_match_feed(m, text, 0, NULL, NULL);
	cr_assert(kt_matcher_pattern_stats(m, 0).ns > 0 && kt_matcher_pattern_stats(m, 1).ns == 0);
	kt_matcher_free(m);
	kt_kbb_free(b);
}

Test(share, limits_of_another_matcher_count)
{
	struct kt_kbb *b = kt_kbb_new();

	base_pattern(b, KT_S("first"));
	base_pattern(b, KT_S("second"));
	struct kt_matcher *m = kt_matcher_new(kt_kbb_kb(b), NULL);
	kt_matcher_add_limits(m, 1, 5);
	kt_matcher_add_limits(m, 1, 2);
	cr_assert(kt_matcher_limits(m, 0) == 0 && kt_matcher_limits(m, 1) == 7);
	cr_assert(kt_matcher_stats(m).limits == 7 && kt_matcher_pattern_stats(m, 1).limits == 7);
	kt_matcher_free(m);
	kt_kbb_free(b);
}
