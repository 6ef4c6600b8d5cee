/* Which group each unit of evidence stands for.
 *
 * For: the assignment with the largest sum. Units of one weight are equally
 * good anywhere, so placing them heaviest first, moving earlier ones where that
 * makes room, is exact. Against: each group costs its heaviest unit; the
 * cheapest assignment is a small weighted cover, found over sets of units.
 */
#include <stdlib.h>
#include <string.h>

#include "core/eval.h"

#include "base/banned.h"

/* Units against in one cause beyond this many, the lightest, are placed where
 * they cost least at that moment: exact would take 2^n steps. */
#define COVER_MAX 12u

struct groups {
	uint32_t *p, n;
};

/* The first MOST groups of each part: a unit with as many groups as there are
 * units finds a place among them in any case. */
static struct groups groups_of(const struct kt_standing *x, const struct kt_unit *u, uint32_t most,
			       struct kt_arena *a)
{
	uint32_t parts = 0, n = 0;

	for (const struct kt_part *p = u->parts; p; p = p->next)
		parts++;
	uint32_t *v = KT_NEW_N(a, uint32_t, (size_t)parts * most);
	for (const struct kt_part *p = u->parts; p; p = p->next) {
		uint32_t taken = 0;
		for (uint32_t i = 0; i < p->hits.n && taken < most; i++) {
			const struct kt_hit *h = &p->hits.p[i];
			if (!kt_counts(x->drop[0], h) || (taken && v[n - 1] == h->group))
				continue;
			v[n++] = h->group;
			taken++;
		}
	}
	return (struct groups){v, kt_unique(v, n)};
}

struct matching {
	struct groups *of; /* of each unit, as rows of all */
	struct groups all;
	uint32_t *owner;    /* unit at each, or KT_NIL */
	uint32_t *found_by; /* while looking: the unit that reached it */
	uint32_t *queue;
};

static uint32_t row_of(const struct groups *all, uint32_t group)
{
	const uint32_t *hit = bsearch(&group, all->p, all->n, sizeof group, kt_by_u32);

	return (uint32_t)(hit - all->p);
}

/* Moves the owners along the way that led to GROUP. */
static void shift(struct matching *m, uint32_t unit, uint32_t group, uint32_t *stands)
{
	for (;;) {
		uint32_t by = m->found_by[group], before = stands[by];
		m->owner[group] = by;
		stands[by] = group;
		if (by == unit)
			return;
		group = before;
	}
}

/* Breadth first, from the unit over groups and their owners to a free group. */
static bool place(struct matching *m, uint32_t unit, uint32_t *stands)
{
	uint32_t head = 0, tail = 0;

	for (uint32_t i = 0; i < m->all.n; i++)
		m->found_by[i] = KT_NIL;
	m->queue[tail++] = unit;
	while (head < tail) {
		uint32_t u = m->queue[head++];
		for (uint32_t i = 0; i < m->of[u].n; i++) {
			uint32_t g = m->of[u].p[i];
			if (m->found_by[g] != KT_NIL)
				continue;
			m->found_by[g] = u;
			if (m->owner[g] == KT_NIL) {
				shift(m, unit, g, stands);
				return true;
			}
			m->queue[tail++] = m->owner[g];
		}
	}
	return false;
}

static void prepare(struct matching *m, const struct kt_standing *x, struct kt_arena *a)
{
	uint32_t n = x->n_units[0], total = 0;

	m->of = KT_NEW_N(a, struct groups, n);
	for (uint32_t i = 0; i < n; i++) {
		m->of[i] = groups_of(x, &x->units[0][i], n, a);
		total += m->of[i].n;
	}
	m->all.p = KT_NEW_N(a, uint32_t, total);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < m->of[i].n; j++)
			m->all.p[m->all.n++] = m->of[i].p[j];
	m->all.n = kt_unique(m->all.p, m->all.n);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < m->of[i].n; j++)
			m->of[i].p[j] = row_of(&m->all, m->of[i].p[j]);
	m->owner = KT_NEW_N(a, uint32_t, m->all.n);
	m->found_by = KT_NEW_N(a, uint32_t, m->all.n);
	m->queue = KT_NEW_N(a, uint32_t, m->all.n + 1);
	for (uint32_t i = 0; i < m->all.n; i++)
		m->owner[i] = KT_NIL;
}

