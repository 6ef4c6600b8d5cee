#include "match/engine.h"

#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"

#include "base/banned.h"

#define PAIRS         128
#define JIT_STACK_MIN (32u << 10)
#define JIT_STACK_MAX (1u << 20)

void kt_engine_init(struct kt_engine *e, const struct kt_match_limits *limits, struct kt_match_stats *stats)
{
	*e = (struct kt_engine){.limits = *limits, .stats = stats};
	e->context = pcre2_match_context_create(NULL);
	e->data = pcre2_match_data_create(PAIRS, NULL);
	e->stack = pcre2_jit_stack_create(JIT_STACK_MIN, JIT_STACK_MAX, NULL);
	if (!e->context || !e->data)
		abort(); /* a few hundred bytes: the machine is out of memory */
	pcre2_jit_stack_assign(e->context, NULL, e->stack);
	pcre2_set_depth_limit(e->context, limits->depth);
	pcre2_set_heap_limit(e->context, limits->heap_kib);
}

void kt_engine_free(struct kt_engine *e)
{
	pcre2_match_context_free(e->context);
	pcre2_match_data_free(e->data);
	pcre2_jit_stack_free(e->stack);
}

static int by_group(const void *a, const void *b)
{
	const struct kt_pcre_name *x = a, *y = b;

	return (x->group > y->group) - (x->group < y->group);
}

bool kt_engine_prepare(struct kt_engine *e, struct kt_compiled *c, struct kt_str regex)
{
	int code;
	size_t at;

	if (c->tried)
		return c->code != NULL;
	c->tried = true;
	c->code = kt_pcre_compile(regex, &code, &at);
	if (!c->code)
		return false;
	e->stats->compiled++;
	c->n_names = kt_pcre_names(c->code);
	c->names = kt_alloc_n(c->n_names, sizeof *c->names);
	for (uint32_t i = 0; i < c->n_names; i++)
		c->names[i] = kt_pcre_name(c->code, i);
	if (c->n_names > 1)
		qsort(c->names, c->n_names, sizeof *c->names, by_group);
	c->many |= c->n_names > 0;
	return true;
}

void kt_compiled_free(struct kt_compiled *c)
{
	pcre2_code_free(c->code);
	kt_free(c->names);
}

static void maybe_jit(struct kt_engine *e, struct kt_compiled *c)
{
	if (c->no_jit || ++c->uses < e->limits.jit_after)
		return;
	c->no_jit = true;
	if (e->stack && pcre2_jit_compile(c->code, PCRE2_JIT_COMPLETE) == 0)
		e->stats->jitted++;
}

static uint64_t now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t budget_us(const struct kt_engine *e)
{
	return (uint64_t)e->limits.budget_ms * 1000;
}

/* The cheap clock also counts what other programs took: a pattern that has used a
 * quarter of its time by it is measured by its own time from then on. */
static clockid_t clock_for(const struct kt_engine *e, const struct kt_compiled *c)
{
	return c->over_us > budget_us(e) / 4 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
}

bool kt_engine_over(const struct kt_engine *e, const struct kt_compiled *c)
{
	return c->over_us > budget_us(e);
}

/* What is looked for: matches that begin in [from, to); to is PCRE2_UNSET: to the end. */
struct search {
	struct kt_str subject;
	size_t from, to;
	uint32_t options;
};

static int match(struct kt_engine *e, struct kt_compiled *c, const struct search *s, uint32_t steps)
{
	PCRE2_SPTR p = (PCRE2_SPTR)s->subject.p;

	e->stats->runs++;
	c->stats.runs++;
	pcre2_set_match_limit(e->context, steps);
	pcre2_set_offset_limit(e->context, s->to == PCRE2_UNSET ? PCRE2_UNSET : s->to - 1);
	int rc = pcre2_match(c->code, p, s->subject.len, s->from, s->options, e->data, e->context);
	if (rc == PCRE2_ERROR_JIT_STACKLIMIT)
		rc = pcre2_match(c->code, p, s->subject.len, s->from, s->options | PCRE2_NO_JIT, e->data,
				 e->context);
	return rc;
}

