#include "match/matcher.h"

#include <string.h>

#include "base/alloc.h"
#include "match/one_pattern.h"

#include "base/banned.h"

static struct kt_rowset new_set(uint32_t n)
{
	return (struct kt_rowset){kt_alloc_n((size_t)n / 64 + 1, sizeof(uint64_t)), n};
}

struct kt_matcher *kt_matcher_new(const struct kt_kb *kb, const struct kt_match_limits *limits)
{
	struct kt_match_limits usual = KT_MATCH_LIMITS;
	struct kt_matcher *m = kt_alloc(sizeof *m);

	m->kb = kb;
	if (limits)
		usual = *limits;
	if (usual.overlap >= usual.window)
		usual.overlap = usual.window / 2;
	kt_engine_init(&m->engine, &usual, &m->stats);
	m->compiled = kt_alloc_n(kb->n_patterns, sizeof *m->compiled);
	for (uint32_t i = 0; i < kb->n_learns; i++)
		if (kb->learns[i].pattern != KT_NIL)
			m->compiled[kb->learns[i].pattern].many = true;
	m->candidates = new_set(kb->n_patterns);
	return m;
}

void kt_matcher_free(struct kt_matcher *take_m)
{
	if (!take_m)
		return;
	for (uint32_t i = 0; i < take_m->kb->n_patterns; i++)
		kt_compiled_free(&take_m->compiled[i]);
	kt_free(take_m->compiled);
	kt_filter_free(take_m->own_filter);
	kt_free(take_m->candidates.bits);
	kt_candidates_free(&take_m->places);
	kt_free(take_m->caps);
	kt_engine_free(&take_m->engine);
	kt_free(take_m);
}

void kt_matcher_share(struct kt_matcher *m, const struct kt_filter *filter)
{
	m->filter = filter;
}

void kt_matcher_on_limit(struct kt_matcher *m, kt_limit_fn fn, void *ctx)
{
	m->on_limit = fn;
	m->limit_ctx = ctx;
}

uint64_t kt_matcher_limits(const struct kt_matcher *m, uint32_t pattern)
{
	return m->compiled[pattern].stats.limits;
}

void kt_matcher_add_limits(struct kt_matcher *m, uint32_t pattern, uint64_t n)
{
	m->compiled[pattern].stats.limits += n;
	m->stats.limits += n;
}

void kt_matcher_restart(struct kt_matcher *m)
{
	for (uint32_t i = 0; i < m->kb->n_patterns; i++) {
		m->compiled[i].off = false;
		m->compiled[i].over_us = 0;
	}
}

struct kt_match_stats kt_matcher_stats(const struct kt_matcher *m)
{
	return m->stats;
}

struct kt_pattern_stats kt_matcher_pattern_stats(const struct kt_matcher *m, uint32_t pattern)
{
	return m->compiled[pattern].stats;
}

void kt_matcher_trace(struct kt_matcher *m, bool on)
{
	m->engine.trace = on;
}

const char *kt_inconclusive_word(enum kt_inconclusive why)
{
	static const char *const words[] = {
#define X(id, word) word,
		KT_INCONCLUSIVES(X)
#undef X
	};

	return words[why];
}

static void use_filter(struct kt_matcher *m)
{
	if (!m->filter)
		m->filter = m->own_filter = kt_filter_new_plain(m->kb, NULL, 0);
}

/* The patterns that TEXT is to be judged by. */
static void choose(struct kt_matcher *m, struct kt_str text)
{
	struct kt_rowset *rows = &m->candidates;
	size_t words = (size_t)rows->n / 64 + 1;

	if (!m->engine.limits.prefilter) {
		for (uint32_t row = 0; row < rows->n; row++)
			kt_rowset_add(rows, row);
		return;
	}
	use_filter(m);
	memcpy(rows->bits, kt_filter_always(m->filter)->bits, words * sizeof(uint64_t));
	if (text.len <= m->engine.limits.window) {
		kt_filter_scan(m->filter, text, rows);
		return;
	}
	kt_filter_find(m->filter, text, 0, text.len, &m->places);
	for (size_t i = 0; i < m->places.n; i++)
		if (m->places.list[i].row < rows->n)
			kt_rowset_add(rows, m->places.list[i].row);
}

static int judge(struct kt_matcher *m, struct kt_str text, uint64_t base, kt_hit_fn fn, void *ctx)
{
	size_t words = (size_t)m->kb->n_patterns / 64 + 1;
	bool by_place = m->engine.limits.prefilter && text.len > m->engine.limits.window;
	int rc = 0;

	choose(m, text);
	for (size_t w = 0; w < words && !rc; w++)
		for (uint64_t bits = m->candidates.bits[w]; bits && !rc; bits &= bits - 1) {
			uint32_t row = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(bits);
			struct kt_match_job j = {
				.m = m,
				.c = &m->compiled[row],
				.row = row,
				.text = text,
				.base = base,
				.fn = fn,
				.ctx = ctx,
				.by_place = by_place && !kt_rowset_has(kt_filter_always(m->filter), row)};
			rc = kt_match_one(&j);
		}
	return rc;
}

int kt_match_feed(struct kt_matcher *m, struct kt_str text, uint64_t base, kt_hit_fn fn, void *ctx)
{
	m->stats.feeds++;
	m->stats.bytes += text.len;
	return text.len ? judge(m, text, base, fn, ctx) : 0;
}
