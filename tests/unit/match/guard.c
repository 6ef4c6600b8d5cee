/* Guards: what they turn away, and that they never turn away a match. */
#include <criterion/criterion.h>
#include <string.h>

#include "base.h"
#include "grow.h"
#include "match/guard.h"

static bool allows(const struct kt_beside *g, struct kt_str text, struct kt_str literal)
{
	for (size_t at = kt_str_find(text, literal, 0); at != KT_NPOS;
	     at = kt_str_find(text, literal, at + 1))
		if (kt_beside_allows(g, text, at, at + literal.len))
			return true;
	return false;
}

static void check(const char *regex, const char *literal, const char *yes, const char *no)
{
	struct kt_beside g;

	cr_assert(kt_beside_of(kt_str_c(regex), kt_str_c(literal), false, &g), "%s", regex);
	cr_expect(allows(&g, kt_str_c(yes), kt_str_c(literal)), "%s: %s", regex, yes);
	cr_expect(!allows(&g, kt_str_c(no), kt_str_c(literal)), "%s: %s", regex, no);
}

Test(guard, turns_away_what_cannot_match)
{
	check("(?<ms>\\d{7,}) ms on", " ms on", "took 1234567 ms on host", "took 123456 ms on host");
	check("in (?<ms>\\d{7,}) ms on (?<h>\\S+)", " ms on ", "in 12345678 ms on w", "in 1234 ms on wn7");
	check("finished in (?<s>\\d{4,}\\.\\d+) s", "finished in ", "finished in 1234.5 s",
	      "finished in 789.5 s");
	check("# +(SIGSEGV)", "SIGSEGV", "#   SIGSEGV", "# xSIGSEGV");
	check("id: '?(?<id>[0-9a-f]{4}-(?:[0-9a-f]{2}-){3}[0-9a-f]{6})'? failed",
	      "id: ", "id: '01ab-01-23-ef-0a1b2c' failed", "id: '01ab-01-23-ef-0a1b2c' done more");
	check("id: '?(?<id>[0-9a-f]{4}-(?:[0-9a-f]{2}-){3}[0-9a-f]{6})'? failed",
	      "id: ", "id: 01ab-01-23-ef-0a1b2c failed", "id: 01ab-01-23-ef-0a1b2c\nfailed");
	check("status[=:]+ ?[^\\s]\\w*x", "status", "status: abx", "status  abx");
	check("^\\bcode \\[\\d\\d?\\]$", "code [", "code [7]", "code [x7]");
	check("[]a-c\\-]{2}literal", "literal", "]-literal", "d-literal");
}

/* The literal's neighbours are not known outside of the text. */
Test(guard, the_ends_of_the_text_are_open)
{
	struct kt_beside g;

	cr_assert(kt_beside_of(KT_S("\\d{7} ms \\d{7}"), KT_S(" ms "), false, &g));
	cr_expect(allows(&g, KT_S(" ms "), KT_S(" ms ")));
	cr_expect(allows(&g, KT_S("12 ms 34"), KT_S(" ms ")));
	cr_expect(!allows(&g, KT_S("x12 ms 34"), KT_S(" ms ")));
	cr_expect(!allows(&g, KT_S("12 ms 34x"), KT_S(" ms ")));
}

/* A file has prefixes before its lines and '\r' behind them, a record has not. */
Test(guard, ends_where_there_may_be_a_line_end)
{
	static const char *const regexes[] = {"x:\\s*\nliteral\\d", "[^x]+literal\\d", "x\\s+literal\\d",
					      "(?:x|\n)literal\\d", "a[^x]?literal\\d"};
	struct kt_beside g;

	for (size_t i = 0; i < KT_LEN(regexes); i++) {
		cr_assert(kt_beside_of(kt_str_c(regexes[i]), KT_S("literal"), false, &g));
		cr_expect(allows(&g, KT_S("x:\n2024-07-01T06:00:00Z stdout F literal7"), KT_S("literal")),
			  "%s", regexes[i]);
	}
	cr_assert(kt_beside_of(KT_S("literal[^x]+y\\s{2}z"), KT_S("literal"), false, &g));
	cr_expect(allows(&g, KT_S("literal\r\nx y  z"), KT_S("literal")));
	cr_expect(allows(&g, KT_S("literal y\r\nF z"), KT_S("literal")));
	cr_expect(!allows(&g, KT_S("literal x y  z"), KT_S("literal")));
	cr_assert(kt_beside_of(KT_S("x.y literal.?z"), KT_S("literal"), false, &g));
	cr_expect(allows(&g, KT_S("x\0\0\0\0y literal\0\0\0z"), KT_S("literal")), "NULs are counted once");
	cr_expect(allows(&g, KT_S("\0\0y literal\0\0\n"), KT_S("literal")));
	cr_expect(!allows(&g, KT_S("zzzzy literal\0\0"), KT_S("literal")));
}

