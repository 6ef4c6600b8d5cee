#include "match/texts.h"

#include <string.h>

#include "base/banned.h"

struct kt_texts kt_texts_one(struct kt_arena *a, struct kt_str s, bool fold)
{
	struct kt_str *list = KT_NEW(a, struct kt_str);

	*list = kt_arena_str(a, s);
	return (struct kt_texts){list, 1, fold};
}

static struct kt_str joined(struct kt_arena *a, struct kt_str x, struct kt_str y)
{
	char *p = kt_arena_alloc(a, x.len + y.len + 1);

	if (x.len)
		memcpy(p, x.p, x.len);
	if (y.len)
		memcpy(p + x.len, y.p, y.len);
	return (struct kt_str){p, x.len + y.len};
}

struct kt_texts kt_texts_times(struct kt_arena *a, struct kt_texts x, struct kt_texts y)
{
	struct kt_texts out = {.fold = x.fold || y.fold};

	if (!x.n || !y.n || x.n * y.n > KT_TEXTS_EXACT)
		return (struct kt_texts){0};
	struct kt_str *list = KT_NEW_N(a, struct kt_str, x.n * y.n);
	for (uint32_t i = 0; i < x.n; i++)
		for (uint32_t k = 0; k < y.n; k++) {
			if (x.s[i].len + y.s[k].len > KT_TEXTS_LEN)
				return (struct kt_texts){0};
			list[out.n++] = joined(a, x.s[i], y.s[k]);
		}
	out.s = list;
	return out;
}

static bool has(const struct kt_str *list, uint32_t n, struct kt_str s)
{
	for (uint32_t i = 0; i < n; i++)
		if (kt_str_eq(list[i], s))
			return true;
	return false;
}

struct kt_texts kt_texts_plus(struct kt_arena *a, struct kt_texts x, struct kt_texts y, uint32_t max)
{
	struct kt_texts out = {.fold = x.fold || y.fold};

	if (!x.n || !y.n)
		return (struct kt_texts){0};
	struct kt_str *list = KT_NEW_N(a, struct kt_str, x.n + y.n);
	for (uint32_t i = 0; i < x.n + y.n; i++) {
		struct kt_str s = i < x.n ? x.s[i] : y.s[i - x.n];
		if (!has(list, out.n, s))
			list[out.n++] = s;
	}
	out.s = list;
	return out.n <= max ? out : (struct kt_texts){0};
}

size_t kt_texts_shortest(struct kt_texts x)
{
	size_t shortest = x.n ? SIZE_MAX : 0;

	for (uint32_t i = 0; i < x.n; i++)
		if (x.s[i].len < shortest)
			shortest = x.s[i].len;
	return shortest;
}

/* Beyond some length more bytes do not make a text rarer; every further text
 * costs a little. */
static int64_t worth(struct kt_texts x)
{
	size_t shortest = kt_texts_shortest(x);

	if (!shortest)
		return INT64_MIN;
	return (int64_t)(shortest < 24 ? shortest : 24) * 4 - (int64_t)x.n;
}

struct kt_texts kt_texts_better(struct kt_texts x, struct kt_texts y)
{
	return worth(y) > worth(x) ? y : x;
}
