#include "scan/lane.h"

#include "base/alloc.h"

#include "base/banned.h"

/* --- the sieve --- */

static const struct kt_sieve_place *find(void *ctx, struct kt_str text, size_t from, size_t to, size_t *n)
{
	struct kt_lane *l = ctx;

	kt_filter_find(l->filter, text, from, to, &l->candidates);
	*n = l->candidates.n;
	while (l->cap_places < *n)
		l->places = kt_grow(l->places, l->cap_places, &l->cap_places, sizeof *l->places);
	for (size_t i = 0; i < *n; i++)
		l->places[i] = (struct kt_sieve_place){l->candidates.list[i].at, l->candidates.list[i].row};
	return l->places;
}

/* A group of the pattern is named as a fact, or the pattern is given to teach one. */
static bool find_teaching(const struct kt_kb *kb, uint32_t row)
{
	struct kt_str regex = kt_kb_text(kb, kb->patterns[row].text);

	for (uint32_t i = 0; i < kb->n_learns; i++)
		if (kb->learns[i].pattern == row)
			return true;
	for (uint32_t f = 0; f < kb->n_facts; f++) {
		struct kt_str id = kt_kb_text(kb, kb->facts[f].id);
		for (size_t at = 0; (at = kt_str_find(regex, id, at)) != KT_NPOS; at++)
			if (at && (regex.p[at - 1] == '<' || regex.p[at - 1] == '\''))
				return true;
	}
	return false;
}

/* What teaches a fact may say something else in each record. Asked for few patterns. */
static bool teaches(struct kt_lane *l, uint32_t row)
{
	if (l->pattern[row].teaches == KT_LANE_NOT_ASKED)
		l->pattern[row].teaches = find_teaching(l->kb, row) ? KT_LANE_YES : KT_LANE_NO;
	return l->pattern[row].teaches == KT_LANE_YES;
}

static bool want(void *ctx, uint32_t row)
{
	struct kt_lane *l = ctx;

	if (!l->cap || l->pattern[row].hits < l->cap || teaches(l, row))
		return true;
	l->pattern[row].literals++;
	l->capped = true;
	return false;
}

static void restart(void *ctx, bool input)
{
	struct kt_lane *l = ctx;

	kt_lane_restart(l);
	if (input)
		kt_matcher_restart(l->matcher);
}

void kt_lane_restart(struct kt_lane *l)
{
	const struct kt_scan_sink *sink = l->sink;

	for (uint32_t row = 0; row < l->kb->n_patterns && l->capped; row++)
		if (l->pattern[row].literals && sink && sink->capped)
			sink->capped(sink->ctx, l->input, row, l->pattern[row].literals);
	for (uint32_t row = 0; row < l->kb->n_patterns; row++) {
		l->pattern[row].hits = 0;
		l->pattern[row].literals = 0;
	}
	l->capped = false;
}

/* --- records --- */

static int keep_hit(void *ctx, const struct kt_hit *hit)
{
	struct kt_lane *l = ctx;
	struct kt_lane_hits *h = &l->hits;

	l->pattern[hit->pattern].hits += !h->n || h->hit[h->n - 1].pattern != hit->pattern;
	KT_PUSH(h->hit, h->n, h->cap) = *hit;
	for (size_t i = 0; i < hit->n_caps; i++)
		KT_PUSH(h->caps, h->n_caps, h->cap_caps) = hit->caps[i];
	return 0;
}

static void tell_limit(void *ctx, uint32_t pattern, uint64_t offset, enum kt_inconclusive why)
{
	struct kt_lane *l = ctx;

	if (l->sink->limit)
		l->sink->limit(l->sink->ctx, l->rec->input, kt_record_line_at(l->rec, (size_t)offset),
			       pattern, why);
}

/* The captures stand still only now. */
static void aim_captures(struct kt_lane_hits *h)
{
	size_t next = 0;

	for (size_t i = 0; i < h->n; i++) {
		h->hit[i].caps = h->hit[i].n_caps ? &h->caps[next] : NULL;
		next += h->hit[i].n_caps;
	}
}

int kt_lane_record(void *ctx, const struct kt_record *rec)
{
	struct kt_lane *l = ctx;

	l->hits.n = l->hits.n_caps = 0;
	l->rec = rec;
	l->input = rec->input;
	int rc = kt_match_feed(l->matcher, rec->text, 0, keep_hit, l);
	if (rc || !l->hits.n)
		return rc;
	aim_captures(&l->hits);
	return l->sink->record(l->sink->ctx, rec, l->hits.hit, l->hits.n);
}

/* --- all of it --- */

void kt_lane_init(struct kt_lane *l, const struct kt_kb *kb, const struct kt_filter *filter,
		  const struct kt_scan_options *options)
{
	*l = (struct kt_lane){
		.kb = kb, .filter = filter, .cap = options->cap, .every_record = options->every_record};
	l->matcher = kt_matcher_new(kb, &options->match);
	kt_matcher_share(l->matcher, filter);
	kt_matcher_trace(l->matcher, options->trace);
	kt_matcher_on_limit(l->matcher, tell_limit, l);
	l->pattern = kt_alloc_n(kb->n_patterns, sizeof *l->pattern);
	l->sieve = (struct kt_sieve){find, want, restart, kb->n_patterns, l};
}

void kt_lane_free(struct kt_lane *l)
{
	kt_matcher_free(l->matcher);
	kt_candidates_free(&l->candidates);
	kt_free(l->places);
	kt_free(l->pattern);
	kt_free(l->hits.hit);
	kt_free(l->hits.caps);
}

/* A pattern without literals may match in any record. */
void kt_lane_aim(struct kt_lane *l, const struct kt_scan_sink *sink, struct kt_inputs *in)
{
	l->sink = sink;
	in->sieve = l->every_record || kt_filter_has_always(l->filter) ? NULL : &l->sieve;
}
