#include "rules/map.h"

#include "base/alloc.h"

#include "base/banned.h"

#define FIRST_CAP 64

static struct kt_map_slot *slot_of(const struct kt_map *m, struct kt_str key)
{
	size_t i = (size_t)kt_str_hash(key, KT_HASH_SEED);

	for (;; i++) {
		struct kt_map_slot *s = &m->slots[i & (m->cap - 1)];
		if (!s->key.p || kt_str_eq(s->key, key))
			return s;
	}
}

static void grow(struct kt_map *m, struct kt_arena *a)
{
	struct kt_map old = *m;

	m->cap = old.cap ? old.cap * 2 : FIRST_CAP;
	m->slots = KT_NEW_N(a, struct kt_map_slot, m->cap);
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i].key.p)
			*slot_of(m, old.slots[i].key) = old.slots[i];
}

uint32_t kt_map_add(struct kt_map *m, struct kt_arena *a, struct kt_str key, uint32_t value)
{
	if (m->n * 2 >= m->cap)
		grow(m, a);
	struct kt_map_slot *s = slot_of(m, key);
	if (!s->key.p) {
		*s = (struct kt_map_slot){key, value};
		m->n++;
	}
	return s->value;
}

uint32_t kt_map_get(const struct kt_map *m, struct kt_str key)
{
	if (!m->cap || !key.p)
		return UINT32_MAX;
	const struct kt_map_slot *s = slot_of(m, key);
	return s->key.p ? s->value : UINT32_MAX;
}

struct kt_str kt_map_nearest(const struct kt_map *m, struct kt_str word)
{
	struct kt_str *keys = kt_alloc_n(m->n + 1, sizeof *keys);
	size_t n = 0;

	for (size_t i = 0; i < m->cap; i++)
		if (m->slots[i].key.p)
			keys[n++] = m->slots[i].key;
	struct kt_str near = kt_str_nearest(word, keys, n);
	kt_free(keys);
	return near;
}
