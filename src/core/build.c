#include "core/build.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"

#include "base/banned.h"

/* Rows by hash: open addressing; a slot holds a row number + 1, 0 is free. */
struct index {
	uint32_t *slots;
	uint64_t *hashes;
	size_t n, cap;
};

struct kt_kbb {
	struct kt_buf pool;
	struct kt_ref *texts;
	size_t n_texts, cap_texts;
	struct kt_span *spans;
	size_t n_spans, cap_spans;
	struct index by_text, by_span, by_pattern, by_node, by_item;
#define X(name, type) \
	type *name;   \
	size_t n_##name, cap_##name;
	KT_TABLES(X)
#undef X
	struct kt_kb view;
};

typedef bool (*same_fn)(const struct kt_kbb *b, uint32_t row, const void *key);

static void index_put(struct index *ix, uint64_t hash, uint32_t row)
{
	size_t i = (size_t)hash & (ix->cap - 1);

	while (ix->slots[i])
		i = (i + 1) & (ix->cap - 1);
	ix->slots[i] = row + 1;
	ix->hashes[i] = hash;
}

static void index_add(struct index *ix, uint64_t hash, uint32_t row)
{
	if (2 * ix->n >= ix->cap) {
		struct index old = *ix;
		ix->cap = old.cap ? 2 * old.cap : 64;
		ix->slots = kt_alloc_n(ix->cap, sizeof *ix->slots);
		ix->hashes = kt_alloc_n(ix->cap, sizeof *ix->hashes);
		for (size_t i = 0; i < old.cap; i++)
			if (old.slots[i])
				index_put(ix, old.hashes[i], old.slots[i] - 1);
		kt_free(old.slots);
		kt_free(old.hashes);
	}
	index_put(ix, hash, row);
	ix->n++;
}

static uint32_t index_find(const struct index *ix, uint64_t hash, const struct kt_kbb *b, same_fn same,
			   const void *key)
{
	if (!ix->cap)
		return KT_NIL;
	for (size_t i = (size_t)hash & (ix->cap - 1); ix->slots[i]; i = (i + 1) & (ix->cap - 1))
		if (ix->hashes[i] == hash && same(b, ix->slots[i] - 1, key))
			return ix->slots[i] - 1;
	return KT_NIL;
}

static void index_free(struct index *ix)
{
	kt_free(ix->slots);
	kt_free(ix->hashes);
}

static uint64_t hash_bytes(const void *p, size_t len)
{
	/* FNV leaves the low bits of short keys close together. */
	uint64_t h = kt_str_hash((struct kt_str){p, len}, KT_HASH_SEED);

	return h ^ h >> 29;
}

struct kt_kbb *kt_kbb_new(void)
{
	struct kt_kbb *b = kt_alloc(sizeof *b);

	b->pool = KT_BUF(UINT32_MAX - 1);
	return b;
}

void kt_kbb_free(struct kt_kbb *b)
{
	if (!b)
		return;
	kt_buf_free(&b->pool);
	kt_free(b->texts);
	kt_free(b->spans);
	index_free(&b->by_text);
	index_free(&b->by_span);
	index_free(&b->by_pattern);
	index_free(&b->by_node);
	index_free(&b->by_item);
#define X(name, type) kt_free(b->name);
	KT_TABLES(X)
#undef X
	kt_free(b);
}

const struct kt_kb *kt_kbb_kb(struct kt_kbb *b)
{
	b->view.pool = kt_buf_view(&b->pool);
#define X(name, type)           \
	b->view.name = b->name; \
	b->view.n_##name = (uint32_t)b->n_##name;
	KT_TABLES(X)
#undef X
	return &b->view;
}

