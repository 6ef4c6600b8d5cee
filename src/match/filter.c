#include "match/filter_table.h"

#include <stdlib.h>

#include "base/alloc.h"

#include "base/banned.h"

/* --- what was found --- */

static bool before(const struct kt_candidate *a, const struct kt_candidate *b)
{
	return a->at != b->at ? a->at < b->at : a->row < b->row;
}

/* Finds come nearly in order: each moves up a few places at most. */
static void add(struct kt_candidates *c, struct kt_candidate x)
{
	size_t i = c->n;

	while (i && before(&x, &c->list[i - 1]))
		i--;
	if (i && !before(&c->list[i - 1], &x))
		return; /* known: another literal of the row */
	KT_PUSH(c->list, c->n, c->cap) = x;
	if (i + 1 == c->n)
		return;
	memmove(&c->list[i + 1], &c->list[i], (c->n - 1 - i) * sizeof x);
	c->list[i] = x;
}

void kt_candidates_free(struct kt_candidates *take_c)
{
	kt_free(take_c->list);
	*take_c = (struct kt_candidates){0};
}

static bool wanted(const struct kt_sink *s, const struct kt_literal_row *l, size_t at)
{
	if (s->out)
		return at >= s->from && at < s->to;
	return l->row < s->rows->n && !kt_rowset_has(s->rows, l->row);
}

static void give(struct kt_sink *s, const struct kt_literal_row *l, size_t at)
{
	struct kt_candidate x = {(uint32_t)at, l->row};

	if (!s->out)
		kt_rowset_add(s->rows, l->row);
	else if (s->loose)
		KT_PUSH(s->out->list, s->out->n, s->out->cap) = x;
	else
		add(s->out, x);
}

static bool stands_at(const struct kt_literal_row *l, struct kt_str text, size_t at)
{
	if (l->text.len > text.len - at)
		return false;
	struct kt_str there = {text.p + at, l->text.len};
	if (l->fold ? !kt_str_ieq(there, l->text) : memcmp(there.p, l->text.p, there.len) != 0)
		return false;
	return !l->guard || kt_beside_allows(l->guard, text, at, at + l->text.len);
}

/* The piece at AT and the one before it; bytes before the text are 0. */
static uint64_t load_two(struct kt_str text, size_t at)
{
	char c[2 * PIECE] = {0};
	uint64_t x;

	if (at >= PIECE) {
		memcpy(&x, text.p + at - PIECE, sizeof x);
		return x;
	}
	memcpy(c + PIECE - at, text.p, at + PIECE);
	memcpy(&x, c, sizeof x);
	return x;
}

void kt_sink_look(struct kt_sink *s, const struct kt_grid *g, size_t at)
{
	const struct kt_chains *chains = &g->chains;
	uint32_t chain = kt_piece_chain(chains, kt_piece(s->text.p + at));
	const struct kt_entry *e = chains->entry + chains->start[chain];
	const struct kt_entry *end = chains->entry + chains->start[chain + 1];
	uint64_t two = load_two(s->text, at);

	for (; e < end; e++) {
		if (kt_masked(two, e->mask) != e->want || e->back > at)
			continue;
		const struct kt_literal_row *l = &s->f->literals[e->literal];
		if (wanted(s, l, at - e->back) && stands_at(l, s->text, at - e->back))
			give(s, l, at - e->back);
	}
}

/* --- pieces, in portable C --- */

struct walk {
	const uint16_t *pieces;
	uint64_t before; /* what the table has for the last piece */
};

/* Four pieces at once: not 0 if a window may end with one of them. */
static inline __attribute__((always_inline)) uint64_t four(struct walk *w, const char *p, uint32_t or_mask)
{
	uint64_t a = w->pieces[kt_piece_hash(kt_piece(p) | or_mask)];
	uint64_t b = w->pieces[kt_piece_hash(kt_piece(p + PIECE) | or_mask)];
	uint64_t c = w->pieces[kt_piece_hash(kt_piece(p + 2 * PIECE) | or_mask)];
	uint64_t d = w->pieces[kt_piece_hash(kt_piece(p + 3 * PIECE) | or_mask)];
	uint64_t all = a | b << 16 | c << 32 | d << 48;
	uint64_t may = (all << 16 | w->before) & all >> 8 & UINT64_C(0x00ff00ff00ff00ff);

	w->before = d;
	return may;
}

/* The pieces of [LO, HI) one by one. */
static void few(struct kt_sink *s, const struct kt_grid *g, size_t lo, size_t hi)
{
	unsigned last = kt_grid_before(g, s->text.p, lo);

	for (size_t at = lo; at < hi; at += PIECE) {
		unsigned x = kt_grid_at(g, s->text.p + at);
		if (last & x >> 8)
			kt_sink_look(s, g, at);
		last = x;
	}
}

#define GROUP (4 * PIECE)
#define AHEAD 1024

