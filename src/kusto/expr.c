/* Expressions over values: arithmetic, comparisons, and, or; see tree.h. */
#include "kusto/tree.h"

#include "base/banned.h"

static struct kt_kql *unary(struct kt_parser *p)
{
	struct kt_kql *n;

	if (!kt_tok_is(p->t, "-"))
		return kt_kql_postfix(p);
	n = kt_kql_new(p, KT_KQL_MINUS, KT_NONE);
	p->t++;
	n->first = kt_kql_postfix(p);
	return n->first ? n : NULL;
}

static struct kt_kql *left_assoc(struct kt_parser *p, struct kt_kql *(*inner)(struct kt_parser *),
				 const char *const *marks, size_t n_marks)
{
	struct kt_kql *n = inner(p);

	while (n) {
		size_t i = 0;
		while (i < n_marks && !kt_tok_is(p->t, marks[i]))
			i++;
		if (i == n_marks)
			break;
		p->t++;
		struct kt_kql *right = inner(p);
		n = right ? kt_kql_pair(p, KT_KQL_BINARY, kt_str_c(marks[i]), n, right) : NULL;
	}
	return n;
}

static struct kt_kql *product(struct kt_parser *p)
{
	static const char *const marks[] = {"*", "/", "%"};

	return left_assoc(p, unary, marks, KT_LEN(marks));
}

static struct kt_kql *sum(struct kt_parser *p)
{
	static const char *const marks[] = {"+", "-"};

	return left_assoc(p, product, marks, KT_LEN(marks));
}

/* ---- comparisons ---- */

static const char *const comparisons[] = {"==", "=~", "!=", "!~", "<=", ">=", "<>", "<", ">"};

/* Word operators; each may stand behind `!`. */
static const char *const word_ops[] = {
	"has",      "has_cs",      "hasprefix",  "hasprefix_cs",  "hassuffix", "hassuffix_cs",
	"contains", "contains_cs", "startswith", "startswith_cs", "endswith",  "endswith_cs",
};

static const char *const list_ops[] = {"in", "has_any", "has_all"};

static bool one_of(const struct kt_token *t, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (t->kind == KT_TOK_NAME && kt_str_eq_c(t->text, words[i]))
			return true;
	return false;
}

/* A bare name, also one in brackets or behind a dot, would be read as another table. */
static bool is_list_value(const struct kt_kql *v)
{
	return v->kind == KT_KQL_STRING || v->kind == KT_KQL_HIDDEN || v->kind == KT_KQL_ATOM ||
	       v->kind == KT_KQL_CALL || v->kind == KT_KQL_DYNAMIC ||
	       (v->kind == KT_KQL_MINUS && v->first->kind == KT_KQL_ATOM);
}

static struct kt_kql *list_item(struct kt_parser *p)
{
	const struct kt_token *at = p->t;
	struct kt_kql *v = kt_kql_expr(p);

	if (v && !is_list_value(v)) {
		p->t = at;
		return kt_kql_fail(p, "a list holds values: a name there would read another table");
	}
	return v;
}

static struct kt_kql *in_list(struct kt_parser *p, struct kt_kql *left, struct kt_str op)
{
	struct kt_kql *n = kt_kql_pair(p, KT_KQL_IN, op, left, NULL);

	if (!kt_kql_mark(p, "("))
		return kt_kql_expected(p, "'('");
	do {
		struct kt_kql *v = list_item(p);
		if (!v)
			return NULL;
		kt_kql_add(n, v);
	} while (kt_kql_mark(p, ","));
	return kt_kql_mark(p, ")") ? n : kt_kql_expected(p, "',' or ')'");
}

static struct kt_kql *between(struct kt_parser *p, struct kt_kql *left, struct kt_str op)
{
	struct kt_kql *low, *high, *n;

	if (!kt_kql_mark(p, "("))
		return kt_kql_expected(p, "'('");
	low = sum(p);
	if (!low)
		return NULL;
	if (!kt_kql_mark(p, ".."))
		return kt_kql_expected(p, "'..'");
	high = sum(p);
	if (!high)
		return NULL;
	n = kt_kql_pair(p, KT_KQL_BETWEEN, op, left, low);
	low->next = high;
	return kt_kql_mark(p, ")") ? n : kt_kql_expected(p, "')'");
}

