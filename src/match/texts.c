#include "match/texts.h"

#include <string.h>

#include "match/grams.h"

#include "base/banned.h"

struct kt_texts kt_texts_one(struct kt_arena *a, struct kt_str s, bool fold)
{
	struct kt_str *list = KT_NEW(a, struct kt_str);

	*list = kt_arena_str(a, s);
	return (struct kt_texts){.s = list, .n = 1, .fold = fold};
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

#define RECORD 32 /* hits: what it takes to cut out a record and to try a pattern on it */

/* The steps of a text's pass and the hits that come by chance: a single piece has
 * to pass one test, a pair two. Then what is really met. */
static uint64_t text_price(struct kt_str s)
{
	struct kt_window w = kt_gram_window(s);
	uint64_t fixed = 16;

	if (!s.len)
		return KT_TEXTS_USELESS;
	if (w.len < KT_GRAM)
		fixed = 2 * KT_TEXTS_BRIEF;
	else if (w.len < KT_WINDOW_ONE)
		fixed = KT_TEXTS_BRIEF;
	else if (w.len < KT_WINDOW_PAIR)
		fixed = UINT64_C(16) * 16;
	return fixed + w.hits + RECORD * (uint64_t)w.stands;
}

uint64_t kt_texts_price(struct kt_texts x)
{
	uint64_t sum = x.price;

	if (!x.n || sum)
		return x.n ? sum : KT_TEXTS_USELESS;
	for (uint32_t i = 0; i < x.n && sum != KT_TEXTS_USELESS; i++) {
		uint64_t one = text_price(x.s[i]);
		sum = one == KT_TEXTS_USELESS ? one : sum + one;
	}
	return sum;
}

/* Of equal ones the longer is compared longer, and so stands at fewer places. */
static bool is_rare(struct kt_texts x)
{
	return x.n && x.n <= KT_TEXTS_FEW && x.price <= KT_TEXTS_CHEAP;
}

/* Where one thing is said again and again, what says much more spares the others. */
static bool says_more(struct kt_texts x, struct kt_texts y)
{
	return is_rare(x) && is_rare(y) && kt_texts_shortest(x) >= kt_texts_shortest(y) + KT_TEXTS_MORE;
}

struct kt_texts kt_texts_better(struct kt_texts x, struct kt_texts y)
{
	x.price = kt_texts_price(x);
	y.price = kt_texts_price(y);
	if (says_more(x, y) || says_more(y, x))
		return says_more(x, y) ? x : y;
	if (x.price == y.price)
		return kt_texts_shortest(y) > kt_texts_shortest(x) ? y : x;
	return y.price < x.price ? y : x;
}

/* Is text I of X not needed, because of text K? */
static bool implied(struct kt_texts x, uint32_t i, uint32_t k)
{
	struct kt_str a = x.s[i], b = x.s[k];

	if (i == k || b.len > a.len || (x.fold ? kt_str_ifind(a, b, 0) : kt_str_find(a, b, 0)) == KT_NPOS)
		return false;
	return b.len < a.len || k < i; /* of twins the first one stays */
}

struct kt_texts kt_texts_least(struct kt_arena *a, struct kt_texts x)
{
	struct kt_texts out = {.fold = x.fold};
	struct kt_str *list = KT_NEW_N(a, struct kt_str, x.n + 1u);

	for (uint32_t i = 0; i < x.n; i++) {
		bool needed = true;
		for (uint32_t k = 0; k < x.n && needed; k++)
			needed = !implied(x, i, k);
		if (needed)
			list[out.n++] = x.s[i];
	}
	out.s = list;
	return out;
}