static enum kt_inconclusive reason(int rc)
{
	switch (rc) {
	case PCRE2_ERROR_PARTIAL: return KT_INCONCLUSIVE_WINDOW;
	case PCRE2_ERROR_MATCHLIMIT: return KT_INCONCLUSIVE_STEPS;
	case PCRE2_ERROR_DEPTHLIMIT: return KT_INCONCLUSIVE_DEPTH;
	case PCRE2_ERROR_HEAPLIMIT:
	case PCRE2_ERROR_NOMEMORY:
	case PCRE2_ERROR_JIT_STACKLIMIT: return KT_INCONCLUSIVE_MEMORY;
	default: return KT_INCONCLUSIVE_OTHER;
	}
}

/* Healthy: 20 µs and 50 ns a byte, some twenty times what is usual. True if it was. */
static bool charge(struct kt_compiled *c, uint64_t took_us, size_t bytes)
{
	uint64_t healthy = 20 + bytes / 20;

	if (took_us <= healthy)
		return true;
	c->over_us += took_us - healthy;
	return false;
}

/* Machine code for subjects that go on behind their end, where there is some for others. */
static void need_partial(struct kt_engine *e, struct kt_compiled *c, uint32_t options)
{
	if (!(options & PCRE2_PARTIAL_SOFT) || c->partial || !c->no_jit)
		return;
	c->partial = true;
	if (e->stack)
		(void)pcre2_jit_compile(c->code, PCRE2_JIT_PARTIAL_SOFT);
}

/* Steps in two stages, and what they took. */
static int timed(struct kt_engine *e, struct kt_compiled *c, const struct search *s, bool *healthy)
{
	clockid_t clock = clock_for(e, c);
	uint64_t start = now_ns(clock);
	size_t to = s->to == PCRE2_UNSET ? s->subject.len : s->to;

	int rc = match(e, c, s, e->limits.steps);
	if (rc == PCRE2_ERROR_MATCHLIMIT && s->subject.len <= e->limits.short_subject)
		rc = match(e, c, s, e->limits.steps_retry);
	uint64_t took = now_ns(clock) - start;
	c->stats.ns += e->trace ? took : 0;
	*healthy = charge(c, took / 1000, to - s->from);
	return rc;
}

/* A pattern may take time that grows with the square of the subject and no limit of
 * PCRE2 notices: a long subject is searched slice by slice, small ones where it is
 * slow, with a look at the clock between them. */
#define WHOLE 4096u
#define SLICE 256u

static size_t slice_end(const struct search *all, size_t from, size_t slice)
{
	size_t end = all->to == PCRE2_UNSET ? all->subject.len : all->to;

	return end > from && end - from > slice ? from + slice : all->to;
}

static int by_slices(struct kt_engine *e, struct kt_compiled *c, const struct search *all, bool *over)
{
	struct search s = *all;
	size_t slice = all->subject.len - all->from <= WHOLE ? WHOLE : SLICE;
	bool healthy, partial = false;

	for (;; s.from = s.to) {
		s.to = slice_end(all, s.from, slice);
		int rc = timed(e, c, &s, &healthy);
		if (rc == PCRE2_ERROR_PARTIAL) { /* with what stands behind it may be a match */
			partial = true;
			rc = PCRE2_ERROR_NOMATCH;
		}
		if (rc != PCRE2_ERROR_NOMATCH || s.to == all->to)
			return partial && rc == PCRE2_ERROR_NOMATCH ? PCRE2_ERROR_PARTIAL : rc;
		*over = kt_engine_over(e, c);
		if (*over)
			return rc;
		slice = healthy ? slice * 2 : SLICE;
	}
}

enum kt_run kt_engine_run(struct kt_engine *e, struct kt_compiled *c, struct kt_str subject, size_t from,
			  size_t own, uint32_t options, enum kt_inconclusive *why)
{
	struct search s = {subject, from, own >= subject.len ? PCRE2_UNSET : own, options};
	bool over = false;

	maybe_jit(e, c);
	need_partial(e, c, options);
	int rc = by_slices(e, c, &s, &over);
	if (rc >= 0)
		return KT_RUN_HIT;
	if (rc == PCRE2_ERROR_NOMATCH)
		return over ? KT_RUN_OVER : KT_RUN_NONE;
	*why = reason(rc);
	return KT_RUN_LIMIT;
}
