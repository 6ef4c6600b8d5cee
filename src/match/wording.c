#include "match/wording.h"

#include <string.h>

#include "match/need_reader.h"

#include "base/banned.h"

#define PRODUCT 32  /* texts of parts one behind the other */
#define UNION   64  /* alternatives */
#define LENGTH  600 /* bytes of a text; what is behind is a gap */
#define TIMES   8   /* that a repeated text is spelt out */
#define SAYS    3   /* letters or digits of a piece that says something */

/* Texts of a part, each with gaps. Never empty. */
struct set {
	const struct kt_str *s;
	uint32_t n;
};

struct reader {
	struct kt_need_reader r;
	bool shown, folded;
};

static struct set one(struct kt_arena *a, struct kt_str s)
{
	struct kt_str *list = KT_NEW(a, struct kt_str);

	*list = kt_arena_str(a, s);
	return (struct set){list, 1};
}

static struct set gap(struct kt_arena *a)
{
	const char c = KT_WORDING_GAP;

	return one(a, (struct kt_str){&c, 1});
}

static struct set nothing(struct kt_arena *a)
{
	return one(a, KT_NONE);
}

static bool ends_in_gap(struct kt_str s)
{
	return s.len && s.p[s.len - 1] == KT_WORDING_GAP;
}

static struct kt_str joined(struct kt_arena *a, struct kt_str x, struct kt_str y)
{
	if (ends_in_gap(x) && y.len && y.p[0] == KT_WORDING_GAP)
		y = kt_str_from(y, 1);
	if (x.len + y.len > LENGTH)
		y = ends_in_gap(x) ? KT_NONE : (struct kt_str){"", 1}; /* a gap */
	if (!x.len || !y.len)
		return x.len ? x : y;
	char *p = kt_arena_alloc(a, x.len + y.len);
	memcpy(p, x.p, x.len);
	memcpy(p + x.len, y.p, y.len);
	return (struct kt_str){p, x.len + y.len};
}

static struct set times(struct kt_arena *a, struct set x, struct set y)
{
	if (x.n * y.n > PRODUCT)
		y = gap(a);
	struct kt_str *list = KT_NEW_N(a, struct kt_str, x.n * y.n);
	for (uint32_t i = 0; i < x.n; i++)
		for (uint32_t k = 0; k < y.n; k++)
			list[i * y.n + k] = joined(a, x.s[i], y.s[k]);
	return (struct set){list, x.n * y.n};
}

static bool has(const struct kt_str *list, uint32_t n, struct kt_str s)
{
	for (uint32_t i = 0; i < n; i++)
		if (kt_str_eq(list[i], s))
			return true;
	return false;
}

static struct set plus(struct kt_arena *a, struct set x, struct set y)
{
	struct kt_str *list = KT_NEW_N(a, struct kt_str, x.n + y.n);
	uint32_t n = 0;

	for (uint32_t i = 0; i < x.n + y.n; i++) {
		struct kt_str s = i < x.n ? x.s[i] : y.s[i - x.n];
		if (!has(list, n, s))
			list[n++] = s;
	}
	return n > UNION ? gap(a) : (struct set){list, n};
}

/* --- reading --- */

static struct set of_part(struct reader *w, struct kt_part p)
{
	w->folded |= p.exact.fold;
	return p.exact.n == 1 ? one(w->r.a, p.exact.s[0]) : gap(w->r.a);
}

static struct set byte(struct reader *w)
{
	int c = kt_need_peek(&w->r, 0);
	char text = (char)c;

	w->r.at++;
	if (c == '\n')
		return gap(w->r.a);
	w->folded |= w->r.fold && kt_need_is_letter(c);
	return one(w->r.a, (struct kt_str){&text, 1});
}

/* Marks that are written in several ways: "'" or "\u0027". */
static bool is_mark(struct kt_str s)
{
	return s.len == 1 && s.p[0] != KT_WORDING_GAP && s.p[0] != ' ' && !kt_need_is_letter(s.p[0]) &&
	       !kt_need_is_digit(s.p[0]);
}

/* "[Kk]": one letter, in capital and small. */
static bool is_letter_twice(struct kt_texts t)
{
	return t.n == 2 && t.s[0].len == 1 && t.s[1].len == 1 && kt_need_is_letter(t.s[0].p[0]) &&
	       (t.s[0].p[0] | 0x20) == (t.s[1].p[0] | 0x20);
}

static struct set class(struct reader *w)
{
	struct kt_part p = kt_need_class(&w->r);

	if (w->shown && p.exact.n && (is_mark(p.exact.s[0]) || is_letter_twice(p.exact)))
		return one(w->r.a, p.exact.s[0]);
	return of_part(w, p);
}

static struct set alternatives(struct reader *w);

static bool all_long(struct set s)
{
	for (uint32_t i = 0; i < s.n; i++)
		if (s.s[i].len < SAYS)
			return false;
	return true;
}

static struct set content(struct reader *w, bool fold, bool extended)
{
	struct set s = alternatives(w);

	if (kt_need_peek(&w->r, 0) != ')') {
		w->r.bad = true;
		return s;
	}
	w->r.at++;
	w->r.fold = fold;
	w->r.extended = extended;
	if (s.n > 1 && w->shown && is_mark(s.s[0]))
		return one(w->r.a, s.s[0]);
	return s.n == 1 || all_long(s) ? s : gap(w->r.a);
}

