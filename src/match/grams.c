#include "match/grams.h"

#include "match/gram_table.h"

#include "base/banned.h"

#define PLACES    256 /* of a literal that are weighed */
#define PAIRS_MIN 5   /* level of the rarest pairs in the table */

/* A literal's pieces: 0: hardly ever; L: about 2^(L-1) times. */
struct pieces {
	const char *p;
	size_t n;
	uint8_t level[PLACES];
};

static uint32_t four(const char *p)
{
	const unsigned char *b = (const unsigned char *)p;

	return (b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24) |
	       UINT32_C(0x20202020);
}

static unsigned level_in(const uint64_t *table, uint32_t hash)
{
	return (unsigned)(table[hash / 16] >> (hash % 16 * 4) & 15);
}

static unsigned level(const char *p)
{
	return level_in(kt_gram_table, four(p) * UINT32_C(0x9E3779B1) >> (32 - KT_GRAM_TABLE_BITS));
}

static unsigned pair_level(const char *p)
{
	uint64_t x = four(p) | (uint64_t)four(p + KT_GRAM) << 32;

	return level_in(kt_pair_table,
			(uint32_t)(x * UINT64_C(0x9E3779B97F4A7C15) >> (64 - KT_GRAM_TABLE_BITS)));
}

static uint32_t times(unsigned l)
{
	return l ? UINT32_C(1) << (l - 1) : 0;
}

static void take_pieces(struct kt_str literal, struct pieces *out)
{
	size_t n = literal.len < KT_GRAM ? 0 : literal.len - KT_GRAM + 1;

	out->p = literal.p;
	out->n = n < PLACES ? n : PLACES;
	for (size_t i = 0; i < out->n; i++)
		out->level[i] = (uint8_t)level(literal.p + i);
}

/* Times of piece I, sixteenths. */
static uint32_t one_hits(const struct pieces *s, size_t i)
{
	return times(s->level[i]) * 16;
}

/* Of piece I and the next one, sixteenths. A pair that is frequent was counted; of
 * others is only known that they are not, and how often by chance. */
static uint32_t pair_hits(const struct pieces *s, size_t i)
{
	static const uint8_t sqrt_16th[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 6, 8};
	unsigned a = s->level[i], b = s->level[i + KT_GRAM], rare = a < b ? a : b;
	unsigned counted = rare < PAIRS_MIN ? 0 : pair_level(s->p + i);

	if (counted)
		return times(counted < rare ? counted : rare) * 16;
	uint32_t chance = times(rare) * sqrt_16th[a < b ? b : a], most = times(PAIRS_MIN) * 8;
	return chance < most ? chance : most;
}

/* One in four of the text's places is looked at: of the pieces or pairs that begin at
 * four neighbouring places of the window, the mean. */
static struct kt_window best_window(const struct pieces *s, uint32_t len)
{
	struct kt_window best = {0, len, UINT32_MAX, UINT32_MAX};
	uint32_t last[KT_GRAM] = {0}, sum = 0;
	bool pair = len == KT_WINDOW_PAIR;

	for (size_t i = 0; i + (pair ? KT_GRAM : 0) < s->n; i++) {
		uint32_t hits = pair ? pair_hits(s, i) : one_hits(s, i);
		sum += hits - last[i % KT_GRAM];
		last[i % KT_GRAM] = hits;
		best.stands = hits < best.stands ? hits : best.stands;
		if (i + 1 >= KT_GRAM && sum / KT_GRAM < best.hits) {
			best.at = (uint32_t)(i + 1 - KT_GRAM);
			best.hits = sum / KT_GRAM;
		}
	}
	for (size_t i = 0; !pair && i + KT_GRAM < s->n; i++) {
		uint32_t hits = pair_hits(s, i);
		best.stands = hits < best.stands ? hits : best.stands;
	}
	return best;
}

static struct kt_window best_piece(const struct pieces *s)
{
	struct kt_window best = {0, KT_GRAM, UINT32_MAX, UINT32_MAX};

	for (size_t at = 0; at < s->n; at++)
		if (one_hits(s, at) < best.hits) {
			best.at = (uint32_t)at;
			best.hits = best.stands = one_hits(s, at);
		}
	return best;
}

/* Each byte fewer: ten times as often. */
static struct kt_window brief(size_t len)
{
	uint32_t hits = len == 3 ? UINT32_C(16) << 10 : UINT32_C(16) << 14;

	return (struct kt_window){0, (uint32_t)len, hits, hits};
}

struct kt_window kt_gram_window(struct kt_str literal)
{
	struct pieces s;

	if (literal.len < KT_GRAM)
		return brief(literal.len);
	take_pieces(literal, &s);
	if (literal.len < KT_WINDOW_ONE)
		return best_piece(&s);
	return best_window(&s, literal.len < KT_WINDOW_PAIR ? KT_WINDOW_ONE : KT_WINDOW_PAIR);
}
