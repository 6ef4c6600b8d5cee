#include "input/order.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"

#include "base/banned.h"

#define NUMBER_DIGITS 6 /* of a counter; longer ones are something else */

enum age { AGE_DATED, AGE_NUMBERED, AGE_NEWEST };

struct entry {
	struct kt_str name;
	struct kt_str stem; /* without the marks */
	enum age age;
	struct kt_str date;
	uint64_t number;
	bool current; /* it has .current */
	bool up;      /* its log has one: numbers go up */
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_separator(char c)
{
	return c == '-' || c == '_' || c == '.';
}

static size_t digits_at(struct kt_str s, size_t at)
{
	size_t n = 0;

	while (at + n < s.len && is_digit(s.p[at + n]))
		n++;
	return n;
}

/* --- numbers as numbers --- */

static struct kt_str without_zeros(struct kt_str number)
{
	while (number.len > 1 && number.p[0] == '0')
		number = kt_str_from(number, 1);
	return number;
}

static int compare_numbers(struct kt_str a, struct kt_str b)
{
	a = without_zeros(a);
	b = without_zeros(b);
	if (a.len != b.len)
		return a.len < b.len ? -1 : 1;
	return kt_str_cmp(a, b);
}

static int compare_natural(struct kt_str a, struct kt_str b)
{
	size_t i = 0, k = 0;

	while (i < a.len && k < b.len) {
		size_t n = digits_at(a, i), m = digits_at(b, k);
		int c = n && m ? compare_numbers(kt_str_sub(a, i, n), kt_str_sub(b, k, m))
			       : (int)(unsigned char)a.p[i] - (int)(unsigned char)b.p[k];
		if (c)
			return c;
		i += n && m ? n : 1;
		k += n && m ? m : 1;
	}
	return (i < a.len) - (k < b.len);
}

/* --- marks --- */

struct marks {
	struct entry *e;
	struct kt_arena *arena;
};

/* Takes [FROM, TO) out of the stem, with the separators before it. */
static void take_out(struct marks *m, size_t from, size_t to)
{
	struct kt_str stem = m->e->stem;

	while (from && is_separator(stem.p[from - 1]))
		from--;
	m->e->stem = kt_arena_fmt(m->arena, KT_FMT KT_FMT, KT_ARG(kt_str_sub(stem, 0, from)),
				  KT_ARG(kt_str_from(stem, to)));
}

static void take_packing(struct marks *m)
{
	static const char *const suffixes[] = {".gz", ".zst", ".bz2", ".xz", ".lz4", ".zip", ".Z"};

	for (size_t i = 0; i < KT_LEN(suffixes); i++) {
		struct kt_str suffix = kt_str_c(suffixes[i]);
		if (m->e->stem.len > suffix.len && kt_str_ends(m->e->stem, suffix)) {
			m->e->stem.len -= suffix.len;
			return;
		}
	}
}

static bool in_range(struct kt_str s, size_t at, unsigned low, unsigned high)
{
	uint64_t v;

	return digits_at(s, at) >= 2 && kt_str_uint(kt_str_sub(s, at, 2), high, &v) && v >= low;
}

/* Length of the year, month and day at AT; 0: none. */
static size_t day_at(struct kt_str s, size_t at)
{
	size_t n = digits_at(s, at);
	bool year = kt_str_starts(kt_str_from(s, at), KT_S("20")) ||
		    kt_str_starts(kt_str_from(s, at), KT_S("19"));

	if (!year || (at && is_digit(s.p[at - 1])))
		return 0;
	if (n == 4 && s.len >= at + 10 && is_separator(s.p[at + 4]) && digits_at(s, at + 5) == 2 &&
	    is_separator(s.p[at + 7]) && digits_at(s, at + 8) == 2 && in_range(s, at + 5, 1, 12) &&
	    in_range(s, at + 8, 1, 31))
		return 10;
	if ((n == 8 || n == 10 || n == 12 || n == 14) && in_range(s, at + 4, 1, 12) &&
	    in_range(s, at + 6, 1, 31))
		return n;
	return 0;
}

/* The date and all numbers behind it: the time, a counter. */
static size_t date_end(struct kt_str s, size_t end)
{
	for (;;) {
		size_t next = end;
		while (next < s.len && (is_separator(s.p[next]) || s.p[next] == 'T'))
			next++;
		size_t n = digits_at(s, next);
		if (!n || next == end)
			return end;
		end = next + n;
	}
}

static void take_date(struct marks *m)
{
	struct kt_str s = m->e->stem;

	for (size_t at = 0; at < s.len; at++) {
		size_t day = day_at(s, at);
		if (!day)
			continue;
		size_t end = date_end(s, at + day);
		m->e->date = kt_str_sub(s, at, end - at);
		m->e->age = AGE_DATED;
		take_out(m, at, end);
		return;
	}
}

static void take_current(struct marks *m)
{
	struct kt_str s = m->e->stem;

	if (!kt_str_ends(s, KT_S(".current")))
		return;
	m->e->current = true;
	take_out(m, s.len - 7, s.len);
}

/* "-active" where a word ends. */
static void take_active(struct marks *m)
{
	struct kt_str s = m->e->stem, word = KT_S("active");

	for (size_t at = 1; (at = kt_str_find(s, word, at)) != KT_NPOS; at++) {
		size_t end = at + word.len;
		if (is_separator(s.p[at - 1]) && (end == s.len || is_separator(s.p[end]))) {
			take_out(m, at, end);
			return;
		}
	}
}

static void take_number(struct marks *m)
{
	struct kt_str s = m->e->stem;
	size_t n = 0;

	while (n < s.len && is_digit(s.p[s.len - 1 - n]))
		n++;
	if (!n || n > NUMBER_DIGITS || n + 1 >= s.len || s.p[s.len - 1 - n] != '.')
		return;
	if (kt_str_uint(kt_str_from(s, s.len - n), UINT64_MAX, &m->e->number) && !m->e->current)
		m->e->age = AGE_NUMBERED;
	take_out(m, s.len - n, s.len);
}

static void read_marks(struct entry *e, struct kt_arena *arena)
{
	struct marks m = {e, arena};

	e->stem = e->name;
	e->age = AGE_NEWEST;
	take_packing(&m);
	take_active(&m);
	take_current(&m);
	take_date(&m);
	if (e->age != AGE_DATED)
		take_number(&m);
}

/* --- order --- */

static int by_log(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int c = compare_natural(x->stem, y->stem);

	return c ? c : kt_str_cmp(x->stem, y->stem);
}

static int by_number(const struct entry *x, const struct entry *y)
{
	int c = (x->number > y->number) - (x->number < y->number);

	return x->up ? c : -c;
}

static int by_age(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int c = by_log(a, b);

	if (!c)
		c = (int)x->age - (int)y->age;
	if (!c && x->age == AGE_DATED)
		c = compare_natural(x->date, y->date);
	if (!c && x->age == AGE_NUMBERED)
		c = by_number(x, y);
	if (!c)
		c = compare_natural(x->name, y->name);
	return c ? c : kt_str_cmp(x->name, y->name);
}

/* What one file of a log says of all: they stand together. */
static void note_direction(struct entry *e, size_t n)
{
	for (size_t from = 0, to; from < n; from = to) {
		bool up = false;
		for (to = from; to < n && by_log(&e[from], &e[to]) == 0; to++)
			up = up || e[to].current;
		for (size_t i = from; i < to; i++)
			e[i].up = up;
	}
}

void kt_order_names(struct kt_str *names, size_t n)
{
	struct kt_arena arena = {0};
	struct entry *e = kt_alloc_n(n + 1, sizeof *e);

	for (size_t i = 0; i < n; i++) {
		e[i].name = names[i];
		read_marks(&e[i], &arena);
	}
	qsort(e, n, sizeof *e, by_log);
	note_direction(e, n);
	qsort(e, n, sizeof *e, by_age);
	for (size_t i = 0; i < n; i++)
		names[i] = e[i].name;
	kt_free(e);
	kt_arena_free(&arena);
}
