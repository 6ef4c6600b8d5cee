/* What each pattern cost. */
#include "session/state.h"

#include <stdlib.h>

#include "base/banned.h"

static int dearest_first(const void *a, const void *b)
{
	const struct kt_pattern_cost *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	if (x->candidates != y->candidates)
		return x->candidates > y->candidates ? -1 : 1;
	return x->pattern < y->pattern ? -1 : x->pattern > y->pattern;
}

static void add(struct kt_pattern_cost *sum, const struct kt_pattern_cost *one)
{
	sum->candidates += one->candidates;
	sum->hits += one->hits;
	sum->runs += one->runs;
	sum->limits += one->limits;
	sum->ns += one->ns;
}

static struct kt_pattern_cost cost_of(const struct kt_session *s, uint32_t row)
{
	struct kt_pattern_stats st = kt_scan_pattern_stats(s->scan, row);

	return (struct kt_pattern_cost){.pattern = row,
					.candidates = st.candidates,
					.hits = st.hits,
					.runs = st.runs,
					.limits = st.limits,
					.ns = st.ns};
}

const struct kt_pattern_cost *kt_session_patterns(struct kt_session *s, struct kt_scan_cost *all, size_t *n)
{
	struct kt_pattern_cost *list = KT_NEW_N(kt_session_arena(s), struct kt_pattern_cost,
						s->kb->n_patterns);

	*all = (struct kt_scan_cost){.sum.pattern = KT_NIL};
	*n = 0;
	if (!s->scan)
		return list;
	struct kt_match_stats st = kt_scan_stats(s->scan);
	all->records = st.feeds;
	all->bytes = st.bytes;
	all->compiled = st.compiled;
	all->jitted = st.jitted;
	for (uint32_t row = 0; row < s->kb->n_patterns; row++) {
		struct kt_pattern_cost one = cost_of(s, row);
		if (!one.candidates && !one.hits)
			continue;
		list[(*n)++] = one;
		add(&all->sum, &one);
	}
	if (*n)
		qsort(list, *n, sizeof *list, dearest_first);
	return list;
}
