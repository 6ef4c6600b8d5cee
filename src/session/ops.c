#include "session/state.h"

#include "base/alloc.h"

#include "base/banned.h"

/* A record may name its operation by several facts (a request id, a table). Where a
 * weaker key stands beside one stronger key only, the two are the same operation;
 * beside several, it tells nothing. */
struct pair {
	struct kt_str weak, strong;
	bool many;
};

struct kt_ops {
	struct pair *pairs;
	size_t n, cap;
};

static struct pair *find(const struct kt_ops *ops, struct kt_str weak)
{
	for (size_t i = 0; i < ops->n; i++)
		if (kt_str_eq(ops->pairs[i].weak, weak))
			return &ops->pairs[i];
	return NULL;
}

static void learn(struct kt_ops *ops, const struct kt_raw_rec *rec, struct kt_arena *a)
{
	if (rec->n_keys < 2)
		return;
	struct kt_str weak = rec->keys[1].value, strong = rec->keys[0].value;
	struct pair *p = find(ops, weak);
	if (p) {
		p->many = p->many || !kt_str_eq(p->strong, strong);
		return;
	}
	if (ops->n == ops->cap) {
		size_t cap = ops->cap ? ops->cap * 2 : 16;
		struct pair *more = KT_NEW_N(a, struct pair, cap);
		for (size_t i = 0; i < ops->n; i++)
			more[i] = ops->pairs[i];
		ops->pairs = more;
		ops->cap = cap;
	}
	ops->pairs[ops->n++] = (struct pair){weak, strong, false};
}

struct kt_ops *kt_ops_new(const struct kt_session *s, struct kt_arena *a)
{
	struct kt_ops *ops = KT_NEW(a, struct kt_ops);

	for (size_t i = 0; i < s->n_acts; i++)
		for (size_t r = 0; r < s->acts[i]->n_recs; r++)
			learn(ops, &s->acts[i]->recs[r], a);
	return ops;
}

struct kt_str kt_ops_of(const struct kt_ops *ops, const struct kt_raw_rec *rec)
{
	if (!rec->n_keys)
		return KT_NONE;
	struct kt_str key = rec->keys[0].value;
	if (rec->n_keys > 1)
		return key;
	const struct pair *p = find(ops, key);
	if (!p)
		return key;
	return p->many ? KT_NONE : p->strong;
}