static struct kt_kql *word_comparison(struct kt_parser *p, struct kt_kql *left, bool negated)
{
	struct kt_str word = p->t->text;
	struct kt_str op = negated ? kt_arena_fmt(p->a, "!" KT_FMT, KT_ARG(word)) : word;

	p->t++;
	if (kt_str_eq_c(word, "between"))
		return between(p, left, op);
	if (kt_str_eq_c(word, "in") && kt_kql_mark(p, "~"))
		return in_list(p, left, kt_arena_fmt(p->a, KT_FMT "~", KT_ARG(op)));
	for (size_t i = 0; i < KT_LEN(list_ops); i++)
		if (kt_str_eq_c(word, list_ops[i]))
			return in_list(p, left, op);
	if (kt_str_eq_c(word, "matches")) {
		if (!kt_kql_word(p, "regex"))
			return kt_kql_expected(p, "'regex'");
		op = KT_S("matches regex");
	}
	struct kt_kql *right = sum(p);
	return right ? kt_kql_pair(p, KT_KQL_BINARY, op, left, right) : NULL;
}

static bool word_op_here(const struct kt_parser *p, bool *negated)
{
	const struct kt_token *t = p->t;

	*negated = kt_tok_is(t, "!") && (t + 1)->at == t->end;
	if (*negated)
		t++;
	return one_of(t, word_ops, KT_LEN(word_ops)) ||
	       one_of(t, list_ops, *negated ? 1 : KT_LEN(list_ops)) ||
	       (t->kind == KT_TOK_NAME && kt_str_eq_c(t->text, "between")) ||
	       (!*negated && t->kind == KT_TOK_NAME && kt_str_eq_c(t->text, "matches"));
}

static struct kt_kql *comparison(struct kt_parser *p)
{
	struct kt_kql *left = sum(p);
	bool negated;

	if (!left)
		return NULL;
	if (word_op_here(p, &negated)) {
		p->t += negated;
		return word_comparison(p, left, negated);
	}
	for (size_t i = 0; i < KT_LEN(comparisons); i++) {
		if (!kt_kql_mark(p, comparisons[i]))
			continue;
		struct kt_kql *right = sum(p);
		return right ? kt_kql_pair(p, KT_KQL_BINARY, kt_str_c(comparisons[i]), left, right) : NULL;
	}
	return left;
}

/* ---- and, or ---- */

static struct kt_kql *conjunction(struct kt_parser *p)
{
	struct kt_kql *n = comparison(p);

	while (n && kt_kql_word(p, "and")) {
		struct kt_kql *right = comparison(p);
		n = right ? kt_kql_pair(p, KT_KQL_BINARY, KT_S("and"), n, right) : NULL;
	}
	return n;
}

static struct kt_kql *disjunction(struct kt_parser *p)
{
	struct kt_kql *n = conjunction(p);

	while (n && kt_kql_word(p, "or")) {
		struct kt_kql *right = conjunction(p);
		n = right ? kt_kql_pair(p, KT_KQL_BINARY, KT_S("or"), n, right) : NULL;
	}
	return n;
}

struct kt_kql *kt_kql_expr(struct kt_parser *p)
{
	if (p->depth >= KT_KQL_DEPTH)
		return kt_kql_fail(p, "nested too deeply");
	p->depth++;
	struct kt_kql *n = disjunction(p);
	p->depth--;
	return n;
}

struct kt_kql *kt_kql_named(struct kt_parser *p)
{
	if ((p->t->kind != KT_TOK_NAME && p->t->kind != KT_TOK_BRACKET) || !kt_tok_is(p->t + 1, "="))
		return kt_kql_expr(p);
	struct kt_kql *name = kt_kql_name(p);
	if (!name)
		return NULL;
	p->t++;
	struct kt_kql *value = kt_kql_expr(p);
	return value ? kt_kql_pair(p, KT_KQL_ASSIGN, KT_NONE, name, value) : NULL;
}
