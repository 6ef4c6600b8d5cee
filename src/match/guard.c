#include "match/guard.h"

#include <string.h>

#include "match/grams.h"
#include "match/guard_row.h"

#include "base/banned.h"

#define SIDE_STEPS 63
#define REACH      1024 /* bytes that are looked at on one side */

/* --- the literal --- */

/* The byte that X is; with FOLD in low case. -1: none, or one of several. */
static int byte_of(const struct kt_guard_item *x, bool fold)
{
	struct kt_byteset one = {{0}};
	unsigned w = 0;

	while (w < 4 && !x->set.bits[w])
		w++;
	if (w == 4 || x->any || x->min != 1 || x->max != 1)
		return -1;
	int c = (int)(w * 64) + __builtin_ctzll(x->set.bits[w]);
	if (fold && c >= 'A' && c <= 'Z')
		c += 32;
	kt_byteset_add(&one, (unsigned)c);
	if (fold)
		kt_byteset_forget_case(&one);
	return memcmp(&x->set, &one, sizeof one) == 0 ? c : -1;
}

/* Where the literal begins in the row; r->n: nowhere. */
static size_t place_of(const struct kt_guard_row *r, struct kt_str literal)
{
	for (size_t i = 0; i + literal.len <= r->n; i++) {
		size_t k = 0;
		while (k < literal.len && byte_of(&r->item[i + k], r->fold) == (unsigned char)literal.p[k])
			k++;
		if (k == literal.len)
			return i;
	}
	return r->n;
}

static unsigned members(const struct kt_byteset *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < 4; i++)
		n += (unsigned)__builtin_popcountll(s->bits[i]);
	return n;
}

/* How many bytes of a small class must stand at item I of the row: where digits are,
 * there are often fewer. */
#define STRONG 3
static uint32_t strength(const struct kt_guard_row *r, size_t i)
{
	const struct kt_guard_item *x = &r->item[i];
	unsigned n;

	if (i >= r->n || x->any || (n = members(&x->set)) < 2 || n > 32)
		return 0;
	return x->min < STRONG ? 0 : x->min;
}

/* Bytes in a row, and what they are worth. */
struct run {
	char text[KT_GUARD_LITERAL];
	size_t n;
	struct kt_window window;
	uint32_t strength;
};

static bool is_better(const struct run *x, const struct run *y)
{
	if ((x->strength > 0) != (y->strength > 0))
		return x->strength > 0;
	if (x->window.len != y->window.len)
		return x->window.len > y->window.len;
	return x->window.hits < y->window.hits;
}

/* END: behind the run. */
static void weigh(const struct kt_guard_row *r, struct run *x, size_t end, struct run *best)
{
	size_t from = end - x->n;
	uint32_t before = from ? strength(r, from - 1) : 0, behind = strength(r, end);

	x->window = kt_gram_window((struct kt_str){x->text, x->n});
	x->strength = before > behind ? before : behind;
	if (x->n >= KT_WINDOW_ONE && is_better(x, best))
		*best = *x;
}

/* The bytes in a row that are best to look for, as far as there is room for them. */
static struct run best_run(const struct kt_guard_row *r)
{
	struct run best = {.n = 0}, x = {.n = 0};

	for (size_t i = 0; i <= r->n; i++) {
		int c = i < r->n ? byte_of(&r->item[i], r->fold) : -1;
		if (c >= 0 && c != '\n' && c != '\r' && x.n < sizeof x.text) {
			x.text[x.n++] = (char)c;
			continue;
		}
		weigh(r, &x, i, &best);
		x.n = 0;
	}
	return best;
}

/* LITERAL, unless another one is better or it is none. */
static void choose(const struct kt_guard_row *r, struct kt_str literal, struct kt_beside *out)
{
	struct run best = best_run(r);

	if (literal.len && (!best.strength || literal.len > KT_GUARD_LITERAL)) {
		best.n = literal.len <= KT_GUARD_LITERAL ? literal.len : 0;
		memcpy(best.text, literal.p, best.n);
	}
	memcpy(out->literal, best.text, best.n);
	out->len = (uint32_t)best.n;
}

