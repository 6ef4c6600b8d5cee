/* Entropy without floating point. */
#include "core/eval.h"
#include "core/plan.h"

#include "base/banned.h"

static const uint32_t table[4096] = {
#include "core/log2_table.h"
};

static unsigned top_bit(kt_u128 n)
{
	uint64_t hi = (uint64_t)(n >> 64), lo = (uint64_t)n;

	return hi ? 127u - (unsigned)__builtin_clzll(hi) : 63u - (unsigned)__builtin_clzll(lo);
}

uint32_t kt_log2(kt_u128 n)
{
	unsigned bit = top_bit(n);
	uint64_t mantissa = (uint64_t)(bit >= 12 ? n >> (bit - 12) : n << (12 - bit));

	return (bit << 20) + table[mantissa - 4096];
}

void kt_wide_add(struct kt_wide *w, kt_u128 n, uint64_t m)
{
	w->hi += (n >> 64) * m;
	w->lo += (kt_u128)(uint64_t)n * m;
	w->hi += w->lo >> 64;
	w->lo = (uint64_t)w->lo;
}

/* Is W at least N * M? */
static bool reaches(const struct kt_wide *w, kt_u128 n, uint64_t m)
{
	struct kt_wide x = {0};

	kt_wide_add(&x, n, m);
	return w->hi > x.hi || (w->hi == x.hi && w->lo >= x.lo);
}

/* The quotient is small: an estimate from the leading 64 bits of BY, a little too
 * low, and then up to it. */
uint64_t kt_wide_div(struct kt_wide w, kt_u128 by)
{
	unsigned bit = top_bit(by), cut = bit > 63 ? bit - 63 : 0;
	kt_u128 part = cut ? (w.hi << (64 - cut)) + (w.lo >> cut) : (w.hi << 64) + w.lo;
	uint64_t q = (uint64_t)(part / ((by >> cut) + (cut ? 1 : 0)));

	while (reaches(&w, by, q + 1))
		q++;
	return q;
}

uint64_t kt_entropy(const uint64_t *w, size_t n)
{
	struct kt_wide sum = {0};
	kt_u128 total = 0;

	for (size_t i = 0; i < n; i++) {
		if (!w[i])
			continue;
		total += w[i];
		kt_wide_add(&sum, w[i], kt_log2(w[i]));
	}
	return total ? kt_log2(total) - kt_wide_div(sum, total) : 0;
}
