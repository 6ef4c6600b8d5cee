#include "match/guard.h"

#include <string.h>

#include "match/grams.h"

#include "base/banned.h"

#define ITEMS      160
#define NO_LIMIT   UINT32_MAX
#define TOO_OFTEN  1000 /* repeats that are worth understanding */
#define SIDE_STEPS 63
#define REACH      1024 /* bytes that are looked at on one side */

struct byteset {
	uint64_t bits[4];
};

/* A class and how often. A gap (`any`): something, perhaps nothing. */
struct item {
	struct byteset set;
	uint32_t min, max;
	bool any;
};

/* The pattern as one row of what every match passes, groups flattened. */
struct row {
	struct kt_str re;
	size_t at;
	struct item item[ITEMS];
	size_t n;
	unsigned depth;
	bool fold;
	bool bad; /* something that is not understood: no guard at all */
};

static int peek(const struct row *r, size_t ahead)
{
	return r->at + ahead < r->re.len ? (unsigned char)r->re.p[r->at + ahead] : -1;
}

static bool take(struct row *r, const char *word)
{
	size_t len = strlen(word);

	if (r->re.len - r->at < len || memcmp(r->re.p + r->at, word, len) != 0)
		return false;
	r->at += len;
	return true;
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* --- sets --- */

static void add(struct byteset *s, unsigned c)
{
	s->bits[c >> 6] |= UINT64_C(1) << (c & 63);
}

static bool has(const struct byteset *s, unsigned c)
{
	return s->bits[c >> 6] >> (c & 63) & 1;
}

static void add_range(struct byteset *s, unsigned from, unsigned to)
{
	for (unsigned c = from; c <= to; c++)
		add(s, c);
}

static void invert(struct byteset *s)
{
	for (unsigned i = 0; i < 4; i++)
		s->bits[i] = ~s->bits[i];
}

static void join(struct byteset *s, const struct byteset *more)
{
	for (unsigned i = 0; i < 4; i++)
		s->bits[i] |= more->bits[i];
}

static void forget_case(struct byteset *s)
{
	for (unsigned c = 'a'; c <= 'z'; c++)
		if (has(s, c) || has(s, c - 32)) {
			add(s, c);
			add(s, c - 32);
		}
}

/* "\d" and its kin, ASCII as PCRE2 without UCP; false: C is none of them. */
static bool named_set(int c, struct byteset *s)
{
	switch (c) {
	case 'd':
	case 'D': add_range(s, '0', '9'); break;
	case 'w':
	case 'W':
		add_range(s, '0', '9');
		add_range(s, 'a', 'z');
		add_range(s, 'A', 'Z');
		add(s, '_');
		break;
	case 's':
	case 'S':
		add(s, ' ');
		add_range(s, '\t', '\r');
		break;
	default: return false;
	}
	if (c < 'a')
		invert(s);
	return true;
}

/* A single byte behind a backslash; -1: something else. */
static int plain_escape(int c)
{
	if (c == 't' || c == 'n' || c == 'r')
		return c == 't' ? '\t' : c == 'n' ? '\n' : '\r';
	return c > ' ' && c < 127 && !is_letter(c) && !is_digit(c) ? c : -1;
}

/* One member of a class: a byte (returned), or a set (-1). */
static int member(struct row *r, struct byteset *s)
{
	struct byteset more = {{0}};
	int c = peek(r, 0), next = peek(r, 1);

	r->bad |= c < 0 || (c == '[' && (next == ':' || next == '.' || next == '='));
	r->at++;
	if (c != '\\')
		return c;
	r->at++;
	if (named_set(next, &more)) {
		join(s, &more);
		return -1;
	}
	int plain = plain_escape(next);
	r->bad |= plain < 0;
	return plain;
}

static void class_of(struct row *r, struct byteset *s)
{
	bool inverted = take(r, "[^");

	if (!inverted)
		take(r, "[");
	for (bool first = true; !r->bad && (first || peek(r, 0) != ']'); first = false) {
		int from = member(r, s), to = from;
		if (from >= 0 && peek(r, 0) == '-' && peek(r, 1) != ']') {
			r->at++;
			to = member(r, s);
			r->bad |= to < from; /* a set, too: "a-\d" */
		}
		if (!r->bad && from >= 0)
			add_range(s, (unsigned)from, (unsigned)to);
	}
	r->at++;
	if (r->fold)
		forget_case(s);
	if (inverted)
		invert(s);
}

/* --- repeats --- */

static uint32_t number(struct row *r)
{
	uint32_t n = 0;

	r->bad |= !is_digit(peek(r, 0));
	for (; is_digit(peek(r, 0)); r->at++)
		n = n < TOO_OFTEN ? n * 10 + (uint32_t)(peek(r, 0) - '0') : n;
	r->bad |= n >= TOO_OFTEN;
	return n;
}

static bool is_repeat(int c)
{
	return c == '?' || c == '*' || c == '+' || c == '{';
}

/* The repeat that follows, if one does. */
static void repeat(struct row *r, uint32_t *min, uint32_t *max)
{
	int c = peek(r, 0);

	*min = *max = 1;
	if (!is_repeat(c))
		return;
	r->at++;
	*min = c == '+';
	*max = c == '?' ? 1 : NO_LIMIT;
	if (c == '{') {
		*min = *max = number(r);
		if (take(r, ","))
			*max = peek(r, 0) == '}' ? NO_LIMIT : number(r);
		r->bad |= !take(r, "}");
	}
	if (peek(r, 0) == '?' || peek(r, 0) == '+')
		r->at++;
	r->bad |= is_repeat(peek(r, 0));
}

/* --- the row --- */

static void put(struct row *r, struct item x)
{
	if (r->n == ITEMS)
		r->bad = true;
	else
		r->item[r->n++] = x;
}

/* What was read from START on comes MIN to MAX times. */
static void repeat_content(struct row *r, size_t start, uint32_t min, uint32_t max)
{
	size_t items = r->n - start;

	if ((min != max && max > 1) || items * max > ITEMS) {
		r->n = start;
		put(r, (struct item){.any = true});
		return;
	}
	for (size_t i = start; i < r->n && !min; i++)
		r->item[i].min = 0;
	if (!max)
		r->n = start;
	for (uint32_t i = 1; i < max; i++)
		for (size_t k = 0; k < items; k++)
			put(r, r->item[start + k]);
}

/* Either X or Y, and more than that: any mixture. */
static struct item either(const struct item *x, const struct item *y)
{
	struct item out = *x;

	join(&out.set, &y->set);
	out.min = x->min < y->min ? x->min : y->min;
	out.max = x->max > y->max ? x->max : y->max;
	out.any = x->any || y->any;
	return out;
}

/* The alternative at SECOND is laid over the one at FIRST; what one has more may be
 * left out. */
static void lay_over(struct row *r, size_t first, size_t second)
{
	size_t n = second - first, m = r->n - second;

	for (size_t i = 0; i < n || i < m; i++) {
		struct item *to = &r->item[first + i];
		if (i < n && i < m)
			*to = either(to, &r->item[second + i]);
		else if (i >= n)
			*to = r->item[second + i];
		if (i >= n || i >= m)
			to->min = 0;
	}
	r->n = first + (n > m ? n : m);
}

static void sequence(struct row *r);

static void alternatives(struct row *r)
{
	size_t first = r->n;

	sequence(r);
	while (!r->bad && take(r, "|")) {
		size_t second = r->n;
		sequence(r);
		lay_over(r, first, second);
	}
}

static void group_name(struct row *r)
{
	r->bad |= !is_letter(peek(r, 0));
	while (is_letter(peek(r, 0)) || is_digit(peek(r, 0)) || peek(r, 0) == '_')
		r->at++;
	r->bad |= !take(r, ">");
}

static void group(struct row *r)
{
	size_t start = r->n;
	uint32_t min, max;

	if (take(r, "(?<") || take(r, "(?P<")) {
		group_name(r);
	} else if (!take(r, "(?:")) {
		take(r, "(");
		r->bad |= peek(r, 0) == '?' || peek(r, 0) == '*';
	}
	r->bad |= ++r->depth > 40;
	alternatives(r);
	r->depth--;
	r->bad |= !take(r, ")");
	repeat(r, &min, &max);
	repeat_content(r, start, min, max);
}

/* Behind a backslash; true: it has no width. */
static bool escape(struct row *r, struct byteset *s)
{
	int c = peek(r, 1), plain = plain_escape(c);

	r->at += 2;
	if (c == 'b' || c == 'B' || c == 'A' || c == 'z' || c == 'Z')
		return true;
	if (plain >= 0)
		add(s, (unsigned)plain);
	else
		r->bad |= !named_set(c, s);
	return false;
}

static void atom(struct row *r)
{
	struct item x = {.any = false};
	int c = peek(r, 0);
	bool no_width = c == '^' || c == '$';

	if (c == '[') {
		class_of(r, &x.set);
	} else if (c == '\\') {
		no_width = escape(r, &x.set);
	} else {
		r->bad |= is_repeat(c);
		r->at++;
		add(&x.set, c == '.' ? '\n' : (unsigned)c);
		if (c == '.')
			invert(&x.set);
		else if (r->fold)
			forget_case(&x.set);
	}
	repeat(r, &x.min, &x.max);
	if (!no_width)
		put(r, x);
}

static void sequence(struct row *r)
{
	int c;

	while (!r->bad && (c = peek(r, 0)) >= 0 && c != ')' && c != '|') {
		if (c == '(')
			group(r);
		else
			atom(r);
	}
}

/* --- the literal --- */

/* The byte that X is; with FOLD in low case. -1: none, or one of several. */
static int byte_of(const struct item *x, bool fold)
{
	struct byteset one = {{0}};
	unsigned w = 0;

	while (w < 4 && !x->set.bits[w])
		w++;
	if (w == 4 || x->any || x->min != 1 || x->max != 1)
		return -1;
	int c = (int)(w * 64) + __builtin_ctzll(x->set.bits[w]);
	if (fold && c >= 'A' && c <= 'Z')
		c += 32;
	add(&one, (unsigned)c);
	if (fold)
		forget_case(&one);
	return memcmp(&x->set, &one, sizeof one) == 0 ? c : -1;
}

/* Where the literal begins in the row; r->n: nowhere. */
static size_t place_of(const struct row *r, struct kt_str literal)
{
	for (size_t i = 0; i + literal.len <= r->n; i++) {
		size_t k = 0;
		while (k < literal.len && byte_of(&r->item[i + k], r->fold) == (unsigned char)literal.p[k])
			k++;
		if (k == literal.len)
			return i;
	}
	return r->n;
}

static unsigned members(const struct byteset *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < 4; i++)
		n += (unsigned)__builtin_popcountll(s->bits[i]);
	return n;
}