/* By value first: ROW may lie in the table that is about to move. */
#define X(name, type)                                                 \
	uint32_t kt_kbb_add_##name(struct kt_kbb *b, const type *row) \
	{                                                             \
		type copy = *row;                                     \
		KT_PUSH(b->name, b->n_##name, b->cap_##name) = copy;  \
		return (uint32_t)(b->n_##name - 1);                   \
	}                                                             \
	type *kt_kbb_at_##name(struct kt_kbb *b, uint32_t i)          \
	{                                                             \
		return &b->name[i];                                   \
	}
KT_TABLES(X)
#undef X

static bool same_text(const struct kt_kbb *b, uint32_t row, const void *key)
{
	struct kt_ref r = b->texts[row];

	return kt_str_eq(kt_str_sub(kt_buf_view(&b->pool), r.off, r.len), *(const struct kt_str *)key);
}

/* S may be a piece of the pool, which is about to move. */
static struct kt_ref add_text(struct kt_kbb *b, struct kt_str s)
{
	struct kt_ref r = {(uint32_t)b->pool.len, (uint32_t)s.len};
	char *copy = kt_strdup(s);

	kt_buf_add(&b->pool, (struct kt_str){copy, s.len});
	kt_free(copy);
	return b->pool.full ? (struct kt_ref){0, 0} : r;
}

struct kt_ref kt_kbb_text(struct kt_kbb *b, struct kt_str s)
{
	if (!s.len)
		return (struct kt_ref){0, 0};
	uint64_t hash = hash_bytes(s.p, s.len);
	uint32_t row = index_find(&b->by_text, hash, b, same_text, &s);
	if (row != KT_NIL)
		return b->texts[row];
	struct kt_ref r = add_text(b, s);
	KT_PUSH(b->texts, b->n_texts, b->cap_texts) = r;
	index_add(&b->by_text, hash, (uint32_t)(b->n_texts - 1));
	return r;
}

struct ref_list {
	const struct kt_ref *p;
	size_t n;
};

static bool same_span(const struct kt_kbb *b, uint32_t row, const void *key)
{
	const struct ref_list *list = key;
	struct kt_span s = b->spans[row];

	return s.n == list->n && memcmp(b->strings + s.at, list->p, list->n * sizeof *list->p) == 0;
}

static struct kt_span add_span(struct kt_kbb *b, const struct ref_list *list)
{
	struct kt_span s = {(uint32_t)b->n_strings, (uint32_t)list->n};

	for (size_t i = 0; i < list->n; i++)
		KT_PUSH(b->strings, b->n_strings, b->cap_strings) = list->p[i];
	KT_PUSH(b->spans, b->n_spans, b->cap_spans) = s;
	return s;
}

/* Equal lists share their rows, so equal conditions are equal nodes. */
struct kt_span kt_kbb_strings(struct kt_kbb *b, const struct kt_str *s, size_t n)
{
	if (!n)
		return (struct kt_span){0, 0};
	struct kt_ref *refs = kt_alloc_n(n, sizeof *refs);
	for (size_t i = 0; i < n; i++)
		refs[i] = kt_kbb_text(b, s[i]);
	struct ref_list list = {refs, n};
	uint64_t hash = hash_bytes(refs, n * sizeof *refs);
	uint32_t row = index_find(&b->by_span, hash, b, same_span, &list);
	struct kt_span span = row != KT_NIL ? b->spans[row] : add_span(b, &list);
	if (row == KT_NIL)
		index_add(&b->by_span, hash, (uint32_t)(b->n_spans - 1));
	kt_free(refs);
	return span;
}

struct kt_span kt_kbb_fact_refs(struct kt_kbb *b, const uint32_t *facts, size_t n)
{
	struct kt_span s = {(uint32_t)b->n_fact_refs, (uint32_t)n};

	for (size_t i = 0; i < n; i++)
		kt_kbb_add_fact_refs(b, &facts[i]);
	return s;
}

static bool same_pattern(const struct kt_kbb *b, uint32_t row, const void *key)
{
	return memcmp(&b->patterns[row].text, key, sizeof(struct kt_ref)) == 0;
}

uint32_t kt_kbb_pattern(struct kt_kbb *b, struct kt_str regex)
{
	struct kt_pattern p = {.text = kt_kbb_text(b, regex)};
	uint64_t hash = hash_bytes(&p.text, sizeof p.text);
	uint32_t row = index_find(&b->by_pattern, hash, b, same_pattern, &p.text);

	if (row != KT_NIL)
		return row;
	row = kt_kbb_add_patterns(b, &p);
	index_add(&b->by_pattern, hash, row);
	return row;
}

void kt_kbb_literals(struct kt_kbb *b, uint32_t pattern, const struct kt_str *s, size_t n, bool fold)
{
	struct kt_span literals = kt_kbb_strings(b, s, n);

	b->patterns[pattern].literals = literals;
	b->patterns[pattern].fold = fold;
}

/* Rows without holes between their members: bytes tell whether they are equal. */
_Static_assert(sizeof(struct kt_node) == 8 * sizeof(uint32_t), "no holes");
_Static_assert(sizeof(struct kt_ref) == 2 * sizeof(uint32_t), "no holes");
_Static_assert(sizeof(struct kt_item) == 8 * sizeof(uint32_t), "no holes");

static bool same_node(const struct kt_kbb *b, uint32_t row, const void *key)
{
	return memcmp(&b->nodes[row], key, sizeof(struct kt_node)) == 0;
}

uint32_t kt_kbb_node(struct kt_kbb *b, const struct kt_node *node)
{
	struct kt_node n = *node;
	uint64_t hash = hash_bytes(&n, sizeof n);
	uint32_t row = index_find(&b->by_node, hash, b, same_node, &n);

	if (row != KT_NIL)
		return row;
	row = kt_kbb_add_nodes(b, &n);
	index_add(&b->by_node, hash, row);
	return row;
}

/* What an item is does not depend on how its author spaced the text. */
static struct kt_item item_key(const struct kt_item *item)
{
	struct kt_item key = *item;

	key.text = (struct kt_ref){0, 0};
	return key;
}

static bool same_item(const struct kt_kbb *b, uint32_t row, const void *key)
{
	struct kt_item mine = item_key(&b->items[row]);

	return memcmp(&mine, key, sizeof mine) == 0;
}

uint32_t kt_kbb_item(struct kt_kbb *b, const struct kt_item *item)
{
	struct kt_item copy = *item, key = item_key(item);
	uint64_t hash = hash_bytes(&key, sizeof key);
	uint32_t row = index_find(&b->by_item, hash, b, same_item, &key);

	if (row != KT_NIL)
		return row;
	row = kt_kbb_add_items(b, &copy);
	index_add(&b->by_item, hash, row);
	return row;
}
