/* Records → faults. */
#include <stdlib.h>

#include "core/eval.h"

#include "base/banned.h"

struct row {
	const struct kt_rec *rec;
	uint32_t up; /* union-find: a row of the same fault */
};

static int cmp_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_id(const void *p, const void *q)
{
	const struct row *a = p, *b = q;

	return cmp_u64(a->rec->id, b->rec->id);
}

static uint32_t top(struct row *rows, uint32_t i)
{
	while (rows[i].up != i) {
		rows[i].up = rows[rows[i].up].up;
		i = rows[i].up;
	}
	return i;
}

/* The smaller row stays on top, so the order of joining does not matter. */
static void join(struct row *rows, uint32_t i, uint32_t j)
{
	i = top(rows, i);
	j = top(rows, j);
	if (i < j)
		rows[j].up = i;
	else
		rows[i].up = j;
}

static uint32_t find(const struct row *rows, uint32_t n, uint32_t id)
{
	struct kt_rec key = {.id = id};
	struct row want = {.rec = &key};
	const struct row *hit = n ? bsearch(&want, rows, n, sizeof *rows, by_id) : NULL;

	return hit ? (uint32_t)(hit - rows) : KT_NIL;
}

/* Two texts that records share, and the row. */
struct key {
	struct kt_str a, b;
	uint32_t row;
};

static int by_key(const void *p, const void *q)
{
	const struct key *x = p, *y = q;
	int c = kt_str_cmp(x->a, y->a);

	if (!c)
		c = kt_str_cmp(x->b, y->b);
	return c ? c : cmp_u64(x->row, y->row);
}

static void join_equal(struct row *rows, struct key *keys, uint32_t n)
{
	if (n)
		qsort(keys, n, sizeof *keys, by_key);
	for (uint32_t i = 1; i < n; i++)
		if (kt_str_eq(keys[i].a, keys[i - 1].a) && kt_str_eq(keys[i].b, keys[i - 1].b))
			join(rows, keys[i].row, keys[i - 1].row);
}

enum share { SHARE_NAME, SHARE_FRAME, SHARE_OP };

static bool key_of(const struct kt_rec *r, enum share how, struct key *k)
{
	if (how == SHARE_NAME) {
		k->a = r->fault;
		return r->fault.len > 0;
	}
	k->a = r->cls;
	k->b = how == SHARE_FRAME ? r->frame : r->op;
	return !r->fault.len && k->a.len && k->b.len;
}

static void join_sharing(struct row *rows, uint32_t n, enum share how, struct key *keys)
{
	uint32_t m = 0;

	for (uint32_t i = 0; i < n; i++) {
		keys[m] = (struct key){.row = i};
		if (key_of(rows[i].rec, how, &keys[m]))
			m++;
	}
	join_equal(rows, keys, m);
}

static void join_quoted(struct row *rows, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct kt_rec *r = rows[i].rec;
		uint32_t j = r->quotes == KT_NIL || r->fault.len ? KT_NIL : find(rows, n, r->quotes);
		if (j != KT_NIL && !rows[j].rec->fault.len)
			join(rows, i, j);
	}
}

/* A fault by the first place of its records, then the smallest of them. */
struct place {
	uint64_t at;
	uint32_t row;
};

static int by_place(const void *p, const void *q)
{
	const struct place *a = p, *b = q;
	int c = cmp_u64(a->at, b->at);

	return c ? c : cmp_u64(a->row, b->row);
}

static uint32_t number(struct row *rows, uint32_t n, struct kt_arena *a, uint32_t *of_row)
{
	struct place *places = KT_NEW_N(a, struct place, n);
	uint32_t n_faults = 0;

	for (uint32_t i = 0; i < n; i++)
		places[i] = (struct place){rows[i].rec->at, i};
	if (n)
		qsort(places, n, sizeof *places, by_place);
	for (uint32_t i = 0; i < n; i++)
		of_row[i] = KT_NIL;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t root = top(rows, places[i].row);
		if (of_row[root] == KT_NIL)
			of_row[root] = n_faults++;
	}
	for (uint32_t i = 0; i < n; i++)
		of_row[i] = of_row[top(rows, i)];
	return n_faults;
}

static uint32_t collect(const struct kt_obs *const *obs, size_t n, struct row *rows)
{
	uint32_t m = 0, unique = 0;

	for (size_t i = 0; i < n; i++)
		if (obs[i]->rec)
			rows[m++].rec = obs[i]->rec;
	if (m)
		qsort(rows, m, sizeof *rows, by_id);
	for (uint32_t i = 0; i < m; i++)
		if (!i || rows[i].rec->id != rows[unique - 1].rec->id)
			rows[unique++].rec = rows[i].rec;
	for (uint32_t i = 0; i < unique; i++)
		rows[i].up = i;
	return unique;
}

uint32_t kt_faults(const struct kt_obs *const *obs, size_t n, struct kt_arena *a, uint32_t *fault)
{
	struct row *rows = KT_NEW_N(a, struct row, n);
	uint32_t m = collect(obs, n, rows);
	struct key *keys = KT_NEW_N(a, struct key, m);
	uint32_t *of_row = KT_NEW_N(a, uint32_t, m);

	join_sharing(rows, m, SHARE_NAME, keys);
	join_sharing(rows, m, SHARE_FRAME, keys);
	join_sharing(rows, m, SHARE_OP, keys);
	join_quoted(rows, m);
	uint32_t n_faults = number(rows, m, a, of_row);
	for (size_t i = 0; i < n; i++)
		fault[i] = obs[i]->rec ? of_row[find(rows, m, obs[i]->rec->id)] : KT_NIL;
	return n_faults;
}
