#include <criterion/criterion.h>

#include "base/buf.h"
#include "match/literal.h"

/* The cover as "a|b", "(i)" in front when folded; "-" for none. */
static void cover(const char *regex, struct kt_buf *out)
{
	struct kt_literals lits;

	if (!kt_literals_of(kt_str_c(regex), &lits)) {
		kt_buf_str(out, "-");
		return;
	}
	kt_buf_str(out, lits.fold ? "(i)" : "");
	for (uint32_t i = 0; i < lits.n; i++) {
		kt_buf_str(out, i ? "|" : "");
		kt_buf_add(out, kt_literal(&lits, i));
	}
}

Test(literal, covers)
{
	static const struct {
		const char *regex, *cover;
	} cases[] = {
		{"None\\.get", "None.get"},
		{"Failed to (move|merge) extents", "Failed to move extents|Failed to merge extents"},
		{"abc(def)?ghi", "abcdefghi|abcghi"},
		{"ab.*longer text\\d+x", "longer text"},
		{"(?<a>one-way|two-way)", "one-way|two-way"},
		{"colou?r scheme", "colour scheme|color scheme"},
		{"[Ss]parkling", "parkling"},
		{"[XYZ]parkle", "Xparkle|Yparkle|Zparkle"},
		{"(?i)Connection Reset", "(i)connection reset"},
		{"begin(?i:CASE)end", "(i)begincaseend"},
		{"foo(bar)+baz", "foobar"},
		{"x(?:abc){2}y", "xabcabcy"},
		{"a{3,}bcde", "aaabcde"},
		{"^FAILURE$", "FAILURE"},
		{"\\bwording\\b", "wording"},
		{"Exception(?!Handler)", "Exception"},
		{"(?<![\\d.])401(?=.*kusto-unavailable)", "kusto-unavailable"},
		{"\\d+(?<=zebra crossing \\d)", "zebra crossing "},
		{"before(?=after)after", "beforeafter"},
		{"(?=not needed)?xylophone", "xylophone"},
		{"(?>OOM)Killed", "OOMKilled"},
		{"(?<q>`?)\\k<q> given input", " given input"},
		{"Zeit{ung}", "Zeit{ung}"},
		{"Zeit{, ung}", "Zeit{, ung}"},
		{"[[:alpha:]]+tailfins", "tailfins"},
		{"[]x]endless", "endless"},
		{"(one.*|two)three", "three"},
		{"(one.*|two)threesome", "threesome"},
		{"fooo{0}", "foo"},
		{"begin.*(middle|).*x", "begin"},
		/* no text holds a line end: of its neighbours the rarer one */
		{"finished task\nzyzzyva quux", "zyzzyva quux"},
		{"zyzzyva quux\\r?\\nfinished task", "zyzzyva quux"},
		{"[\\n,]endless", "endless"},
		/* what is common is left out, as long as the rest is long enough */
		{"INFO TaskSetManager: (quick|lazy|tired|brave|loud) zyzzyva quux", " zyzzyva quux"},
		/* of rare ones what says much more */
		{"zyzzyva quux: (quick foxes|lazy dogs)",
		 "zyzzyva quux: quick foxes|zyzzyva quux: lazy dogs"},
		/* short alone: classes are spelt out, but no more than that */
		{"DSTS\\d{2,}xyz", "DSTS"},
		{"AADSTS\\d+",
		 "AADSTS0|AADSTS1|AADSTS2|AADSTS3|AADSTS4|AADSTS5|AADSTS6|AADSTS7|AADSTS8|AADSTS9"},
		{"ABCDEF[\\dx-z]\\d+", "ABCDEF0|ABCDEF1|ABCDEF2|ABCDEF3|ABCDEF4|ABCDEF5|ABCDEF6|ABCDEF7|"
				       "ABCDEF8|ABCDEF9|ABCDEFx|ABCDEFy|ABCDEFz"},
		/* codes */
		{"\\x41BC\\tDEFG", "ABC\tDEFG"},
		{"\\x{41}bc\\o{101}\\101x", "AbcA"},
		{"\\x4:\\0a\\012bcdefgh", "bcdefgh"},
		{"\\0611bcdefg", "11bcdefg"},
		{"[\\b]bcdefgh", "\bbcdefgh"},
		{"[\\cI][\\e][\\x2d]bcdefgh", "\t\033-bcdefgh"},
		{"\\cAbcdefg\\e", "\001bcdefg\033"},
		{"[a\\x41]foofighter", "Afoofighter|afoofighter"},
		/* what stands for nothing */
		{"\\Qa.b*(c)\\E+ tail", "a.b*(c)"},
		{"abc\\E def\\Q\\E{2}ghi", "abc deffghi"},
		{"(?#c)(?#d)foofight(?#e){2}ers", "foofightters"},
		{"(?x) f o o # comment )\n fighter [ ]s", "foofighter s"},
		{"(?x: a b )c d", "abc d"},
		{"(?xi)Foo Fighter", "(i)foofighter"},
		/* groups of the past are no fixed text */
		{"(a|b)\\1\\g{-1}\\g1(?1)(?R)?endless", "endless"},
		{"(a)?(?(1)foofighter|zyzzyvas)endless", "endless"},
		{"(?(?=a)foofighter)(?(DEFINE)(zyzzyvas))endless", "endless"},
		{"\\p{L}\\pN\\P{^Lu}\\X\\Rendless", "endless"},
	};

	for (size_t i = 0; i < KT_LEN(cases); i++) {
		struct kt_buf got = KT_BUF(4096);
		cover(cases[i].regex, &got);
		cr_expect_str_eq(kt_buf_c(&got), cases[i].cover, "%s: %s", cases[i].regex, kt_buf_c(&got));
		kt_buf_free(&got);
	}
}

