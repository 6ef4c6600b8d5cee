/* How long judging and ranking the next check take as the base grows.
 *
 * Prints the best of several rounds for two sizes and their ratio: what depends
 * on the machine cancels there. Every cause is in the running: nothing specific
 * is known, so that OTHER's mass is spread over all of them.
 *
 *     bench_rank [ROUNDS]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/build.h"
#include "core/plan.h"

#include "base/banned.h"

struct size {
	uint32_t causes, checks;
};

static uint64_t state = 7;

static uint32_t below(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)((state >> 33) % n);
}

static struct kt_ref named(struct kt_kbb *b, const char *kind, uint32_t i)
{
	char name[32];
	int n = snprintf(name, sizeof name, "%s%05u", kind, i);

	return kt_kbb_text(b, (struct kt_str){name, (size_t)n});
}

static uint32_t log_item(struct kt_kbb *b, const char *kind, uint32_t i)
{
	struct kt_ref text = named(b, kind, i);
	uint32_t p = kt_kbb_pattern(b, kt_kb_text(kt_kbb_kb(b), text));

	return kt_kbb_item(b, &(struct kt_item){KT_ITEM_LOG, p, KT_NIL, KT_NIL, 0, KT_NIL, text});
}

/* MODE and CHECK make the item: an item of a check is shared by some causes. */
static uint32_t show_item(struct kt_kbb *b, uint32_t check)
{
	return kt_kbb_item(b, &(struct kt_item){KT_ITEM_SHOW, KT_NIL, check, KT_NIL, below(2), KT_NIL,
						named(b, "show", check)});
}

static void add_cause(struct kt_kbb *b, uint32_t i, struct size size)
{
	struct kt_evidence rows[] = {
		{.item = log_item(b, "own", i), .weight = KT_W_STRONG},
		{.item = log_item(b, "shared", i % 40), .weight = KT_W_SUGGESTS},
		{.item = show_item(b, below(size.checks)),
		 .weight = KT_W_STRONG,
		 .absent = KT_W_ARGUES_AGAINST},
		{.item = show_item(b, below(size.checks)), .weight = KT_W_SUGGESTS},
	};
	struct kt_span span = {kt_kbb_kb(b)->n_evidence, KT_LEN(rows)};

	for (size_t k = 0; k < KT_LEN(rows); k++)
		kt_kbb_add_evidence(b, &rows[k]);
	kt_kbb_add_causes(b, &(struct kt_cause){.id = named(b, "cause", i),
						.prior = i % 3,
						.gate = KT_NIL,
						.verify_item = KT_NIL,
						.pack = KT_NIL,
						.evidence = span});
}

static struct kt_kbb *base_of(struct size size)
{
	struct kt_kbb *b = kt_kbb_new();

	for (uint32_t i = 0; i < size.checks; i++)
		kt_kbb_add_checks(
			b, &(struct kt_check){.id = named(b, "check", i), .cost_s = 1 + i % 30, .order = i});
	for (uint32_t i = 0; i < size.causes; i++)
		add_cause(b, i, size);
	return b;
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

struct times {
	double judge_ms, plan_ms;
	size_t steps;
	uint32_t first;
};

static void once(const struct kt_kb *kb, struct times *best)
{
	struct kt_rec rec = {.quotes = KT_NIL, .fault = KT_S("f"), .cls = KT_S("x.Y")};
	struct kt_obs obs[] = {
		{.kind = KT_OBS_CONNECTED, .item = KT_NIL, .fact = KT_NIL},
		{.kind = KT_OBS_HIT, .item = kb->evidence[1].item, .fact = KT_NIL, .rec = &rec},
	};
	struct kt_arena a = {0};
	struct kt_judgement j;
	struct kt_plan plan;
	double t0 = now_ms();

	kt_judge(kb, obs, KT_LEN(obs), &a, &j);
	double t1 = now_ms();
	kt_plan(kb, obs, KT_LEN(obs), &j, &a, &plan);
	double t2 = now_ms();
	if (t1 - t0 < best->judge_ms)
		best->judge_ms = t1 - t0;
	if (t2 - t1 < best->plan_ms)
		best->plan_ms = t2 - t1;
	best->steps = plan.n;
	best->first = plan.n ? plan.steps[0].gain_1024 : 0;
	kt_arena_free(&a);
}

static struct times measure(struct size size, long rounds)
{
	struct kt_kbb *b = base_of(size);
	struct times best = {.judge_ms = 1e9, .plan_ms = 1e9};

	for (long i = 0; i < rounds; i++)
		once(kt_kbb_kb(b), &best);
	kt_kbb_free(b);
	printf("%5u causes x %3u checks: judge %.3f ms, plan %.3f ms, %zu steps, best gain %u/1024 bit\n",
	       size.causes, size.checks, best.judge_ms, best.plan_ms, best.steps, best.first);
	return best;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 20;
	struct times small = measure((struct size){300, 200}, rounds);
	struct times large = measure((struct size){2000, 500}, rounds);

	printf("plan, large against small: %.1f times (the product of sizes grows 16.7 times)\n",
	       large.plan_ms / small.plan_ms);
	return 0;
}
