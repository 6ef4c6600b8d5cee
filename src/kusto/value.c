/* Values of the guard's language: names, literals, calls, members; see tree.h. */
#include "kusto/tree.h"

#include <stdarg.h>
#include <stdio.h>

#include "kusto/literal.h"

#include "base/banned.h"

struct kt_kql *kt_kql_new(struct kt_parser *p, enum kt_kql_kind kind, struct kt_str text)
{
	struct kt_kql *n = KT_NEW(p->a, struct kt_kql);

	n->kind = kind;
	n->text = text;
	n->at = p->t->at;
	return n;
}

void kt_kql_add(struct kt_kql *parent, struct kt_kql *child)
{
	struct kt_kql **last = &parent->first;

	while (*last)
		last = &(*last)->next;
	*last = child;
}

struct kt_kql *kt_kql_fail(struct kt_parser *p, const char *fmt, ...)
{
	char why[sizeof p->err->text];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof why, fmt, ap);
	va_end(ap);
	kt_lex_refuse(p->text, p->t->at, p->err, "%s", why);
	return NULL;
}

struct kt_kql *kt_kql_expected(struct kt_parser *p, const char *what)
{
	struct kt_str here = kt_str_sub(p->text, p->t->at, p->t->end - p->t->at);

	if (p->t->kind == KT_TOK_END)
		return kt_kql_fail(p, "%s is missing at the end", what);
	return kt_kql_fail(p, "'" KT_FMT "' stands where %s should", KT_ARG(kt_str_sub(here, 0, 40)), what);
}

bool kt_kql_mark(struct kt_parser *p, const char *mark)
{
	if (!kt_tok_is(p->t, mark))
		return false;
	p->t++;
	return true;
}

bool kt_kql_word(struct kt_parser *p, const char *word)
{
	if (p->t->kind != KT_TOK_NAME || !kt_str_eq_c(p->t->text, word))
		return false;
	p->t++;
	return true;
}

bool kt_kql_is_type(struct kt_str word)
{
	static const char *const types[] = {"string",   "long",     "int",  "real",    "double", "bool",
					    "datetime", "timespan", "guid", "dynamic", "decimal"};

	for (size_t i = 0; i < KT_LEN(types); i++)
		if (kt_str_eq_c(word, types[i]))
			return true;
	return false;
}

struct kt_kql *kt_kql_pair(struct kt_parser *p, enum kt_kql_kind kind, struct kt_str text, struct kt_kql *a,
			   struct kt_kql *b)
{
	struct kt_kql *n = kt_kql_new(p, kind, text);

	n->at = a->at;
	n->first = a;
	a->next = b;
	return n;
}

static bool is_keyword(struct kt_str word)
{
	static const char *const words[] = {"and",      "or",      "in",         "by",       "has",
					    "contains", "between", "startswith", "endswith", "matches",
					    "asc",      "desc",    "with"};

	for (size_t i = 0; i < KT_LEN(words); i++)
		if (kt_str_eq_c(word, words[i]))
			return true;
	return false;
}

static bool is_entity(struct kt_parser *p)
{
	struct kt_buf b = KT_BUF(KT_BUF_NAME);
	struct kt_err why = {0};
	int rc = kt_literal_entity(p->t->text, &b, &why);

	kt_buf_free(&b);
	if (rc < 0)
		kt_kql_fail(p, "%s", why.text);
	return rc == 0;
}

struct kt_kql *kt_kql_name(struct kt_parser *p)
{
	enum kt_kql_kind kind = p->t->kind == KT_TOK_BRACKET ? KT_KQL_BRACKET : KT_KQL_NAME;

	if (p->t->kind != KT_TOK_BRACKET && (p->t->kind != KT_TOK_NAME || is_keyword(p->t->text)))
		return kt_kql_expected(p, "a column's name");
	if (kind == KT_KQL_BRACKET && !is_entity(p))
		return NULL;
	struct kt_kql *n = kt_kql_new(p, kind, p->t->text);
	p->t++;
	return n;
}

/* ---- dynamic(…) ---- */

static struct kt_kql *json_value(struct kt_parser *p);

