/* What stands in parentheses. */
#include "match/need_reader.h"

#include "base/banned.h"

#define DEPTH 60

/* What holds to the end of the group around it. */
struct flags {
	bool fold, extended;
};

static struct flags flags_of(const struct kt_need_reader *r)
{
	return (struct flags){r->fold, r->extended};
}

static struct kt_part content(struct kt_need_reader *r, struct flags behind)
{
	struct kt_part p = kt_need_alternatives(r);

	if (kt_need_peek(r, 0) != ')')
		return kt_need_bad(r);
	r->at++;
	r->fold = behind.fold;
	r->extended = behind.extended;
	return p;
}

static struct kt_part named(struct kt_need_reader *r, char close, struct flags behind)
{
	int first = kt_need_peek(r, 0);

	if ((!kt_need_is_letter(first) && first != '_') || !kt_need_skip_to(r, close))
		return kt_need_bad(r);
	return content(r, behind);
}

static void set_flag(struct kt_need_reader *r, int c, bool on)
{
	if (c == 'i')
		r->fold = on;
	else if (c == 'x')
		r->extended = on;
	else if (c != 'm' && c != 's' && c != 'J' && c != 'U' && c != 'n')
		r->bad = true;
}

/* Behind "(?": the flags and what follows. True: a group whose content follows.
 * "xx" makes blanks in classes mean nothing: not understood. */
static bool read_flags(struct kt_need_reader *r)
{
	bool on = true, any = false;
	int c;

	for (; !r->bad && (c = kt_need_peek(r, 0)) != ':' && c != ')'; r->at++) {
		any = true;
		if (c == 'x' && kt_need_peek(r, 1) == 'x')
			r->bad = true;
		if (c == '-')
			on = false;
		else
			set_flag(r, c, on);
	}
	r->bad |= !any;
	bool group = kt_need_peek(r, 0) == ':';
	r->at++;
	return group;
}

/* Which alternative is taken is not known, nor whether there is a second one. */
static struct kt_part conditional(struct kt_need_reader *r, struct flags behind)
{
	if (kt_need_peek(r, 1) == '?')
		kt_need_group(r);
	else if (kt_need_peek(r, 1) == '*' || !kt_need_skip_to(r, ')'))
		return kt_need_bad(r);
	struct kt_part p = content(r, behind);
	struct kt_part out = kt_part_opaque(r->a);
	out.unbounded = p.unbounded;
	return out;
}

static bool is_call(const struct kt_need_reader *r)
{
	int c = kt_need_peek(r, 0), next = kt_need_peek(r, 1);

	return c == 'R' || c == '&' || kt_need_is_digit(c) ||
	       ((c == '+' || c == '-') && kt_need_is_digit(next)) ||
	       (c == 'P' && (next == '=' || next == '>'));
}

/* What a look-around looks at is no part of the match, but stands in the record. */
static struct kt_part special(struct kt_need_reader *r)
{
	struct flags behind = flags_of(r);

	if (kt_need_take(r, "=") || kt_need_take(r, "<="))
		return kt_part_look(r->a, content(r, behind).cover);
	if (kt_need_take(r, "!") || kt_need_take(r, "<!")) {
		content(r, behind);
		return kt_part_empty(r->a);
	}
	if (kt_need_take(r, ":") || kt_need_take(r, "|") || kt_need_take(r, ">"))
		return content(r, behind);
	if (kt_need_take(r, "P<") || kt_need_take(r, "<"))
		return named(r, '>', behind);
	if (kt_need_take(r, "'"))
		return named(r, '\'', behind);
	if (kt_need_peek(r, 0) == '(')
		return conditional(r, behind);
	if (is_call(r))
		return kt_need_skip_to(r, ')') ? kt_part_opaque(r->a) : kt_need_bad(r);
	if (!read_flags(r)) /* "(?i)": holds to the end of the group around it */
		return kt_part_empty(r->a);
	return content(r, behind);
}

struct kt_part kt_need_group(struct kt_need_reader *r)
{
	struct kt_part p;

	r->at++;
	if (++r->depth > DEPTH || kt_need_peek(r, 0) == '*')
		return kt_need_bad(r);
	if (kt_need_peek(r, 0) == '?') {
		r->at++;
		p = special(r);
	} else {
		p = content(r, flags_of(r));
	}
	r->depth--;
	return p;
}