/* No literal is in every match, or the reader is not sure: then there is none. */
Test(literal, no_cover)
{
	static const char *const cases[] = {
		"",
		"\\d+",
		"a?",
		"(foo)?",
		"foo|",
		"foo|\\d+",
		"(foo)*",
		"(foo){0}",
		"(foo){0,3}",
		"(?!secret)",
		"(?<!secret)",
		"(?!(?=secret))",
		"(?=secret)?",
		"(?=secret){0,2}",
		"\n",
		"\\n|\\012|[\\r\\n]",
		"(*ACCEPT)foo",
		"foo(*ACCEPT)bar",
		"(?xx) f [o o]",
		"foo{,3}",
		"foo{1, 3}",
		"(?C1)foo",
		"[[.a.]]foo",
		"[[:<:]]foo",
		"[\\Qa\\E]foo",
		"\\x{100}foo",
		"\\x{4g}foo",
		"\\o{}foo",
		"\\c\303foo",
		"\\C\\Lfoo",
		"(?<*foo>bar)",
		"(?^)foo",
		"(?(1)foo|bar)",
		"(?(*pla:(a)|foo)bar)",
		"(?#foo",
		"foo\\",
		"(foo",
		"foo)",
		"*foo",
		"(?#c)*foo",
		"\\Q\\E*foo",
	};

	for (size_t i = 0; i < KT_LEN(cases); i++) {
		struct kt_buf got = KT_BUF(4096);
		cover(cases[i], &got);
		cr_expect_str_eq(kt_buf_c(&got), "-", "%s: %s", cases[i], kt_buf_c(&got));
		kt_buf_free(&got);
	}
}

/* "(?i)" ends with its group and reaches over '|'. */
Test(literal, flags_keep_to_their_group)
{
	struct kt_literals lits;

	cr_assert(kt_literals_of(KT_S("(?:(?i)ab|cd)EFGHIJ"), &lits));
	cr_assert(lits.fold && lits.n == 2);
	cr_assert(kt_str_eq_c(kt_literal(&lits, 0), "abefghij"));
	cr_assert(kt_str_eq_c(kt_literal(&lits, 1), "cdefghij"));
	cr_assert(kt_literals_of(KT_S("(?i)(?-i:Ab)\\d+XyzLonger"), &lits));
	cr_assert(lits.fold && kt_str_eq_c(kt_literal(&lits, 0), "xyzlonger"));
	cr_assert(kt_literals_of(KT_S("(?:(?i)ab)\\d+XyzLonger"), &lits));
	cr_assert(!lits.fold && kt_str_eq_c(kt_literal(&lits, 0), "XyzLonger"));
	cr_assert(kt_literals_of(KT_S("(?:(?x)a b) c(?x) d e"), &lits));
	cr_assert(kt_str_eq_c(kt_literal(&lits, 0), "ab cde"));
	cr_assert(kt_literals_of(KT_S("(?i)ab(?-i)LONGER"), &lits));
	cr_assert(lits.fold && kt_str_eq_c(kt_literal(&lits, 0), "ablonger"));
}

Test(literal, long_texts_are_shortened_and_many_alternatives_bounded)
{
	struct kt_buf re = KT_BUF(8192);
	struct kt_literals lits;

	for (int i = 0; i < 100; i++)
		kt_buf_str(&re, "0123456789");
	cr_assert(kt_literals_of(kt_buf_view(&re), &lits));
	cr_assert(lits.n == 1 && lits.lit[0].len == KT_LITERAL_LEN && lits.shortest == KT_LITERAL_LEN);
	kt_buf_clear(&re);
	for (int i = 0; i < 100; i++)
		kt_buf_fmt(&re, "%sword%d", i ? "|" : "", i);
	cr_assert(!kt_literals_of(kt_buf_view(&re), &lits));
	kt_buf_free(&re);
}

Test(pattern, check_names_groups_in_order)
{
	struct kt_pattern_info info;
	size_t at;

	cr_assert(kt_pattern_check(KT_S("(?<zeta>a)(b)(?<alpha>c)|(?<zeta>d)"), &info, &at, NULL) == 0);
	cr_assert(info.n_groups == 2);
	cr_assert_str_eq(info.group[0], "zeta");
	cr_assert_str_eq(info.group[1], "alpha");
}

Test(pattern, check_says_where_it_is_wrong)
{
	struct kt_pattern_info info;
	struct kt_err err = {0};
	size_t at = 0;

	cr_assert(kt_pattern_check(KT_S("good (bad"), &info, &at, &err) == -1);
	cr_assert(err.cls == KT_ERR_RULES && at == 9);
	cr_assert(kt_str_find(kt_str_c(err.text), KT_S("parenthesis"), 0) != KT_NPOS, "%s", err.text);
}

Test(pattern, check_warns_of_nested_repeats)
{
	static const struct {
		const char *regex;
		bool nested;
	} cases[] = {{"(a+)+$", true}, {"(?:\\S+\\s*)*x", true}, {"(a*){2,}", true},   {"(a++)+", false},
		     {"(ab)+", false}, {"a+b+", false},          {"(a+){1,5}", false}, {"(?:a|b+c)*", true}};

	for (size_t i = 0; i < KT_LEN(cases); i++) {
		struct kt_pattern_info info;
		size_t at;
		cr_assert(kt_pattern_check(kt_str_c(cases[i].regex), &info, &at, NULL) == 0);
		cr_expect(info.nested_repeats == cases[i].nested, "%s", cases[i].regex);
	}
}
