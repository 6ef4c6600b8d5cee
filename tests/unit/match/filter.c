/* The filter against a trivial search: every place of every literal, on both paths. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "core/build.h"
#include "match/filter.h"

static const enum kt_filter_path paths[] = {KT_FILTER_PORTABLE, KT_FILTER_AVX2};

/* A pattern row with LITERALS, "|" between them. */
static void add_row(struct kt_kbb *b, const char *literals, bool fold)
{
	struct kt_str list[16], rest = kt_str_c(literals);
	struct kt_buf name = KT_BUF(4096);
	size_t n = 0;

	kt_buf_fmt(&name, "%s%s", literals, fold ? "/i" : "");
	uint32_t row = kt_kbb_pattern(b, kt_buf_view(&name));
	while (n < 16 && kt_str_cut(&rest, '|', &list[n]))
		n++;
	kt_kbb_literals(b, row, list, n, fold);
	kt_buf_free(&name);
}

static bool stands(struct kt_str text, size_t at, struct kt_str literal, bool fold)
{
	if (literal.len > text.len - at)
		return false;
	struct kt_str there = {text.p + at, literal.len};
	return fold ? kt_str_ieq(there, literal) : kt_str_eq(there, literal);
}

static bool row_stands(const struct kt_kb *kb, uint32_t row, struct kt_str text, size_t at)
{
	const struct kt_pattern *p = &kb->patterns[row];

	for (uint32_t i = 0; i < p->literals.n; i++)
		if (stands(text, at, kt_kb_text(kb, kb->strings[p->literals.at + i]), p->fold))
			return true;
	return false;
}

static void say(struct kt_buf *out, size_t at, uint32_t row)
{
	kt_buf_fmt(out, "%zu:%u ", at, row);
}

/* The reference. */
static void naive(const struct kt_kb *kb, const struct kt_str *signs, size_t n_signs, struct kt_str text,
		  size_t from, size_t to, struct kt_buf *out)
{
	for (size_t at = from; at < to && at < text.len; at++) {
		for (uint32_t row = 0; row < kb->n_patterns; row++)
			if (row_stands(kb, row, text, at))
				say(out, at, row);
		for (uint32_t i = 0; i < n_signs; i++)
			if (stands(text, at, signs[i], false))
				say(out, at, kb->n_patterns + i);
	}
}

/* Each path gives what the trivial search gives; returns the number of candidates. */
static size_t check(struct kt_filter *f, const struct kt_kb *kb, const struct kt_str *signs, size_t n_signs,
		    struct kt_str text, size_t from, size_t to)
{
	struct kt_buf want = KT_BUF(1 << 24), got = KT_BUF(1 << 24);
	struct kt_candidates c = {0};
	size_t n = 0;

	naive(kb, signs, n_signs, text, from, to, &want);
	for (size_t i = 0; i < KT_LEN(paths); i++) {
		if (!kt_filter_take_path(f, paths[i]))
			continue;
		kt_filter_find(f, text, from, to, &c);
		kt_buf_clear(&got);
		for (size_t k = 0; k < c.n; k++)
			say(&got, c.list[k].at, c.list[k].row);
		cr_expect_str_eq(kt_buf_c(&got), kt_buf_c(&want), "path %u, [%zu, %zu) of %zu", paths[i],
				 from, to, text.len);
		n = c.n;
	}
	kt_candidates_free(&c);
	kt_buf_free(&want);
	kt_buf_free(&got);
	return n;
}

/* The text ends where the memory does: a byte read behind it is found by ASan and valgrind. */
static struct kt_str exact_copy(struct kt_str s)
{
	char *p = kt_alloc(s.len);

	if (s.len)
		memcpy(p, s.p, s.len);
	return (struct kt_str){p, s.len};
}

static void free_copy(struct kt_str s)
{
	free((void *)(uintptr_t)s.p);
}

