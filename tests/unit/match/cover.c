/* A cover that is wrong loses hits and tells nobody: wherever a grown pattern
 * matches, one of its literals must stand in the text. */
#include <criterion/criterion.h>

#include "grow.h"
#include "match/literal.h"
#include "match/pcre.h"

#include <string.h>

static bool stands(const struct kt_literals *lits, struct kt_str text)
{
	for (uint32_t i = 0; i < lits->n; i++) {
		struct kt_str s = kt_literal(lits, i);
		if ((lits->fold ? kt_str_ifind(text, s, 0) : kt_str_find(text, s, 0)) != KT_NPOS)
			return true;
	}
	return false;
}

static void check_form(const struct kt_literals *lits, const char *regex)
{
	for (uint32_t i = 0; i < lits->n; i++) {
		struct kt_str s = kt_literal(lits, i);
		cr_expect(s.len > 0 && s.len >= lits->shortest, "%s", regex);
		cr_expect(kt_str_chr(s, '\n', 0) == KT_NPOS, "%s: a line end", regex);
	}
}

struct counts {
	unsigned patterns, covered, hits;
};

static void check_text(const struct kt_literals *lits, const pcre2_code *re, const char *regex,
		       struct kt_str text, struct counts *n)
{
	pcre2_match_data *data = pcre2_match_data_create(1, NULL);
	pcre2_match_context *limits = pcre2_match_context_create(NULL);

	pcre2_set_match_limit(limits, 100000);
	if (pcre2_match(re, (PCRE2_SPTR)(text.p ? text.p : ""), text.len, 0, 0, data, limits) >= 0) {
		n->hits++;
		cr_expect(stands(lits, text), "%s\nmatches without one of its literals:\n" KT_FMT, regex,
			  KT_ARG(text));
	}
	pcre2_match_context_free(limits);
	pcre2_match_data_free(data);
}

static void check_pattern(struct grow *g, struct counts *n)
{
	struct kt_buf regex = KT_BUF(1 << 16), sample = KT_BUF(1 << 16), text = KT_BUF(1 << 17);
	struct kt_literals lits;
	size_t at;
	int code;

	grow_pattern(g, &regex, &sample);
	pcre2_code *re = kt_pcre_compile(kt_buf_view(&regex), &code, &at);
	n->patterns++;
	if (re && kt_literals_of(kt_buf_view(&regex), &lits)) {
		n->covered++;
		check_form(&lits, kt_buf_c(&regex));
		check_text(&lits, re, kt_buf_c(&regex), kt_buf_view(&sample), n);
		for (unsigned i = 0; i < 4; i++) {
			grow_noise(g, &text, grow_below(g, 200));
			kt_buf_add(&text, kt_str_sub(kt_buf_view(&sample), 0,
						     grow_below(g, (uint32_t)sample.len + 1)));
			grow_noise(g, &text, grow_below(g, 30));
			check_text(&lits, re, kt_buf_c(&regex), kt_buf_view(&text), n);
		}
	}
	pcre2_code_free(re);
	kt_buf_free(&regex);
	kt_buf_free(&sample);
	kt_buf_free(&text);
}

Test(cover, of_grown_patterns)
{
	struct counts n = {0};

	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct grow g = {.state = seed * 104729};
		for (unsigned i = 0; i < 50; i++)
			check_pattern(&g, &n);
	}
	/* the test is worth something only if most have literals, and match */
	cr_assert(n.covered * 10 > n.patterns * 6, "%u of %u", n.covered, n.patterns);
	cr_assert(n.hits > 2 * n.covered, "%u of %u", n.hits, n.covered);
}
