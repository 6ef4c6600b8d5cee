#include "base/count.h"

#include <stdint.h>
#include <string.h>

#include "base/banned.h"

#define RUNS 255 /* until a lane of eight bits may be full */

typedef uint8_t lanes16 __attribute__((vector_size(16)));

/* By pointer only: how a vector is passed depends on the target. */
#define COUNTER(name, lanes, target)                                                                    \
	target static inline void name##_add(lanes *n, const char *p, const lanes *c)                   \
	{                                                                                               \
		lanes x;                                                                                \
                                                                                                        \
		memcpy(&x, p, sizeof x);                                                                \
		*n -= (lanes)(x == *c); /* -1 where equal */                                            \
	}                                                                                               \
                                                                                                        \
	target static size_t name##_sum(const lanes *a, const lanes *b, const lanes *c, const lanes *d) \
	{                                                                                               \
		size_t n = 0;                                                                           \
                                                                                                        \
		for (size_t i = 0; i < sizeof(lanes); i++)                                              \
			n += (size_t)(*a)[i] + (*b)[i] + (*c)[i] + (*d)[i];                             \
		return n;                                                                               \
	}                                                                                               \
                                                                                                        \
	target static size_t name(const char *p, size_t n, char byte)                                   \
	{                                                                                               \
		const size_t w = sizeof(lanes);                                                         \
		lanes all = {0};                                                                        \
		size_t total = 0, i = 0;                                                                \
                                                                                                        \
		all += (uint8_t)byte;                                                                   \
		while (n - i >= 4 * w) {                                                                \
			lanes a = {0}, b = {0}, c = {0}, d = {0};                                       \
			for (unsigned runs = 0; runs < RUNS && n - i >= 4 * w; runs++, i += 4 * w) {    \
				name##_add(&a, p + i, &all);                                            \
				name##_add(&b, p + i + w, &all);                                        \
				name##_add(&c, p + i + 2 * w, &all);                                    \
				name##_add(&d, p + i + 3 * w, &all);                                    \
			}                                                                               \
			total += name##_sum(&a, &b, &c, &d);                                            \
		}                                                                                       \
		for (; i < n; i++)                                                                      \
			total += p[i] == byte;                                                          \
		return total;                                                                           \
	}

COUNTER(count_16, lanes16, )

size_t kt_count_byte_portable(const char *p, size_t n, char c)
{
	return count_16(p, n, c);
}

#if defined(__x86_64__)
typedef uint8_t lanes32 __attribute__((vector_size(32)));
COUNTER(count_32, lanes32, __attribute__((target("avx2"))))

size_t kt_count_byte(const char *p, size_t n, char c)
{
	return __builtin_cpu_supports("avx2") ? count_32(p, n, c) : count_16(p, n, c);
}
#else
size_t kt_count_byte(const char *p, size_t n, char c)
{
	return count_16(p, n, c);
}
#endif