/* How many bytes of a small class must stand at item I of the row: where digits are,
 * there are often fewer. */
#define STRONG 3
static uint32_t strength(const struct row *r, size_t i)
{
	const struct item *x = &r->item[i];
	unsigned n;

	if (i >= r->n || x->any || (n = members(&x->set)) < 2 || n > 32)
		return 0;
	return x->min < STRONG ? 0 : x->min;
}

/* Bytes in a row, and what they are worth. */
struct run {
	char text[KT_GUARD_LITERAL];
	size_t n;
	struct kt_window window;
	uint32_t strength;
};

static bool is_better(const struct run *x, const struct run *y)
{
	if ((x->strength > 0) != (y->strength > 0))
		return x->strength > 0;
	if (x->window.len != y->window.len)
		return x->window.len > y->window.len;
	return x->window.hits < y->window.hits;
}

/* END: behind the run. */
static void weigh(const struct row *r, struct run *x, size_t end, struct run *best)
{
	size_t from = end - x->n;
	uint32_t before = from ? strength(r, from - 1) : 0, behind = strength(r, end);

	x->window = kt_gram_window((struct kt_str){x->text, x->n});
	x->strength = before > behind ? before : behind;
	if (x->n >= KT_WINDOW_ONE && is_better(x, best))
		*best = *x;
}

