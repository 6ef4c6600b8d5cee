/* Any bytes as patterns (lines up to an empty one) and a text: the filter finds what a
 * trivial search finds, on every path and in blocks of any size; it changes no hit, no
 * guard turns one away, and no pattern gets past its limits. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "core/build.h"
#include "match/filter.h"
#include "match/guard.h"
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
		kt_match_feed(m, text, 0, note, out);
	uint64_t limits = kt_matcher_stats(m).limits;
	kt_matcher_free(m);
	return limits;
}

/* --- the filter alone --- */

static bool stands(const struct kt_kb *kb, const struct kt_pattern *p, struct kt_str text, size_t at)
{
	for (uint32_t i = 0; i < p->literals.n; i++) {
		struct kt_str l = kt_kb_text(kb, kb->strings[p->literals.at + i]);
		struct kt_str there = kt_str_sub(text, at, l.len);
		if (p->fold ? kt_str_ieq(there, l) : kt_str_eq(there, l))
			return true;
	}
	return false;
}

static void expect(bool ok, const char *what, size_t at)
{
	if (ok)
		return;
	fprintf(stderr, "the filter: %s at %zu\n", what, at);
	abort();
}

/* What was found between FROM and TO, against every place and row. */
static void compare(const struct kt_kb *kb, const struct kt_rowset *always, struct kt_str text, size_t from,
		    size_t to, const struct kt_candidates *c)
{
	size_t n = 0;

	for (size_t at = from; at < to; at++)
		for (uint32_t row = 0; row < kb->n_patterns; row++) {
			if (kt_rowset_has(always, row) || !stands(kb, &kb->patterns[row], text, at))
				continue;
			expect(n < c->n && c->list[n].at == at && c->list[n].row == row, "a place is lost",
			       at);
			n++;
		}
	expect(n == c->n, "a place too many", n < c->n ? c->list[n].at : 0);
}

static void check_filter(const struct kt_kb *kb, struct kt_str text, size_t block)
{
	static const enum kt_filter_path paths[] = {KT_FILTER_PORTABLE, KT_FILTER_AVX2};
	struct kt_filter *f = kt_filter_new_plain(kb, NULL, 0);
	struct kt_candidates c = {0};

	for (size_t i = 0; i < KT_LEN(paths); i++) {
		if (!kt_filter_take_path(f, paths[i]))
			continue;
		for (size_t at = 0; at < text.len; at += block) {
			size_t to = text.len - at < block ? text.len : at + block;
			kt_filter_find(f, text, at, to, &c);
			compare(kb, kt_filter_always(f), text, at, to, &c);
		}
	}
	kt_candidates_free(&c);
	kt_filter_free(f);
}

/* --- guards --- */

#define PATTERNS 20

struct guarded {
	const struct kt_kb *kb;
	struct kt_str text;
	struct kt_beside guard[PATTERNS];
	bool has[PATTERNS];
};

static void make_guard(struct guarded *g, uint32_t row)
{
	const struct kt_pattern *p = &g->kb->patterns[row];
	struct kt_str literal = KT_NONE;

	if (p->literals.n == 1)
		literal = kt_kb_text(g->kb, g->kb->strings[p->literals.at]);
	g->has[row] = kt_beside_of(kt_kb_text(g->kb, p->text), literal, p->fold, &g->guard[row]);
}

static bool is_there(struct kt_str text, size_t at, const struct kt_beside *g, bool fold)
{
	struct kt_str literal = {g->literal, g->len}, there = kt_str_sub(text, at, g->len);

	return (fold ? kt_str_ieq(there, literal) : kt_str_eq(there, literal)) &&
	       kt_beside_allows(g, text, at, at + g->len);
}

static int in_guard(void *ctx, const struct kt_hit *hit)
{
	struct guarded *g = ctx;

	for (size_t at = hit->start; at < hit->end && g->has[hit->pattern]; at++)
		if (is_there(g->text, at, &g->guard[hit->pattern], g->kb->patterns[hit->pattern].fold))
			return 0;
	expect(!g->has[hit->pattern], "a guard turns a match away", hit->start);
	return 0;
}

static void check_guards(const struct kt_kb *kb, struct kt_str text)
{
	static struct guarded g;
	struct kt_match_limits l = KT_MATCH_LIMITS;

	g.kb = kb;
	g.text = text;
	for (uint32_t row = 0; row < kb->n_patterns; row++)
		make_guard(&g, row);
	l.prefilter = false;
	l.steps_retry = l.steps;
	struct kt_matcher *m = kt_matcher_new(kb, &l);
	kt_match_feed(m, text, 0, in_guard, &g);
	kt_matcher_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kt_str text = {(const char *)data, size}, line;
	struct kt_buf with = KT_BUF(1 << 20), without = KT_BUF(1 << 20);
	struct kt_kbb *b = kt_kbb_new();

	for (unsigned i = 0; i < PATTERNS && kt_str_cut(&text, '\n', &line) && line.len; i++)
		if (line.len < 500)
			add_pattern(b, line);
	const struct kt_kb *kb = kt_kbb_kb(b);
	check_filter(kb, text, text.len < 4096 ? 4096 : text.len);
	check_filter(kb, text, size % 61 + 1 + text.len / 64);
	check_guards(kb, text);
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
