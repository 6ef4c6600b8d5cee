#include "kusto/fill.h"

#include "kusto/literal.h"

#include "base/banned.h"

const char *kt_fill_type_word(enum kt_fill_type type)
{
	static const char *const words[] = {
#define X(id, word) [KT_FILL_##id] = word,
		KT_FILL_TYPES(X)
#undef X
	};
	return words[type];
}

int kt_fill_value(enum kt_fill_type type, struct kt_str value, struct kt_buf *out, struct kt_err *err)
{
	switch (type) {
	case KT_FILL_STRING: return kt_literal_string(value, out, err);
	case KT_FILL_GUID: return kt_literal_guid(value, out, err);
	case KT_FILL_DATETIME: return kt_literal_datetime(value, out, err);
	case KT_FILL_TIMESPAN: return kt_literal_timespan(value, out, err);
	case KT_FILL_ENTITY: return kt_literal_entity(value, out, err);
	}
	return kt_err_set(err, KT_ERR_INTERNAL, "no such type of placeholder");
}

static bool type_of(struct kt_str word, enum kt_fill_type *out)
{
	for (size_t i = 0; i <= KT_FILL_ENTITY; i++) {
		if (kt_str_eq_c(word, kt_fill_type_word((enum kt_fill_type)i))) {
			*out = (enum kt_fill_type)i;
			return true;
		}
	}
	return false;
}

static bool is_name(struct kt_str s)
{
	for (size_t i = 0; i < s.len; i++) {
		char c = s.p[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
		if (!letter && !(i > 0 && c >= '0' && c <= '9'))
			return false;
	}
	return s.len > 0;
}

/* {name:type} at AT; *END is behind it. */
static int placeholder(struct kt_str t, size_t at, struct kt_str *name, enum kt_fill_type *type, size_t *end,
		       struct kt_err *err)
{
	size_t close = kt_str_chr(t, '}', at);
	struct kt_str inner = kt_str_sub(t, at + 1, close == KT_NPOS ? 0 : close - at - 1);
	size_t colon = kt_str_chr(inner, ':', 0);

	*name = kt_str_sub(inner, 0, colon);
	if (close == KT_NPOS || colon == KT_NPOS || !is_name(*name))
		return kt_err_set(err, KT_ERR_RULES, "byte %zu: a placeholder is written {name:type}",
				  at + 1);
	if (!type_of(kt_str_from(inner, colon + 1), type))
		return kt_err_set(err, KT_ERR_RULES,
				  "{" KT_FMT "}: the types are string, guid, datetime, "
				  "timespan and entity",
				  KT_ARG(kt_str_sub(inner, 0, 60)));
	*end = close + 1;
	return 0;
}

/* Where the template stands: inside a literal or not. Escapes only matter where a
 * backslash could hide the closing quote. */
struct place {
	char quote; /* 0: outside */
	bool verbatim;
};

static size_t step(struct kt_str t, size_t at, struct place *p)
{
	char c = t.p[at];

	if (!p->quote) {
		if (c == '"' || c == '\'') {
			p->quote = c;
			p->verbatim = at > 0 && t.p[at - 1] == '@';
		}
		return 1;
	}
	if (c == '\\' && !p->verbatim)
		return at + 1 < t.len ? 2 : 1;
	if (c == p->quote || c == '\n')
		p->quote = 0;
	return 1;
}

typedef int visit(void *ctx, struct kt_str literal, struct kt_str name, enum kt_fill_type type,
		  struct kt_err *err);

/* Calls FN with each piece of plain text and the placeholder behind it; the last
 * piece has an empty name. */
static int walk(struct kt_str t, visit *fn, void *ctx, struct kt_err *err)
{
	struct place place = {0};
	size_t from = 0;

	for (size_t at = 0; at < t.len;) {
		struct kt_str name = KT_NONE;
		enum kt_fill_type type = KT_FILL_STRING;
		size_t end = 0;
		if (t.p[at] != '{') {
			at += step(t, at, &place);
			continue;
		}
		if (placeholder(t, at, &name, &type, &end, err) < 0)
			return -1;
		if (place.quote)
			return kt_err_set(err, KT_ERR_RULES,
					  "{" KT_FMT ":%s} stands inside a string: end the "
					  "string before it, neighbours are joined",
					  KT_ARG(name), kt_fill_type_word(type));
		if (fn(ctx, kt_str_sub(t, from, at - from), name, type, err) < 0)
			return -1;
		at = from = end;
	}
	return fn(ctx, kt_str_from(t, from), KT_NONE, KT_FILL_STRING, err);
}

struct filling {
	kt_fill_lookup *lookup;
	void *ctx;
	struct kt_buf *out;
};

static int fill_piece(void *ctx, struct kt_str literal, struct kt_str name, enum kt_fill_type type,
		      struct kt_err *err)
{
	struct filling *f = ctx;
	struct kt_str value;

	kt_buf_add(f->out, literal);
	if (!name.len)
		return 0;
	if (!f->lookup(f->ctx, name, type, &value))
		return kt_err_set(err, KT_ERR_USAGE, KT_FMT " is not known", KT_ARG(name));
	if (kt_fill_value(type, value, f->out, err) < 0)
		return kt_err_prefix(err, KT_FMT ": ", KT_ARG(name));
	return 0;
}

int kt_fill(struct kt_str tmpl, kt_fill_lookup *lookup, void *ctx, struct kt_buf *out, struct kt_err *err)
{
	struct filling f = {.lookup = lookup, .ctx = ctx, .out = out};

	if (walk(tmpl, fill_piece, &f, err) < 0)
		return -1;
	if (out->full)
		return kt_err_set(err, KT_ERR_REFUSED, "the filled command is too long");
	return 0;
}

bool kt_fill_sample(void *ctx, struct kt_str name, enum kt_fill_type type, struct kt_str *value)
{
	static const char *const samples[] = {
		[KT_FILL_STRING] = "sample",
		[KT_FILL_GUID] = "00000000-0000-4000-8000-000000000000",
		[KT_FILL_DATETIME] = "2026-01-31T00:00:00Z",
		[KT_FILL_TIMESPAN] = "1h",
		[KT_FILL_ENTITY] = "Sample",
	};

	(void)ctx;
	(void)name;
	*value = kt_str_c(samples[type]);
	return true;
}

struct each {
	void (*fn)(void *ctx, struct kt_str name, enum kt_fill_type type);
	void *ctx;
};

static int each_piece(void *ctx, struct kt_str literal, struct kt_str name, enum kt_fill_type type,
		      struct kt_err *err)
{
	struct each *e = ctx;

	(void)literal;
	(void)err;
	if (name.len)
		e->fn(e->ctx, name, type);
	return 0;
}

int kt_fill_each(struct kt_str tmpl, void (*fn)(void *ctx, struct kt_str name, enum kt_fill_type type),
		 void *ctx, struct kt_err *err)
{
	struct each e = {.fn = fn, .ctx = ctx};

	return walk(tmpl, each_piece, &e, err);
}