static struct kt_kql *json_array(struct kt_parser *p)
{
	struct kt_kql *n = kt_kql_new(p, KT_KQL_ARRAY, KT_NONE);

	if (kt_kql_mark(p, "]"))
		return n;
	do {
		struct kt_kql *v = json_value(p);
		if (!v)
			return NULL;
		kt_kql_add(n, v);
	} while (kt_kql_mark(p, ","));
	return kt_kql_mark(p, "]") ? n : kt_kql_expected(p, "']'");
}

static struct kt_kql *json_value(struct kt_parser *p)
{
	struct kt_kql *n = NULL;

	if (p->depth >= KT_KQL_DEPTH)
		return kt_kql_fail(p, "nested too deeply");
	if (p->t->kind == KT_TOK_BRACKET) { /* ["x"]: an array of one, to the lexer a name */
		n = kt_kql_new(p, KT_KQL_ARRAY, KT_NONE);
		kt_kql_add(n, kt_kql_new(p, KT_KQL_JSON, p->t->text));
	} else if (p->t->kind == KT_TOK_STRING) {
		n = kt_kql_new(p, KT_KQL_JSON, p->t->text);
	} else if (p->t->kind == KT_TOK_INT || kt_str_eq_c(p->t->text, "true") ||
		   kt_str_eq_c(p->t->text, "false") || kt_str_eq_c(p->t->text, "null")) {
		n = kt_kql_new(p, KT_KQL_ATOM, p->t->text);
	}
	if (n) {
		p->t++;
		return n;
	}
	if (!kt_kql_mark(p, "["))
		return kt_kql_expected(p, "a string, a whole number or a list");
	p->depth++;
	n = json_array(p);
	p->depth--;
	return n;
}

static struct kt_kql *dynamic(struct kt_parser *p)
{
	struct kt_kql *n = kt_kql_new(p, KT_KQL_DYNAMIC, KT_NONE);

	p->t += 2;
	n->first = json_value(p);
	if (!n->first)
		return NULL;
	return kt_kql_mark(p, ")") ? n : kt_kql_expected(p, "')'");
}

/* ---- calls ---- */

static struct kt_kql *type_of(struct kt_parser *p)
{
	if (!kt_kql_is_type(p->t->text))
		return kt_kql_expected(p, "a type");
	struct kt_kql *n = kt_kql_new(p, KT_KQL_TYPEOF, p->t->text);
	p->t++;
	return kt_kql_mark(p, ")") ? n : kt_kql_expected(p, "')'");
}

static struct kt_kql *argument(struct kt_parser *p)
{
	if (kt_tok_is(p->t, "*") && p->aggregates) {
		struct kt_kql *n = kt_kql_new(p, KT_KQL_STAR, KT_NONE);
		p->t++;
		return n;
	}
	if (p->t->kind == KT_TOK_NAME && kt_str_eq_c(p->t->text, "typeof") && kt_tok_is(p->t + 1, "(")) {
		p->t += 2;
		return type_of(p);
	}
	return kt_kql_expr(p);
}

static struct kt_kql *refused_call(struct kt_parser *p, enum kt_fn fn, struct kt_str why)
{
	struct kt_str name = p->t->text;
	struct kt_str near = p->functions->nearest(p->functions->ctx, name);

	if (fn == KT_FN_AGGREGATE)
		return kt_kql_fail(p, "'" KT_FMT "()' belongs behind 'summarize'", KT_ARG(name));
	if (fn == KT_FN_REFUSED)
		return kt_kql_fail(p, "'" KT_FMT "()' is refused: " KT_FMT, KT_ARG(name), KT_ARG(why));
	if (near.len)
		return kt_kql_fail(p,
				   "function '" KT_FMT "' is not on the list of functions that may be "
				   "called; the nearest is '" KT_FMT "'",
				   KT_ARG(name), KT_ARG(near));
	return kt_kql_fail(p, "function '" KT_FMT "' is not on the list of functions that may be called",
			   KT_ARG(name));
}

static struct kt_kql *call(struct kt_parser *p)
{
	struct kt_kql *n = kt_kql_new(p, KT_KQL_CALL, p->t->text);
	struct kt_str why = KT_NONE;
	enum kt_fn fn = p->functions->find(p->functions->ctx, p->t->text, &why);

