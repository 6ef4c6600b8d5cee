#include "kusto/columns.h"

#include <string.h>

#include "base/alloc.h"

#include "base/banned.h"

/* Columns while the steps are followed. OPEN: there are others whose names are not known. */
struct set {
	struct kt_guard_column *v;
	size_t n, cap;
	bool open;
};

static struct kt_guard_column *find(const struct set *s, struct kt_str name)
{
	for (size_t i = 0; i < s->n; i++)
		if (kt_str_eq(s->v[i].name, name))
			return &s->v[i];
	return NULL;
}

static void put(struct set *s, struct kt_str name, struct kt_str type)
{
	struct kt_guard_column *c = find(s, name);

	if (c)
		c->type = type;
	else
		KT_PUSH(s->v, s->n, s->cap) = (struct kt_guard_column){name, type};
}

static struct kt_str type_in(const struct set *s, struct kt_str name)
{
	const struct kt_guard_column *c = find(s, name);

	return c ? c->type : KT_NONE;
}

static bool is_name(const struct kt_kql *n)
{
	return n->kind == KT_KQL_NAME || n->kind == KT_KQL_BRACKET;
}

static void check_name(struct kt_guard_plan *plan, const struct set *s, const struct kt_kql *n)
{
	if (s->open || plan->unknown_column.len || find(s, n->text))
		return;
	plan->unknown_column = n->text;
	plan->unknown_at = n->at;
}

/* Every name in the expression is a column. */
static void check(struct kt_guard_plan *plan, const struct set *s, const struct kt_kql *n)
{
	if (is_name(n)) {
		check_name(plan, s, n);
		return;
	}
	for (const struct kt_kql *c = n->first; c; c = c->next) {
		bool is_new = (n->kind == KT_KQL_ASSIGN || n->kind == KT_KQL_TYPED) && c == n->first;
		bool member = n->kind == KT_KQL_MEMBER && c != n->first;
		if (!is_new && !member)
			check(plan, s, c);
	}
}

static void check_list(struct kt_guard_plan *plan, const struct set *s, const struct kt_kql *n,
		       const struct kt_kql *end)
{
	for (; n && n != end; n = n->next)
		check(plan, s, n);
}

/* The name the service gives to a value without one. */
static bool own_name(struct kt_arena *a, const struct kt_kql *n, struct kt_str *name)
{
	static const struct {
		const char *fn, *prefix;
	} known[] = {{"sum", "sum_"},       {"min", "min_"},      {"max", "max_"},       {"avg", "avg_"},
		     {"dcount", "dcount_"}, {"make_set", "set_"}, {"make_list", "list_"}};

	if (n->kind != KT_KQL_CALL)
		return false;
	if (kt_str_eq_c(n->text, "count") || kt_str_eq_c(n->text, "countif")) {
		*name = kt_arena_fmt(a, KT_FMT "_", KT_ARG(n->text));
		return true;
	}
	if (!n->first || !is_name(n->first))
		return false;
	if (kt_str_eq_c(n->text, "bin")) {
		*name = n->first->text;
		return true;
	}
	for (size_t i = 0; i < KT_LEN(known); i++) {
		if (kt_str_eq_c(n->text, known[i].fn)) {
			*name = kt_arena_fmt(a, "%s" KT_FMT, known[i].prefix, KT_ARG(n->first->text));
			return true;
		}
	}
	return false;
}

/* arg_max(time, *): the arguments' own columns. */
static bool is_arg(const struct kt_kql *n)
{
	return n->kind == KT_KQL_CALL && (kt_str_eq_c(n->text, "arg_max") || kt_str_eq_c(n->text, "arg_min"));
}

static void put_args(struct set *to, const struct set *from, const struct kt_kql *call)
{
	for (const struct kt_kql *c = call->first; c; c = c->next) {
		if (is_name(c)) {
			put(to, c->text, type_in(from, c->text));
		} else if (c->kind == KT_KQL_STAR) {
			for (size_t i = 0; i < from->n; i++)
				put(to, from->v[i].name, from->v[i].type);
			to->open = to->open || from->open;
		} else {
			to->open = true;
		}
	}
}

static void put_value(struct kt_guard_plan *plan, struct set *to, const struct set *from,
		      const struct kt_kql *n)
{
	struct kt_str name;

	if (n->kind == KT_KQL_SUFFIXED)
		n = n->first;
	if (n->kind == KT_KQL_ASSIGN && is_arg(n->first->next))
		put_args(to, from, n->first->next);
	if (n->kind == KT_KQL_ASSIGN)
		put(to, n->first->text,
		    is_name(n->first->next) ? type_in(from, n->first->next->text) : KT_NONE);
	else if (is_name(n))
		put(to, n->text, type_in(from, n->text));
	else if (is_arg(n))
		put_args(to, from, n);
	else if (n->kind == KT_KQL_STAR)
		put_args(to, from, &(struct kt_kql){.first = &(struct kt_kql){.kind = KT_KQL_STAR}});
	else if (own_name(&plan->arena, n, &name))
		put(to, name, KT_NONE);
	else
		to->open = true;
}

