#include "input/shape.h"

#include "base/banned.h"

static bool set_has(const unsigned char set[32], unsigned char c)
{
	return set[c >> 3] >> (c & 7) & 1;
}

struct run {
	const struct kt_shape *shape;
	const struct kt_levels *levels;
	struct kt_str line;
	struct kt_str *field;
};

static bool match_set(const struct kt_shape_op *op, struct kt_str line, size_t *at)
{
	size_t p = *at;
	bool one = p < line.len && set_has(op->set, (unsigned char)line.p[p]);

	if (!one)
		return op->rep == KT_SR_OPT || op->rep == KT_SR_STAR;
	p++;
	if (op->rep == KT_SR_PLUS || op->rep == KT_SR_STAR)
		while (p < line.len && set_has(op->set, (unsigned char)line.p[p]))
			p++;
	*at = p;
	return true;
}

static bool match_alternative(const struct run *r, size_t from, size_t to, size_t *at)
{
	size_t p = *at;

	for (size_t i = from; i < to; i++)
		if (!match_set(&r->shape->ops[i], r->line, &p))
			return false;
	*at = p;
	return true;
}

static bool match_group(const struct run *r, size_t group, size_t *at)
{
	const struct kt_shape_op *ops = r->shape->ops;

	for (size_t alt = group + 1; ops[alt].code == KT_SC_ALT; alt = ops[alt].next)
		if (match_alternative(r, alt + 1, ops[alt].next, at))
			return true;
	return ops[group].rep == KT_SR_OPT;
}

static bool is_word(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static bool match_level(const struct run *r, size_t *at)
{
	struct kt_str rest = kt_str_from(r->line, *at);

	for (size_t i = 0; i < r->levels->n; i++) {
		struct kt_str word = r->levels->word[i];
		if (!rest.len || rest.p[0] != word.p[0] || !kt_str_starts(rest, word) ||
		    (rest.len > word.len && is_word(rest.p[word.len])))
			continue;
		r->field[KT_FIELD_LEVEL] = kt_str_sub(rest, 0, word.len);
		*at += word.len;
		return true;
	}
	return false;
}

static bool match_logger(const struct run *r, const struct kt_shape_op *op, size_t *at)
{
	struct kt_str rest = kt_str_from(r->line, *at);
	size_t n = 0;

	if (!rest.len || (rest.p[0] >= '0' && rest.p[0] <= '9') || rest.p[0] == '.' || rest.p[0] == '-')
		return false;
	while (n < rest.len && set_has(op->set, (unsigned char)rest.p[n]))
		n++;
	r->field[KT_FIELD_LOGGER] = kt_str_sub(rest, 0, n);
	*at += n;
	return n > 0;
}

static bool match_from(const struct run *r, size_t op, size_t *at);

static bool match_thread(const struct run *r, size_t op, size_t *at)
{
	size_t limit = r->line.len - *at > KT_SHAPE_THREAD ? *at + KT_SHAPE_THREAD : r->line.len;

	for (size_t end = *at; end <= limit; end++) {
		size_t p = end;
		if (!match_from(r, op + 1, &p))
			continue;
		r->field[KT_FIELD_THREAD] = kt_str_sub(r->line, *at, end - *at);
		*at = p;
		return true;
	}
	return false;
}

/* One op that is neither a group nor <thread>. */
static bool match_plain(const struct run *r, const struct kt_shape_op *op, size_t *at)
{
	switch (op->code) {
	case KT_SC_SET: return match_set(op, r->line, at);
	case KT_SC_LEVEL: return match_level(r, at);
	case KT_SC_LOGGER: return match_logger(r, op, at);
	case KT_SC_FIELD: r->field[op->field] = kt_str_sub(r->line, *at, 0); return true;
	case KT_SC_FIELD_END:
		r->field[op->field].len = (size_t)(r->line.p + *at - r->field[op->field].p);
		return true;
	default: /* MESSAGE */
		r->field[KT_FIELD_MESSAGE] = kt_str_from(r->line, *at);
		*at = r->line.len;
		return true;
	}
}

static bool match_from(const struct run *r, size_t op, size_t *at)
{
	const struct kt_shape_op *ops = r->shape->ops;

	for (size_t i = op; i < r->shape->n; i++) {
		if (ops[i].code == KT_SC_THREAD)
			return match_thread(r, i, at);
		if (ops[i].code == KT_SC_GROUP) {
			if (!match_group(r, i, at))
				return false;
			i = ops[i].next;
		} else if (!match_plain(r, &ops[i], at)) {
			return false;
		}
	}
	return true;
}

bool kt_shape_match(const struct kt_shape *s, const struct kt_levels *levels, struct kt_str line,
		    struct kt_str field[KT_FIELDS], size_t *len)
{
	struct run r = {s, levels, line, field};

	*len = 0;
	return line.p && match_from(&r, 0, len);
}

/* --- first bytes --- */

static void first_of_set(const struct kt_shape_op *op, bool first[256])
{
	for (unsigned c = 0; c < 256; c++)
		first[c] |= set_has(op->set, (unsigned char)c);
}

static bool may_be_empty(const struct kt_shape_op *op)
{
	return op->rep == KT_SR_OPT || op->rep == KT_SR_STAR;
}

/* Returns true when ops [from, to) may match nothing. */
static bool first_of_sets(const struct kt_shape_op *ops, size_t from, size_t to, bool first[256])
{
	for (size_t i = from; i < to; i++) {
		first_of_set(&ops[i], first);
		if (!may_be_empty(&ops[i]))
			return false;
	}
	return true;
}

static bool first_of_group(const struct kt_shape_op *ops, size_t group, bool first[256])
{
	bool empty = ops[group].rep == KT_SR_OPT;

	for (size_t alt = group + 1; ops[alt].code == KT_SC_ALT; alt = ops[alt].next)
		empty |= first_of_sets(ops, alt + 1, ops[alt].next, first);
	return empty;
}

static void first_of_levels(const struct kt_levels *levels, bool first[256])
{
	for (size_t i = 0; i < levels->n; i++)
		first[(unsigned char)levels->word[i].p[0]] = true;
}

static void first_all(bool first[256])
{
	for (unsigned c = 0; c < 256; c++)
		first[c] = true;
}

void kt_shape_first(const struct kt_shape *s, const struct kt_levels *levels, bool first[256])
{
	for (size_t i = 0; i < s->n; i++) {
		const struct kt_shape_op *op = &s->ops[i];
		bool empty = false;

		switch (op->code) {
		case KT_SC_FIELD:
		case KT_SC_FIELD_END: empty = true; break;
		case KT_SC_SET: empty = first_of_sets(s->ops, i, i + 1, first); break;
		case KT_SC_GROUP:
			empty = first_of_group(s->ops, i, first);
			i = op->next;
			break;
		case KT_SC_LEVEL: first_of_levels(levels, first); break;
		default: first_all(first); break;
		}
		if (!empty)
			return;
	}
	first_all(first); /* the whole shape may be empty */
}