/* Where several things may stand beside it. */
Test(guard, alternatives_and_what_may_be_missing)
{
	check("report \\(state: (?<st>FAILED|KILLED)\\)", "report (state: ", "report (state: KILLED)",
	      "report (state: RUNNING)");
	check("(?:Exit|exit) (?:code|status)[=:] \\d", "xit ", "exit status: 7", "exit case: 7");
	check("literal(?: of)? \\d", "literal", "literal 7", "literal x");
	check("literal(?: of)? \\d", "literal", "literal of 7", "literal of x");
	check("literal(?:ab|c|)\\d", "literal", "literal7", "literalx");
	check("\\d literal|x literal", " literal", "7 literal", "y literal");
	check("\\w+ literal\\s", " literal", "a literal\n", "- literal\n");
	check("[a-f]{2} literal[^x] more", " literal", "ab literal\nmore", "ag literal\nmore");
}

Test(guard, without_case)
{
	struct kt_beside g;

	cr_assert(kt_beside_of(KT_S("(?i)[a-c]\\d Literal [^x]y"), KT_S(" literal "), true, &g));
	cr_expect(allows(&g, KT_S("B7 literal aY"), KT_S(" literal ")));
	cr_expect(allows(&g, KT_S("b7 literal Ay"), KT_S(" literal ")));
	cr_expect(!allows(&g, KT_S("d7 literal Ay"), KT_S(" literal ")));
	cr_expect(!allows(&g, KT_S("b7 literal Xy"), KT_S(" literal ")));
	cr_expect(!kt_beside_of(KT_S("[a-c]\\d(?i: Literal )x"), KT_S(" literal "), true, &g));
}

Test(guard, chooses_a_literal)
{
	struct kt_beside g;

	cr_assert(kt_beside_of(KT_S("(?:Map|Result) (\\d+) at .+\\) finished in (\\d{4,}) s"), KT_NONE, false,
			       &g));
	cr_assert(kt_str_eq((struct kt_str){g.literal, g.len}, KT_S(") finished in ")));
	cr_expect(allows(&g, KT_S("Map 7 at f(x) finished in 1234 s"), KT_S(") finished in ")));
	cr_expect(!allows(&g, KT_S("Map 7 at f(x) finished in 123 s"), KT_S(") finished in ")));
	cr_expect(!kt_beside_of(KT_S("\\d tiny \\d"), KT_NONE, false, &g), "no room for a window");
	cr_expect(!kt_beside_of(KT_S("(\\d long enough|other) x"), KT_NONE, false, &g), "not in each match");
}

Test(guard, none_where_it_is_not_sure)
{
	static const char *const regexes[] = {
		"(?:\\d literal)?x",    "(?:\\d literal|x)", "\\d literal\\1(a)", "(?<=\\d) literal",
		"(?x)\\d literal",      "\\d literal(?=x)",  ".* literal",        ".* literal.*",
		"\\d{2000} literal",    "(?#\\d) literal",   "\\Q\\d\\E literal", "[[:digit:]] literal",
		"\\d literal(*ACCEPT)", "x* literal",        "(?:\\d literal)*",  "(?(?=x)a|b)\\d literal",
		"\\d liter[ab]l",       "(?i)\\d literal",   "(?:ab)* literal",   "\\d\\K literal",
		"(\\d (?i)literal)",    "(?i)\\d literal",   "\\R literal",       "(?|(\\d)) literal",
	};
	struct kt_beside g;

	for (size_t i = 0; i < KT_LEN(regexes); i++)
		cr_expect(!kt_beside_of(kt_str_c(regexes[i]), KT_S(" literal"), false, &g), "%s", regexes[i]);
}

/* --- no match is turned away --- */

struct sure {
	const struct kt_beside *guard;
	struct kt_str text, literal;
	unsigned hits;
};

static int on_hit(void *ctx, const struct kt_hit *hit)
{
	struct sure *s = ctx;

	for (size_t at = hit->start; at + s->literal.len <= hit->end; at++)
		if (kt_str_eq(kt_str_sub(s->text, at, s->literal.len), s->literal) &&
		    kt_beside_allows(s->guard, s->text, at, at + s->literal.len)) {
			s->hits++;
			return 0;
		}
	cr_expect(false, "a match is turned away: " KT_FMT, KT_ARG(s->text));
	return 1;
}

/* Each match of REGEX in TEXT holds its literal with its guard; how many there were. */
static unsigned keeps_matches(struct kt_str regex, struct kt_str literal, const struct kt_beside *g,
			      struct kt_str text)
{
	struct kt_match_limits l = KT_MATCH_LIMITS;
	struct sure s = {g, text, literal, 0};
	struct kt_kbb *b = kt_kbb_new();

