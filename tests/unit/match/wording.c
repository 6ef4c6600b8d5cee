#include <criterion/criterion.h>

#include "grow.h"
#include "match/pcre.h"
#include "match/wording.h"

/* The texts as "a|b", gaps as "~", "(i)" in front when folded; "-" for none. */
static void spell(const char *regex, enum kt_wording_use use, struct kt_buf *out)
{
	struct kt_arena a = {0};
	struct kt_wording w = kt_wording_of(&a, kt_str_c(regex), use);

	kt_buf_str(out, !w.n ? "-" : w.fold ? "(i)" : "");
	for (uint32_t i = 0; i < w.n; i++) {
		kt_buf_str(out, i ? "|" : "");
		for (size_t k = 0; k < w.s[i].len; k++)
			kt_buf_char(out, w.s[i].p[k] == KT_WORDING_GAP ? '~' : w.s[i].p[k]);
	}
	kt_arena_free(&a);
}

static void check(enum kt_wording_use use, const char *regex, const char *want)
{
	struct kt_buf got = KT_BUF(1 << 16);

	spell(regex, use, &got);
	cr_expect_str_eq(kt_buf_c(&got), want, "%s: %s, not %s", regex, kt_buf_c(&got), want);
	kt_buf_free(&got);
}

Test(wording, needed)
{
	static const char *const cases[][2] = {
		{"None\\.get", "None.get"},
		{"Failed to (?:move|merge) \\d+ extents",
		 "Failed to move ~ extents|Failed to merge ~ extents"},
		{"abc(def)?ghi", "abc~ghi"},
		{"abc(?:def)+ghi", "abcdef~ghi"},
		{"(?<a>one-way|two-way) street", "one-way street|two-way street"},
		{"(?i)Connection Reset", "(i)Connection Reset"},
		{"not (?:'|\\\\u0027)here", "not ~here"},
		{"x(?:abc){2}y", "xabcabcy"},
		{"abc|", "-"},
		{"abc|\\d+", "-"},
		{"first\\nsecond", "first~second"},
		{"(?!never)always(?=then)", "always"},
		{"\\Aabc\\b.{0,9}?def$", "abc~def"},
		{"\\Qa.b\\Ecd", "a.bcd"},
		{"[^\\n]{0,30}", "-"},
		{"abc(", "-"},
		{"[Kk]usto", "~usto"},
		{"(?x) a b # c\n c", "abc"},
	};

	for (size_t i = 0; i < KT_LEN(cases); i++)
		check(KT_WORDING_NEEDED, cases[i][0], cases[i][1]);
}

Test(wording, shown)
{
	static const char *const cases[][2] = {
		{"not (?:'|\\\\u0027)here", "not 'here"},
		{"Databases? of\\s+the\\s*user", "Database of theuser"},
		{"abc|\\d+", "abc"},
		{"[Kk]usto[:=]80DA000[Bb]", "Kusto:80DA000B"},
		{"(?i)Connection Reset", "(i)Connection Reset"},
		{"status \\S{1,48} for (?:red|blue)", "status ~ for red|status ~ for blue"},
	};

	for (size_t i = 0; i < KT_LEN(cases); i++)
		check(KT_WORDING_SHOWN, cases[i][0], cases[i][1]);
}

Test(wording, too_many_are_a_gap)
{
	/* two groups of eight: 64 texts are too many, so the second is a gap */
	check(KT_WORDING_NEEDED, "begin (?:aaa|bbb|ccc|ddd|eee|fff|ggg|hhh){2} end",
	      "begin aaa~ end|begin bbb~ end|begin ccc~ end|begin ddd~ end|begin eee~ end|begin fff~ end|"
	      "begin ggg~ end|begin hhh~ end");
}

Test(wording, stands)
{
	const struct kt_str text = KT_S("Failed to\0 extents\0 later");

	cr_assert(kt_wording_stands(text, KT_S("x Failed to move 3 extents, later"), false));
	cr_assert_not(kt_wording_stands(text, KT_S("extents Failed to later"), false));
	cr_assert_not(kt_wording_stands(text, KT_S("failed TO  extents  later"), false));
	cr_assert(kt_wording_stands(text, KT_S("failed TO  extents  later"), true));
}

/* Wherever a grown pattern matches, one of its texts must stand. */
Test(wording, of_grown_patterns)
{
	unsigned worded = 0, hits = 0, patterns = 3000;
	struct grow g = {.state = 15485863};

	for (unsigned i = 0; i < patterns; i++) {
		struct kt_buf regex = KT_BUF(1 << 16), sample = KT_BUF(1 << 16);
		struct kt_arena a = {0};
		size_t at;
		int code;
		grow_pattern(&g, &regex, &sample);
		struct kt_wording w = kt_wording_of(&a, kt_buf_view(&regex), KT_WORDING_NEEDED);
		pcre2_code *re = w.n ? kt_pcre_compile(kt_buf_view(&regex), &code, &at) : NULL;
		pcre2_match_data *data = pcre2_match_data_create(1, NULL);
		worded += w.n > 0;
		if (re && pcre2_match(re, (PCRE2_SPTR)kt_buf_c(&sample), sample.len, 0, 0, data, NULL) >= 0) {
			bool stands = false;
			for (uint32_t k = 0; k < w.n && !stands; k++)
				stands = kt_wording_stands(w.s[k], kt_buf_view(&sample), w.fold);
			cr_expect(stands, "%s\nmatches without one of its texts:\n%s", kt_buf_c(&regex),
				  kt_buf_c(&sample));
			hits++;
		}
		pcre2_match_data_free(data);
		pcre2_code_free(re);
		kt_arena_free(&a);
		kt_buf_free(&regex);
		kt_buf_free(&sample);
	}
	cr_assert(worded * 2 > patterns, "%u", worded);
	cr_assert(hits * 3 > patterns, "%u", hits);
}
