/* The tables behind filter.h. Inside the filter only.
 *
 * A piece is four bytes of the text that begin at a multiple of four from its start.
 * `pieces` says by a piece's hash, a bit for each of eight groups of literals: low
 * byte, a window's first piece has this hash; high byte, a window's second piece has.
 * So a window may stand where `first[h(piece before)] & second[h(piece)]`. The last
 * group is that of windows of one piece: its bit is set in every low byte.
 *
 * What may be is then looked up by the piece's hash in chains of `entry`: eight bytes
 * compared under a mask, and the whole literal.
 */
#ifndef KT_MATCH_FILTER_TABLE_H
#define KT_MATCH_FILTER_TABLE_H

#include <string.h>

#include "match/filter.h"
#include "match/grams.h"
#include "match/guard.h"

#define PIECE      KT_GRAM
#define HASH_BITS  16
#define ANY_CASE   UINT32_C(0x20202020)
#define GROUP_ONE  0x80 /* windows of one piece */
#define PAIR_ROOMS 7    /* groups of windows of two */

struct kt_literal_row {
	struct kt_str text;
	uint32_t row;
	bool fold;
	struct kt_window window;
	struct kt_beside *guard; /* of a literal that is often there; may be NULL */
};

/* A piece of the window of a literal, and the eight bytes that end with it: equal to
 * WANT where MASK is. */
struct kt_entry {
	uint64_t want;
	uint32_t literal;
	uint16_t back; /* from the literal's start to the piece */
	uint16_t mask; /* of kt_entry_mask */
};

/* By how many of the eight bytes are the literal's (4 to 8), less 4; then without case.
 * A mask without case is coarse: the whole literal is compared behind it. */
#define ENTRY_MASKS 10
extern const unsigned char kt_entry_mask[ENTRY_MASKS][2 * PIECE];
#define ENTRY_ANY_CASE (ENTRY_MASKS / 2)

struct kt_chains {
	struct kt_entry *entry;
	uint32_t n;
	uint32_t *start; /* 1 << bits, and one more */
	unsigned bits;
};

/* What a pass over the text looks up. */
struct kt_grid {
	uint16_t *pieces; /* one more on either side: vectors load both neighbours */
	uint32_t or_mask; /* of the bytes before they are hashed: 0, or ANY_CASE */
	struct kt_chains chains;
	uint32_t max_back;
};

struct kt_filter {
	const struct kt_kb *kb;
	struct kt_grid wide;  /* for pieces at multiples of four */
	struct kt_grid brief; /* for pieces everywhere: literals without room for a window */
	struct kt_literal_row *literals;
	uint32_t n_literals;
	uint32_t *tiny; /* literals shorter than a piece */
	uint32_t n_tiny;
	struct kt_rowset always;
	bool has_always, avx2, guards;
};

static inline uint32_t kt_piece(const char *p)
{
	uint32_t x;

	memcpy(&x, p, sizeof x);
	return x;
}

static inline uint32_t kt_piece_hash(uint32_t piece)
{
	return piece * UINT32_C(0x9E3779B1) >> (32 - HASH_BITS);
}

static inline uint64_t kt_masked(uint64_t two, unsigned mask)
{
	uint64_t m;

	memcpy(&m, kt_entry_mask[mask], sizeof m);
	return two & m;
}

/* Chains are by the piece with its case folded, whatever the table's is. */
static inline uint32_t kt_piece_chain(const struct kt_chains *c, uint32_t piece)
{
	return kt_piece_hash(piece | ANY_CASE) >> (HASH_BITS - c->bits);
}

/* What the grid has for the piece at P. */
static inline uint16_t kt_grid_at(const struct kt_grid *g, const char *p)
{
	return g->pieces[1 + kt_piece_hash(kt_piece(p) | g->or_mask)];
}

/* The same for the piece before the one at AT; before the text there is none. */
static inline uint16_t kt_grid_before(const struct kt_grid *g, const char *text, size_t at)
{
	return at < PIECE ? GROUP_ONE : kt_grid_at(g, text + at - PIECE);
}

/* Where a window's last piece may stand: the finders say, kt_sink_look judges. */
struct kt_sink {
	const struct kt_filter *f;
	struct kt_str text;
	size_t from, to;           /* literals that begin here */
	struct kt_candidates *out; /* or, if NULL: */
	struct kt_rowset *rows;
	bool loose; /* OUT is put in order later */
};
void kt_sink_look(struct kt_sink *s, const struct kt_grid *g, size_t at);

/* Looks at each fourth place of [LO, HI), a whole number of pieces. */
void kt_find_portable(struct kt_sink *s, const struct kt_grid *g, size_t lo, size_t hi);
/* As much of it as it can do well; returns where it stopped. */
size_t kt_find_avx2(struct kt_sink *s, const struct kt_grid *g, size_t lo, size_t hi);
bool kt_can_avx2(void);

#endif
