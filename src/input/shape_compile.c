/* Shapes from their text. */
#include "input/shape.h"

#include <string.h>

#include "base/alloc.h"

#include "base/banned.h"

#define ESC 0x1b

static const char *const field_names[KT_FIELDS] = {
	[KT_FIELD_TIME] = "time",     [KT_FIELD_LEVEL] = "level",     [KT_FIELD_THREAD] = "thread",
	[KT_FIELD_LOGGER] = "logger", [KT_FIELD_MESSAGE] = "message", [KT_FIELD_PART] = "part",
	[KT_FIELD_CLASS] = "class",   [KT_FIELD_TRACE] = "trace",     [KT_FIELD_TEXT] = "text",
	[KT_FIELD_LENGTH] = "length",
};

enum kt_field kt_field_of(struct kt_str name)
{
	for (size_t i = 0; i < KT_FIELDS; i++)
		if (kt_str_eq_c(name, field_names[i]))
			return (enum kt_field)i;
	return KT_FIELDS;
}

static void set_add(unsigned char set[32], unsigned char c)
{
	set[c >> 3] = (unsigned char)(set[c >> 3] | 1u << (c & 7));
}

struct compiler {
	struct kt_str text;
	size_t at;
	struct kt_shape_op *ops;
	size_t n, cap;
	size_t group;       /* op of the open group, or KT_NPOS */
	size_t alt;         /* op of its last ALT */
	enum kt_field open; /* open <name:...>, or KT_FIELDS */
	struct kt_err *err;
};

static int fail(struct compiler *c, const char *what)
{
	return kt_err_set(c->err, KT_ERR_RULES, "shape: %s at byte %zu of '" KT_FMT "'", what, c->at + 1,
			  KT_ARG(c->text));
}

static struct kt_shape_op *emit(struct compiler *c, enum kt_shape_code code)
{
	struct kt_shape_op *op = &KT_PUSH(c->ops, c->n, c->cap);

	*op = (struct kt_shape_op){.code = (uint8_t)code};
	return op;
}

static int peek(const struct compiler *c)
{
	return c->at < c->text.len ? (unsigned char)c->text.p[c->at] : -1;
}

/* The byte a '\' escape stands for. */
static unsigned char escaped(unsigned char c)
{
	switch (c) {
	case 's': return ' ';
	case 't': return '\t';
	case 'r': return '\r';
	default: return c;
	}
}

/* One byte of a set, quoted or plain; -1 at the end of the text. */
static int set_byte(struct compiler *c)
{
	int b = peek(c);

	if (b < 0)
		return -1;
	c->at++;
	if (b != '\\')
		return b;
	b = peek(c);
	if (b < 0)
		return -1;
	c->at++;
	return escaped((unsigned char)b);
}

static int compile_set(struct compiler *c)
{
	struct kt_shape_op *op = emit(c, KT_SC_SET);
	bool negated = false;

	c->at++;
	if (peek(c) == '^') {
		negated = true;
		c->at++;
	}
	while (peek(c) != ']') {
		int from = set_byte(c), to = from;
		if (peek(c) == '-' && c->at + 1 < c->text.len && c->text.p[c->at + 1] != ']') {
			c->at++;
			to = set_byte(c);
		}
		if (from < 0 || to < from)
			return fail(c, "bad set");
		for (int b = from; b <= to; b++)
			set_add(op->set, (unsigned char)b);
	}
	c->at++;
	for (size_t i = 0; negated && i < sizeof op->set; i++)
		op->set[i] = (unsigned char)~op->set[i];
	return 0;
}

static int compile_field(struct compiler *c)
{
	static const struct {
		const char *name;
		enum kt_shape_code code;
	} plain[] = {{"level>", KT_SC_LEVEL},
		     {"logger>", KT_SC_LOGGER},
		     {"thread>", KT_SC_THREAD},
		     {"message>", KT_SC_MESSAGE}};

	c->at++;
	for (size_t i = 0; i < KT_LEN(plain); i++) {
		struct kt_str name = kt_str_c(plain[i].name);
		if (kt_str_starts(kt_str_from(c->text, c->at), name)) {
			emit(c, plain[i].code);
			c->at += name.len;
			return 0;
		}
	}
	size_t colon = kt_str_chr(c->text, ':', c->at);
	enum kt_field f = KT_FIELDS;
	if (colon != KT_NPOS)
		f = kt_field_of(kt_str_sub(c->text, c->at, colon - c->at));
	if (f == KT_FIELDS || c->open != KT_FIELDS || c->group != KT_NPOS)
		return fail(c, "unknown or nested field");
	emit(c, KT_SC_FIELD)->field = (uint8_t)f;
	c->open = f;
	c->at = colon + 1;
	return 0;
}

static int close_field(struct compiler *c)
{
	if (c->open == KT_FIELDS || c->group != KT_NPOS)
		return fail(c, "'>' without a field");
	emit(c, KT_SC_FIELD_END)->field = (uint8_t)c->open;
	c->open = KT_FIELDS;
	c->at++;
	return 0;
}

static int open_group(struct compiler *c)
{
	if (c->group != KT_NPOS)
		return fail(c, "nested group");
	c->group = c->n;
	emit(c, KT_SC_GROUP);
	c->alt = c->n;
	emit(c, KT_SC_ALT);
	c->at++;
	return 0;
}

