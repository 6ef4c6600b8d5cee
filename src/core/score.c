/* Sums, who is evoked, OTHER, and P. */
#include <stdlib.h>

#include "core/eval.h"

#include "base/banned.h"

#define ONE        UINT64_C(1000000000000)
#define FLOOR_DDB  1200 /* so far below the largest a cause has no weight */
#define OTHER_DDB  100
#define MARGIN_MAX 2000

static const uint64_t powers[100] = {
	/* floor(10^12 * 10^(-i/100)) */
	1000000000000ull, 977237220955ull, 954992586021ull, 933254300796ull, 912010839355ull, 891250938133ull,
	870963589956ull,  851138038202ull, 831763771102ull, 812830516164ull, 794328234724ull, 776247116628ull,
	758577575029ull,  741310241300ull, 724435960074ull, 707945784384ull, 691830970918ull, 676082975391ull,
	660693448007ull,  645654229034ull, 630957344480ull, 616595001861ull, 602559586074ull, 588843655355ull,
	575439937337ull,  562341325190ull, 549540873857ull, 537031796370ull, 524807460249ull, 512861383991ull,
	501187233627ull,  489778819368ull, 478630092322ull, 467735141287ull, 457088189614ull, 446683592150ull,
	436515832240ull,  426579518801ull, 416869383470ull, 407380277804ull, 398107170553ull, 389045144994ull,
	380189396320ull,  371535229097ull, 363078054770ull, 354813389233ull, 346736850452ull, 338844156139ull,
	331131121482ull,  323593656929ull, 316227766016ull, 309029543251ull, 301995172040ull, 295120922666ull,
	288403150312ull,  281838293126ull, 275422870333ull, 269153480392ull, 263026799189ull, 257039578276ull,
	251188643150ull,  245470891568ull, 239883291901ull, 234422881531ull, 229086765276ull, 223872113856ull,
	218776162394ull,  213796208950ull, 208929613085ull, 204173794466ull, 199526231496ull, 194984459975ull,
	190546071796ull,  186208713666ull, 181970085860ull, 177827941003ull, 173780082874ull, 169824365246ull,
	165958690743ull,  162181009735ull, 158489319246ull, 154881661891ull, 151356124843ull, 147910838816ull,
	144543977074ull,  141253754462ull, 138038426460ull, 134896288259ull, 131825673855ull, 128824955169ull,
	125892541179ull,  123026877081ull, 120226443461ull, 117489755493ull, 114815362149ull, 112201845430ull,
	109647819614ull,  107151930523ull, 104712854805ull, 102329299228ull,
};

uint64_t kt_pow_neg(uint32_t ddb)
{
	uint64_t v = powers[ddb % 100];

	for (uint32_t i = ddb / 100; i && v; i--)
		v /= 10;
	return v;
}

uint32_t kt_milli(uint64_t part, uint64_t total)
{
	return total ? (uint32_t)(((kt_u128)2000 * part + total) / ((kt_u128)2 * total)) : 0;
}