static int match(struct kt_standing *x, struct kt_arena *a)
{
	struct matching m = {0};
	uint32_t n = x->n_units[0];
	uint32_t *stands = KT_NEW_N(a, uint32_t, n);
	int sum = 0;

	prepare(&m, x, a);
	for (uint32_t i = 0; i < n; i++)
		stands[i] = KT_NIL;
	for (uint32_t i = 0; i < n; i++)
		if (place(&m, i, stands))
			sum += x->units[0][i].ddb;
	for (uint32_t i = 0; i < n; i++) {
		struct kt_unit *u = &x->units[0][i];
		u->counted = stands[i] != KT_NIL;
		u->group = u->counted ? m.all.p[stands[i]] : KT_NIL;
	}
	return sum;
}

static uint32_t first_group(const bool *drop, const struct kt_unit *u)
{
	uint32_t least = KT_NIL;

	for (const struct kt_part *p = u->parts; p; p = p->next)
		for (uint32_t i = 0; i < p->hits.n; i++) {
			if (!kt_counts(drop, &p->hits.p[i]))
				continue;
			if (p->hits.p[i].group < least)
				least = p->hits.p[i].group;
			break; /* sorted */
		}
	return least;
}

static int alone(const bool *drop, struct kt_unit *u)
{
	u->group = first_group(drop, u);
	u->counted = u->group != KT_NIL;
	return u->counted ? u->ddb : 0;
}

int kt_sum_for(struct kt_standing *x)
{
	if (x->n_units[0] == 0)
		return 0;
	if (x->n_units[0] == 1)
		return alone(x->drop[0], &x->units[0][0]);
	struct kt_arena a = {0};
	int sum = match(x, &a);
	kt_arena_free(&a);
	return sum;
}

/* Against. A set of units is a mask, bit i the i-th heaviest. */
struct cover {
	uint32_t n;       /* units */
	uint32_t *masks;  /* sets of units that share a group, each once */
	uint32_t *groups; /* the first group of each */
	uint32_t n_masks;
	int *cost;      /* of covering the rest of each set */
	uint32_t *step; /* row of masks to take there */
};

struct spot {
	uint32_t group, bit;
};

static int by_spot(const void *p, const void *q)
{
	const struct spot *a = p, *b = q;

	return (a->group > b->group) - (a->group < b->group);
}

static struct spot *spots_of(const struct kt_standing *x, uint32_t n, struct kt_arena *a, uint32_t *n_spots)
{
	uint32_t total = 0, m = 0;

	for (uint32_t i = 0; i < n; i++)
		for (const struct kt_part *p = x->units[1][i].parts; p; p = p->next)
			total += p->hits.n;
	struct spot *s = KT_NEW_N(a, struct spot, total);
	for (uint32_t i = 0; i < n; i++)
		for (const struct kt_part *p = x->units[1][i].parts; p; p = p->next)
			for (uint32_t h = 0; h < p->hits.n; h++)
				if (kt_counts(x->drop[1], &p->hits.p[h]))
					s[m++] = (struct spot){p->hits.p[h].group, 1u << i};
	if (m)
		qsort(s, m, sizeof *s, by_spot);
	*n_spots = m;
	return s;
}