/* --- the guard --- */

static uint64_t bit(unsigned i)
{
	return UINT64_C(1) << i;
}

static uint64_t bits(unsigned from, uint32_t n)
{
	return (bit(n) - 1) << from;
}

static void let_take(struct kt_guard_side *s, const struct kt_byteset *set, uint64_t steps)
{
	for (unsigned w = 0; w < 4; w++)
		for (uint64_t left = set->bits[w]; left; left &= left - 1)
			s->takes[w * 64 + (unsigned)__builtin_ctzll(left)] |= steps;
}

/* False: the row ends here for us. */
static bool add_item(struct kt_guard_side *s, const struct kt_guard_item *x)
{
	bool no_limit = x->max == KT_GUARD_NO_LIMIT;
	uint32_t n = no_limit ? (x->min ? x->min : 1) : x->max, room = SIDE_STEPS - s->steps;
	uint32_t take = n < room ? n : room, must = x->min < take ? x->min : take;

	if (x->any)
		return false;
	let_take(s, &x->set, bits(s->steps, take));
	s->optional |= bits(s->steps + must, take - must);
	s->steps += take;
	if (no_limit && take == n)
		s->again |= bit(s->steps - 1);
	return take == n;
}

/* With the steps that come next where some of MAY are left out. */
static uint64_t and_behind(const struct kt_guard_side *s, uint64_t may)
{
	for (uint64_t more; (more = (may & s->optional) << 1 & ~may);)
		may |= more;
	return may;
}

/* A side of which the first step may be anything says nothing. */
static void finish(struct kt_guard_side *s)
{
	s->first = and_behind(s, 1);
	if (s->first & bit(s->steps))
		s->steps = 0;
}

bool kt_beside_of(struct kt_str regex, struct kt_str literal, bool fold, struct kt_beside *out)
{
	struct kt_guard_row r;

	*out = (struct kt_beside){.len = 0};
	if (!kt_guard_row_of(regex, fold, &r))
		return false;
	choose(&r, literal, out);
	size_t from = place_of(&r, (struct kt_str){out->literal, out->len}), to = from + out->len;
	if (!out->len || from == r.n)
		return false;
	/* before what begins a line in a record, there may be a collector's prefix in a file */
	for (size_t i = from;
	     i-- > 0 && !kt_byteset_has(&r.item[i].set, '\n') && add_item(&out->left, &r.item[i]);)
		;
	for (size_t i = to; i < r.n && add_item(&out->right, &r.item[i]); i++)
		;
	finish(&out->left);
	finish(&out->right);
	out->right_first = strength(&r, to) > (from ? strength(&r, from - 1) : 0);
	return out->left.steps || out->right.steps;
}

/* At a line end: whether a step may be one, and so what is behind it anything. Of NULs
 * a record may have fewer. */
static bool may_leave(const struct kt_guard_side *s, uint64_t may, unsigned char c)
{
	return !c || ((c == '\n' || c == '\r') && may & s->takes['\n']);
}

/* N bytes from P on, each STEP from the last one. */
static bool side_allows(const struct kt_guard_side *s, const char *p, size_t n, int step)
{
	uint64_t may = s->first, branches = s->optional, end = bit(s->steps);

	n = n < REACH ? n : REACH;
	for (size_t i = 0; i < n && !(may & end); i++, p += step) {
		unsigned char c = (unsigned char)*p;
		uint64_t took = may & s->takes[c];
		if (c <= '\r' && may_leave(s, may, c))
			return true;
		if (!took)
			return false;
		may = took << 1 | (took & s->again);
		if (may & branches)
			may = and_behind(s, may);
	}
	return true;
}

bool kt_beside_allows(const struct kt_beside *g, struct kt_str text, size_t from, size_t to)
{
	for (unsigned turn = 0; turn < 2; turn++) {
		bool right = g->right_first != (turn == 1);
		const struct kt_guard_side *s = right ? &g->right : &g->left;
		size_t n = right ? text.len - to : from;
		if (s->steps && n && !side_allows(s, text.p + (right ? to : from - 1), n, right ? 1 : -1))
			return false;
	}
	return true;
}