static void add_all_lengths(struct kt_kbb *b)
{
	static const char *const literals[] = {
		"k",
		"Qz",
		"tRy",
		"None",
		"some5",
		"six_by",
		"sevenby",
		"eightbyt",
		"nine_byte",
		"ten_bytes!",
		"eleven_byte",
		"twelve_bytes",
		"this one is longer than any window of the filter, by far, and has sixty-odd",
	};

	for (size_t i = 0; i < KT_LEN(literals); i++)
		add_row(b, literals[i], false);
	add_row(b, "queue full|queue is full|no room in the queue", false);
	add_row(b, "AbCdEfG|CaSeLeSs iS LoNg|x7Y", true);
	add_row(b, "eleven_byte|eleven_byte of more", false);
}

Test(filter, a_literal_at_every_alignment_between_other_bytes)
{
	struct kt_kbb *b = kt_kbb_new();
	static const struct kt_str signs[] = {{"{\"Event\":", 9}, {"eleven_byte", 11}};

	add_all_lengths(b);
	const struct kt_kb *kb = kt_kbb_kb(b);
	struct kt_filter *f = kt_filter_new_plain(kb, signs, 2);
	size_t n = 0;
	for (uint32_t row = 0; row < kb->n_patterns; row++)
		for (uint32_t i = 0; i < kb->patterns[row].literals.n; i++) {
			struct kt_str l = kt_kb_text(kb, kb->strings[kb->patterns[row].literals.at + i]);
			for (size_t at = 0; at < 9; at++)
				for (size_t tail = 0; tail < 9; tail++) {
					struct kt_buf t = KT_BUF(4096);
					kt_buf_fmt(&t, "%.*s" KT_FMT "%.*s", (int)at, "..........", KT_ARG(l),
						   (int)tail, "##########");
					struct kt_str text = exact_copy(kt_buf_view(&t));
					n += check(f, kb, signs, 2, text, 0, text.len);
					free_copy(text);
					kt_buf_free(&t);
				}
		}
	cr_assert(n > 19 * 81);
	kt_filter_free(f);
	kt_kbb_free(b);
}

/* A literal goes over the end of the vectors, the blocks of a path, the caller's blocks. */
Test(filter, at_the_borders_of_blocks)
{
	static const size_t borders[] = {16, 64, 128, 256, 1024, 8192, 16384, 16384 + 128, 24576, 32768};
	struct kt_kbb *b = kt_kbb_new();
	size_t n = 0;

	add_row(b, "needle of the haystack", false);
	add_row(b, "needle", false);
	add_row(b, "haystack", true);
	struct kt_filter *f = kt_filter_new_plain(kt_kbb_kb(b), NULL, 0);
	for (size_t i = 0; i < KT_LEN(borders); i++)
		for (size_t back = 0; back <= 24; back++)
			for (size_t shift = 0; shift < 4; shift++) {
				struct kt_buf t = KT_BUF(1 << 20);
				while (t.len + back < borders[i] + shift)
					kt_buf_char(&t, "abcdefghijklm"[t.len % 13]);
				kt_buf_str(&t, "needle of the haystack");
				struct kt_candidates c = {0};
				for (size_t k = 0; k < KT_LEN(paths); k++) {
					size_t at = t.len - 22;
					if (!kt_filter_take_path(f, paths[k]))
						continue;
					kt_filter_find(f, kt_buf_view(&t), 0, t.len, &c);
					cr_assert(c.n == 3 && c.list[0].at == at && c.list[0].row == 0 &&
							  c.list[1].at == at && c.list[1].row == 1 &&
							  c.list[2].at == at + 14 && c.list[2].row == 2,
						  "border %zu, back %zu, path %u", borders[i], back,
						  paths[k]);
					n++;
				}
				kt_candidates_free(&c);
				kt_buf_free(&t);
			}
	cr_assert(n >= KT_LEN(borders) * 100);
	kt_filter_free(f);
	kt_kbb_free(b);
}

/* --- random texts --- */

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void random_word(uint64_t *state, const char *letters, size_t len, struct kt_buf *out)
{
	size_t n = strlen(letters);

	while (len--)
		kt_buf_char(out, letters[next(state) % n]);
}

