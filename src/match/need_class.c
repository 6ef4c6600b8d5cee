/* Classes: "[a-f\d]". */
#include "match/need_reader.h"

#include <string.h>

#include "base/banned.h"

#define FEW  4 /* bytes of a class that is spelt out */
#define MANY 16

struct class
{
	bool has[256];
	bool open; /* holds what is not spelt out */
};

/* "[:alpha:]" in a class; anything that only looks like it is not understood. */
static void skip_posix(struct kt_need_reader *r)
{
	size_t end = r->at + 2;

	while (end < r->re.len && (kt_need_is_letter((unsigned char)r->re.p[end]) || r->re.p[end] == '^'))
		end++;
	r->at = end;
	if (!kt_need_take(r, ":]"))
		r->bad = true;
}

static void add_digits(struct class *c)
{
	for (int b = '0'; b <= '9'; b++)
		c->has[b] = true;
}

/* Behind the backslash; -1: no single byte. */
static int class_escape(struct kt_need_reader *r, struct class *c)
{
	int b = kt_need_peek(r, 0);

	r->at++;
	if (b == 'd')
		add_digits(c);
	else if (kt_need_is_letter(b) && strchr("DwWsShHvV", b))
		c->open = true;
	else if (b == 'b')
		return '\b';
	else if (b >= 0 && b < 128 && !kt_need_is_letter(b) && !kt_need_is_digit(b))
		return b;
	else if ((b = kt_need_code(r, b)) < 0)
		r->bad = true;
	else
		return b;
	return -1;
}

/* One byte of a class; -1: something else ("\d", "[:alpha:]"), which is noted. */
static int class_byte(struct kt_need_reader *r, struct class *c)
{
	int b = kt_need_peek(r, 0), next = kt_need_peek(r, 1);

	if (b == '[' && (next == '.' || next == '='))
		r->bad = true;
	if (b == '[' && next == ':') {
		skip_posix(r);
		c->open = true;
		return -1;
	}
	r->at++;
	return b == '\\' ? class_escape(r, c) : b;
}

static void class_range(struct kt_need_reader *r, struct class *c, int from)
{
	int to = from;

	if (kt_need_peek(r, 0) == '-' && kt_need_peek(r, 1) != ']') {
		r->at++;
		to = class_byte(r, c);
		if (to < 0) { /* "a-\d": three members */
			c->open = true;
			return;
		}
	}
	for (int b = from; b >= 0 && b <= to; b++)
		c->has[b] = true;
}

/* Not known when the class is large or holds a line end, which no text may hold. */
static struct kt_texts class_texts(struct kt_need_reader *r, const struct class *c)
{
	struct kt_texts out = {0};

	for (int b = 0; b < 256; b++) {
		if (!c->has[b])
			continue;
		struct kt_texts one = kt_need_byte(r, (unsigned char)b).exact;
		out = out.n && one.n ? kt_texts_plus(r->a, out, one, KT_TEXTS_EXACT) : one;
		if (!out.n || out.n > (r->wide ? MANY : FEW))
			return (struct kt_texts){0};
	}
	return out;
}

struct kt_part kt_need_class(struct kt_need_reader *r)
{
	struct class c = {.open = false};

	r->at++;
	if (kt_need_peek(r, 0) == '^') {
		c.open = true;
		r->at++;
	}
	for (bool first = true; first || kt_need_peek(r, 0) != ']'; first = false) {
		if (kt_need_peek(r, 0) < 0 || r->bad)
			return kt_need_bad(r);
		int b = class_byte(r, &c);
		if (b >= 0)
			class_range(r, &c, b);
	}
	r->at++;
	struct kt_texts t = {0};
	if (!c.open)
		t = class_texts(r, &c);
	return t.n ? kt_part_exactly(t) : kt_part_opaque(r->a);
}
