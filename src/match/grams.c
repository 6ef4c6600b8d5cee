#include "match/grams.h"

#include "match/gram_table.h"

#include "base/banned.h"

#define SPREAD UINT32_C(0x9E3779B1)
#define PLACES 256 /* of a literal that are weighed */

/* 0: hardly ever; L: about 2^(L-1) times. */
static unsigned level(const char *p)
{
	const unsigned char *b = (const unsigned char *)p;
	uint32_t x = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
	uint32_t h = (x | UINT32_C(0x20202020)) * SPREAD >> (32 - KT_GRAM_TABLE_BITS);

	return (unsigned)(kt_gram_table[h / 16] >> (h % 16 * 4) & 15);
}

static uint32_t times(unsigned l)
{
	return l ? UINT32_C(1) << (l - 1) : 0;
}

uint32_t kt_gram_cost(const char *p)
{
	return times(level(p));
}

/* Both pieces, sixteenths. Pieces of one word come together more often than by
 * chance, others less often than the rarer alone: measured, between the two. */
static uint32_t pair_hits(unsigned a, unsigned b)
{
	unsigned rare = a < b ? a : b, more = a < b ? b : a;
	static const uint8_t sqrt_16th[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 6, 8};

	return times(rare) * sqrt_16th[more];
}

/* One in four of the text's places is looked at: of the pieces or pairs that begin at
 * four neighbouring places of the window, the mean. */
static struct kt_window best_window(const uint8_t *levels, size_t places, uint32_t len)
{
	struct kt_window best = {0, len, UINT32_MAX};
	uint32_t last[KT_GRAM] = {0}, sum = 0;
	bool pair = len == KT_WINDOW_PAIR;

	for (size_t i = 0; i + (pair ? KT_GRAM : 0) < places; i++) {
		uint32_t hits = pair ? pair_hits(levels[i], levels[i + KT_GRAM]) : times(levels[i]) * 16;
		sum += hits - last[i % KT_GRAM];
		last[i % KT_GRAM] = hits;
		if (i + 1 >= KT_GRAM && sum / KT_GRAM < best.hits) {
			best.at = (uint32_t)(i + 1 - KT_GRAM);
			best.hits = sum / KT_GRAM;
		}
	}
	return best;
}

static struct kt_window best_piece(const uint8_t *levels, size_t places)
{
	struct kt_window best = {0, KT_GRAM, UINT32_MAX};

	for (size_t at = 0; at < places; at++)
		if (times(levels[at]) * 16 < best.hits) {
			best.at = (uint32_t)at;
			best.hits = times(levels[at]) * 16;
		}
	return best;
}

/* The level of each place of LITERAL, as far as there is room; how many. */
static size_t levels_of(struct kt_str literal, uint8_t levels[PLACES])
{
	size_t places = literal.len < KT_GRAM ? 0 : literal.len - KT_GRAM + 1;

	places = places < PLACES ? places : PLACES;
	for (size_t i = 0; i < places; i++)
		levels[i] = (uint8_t)level(literal.p + i);
	return places;
}

/* Each byte fewer: ten times as often. */
static uint32_t brief_hits(size_t len)
{
	return len == 3 ? UINT32_C(16) << 10 : UINT32_C(16) << 14;
}

struct kt_window kt_gram_window(struct kt_str literal)
{
	uint8_t levels[PLACES];
	size_t places = levels_of(literal, levels);

	if (!places)
		return (struct kt_window){0, (uint32_t)literal.len, brief_hits(literal.len)};
	if (literal.len >= KT_WINDOW_PAIR)
		return best_window(levels, places, KT_WINDOW_PAIR);
	if (literal.len >= KT_WINDOW_ONE)
		return best_window(levels, places, KT_WINDOW_ONE);
	return best_piece(levels, places);
}

uint32_t kt_gram_stands(struct kt_str literal)
{
	uint8_t levels[PLACES];
	size_t places = levels_of(literal, levels);
	uint32_t least = places ? UINT32_MAX : brief_hits(literal.len);

	for (size_t i = 0; i < places; i++) {
		uint32_t hits = times(levels[i]) * 16;
		if (i + KT_GRAM < places)
			hits = pair_hits(levels[i], levels[i + KT_GRAM]);
		least = hits < least ? hits : least;
	}
	return least;
}
