/* The measured frequencies: their order, and the windows chosen by them. */
#include <criterion/criterion.h>

#include "match/grams.h"

static uint32_t cost(const char *piece)
{
	return kt_gram_window(kt_str_c(piece)).hits / 16;
}

Test(grams, what_every_line_holds_is_dear)
{
	cr_expect(cost("info") >= 1024);
	cr_expect(cost("park") >= 1024);
	cr_expect(cost("task") > cost("kust"));
	cr_expect(cost("kust") > cost("qzxj"));
	cr_expect(cost("qzxj") < 8);
}

Test(grams, case_is_folded)
{
	cr_expect(cost("INFO") == cost("info"));
	cr_expect(cost("Task") == cost("tASK"));
}

Test(grams, a_window_is_of_the_longest_kind)
{
	static const struct {
		const char *literal;
		uint32_t len;
	} cases[] = {{"No blob found here", 11},
		     {"0123456789a", 11},
		     {"0123456789", 7},
		     {"1234567", 7},
		     {"123456", 4},
		     {"1234", 4},
		     {"123", 3},
		     {"1", 1},
		     {"", 0}};

	for (size_t i = 0; i < KT_LEN(cases); i++) {
		struct kt_str s = kt_str_c(cases[i].literal);
		struct kt_window w = kt_gram_window(s);
		cr_expect(w.len == cases[i].len && w.at + w.len <= s.len, "%s: %u", s.p, w.len);
	}
}

/* Away from "INFO TaskSetManager", which stands in every other line. */
Test(grams, a_window_is_the_rarest)
{
	struct kt_str s = KT_S(" INFO TaskSetManager: quizzical zebra");
	struct kt_window w = kt_gram_window(s);

	cr_expect(w.at >= 17, "%u", w.at);
	cr_expect(w.hits < kt_gram_window(kt_str_sub(s, 0, 20)).hits / 100);
}

Test(grams, rare_words_are_cheaper_than_common_ones_of_any_length)
{
	cr_expect(kt_gram_window(KT_S("zyzzyvas")).hits <
		  kt_gram_window(KT_S("Finished task in stage")).hits);
	cr_expect(kt_gram_window(KT_S("abc")).hits > kt_gram_window(KT_S("zyzzyvas")).hits);
}