	if (fn != KT_FN_SCALAR && !(fn == KT_FN_AGGREGATE && p->aggregates))
		return refused_call(p, fn, why);
	p->t += 2;
	if (kt_kql_mark(p, ")"))
		return n;
	do {
		struct kt_kql *v = argument(p);
		if (!v)
			return NULL;
		kt_kql_add(n, v);
	} while (kt_kql_mark(p, ","));
	return kt_kql_mark(p, ")") ? n : kt_kql_expected(p, "',' or ')'");
}

/* ---- values ---- */

static struct kt_kql *in_brackets(struct kt_parser *p)
{
	struct kt_kql *n = kt_kql_new(p, KT_KQL_PAREN, KT_NONE);

	p->t++;
	n->first = kt_kql_expr(p);
	if (!n->first)
		return NULL;
	return kt_kql_mark(p, ")") ? n : kt_kql_expected(p, "')'");
}

static struct kt_kql *bare_guid(struct kt_parser *p)
{
	struct kt_buf b = KT_BUF(64);
	char low[36];

	for (size_t i = 0; i < sizeof low; i++)
		low[i] = kt_literal_lower(p->t->text.p[i]);
	kt_buf_fmt(&b, "guid(%.36s)", low);
	struct kt_kql *n = kt_kql_new(p, KT_KQL_ATOM, kt_arena_str(p->a, kt_buf_view(&b)));
	kt_buf_free(&b);
	return n;
}

static struct kt_kql *literal(struct kt_parser *p)
{
	const struct kt_token *t = p->t;

	switch (t->kind) {
	case KT_TOK_STRING: return kt_kql_new(p, KT_KQL_STRING, t->text);
	case KT_TOK_HIDDEN: return kt_kql_new(p, KT_KQL_HIDDEN, t->text);
	case KT_TOK_INT:
	case KT_TOK_ATOM: return kt_kql_new(p, KT_KQL_ATOM, t->text);
	case KT_TOK_GUID: return bare_guid(p);
	case KT_TOK_NAME:
		if (kt_str_eq_c(t->text, "true") || kt_str_eq_c(t->text, "false"))
			return kt_kql_new(p, KT_KQL_ATOM, t->text);
		return NULL;
	default: return NULL;
	}
}

static struct kt_kql *primary(struct kt_parser *p)
{
	struct kt_kql *n = literal(p);

	if (n) {
		p->t++;
		return n;
	}
	if (kt_tok_is(p->t, "("))
		return in_brackets(p);
	if (p->t->kind == KT_TOK_NAME && kt_tok_is(p->t + 1, "("))
		return kt_str_eq_c(p->t->text, "dynamic") ? dynamic(p) : call(p);
	if ((p->t->kind != KT_TOK_NAME && p->t->kind != KT_TOK_BRACKET) ||
	    (p->t->kind == KT_TOK_NAME && is_keyword(p->t->text)))
		return kt_kql_expected(p, "a value");
	return kt_kql_name(p);
}

struct kt_kql *kt_kql_postfix(struct kt_parser *p)
{
	struct kt_kql *n = primary(p);

	while (n) {
		struct kt_kql *inner;
		if (kt_tok_is(p->t, "("))
			return kt_kql_fail(p, "only functions of the list can be called");
		if (p->t->kind == KT_TOK_BRACKET) {
			inner = kt_kql_new(p, KT_KQL_STRING, p->t->text);
			p->t++;
			n = kt_kql_pair(p, KT_KQL_INDEX, KT_NONE, n, inner);
		} else if (kt_kql_mark(p, ".")) {
			inner = kt_kql_name(p);
			n = inner ? kt_kql_pair(p, KT_KQL_MEMBER, KT_NONE, n, inner) : NULL;
		} else if (kt_kql_mark(p, "[")) {
			inner = kt_kql_expr(p);
			if (inner && !kt_kql_mark(p, "]"))
				return kt_kql_expected(p, "']'");
			n = inner ? kt_kql_pair(p, KT_KQL_INDEX, KT_NONE, n, inner) : NULL;
		} else {
			break;
		}
	}
	return n;
}
