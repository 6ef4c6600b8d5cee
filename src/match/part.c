#include "match/part.h"

#include "base/banned.h"

#define SPELT_OUT 8   /* times that a repeated part is written one behind the other */
#define TRIED     256 /* covers that are weighed in one chain */

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

struct kt_part kt_part_look(struct kt_arena *a, struct kt_texts cover)
{
	struct kt_part p = kt_part_empty(a);

	p.cover = cover;
	return p;
}

/* --- chains --- */

void kt_chain_begin(struct kt_arena *a, struct kt_chain *c)
{
	c->n = c->tried = 0; /* the pieces are left as they are: there are many chains */
	c->head = nothing(a);
	c->exact = true;
	c->cover = (struct kt_texts){0};
	c->unbounded = false;
}

static void weigh(struct kt_chain *c, struct kt_texts t)
{
	c->tried++;
	c->cover = kt_texts_better(c->cover, t);
}

/* Every row of neighbouring pieces is a cover. */
static void weigh_pieces(struct kt_arena *a, struct kt_chain *c)
{
	for (uint32_t i = 0; i < c->n && c->tried < TRIED; i++) {
		struct kt_texts t = c->piece[i];
		weigh(c, t);
		for (uint32_t k = i + 1; k < c->n; k++) {
			t = kt_texts_times(a, t, c->piece[k]);
			if (!t.n)
				break;
			weigh(c, t);
		}
	}
}

/* As many of the last pieces as may be multiplied. */
static struct kt_texts end_of(struct kt_arena *a, const struct kt_chain *c)
{
	struct kt_texts t = c->n ? c->piece[c->n - 1] : nothing(a);

	for (uint32_t i = c->n; i-- > 1;) {
		struct kt_texts more = kt_texts_times(a, c->piece[i - 1], t);
		if (!more.n)
			break;
		t = more;
	}
	return t;
}

static void restart(struct kt_chain *c, struct kt_texts first)
{
	c->piece[0] = first;
	c->n = 1;
}

/* T begins where the last piece ends. */
static void add_piece(struct kt_arena *a, struct kt_chain *c, struct kt_texts t)
{
	struct kt_texts *last = c->n ? &c->piece[c->n - 1] : NULL;

	if (c->exact) {
		struct kt_texts all = kt_texts_times(a, c->head, t);
		c->exact = all.n > 0;
		c->head = all.n ? all : c->head;
	}
	if (last && last->n == 1 && t.n == 1 && last->s[0].len + t.s[0].len <= KT_TEXTS_LEN) {
		*last = kt_texts_times(a, *last, t);
		return;
	}
	if (c->n == KT_CHAIN_PIECES) {
		weigh_pieces(a, c);
		restart(c, end_of(a, c));
	}
	c->piece[c->n++] = t;
}

void kt_chain_add(struct kt_arena *a, struct kt_chain *c, const struct kt_part *p)
{
	c->unbounded |= p->unbounded;
	if (p->cover.n && p->cover.s != p->exact.s)
		weigh(c, p->cover);
	add_piece(a, c, p->exact.n ? p->exact : p->head);
	if (p->exact.n)
		return;
	c->exact = false;
	weigh_pieces(a, c);
	restart(c, p->tail);
}

struct kt_part kt_chain_end(struct kt_arena *a, struct kt_chain *c)
{
	struct kt_part p = {.head = c->head, .unbounded = c->unbounded};

	weigh_pieces(a, c);
	if (c->exact)
		p.exact = p.tail = c->head;
	else
		p.tail = end_of(a, c);
	p.cover = c->cover;
	return p;
}

/* --- alternatives and repeats --- */

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
	struct kt_chain c;

	kt_chain_begin(a, &c);
	for (uint32_t i = 0; i < n; i++)
		kt_chain_add(a, &c, p);
	return kt_chain_end(a, &c);
}

struct kt_part kt_part_repeated(struct kt_arena *a, struct kt_part p, uint32_t min, uint32_t max)
{
	if (min == 0 && max == 1)
		return kt_part_either(a, p, kt_part_empty(a));
	if (min == 0)
		return kt_part_opaque(a);
	struct kt_part out = times_exactly(a, &p, min < SPELT_OUT ? min : SPELT_OUT);
	if (min != max || min > SPELT_OUT)
		out.exact = (struct kt_texts){0};
	return out;
}
