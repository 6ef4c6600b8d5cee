#include "rules/hash.h"

#include <string.h>

#include "base/banned.h"

#define K1    UINT64_C(0x9e3779b97f4a7c15)
#define K2    UINT64_C(0xd6e8feb86659fd93)
#define LANES 4u
#define BLOCK ((size_t)LANES * 8)

static uint64_t mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * K1;
	return h << 29 | h >> 35;
}

static uint64_t word_at(const char *p, size_t n)
{
	uint64_t w = 0;

	memcpy(&w, p, n);
	return w;
}

static uint64_t finish(uint64_t h)
{
	h = (h ^ h >> 32) * K2;
	h = (h ^ h >> 32) * K2;
	return h ^ h >> 32;
}

/* Four lanes, since one multiplication waits for the one before it. */
uint64_t kt_rules_hash(struct kt_str s, uint64_t seed)
{
	uint64_t lane[LANES] = {seed, seed + K1, seed ^ K2, ~seed};
	size_t at = 0;

	for (; s.len - at >= BLOCK; at += BLOCK)
		for (size_t i = 0; i < LANES; i++)
			lane[i] = mix(lane[i], word_at(s.p + at + i * 8, 8));
	for (size_t i = 0; at < s.len; i = (i + 1) % LANES) {
		size_t n = s.len - at < 8 ? s.len - at : 8;
		lane[i] = mix(lane[i], word_at(s.p + at, n));
		at += n;
	}
	uint64_t h = s.len;
	for (size_t i = 0; i < LANES; i++)
		h = mix(h, finish(lane[i]));
	return finish(h);
}
