#include <criterion/criterion.h>

#include <string.h>

#include "base/buf.h"
#include "core/cond.h"

/* Facts a, b, c of the tests are rows 0, 1, 2. */
static uint32_t fact_of(void *ctx, struct kt_str name)
{
	(void)ctx;
	return name.len == 1 && name.p[0] >= 'a' && name.p[0] <= 'c' ? (uint32_t)(name.p[0] - 'a') : KT_NIL;
}

static bool value_of(void *ctx, const struct kt_node *node, struct kt_str *value)
{
	const char *const *values = ctx;

	if (!values[node->fact])
		return false;
	*value = kt_str_c(values[node->fact]);
	return true;
}

static enum kt_tri eval(const char *text, const char *a, const char *b)
{
	const char *values[] = {a, b, NULL};
	struct kt_kbb *kbb = kt_kbb_new();
	struct kt_err err = {0};
	uint32_t node;
	size_t at;

	cr_assert(kt_cond_parse(kbb, kt_str_c(text), fact_of, NULL, &node, &at, &err) == 0, "%s: %s", text,
		  err.text);
	enum kt_tri r = kt_cond_eval(kt_kbb_kb(kbb), node, value_of, values);
	kt_kbb_free(kbb);
	return r;
}

Test(cond, kleene)
{
	cr_expect(eval("a == x and b == y", "x", "y") == KT_TRUE);
	cr_expect(eval("a == x and b == y", "z", NULL) == KT_FALSE);
	cr_expect(eval("a == x and b == y", "x", NULL) == KT_UNKNOWN);
	cr_expect(eval("a == x or b == y", NULL, "y") == KT_TRUE);
	cr_expect(eval("a == x or b == y", NULL, "z") == KT_UNKNOWN);
	cr_expect(eval("not a == x", NULL, NULL) == KT_UNKNOWN);
	cr_expect(eval("not not a == x", "x", NULL) == KT_TRUE);
	cr_expect(eval("not (a == x or b == y)", "q", "q") == KT_TRUE);
}

Test(cond, and_binds_closer_than_or)
{
	cr_expect(eval("a == x or b == y and b == z", "x", "q") == KT_TRUE);
	cr_expect(eval("(a == x or b == y) and b == z", "x", "q") == KT_FALSE);
	cr_expect(eval("not a == x and b == y", "x", "y") == KT_FALSE);
	cr_expect(eval("not a == x or b == y", "x", "y") == KT_TRUE);
}

Test(cond, versions)
{
	cr_expect(eval("a >= 3.9 and a < 4", "3.10.0", NULL) == KT_TRUE);
	cr_expect(eval("a == 3.1", "3.1.0", NULL) == KT_TRUE);
	cr_expect(eval("a == 03.1", "3.01.0.0", NULL) == KT_TRUE);
	cr_expect(eval("a < 18446744073709551617", "18446744073709551616", NULL) == KT_TRUE);
	cr_expect(eval("a in [2, 3.1]", "3.1.0", NULL) == KT_TRUE);
	cr_expect(eval("a in [2, 3.1]", "3.1.1", NULL) == KT_FALSE);
}

Test(cond, an_order_between_other_texts_is_unknown)
{
	cr_expect(eval("a < 6", "5.0.0-BETA-06", NULL) == KT_UNKNOWN);
	cr_expect(eval("a != 6", "5.0.0-BETA-06", NULL) == KT_TRUE);
	cr_expect(eval("a >= 1", "1.", NULL) == KT_UNKNOWN);
	cr_expect(eval("a >= 1", "", NULL) == KT_UNKNOWN);
	cr_expect(eval("not a < 6", "x", NULL) == KT_UNKNOWN);
}

Test(cond, of_a_span_the_bounds_decide_or_nothing_does)
{
	cr_expect(eval("a >= 1 and a < 3", "1..2.9", NULL) == KT_TRUE);
	cr_expect(eval("a >= 2", "1..2", NULL) == KT_UNKNOWN);
	cr_expect(eval("a > 2", "1..2", NULL) == KT_FALSE);
	cr_expect(eval("a <= 1", "1..2", NULL) == KT_UNKNOWN);
	cr_expect(eval("a < 1", "1.0..2", NULL) == KT_FALSE);
	cr_expect(eval("a == 1.5", "1..2", NULL) == KT_UNKNOWN);
	cr_expect(eval("a != 1.5", "1..2", NULL) == KT_UNKNOWN);
	cr_expect(eval("a == 3", "1..2", NULL) == KT_FALSE);
	cr_expect(eval("a != 3", "1..2", NULL) == KT_TRUE);
	cr_expect(eval("a == 2", "2..2.0", NULL) == KT_TRUE);
	cr_expect(eval("a in [3, 4]", "1..2", NULL) == KT_FALSE);
	cr_expect(eval("a in [3, 2]", "1..2", NULL) == KT_UNKNOWN);
	cr_expect(eval("a >= 1", "1..", NULL) == KT_UNKNOWN);
	cr_expect(eval("a >= 1", "..2", NULL) == KT_UNKNOWN);
	cr_expect(eval("a >= 1", "1..2..3", NULL) == KT_UNKNOWN);
}

