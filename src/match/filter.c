#include "match/filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#include "base/banned.h"

#define GRAM        4
#define WINDOW      7
#define BUCKET_BITS 12

struct entry {
	uint32_t gram; /* four bytes, each | 0x20 */
	uint32_t pattern;
	struct kt_str text; /* the literal */
	uint8_t at;         /* of the gram in it */
	bool fold;
};

/* Entries by hash; a bit for each 16-bit hash that occurs. */
struct table {
	struct entry *entry;
	size_t n, cap;
	uint32_t start[(1u << BUCKET_BITS) + 1];
	uint64_t bits[1024];
};

/* A literal shorter than a gram: searched for as it is. */
struct brief {
	uint32_t pattern;
	struct kt_str text;
	bool fold;
};

struct kt_filter {
	struct table wide, narrow; /* looked up at every fourth position, at every one */
	struct brief *brief;
	size_t n_brief, cap_brief;
};

static uint32_t load(const char *p)
{
	uint32_t x;

	memcpy(&x, p, sizeof x);
	return x | UINT32_C(0x20202020);
}

static uint32_t hash(uint32_t gram)
{
	return gram * UINT32_C(0x9E3779B1) >> 16;
}

static uint32_t bucket(uint32_t gram)
{
	return hash(gram) >> (16 - BUCKET_BITS);
}

/* --- building --- */

/* How often a gram stands in the literals: a measure of how often in a log. */
static void count_grams(const struct kt_kb *kb, uint32_t *counts)
{
	for (uint32_t p = 0; p < kb->n_patterns; p++)
		for (uint32_t i = 0; i < kb->patterns[p].literals.n; i++) {
			struct kt_str s = kt_kb_text(kb, kb->strings[kb->patterns[p].literals.at + i]);
			for (size_t at = 0; at + GRAM <= s.len; at++)
				counts[hash(load(s.p + at))]++;
		}
}

/* What a gram costs: others that share it, and letters that are everywhere. */
static uint64_t gram_cost(const uint32_t *counts, const char *p)
{
	uint64_t cost = (uint64_t)counts[hash(load(p))] * 16;

	for (unsigned i = 0; i < GRAM; i++)
		cost += memchr(" etaoinsrl", p[i], 10) ? 3 : 0;
	return cost;
}

/* Start of the cheapest run of N grams that begin in S. */
static size_t cheapest(const uint32_t *counts, struct kt_str s, size_t n)
{
	uint64_t best = UINT64_MAX;
	size_t where = 0;

	for (size_t at = 0; at + n + GRAM - 1 <= s.len && at < 200; at++) {
		uint64_t cost = 0;
		for (size_t i = 0; i < n; i++)
			cost += gram_cost(counts, s.p + at + i);
		if (cost < best) {
			best = cost;
			where = at;
		}
	}
	return where;
}

static void add_gram(struct table *t, struct kt_str s, size_t at, uint32_t pattern, bool fold)
{
	uint32_t gram = load(s.p + at), h = hash(gram);

	KT_PUSH(t->entry, t->n, t->cap) = (struct entry){gram, pattern, s, (uint8_t)at, fold};
	t->bits[h >> 6] |= UINT64_C(1) << (h & 63);
}

static void add_literal(struct kt_filter *f, const uint32_t *counts, struct kt_str s, uint32_t pattern,
			bool fold)
{
	if (s.len < GRAM) {
		KT_PUSH(f->brief, f->n_brief, f->cap_brief) = (struct brief){pattern, s, fold};
		return;
	}
	if (s.len < WINDOW) {
		add_gram(&f->narrow, s, cheapest(counts, s, 1), pattern, fold);
		return;
	}
	size_t at = cheapest(counts, s, GRAM);
	for (size_t i = 0; i < GRAM; i++)
		add_gram(&f->wide, s, at + i, pattern, fold);
}

