/* What must hold for every knowledge base and every list of observations. */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "core/cond.h"
#include "world.h"

#define SEEDS 1500u

static struct kt_buf digest_of(const struct world *w, unsigned what)
{
	struct kt_buf out = KT_BUF(KT_BUF_TEXT);

	world_digest(w, w->obs, w->n, what, &out);
	return out;
}

static void same(struct world *w, const struct kt_buf *before, unsigned what, uint64_t seed, const char *why)
{
	struct kt_buf after = digest_of(w, what);

	cr_assert(kt_str_eq(kt_buf_view(before), kt_buf_view(&after)),
		  "seed %lu: %s\n--- before\n%s--- after\n%s", (unsigned long)seed, why, kt_buf_c(before),
		  kt_buf_c(&after));
	kt_buf_free(&after);
}

static void judge(const struct world *w, struct kt_arena *a, struct kt_judgement *j)
{
	kt_judge(w->kb, w->obs, w->n, a, j);
}

static void shuffle(struct world *w)
{
	for (size_t i = w->n; i > 1; i--) {
		size_t k = world_below(w, (uint32_t)i);
		struct kt_obs o = w->obs[i - 1];
		w->obs[i - 1] = w->obs[k];
		w->obs[k] = o;
	}
}

#define FOR_WORLDS(w, seed)                            \
	for (uint64_t seed = 1; seed <= SEEDS; seed++) \
		for (bool once_ = (world_make(w, seed, false), true); once_; once_ = (world_free(w), false))

static struct world w;

/* The tests below mean something only if the worlds reach the verdicts. */
Test(properties, worlds_reach_everything)
{
	unsigned verdicts[5] = {0}, problems = 0, gates = 0, conflicts = 0, varies = 0, assumed = 0,
		 carriers = 0;

	FOR_WORLDS(&w, seed)
	{
		struct kt_arena a = {0};
		struct kt_judgement j;
		judge(&w, &a, &j);
		verdicts[j.verdict]++;
		problems += j.n_problems > 0;
		for (size_t i = 0; i < j.n_conflicts; i++) {
			gates += j.conflicts[i].excluded_cause != KT_NIL;
			conflicts += j.conflicts[i].excluded_cause == KT_NIL;
		}
		varies += j.facts[1].state == KT_FS_VARIES;
		assumed += j.facts[1].state == KT_FS_ASSUMED;
		carriers += j.lead != KT_NIL && w.kb->causes[j.lead].carrier;
		kt_arena_free(&a);
	}
	for (int v = 0; v < 5; v++)
		cr_expect(20 < verdicts[v], "verdict %d: %u", v, verdicts[v]);
	cr_expect(20 < problems && 20 < gates && 20 < conflicts, "%u %u %u", problems, gates, conflicts);
	cr_expect(20 < varies && 20 < assumed && 20 < carriers, "%u %u %u", varies, assumed, carriers);
}

Test(properties, order_of_observations_does_not_matter)
{
	FOR_WORLDS(&w, seed)
	{
		struct kt_buf before = digest_of(&w, DIGEST_NEXT | DIGEST_HITS);
		shuffle(&w);
		same(&w, &before, DIGEST_NEXT | DIGEST_HITS, seed, "shuffled");
		kt_buf_free(&before);
	}
}

Test(properties, order_of_causes_does_not_matter)
{
	static struct world back;

	FOR_WORLDS(&w, seed)
	{
		struct kt_buf before = digest_of(&w, DIGEST_NEXT | DIGEST_HITS);
		world_make(&back, seed, true);
		same(&back, &before, DIGEST_NEXT | DIGEST_HITS, seed, "causes reversed");
		world_free(&back);
		kt_buf_free(&before);
	}
}

Test(properties, taking_back_is_identity)
{
	FOR_WORLDS(&w, seed)
	{
		struct kt_buf before = digest_of(&w, DIGEST_NEXT | DIGEST_HITS);
		size_t n = w.n;
		world_add(&w, world_hit(&w, world_item_row(&w, &w.causes[0].items[0]), &w.recs[0]));
		struct kt_buf with = digest_of(&w, DIGEST_HITS);
		w.n = n;
		same(&w, &before, DIGEST_NEXT | DIGEST_HITS, seed, "taken back");
		kt_buf_free(&before);
		kt_buf_free(&with);
	}
}

