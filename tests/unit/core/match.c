/* The sums against every assignment there is. */
#include <criterion/criterion.h>

#include "core/judge.h"

#include "base/arena.h"

#define ITEMS  5
#define FAULTS 4

struct trial {
	struct kt_kbb *b;
	uint32_t weights[ITEMS];
	unsigned in[ITEMS]; /* bit f: hit in fault f; 0: not hit */
};

static uint64_t state;

static uint32_t below(uint32_t n)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(state >> 40) % n;
}

static void make(struct trial *t, bool against)
{
	static const uint32_t pos[] = {KT_W_PROVES, KT_W_STRONG, KT_W_SUGGESTS, KT_W_HINTS};
	static const uint32_t neg[] = {KT_W_STRONG_AGAINST, KT_W_ARGUES_AGAINST, KT_W_HINTS_AGAINST};

	t->b = kt_kbb_new();
	for (uint32_t i = 0; i < ITEMS; i++) {
		char name[2] = {(char)('a' + i), 0};
		struct kt_ref text = kt_kbb_text(t->b, kt_str_c(name));
		uint32_t p = kt_kbb_pattern(t->b, kt_str_c(name));
		t->weights[i] = against ? neg[below(3)] : pos[below(4)];
		t->in[i] = below(1 << FAULTS) & below(1 << FAULTS);
		uint32_t item = kt_kbb_item(
			t->b, &(struct kt_item){KT_ITEM_LOG, p, KT_NIL, KT_NIL, 0, KT_NIL, text});
		kt_kbb_add_evidence(t->b, &(struct kt_evidence){.item = item, .weight = t->weights[i]});
	}
	kt_kbb_add_causes(t->b, &(struct kt_cause){.id = kt_kbb_text(t->b, KT_S("c")),
						   .gate = KT_NIL,
						   .verify_item = KT_NIL,
						   .pack = KT_NIL,
						   .evidence = {0, ITEMS}});
}

static int judged(const struct trial *t)
{
	struct kt_rec recs[FAULTS];
	struct kt_obs obs[ITEMS * FAULTS];
	static const char *const names[] = {"w", "x", "y", "z"};
	struct kt_arena a = {0};
	struct kt_judgement j;
	size_t n = 0;

	for (uint32_t f = 0; f < FAULTS; f++)
		recs[f] = (struct kt_rec){
			.id = f, .fault = kt_str_c(names[f]), .quotes = KT_NIL, .source = KT_S("s")};
	for (uint32_t i = 0; i < ITEMS; i++)
		for (uint32_t f = 0; f < FAULTS; f++)
			if (t->in[i] >> f & 1)
				obs[n++] = (struct kt_obs){.kind = KT_OBS_HIT,
							   .item = i,
							   .fact = KT_NIL,
							   .rec = &recs[f],
							   .source = KT_S("s")};
	kt_judge(kt_kbb_kb(t->b), obs, n, &a, &j);
	int s = j.causes[0].s_ddb;
	kt_arena_free(&a);
	return s;
}

/* Best over items I and following, GROUP holding the strongest of each fault so far. */
static int best_from(const struct trial *t, uint32_t i, const int *group)
{
	int best = INT32_MIN, next[FAULTS];

	if (i == ITEMS) {
		int sum = 0;
		for (uint32_t f = 0; f < FAULTS; f++)
			sum += group[f];
		return sum;
	}
	if (!t->in[i])
		return best_from(t, i + 1, group);
	for (uint32_t f = 0; f < FAULTS; f++) {
		int w = kt_weight_ddb((enum kt_weight)t->weights[i]);
		if (!(t->in[i] >> f & 1))
			continue;
		for (uint32_t k = 0; k < FAULTS; k++)
			next[k] = group[k];
		if ((0 < w && next[f] < w) || (w < 0 && w < next[f]))
			next[f] = w;
		int s = best_from(t, i + 1, next);
		if (best < s)
			best = s;
	}
	return best;
}

static void try_all(bool against)
{
	static const int none[FAULTS] = {0};

	state = 5;
	for (int round = 0; round < 3000; round++) {
		struct trial t;
		make(&t, against);
		int want = best_from(&t, 0, none), got = judged(&t);
		cr_assert(want == got, "round %d: %d, not %d", round, got, want);
		kt_kbb_free(t.b);
	}
}

Test(match, for_is_the_largest_sum_of_all_assignments)
{
	try_all(false);
}

Test(match, against_is_the_assignment_that_costs_least)
{
	try_all(true);
}

/* Beyond the exact limit the sum is still a bound: each fault once. */
Test(match, many_items_against)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_rec rec = {.fault = KT_S("f"), .quotes = KT_NIL, .source = KT_S("s")};
	struct kt_obs obs[30];
	struct kt_arena a = {0};
	struct kt_judgement j;

	for (uint32_t i = 0; i < 30; i++) {
		char name[2] = {(char)('A' + i), 0};
		uint32_t p = kt_kbb_pattern(b, kt_str_c(name));
		uint32_t item = kt_kbb_item(b, &(struct kt_item){KT_ITEM_LOG, p, KT_NIL, KT_NIL, 0, KT_NIL,
								 kt_kbb_text(b, kt_str_c(name))});
		kt_kbb_add_evidence(
			b, &(struct kt_evidence){.item = item,
						 .weight = i % 2 ? KT_W_HINTS_AGAINST : KT_W_ARGUES_AGAINST});
		obs[i] = (struct kt_obs){
			.kind = KT_OBS_HIT, .item = item, .fact = KT_NIL, .rec = &rec, .source = KT_S("s")};
	}
	kt_kbb_add_causes(b, &(struct kt_cause){.id = kt_kbb_text(b, KT_S("c")),
						.gate = KT_NIL,
						.verify_item = KT_NIL,
						.pack = KT_NIL,
						.evidence = {0, 30}});
	kt_judge(kt_kbb_kb(b), obs, 30, &a, &j);
	cr_expect(j.causes[0].s_ddb == -100);
	kt_arena_free(&a);
	kt_kbb_free(b);
}
