#include "match/matcher.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "match/engine.h"
#include "match/filter.h"

#include "base/banned.h"

#define BEHIND 256 /* bytes before a window that stay in the subject, for ^, \b, look-behind */

struct kt_matcher {
	const struct kt_kb *kb;
	struct kt_engine engine;
	struct kt_compiled *compiled; /* by row */
	struct kt_filter *own_filter;
	const struct kt_filter *filter; /* NULL: not needed yet */
	struct kt_rowset candidates;
	struct kt_candidates places; /* of literals, in a feed longer than a window */
	struct kt_capture *caps;
	size_t cap_caps;
	struct kt_buf held; /* bytes of feeds that were not final */
	uint64_t held_base;
	kt_limit_fn on_limit;
	void *limit_ctx;
	struct kt_match_stats stats;
};

/* One pattern in one feed. */
struct job {
	struct kt_matcher *m;
	struct kt_compiled *c;
	uint32_t row;
	struct kt_str text;
	uint64_t base;
	kt_hit_fn fn;
	void *ctx;
	uint32_t hits;
	bool by_place; /* m->places says in which windows a literal stands */
};

static struct kt_rowset new_set(uint32_t n)
{
	return (struct kt_rowset){kt_alloc_n((size_t)n / 64 + 1, sizeof(uint64_t)), n};
}

struct kt_matcher *kt_matcher_new(const struct kt_kb *kb, const struct kt_match_limits *limits)
{
	struct kt_match_limits usual = KT_MATCH_LIMITS;
	struct kt_matcher *m = kt_alloc(sizeof *m);

	m->kb = kb;
	m->held = KT_BUF(KT_BUF_TEXT);
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
	kt_buf_free(&take_m->held);
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

/* Named groups are known when a pattern is compiled. */
bool kt_matcher_teaches(const struct kt_matcher *m, uint32_t pattern)
{
	return !m->compiled[pattern].tried || m->compiled[pattern].many;
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

/* --- one pattern --- */

static void limit(struct kt_matcher *m, uint32_t row, uint64_t offset, enum kt_inconclusive why)
{
	if (why != KT_INCONCLUSIVE_HITS)
		kt_matcher_add_limits(m, row, 1);
	if (m->on_limit)
		m->on_limit(m->limit_ctx, row, offset, why);
}

static void collect(struct job *j, const size_t *offsets, size_t at, struct kt_hit *hit)
{
	struct kt_matcher *m = j->m;
	uint32_t pairs = pcre2_get_ovector_count(m->engine.data);
	size_t n = 0;

	for (uint32_t i = 0; i < j->c->n_names; i++) {
		struct kt_pcre_name name = j->c->names[i];
		size_t from = name.group < pairs ? offsets[2 * name.group] : PCRE2_UNSET;
		size_t to = from == PCRE2_UNSET ? 0 : offsets[2 * name.group + 1];
		if (from == PCRE2_UNSET || to < from)
			continue;
		KT_PUSH(m->caps, n,
			m->cap_caps) = (struct kt_capture){.name = name.name,
							   .start = j->base + at + from,
							   .end = j->base + at + to,
							   .text = kt_str_sub(j->text, at + from, to - from)};
	}
	hit->caps = m->caps;
	hit->n_caps = n;
}

static int give_hit(struct job *j, const size_t *offsets, size_t at)
{
	struct kt_hit hit = {
		.pattern = j->row, .start = j->base + at + offsets[0], .end = j->base + at + offsets[1]};

	collect(j, offsets, at, &hit);
	j->hits++;
	j->c->stats.hits++;
	j->m->stats.hits++;
	return j->fn ? j->fn(j->ctx, &hit) : 0;
}

static bool over_time(struct job *j, size_t at)
{
	if (!kt_engine_over(&j->m->engine, j->c))
		return false;
	j->c->off = true;
	limit(j->m, j->row, j->base + at, KT_INCONCLUSIVE_TIME);
	return true;
}

/* A piece of the text that is searched at once: matches that begin in [from, own)
 * are its own, those behind are left to the next piece. */
struct window {
	size_t at, end; /* the subject */
	size_t from, own;
	bool last;
};

static struct window window_at(const struct job *j, size_t from)
{
	const struct kt_match_limits *l = &j->m->engine.limits;
	struct window w = {.from = from, .at = from > BEHIND ? from - BEHIND : 0};

	w.last = j->text.len - from <= l->window;
	w.end = w.last ? j->text.len : from + l->window;
	w.own = w.last ? j->text.len : w.end - l->overlap;
	return w;
}

/* Whether a match may begin in [from, own) and end in the window: then a literal of
 * the pattern stands in it. */
static bool may_match(const struct job *j, const struct window *w)
{
	const struct kt_candidates *c = &j->m->places;
	size_t lo = 0, hi = c->n;

	if (!j->by_place)
		return true;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (c->list[mid].at < w->from)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < c->n && c->list[lo].at < w->end; lo++)
		if (c->list[lo].row == j->row)
			return true;
	return false;
}

enum step { STEP_HIT, STEP_NEXT, STEP_DONE };

/* The next match of the text from *FROM on. HIT: *W is where it was found, and the
 * offsets are the engine's. NEXT: nothing up to *FROM, look from there. */
static enum step next_match(struct job *j, size_t *from, struct window *w)
{
	struct kt_engine *e = &j->m->engine;
	enum kt_inconclusive why;

