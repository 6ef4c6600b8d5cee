#include "match/guard_row.h"

#include <string.h>

#include "base/banned.h"

#define TOO_OFTEN 1000 /* repeats that are worth understanding */

static int peek(const struct kt_guard_row *r, size_t ahead)
{
	return r->at + ahead < r->re.len ? (unsigned char)r->re.p[r->at + ahead] : -1;
}

static bool take(struct kt_guard_row *r, const char *word)
{
	size_t len = strlen(word);

	if (r->at > r->re.len || r->re.len - r->at < len || memcmp(r->re.p + r->at, word, len) != 0)
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

static void add_range(struct kt_byteset *s, unsigned from, unsigned to)
{
	for (unsigned c = from; c <= to; c++)
		kt_byteset_add(s, c);
}

static void invert(struct kt_byteset *s)
{
	for (unsigned i = 0; i < 4; i++)
		s->bits[i] = ~s->bits[i];
}

static void join(struct kt_byteset *s, const struct kt_byteset *more)
{
	for (unsigned i = 0; i < 4; i++)
		s->bits[i] |= more->bits[i];
}

void kt_byteset_forget_case(struct kt_byteset *s)
{
	for (unsigned c = 'a'; c <= 'z'; c++)
		if (kt_byteset_has(s, c) || kt_byteset_has(s, c - 32)) {
			kt_byteset_add(s, c);
			kt_byteset_add(s, c - 32);
		}
}

/* "\d" and its kin, ASCII as PCRE2 without UCP; false: C is none of them. */
static bool named_set(int c, struct kt_byteset *s)
{
	switch (c) {
	case 'd':
	case 'D': add_range(s, '0', '9'); break;
	case 'w':
	case 'W':
		add_range(s, '0', '9');
		add_range(s, 'a', 'z');
		add_range(s, 'A', 'Z');
		kt_byteset_add(s, '_');
		break;
	case 's':
	case 'S':
		kt_byteset_add(s, ' ');
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
static int member(struct kt_guard_row *r, struct kt_byteset *s)
{
	struct kt_byteset more = {{0}};
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

static void class_of(struct kt_guard_row *r, struct kt_byteset *s)
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
		kt_byteset_forget_case(s);
	if (inverted)
		invert(s);
}

/* --- repeats --- */

static uint32_t number(struct kt_guard_row *r)
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
static void repeat(struct kt_guard_row *r, uint32_t *min, uint32_t *max)
{
	int c = peek(r, 0);

	*min = *max = 1;
	if (!is_repeat(c))
		return;
	r->at++;
	*min = c == '+';
	*max = c == '?' ? 1 : KT_GUARD_NO_LIMIT;
	if (c == '{') {
		*min = *max = number(r);
		if (take(r, ","))
			*max = peek(r, 0) == '}' ? KT_GUARD_NO_LIMIT : number(r);
		r->bad |= !take(r, "}");
	}
	if (peek(r, 0) == '?' || peek(r, 0) == '+')
		r->at++;
	r->bad |= is_repeat(peek(r, 0));
}

/* --- the row --- */

static void put(struct kt_guard_row *r, struct kt_guard_item x)
{
	if (r->n == KT_GUARD_ITEMS)
		r->bad = true;
	else
		r->item[r->n++] = x;
}

/* What was read from START on comes MIN to MAX times. */
static void repeat_content(struct kt_guard_row *r, size_t start, uint32_t min, uint32_t max)
{
	size_t items = r->n - start;

	if ((min != max && max > 1) || items * max > KT_GUARD_ITEMS) {
		r->n = start;
		put(r, (struct kt_guard_item){.any = true});
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
static struct kt_guard_item either(const struct kt_guard_item *x, const struct kt_guard_item *y)
{
	struct kt_guard_item out = *x;

	join(&out.set, &y->set);
	out.min = x->min < y->min ? x->min : y->min;
	out.max = x->max > y->max ? x->max : y->max;
	out.any = x->any || y->any;
	return out;
}

/* The alternative at SECOND is laid over the one at FIRST; what one has more may be
 * left out. */
static void lay_over(struct kt_guard_row *r, size_t first, size_t second)
{
	size_t n = second - first, m = r->n - second;

	for (size_t i = 0; i < n || i < m; i++) {
		struct kt_guard_item *to = &r->item[first + i];
		if (i < n && i < m)
			*to = either(to, &r->item[second + i]);
		else if (i >= n)
			*to = r->item[second + i];
		if (i >= n || i >= m)
			to->min = 0;
	}
	r->n = first + (n > m ? n : m);
}

static void sequence(struct kt_guard_row *r);

static void alternatives(struct kt_guard_row *r)
{
	size_t first = r->n;

	sequence(r);
	while (!r->bad && take(r, "|")) {
		size_t second = r->n;
		sequence(r);
		lay_over(r, first, second);
	}
}

static void group_name(struct kt_guard_row *r)
{
	r->bad |= !is_letter(peek(r, 0));
	while (is_letter(peek(r, 0)) || is_digit(peek(r, 0)) || peek(r, 0) == '_')
		r->at++;
	r->bad |= !take(r, ">");
}

static void group(struct kt_guard_row *r)
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
static bool escape(struct kt_guard_row *r, struct kt_byteset *s)
{
	int c = peek(r, 1), plain = plain_escape(c);

	r->at += 2;
	if (c == 'b' || c == 'B' || c == 'A' || c == 'z' || c == 'Z')
		return true;
	if (plain >= 0)
		kt_byteset_add(s, (unsigned)plain);
	else
		r->bad |= !named_set(c, s);
	return false;
}

static void atom(struct kt_guard_row *r)
{
	struct kt_guard_item x = {.any = false};
	int c = peek(r, 0);
	bool no_width = c == '^' || c == '$';

	if (c == '[') {
		class_of(r, &x.set);
	} else if (c == '\\') {
		no_width = escape(r, &x.set);
	} else {
		r->bad |= is_repeat(c);
		r->at++;
		kt_byteset_add(&x.set, c == '.' ? '\n' : (unsigned)c);
		if (c == '.')
			invert(&x.set);
		else if (r->fold)
			kt_byteset_forget_case(&x.set);
	}
	repeat(r, &x.min, &x.max);
	if (!no_width)
		put(r, x);
}

static void sequence(struct kt_guard_row *r)
{
	int c;

	while (!r->bad && (c = peek(r, 0)) >= 0 && c != ')' && c != '|') {
		if (c == '(')
			group(r);
		else
			atom(r);
	}
}

bool kt_guard_row_of(struct kt_str regex, bool fold, struct kt_guard_row *out)
{
	*out = (struct kt_guard_row){.re = regex, .fold = fold};
	out->bad = fold && !take(out, "(?i)");
	alternatives(out);
	return !out->bad && out->at == regex.len;
}