/* A record that may carry one more hit without joining faults. */
static struct kt_rec *quiet_rec(struct world *x)
{
	if (world_chance(x, 50))
		for (size_t i = 0; i < x->n; i++)
			if (x->obs[i].kind == KT_OBS_HIT && world_chance(x, 50))
				return &x->recs[x->obs[i].rec->id];
	return world_rec(x);
}

static size_t rank_of(const struct kt_judgement *j, uint32_t cause)
{
	for (size_t i = 0; i < j->n_evoked; i++)
		if (j->evoked[i] == cause)
			return i;
	return SIZE_MAX;
}

/* A log item for this cause that no other has. */
static const struct world_item *own_item(struct world *x, const struct world_cause *c)
{
	const struct world_item *it = &c->items[world_below(x, 3 < c->n ? 3 : c->n)];

	return it->kind == KT_ITEM_LOG && strcmp(it->name, "shared") != 0 &&
			       0 < kt_weight_ddb((enum kt_weight)it->weight)
		       ? it
		       : NULL;
}

Test(properties, evidence_for_one_cause_alone_never_lowers_its_rank)
{
	FOR_WORLDS(&w, seed)
	{
		struct kt_arena a = {0};
		struct kt_judgement before, after;
		uint32_t row = world_below(&w, w.n_causes);
		const struct world_cause *c = world_cause_of(&w, row);
		const struct world_item *it = own_item(&w, c);
		if (c->carrier || !it || it->absent)
			continue;
		judge(&w, &a, &before);
		world_add(&w, world_hit(&w, world_item_row(&w, it), quiet_rec(&w)));
		judge(&w, &a, &after);
		cr_assert(!(rank_of(&before, row) < rank_of(&after, row)),
			  "seed %lu: cause %s, item %s: rank %zu, then %zu", (unsigned long)seed, c->id,
			  it->name, rank_of(&before, row), rank_of(&after, row));
		kt_arena_free(&a);
	}
}

static bool counts_already(const struct world *x, const struct kt_cause_view *v, uint32_t item)
{
	for (size_t i = 0; i < v->n_addends; i++)
		if (x->kb->evidence[v->addends[i].evidence].item == item)
			return true;
	return false;
}

Test(properties, a_further_hit_never_lowers_s)
{
	unsigned tried = 0;

	FOR_WORLDS(&w, seed)
	{
		struct kt_arena a = {0};
		struct kt_judgement before, after;
		size_t i = 0;
		while (i < w.n && w.obs[i].kind != KT_OBS_HIT)
			i++;
		if (i == w.n)
			continue;
		uint32_t item = w.obs[i].item;
		judge(&w, &a, &before);
		world_add(&w, world_hit(&w, item, quiet_rec(&w)));
		judge(&w, &a, &after);
		for (uint32_t c = 0; c < w.n_causes; c++) {
			if (w.kb->causes[c].carrier || before.causes[c].excluded ||
			    !counts_already(&w, &before.causes[c], item))
				continue;
			tried++;
			cr_assert(!after.causes[c].excluded &&
					  !(after.causes[c].s_ddb < before.causes[c].s_ddb),
				  "seed %lu: cause %s: S %d, then %d", (unsigned long)seed,
				  world_cause_of(&w, c)->id, before.causes[c].s_ddb, after.causes[c].s_ddb);
		}
		kt_arena_free(&a);
	}
	cr_expect(500 < tried);
}

Test(properties, thirty_retries_give_the_bytes_of_one)
{
	FOR_WORLDS(&w, seed)
	{
		struct kt_buf before = digest_of(&w, DIGEST_NEXT);
		size_t i = 0;
		while (i < w.n &&
		       !(w.obs[i].kind == KT_OBS_HIT && w.obs[i].rec->cls.len && w.obs[i].rec->frame.len))
			i++;
		if (i < w.n) {
			static struct kt_rec copies[30];
			for (uint32_t k = 0; k < 30; k++) {
				copies[k] = *w.obs[i].rec;
				copies[k].id = 1000 + k;
				copies[k].at += 100 + k;
				world_add(&w, world_hit(&w, w.obs[i].item, &copies[k]));
			}
			same(&w, &before, DIGEST_NEXT, seed, "thirty retries");
		}
		kt_buf_free(&before);
	}
}