static bool can_judge(const struct kt_kb *kb, const struct kt_pattern *p)
{
	for (uint32_t i = 0; i < p->literals.n; i++)
		if (!kb->strings[p->literals.at + i].len)
			return false;
	return p->literals.n > 0;
}

static int by_bucket(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	uint32_t bx = bucket(x->gram), by = bucket(y->gram);

	if (bx != by)
		return bx < by ? -1 : 1;
	return (x->pattern > y->pattern) - (x->pattern < y->pattern);
}

static void finish(struct table *t)
{
	size_t i = 0;

	if (t->n)
		qsort(t->entry, t->n, sizeof *t->entry, by_bucket);
	for (uint32_t b = 0; b < 1u << BUCKET_BITS; b++) {
		t->start[b] = (uint32_t)i;
		while (i < t->n && bucket(t->entry[i].gram) == b)
			i++;
	}
	t->start[1u << BUCKET_BITS] = (uint32_t)t->n;
}

struct kt_filter *kt_filter_new(const struct kt_kb *kb, struct kt_rowset *always)
{
	struct kt_filter *f = kt_alloc(sizeof *f);
	uint32_t *counts = kt_alloc_n(1u << 16, sizeof *counts);

	count_grams(kb, counts);
	for (uint32_t row = 0; row < kb->n_patterns; row++) {
		const struct kt_pattern *p = &kb->patterns[row];
		if (!can_judge(kb, p)) {
			kt_rowset_add(always, row);
			continue;
		}
		for (uint32_t i = 0; i < p->literals.n; i++)
			add_literal(f, counts, kt_kb_text(kb, kb->strings[p->literals.at + i]), row, p->fold);
	}
	kt_free(counts);
	finish(&f->wide);
	finish(&f->narrow);
	return f;
}

void kt_filter_free(struct kt_filter *take_f)
{
	if (!take_f)
		return;
	kt_free(take_f->wide.entry);
	kt_free(take_f->narrow.entry);
	kt_free(take_f->brief);
	kt_free(take_f);
}

/* --- scanning --- */

static bool stands_at(const struct entry *e, struct kt_str text, size_t gram_at)
{
	if (gram_at < e->at || e->text.len > text.len - (gram_at - e->at))
		return false;
	struct kt_str there = {text.p + gram_at - e->at, e->text.len};
	return e->fold ? kt_str_ieq(there, e->text) : memcmp(there.p, e->text.p, there.len) == 0;
}

static void look_up(const struct table *t, struct kt_str text, size_t at, uint32_t gram,
		    struct kt_rowset *out)
{
	uint32_t b = bucket(gram);

	for (uint32_t i = t->start[b]; i < t->start[b + 1]; i++) {
		const struct entry *e = &t->entry[i];
		if (e->gram == gram && !kt_rowset_has(out, e->pattern) && stands_at(e, text, at))
			kt_rowset_add(out, e->pattern);
	}
}

static void scan(const struct table *t, struct kt_str text, size_t step, struct kt_rowset *out)
{
	if (!t->n)
		return;
	for (size_t at = 0; at + GRAM <= text.len; at += step) {
		uint32_t gram = load(text.p + at), h = hash(gram);
		if (t->bits[h >> 6] >> (h & 63) & 1)
			look_up(t, text, at, gram, out);
	}
}

static bool holds(struct kt_str text, const struct brief *b)
{
	return (b->fold ? kt_str_ifind(text, b->text, 0) : kt_str_find(text, b->text, 0)) != KT_NPOS;
}

void kt_filter_scan(const struct kt_filter *f, struct kt_str text, struct kt_rowset *out)
{
	scan(&f->wide, text, GRAM, out);
	scan(&f->narrow, text, 1, out);
	for (size_t i = 0; i < f->n_brief; i++)
		if (!kt_rowset_has(out, f->brief[i].pattern) && holds(text, &f->brief[i]))
			kt_rowset_add(out, f->brief[i].pattern);
}