	l.prefilter = false;
	l.max_hits = 1000;
	kt_kbb_pattern(b, regex);
	struct kt_matcher *m = kt_matcher_new(kt_kbb_kb(b), &l);
	kt_match_feed(m, text, 0, on_hit, &s);
	kt_matcher_free(m);
	kt_kbb_free(b);
	return s.hits;
}

Test(guard, patterns_grown_at_random)
{
	unsigned guarded = 0, hits = 0;

	for (uint64_t seed = 1; seed <= 12000; seed++) {
		struct grow g = {.state = seed * 104729};
		struct kt_buf regex = KT_BUF(1 << 16), sample = KT_BUF(1 << 16), text = KT_BUF(1 << 16);
		struct kt_literals lits;
		struct kt_beside guard;
		grow_pattern(&g, &regex, &sample);
		grow_noise(&g, &text, grow_below(&g, 60));
		kt_buf_add(&text, kt_buf_view(&sample));
		grow_noise(&g, &text, grow_below(&g, 60));
		if (kt_literals_of(kt_buf_view(&regex), &lits) && lits.n == 1 && !lits.fold &&
		    kt_beside_of(kt_buf_view(&regex), kt_literal(&lits, 0), lits.fold, &guard)) {
			guarded++;
			hits += keeps_matches(kt_buf_view(&regex), kt_literal(&lits, 0), &guard,
					      kt_buf_view(&text));
		}
		kt_buf_free(&regex);
		kt_buf_free(&sample);
		kt_buf_free(&text);
	}
	cr_assert(guarded > 150 && hits > 150, "%u guards, %u hits", guarded, hits);
}

/* --- rows of classes and repeats: what guards are made of --- */

static const char *const atoms[] = {"\\d",      "\\w",   "[ab]", "[^\\n]", ".",   "a",      "b", "\\.",
				    "[0-9a-f]", "[^ab]", "\\S",  "\\s",    "\\b", "[a\\d]", "-", "[]x]"};
static const char *const repeats[] = {"",    "",    "",      "",     "?",  "*",     "+",
				      "{2}", "{0}", "{1,3}", "{2,}", "+?", "{0,2}+"};

static void random_items(struct grow *g, struct kt_buf *regex, unsigned depth)
{
	for (uint32_t n = grow_below(g, 5); n--;) {
		bool group = depth < 2 && grow_below(g, 5) == 0;
		if (group) {
			kt_buf_str(regex, grow_below(g, 2) ? "(?:" : "(");
			random_items(g, regex, depth + 1);
			if (grow_below(g, 5) == 0) {
				kt_buf_str(regex, "|");
				random_items(g, regex, depth + 1);
			}
			kt_buf_str(regex, ")");
		} else {
			kt_buf_str(regex, atoms[grow_below(g, KT_LEN(atoms))]);
		}
		kt_buf_str(regex, repeats[grow_below(g, KT_LEN(repeats))]);
	}
}

/* Texts of the few bytes that the atoms differ in, so that some match and some nearly. */
static void random_around(struct grow *g, struct kt_buf *text)
{
	for (uint32_t n = grow_below(g, 9); n--;)
		kt_buf_char(text, "ab01.-x ]f\n"[grow_below(g, grow_below(g, 3) ? 6 : 11)]);
}

Test(guard, rows_made_at_random)
{
	unsigned guarded = 0, hits = 0, turned_away = 0;

	for (uint64_t seed = 1; seed <= 4000; seed++) {
		struct grow g = {.state = seed * 15485863};
		struct kt_buf regex = KT_BUF(1 << 16), text = KT_BUF(1 << 16);
		struct kt_pattern_info info;
		struct kt_beside guard;
		size_t at;
		random_items(&g, &regex, 0);
		kt_buf_str(&regex, "LIT");
		random_items(&g, &regex, 0);
		for (unsigned i = 0; i < 40; i++) {
			random_around(&g, &text);
			kt_buf_str(&text, "LIT");
		}
		random_around(&g, &text);
		if (kt_pattern_check(kt_buf_view(&regex), &info, &at, NULL) == 0 &&
		    kt_beside_of(kt_buf_view(&regex), KT_S("LIT"), false, &guard)) {
			guarded++;
			hits += keeps_matches(kt_buf_view(&regex), KT_S("LIT"), &guard, kt_buf_view(&text));
			for (at = 0; (at = kt_str_find(kt_buf_view(&text), KT_S("LIT"), at)) != KT_NPOS; at++)
				turned_away += !kt_beside_allows(&guard, kt_buf_view(&text), at, at + 3);
		}
		kt_buf_free(&regex);
		kt_buf_free(&text);
	}
	cr_assert(guarded > 1000 && hits > 600 && turned_away > 5000, "%u guards, %u hits, %u turned away",
		  guarded, hits, turned_away);
}
