/* Conditions as text → nodes. */
#include "base/alloc.h"
#include "base/arena.h"
#include "core/cond.h"

#include "base/banned.h"

#define PARSE_MAX 200 /* brackets, operators and comparisons of one text */

enum token { T_END, T_WORD, T_QUOTED, T_OP, T_OPEN, T_CLOSE, T_LIST, T_LIST_END, T_COMMA, T_BAD };

struct parser {
	struct kt_kbb *b;
	struct kt_str text;
	size_t at;    /* behind the token */
	size_t start; /* of the token */
	enum token tok;
	struct kt_str word;    /* the token's bytes; of a quoted one those between the quotes */
	uint32_t op;           /* T_OP: enum kt_op */
	struct kt_arena arena; /* texts without their doubled quotes */
	unsigned steps;
	kt_cond_name_fn fact_of;
	void *ctx;
	struct kt_err *err;
};

static int fail(struct parser *p, const char *what)
{
	return kt_err_set(p->err, KT_ERR_RULES, "%s", what);
}

static const struct {
	const char *text;
	uint32_t op;
} symbols[] =
	{
		/* the longer one first */
		{"==", KT_OP_EQ},  {"!=", KT_OP_NE}, {"<=", KT_OP_LE}, {">=", KT_OP_GE},
		{"=~", KT_OP_IEQ}, {"<", KT_OP_LT},  {">", KT_OP_GT},
},
  words[] = {
	  {"in", KT_OP_IN},
	  {"contains", KT_OP_CONTAINS},
	  {"startswith", KT_OP_STARTS},
};

static bool ends_word(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == '(' || c == ')' || c == '[' || c == ']' ||
	       c == ',' || c == '=' || c == '!' || c == '<' || c == '>' || c == '\'';
}

static bool take_symbol(struct parser *p)
{
	for (size_t i = 0; i < KT_LEN(symbols); i++) {
		struct kt_str s = kt_str_c(symbols[i].text);
		if (!kt_str_starts(kt_str_from(p->text, p->at), s))
			continue;
		p->tok = T_OP;
		p->op = symbols[i].op;
		p->at += s.len;
		return true;
	}
	return false;
}

static enum token bracket(char c)
{
	switch (c) {
	case '(': return T_OPEN;
	case ')': return T_CLOSE;
	case '[': return T_LIST;
	case ']': return T_LIST_END;
	case ',': return T_COMMA;
	default: return T_BAD;
	}
}

/* To the quote that is no doubled one. */
static void take_quoted(struct parser *p)
{
	size_t end = p->at + 1;

	for (;; end += 2) {
		end = kt_str_chr(p->text, '\'', end);
		if (end == KT_NPOS) {
			p->tok = T_BAD;
			return;
		}
		if (end + 1 >= p->text.len || p->text.p[end + 1] != '\'')
			break;
	}
	p->tok = T_QUOTED;
	p->word = kt_str_sub(p->text, p->at + 1, end - p->at - 1);
	p->at = end + 1;
}

static void take_word(struct parser *p)
{
	size_t end = p->at;

	while (end < p->text.len && !ends_word(p->text.p[end]))
		end++;
	p->tok = T_WORD;
	p->word = kt_str_sub(p->text, p->at, end - p->at);
	p->at = end;
	for (size_t i = 0; i < KT_LEN(words); i++)
		if (kt_str_eq_c(p->word, words[i].text)) {
			p->tok = T_OP;
			p->op = words[i].op;
		}
}

static void advance(struct parser *p)
{
	while (p->at < p->text.len && kt_str_trim(kt_str_sub(p->text, p->at, 1)).len == 0)
		p->at++;
	p->start = p->at;
	p->word = KT_NONE;
	if (p->at >= p->text.len) {
		p->tok = T_END;
		return;
	}
	char c = p->text.p[p->at];
	if (c == '\'') {
		take_quoted(p);
		return;
	}
	if (take_symbol(p))
		return;
	p->tok = bracket(c);
	if (p->tok != T_BAD)
		p->at++;
	else if (!ends_word(c))
		take_word(p);
}

static bool is_keyword(const struct parser *p, const char *word)
{
	return p->tok == T_WORD && kt_str_eq_c(p->word, word);
}

static bool is_plain(const struct parser *p)
{
	return p->tok == T_WORD && !is_keyword(p, "and") && !is_keyword(p, "or") && !is_keyword(p, "not");
}

static int step(struct parser *p)
{
	if (++p->steps > PARSE_MAX)
		return kt_err_set(p->err, KT_ERR_LIMIT, "a condition of more than %d parts", PARSE_MAX);
	return 0;
}

static int parse_or(struct parser *p, uint32_t *node);

static uint32_t branch(struct parser *p, uint32_t op, uint32_t left, uint32_t right)
{
	struct kt_node n = {.op = op, .left = left, .right = right, .fact = KT_NIL};

	return kt_kbb_node(p->b, &n);
}

struct values {
	struct kt_str *p;
	size_t n, cap;
};