/* Few letters, so that literals overlap, repeat, begin each other and nearly match. */
static void random_rows(struct kt_kbb *b, uint64_t *state, const char *letters, bool folded)
{
	for (unsigned i = 0; i < 60; i++) {
		struct kt_buf w = KT_BUF(4096);
		for (uint64_t k = next(state) % 3 + 1; k--;) {
			random_word(state, letters, next(state) % 18 + (next(state) % 20 ? 4 : 1), &w);
			kt_buf_str(&w, k ? "|" : "");
		}
		add_row(b, kt_buf_c(&w), folded && next(state) % 2);
		kt_buf_free(&w);
	}
}

static void random_text(uint64_t *state, const struct kt_kb *kb, const char *letters, size_t len,
			struct kt_buf *out)
{
	while (out->len < len) {
		if (next(state) % 3) {
			random_word(state, letters, next(state) % 30, out);
			continue;
		}
		struct kt_str l = kt_kb_text(kb, kb->strings[next(state) % kb->n_strings]);
		kt_buf_add(out, kt_str_sub(l, 0, next(state) % 4 ? l.len : next(state) % (l.len + 1)));
	}
	kt_buf_cut(out, len);
}

static size_t random_round(uint64_t seed, const char *letters, bool folded)
{
	struct kt_kbb *b = kt_kbb_new();
	uint64_t state = seed * UINT64_C(0x9E3779B97F4A7C15);
	size_t n = 0;

	random_rows(b, &state, letters, folded);
	const struct kt_kb *kb = kt_kbb_kb(b);
	struct kt_filter *f = kt_filter_new_plain(kb, NULL, 0);
	for (unsigned i = 0; i < 6; i++) {
		struct kt_buf t = KT_BUF(1 << 20);
		random_text(&state, kb, letters, next(&state) % 700 + (i == 5 && seed % 8 == 0 ? 20000 : 0),
			    &t);
		struct kt_str text = exact_copy(kt_buf_view(&t));
		size_t from = next(&state) % (text.len + 1), to = next(&state) % (text.len + 40);
		n += check(f, kb, NULL, 0, text, 0, text.len);
		n += check(f, kb, NULL, 0, text, from < 40 ? from : 40, to);
		free_copy(text);
		kt_buf_free(&t);
	}
	kt_filter_free(f);
	kt_kbb_free(b);
	return n;
}

Test(filter, random_texts)
{
	size_t n = 0;

	for (uint64_t seed = 1; seed <= 32; seed++) {
		n += random_round(seed, "ab", false);
		n += random_round(seed, "abAB@`", true);
		n += random_round(seed, "etaoinsrhETAOINSRH 0123{[\n\xc3\xa4", true);
	}
	cr_assert(n > 100000, "%zu", n);
}

/* What the blocks of a text give, one after the other, is what the text gives. */
Test(filter, blocks_add_up)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_buf t = KT_BUF(1 << 20), want = KT_BUF(1 << 24), got = KT_BUF(1 << 24);
	uint64_t state = 4711;

	random_rows(b, &state, "abc", true);
	add_row(b, "a|b", false);
	const struct kt_kb *kb = kt_kbb_kb(b);
	random_text(&state, kb, "abc ", 3000, &t);
	struct kt_str text = kt_buf_view(&t);
	naive(kb, NULL, 0, text, 0, text.len, &want);
	struct kt_filter *f = kt_filter_new_plain(kb, NULL, 0);
	for (size_t i = 0; i < KT_LEN(paths); i++)
		for (size_t block = 1; block < 700; block += block < 70 ? 1 : 97) {
			struct kt_candidates c = {0};
			if (!kt_filter_take_path(f, paths[i]))
				continue;
			kt_buf_clear(&got);
			for (size_t at = 0; at < text.len; at += block) {
				kt_filter_find(f, text, at, at + block, &c);
				for (size_t k = 0; k < c.n; k++)
					say(&got, c.list[k].at, c.list[k].row);
			}
			cr_assert_str_eq(kt_buf_c(&got), kt_buf_c(&want), "path %u, blocks of %zu", paths[i],
					 block);
			kt_candidates_free(&c);
		}
	kt_filter_free(f);
	kt_buf_free(&t);
	kt_buf_free(&want);
	kt_buf_free(&got);
	kt_kbb_free(b);
}