/* Takes "(", "(?:", "(?<name>" and the like; false: it is another construct. */
static bool opens(struct kt_need_reader *r)
{
	size_t at = r->at++;

	if (kt_need_peek(r, 0) != '?' && kt_need_peek(r, 0) != '*')
		return true;
	if (kt_need_take(r, "?:") || kt_need_take(r, "?>"))
		return true;
	if ((kt_need_take(r, "?P<") || kt_need_take(r, "?<")) && kt_need_is_letter(kt_need_peek(r, 0)) &&
	    kt_need_skip_to(r, '>'))
		return true;
	r->at = at;
	return false;
}

static struct set group(struct reader *w)
{
	struct kt_need_reader *r = &w->r;
	bool fold = r->fold, extended = r->extended;

	if (++r->depth > 60) {
		r->bad = true;
		return nothing(r->a);
	}
	struct set s = opens(r) ? content(w, fold, extended) : of_part(w, kt_need_group(r));
	r->depth--;
	return s;
}

static struct set escape(struct reader *w)
{
	struct kt_need_reader *r = &w->r;

	if (w->shown && kt_need_take(r, "\\s"))
		return one(r->a, KT_S(" "));
	bool fold = r->fold;
	r->fold = fold && !w->shown; /* letters are shown as they are written */
	struct set s = of_part(w, kt_need_escape(r));
	r->fold = fold;
	return s;
}

static struct set atom(struct reader *w)
{
	struct kt_need_reader *r = &w->r;
	int c = kt_need_peek(r, 0);

	switch (r->quoted ? 0 : c) {
	case '\\': return escape(w);
	case '[': return class(w);
	case '(': return group(w);
	case '.': r->at++; return gap(r->a);
	case '^':
	case '$': r->at++; return nothing(r->a);
	default: return byte(w);
	}
}

static struct set spelt_out(struct kt_arena *a, struct set s, uint32_t n)
{
	struct set out = s;

	for (uint32_t i = 1; i < n; i++)
		out = times(a, out, s);
	return out;
}

static bool is_byte(struct set s)
{
	return s.n == 1 && s.s[0].len == 1 && s.s[0].p[0] != KT_WORDING_GAP;
}

static struct set repeated(struct reader *w, struct set s, uint32_t min, uint32_t max)
{
	struct kt_arena *a = w->r.a;

	if (w->shown && is_byte(s) && s.s[0].p[0] == ' ')
		return min ? s : nothing(a);
	if (min == 0)
		return max == 0 || (w->shown && max == 1 && is_byte(s)) ? nothing(a) : gap(a);
	if (min > TIMES)
		return times(a, s, gap(a));
	s = spelt_out(a, s, min);
	return min == max ? s : times(a, s, gap(a));
}

static bool at_end(const struct kt_need_reader *r)
{
	int c = kt_need_peek(r, 0);

	return r->bad || c < 0 || (!r->quoted && (c == '|' || c == ')'));
}

static struct set sequence(struct reader *w)
{
	struct kt_need_reader *r = &w->r;
	struct set s = nothing(r->a);
	uint32_t min, max;

	kt_need_skip_silent(r);
	while (!at_end(r)) {
		struct set next = atom(w);
		kt_need_skip_silent(r);
		while (!r->bad && kt_need_repeat(r, &min, &max)) {
			next = repeated(w, next, min, max);
			kt_need_skip_silent(r);
		}
		s = times(r->a, s, next);
	}
	return s;
}

static struct set alternatives(struct reader *w)
{
	struct set s = sequence(w);

	while (!w->r.bad && kt_need_peek(&w->r, 0) == '|') {
		w->r.at++;
		s = plus(w->r.a, s, sequence(w));
	}
	return s;
}

/* --- what came of it --- */

static bool says_something(struct kt_str text)
{
	unsigned n = 0;

	for (size_t i = 0; i < text.len && n < SAYS; i++)
		n = kt_need_is_letter(text.p[i]) || kt_need_is_digit(text.p[i]) ? n + 1 : 0;
	return n == SAYS;
}

struct kt_wording kt_wording_of(struct kt_arena *a, struct kt_str regex, enum kt_wording_use use)
{
	struct reader w = {.r = {.a = a, .re = regex}, .shown = use == KT_WORDING_SHOWN};
	struct set s = alternatives(&w);
	struct kt_str *list = KT_NEW_N(a, struct kt_str, s.n);
	uint32_t n = 0;

	if (w.r.bad || w.r.at != regex.len)
		return (struct kt_wording){0};
	for (uint32_t i = 0; i < s.n; i++)
		if (says_something(s.s[i]))
			list[n++] = s.s[i];
	/* Of what is needed all must be known, else it is no test. */
	if (use == KT_WORDING_NEEDED && n < s.n)
		n = 0;
	return (struct kt_wording){.s = list, .n = n, .fold = w.folded};
}

bool kt_wording_piece(struct kt_str *rest, struct kt_str *piece)
{
	while (kt_str_cut(rest, KT_WORDING_GAP, piece))
		if (piece->len)
			return true;
	return false;
}

size_t kt_wording_longest(struct kt_str text)
{
	struct kt_str piece;
	size_t most = 0;

	while (kt_wording_piece(&text, &piece)) {
		size_t len = kt_str_trim(piece).len;
		most = len > most ? len : most;
	}
	return most;
}

bool kt_wording_stands(struct kt_str text, struct kt_str subject, bool fold)
{
	struct kt_str piece;
	size_t at = 0;

	while (kt_wording_piece(&text, &piece)) {
		at = fold ? kt_str_ifind(subject, piece, at) : kt_str_find(subject, piece, at);
		if (at == KT_NPOS)
			return false;
		at += piece.len;
	}
	return true;
}