	*w = window_at(j, *from);
	if (!may_match(j, w)) {
		*from = w->own;
		return w->last ? STEP_DONE : STEP_NEXT;
	}
	uint32_t options = PCRE2_NOTEMPTY | (w->at ? PCRE2_NOTBOL : 0u) | (w->last ? 0u : PCRE2_NOTEOL);
	enum kt_run run = kt_engine_run(e, j->c, kt_str_sub(j->text, w->at, w->end - w->at), *from - w->at,
					w->own - w->at, options, &why);
	if (run == KT_RUN_LIMIT)
		limit(j->m, j->row, j->base + *from, why);
	const size_t *offsets = pcre2_get_ovector_pointer(e->data);
	if (run != KT_RUN_HIT || w->at + offsets[0] >= w->own) {
		*from = w->own;
		return w->last ? STEP_DONE : STEP_NEXT;
	}
	if (w->last || w->at + offsets[1] < w->end)
		return STEP_HIT;
	/* it may go on behind the window: once more, with all of a window before it */
	size_t start = w->at + offsets[0];
	if (start > *from) {
		*from = start;
		return STEP_NEXT;
	}
	limit(j->m, j->row, j->base + start, KT_INCONCLUSIVE_WINDOW);
	*from = w->own;
	return STEP_NEXT;
}

static int run_pattern(struct job *j)
{
	uint32_t max = j->c->many ? j->m->engine.limits.max_hits : 1;
	size_t from = 0;
	struct window w;
	enum step step;

	while ((step = next_match(j, &from, &w)) != STEP_DONE) {
		if (step == STEP_HIT) {
			const size_t *offsets = pcre2_get_ovector_pointer(j->m->engine.data);
			size_t end = w.at + offsets[1];
			if (j->hits == max) {
				limit(j->m, j->row, j->base + w.at + offsets[0], KT_INCONCLUSIVE_HITS);
				return 0;
			}
			int rc = give_hit(j, offsets, w.at);
			if (rc)
				return rc;
			if (!j->c->many)
				break;
			from = end > from ? end : from + 1;
		}
		if (over_time(j, from))
			return 0;
	}
	over_time(j, from);
	return 0;
}

static int judge_pattern(struct job *j)
{
	struct kt_str regex = kt_kb_text(j->m->kb, j->m->kb->patterns[j->row].text);

	j->c->stats.candidates++;
	if (j->c->off || (j->c->tried && !j->c->code)) {
		kt_matcher_add_limits(j->m, j->row, 1);
		return 0;
	}
	if (!kt_engine_prepare(&j->m->engine, j->c, regex)) {
		limit(j->m, j->row, j->base, KT_INCONCLUSIVE_PATTERN);
		return 0;
	}
	return run_pattern(j);
}

/* --- all patterns --- */

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
			struct job j = {.m = m,
					.c = &m->compiled[row],
					.row = row,
					.text = text,
					.base = base,
					.fn = fn,
					.ctx = ctx,
					.by_place = by_place &&
						    !kt_rowset_has(kt_filter_always(m->filter), row)};
			rc = judge_pattern(&j);
		}
	return rc;
}

/* What does not fit any more was not seen by any pattern. */
static void say_overflow(struct kt_matcher *m)
{
	for (uint32_t row = 0; row < m->kb->n_patterns; row++)
		limit(m, row, m->held_base + m->held.len, KT_INCONCLUSIVE_WINDOW);
}

static int judge_held(struct kt_matcher *m, kt_hit_fn fn, void *ctx)
{
	if (m->held.full)
		say_overflow(m);
	int rc = judge(m, kt_buf_view(&m->held), m->held_base, fn, ctx);
	kt_buf_clear(&m->held);
	return rc;
}

int kt_match_feed(struct kt_matcher *m, struct kt_str bytes, uint64_t base, bool final, kt_hit_fn fn,
		  void *ctx)
{
	m->stats.feeds++;
	m->stats.bytes += bytes.len;
	if (final && !m->held.len)
		return bytes.len ? judge(m, bytes, base, fn, ctx) : 0;
	if (!m->held.len)
		m->held_base = base;
	kt_buf_add(&m->held, bytes);
	return final ? judge_held(m, fn, ctx) : 0;
}
