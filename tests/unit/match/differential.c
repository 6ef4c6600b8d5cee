/* With and without the filter: the same hits. A wrong literal or a filter that
 * loses a place shows here. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "base.h"
#include "base/file.h"
#include "grow.h"
#include "match/filter.h"

/* No limit by time: what is slow on a busy machine must not look different. */
static struct kt_match_limits limits(bool prefilter)
{
	struct kt_match_limits l = KT_MATCH_LIMITS;

	l.prefilter = prefilter;
	l.budget_ms = 1000000;
	return l;
}

/* Feeds TEXT to two matchers and compares; returns the number of hits. */
static uint64_t compare(struct kt_matcher *with, struct kt_matcher *without, struct kt_str text)
{
	struct kt_buf a = KT_BUF(1 << 24), b = KT_BUF(1 << 24);
	uint64_t before = kt_matcher_stats(without).hits;

	kt_match_feed(with, text, 0, base_note_hit, &a);
	kt_match_feed(without, text, 0, base_note_hit, &b);
	cr_expect_str_eq(kt_buf_c(&a), kt_buf_c(&b), "on: " KT_FMT, KT_ARG(text));
	kt_buf_free(&a);
	kt_buf_free(&b);
	return kt_matcher_stats(without).hits - before;
}

Test(differential, grown_patterns)
{
	uint64_t hits = 0, samples_hit = 0, samples = 0, covered = 0;
	struct kt_match_limits on = limits(true), off = limits(false);

	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct grow g = {.state = seed * 7919};
		struct kt_kbb *base = kt_kbb_new();
		struct kt_buf sample[40];
		for (unsigned i = 0; i < 40; i++) {
			struct kt_buf regex = KT_BUF(1 << 16);
			struct kt_pattern_info info;
			struct kt_literals lits;
			size_t at;
			sample[i] = KT_BUF(1 << 16);
			grow_pattern(&g, &regex, &sample[i]);
			struct kt_err err = {0};
			cr_assert(kt_pattern_check(kt_buf_view(&regex), &info, &at, &err) == 0, "%s: %s",
				  kt_buf_c(&regex), err.text);
			covered += kt_literals_of(kt_buf_view(&regex), &lits);
			base_pattern(base, kt_buf_view(&regex));
			kt_buf_free(&regex);
		}
		struct kt_matcher *with = kt_matcher_new(kt_kbb_kb(base), &on);
		struct kt_matcher *without = kt_matcher_new(kt_kbb_kb(base), &off);
		for (unsigned i = 0; i < 40; i++) {
			struct kt_buf text = KT_BUF(1 << 16);
			grow_noise(&g, &text, grow_below(&g, 200));
			kt_buf_add(&text, kt_buf_view(&sample[i]));
			grow_noise(&g, &text, grow_below(&g, 60));
			hits += compare(with, without, kt_buf_view(&text));
			samples_hit += compare(with, without, kt_buf_view(&sample[i])) > 0;
			samples++;
			kt_buf_free(&text);
			kt_buf_free(&sample[i]);
		}
		kt_matcher_free(with);
		kt_matcher_free(without);
		kt_kbb_free(base);
	}
	/* the test is worth something only if patterns match and most have literals */
	cr_assert(hits > 5000, "%llu", (unsigned long long)hits);
	cr_assert(samples_hit * 10 > samples * 8);
	cr_assert(covered * 10 > samples * 6, "%llu", (unsigned long long)covered);
}

/* --- the patterns and samples of the reference data, where it is --- */

static bool load(const char *name, struct kt_buf *out)
{
	const char *shared = getenv("KTRIAGE_SHARED");
	struct kt_buf path = KT_BUF(4096);

	kt_buf_fmt(&path, "%s/tools/bench/%s", shared ? shared : "../shared", name);
	bool ok = kt_file_read(kt_buf_c(&path), out, NULL) == 0;
	kt_buf_free(&path);
	return ok;
}

/* "\n" of a sample, and numbers for its placeholders. */
static void fill_in(struct kt_str sample, struct kt_buf *out)
{
	for (size_t i = 0; i < sample.len; i++) {
		struct kt_str rest = kt_str_from(sample, i);
		size_t close = kt_str_chr(rest, '}', 0);
		if (kt_str_starts(rest, KT_S("\\n"))) {
			kt_buf_char(out, '\n');
			i++;
		} else if (kt_str_starts(rest, KT_S("\\t"))) {
			kt_buf_char(out, '\t');
			i++;
		} else if (kt_str_starts(rest, KT_S("{uuid}"))) {
			kt_buf_str(out, "4b3a44cb-efb6-53f4-6856-88a89c053dea");
			i += 5;
		} else if (rest.p[0] == '{' && close != KT_NPOS && close <= 5) {
			kt_buf_str(out, close == 2 ? "1234567" : "name");
			i += close;
		} else {
			kt_buf_char(out, rest.p[0]);
		}
	}
}

static void add_rules(struct kt_kbb *base, struct kt_str text)
{
	struct kt_str line, id, flags;

	while (kt_str_cut(&text, '\n', &line)) {
		struct kt_buf regex = KT_BUF(4096);
		if (!kt_str_cut(&line, '\t', &id) || !kt_str_cut(&line, '\t', &flags))
			continue;
		kt_buf_str(&regex, kt_str_chr(flags, 'i', 0) != KT_NPOS ? "(?i)" : "");
		kt_buf_add(&regex, line);
		base_pattern(base, kt_buf_view(&regex));
		kt_buf_free(&regex);
	}
}

static void check_rules(const char *rules, const char *samples, uint64_t at_least)
{
	struct kt_buf r = KT_BUF(1 << 20), s = KT_BUF(1 << 20);
	struct kt_match_limits on = limits(true), off = limits(false);
	struct kt_kbb *base = kt_kbb_new();
	struct kt_str rest, line, id;
	uint64_t hits = 0;

	if (!load(rules, &r) || !load(samples, &s))
		cr_skip("no reference data at KTRIAGE_SHARED");
	add_rules(base, kt_buf_view(&r));
	struct kt_matcher *with = kt_matcher_new(kt_kbb_kb(base), &on);
	struct kt_filter *guarded = kt_filter_new(kt_kbb_kb(base), NULL, 0);
	kt_matcher_share(with, guarded);
	struct kt_matcher *without = kt_matcher_new(kt_kbb_kb(base), &off);
	for (rest = kt_buf_view(&s); kt_str_cut(&rest, '\n', &line);) {
		struct kt_buf text = KT_BUF(1 << 16);
		if (!kt_str_cut(&line, '\t', &id) || !line.p)
			continue;
		kt_buf_str(&text, "24/01/02 10:00:00 ERROR Some: ");
		fill_in(line, &text);
		hits += compare(with, without, kt_buf_view(&text)) > 0;
		kt_buf_free(&text);
	}
	cr_assert(hits >= at_least, "%llu samples hit", (unsigned long long)hits);
	cr_assert(kt_matcher_stats(with).runs * 10 < kt_matcher_stats(without).runs);
	kt_matcher_free(with);
	kt_filter_free(guarded);
	kt_matcher_free(without);
	kt_kbb_free(base);
	kt_buf_free(&r);
	kt_buf_free(&s);
}

Test(differential, reference_rules_150)
{
	check_rules("rules_150.tsv", "samples_150.tsv", 150);
}

Test(differential, reference_rules_2000)
{
	check_rules("rules_2000.tsv", "samples_2000.tsv", 1800);
}