/* More literals without case than get a copy of each piece in each case. */
Test(filter, many_literals_without_case)
{
	struct kt_kbb *b = kt_kbb_new();
	uint64_t state = 99;
	size_t n = 0;

	for (unsigned i = 0; i < 90; i++) {
		struct kt_buf w = KT_BUF(64);
		random_word(&state, "abcdefgh", 11 + i % 9, &w);
		add_row(b, kt_buf_c(&w), true);
		kt_buf_free(&w);
	}
	const struct kt_kb *kb = kt_kbb_kb(b);
	struct kt_filter *f = kt_filter_new_plain(kb, NULL, 0);
	for (unsigned i = 0; i < 20; i++) {
		struct kt_buf t = KT_BUF(4096);
		random_text(&state, kb, "aBcDeFgH", 2000, &t);
		n += check(f, kb, NULL, 0, kt_buf_view(&t), 0, t.len);
		kt_buf_free(&t);
	}
	cr_assert(n > 500, "%zu", n);
	kt_filter_free(f);
	kt_kbb_free(b);
}

/* --- the rest of the interface --- */

Test(filter, rows_of_a_record)
{
	struct kt_kbb *b = kt_kbb_new();
	static const struct kt_str sign = {"sign of sorts", 13};
	uint64_t bits = 0;
	struct kt_rowset rows = {&bits, 5};

	add_row(b, "needle of the haystack", false);
	add_row(b, "absent as can be", false);
	add_row(b, "five5", false);
	add_row(b, "x", false);
	add_row(b, "", false);
	struct kt_filter *f = kt_filter_new_plain(kt_kbb_kb(b), &sign, 1);
	for (size_t i = 0; i < KT_LEN(paths); i++) {
		if (!kt_filter_take_path(f, paths[i]))
			continue;
		bits = 0;
		kt_filter_scan(f, KT_S("a needle of the haystack and a sign of sorts, five5"), &rows);
		cr_assert(bits == 5);
		kt_filter_scan(f, KT_S("x"), &rows);
		cr_assert(bits == 13);
		kt_filter_scan(f, KT_NONE, &rows);
		cr_assert(bits == 13);
	}
	kt_filter_free(f);
	kt_kbb_free(b);
}

Test(filter, patterns_without_literals_are_told)
{
	struct kt_kbb *b = kt_kbb_new();

	add_row(b, "some literal", false);
	struct kt_filter *f = kt_filter_new_plain(kt_kbb_kb(b), NULL, 0);
	cr_assert(!kt_filter_has_always(f) && kt_filter_always(f)->bits[0] == 0);
	kt_filter_free(f);
	kt_kbb_pattern(b, KT_S("\\d+"));
	f = kt_filter_new_plain(kt_kbb_kb(b), NULL, 0);
	cr_assert(kt_filter_has_always(f) && kt_filter_always(f)->bits[0] == 2);
	kt_filter_free(f);
	kt_kbb_free(b);
}

Test(filter, nothing_to_look_for)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_candidates c = {0};
	struct kt_filter *f = kt_filter_new_plain(kt_kbb_kb(b), NULL, 0);

	kt_filter_find(f, KT_S("some text that is long enough for a piece or two"), 0, 40, &c);
	cr_assert(c.n == 0);
	kt_filter_find(f, KT_NONE, 0, 0, &c);
	kt_filter_find(f, KT_S("abc"), 3, 9, &c);
	cr_assert(c.n == 0);
	kt_candidates_free(&c);
	kt_filter_free(f);
	kt_kbb_free(b);
}