/* Nothing is read there. */
static inline void fetch(const char *p)
{
	__builtin_prefetch((const void *)((uintptr_t)p + AHEAD));
}

/* A bit for each four pieces of 1 KiB, without a branch. */
static inline __attribute__((always_inline)) uint64_t kib(struct walk *w, const char *p, uint32_t or_mask)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < 64; i += 4, p += 4 * GROUP) {
		fetch(p);
		uint64_t some = four(w, p, or_mask) != 0;
		some |= (uint64_t)(four(w, p + GROUP, or_mask) != 0) << 1;
		some |= (uint64_t)(four(w, p + 2 * GROUP, or_mask) != 0) << 2;
		some |= (uint64_t)(four(w, p + 3 * GROUP, or_mask) != 0) << 3;
		bits |= some << i;
	}
	return bits;
}

static inline __attribute__((always_inline)) size_t blocks(struct kt_sink *s, const struct kt_grid *g,
							   size_t lo, size_t hi, uint32_t or_mask)
{
	struct walk w = {g->pieces + 1, kt_grid_before(g, s->text.p, lo)};

	for (; hi - lo >= 64 * GROUP; lo += 64 * GROUP)
		for (uint64_t bits = kib(&w, s->text.p + lo, or_mask); bits; bits &= bits - 1) {
			size_t at = lo + (size_t)__builtin_ctzll(bits) * GROUP;
			few(s, g, at, at + GROUP);
		}
	for (; hi - lo >= GROUP; lo += GROUP)
		if (four(&w, s->text.p + lo, or_mask))
			few(s, g, lo, lo + GROUP);
	return lo;
}

void kt_find_portable(struct kt_sink *s, const struct kt_grid *g, size_t lo, size_t hi)
{
	lo = g->or_mask ? blocks(s, g, lo, hi, ANY_CASE) : blocks(s, g, lo, hi, 0);
	few(s, g, lo, hi);
}

/* --- literals shorter than a piece --- */

static size_t next_tiny(const struct kt_literal_row *l, struct kt_str text, size_t from)
{
	return l->fold ? kt_str_ifind(text, l->text, from) : kt_str_find(text, l->text, from);
}

static void find_tiny(struct kt_sink *s, const struct kt_literal_row *l)
{
	struct kt_str text = kt_str_sub(s->text, 0, s->to + l->text.len - 1);

	for (size_t at = next_tiny(l, text, s->from); at != KT_NPOS; at = next_tiny(l, text, at + 1)) {
		if (!wanted(s, l, at))
			return;
		if (stands_at(l, s->text, at)) /* with its guard */
			give(s, l, at);
	}
}

static int by_place(const void *a, const void *b)
{
	return before(a, b) ? -1 : before(b, a);
}

/* Out of order and perhaps twice: what another pass has added. */
static void tidy(struct kt_candidates *c)
{
	size_t n = 0;

	if (c->n > 1)
		qsort(c->list, c->n, sizeof *c->list, by_place);
	for (size_t i = 0; i < c->n; i++)
		if (!n || before(&c->list[n - 1], &c->list[i]))
			c->list[n++] = c->list[i];
	c->n = n;
}

/* --- all --- */

/* Each fourth place from LO on with which a window of a literal that begins before
 * s->to may end. */
static void find_pieces(struct kt_sink *s, const struct kt_grid *g, size_t lo)
{
	size_t hi = s->to + g->max_back, end = s->text.len - PIECE + 1;

	hi = hi < end ? hi : end;
	if (lo >= hi)
		return;
	hi = lo + (hi - lo + PIECE - 1) / PIECE * PIECE;
	if (s->f->avx2)
		lo = kt_find_avx2(s, g, lo, hi);
	kt_find_portable(s, g, lo, hi);
}

static void find(struct kt_sink *s)
{
	const struct kt_filter *f = s->f;

	if (f->wide.chains.n && s->text.len >= PIECE)
		find_pieces(s, &f->wide, (s->from + PIECE - 1) / PIECE * PIECE);
	s->loose = true;
	for (size_t i = 0; i < PIECE && f->brief.chains.n && s->text.len >= PIECE; i++)
		find_pieces(s, &f->brief, s->from + i);
	for (uint32_t i = 0; i < f->n_tiny; i++)
		find_tiny(s, &f->literals[f->tiny[i]]);
}

void kt_filter_find(const struct kt_filter *f, struct kt_str text, size_t from, size_t to,
		    struct kt_candidates *out)
{
	struct kt_sink s = {f, text, from, to < text.len ? to : text.len, out, NULL, false};

	out->n = 0;
	if (from >= s.to)
		return;
	find(&s);
	if (f->brief.chains.n || f->n_tiny)
		tidy(out);
}

void kt_filter_scan(const struct kt_filter *f, struct kt_str text, struct kt_rowset *out)
{
	struct kt_sink s = {f, text, 0, text.len, NULL, out, false};

	find(&s);
}
