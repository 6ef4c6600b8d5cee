#include "core/cond.h"

#include "base/banned.h"

enum kt_tri kt_tri_not(enum kt_tri a)
{
	return a == KT_UNKNOWN ? KT_UNKNOWN : a == KT_TRUE ? KT_FALSE : KT_TRUE;
}

enum kt_tri kt_tri_and(enum kt_tri a, enum kt_tri b)
{
	if (a == KT_FALSE || b == KT_FALSE)
		return KT_FALSE;
	return a == KT_TRUE && b == KT_TRUE ? KT_TRUE : KT_UNKNOWN;
}

enum kt_tri kt_tri_or(enum kt_tri a, enum kt_tri b)
{
	if (a == KT_TRUE || b == KT_TRUE)
		return KT_TRUE;
	return a == KT_FALSE && b == KT_FALSE ? KT_FALSE : KT_UNKNOWN;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Digits, and dots between digits only. */
static bool is_dotted(struct kt_str s)
{
	if (!s.len || !is_digit(s.p[s.len - 1]))
		return false;
	for (size_t i = 0; i < s.len; i++)
		if (!is_digit(s.p[i]) && (s.p[i] != '.' || i == 0 || s.p[i - 1] == '.'))
			return false;
	return true;
}

/* The number before the next dot, without leading zeros; empty is 0. */
static struct kt_str next_part(struct kt_str *s)
{
	struct kt_str part = KT_NONE;

	if (s->len && !kt_str_cut(s, '.', &part))
		return KT_NONE;
	while (part.len && part.p[0] == '0')
		part = kt_str_from(part, 1);
	return part;
}

static int part_cmp(struct kt_str a, struct kt_str b)
{
	if (a.len != b.len)
		return a.len < b.len ? -1 : 1;
	int c = kt_str_cmp(a, b);
	return (c > 0) - (c < 0);
}

bool kt_version_cmp(struct kt_str a, struct kt_str b, int *out)
{
	if (!is_dotted(a) || !is_dotted(b))
		return false;
	*out = 0;
	while (*out == 0 && (a.len || b.len)) {
		struct kt_str x = next_part(&a), y = next_part(&b);
		*out = part_cmp(x, y);
	}
	return true;
}

static enum kt_tri tri(bool b)
{
	return b ? KT_TRUE : KT_FALSE;
}

bool kt_version_is_span(struct kt_str v)
{
	return kt_str_find(v, KT_S(".."), 0) != KT_NPOS;
}

bool kt_version_span(struct kt_str v, struct kt_str *lo, struct kt_str *hi)
{
	size_t dots = kt_str_find(v, KT_S(".."), 0);

	*lo = *hi = v;
	if (dots != KT_NPOS) {
		*lo = kt_str_sub(v, 0, dots);
		*hi = kt_str_from(v, dots + 2);
	}
	return is_dotted(*lo) && is_dotted(*hi);
}

static enum kt_tri equal(struct kt_str v, struct kt_str want)
{
	struct kt_str lo, hi;
	int c, d;

	if (!kt_version_is_span(v))
		return tri(kt_version_cmp(v, want, &c) ? c == 0 : kt_str_eq(v, want));
	if (!kt_version_span(v, &lo, &hi) || !kt_version_cmp(lo, want, &c) || !kt_version_cmp(hi, want, &d))
		return tri(kt_str_eq(v, want));
	if (c > 0 || d < 0)
		return KT_FALSE;
	return c == 0 && d == 0 ? KT_TRUE : KT_UNKNOWN;
}

/* All of the span on one side of the bound, all on the other, or some on both. */
static enum kt_tri sides(bool lo, bool hi)
{
	return lo == hi ? tri(lo) : KT_UNKNOWN;
}

static enum kt_tri order(uint32_t op, struct kt_str v, struct kt_str want)
{
	struct kt_str lo, hi;
	int c, d;

	if (!kt_version_span(v, &lo, &hi) || !kt_version_cmp(lo, want, &c) || !kt_version_cmp(hi, want, &d))
		return KT_UNKNOWN;
	switch (op) {
	case KT_OP_LT: return sides(c < 0, d < 0);
	case KT_OP_LE: return sides(c <= 0, d <= 0);
	case KT_OP_GT: return sides(c > 0, d > 0);
	case KT_OP_GE: return sides(c >= 0, d >= 0);
	default: return KT_UNKNOWN;
	}
}

static enum kt_tri one_of(const struct kt_kb *kb, struct kt_span values, struct kt_str v)
{
	enum kt_tri any = KT_FALSE;

	for (uint32_t i = 0; i < values.n; i++)
		any = kt_tri_or(any, equal(v, kt_kb_text(kb, kb->strings[values.at + i])));
	return any;
}

/* The text operators fold ASCII case, as those of the query language do. */
static enum kt_tri compare(const struct kt_kb *kb, const struct kt_node *n, struct kt_str v)
{
	if (n->op == KT_OP_IN)
		return one_of(kb, n->values, v);
	struct kt_str want = kt_kb_text(kb, kb->strings[n->values.at]);
	switch (n->op) {
	case KT_OP_EQ: return equal(v, want);
	case KT_OP_NE: return kt_tri_not(equal(v, want));
	case KT_OP_IEQ: return tri(kt_str_ieq(v, want));
	case KT_OP_CONTAINS: return tri(kt_str_ifind(v, want, 0) != KT_NPOS);
	case KT_OP_STARTS: return tri(kt_str_ieq(kt_str_sub(v, 0, want.len), want));
	default: return order(n->op, v, want);
	}
}

/* Recursion is bounded: the parser and kt_kb_check limit a condition's size. */
enum kt_tri kt_cond_eval(const struct kt_kb *kb, uint32_t node, kt_cond_value_fn value, void *ctx)
{
	if (node == KT_NIL)
		return KT_TRUE;
	const struct kt_node *n = &kb->nodes[node];
	if (n->op == KT_OP_NOT)
		return kt_tri_not(kt_cond_eval(kb, n->left, value, ctx));
	if (n->op == KT_OP_AND || n->op == KT_OP_OR) {
		enum kt_tri a = kt_cond_eval(kb, n->left, value, ctx);
		enum kt_tri b = kt_cond_eval(kb, n->right, value, ctx);
		return n->op == KT_OP_AND ? kt_tri_and(a, b) : kt_tri_or(a, b);
	}
	struct kt_str v;
	return value(ctx, n, &v) ? compare(kb, n, v) : KT_UNKNOWN;
}

void kt_cond_walk(const struct kt_kb *kb, uint32_t node, void (*fn)(void *ctx, const struct kt_node *leaf),
		  void *ctx)
{
	if (node == KT_NIL)
		return;
	const struct kt_node *n = &kb->nodes[node];
	if (n->op > KT_OP_NOT) {
		fn(ctx, n);
		return;
	}
	kt_cond_walk(kb, n->left, fn, ctx);
	if (n->op != KT_OP_NOT)
		kt_cond_walk(kb, n->right, fn, ctx);
}
