#include "input/shape.h"

#include <string.h>

#include "base/banned.h"

static bool set_has(const unsigned char set[32], unsigned char c)
{
	return set[c >> 3] >> (c & 7) & 1;
}

/* --- levels --- */

void kt_levels_add(struct kt_levels *l, struct kt_str word)
{
	size_t n = word.len < 8 ? word.len : 8;
	unsigned char all[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

	memcpy(&l->mask[l->n], all, n);
	memcpy(&l->want[l->n], word.p, n);
	l->first[(unsigned char)word.p[0]] = true;
	l->word[l->n++] = word;
}

/* --- matching --- */

/* These move *AT, a place of the line, behind what they match. */

static bool match_set(const struct kt_shape_op *op, const char *end, const char **at)
{
	const char *p = *at;

	if (p == end || !set_has(op->set, (unsigned char)*p))
		return op->rep == KT_SR_OPT || op->rep == KT_SR_STAR;
	p++;
	if (op->rep == KT_SR_PLUS || op->rep == KT_SR_STAR)
		while (p < end && set_has(op->set, (unsigned char)*p))
			p++;
	*at = p;
	return true;
}

static bool match_alternative(const struct kt_shape *s, size_t from, size_t to, const char *end,
			      const char **at)
{
	const char *p = *at;

	for (size_t i = from; i < to; i++)
		if (!match_set(&s->ops[i], end, &p))
			return false;
	*at = p;
	return true;
}

static bool match_group(const struct kt_shape *s, size_t group, const char *end, const char **at)
{
	const struct kt_shape_op *ops = s->ops;

	if (ops[group].byte >= 0 && (*at == end || **at != (char)ops[group].byte))
		return ops[group].rep == KT_SR_OPT;
	for (size_t alt = group + 1; ops[alt].code == KT_SC_ALT; alt = ops[alt].next)
		if (match_alternative(s, alt + 1, ops[alt].next, end, at))
			return true;
	return ops[group].rep == KT_SR_OPT;
}

static bool is_word(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static bool match_level(struct kt_shape_try *t, const char **at)
{
	const struct kt_levels *l = t->levels;
	const char *p = *at;
	size_t left = (size_t)(t->end - p);

	if (!left || !l->first[(unsigned char)*p])
		return false;
	uint64_t w = kt_eight_bytes(p, left);
	for (size_t i = 0; i < l->n; i++) {
		if ((w & l->mask[i]) != l->want[i])
			continue;
		size_t len = l->word[i].len;
		if (len > left || (len > sizeof w && memcmp(p, l->word[i].p, len) != 0) ||
		    (left > len && is_word(p[len])))
			continue;
		t->field[KT_FIELD_LEVEL] = (struct kt_str){p, len};
		*at += len;
		return true;
	}
	return false;
}

static const bool logger_byte[256] = {
	['A'] = 1, ['B'] = 1, ['C'] = 1, ['D'] = 1, ['E'] = 1, ['F'] = 1, ['G'] = 1, ['H'] = 1, ['I'] = 1,
	['J'] = 1, ['K'] = 1, ['L'] = 1, ['M'] = 1, ['N'] = 1, ['O'] = 1, ['P'] = 1, ['Q'] = 1, ['R'] = 1,
	['S'] = 1, ['T'] = 1, ['U'] = 1, ['V'] = 1, ['W'] = 1, ['X'] = 1, ['Y'] = 1, ['Z'] = 1, ['a'] = 1,
	['b'] = 1, ['c'] = 1, ['d'] = 1, ['e'] = 1, ['f'] = 1, ['g'] = 1, ['h'] = 1, ['i'] = 1, ['j'] = 1,
	['k'] = 1, ['l'] = 1, ['m'] = 1, ['n'] = 1, ['o'] = 1, ['p'] = 1, ['q'] = 1, ['r'] = 1, ['s'] = 1,
	['t'] = 1, ['u'] = 1, ['v'] = 1, ['w'] = 1, ['x'] = 1, ['y'] = 1, ['z'] = 1, ['0'] = 1, ['1'] = 1,
	['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1, ['6'] = 1, ['7'] = 1, ['8'] = 1, ['9'] = 1, ['_'] = 1,
	['.'] = 1, ['$'] = 1, ['-'] = 1,
};

static inline const char *match_logger(const char *p, const char *end)
{
	if (p == end || (*p >= '0' && *p <= '9') || *p == '.' || *p == '-')
		return p;
	while (p < end && logger_byte[(unsigned char)*p])
		p++;
	return p;
}

static bool match_from(const struct kt_shape *s, struct kt_shape_try *t, size_t from, const char *p);

/* The next place from P on at which what stands behind the thread (OPS, N) may begin;
 * NULL: none up to LIMIT. */
static const char *next_end(const struct kt_shape_op *ops, size_t n, const struct kt_shape_try *t,
			    const char *p, const char *limit)
{
	bool level = n > 1 && ops[1].code == KT_SC_LEVEL;

	if (!n || ops[0].code != KT_SC_BYTE)
		return p;
	for (; p <= limit && p < t->end; p++)
		if (*p == (char)ops[0].byte &&
		    (!level || (p + 1 < t->end && t->levels->first[(unsigned char)p[1]])))
			return p;
	return NULL;
}

static bool match_thread(const struct kt_shape *s, struct kt_shape_try *t, size_t op, const char *from)
{
	const char *limit = t->end - from > KT_SHAPE_THREAD ? from + KT_SHAPE_THREAD : t->end;

	for (const char *p = from; p <= limit; p++) {
		p = next_end(s->ops + op + 1, s->n - op - 1, t, p, limit);
		if (!p)
			return false;
		if (match_from(s, t, op + 1, p)) {
			t->field[KT_FIELD_THREAD] = (struct kt_str){from, (size_t)(p - from)};
			return true;
		}
	}
	return false;
}

static inline const char *behind(const char *p, const char *end, int16_t byte)
{
	while (p < end && *p == (char)byte)
		p++;
	return p;
}

/* The hottest loop of reading. */
static bool match_from(const struct kt_shape *s, struct kt_shape_try *t, size_t from, const char *p)
{
	const struct kt_shape_op *op = s->ops + from, *last = s->ops + s->n;
	const char **at = t->at + from, *const end = t->end, *next;
	struct kt_str *field = t->field;

	for (; op < last; op++) {
		*at++ = p;
		switch (op->code) {
		case KT_SC_RUN:
			if (end - p < op->field ||
			    !kt_run_fits(&op->run, kt_eight_bytes(p, (size_t)(end - p))))
				goto no;
			p += op->field;
			continue;
		case KT_SC_BYTE:
			if (p == end || *p != (char)op->byte)
				goto no;
			p++;
			continue;
		case KT_SC_BYTES:
			next = behind(p, end, op->byte);
			if (next == p)
				goto no;
			p = next;
			continue;
		case KT_SC_FIELD: field[op->field].p = p; continue;
		case KT_SC_FIELD_END: field[op->field].len = (size_t)(p - field[op->field].p); continue;
		case KT_SC_LEVEL:
			if (!match_level(t, &p))
				goto no;
			continue;
		case KT_SC_LOGGER:
			next = match_logger(p, end);
			if (next == p)
				goto no;
			field[KT_FIELD_LOGGER] = (struct kt_str){p, (size_t)(next - p)};
			p = next;
			continue;
		case KT_SC_SET:
			if (!match_set(op, end, &p))
				goto no;
			continue;
		case KT_SC_GROUP:
			if (!match_group(s, (size_t)(op - s->ops), end, &p))
				goto no;
			at = t->at + op->next + 1;
			op = s->ops + op->next;
			continue;
		case KT_SC_THREAD:
			if (match_thread(s, t, (size_t)(op - s->ops), p))
				return true;
			goto no;
		default: /* MESSAGE */
			field[KT_FIELD_MESSAGE] = (struct kt_str){p, (size_t)(end - p)};
			t->message = p;
			p = end;
			continue;
		}
	}
	t->to = p;
	return true;
no:
	t->failed = (size_t)(op - s->ops);
	return false;
}

bool kt_shape_match(const struct kt_shape *s, struct kt_shape_try *t, size_t shared)
{
	if (shared && t->failed < shared)
		return false;
	t->message = NULL;
	if (!match_from(s, t, shared, shared ? t->at[shared] : t->line))
		return false;
	t->message = t->message ? t->message : t->to;
	return true;
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