static void collect_masks(struct cover *c, const struct spot *s, uint32_t n_spots, struct kt_arena *a)
{
	bool *seen = KT_NEW_N(a, bool, (size_t)1 << c->n);

	c->masks = KT_NEW_N(a, uint32_t, (size_t)1 << c->n);
	c->groups = KT_NEW_N(a, uint32_t, (size_t)1 << c->n);
	for (uint32_t i = 0, end; i < n_spots; i = end) {
		uint32_t mask = 0;
		for (end = i; end < n_spots && s[end].group == s[i].group; end++)
			mask |= s[end].bit;
		if (seen[mask])
			continue;
		seen[mask] = true;
		c->masks[c->n_masks] = mask;
		c->groups[c->n_masks++] = s[i].group;
	}
}

/* The heaviest unit that is left pays for its group; lighter ones there are free. */
static void solve(struct cover *c, const struct kt_unit *units, uint32_t reach, struct kt_arena *a)
{
	c->cost = KT_NEW_N(a, int, (size_t)reach + 1);
	c->step = KT_NEW_N(a, uint32_t, (size_t)reach + 1);
	for (uint32_t done = reach; done-- > 0;) {
		uint32_t left = reach & ~done, unit = 0;
		if (done & ~reach)
			continue;
		while (!(left >> unit & 1))
			unit++;
		c->cost[done] = INT32_MIN;
		for (uint32_t i = 0; i < c->n_masks; i++) {
			if (!(c->masks[i] >> unit & 1))
				continue;
			int cost = units[unit].ddb + c->cost[(done | c->masks[i]) & reach];
			if (cost > c->cost[done]) {
				c->cost[done] = cost;
				c->step[done] = i;
			}
		}
	}
}

static void write_down(const struct cover *c, struct kt_unit *units, uint32_t reach)
{
	for (uint32_t done = 0; done != reach;) {
		uint32_t i = c->step[done], fresh = c->masks[i] & ~done & reach;
		bool first = true;
		for (uint32_t u = 0; u < c->n; u++) {
			if (!(fresh >> u & 1))
				continue;
			units[u].group = c->groups[i];
			units[u].counted = first;
			first = false;
		}
		done |= fresh;
	}
}

/* Units beyond the limit: free where a group is paid for, else by themselves. */
static int place_rest(struct kt_standing *x, uint32_t from)
{
	int sum = 0;

	for (uint32_t i = from; i < x->n_units[1]; i++) {
		struct kt_unit *u = &x->units[1][i];
		for (uint32_t j = 0; j < i && u->group == KT_NIL; j++)
			for (const struct kt_part *p = u->parts; p; p = p->next)
				for (uint32_t h = 0; h < p->hits.n; h++)
					if (kt_counts(x->drop[1], &p->hits.p[h]) &&
					    p->hits.p[h].group == x->units[1][j].group)
						u->group = p->hits.p[h].group;
		if (u->group == KT_NIL)
			sum += alone(x->drop[1], u);
	}
	return sum;
}

static int cover(struct kt_standing *x, struct kt_arena *a)
{
	struct cover c = {.n = x->n_units[1] < COVER_MAX ? x->n_units[1] : COVER_MAX};
	struct kt_unit *units = x->units[1];
	uint32_t n_spots, reach = 0;
	struct spot *spots = spots_of(x, c.n, a, &n_spots);

	for (uint32_t i = 0; i < x->n_units[1]; i++) {
		units[i].group = KT_NIL;
		units[i].counted = false;
	}
	for (uint32_t i = 0; i < n_spots; i++)
		reach |= spots[i].bit;
	collect_masks(&c, spots, n_spots, a);
	solve(&c, units, reach, a);
	if (reach)
		write_down(&c, units, reach);
	return (reach ? c.cost[0] : 0) + place_rest(x, c.n);
}

int kt_sum_against(struct kt_standing *x)
{
	if (x->n_units[1] == 0)
		return 0;
	if (x->n_units[1] == 1)
		return alone(x->drop[1], &x->units[1][0]);
	struct kt_arena a = {0};
	int sum = cover(x, &a);
	kt_arena_free(&a);
	return sum;
}