static int next_alternative(struct compiler *c)
{
	if (c->group == KT_NPOS)
		return fail(c, "'|' outside a group");
	c->ops[c->alt].next = (uint16_t)c->n;
	c->alt = c->n;
	emit(c, KT_SC_ALT);
	c->at++;
	return 0;
}

static int close_group(struct compiler *c)
{
	if (c->group == KT_NPOS)
		return fail(c, "')' without a group");
	c->ops[c->alt].next = (uint16_t)c->n;
	c->ops[c->group].next = (uint16_t)c->n;
	emit(c, KT_SC_GROUP_END);
	c->at++;
	if (peek(c) == '?') {
		c->ops[c->group].rep = KT_SR_OPT;
		c->at++;
	}
	c->group = KT_NPOS;
	return 0;
}

static void compile_byte(struct compiler *c, unsigned char b)
{
	struct kt_shape_op *op = emit(c, KT_SC_SET);

	if (b == '#')
		for (unsigned d = '0'; d <= '9'; d++)
			set_add(op->set, (unsigned char)d);
	else
		set_add(op->set, b);
	c->at++;
}

static int compile_escape(struct compiler *c)
{
	c->at++;
	int b = peek(c);
	if (b < 0)
		return fail(c, "'\\' at the end");
	unsigned char byte = escaped((unsigned char)b);
	set_add(emit(c, KT_SC_SET)->set, byte);
	c->at++;
	return 0;
}

static int compile_repeat(struct compiler *c, enum kt_shape_rep rep)
{
	if (!c->n || c->ops[c->n - 1].code != KT_SC_SET || c->ops[c->n - 1].rep != KT_SR_ONE)
		return fail(c, "nothing to repeat");
	c->ops[c->n - 1].rep = (uint8_t)rep;
	c->at++;
	return 0;
}

static int compile_one(struct compiler *c)
{
	int b = peek(c);

	switch (b) {
	case '\\': return compile_escape(c);
	case '[': return compile_set(c);
	case '<': return compile_field(c);
	case '>': return close_field(c);
	case '(': return open_group(c);
	case '|': return next_alternative(c);
	case ')': return close_group(c);
	case '?': return compile_repeat(c, KT_SR_OPT);
	case '+': return compile_repeat(c, KT_SR_PLUS);
	case '*': return compile_repeat(c, KT_SR_STAR);
	default: compile_byte(c, (unsigned char)b); return 0;
	}
}

/* <thread> and the like inside a group would need real backtracking. */
static int check_groups(struct compiler *c)
{
	bool inside = false;
	unsigned threads = 0, parts = 0;

	for (size_t i = 0; i < c->n; i++) {
		threads += c->ops[i].code == KT_SC_THREAD;
		parts += c->ops[i].code == KT_SC_FIELD && c->ops[i].field == KT_FIELD_PART;
		if (c->ops[i].code == KT_SC_GROUP)
			inside = true;
		else if (c->ops[i].code == KT_SC_GROUP_END)
			inside = false;
		else if (inside && c->ops[i].code != KT_SC_SET && c->ops[i].code != KT_SC_ALT)
			return fail(c, "field in a group");
	}
	if (threads > 1 || parts > 1)
		return fail(c, "more than one <thread> or <part>");
	if (c->group != KT_NPOS || c->open != KT_FIELDS)
		return fail(c, "group or field not closed");
	return 0;
}

/* The byte the set stands for, or -1: there are several, or none. */
static int16_t only_byte(const unsigned char set[32])
{
	int16_t found = -1;

	for (int16_t c = 0; c < 256; c++)
		if (set[c >> 3] >> (c & 7) & 1) {
			if (found >= 0)
				return -1;
			found = c;
		}
	return found;
}

/* What every use of the shape would have to find out again. */
static void note(struct kt_shape *s, struct kt_shape_op *ops)
{
	for (size_t i = 0; i < s->n; i++)
		switch (ops[i].code) {
		case KT_SC_SET:
			ops[i].byte = only_byte(ops[i].set);
			s->any_byte |= ops[i].set[ESC >> 3] >> (ESC & 7) & 1;
			break;
		case KT_SC_GROUP: ops[i].byte = -1; break;
		case KT_SC_FIELD: s->fields |= 1u << ops[i].field; break;
		case KT_SC_LEVEL: s->fields |= 1u << KT_FIELD_LEVEL; break;
		case KT_SC_LOGGER: s->fields |= 1u << KT_FIELD_LOGGER; break;
		case KT_SC_THREAD:
			s->fields |= 1u << KT_FIELD_THREAD;
			s->any_byte = true;
			break;
		case KT_SC_MESSAGE: s->fields |= 1u << KT_FIELD_MESSAGE; break;
		default: break;
		}
}

int kt_shape_compile(struct kt_arena *a, struct kt_str text, struct kt_shape *out, struct kt_err *err)
{
	struct compiler c = {.text = text, .group = KT_NPOS, .open = KT_FIELDS, .err = err};
	int rc = text.len ? 0 : fail(&c, "empty");

	while (rc == 0 && c.at < text.len)
		rc = c.n < KT_SHAPE_OPS ? compile_one(&c) : fail(&c, "too long");
	if (rc == 0)
		rc = check_groups(&c);
	if (rc == 0) {
		struct kt_shape_op *ops = KT_NEW_N(a, struct kt_shape_op, c.n);
		memcpy(ops, c.ops, c.n * sizeof *ops);
		*out = (struct kt_shape){.ops = ops, .n = c.n};
		note(out, ops);
	}
	kt_free(c.ops);
	return rc;
}
