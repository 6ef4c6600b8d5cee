#include "base/str.h"

#include <string.h>
#include <strings.h>

#include "base/banned.h"

struct kt_str kt_str_c(const char *c)
{
	return (struct kt_str){c, c ? strlen(c) : 0};
}

struct kt_str kt_str_sub(struct kt_str s, size_t at, size_t len)
{
	if (at > s.len)
		at = s.len;
	if (len > s.len - at)
		len = s.len - at;
	return (struct kt_str){s.p ? s.p + at : NULL, len};
}

struct kt_str kt_str_from(struct kt_str s, size_t at)
{
	return kt_str_sub(s, at, s.len);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

struct kt_str kt_str_trim(struct kt_str s)
{
	while (s.len && is_blank(s.p[0])) {
		s.p++;
		s.len--;
	}
	while (s.len && is_blank(s.p[s.len - 1]))
		s.len--;
	return s;
}

bool kt_str_eq(struct kt_str a, struct kt_str b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

bool kt_str_eq_c(struct kt_str a, const char *c)
{
	return kt_str_eq(a, kt_str_c(c));
}

/* Not tolower(): the locale must not change an answer. */
static unsigned char fold(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

bool kt_str_ieq(struct kt_str a, struct kt_str b)
{
	if (a.len != b.len)
		return false;
	for (size_t i = 0; i < a.len; i++)
		if (fold(a.p[i]) != fold(b.p[i]))
			return false;
	return true;
}

int kt_str_cmp(struct kt_str a, struct kt_str b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int c = n ? memcmp(a.p, b.p, n) : 0;

	if (c)
		return c;
	return (a.len > b.len) - (a.len < b.len);
}

bool kt_str_starts(struct kt_str s, struct kt_str prefix)
{
	return s.len >= prefix.len && kt_str_eq(kt_str_sub(s, 0, prefix.len), prefix);
}

bool kt_str_ends(struct kt_str s, struct kt_str suffix)
{
	return s.len >= suffix.len && kt_str_eq(kt_str_from(s, s.len - suffix.len), suffix);
}

size_t kt_str_find(struct kt_str s, struct kt_str needle, size_t from)
{
	if (from > s.len || needle.len > s.len - from)
		return KT_NPOS;
	if (!needle.len)
		return from;
	const char *hit = memmem(s.p + from, s.len - from, needle.p, needle.len);
	return hit ? (size_t)(hit - s.p) : KT_NPOS;
}

size_t kt_str_ifind(struct kt_str s, struct kt_str needle, size_t from)
{
	for (size_t at = from; at <= s.len && needle.len <= s.len - at; at++)
		if (kt_str_ieq(kt_str_sub(s, at, needle.len), needle))
			return at;
	return KT_NPOS;
}

size_t kt_str_chr(struct kt_str s, char c, size_t from)
{
	if (from >= s.len)
		return KT_NPOS;
	const char *hit = memchr(s.p + from, c, s.len - from);
	return hit ? (size_t)(hit - s.p) : KT_NPOS;
}

bool kt_str_cut(struct kt_str *rest, char sep, struct kt_str *piece)
{
	if (!rest->p)
		return false;
	size_t at = kt_str_chr(*rest, sep, 0);
	if (at == KT_NPOS) {
		*piece = *rest;
		*rest = KT_NONE;
		return true;
	}
	*piece = kt_str_sub(*rest, 0, at);
	*rest = kt_str_from(*rest, at + 1);
	return true;
}

bool kt_str_uint(struct kt_str s, uint64_t max, uint64_t *out)
{
	uint64_t v = 0;

	if (!s.len)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		unsigned d = (unsigned char)s.p[i] - (unsigned)'0';
		if (d > 9 || v > (UINT64_MAX - d) / 10)
			return false;
		v = v * 10 + d;
	}
	if (v > max)
		return false;
	*out = v;
	return true;
}

#define DISTANCE_MAX_LEN 64

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;
	return m < c ? m : c;
}

unsigned kt_str_distance(struct kt_str a, struct kt_str b, unsigned limit)
{
	unsigned rows[3][DISTANCE_MAX_LEN + 1];

	if (a.len > DISTANCE_MAX_LEN || b.len > DISTANCE_MAX_LEN)
		return limit + 1;
	for (unsigned j = 0; j <= b.len; j++)
		rows[0][j] = j;
	for (unsigned i = 1; i <= a.len; i++) {
		unsigned *row = rows[i % 3], *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];
		row[0] = i;
		for (unsigned j = 1; j <= b.len; j++) {
			unsigned sub = fold(a.p[i - 1]) != fold(b.p[j - 1]);
			row[j] = min3(up[j] + 1, row[j - 1] + 1, up[j - 1] + sub);
			if (i > 1 && j > 1 && fold(a.p[i - 1]) == fold(b.p[j - 2]) &&
			    fold(a.p[i - 2]) == fold(b.p[j - 1]) && up2[j - 2] + 1 < row[j])
				row[j] = up2[j - 2] + 1;
		}
	}
	unsigned d = rows[a.len % 3][b.len];
	return d > limit ? limit + 1 : d;
}

uint64_t kt_str_hash(struct kt_str s, uint64_t seed)
{
	uint64_t h = seed;

	for (size_t i = 0; i < s.len; i++)
		h = (h ^ (unsigned char)s.p[i]) * UINT64_C(0x100000001b3);
	return h;
}

struct kt_str kt_str_nearest(struct kt_str s, const struct kt_str *words, size_t n)
{
	struct kt_str best = KT_NONE;
	unsigned limit = s.len < 3 ? 1 : s.len >= 9 ? 3 : (unsigned)(s.len + 1) / 3;
	unsigned found = limit + 1;

	for (size_t i = 0; i < n; i++) {
		unsigned d = kt_str_distance(s, words[i], limit);
		if (d < found) {
			found = d;
			best = words[i];
		}
	}
	return best;
}
