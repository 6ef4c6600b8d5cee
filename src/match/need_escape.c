/* What begins with a backslash, outside of classes. */
#include "match/need_reader.h"

#include <string.h>

#include "base/banned.h"

static int digit_of(int c)
{
	if (kt_need_is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

/* Up to MAX digits, which may be none. A byte's value, or -1: too large. */
static int number(struct kt_need_reader *r, int base, int max)
{
	int n = 0;

	for (; max > 0 && digit_of(kt_need_peek(r, 0)) < base; max--, r->at++)
		n = n < 256 ? n * base + digit_of(kt_need_peek(r, 0)) : n;
	return n < 256 ? n : -1;
}

/* "{41}" behind "\x" and "\o". */
static int braced(struct kt_need_reader *r, int base)
{
	size_t first = ++r->at;
	int n = number(r, base, 100);

	return r->at > first && kt_need_take(r, "}") ? n : -1;
}

int kt_need_code(struct kt_need_reader *r, int c)
{
	int next = kt_need_peek(r, 0);

	switch (c) {
	case 't': return '\t';
	case 'n': return '\n';
	case 'r': return '\r';
	case 'f': return '\f';
	case 'e': return 27;
	case 'a': return 7;
	case 'x':
		if (next == '{')
			return braced(r, 16);
		return digit_of(next) < 16 ? number(r, 16, 2) : -1;
	case 'o': return next == '{' ? braced(r, 8) : -1;
	case '0': return number(r, 8, 2);
	case 'c':
		if (next < 32 || next > 126)
			return -1;
		r->at++;
		return (next >= 'a' && next <= 'z' ? next - 32 : next) ^ 64;
	default: return -1;
	}
}

static struct kt_part opaque_if(struct kt_need_reader *r, bool understood)
{
	return understood ? kt_part_opaque(r->a) : kt_need_bad(r);
}

static char closing(int open)
{
	return open == '<' ? '>' : open == '{' ? '}' : open == '\'' ? '\'' : '\0';
}

/* "<name>", "{name}", "'name'" behind "\k" and "\g". */
static bool skip_reference(struct kt_need_reader *r)
{
	char close = closing(kt_need_peek(r, 0));

	if (!close)
		return false;
	r->at++;
	return kt_need_skip_to(r, close);
}

static void skip_digits(struct kt_need_reader *r)
{
	while (kt_need_is_digit(kt_need_peek(r, 0)))
		r->at++;
}

/* "\g{name}", "\g<name>", "\g-1" behind the g. */
static struct kt_part reference(struct kt_need_reader *r)
{
	size_t sign = kt_need_peek(r, 0) == '-' || kt_need_peek(r, 0) == '+';

	if (!kt_need_is_digit(kt_need_peek(r, sign)))
		return opaque_if(r, skip_reference(r));
	r->at += sign;
	skip_digits(r);
	return kt_part_opaque(r->a);
}

/* "\pL", "\p{^Lu}" behind the p. */
static struct kt_part property(struct kt_need_reader *r)
{
	if (kt_need_peek(r, 0) == '{')
		return opaque_if(r, skip_reference(r));
	bool letter = kt_need_is_letter(kt_need_peek(r, 0));
	r->at++;
	return opaque_if(r, letter);
}

static struct kt_part digits(struct kt_need_reader *r)
{
	struct kt_texts t = {0};

	for (int c = '0'; c <= '9'; c++) {
		struct kt_texts one = kt_need_byte(r, (unsigned char)c).exact;
		t = t.n ? kt_texts_plus(r->a, t, one, KT_TEXTS_EXACT) : one;
	}
	return kt_part_exactly(t);
}

static struct kt_part letter(struct kt_need_reader *r, int c)
{
	switch (c) {
	case 'd': return r->wide ? digits(r) : kt_part_opaque(r->a);
	case 'b':
	case 'B':
	case 'A':
	case 'Z':
	case 'z':
	case 'G':
	case 'K': return kt_part_empty(r->a);
	case 'k': return opaque_if(r, skip_reference(r));
	case 'g': return reference(r);
	case 'p':
	case 'P': return property(r);
	default: break;
	}
	if (strchr("DwWsShHvVNRX", c))
		return kt_part_opaque(r->a);
	int code = kt_need_code(r, c);
	return code < 0 ? kt_need_bad(r) : kt_need_byte(r, (unsigned char)code);
}

struct kt_part kt_need_escape(struct kt_need_reader *r)
{
	int c = kt_need_peek(r, 1);

	r->at += 2;
	if (c < 0 || c > 127)
		return kt_need_bad(r);
	if (kt_need_is_letter(c) || c == '0')
		return letter(r, c);
	if (!kt_need_is_digit(c))
		return kt_need_byte(r, (unsigned char)c);
	skip_digits(r); /* a group's text, or a code in octal digits */
	return kt_part_opaque(r->a);
}
