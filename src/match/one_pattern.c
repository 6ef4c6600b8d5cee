#include "match/one_pattern.h"

#include "base/alloc.h"

#include "base/banned.h"

#define BEHIND 256 /* bytes before a window that stay in the subject, for ^, \b, look-behind */

void kt_match_limit(struct kt_matcher *m, uint32_t row, uint64_t offset, enum kt_inconclusive why)
{
	if (why != KT_INCONCLUSIVE_HITS)
		kt_matcher_add_limits(m, row, 1);
	if (m->on_limit)
		m->on_limit(m->limit_ctx, row, offset, why);
}

static void collect(struct kt_match_job *j, const size_t *offsets, size_t at, struct kt_hit *hit)
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

static int give_hit(struct kt_match_job *j, const size_t *offsets, size_t at)
{
	struct kt_hit hit = {
		.pattern = j->row, .start = j->base + at + offsets[0], .end = j->base + at + offsets[1]};

	collect(j, offsets, at, &hit);
	j->hits++;
	j->c->stats.hits++;
	j->m->stats.hits++;
	return j->fn ? j->fn(j->ctx, &hit) : 0;
}

static bool over_time(struct kt_match_job *j, size_t at)
{
	if (!kt_engine_over(&j->m->engine, j->c))
		return false;
	j->c->off = true;
	kt_match_limit(j->m, j->row, j->base + at, KT_INCONCLUSIVE_TIME);
	return true;
}

/* A piece of the text that is searched at once: matches that begin in [from, own)
 * are its own, those behind are left to the next piece. */
struct window {
	size_t at, end; /* the subject */
	size_t from, own;
	bool last;
};

static struct window window_at(const struct kt_match_job *j, size_t from)
{
	const struct kt_match_limits *l = &j->m->engine.limits;
	struct window w = {.from = from, .at = from > BEHIND ? from - BEHIND : 0};

	w.last = j->text.len - from <= l->window;
	w.end = w.last ? j->text.len : from + l->window;
	w.own = w.last ? j->text.len : w.end - l->overlap;
	return w;
}

/* Whether a match may begin in the window: then a literal of the pattern stands in the
 * subject, if only where a look-behind looks, or behind it if the match is that long. */
static bool may_match(const struct kt_match_job *j, const struct window *w)
{
	const struct kt_candidates *c = &j->m->places;
	size_t lo = 0, hi = c->n;

	if (!j->by_place)
		return true;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (c->list[mid].at < w->at)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < c->n; lo++)
		if (c->list[lo].row == j->row)
			return true;
	return false;
}

enum step { STEP_HIT, STEP_NEXT, STEP_DONE };

/* The next match of the text from *FROM on. HIT: *W is where it was found, and the
 * offsets are the engine's. NEXT: nothing up to *FROM, look from there. */
static enum step next_match(struct kt_match_job *j, size_t *from, struct window *w)
{
	struct kt_engine *e = &j->m->engine;
	enum kt_inconclusive why;

	*w = window_at(j, *from);
	if (!may_match(j, w)) {
		*from = w->own;
		return w->last ? STEP_DONE : STEP_NEXT;
	}
	uint32_t options = PCRE2_NOTEMPTY | (w->at ? PCRE2_NOTBOL : 0u) |
			   (w->last ? 0u : PCRE2_NOTEOL | PCRE2_PARTIAL_SOFT);
	enum kt_run run = kt_engine_run(e, j->c, kt_str_sub(j->text, w->at, w->end - w->at), *from - w->at,
					w->own - w->at, options, &why);
	if (run == KT_RUN_LIMIT)
		kt_match_limit(j->m, j->row, j->base + *from, why);
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
	kt_match_limit(j->m, j->row, j->base + start, KT_INCONCLUSIVE_WINDOW);
	*from = w->own;
	return STEP_NEXT;
}

static int run_pattern(struct kt_match_job *j)
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
				kt_match_limit(j->m, j->row, j->base + w.at + offsets[0],
					       KT_INCONCLUSIVE_HITS);
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

int kt_match_one(struct kt_match_job *j)
{
	struct kt_str regex = kt_kb_text(j->m->kb, j->m->kb->patterns[j->row].text);

	j->c->stats.candidates++;
	if (j->c->off || (j->c->tried && !j->c->code)) {
		kt_matcher_add_limits(j->m, j->row, 1);
		return 0;
	}
	if (!kt_engine_prepare(&j->m->engine, j->c, regex)) {
		kt_match_limit(j->m, j->row, j->base, KT_INCONCLUSIVE_PATTERN);
		return 0;
	}
	return run_pattern(j);
}
