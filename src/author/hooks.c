#include "author/author.h"

#include "base/alloc.h"
#include "kusto/fill.h"
#include "kusto/guard.h"
#include "match/literal.h"

#include "base/banned.h"

static int check_pattern(void *ctx, struct kt_str regex, struct kt_rules_pattern *out, size_t *at,
			 struct kt_err *err)
{
	struct kt_author_hooks *h = ctx;
	struct kt_pattern_info info;

	*out = (struct kt_rules_pattern){.n = 0};
	if (kt_pattern_check(regex, &info, at, err) < 0)
		return -1;
	out->nested_repeats = info.nested_repeats;
	if (!kt_literals_of(regex, h->literals))
		return 0;
	for (uint32_t i = 0; i < h->literals->n && i < KT_RULES_LITERALS; i++)
		out->literals[out->n++] = kt_literal(h->literals, i);
	out->fold = h->literals->fold;
	return 0;
}

/* A guard reads the table once; it is that of one rules folder. */
static int need_guard(struct kt_author_hooks *h, struct kt_str tsv, struct kt_err *err)
{
	if (h->guard && h->guard_text.p == tsv.p && h->guard_text.len == tsv.len)
		return 0;
	kt_guard_free(h->guard);
	h->guard_text = tsv;
	h->guard = kt_guard_new(tsv, err);
	return h->guard ? 0 : kt_err_prefix(err, "guard.tsv: ");
}

/* The command is judged with samples in place of its placeholders, so a place in it
 * is not a place in what the author wrote. */
static int judge_plan(struct kt_rules_command *c, const struct kt_guard_plan *plan, struct kt_err *err)
{
	if (plan->unknown_column.len)
		return kt_err_set(err, KT_ERR_RULES, "the command uses a column \"" KT_FMT "\" that its input does not have",
				  KT_ARG(plan->unknown_column));
	if (!plan->either && plan->endpoint != c->endpoint)
		return kt_err_set(err, KT_ERR_RULES, "the command is answered by the %s endpoint",
				  plan->endpoint == KT_INGEST ? "ingest" : "engine");
	if ((plan->kind == KT_GUARD_QUERY) != (c->kind == KT_CHECK_QUERY))
		return kt_err_set(err, KT_ERR_RULES, "this is a %s: kind: %s",
				  plan->kind == KT_GUARD_QUERY ? "query" : "management command",
				  plan->kind == KT_GUARD_QUERY ? "query" : "mgmt");
	for (size_t i = 0; i < c->n_columns; i++) {
		if (kt_guard_has_column(plan, c->columns[i]))
			continue;
		c->column = i;
		return kt_err_set(err, KT_ERR_RULES, "the result has no column \"" KT_FMT "\"", KT_ARG(c->columns[i]));
	}
	return 0;
}

static int check_command(void *ctx, struct kt_rules_command *c, struct kt_err *err)
{
	struct kt_author_hooks *h = ctx;
	struct kt_buf filled = KT_BUF(KT_GUARD_MAX_TEXT);
	struct kt_guard_plan plan = {0};
	int rc = -1;

	if (need_guard(h, c->guard, err) < 0)
		goto out;
	if (kt_fill(kt_str_trim(c->text), kt_fill_sample, NULL, &filled, err) < 0)
		goto out;
	rc = kt_guard_parse(h->guard, kt_buf_view(&filled), KT_BY_PACK, &plan, err);
	if (rc == 0)
		rc = judge_plan(c, &plan, err);
	kt_guard_plan_free(&plan);
out:
	kt_buf_free(&filled);
	return rc;
}

void kt_author_hooks_init(struct kt_author_hooks *h)
{
	*h = (struct kt_author_hooks){.hooks = {h, check_pattern, check_command}};
	h->literals = kt_alloc(sizeof *h->literals);
}

void kt_author_hooks_free(struct kt_author_hooks *h)
{
	kt_guard_free(h->guard);
	kt_free(h->literals);
	*h = (struct kt_author_hooks){.guard = NULL};
}