/* The bytes in a row that are best to look for, as far as there is room for them. */
static struct run best_run(const struct row *r)
{
	struct run best = {.n = 0}, x = {.n = 0};

	for (size_t i = 0; i <= r->n; i++) {
		int c = i < r->n ? byte_of(&r->item[i], r->fold) : -1;
		if (c >= 0 && c != '\n' && c != '\r' && x.n < sizeof x.text) {
			x.text[x.n++] = (char)c;
			continue;
		}
		weigh(r, &x, i, &best);
		x.n = 0;
	}
	return best;
}

/* LITERAL, unless another one is better or it is none. */
static void choose(const struct row *r, struct kt_str literal, struct kt_guard *out)
{
	struct run best = best_run(r);

	if (literal.len && (!best.strength || literal.len > KT_GUARD_LITERAL)) {
		best.n = literal.len <= KT_GUARD_LITERAL ? literal.len : 0;
		memcpy(best.text, literal.p, best.n);
	}
	memcpy(out->literal, best.text, best.n);
	out->len = (uint32_t)best.n;
}

/* --- the guard --- */

static uint64_t bit(unsigned i)
{
	return UINT64_C(1) << i;
}

static uint64_t bits(unsigned from, uint32_t n)
{
	return (bit(n) - 1) << from;
}