Test(properties, unknown_equals_not_asked_but_for_next)
{
	FOR_WORLDS(&w, seed)
	{
		struct kt_buf before = digest_of(&w, DIGEST_HITS);
		uint32_t fact = world_below(&w, w.kb->n_facts);
		struct kt_obs o = {.kind = KT_OBS_FACT,
				   .item = KT_NIL,
				   .fact = fact,
				   .state = KT_STATE_UNKNOWN,
				   .source = KT_S("answer")};
		if (world_chance(&w, 30))
			o.scope = KT_S("o1");
		world_add(&w, o);
		same(&w, &before, DIGEST_HITS, seed, "unknown");
		kt_buf_free(&before);
	}
}

Test(properties, failed_and_unknown_items_never_count_as_absent)
{
	FOR_WORLDS(&w, seed)
	{
		struct kt_buf before = digest_of(&w, DIGEST_HITS);
		size_t n = 0;
		for (size_t i = 0; i < w.n; i++)
			if (w.obs[i].kind != KT_OBS_SHOW || w.obs[i].state == KT_STATE_PRESENT ||
			    w.obs[i].state == KT_STATE_ABSENT)
				w.obs[n++] = w.obs[i];
		w.n = n;
		same(&w, &before, DIGEST_HITS, seed, "without what failed");
		kt_buf_free(&before);
	}
}

static bool is_known(const struct kt_judgement *j)
{
	for (size_t i = 0; i < j->n_evoked; i++) {
		const struct kt_cause_view *v = &j->causes[j->evoked[i]];
		for (size_t k = 0; k < v->n_addends && !w.kb->causes[v->cause].carrier; k++)
			if (200 <= v->addends[k].ddb)
				return true;
	}
	return false;
}

Test(properties, forty_causes_that_share_a_hint_change_nothing)
{
	FOR_WORLDS(&w, seed)
	{
		struct kt_arena a = {0};
		struct kt_judgement j;
		size_t i = 0;
		while (i < w.n && w.obs[i].kind != KT_OBS_HIT)
			i++;
		if (i == w.n)
			continue;
		judge(&w, &a, &j);
		unsigned what = is_known(&j) ? DIGEST_HITS | DIGEST_NEXT : DIGEST_HITS;
		struct kt_buf before = digest_of(&w, what);
		world_add_hinted(&w, 40, w.obs[i].item);
		same(&w, &before, what, seed, "40 hinted causes");
		kt_buf_free(&before);
		kt_arena_free(&a);
	}
}

Test(properties, five_thousand_idle_causes_change_nothing)
{
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct kt_arena a = {0};
		struct kt_judgement j;
		world_make(&w, seed, false);
		judge(&w, &a, &j);
		unsigned what = is_known(&j) ? DIGEST_HITS | DIGEST_NEXT : DIGEST_HITS;
		struct kt_buf before = digest_of(&w, what);
		world_add_idle(&w, 5000);
		same(&w, &before, what, seed, "5,000 idle causes");
		kt_buf_free(&before);
		kt_arena_free(&a);
		world_free(&w);
	}
}

Test(properties, p_sums_to_one_and_other_is_never_excluded)
{
	FOR_WORLDS(&w, seed)
	{
		struct kt_arena a = {0};
		struct kt_judgement j;
		judge(&w, &a, &j);
		uint32_t sum = j.other_p_milli;
		uint64_t weights = j.other_weight;
		for (size_t i = 0; i < j.n_evoked; i++) {
			sum += j.causes[j.evoked[i]].p_milli;
			weights += j.causes[j.evoked[i]].weight;
		}
		cr_assert(abs((int)sum - 1000) < 2 + (int)j.n_evoked, "seed %lu: %u", (unsigned long)seed,
			  sum);
		cr_assert(weights == j.total_weight);
		cr_assert(j.other_s_ddb == 100 || j.other_s_ddb == 200);
		kt_arena_free(&a);
	}
}

