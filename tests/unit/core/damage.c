/* A base whose tables were damaged: either the check refuses it, or judging with
 * it reads nothing out of bounds (the sanitizers watch) and comes to an end. */
#include <criterion/criterion.h>

#include <string.h>

#include "base/alloc.h"
#include "world.h"

static struct world w;

/* Exact copies: a read behind a table is a read behind an allocation. */
static struct kt_kb copy_of(const struct kt_kb *kb)
{
	struct kt_kb out = *kb;
	char *pool = kt_alloc(kb->pool.len);

	memcpy(pool, kb->pool.p, kb->pool.len);
	out.pool.p = pool;
#define X(name, type)                                                        \
	{                                                                    \
		type *rows = kt_alloc_n(kb->n_##name, sizeof(type));         \
		if (kb->n_##name)                                            \
			memcpy(rows, kb->name, kb->n_##name * sizeof(type)); \
		out.name = rows;                                             \
	}
	KT_TABLES(X)
#undef X
	return out;
}

static void free_copy(struct kt_kb *kb)
{
	kt_free((void *)(uintptr_t)kb->pool.p);
#define X(name, type) kt_free((void *)(uintptr_t)kb->name);
	KT_TABLES(X)
#undef X
}

/* One word of one row of a table. */
static void spoil(struct kt_kb *kb)
{
	uint32_t which = world_below(&w, 20), i = 0;
	static const uint32_t values[] = {0, 1, 2, 3, 5, 8, 13, 1000, UINT32_MAX, UINT32_MAX - 1, 1u << 31};

#define X(name, type)                                                                               \
	if (i++ == which && kb->n_##name) {                                                         \
		uint32_t *words = (uint32_t *)(uintptr_t)&kb->name[world_below(&w, kb->n_##name)];  \
		words[world_below(&w, sizeof(type) / 4)] = values[world_below(&w, KT_LEN(values))]; \
	}
	KT_TABLES(X)
#undef X
}

static bool judge_if_sound(const struct kt_kb *kb)
{
	struct kt_arena a = {0};
	struct kt_judgement j;
	struct kt_plan plan;

	if (kt_kb_check(kb, NULL) < 0)
		return false;
	kt_judge(kb, w.obs, w.n, &a, &j);
	kt_plan(kb, w.obs, w.n, &j, &a, &plan);
	kt_arena_free(&a);
	return true;
}

Test(damage, is_refused_or_harmless)
{
	unsigned refused = 0, harmless = 0;

	for (uint64_t seed = 1; seed <= 4000; seed++) {
		world_make(&w, seed, false);
		struct kt_kb kb = copy_of(w.kb);
		cr_assert(judge_if_sound(&kb), "seed %lu", (unsigned long)seed);
		for (uint32_t n = 1 + world_below(&w, 3); n-- > 0;)
			spoil(&kb);
		if (judge_if_sound(&kb))
			harmless++;
		else
			refused++;
		free_copy(&kb);
		world_free(&w);
	}
	cr_expect(500 < refused && 500 < harmless, "%u %u", refused, harmless);
}