static void let_take(struct kt_guard_side *s, const struct byteset *set, uint64_t steps)
{
	for (unsigned w = 0; w < 4; w++)
		for (uint64_t left = set->bits[w]; left; left &= left - 1)
			s->takes[w * 64 + (unsigned)__builtin_ctzll(left)] |= steps;
}

/* False: the row ends here for us. */
static bool add_item(struct kt_guard_side *s, const struct item *x)
{
	bool no_limit = x->max == NO_LIMIT;
	uint32_t n = no_limit ? (x->min ? x->min : 1) : x->max, room = SIDE_STEPS - s->steps;
	uint32_t take = n < room ? n : room, must = x->min < take ? x->min : take;

	if (x->any)
		return false;
	let_take(s, &x->set, bits(s->steps, take));
	s->optional |= bits(s->steps + must, take - must);
	s->steps += take;
	if (no_limit && take == n)
		s->again |= bit(s->steps - 1);
	return take == n;
}

/* With the steps that come next where some of MAY are left out. */
static uint64_t and_behind(const struct kt_guard_side *s, uint64_t may)
{
	for (uint64_t more; (more = (may & s->optional) << 1 & ~may);)
		may |= more;
	return may;
}

/* A side of which the first step may be anything says nothing. */
static void finish(struct kt_guard_side *s)
{
	s->first = and_behind(s, 1);
	if (s->first & bit(s->steps))
		s->steps = 0;
}

bool kt_guard_of(struct kt_str regex, struct kt_str literal, bool fold, struct kt_guard *out)
{
	struct row r = {.re = regex, .fold = fold};

	*out = (struct kt_guard){.len = 0};
	r.bad = fold && !take(&r, "(?i)");
	alternatives(&r);
	if (r.bad || r.at != regex.len)
		return false;
	choose(&r, literal, out);
	size_t from = place_of(&r, (struct kt_str){out->literal, out->len}), to = from + out->len;
	if (!out->len || from == r.n)
		return false;
	/* before what begins a line in a record, there may be a collector's prefix in a file */
	for (size_t i = from; i-- > 0 && !has(&r.item[i].set, '\n') && add_item(&out->left, &r.item[i]);)
		;
	for (size_t i = to; i < r.n && add_item(&out->right, &r.item[i]); i++)
		;
	finish(&out->left);
	finish(&out->right);
	out->right_first = strength(&r, to) > (from ? strength(&r, from - 1) : 0);
	return out->left.steps || out->right.steps;
}

/* At a line end: whether a step may be one, and so what is behind it anything. Of NULs
 * a record may have fewer. */
static bool may_leave(const struct kt_guard_side *s, uint64_t may, unsigned char c)
{
	return !c || ((c == '\n' || c == '\r') && may & s->takes['\n']);
}

/* N bytes from P on, each STEP from the last one. */
static bool side_allows(const struct kt_guard_side *s, const char *p, size_t n, int step)
{
	uint64_t may = s->first, branches = s->optional, end = bit(s->steps);

	n = n < REACH ? n : REACH;
	for (size_t i = 0; i < n && !(may & end); i++, p += step) {
		unsigned char c = (unsigned char)*p;
		uint64_t took = may & s->takes[c];
		if (c <= '\r' && may_leave(s, may, c))
			return true;
		if (!took)
			return false;
		may = took << 1 | (took & s->again);
		if (may & branches)
			may = and_behind(s, may);
	}
	return true;
}

bool kt_guard_allows(const struct kt_guard *g, struct kt_str text, size_t from, size_t to)
{
	for (unsigned turn = 0; turn < 2; turn++) {
		bool right = g->right_first != (turn == 1);
		const struct kt_guard_side *s = right ? &g->right : &g->left;
		size_t n = right ? text.len - to : from;
		if (s->steps && n && !side_allows(s, text.p + (right ? to : from - 1), n, right ? 1 : -1))
			return false;
	}
	return true;
}