Test(cond, quotes)
{
	cr_expect(eval("a == 'two words'", "two words", NULL) == KT_TRUE);
	cr_expect(eval("a in ['it''s', 'or', '''']", "it's", NULL) == KT_TRUE);
	cr_expect(eval("a in ['it''s', 'or', '''']", "or", NULL) == KT_TRUE);
	cr_expect(eval("a in ['it''s', 'or', '''']", "'", NULL) == KT_TRUE);
	cr_expect(eval("a==''", "", NULL) == KT_TRUE);
	cr_expect(eval("a=='x'and(b!='y')", "x", "z") == KT_TRUE);
}

Test(cond, columns)
{
	static const char *const yes[] = {"a contains OTT", "a startswith thr", "a =~ THROTTLED",
					  "a == Throttled"};
	static const char *const no[] = {"a contains x", "a startswith rot", "a =~ Thr", "a == throttled"};
	const char *values[] = {"Throttled"};

	for (size_t i = 0; i < KT_LEN(yes) + KT_LEN(no); i++) {
		bool want = i < KT_LEN(yes);
		const char *text = want ? yes[i] : no[i - KT_LEN(yes)];
		struct kt_kbb *b = kt_kbb_new();
		uint32_t node;
		size_t at;
		struct kt_err err = {0};
		cr_assert(kt_cond_parse(b, kt_str_c(text), NULL, NULL, &node, &at, &err) == 0, "%s",
			  err.text);
		const struct kt_node *n = &kt_kbb_kb(b)->nodes[node];
		cr_expect(n->fact == KT_NIL);
		struct kt_node as_fact = *n;
		as_fact.fact = 0;
		*kt_kbb_at_nodes(b, node) = as_fact; /* so that value_of finds it */
		cr_expect(kt_cond_eval(kt_kbb_kb(b), node, value_of, values) == (want ? KT_TRUE : KT_FALSE),
			  "%s", text);
		kt_kbb_free(b);
	}
}

Test(cond, errors_name_the_place)
{
	static const struct {
		const char *text;
		size_t at;
		const char *says;
	} bad[] = {
		{"", 0, "a name is missing"},
		{"d == x", 0, "no fact \"d\""},
		{"a x", 2, "an operator is missing"},
		{"a == ", 5, "a value is missing"},
		{"a == 'x", 5, "not closed"},
		{"a == x b == y", 7, "\"and\" or \"or\" is missing"},
		{"(a == x", 7, "\")\" is missing"},
		{"a in x", 5, "a list is missing"},
		{"a in [x", 7, "\"]\" is missing"},
		{"a in []", 6, "a value is missing"},
		{"a == x and or", 11, "a name is missing"},
		{"a =~ x", 2, "columns"},
		{"a = x", 2, "an operator is missing"},
		{"a == x)", 6, "\"and\" or \"or\" is missing"},
		{"a == it's", 7, ""},
	};

	for (size_t i = 0; i < KT_LEN(bad); i++) {
		struct kt_kbb *b = kt_kbb_new();
		struct kt_err err = {0};
		uint32_t node;
		size_t at = 99;
		cr_expect(kt_cond_parse(b, kt_str_c(bad[i].text), fact_of, NULL, &node, &at, &err) == -1,
			  "%s", bad[i].text);
		cr_expect(err.cls == KT_ERR_RULES);
		cr_expect(at == bad[i].at, "%s: at %zu: %s", bad[i].text, at, err.text);
		cr_expect(strstr(err.text, bad[i].says) != NULL, "%s: %s", bad[i].text, err.text);
		kt_kbb_free(b);
	}
}

static int parse_buf(struct kt_buf *text, struct kt_err *err)
{
	struct kt_kbb *b = kt_kbb_new();
	uint32_t node;
	size_t at;
	int rc = kt_cond_parse(b, kt_buf_view(text), fact_of, NULL, &node, &at, err);

	kt_kbb_free(b);
	kt_buf_free(text);
	return rc;
}

Test(cond, depth_and_length_are_bounded)
{
	struct kt_buf deep = KT_BUF(1u << 20), longer = KT_BUF(1u << 20), nots = KT_BUF(1u << 20);
	struct kt_err err = {0};

	for (int i = 0; i < 100000; i++) {
		kt_buf_char(&deep, '(');
		kt_buf_str(&nots, "not ");
		kt_buf_str(&longer, "a == x or ");
	}
	cr_expect(parse_buf(&deep, &err) == -1 && err.cls == KT_ERR_LIMIT);
	kt_err_clear(&err);
	cr_expect(parse_buf(&nots, &err) == -1 && err.cls == KT_ERR_LIMIT);
	kt_err_clear(&err);
	cr_expect(parse_buf(&longer, &err) == -1 && err.cls == KT_ERR_LIMIT);
}

static void count_leaf(void *ctx, const struct kt_node *leaf)
{
	cr_expect(leaf->op > KT_OP_NOT);
	++*(int *)ctx;
}

Test(cond, walk_visits_every_comparison)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_err err = {0};
	uint32_t node;
	size_t at;
	int n = 0;

	cr_assert(kt_cond_parse(b, KT_S("not (a == x or b == y) and a in [1, 2]"), fact_of, NULL, &node, &at,
				&err) == 0);
	kt_cond_walk(kt_kbb_kb(b), node, count_leaf, &n);
	cr_expect(n == 3);
	kt_cond_walk(kt_kbb_kb(b), KT_NIL, count_leaf, &n);
	cr_expect(n == 3);
	cr_expect(kt_cond_eval(kt_kbb_kb(b), KT_NIL, value_of, NULL) == KT_TRUE);
	kt_kbb_free(b);
}