/* '' inside quotes stands for one quote. */
static struct kt_str unquote(struct parser *p)
{
	if (p->tok != T_QUOTED || kt_str_chr(p->word, '\'', 0) == KT_NPOS)
		return p->word;
	char *out = kt_arena_alloc(&p->arena, p->word.len);
	size_t n = 0;
	for (size_t i = 0; i < p->word.len; i++) {
		out[n++] = p->word.p[i];
		if (p->word.p[i] == '\'')
			i++;
	}
	return (struct kt_str){out, n};
}

static int take_value(struct parser *p, struct values *v)
{
	if (p->tok == T_BAD)
		return fail(p, "a quote that is not closed");
	if (!is_plain(p) && p->tok != T_QUOTED)
		return fail(p, "a value is missing: a word, or text in single quotes");
	if (step(p) < 0)
		return -1;
	struct kt_str s = unquote(p);
	KT_PUSH(v->p, v->n, v->cap) = s;
	advance(p);
	return 0;
}

static int take_list(struct parser *p, struct values *v)
{
	if (p->tok != T_LIST)
		return fail(p, "behind \"in\" a list is missing: [a, b]");
	do {
		advance(p);
		if (take_value(p, v) < 0)
			return -1;
	} while (p->tok == T_COMMA);
	if (p->tok != T_LIST_END)
		return fail(p, "the list is not closed: \"]\" is missing");
	advance(p);
	return 0;
}

/* Names the fact or column of a leaf. */
static int take_name(struct parser *p, struct kt_node *n)
{
	if (!is_plain(p))
		return fail(p, p->tok == T_BAD ? "a character that starts nothing" : "a name is missing");
	n->fact = KT_NIL;
	if (p->fact_of) {
		n->fact = p->fact_of(p->ctx, p->word);
		if (n->fact == KT_NIL)
			return kt_err_set(p->err, KT_ERR_RULES, "no fact \"" KT_FMT "\"", KT_ARG(p->word));
	}
	n->name = kt_kbb_text(p->b, p->word);
	advance(p);
	return 0;
}

static int take_op(struct parser *p, struct kt_node *n)
{
	if (p->tok != T_OP)
		return fail(p, p->fact_of
				       ? "an operator is missing: == != < <= > >= in"
				       : "an operator is missing: == != < <= > >= in =~ contains startswith");
	if (p->fact_of && p->op >= KT_OP_IEQ)
		return fail(p, "this operator is for columns of a result only");
	n->op = p->op;
	advance(p);
	return 0;
}

static int parse_leaf(struct parser *p, uint32_t *node)
{
	struct kt_node n = {.left = KT_NIL, .right = KT_NIL};
	struct values v = {0};
	int rc = -1;

	if (take_name(p, &n) < 0 || take_op(p, &n) < 0)
		goto out;
	if ((n.op == KT_OP_IN ? take_list(p, &v) : take_value(p, &v)) < 0)
		goto out;
	n.values = kt_kbb_strings(p->b, v.p, v.n);
	*node = kt_kbb_node(p->b, &n);
	rc = 0;
out:
	kt_free(v.p);
	return rc;
}

static int parse_factor(struct parser *p, uint32_t *node)
{
	if (step(p) < 0)
		return -1;
	if (is_keyword(p, "not")) {
		advance(p);
		if (parse_factor(p, node) < 0)
			return -1;
		*node = branch(p, KT_OP_NOT, *node, KT_NIL);
		return 0;
	}
	if (p->tok != T_OPEN)
		return parse_leaf(p, node);
	advance(p);
	if (parse_or(p, node) < 0)
		return -1;
	if (p->tok != T_CLOSE)
		return fail(p, "a bracket is not closed: \")\" is missing");
	advance(p);
	return 0;
}

static int parse_and(struct parser *p, uint32_t *node)
{
	if (parse_factor(p, node) < 0)
		return -1;
	while (is_keyword(p, "and")) {
		uint32_t right;
		advance(p);
		if (parse_factor(p, &right) < 0)
			return -1;
		*node = branch(p, KT_OP_AND, *node, right);
	}
	return 0;
}

static int parse_or(struct parser *p, uint32_t *node)
{
	if (parse_and(p, node) < 0)
		return -1;
	while (is_keyword(p, "or")) {
		uint32_t right;
		advance(p);
		if (parse_and(p, &right) < 0)
			return -1;
		*node = branch(p, KT_OP_OR, *node, right);
	}
	return 0;
}

int kt_cond_parse(struct kt_kbb *b, struct kt_str text, kt_cond_name_fn fact_of, void *ctx, uint32_t *node,
		  size_t *at, struct kt_err *err)
{
	struct parser p = {.b = b, .text = text, .fact_of = fact_of, .ctx = ctx, .err = err};

	advance(&p);
	int rc = parse_or(&p, node);
	if (rc == 0 && p.tok != T_END)
		rc = fail(&p, p.tok == T_BAD ? "a quote or character that ends nothing"
					     : "\"and\" or \"or\" is missing");
	if (rc < 0)
		*at = p.start;
	kt_arena_free(&p.arena);
	return rc;
}