static bool resolves(const struct kt_obs *o)
{
	return w.obs <= o && o < w.obs + w.n && 0 < o->source.len;
}

Test(properties, the_addends_are_the_sum_and_their_sources_resolve)
{
	FOR_WORLDS(&w, seed)
	{
		struct kt_arena a = {0};
		struct kt_judgement j;
		judge(&w, &a, &j);
		for (uint32_t c = 0; c < w.kb->n_causes; c++) {
			const struct kt_cause_view *v = &j.causes[c];
			int sum = kt_prior_ddb((enum kt_prior)w.kb->causes[c].prior);
			unsigned counted = 0;
			for (size_t i = 0; i < v->n_addends; i++) {
				cr_assert(resolves(v->addends[i].obs), "seed %lu", (unsigned long)seed);
				cr_assert(0 < v->addends[i].hits);
				sum += v->addends[i].counted ? v->addends[i].ddb : 0;
				counted += v->addends[i].counted;
			}
			cr_assert(sum == v->s_ddb, "seed %lu: cause %s: %d, not %d", (unsigned long)seed,
				  world_cause_of(&w, c)->id, sum, v->s_ddb);
			cr_assert(!v->evoked || 0 < counted);
		}
		kt_arena_free(&a);
	}
}

Test(properties, confirmed_never_rests_on_what_is_not_known)
{
	unsigned confirmed = 0;

	FOR_WORLDS(&w, seed)
	{
		struct kt_arena a = {0};
		struct kt_judgement j;
		judge(&w, &a, &j);
		if (j.verdict == KT_CONFIRMED && !j.n_problems) {
			const struct kt_cause_view *v = &j.causes[j.lead];
			confirmed++;
			cr_assert(!v->n_open_gates && !v->n_assumptions && !j.open_conflict);
			cr_assert(!w.kb->causes[j.lead].carrier && 0 < v->n_addends);
			cr_assert(!(j.fix_p_milli < 950));
			cr_assert(w.operations || kt_cond_eval(w.kb, w.kb->causes[j.lead].gate,
							       kt_judge_value, &j) == KT_TRUE,
				  "seed %lu: gate %s", (unsigned long)seed, world_cause_of(&w, j.lead)->gate);
		}
		kt_arena_free(&a);
	}
	cr_expect(50 < confirmed);
}

Test(properties, without_operations_excluded_is_a_false_gate)
{
	FOR_WORLDS(&w, seed)
	{
		struct kt_arena a = {0};
		struct kt_judgement j;
		judge(&w, &a, &j);
		for (uint32_t c = 0; c < w.kb->n_causes && !w.operations; c++) {
			enum kt_tri gate = kt_cond_eval(w.kb, w.kb->causes[c].gate, kt_judge_value, &j);
			cr_assert(j.causes[c].excluded == (gate == KT_FALSE), "seed %lu",
				  (unsigned long)seed);
		}
		kt_arena_free(&a);
	}
}

Test(properties, a_supporting_record_never_takes_confirmed_away_unless_it_opens_a_conflict)
{
	unsigned tried = 0;

	FOR_WORLDS(&w, seed)
	{
		struct kt_arena a = {0};
		struct kt_judgement before, after;
		judge(&w, &a, &before);
		bool sure = before.verdict == KT_CONFIRMED && !before.n_problems;
		const struct world_item *it = sure ? own_item(&w, world_cause_of(&w, before.lead)) : NULL;
		if (it && !it->absent) {
			tried++;
			world_add(&w, world_hit(&w, world_item_row(&w, it), quiet_rec(&w)));
			judge(&w, &a, &after);
			cr_assert(after.verdict == KT_CONFIRMED || after.open_conflict || after.n_problems,
				  "seed %lu: %s", (unsigned long)seed, kt_verdict_word(after.verdict));
		}
		kt_arena_free(&a);
	}
	cr_expect(30 < tried, "%u", tried);
}