static void put_values(struct kt_guard_plan *plan, struct set *to, const struct set *from,
		       const struct kt_kql *n, const struct kt_kql *end)
{
	for (; n && n != end; n = n->next)
		put_value(plan, to, from, n);
}

static void replace(struct set *s, struct set *take_new)
{
	kt_free(s->v);
	*s = *take_new;
}

static void drop(struct set *s, struct kt_str name)
{
	struct kt_guard_column *c = find(s, name);

	if (!c)
		return;
	s->n--;
	memmove(c, c + 1, (size_t)(s->v + s->n - c) * sizeof *c);
}

static void follow_parse(struct kt_guard_plan *plan, struct set *s, const struct kt_kql *step)
{
	check(plan, s, step->first);
	for (const struct kt_kql *c = step->first->next; c; c = c->next) {
		if (c->kind == KT_KQL_TYPED)
			put(s, c->first->text, c->text);
		else if (is_name(c))
			put(s, c->text, KT_S("string"));
	}
}

static void follow(struct kt_guard_plan *plan, struct set *s, const struct kt_kql *step)
{
	struct set next = {0};

	if (step->kind != KT_KQL_PARSE)
		check_list(plan, s, step->first, NULL);
	switch (step->kind) {
	case KT_KQL_PROJECT:
	case KT_KQL_DISTINCT:
		put_values(plan, &next, s, step->first, NULL);
		replace(s, &next);
		break;
	case KT_KQL_SUMMARIZE:
		put_values(plan, &next, s, step->by, NULL);
		put_values(plan, &next, s, step->first, step->by);
		replace(s, &next);
		break;
	case KT_KQL_PROJECT_AWAY:
		for (const struct kt_kql *c = step->first; c; c = c->next)
			drop(s, c->text);
		break;
	case KT_KQL_COUNT:
		put(&next, KT_S("Count"), KT_S("long"));
		replace(s, &next);
		break;
	case KT_KQL_EXTEND:
	case KT_KQL_MV_EXPAND: put_values(plan, s, s, step->first, NULL); break;
	case KT_KQL_PARSE: follow_parse(plan, s, step); break;
	default: break;
	}
}

void kt_columns_follow(struct kt_guard_plan *plan, const struct kt_kql *steps)
{
	struct set s = {.open = !plan->columns_known};
	struct kt_guard_column *kept;

	for (size_t i = 0; i < plan->n_columns; i++)
		put(&s, plan->columns[i].name, plan->columns[i].type);
	for (; steps; steps = steps->next)
		follow(plan, &s, steps);
	kept = kt_arena_alloc_n(&plan->arena, s.n, sizeof *kept);
	for (size_t i = 0; i < s.n; i++)
		kept[i] = s.v[i];
	plan->columns = kept;
	plan->n_columns = s.n;
	plan->columns_known = !s.open;
	kt_free(s.v);
}

/* ---- limits ---- */

static bool has_time(const struct kt_guard_plan *plan, const struct kt_kql *n)
{
	for (size_t i = 0; is_name(n) && i < plan->n_columns; i++)
		if (kt_str_eq(plan->columns[i].name, n->text) &&
		    kt_str_eq_c(plan->columns[i].type, "datetime"))
			return true;
	for (const struct kt_kql *c = n->first; c; c = c->next)
		if (has_time(plan, c))
			return true;
	return false;
}

static bool filters_time(const struct kt_guard_plan *plan, const struct kt_kql *n)
{
	static const char *const ops[] = {"<", "<=", ">", ">=", "=="};
	bool compares = n->kind == KT_KQL_BETWEEN && !kt_str_starts(n->text, KT_S("!"));

	for (size_t i = 0; n->kind == KT_KQL_BINARY && i < KT_LEN(ops); i++)
		compares = compares || kt_str_eq_c(n->text, ops[i]);
	if (compares)
		return has_time(plan, n);
	if (n->kind == KT_KQL_BINARY && kt_str_eq_c(n->text, "or"))
		return filters_time(plan, n->first) && filters_time(plan, n->first->next);
	if (n->kind == KT_KQL_BINARY && kt_str_eq_c(n->text, "and"))
		return filters_time(plan, n->first) || filters_time(plan, n->first->next);
	return n->kind == KT_KQL_PAREN && filters_time(plan, n->first);
}

bool kt_columns_limited(const struct kt_guard_plan *plan, const struct kt_kql *steps)
{
	for (; steps; steps = steps->next) {
		if (steps->kind == KT_KQL_TAKE || steps->kind == KT_KQL_TOP || steps->kind == KT_KQL_COUNT)
			return true;
		if (steps->kind == KT_KQL_SUMMARIZE && !steps->by)
			return true;
		if (steps->kind == KT_KQL_WHERE && filters_time(plan, steps->first))
			return true;
	}
	return false;
}
