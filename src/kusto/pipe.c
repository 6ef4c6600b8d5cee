/* Operators behind `|`; see tree.h. */
#include "kusto/tree.h"

#include "base/banned.h"

typedef struct kt_kql *parse_op(struct kt_parser *p, struct kt_kql *n);

/* One or more of ITEM with commas between. */
static struct kt_kql *list(struct kt_parser *p, struct kt_kql *n, struct kt_kql *(*item)(struct kt_parser *))
{
	do {
		struct kt_kql *v = item(p);
		if (!v)
			return NULL;
		kt_kql_add(n, v);
	} while (kt_kql_mark(p, ","));
	return n;
}

static struct kt_kql *op_where(struct kt_parser *p, struct kt_kql *n)
{
	n->first = kt_kql_expr(p);
	return n->first ? n : NULL;
}

static struct kt_kql *op_named(struct kt_parser *p, struct kt_kql *n)
{
	return list(p, n, kt_kql_named);
}

static struct kt_kql *op_names(struct kt_parser *p, struct kt_kql *n)
{
	return list(p, n, kt_kql_name);
}

static struct kt_kql *op_distinct(struct kt_parser *p, struct kt_kql *n)
{
	if (!kt_tok_is(p->t, "*"))
		return list(p, n, kt_kql_expr);
	kt_kql_add(n, kt_kql_new(p, KT_KQL_STAR, KT_NONE));
	p->t++;
	return n;
}

static struct kt_kql *op_summarize(struct kt_parser *p, struct kt_kql *n)
{
	struct kt_kql groups = {.kind = KT_KQL_SUMMARIZE};
	bool bare = kt_kql_word(p, "by");

	if (!bare) {
		p->aggregates = true;
		n = list(p, n, kt_kql_named);
		p->aggregates = false;
		if (!n || !kt_kql_word(p, "by"))
			return n;
	}
	if (!list(p, &groups, kt_kql_named))
		return NULL;
	n->by = groups.first;
	kt_kql_add(n, groups.first);
	return n;
}

static bool number(struct kt_parser *p, struct kt_str *out)
{
	uint64_t v;

	if (p->t->kind != KT_TOK_INT || !kt_str_uint(p->t->text, INT32_MAX, &v))
		return false;
	*out = p->t->text;
	p->t++;
	return true;
}

static struct kt_kql *op_take(struct kt_parser *p, struct kt_kql *n)
{
	return number(p, &n->text) ? n : kt_kql_expected(p, "a number of rows");
}

static struct kt_kql *op_count(struct kt_parser *p, struct kt_kql *n)
{
	(void)p;
	return n;
}

/* expression [asc|desc] [nulls first|last] */
static struct kt_kql *sorted(struct kt_parser *p)
{
	struct kt_kql *v = kt_kql_expr(p);
	struct kt_buf b = KT_BUF(64);
	struct kt_kql *n = v;

	if (!v)
		return NULL;
	if (kt_kql_word(p, "asc"))
		kt_buf_str(&b, "asc");
	else if (kt_kql_word(p, "desc"))
		kt_buf_str(&b, "desc");
	if (kt_kql_word(p, "nulls")) {
		bool first = kt_kql_word(p, "first");
		if (!first && !kt_kql_word(p, "last")) {
			kt_buf_free(&b);
			return kt_kql_expected(p, "'first' or 'last'");
		}
		kt_buf_fmt(&b, "%snulls %s", b.len ? " " : "", first ? "first" : "last");
	}
	if (b.len) {
		n = kt_kql_new(p, KT_KQL_SUFFIXED, kt_arena_str(p->a, kt_buf_view(&b)));
		n->first = v;
	}
	kt_buf_free(&b);
	return n;
}

static struct kt_kql *op_top(struct kt_parser *p, struct kt_kql *n)
{
	if (!number(p, &n->text))
		return kt_kql_expected(p, "a number of rows");
	if (!kt_kql_word(p, "by"))
		return kt_kql_expected(p, "'by'");
	return list(p, n, sorted);
}

static struct kt_kql *op_sort(struct kt_parser *p, struct kt_kql *n)
{
	if (!kt_kql_word(p, "by"))
		return kt_kql_expected(p, "'by'");
	return list(p, n, sorted);
}

/* [name =] expression [to typeof(type)] */
static struct kt_kql *expanded(struct kt_parser *p)
{
	struct kt_kql *v = kt_kql_named(p), *n;

	if (!v || !kt_kql_word(p, "to"))
		return v;
	if (!kt_kql_word(p, "typeof") || !kt_kql_mark(p, "(") || !kt_kql_is_type(p->t->text))
		return kt_kql_expected(p, "typeof(type)");
	n = kt_kql_new(p, KT_KQL_SUFFIXED, kt_arena_fmt(p->a, "to typeof(" KT_FMT ")", KT_ARG(p->t->text)));
	p->t++;
	n->first = v;
	return kt_kql_mark(p, ")") ? n : kt_kql_expected(p, "')'");
}

static struct kt_kql *op_mv_expand(struct kt_parser *p, struct kt_kql *n)
{
	if (!list(p, n, expanded))
		return NULL;
	if (kt_kql_word(p, "limit") && !number(p, &n->text))
		return kt_kql_expected(p, "a number of rows");
	return n;
}

static struct kt_kql *parse_part(struct kt_parser *p)
{
	struct kt_kql *name, *n;

	if (kt_tok_is(p->t, "*") || p->t->kind == KT_TOK_STRING) {
		n = kt_kql_new(p, p->t->kind == KT_TOK_STRING ? KT_KQL_STRING : KT_KQL_STAR, p->t->text);
		p->t++;
		return n;
	}
	name = kt_kql_name(p);
	if (!name || !kt_kql_mark(p, ":"))
		return name;
	if (!kt_kql_is_type(p->t->text))
		return kt_kql_expected(p, "a type");
	n = kt_kql_new(p, KT_KQL_TYPED, p->t->text);
	n->first = name;
	p->t++;
	return n;
}

