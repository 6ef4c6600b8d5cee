#include "match/part.h"

#include "base/banned.h"

#define SPELT_OUT 8 /* times that a repeated part is written one behind the other */

static struct kt_texts nothing(struct kt_arena *a)
{
	return kt_texts_one(a, KT_NONE, false);
}

struct kt_part kt_part_exactly(struct kt_texts t)
{
	return (struct kt_part){.exact = t, .head = t, .tail = t, .cover = t};
}

struct kt_part kt_part_empty(struct kt_arena *a)
{
	return kt_part_exactly(nothing(a));
}

struct kt_part kt_part_opaque(struct kt_arena *a)
{
	return (struct kt_part){.head = nothing(a), .tail = nothing(a)};
}

struct kt_chain kt_chain_begin(struct kt_arena *a)
{
	return (struct kt_chain){.run = nothing(a), .exact = true};
}

static void break_run(struct kt_chain *c, struct kt_texts next)
{
	c->cover = kt_texts_better(c->cover, c->run);
	if (c->exact)
		c->head = c->run;
	c->exact = false;
	c->run = next;
}

void kt_chain_add(struct kt_arena *a, struct kt_chain *c, const struct kt_part *p)
{
	bool whole = p->exact.n > 0;
	struct kt_texts more = kt_texts_times(a, c->run, whole ? p->exact : p->head);

	c->unbounded |= p->unbounded;
	if (whole && more.n) {
		c->run = more;
		return;
	}
	if (more.n)
		c->run = more;
	break_run(c, whole ? p->exact : p->tail);
	c->cover = kt_texts_better(c->cover, p->cover);
}

struct kt_part kt_chain_end(const struct kt_chain *c)
{
	if (c->exact)
		return (struct kt_part){c->run, c->run, c->run, c->run, c->unbounded};
	return (struct kt_part){.head = c->head,
				.tail = c->run,
				.unbounded = c->unbounded,
				.cover = kt_texts_better(c->cover, c->run)};
}

struct kt_part kt_part_either(struct kt_arena *a, struct kt_part x, struct kt_part y)
{
	struct kt_part out = {.unbounded = x.unbounded || y.unbounded};

	out.exact = kt_texts_plus(a, x.exact, y.exact, KT_TEXTS_EXACT);
	out.head = kt_texts_plus(a, x.head, y.head, KT_TEXTS_EXACT);
	out.tail = kt_texts_plus(a, x.tail, y.tail, KT_TEXTS_EXACT);
	out.cover = kt_texts_plus(a, x.cover, y.cover, KT_TEXTS_COVER);
	if (!out.head.n)
		out.head = nothing(a);
	if (!out.tail.n)
		out.tail = nothing(a);
	return out;
}

static struct kt_part times_exactly(struct kt_arena *a, const struct kt_part *p, uint32_t n)
{
	struct kt_chain c = kt_chain_begin(a);

	for (uint32_t i = 0; i < n; i++)
		kt_chain_add(a, &c, p);
	return kt_chain_end(&c);
}

struct kt_part kt_part_repeated(struct kt_arena *a, struct kt_part p, uint32_t min, uint32_t max)
{
	if (min == 0 && max == 1)
		return kt_part_either(a, p, kt_part_empty(a));
	if (min == max && min >= 1 && min <= SPELT_OUT)
		return times_exactly(a, &p, min);
	struct kt_part out = kt_part_opaque(a);
	if (min >= 1) {
		out.head = p.head;
		out.tail = p.tail;
		out.cover = p.cover;
	}
	return out;
}