static int lead_ddb(uint64_t a, uint64_t b)
{
	int lo = 0, hi = MARGIN_MAX;

	while (lo < hi) { /* the largest d that a still reaches b with */
		int mid = (lo + hi + 1) / 2;
		if ((kt_u128)a * kt_pow_neg((uint32_t)mid) >= (kt_u128)b * ONE)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

int kt_margin(uint64_t a, uint64_t b)
{
	return a >= b ? lead_ddb(a, b) : -lead_ddb(b, a);
}

static void sum_up(struct kt_run *r, struct kt_standing *x)
{
	x->sum = kt_sum_for(x) + kt_sum_against(x);
	x->s = x->sum + kt_prior_ddb((enum kt_prior)r->base->kb->causes[x->cause].prior);
	x->evoked = !x->excluded && x->sum >= KT_EVOKES_DDB;
}

struct marks {
	const struct kt_base *b;
	bool *faults; /* may be NULL */
	bool *places; /* may be NULL */
};

static void mark(void *ctx, const struct kt_part *p, const struct kt_hit *h)
{
	struct marks *m = ctx;

	(void)p;
	if (m->faults && h->group < m->b->n_faults)
		m->faults[h->group] = true;
	if (m->places)
		m->places[kt_place(m->b, h)] = true;
}

static bool rivals(const struct kt_standing *x)
{
	return x->evoked && !x->carrier;
}

/* Groups that a carrier leaves: all once a cause is known by something specific;
 * else the faults in which another has an item that evokes. What speaks against it
 * stays: an item for another cause must not raise a carrier. */
static bool *left_by_carriers(struct kt_run *r)
{
	bool *drop = KT_NEW_N(r->a, bool, r->base->n_groups);
	struct marks m = {.b = r->base, .faults = drop};

	for (uint32_t i = 0; i < r->n; i++)
		if (rivals(&r->standing[i]))
			kt_each_hit(&r->standing[i], KT_EVOKES_DDB, mark, &m);
	for (uint32_t g = 0; g < r->base->n_groups; g++)
		drop[g] = drop[g] || r->known || (r->gone && r->gone[g]);
	return drop;
}

static void yield_one(struct kt_run *r, struct kt_standing *x, bool *drop)
{
	if (x->lost) {
		bool *own = KT_NEW_N(r->a, bool, r->base->n_groups);
		for (uint32_t g = 0; g < r->base->n_groups; g++)
			own[g] = drop[g] || x->lost[g];
		drop = own;
	}
	kt_yield(x, drop);
	sum_up(r, x);
}

static void yield_carriers(struct kt_run *r)
{
	bool *drop = NULL;

	for (uint32_t i = 0; i < r->n; i++) {
		struct kt_standing *x = &r->standing[i];
		if (!x->carrier || x->excluded)
			continue;
		if (!drop)
			drop = left_by_carriers(r);
		yield_one(r, x, drop);
	}
}

/* A carrier explains its fault even where it yielded. */
static void mark_carried(struct kt_run *r)
{
	struct marks m = {.b = r->base, .faults = r->explained};

	for (uint32_t i = 0; i < r->n; i++)
		if (r->standing[i].carrier && !r->standing[i].excluded)
			kt_each_hit(&r->standing[i], 1, mark, &m);
}

static void mark_specific(struct kt_run *r)
{
	for (uint32_t i = 0; i < r->n; i++) {
		const struct kt_standing *x = &r->standing[i];
		struct marks m = {
			.b = r->base, .faults = r->explained, .places = x->carrier ? NULL : r->specific};
		if (x->evoked)
			kt_each_hit(x, KT_SPECIFIC_DDB, mark, &m);
	}
}

static bool fatal_left(const struct kt_run *r)
{
	const struct kt_base *b = r->base;

	for (size_t i = 0; i < b->n_fatal; i++) {
		uint32_t fault = b->fault[b->fatal[i]];
		if (!r->explained[fault] && !(r->gone && r->gone[fault]))
			return true;
	}
	return false;
}

static void weigh(struct kt_run *r)
{
	int top = r->other_s;

	for (uint32_t i = 0; i < r->n; i++)
		if (r->standing[i].evoked && r->standing[i].s > top)
			top = r->standing[i].s;
	r->other_weight = top - r->other_s <= FLOOR_DDB ? kt_pow_neg((uint32_t)(top - r->other_s)) : 0;
	r->total = r->other_weight;
	for (uint32_t i = 0; i < r->n; i++) {
		struct kt_standing *x = &r->standing[i];
		if (!x->evoked)
			continue;
		x->weight = top - x->s <= FLOOR_DDB ? kt_pow_neg((uint32_t)(top - x->s)) : 0;
		r->total += x->weight;
	}
}

struct rank {
	const struct kt_standing *x;
	uint32_t row;
};

static int by_rank(const void *p, const void *q)
{
	const struct kt_standing *a = ((const struct rank *)p)->x, *b = ((const struct rank *)q)->x;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return kt_str_cmp(a->id, b->id);
}

/* By fix; within it the leading cause first. */
static int by_fix(const void *p, const void *q)
{
	const struct kt_standing *a = ((const struct rank *)p)->x, *b = ((const struct rank *)q)->x;
	int c = kt_str_cmp(a->fix, b->fix);

	if (c)
		return c;
	if (a->s != b->s)
		return a->s > b->s ? -1 : 1;
	return kt_str_cmp(a->id, b->id);
}

static void take_fix(struct kt_run *r, uint32_t row)
{
	struct kt_standing *x = &r->standing[row];
	struct kt_fixsum *f = r->n_fixes ? &r->fixes[r->n_fixes - 1] : NULL;

	if (!f || !kt_str_eq(f->fix, x->fix)) {
		f = &r->fixes[r->n_fixes++];
		*f = (struct kt_fixsum){.fix = x->fix, .lead = row, .lead_plain = KT_NIL};
	}
	f->weight += x->weight;
	if (f->lead_plain == KT_NIL && !x->carrier)
		f->lead_plain = row;
	x->fix_row = r->n_fixes - 1;
}

static void rank(struct kt_run *r)
{
	struct rank *ranks = KT_NEW_N(r->a, struct rank, r->n);

	for (uint32_t i = 0; i < r->n; i++)
		if (r->standing[i].evoked)
			ranks[r->n_evoked++] = (struct rank){&r->standing[i], i};
	r->evoked = KT_NEW_N(r->a, uint32_t, r->n_evoked);
	r->fixes = KT_NEW_N(r->a, struct kt_fixsum, r->n_evoked);
	r->best = KT_NIL;
	if (!r->n_evoked)
		return;
	qsort(ranks, r->n_evoked, sizeof *ranks, by_rank);
	for (uint32_t i = 0; i < r->n_evoked; i++)
		r->evoked[i] = ranks[i].row;
	qsort(ranks, r->n_evoked, sizeof *ranks, by_fix);
	for (uint32_t i = 0; i < r->n_evoked; i++)
		take_fix(r, ranks[i].row);
	r->best = 0;
	for (uint32_t i = 1; i < r->n_fixes; i++)
		if (r->fixes[i].weight > r->fixes[r->best].weight)
			r->best = i;
}

void kt_score(struct kt_run *r)
{
	r->explained = KT_NEW_N(r->a, bool, r->base->n_faults);
	r->specific = KT_NEW_N(r->a, bool, r->base->n_groups);
	for (uint32_t i = 0; i < r->n; i++)
		sum_up(r, &r->standing[i]);
	mark_carried(r);
	for (uint32_t i = 0; i < r->n && !r->known; i++)
		r->known = rivals(&r->standing[i]) && kt_has(&r->standing[i], KT_SPECIFIC_DDB);
	yield_carriers(r);
	mark_specific(r);
	r->other_s = OTHER_DDB + (fatal_left(r) ? OTHER_DDB : 0);
	weigh(r);
	rank(r);
}
