/* Repeats, and what may stand between a repeat and what it repeats. */
#include "match/need_reader.h"

#include <string.h>

#include "base/banned.h"

static bool read_number(struct kt_need_reader *r, size_t *ahead, uint32_t *out)
{
	uint32_t n = 0;

	if (!kt_need_is_digit(kt_need_peek(r, *ahead)))
		return false;
	for (; kt_need_is_digit(kt_need_peek(r, *ahead)); (*ahead)++)
		n = n < 100000 ? n * 10 + (uint32_t)(kt_need_peek(r, *ahead) - '0') : n;
	*out = n;
	return true;
}

/* "{,5}" and "{ 2 }" are repeats or plain text, by the version of the library. */
static bool is_doubtful(const struct kt_need_reader *r)
{
	size_t ahead = 1;
	bool digit = false;

	for (int c; (c = kt_need_peek(r, ahead)) >= 0 && strchr("0123456789, \t", c) && c; ahead++)
		digit |= kt_need_is_digit(c);
	return digit && kt_need_peek(r, ahead) == '}';
}

bool kt_need_braces(struct kt_need_reader *r, uint32_t *min, uint32_t *max)
{
	size_t ahead = 1;
	bool known = read_number(r, &ahead, min);

	*max = *min;
	if (known && kt_need_peek(r, ahead) == ',') {
		ahead++;
		if (!read_number(r, &ahead, max))
			*max = KT_PART_UNBOUNDED;
	}
	if (!known || kt_need_peek(r, ahead) != '}') {
		r->bad |= is_doubtful(r);
		return false;
	}
	r->at += ahead + 1;
	return true;
}

static bool read_count(struct kt_need_reader *r, uint32_t *min, uint32_t *max)
{
	int c = kt_need_peek(r, 0);

	*min = c == '+';
	*max = c == '?' ? 1 : KT_PART_UNBOUNDED;
	if (c == '{')
		return kt_need_braces(r, min, max);
	if (c != '*' && c != '+' && c != '?')
		return false;
	r->at++;
	return true;
}

static bool read_repeat(struct kt_need_reader *r, uint32_t *min, uint32_t *max, bool *possessive)
{
	if (r->bad || r->quoted || !read_count(r, min, max))
		return false;
	*possessive = kt_need_peek(r, 0) == '+';
	if (*possessive || kt_need_peek(r, 0) == '?')
		r->at++;
	return true;
}

bool kt_need_repeat(struct kt_need_reader *r, uint32_t *min, uint32_t *max)
{
	bool possessive;

	return read_repeat(r, min, max, &possessive);
}

/* All repeats behind P: "a{2}{3}", "a+?", "a++". */
struct kt_part kt_need_repeats(struct kt_need_reader *r, struct kt_part p)
{
	uint32_t min, max;
	bool possessive;

	for (;;) {
		kt_need_skip_silent(r);
		if (!read_repeat(r, &min, &max, &possessive))
			return p;
		r->nested |= max == KT_PART_UNBOUNDED && p.unbounded;
		bool unbounded = p.unbounded || (max == KT_PART_UNBOUNDED && !possessive);
		p = kt_part_repeated(r->a, p, min, max);
		p.unbounded = unbounded;
	}
}

static bool skip_blanks(struct kt_need_reader *r)
{
	int c = kt_need_peek(r, 0);

	if (!r->extended)
		return false;
	if (c == '#') {
		if (!kt_need_skip_to(r, '\n'))
			r->at = r->re.len;
		return true;
	}
	if (c != ' ' && (c < '\t' || c > '\r'))
		return false;
	r->at++;
	return true;
}

static bool skip_comment(struct kt_need_reader *r)
{
	if (!kt_need_take(r, "(?#"))
		return false;
	r->bad |= !kt_need_skip_to(r, ')');
	return true;
}

void kt_need_skip_silent(struct kt_need_reader *r)
{
	while (!r->bad) {
		int c = kt_need_peek(r, 0);
		if (c != '\\' && c != '(' && !r->extended)
			return;
		if (kt_need_take(r, "\\E"))
			r->quoted = false;
		else if (r->quoted)
			return;
		else if (kt_need_take(r, "\\Q"))
			r->quoted = true;
		else if (!skip_blanks(r) && !skip_comment(r))
			return;
	}
}
