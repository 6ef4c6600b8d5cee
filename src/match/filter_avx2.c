/* Pieces eight at a time, with the table's entries gathered. Compiled for processors
 * that know AVX2 and called on those only. */
#include "match/filter_table.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/banned.h"

#if defined(__x86_64__)

#define VECTOR 32
#define STEP   (2 * VECTOR) /* of each of two streams, in one round */
#define BLOCK  (16u << 10)  /* of which the finds are kept until they are looked at */
#define AHEAD  1024
#define AVX2   __attribute__((target("avx2")))
#define INLINE static inline __attribute__((always_inline, target("avx2")))

bool kt_can_avx2(void)
{
	return __builtin_cpu_supports("avx2");
}

INLINE __m256i load(const char *p)
{
	__m256i x;

	memcpy(&x, p, sizeof x);
	return x;
}

/* Of each piece the table's entry and its neighbour: BASE says which half is which. */
INLINE __m256i gather(const uint16_t *base, const char *p, __m256i or_mask)
{
	__m256i x = _mm256_or_si256(load(p), or_mask);
	__m256i h = _mm256_srli_epi32(_mm256_mullo_epi32(x, _mm256_set1_epi32((int)0x9E3779B1)),
				      32 - HASH_BITS);

	return _mm256_i32gather_epi32((const int *)(const void *)base, h, sizeof *base);
}

/* Two streams side by side: A's entries in the upper halves of the lanes, B's in the
 * lower ones. */
INLINE __m256i both(const struct kt_grid *g, const char *a, const char *b, __m256i or_mask)
{
	__m256i upper = gather(g->pieces, a, or_mask), lower = gather(g->pieces + 1, b, or_mask);

	return _mm256_blend_epi16(lower, upper, 0xaa);
}

/* In the high byte of each half: may a window end with this piece? The low byte of the
 * lane before is shifted onto the high byte of this one. */
INLINE __m256i may_end(__m256i last, __m256i now)
{
	__m256i joint = _mm256_permute2x128_si256(last, now, 0x21);

	return _mm256_and_si256(_mm256_alignr_epi8(now, joint, 11), now);
}

/* One bit per piece, 0 where a window may end. Lane I has bits 4I to 4I+3: B's piece I,
 * B's piece I+8, and A's. */
INLINE uint32_t bits_of(__m256i first, __m256i second)
{
	__m256i high = _mm256_set1_epi16((short)0xff00);
	__m256i x = _mm256_blendv_epi8(_mm256_srli_epi16(first, 8), second, high);

	return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, _mm256_setzero_si256()));
}

/* The entries of the pieces before A and B, as the last lane. */
INLINE __m256i last_of(const struct kt_grid *g, const char *text, size_t a, size_t b)
{
	uint32_t upper = kt_grid_before(g, text, a), lower = kt_grid_before(g, text, b);

	return _mm256_insert_epi32(_mm256_setzero_si256(), (int)(upper << 16 | lower), 7);
}

INLINE void fetch(const char *p)
{
	__builtin_prefetch((const void *)((uintptr_t)p + AHEAD));
}

/* Streams of N bytes at A and B; a word per round. */
AVX2 static void walk(const struct kt_grid *g, const char *text, size_t a, size_t b, size_t n, uint32_t *bits)
{
	__m256i or_mask = _mm256_set1_epi32((int)g->or_mask), last = last_of(g, text, a, b);

	for (size_t i = 0; i < n; i += STEP) {
		fetch(text + a + i);
		fetch(text + b + i);
		__m256i x = both(g, text + a + i, text + b + i, or_mask);
		__m256i y = both(g, text + a + i + VECTOR, text + b + i + VECTOR, or_mask);
		*bits++ = bits_of(may_end(last, x), may_end(x, y));
		last = y;
	}
}

/* MINE: the bits of one stream, which begins at AT; two rounds at once. */
static void look(struct kt_sink *s, const struct kt_grid *g, const uint32_t *bits, size_t n, uint32_t mine,
		 size_t at)
{
	for (size_t i = 0; i < n; i += 2, at += 2 * STEP) {
		uint64_t two = bits[i] | (uint64_t)bits[i + 1] << 32;
		for (uint64_t found = ~two & (mine | (uint64_t)mine << 32); found; found &= found - 1) {
			unsigned bit = (unsigned)__builtin_ctzll(found);
			kt_sink_look(s, g, at + bit / 32 * STEP + bit % 32 / 4 * PIECE + bit % 2 * VECTOR);
		}
	}
}

size_t kt_find_avx2(struct kt_sink *s, const struct kt_grid *g, size_t lo, size_t hi)
{
	uint32_t bits[BLOCK / 2 / STEP + 1];

	while (hi - lo >= 2 * STEP) {
		size_t n = (hi - lo < BLOCK ? hi - lo : BLOCK) / 2 / STEP * STEP;
		walk(g, s->text.p, lo, lo + n, n, bits);
		bits[n / STEP] = UINT32_MAX; /* nothing there */
		look(s, g, bits, n / STEP, 0xcccccccc, lo);
		look(s, g, bits, n / STEP, 0x33333333, lo + n);
		lo += 2 * n;
	}
	return lo;
}

#else

bool kt_can_avx2(void)
{
	return false;
}

size_t kt_find_avx2(struct kt_sink *s, const struct kt_grid *g, size_t lo, size_t hi)
{
	(void)s;
	(void)g;
	(void)hi;
	return lo;
}

#endif