static struct kt_kql *op_parse(struct kt_parser *p, struct kt_kql *n)
{
	if (p->t->kind == KT_TOK_NAME && kt_str_eq_c(p->t->text, "kind") && kt_tok_is(p->t + 1, "=")) {
		static const char *const kinds[] = {"simple", "regex", "relaxed"};
		p->t += 2;
		for (size_t i = 0; i < KT_LEN(kinds) && !n->text.len; i++)
			if (kt_kql_word(p, kinds[i]))
				n->text = kt_str_c(kinds[i]);
		if (!n->text.len)
			return kt_kql_expected(p, "simple, regex or relaxed");
	}
	n->first = kt_kql_expr(p);
	if (!n->first)
		return NULL;
	if (!kt_kql_word(p, "with"))
		return kt_kql_expected(p, "'with'");
	do {
		struct kt_kql *part = parse_part(p);
		if (!part)
			return NULL;
		kt_kql_add(n, part);
	} while (p->t->kind != KT_TOK_END && !kt_tok_is(p->t, "|"));
	return n;
}

static const struct {
	const char *word;
	enum kt_kql_kind kind;
	parse_op *parse;
} ops[] = {
	{"where", KT_KQL_WHERE, op_where},
	{"filter", KT_KQL_WHERE, op_where},
	{"project", KT_KQL_PROJECT, op_named},
	{"project-away", KT_KQL_PROJECT_AWAY, op_names},
	{"extend", KT_KQL_EXTEND, op_named},
	{"summarize", KT_KQL_SUMMARIZE, op_summarize},
	{"top", KT_KQL_TOP, op_top},
	{"take", KT_KQL_TAKE, op_take},
	{"limit", KT_KQL_TAKE, op_take},
	{"sort", KT_KQL_SORT, op_sort},
	{"order", KT_KQL_SORT, op_sort},
	{"count", KT_KQL_COUNT, op_count},
	{"distinct", KT_KQL_DISTINCT, op_distinct},
	{"mv-expand", KT_KQL_MV_EXPAND, op_mv_expand},
	{"mvexpand", KT_KQL_MV_EXPAND, op_mv_expand},
	{"parse", KT_KQL_PARSE, op_parse},
};

/* Why the operators that people try most are on no list. */
static const struct {
	const char *word, *why;
} reasons[] = {
	{"invoke", "it calls a stored function, which may do anything"},
	{"evaluate", "it runs a plugin, which may call out"},
	{"externaldata", "it reads from outside the cluster"},
	{"join", "it reads a second table"},
	{"lookup", "it reads a second table"},
	{"union", "it reads a second table"},
	{"fork", "it gives more than one result"},
	{"facet", "it gives more than one result"},
	{"render", "there is nothing to draw on"},
	{"as", "it names the result for a second statement"},
	{"consume", "it throws the rows away"},
};

/* The operator's word, a dash included: project-away. */
static struct kt_str op_word(const struct kt_parser *p)
{
	const struct kt_token *t = p->t;
	size_t end = t->end;

	while (kt_tok_is(t + 1, "-") && (t + 1)->at == end && (t + 2)->kind == KT_TOK_NAME &&
	       (t + 2)->at == (t + 1)->end) {
		t += 2;
		end = t->end;
	}
	return kt_str_sub(p->text, p->t->at, end - p->t->at);
}

static struct kt_kql *unknown_op(struct kt_parser *p, struct kt_str word)
{
	struct kt_str words[KT_LEN(ops)];

	if (p->t->kind != KT_TOK_NAME)
		return kt_kql_expected(p, "an operator");
	for (size_t i = 0; i < KT_LEN(reasons); i++)
		if (kt_str_eq_c(word, reasons[i].word))
			return kt_kql_fail(p, "operator '%s' is refused: %s", reasons[i].word,
					   reasons[i].why);
	for (size_t i = 0; i < KT_LEN(ops); i++)
		words[i] = kt_str_c(ops[i].word);
	struct kt_str near = kt_str_nearest(word, words, KT_LEN(ops));
	return kt_kql_fail(
		p,
		"operator '" KT_FMT "' is not accepted; " KT_FMT
		"where, project, project-away, extend, summarize, top, take, sort, order, "
		"count, distinct, mv-expand and parse are",
		KT_ARG(kt_str_sub(word, 0, 40)),
		KT_ARG(near.len ? kt_arena_fmt(p->a, "did you mean '" KT_FMT "'? ", KT_ARG(near)) : KT_NONE));
}

static struct kt_kql *step(struct kt_parser *p)
{
	struct kt_str word = op_word(p);

	for (size_t i = 0; p->t->kind == KT_TOK_NAME && i < KT_LEN(ops); i++) {
		if (!kt_str_eq_c(word, ops[i].word))
			continue;
		struct kt_kql *n = kt_kql_new(p, ops[i].kind, KT_NONE);
		size_t end = p->t->at + word.len;
		while (p->t->at < end && p->t->kind != KT_TOK_END)
			p->t++;
		return ops[i].parse(p, n);
	}
	return unknown_op(p, word);
}

int kt_kql_pipeline(struct kt_parser *p, struct kt_kql **out)
{
	struct kt_kql **last = out;

	*out = NULL;
	while (kt_kql_mark(p, "|")) {
		*last = step(p);
		if (!*last)
			return -1;
		last = &(*last)->next;
	}
	if (p->t->kind != KT_TOK_END) {
		kt_kql_expected(p, "'|' or the end");
		return -1;
	}
	return 0;
}
