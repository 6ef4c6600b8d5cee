#include "author/author.h"

#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "kusto/fill.h"
#include "kusto/guard.h"
#include "match/literal.h"

#include "base/banned.h"

/* A cover without some of its texts would lose hits. */
_Static_assert(KT_LITERALS_MAX <= KT_RULES_LITERALS, "room for every text of a cover");

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
	for (uint32_t i = 0; i < h->literals->n; i++)
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

/* Bytes that the placeholder TMPL[i…] was filled with. */
static size_t filled_len(struct kt_str placeholder)
{
	struct kt_buf one = KT_BUF(KT_BUF_NAME);
	struct kt_err err = {0};
	size_t n = kt_fill(placeholder, kt_fill_sample, NULL, &one, &err) == 0 ? one.len : placeholder.len;

	kt_buf_free(&one);
	return n;
}

/* The byte of the template that stands for byte AT of what it was filled to. */
static size_t in_template(struct kt_str tmpl, size_t at)
{
	size_t i = 0, filled = 0;

	while (i < tmpl.len && filled < at) {
		size_t end = tmpl.p[i] == '{' ? kt_str_chr(tmpl, '}', i) : KT_NPOS;
		size_t n = end == KT_NPOS ? 1 : filled_len(kt_str_sub(tmpl, i, end + 1 - i));
		if (end != KT_NPOS && at < filled + n)
			return i;
		filled += n;
		i = end == KT_NPOS ? i + 1 : end + 1;
	}
	return i;
}

/* Takes "WORD 12" and the sign behind it off the front. */
static bool take_number(struct kt_str *s, struct kt_str word, uint64_t *n)
{
	size_t end = word.len;

	if (!kt_str_starts(*s, word))
		return false;
	while (end < s->len && s->p[end] >= '0' && s->p[end] <= '9')
		end++;
	if (!kt_str_uint(kt_str_sub(*s, word.len, end - word.len), KT_GUARD_MAX_TEXT, n))
		return false;
	*s = kt_str_from(*s, end + 2); /* ", " or ": " */
	return true;
}

/* Takes "line 2, column 7: " off an error; returns the byte of TEXT that it means, or
 * KT_NPOS when there is none. */
static size_t take_place(struct kt_err *err, struct kt_str text)
{
	struct kt_str said = kt_str_c(err->text);
	uint64_t line = 1, column = 1;
	size_t at = 0;

	if (!take_number(&said, KT_S("line "), &line))
		line = 1;
	if (!take_number(&said, KT_S("column "), &column))
		return KT_NPOS;
	memmove(err->text, said.p, said.len + 1);
	while (--line > 0 && (at = kt_str_chr(text, '\n', at)) != KT_NPOS)
		at++;
	for (uint32_t c; at < text.len && --column > 0;)
		at += kt_utf8_next(text, at, &c);
	return at;
}

static int judge_columns(struct kt_rules_command *c, const struct kt_guard_plan *plan, struct kt_str tmpl,
			 struct kt_err *err)
{
	if (plan->unknown_column.len) {
		c->at = in_template(tmpl, plan->unknown_at);
		return kt_err_set(err, KT_ERR_RULES,
				  "the command uses a column \"" KT_FMT "\" that its input does not have",
				  KT_ARG(plan->unknown_column));
	}
	for (size_t i = 0; i < c->n_columns; i++) {
		if (kt_guard_has_column(plan, c->columns[i]))
			continue;
		c->column = i;
		return kt_err_set(err, KT_ERR_RULES, "the result has no column \"" KT_FMT "\"",
				  KT_ARG(c->columns[i]));
	}
	return 0;
}

static int judge_plan(struct kt_rules_command *c, const struct kt_guard_plan *plan, struct kt_str tmpl,
		      struct kt_err *err)
{
	if (!plan->either && plan->endpoint != c->endpoint)
		return kt_err_set(err, KT_ERR_RULES, "the command is answered by the %s endpoint",
				  plan->endpoint == KT_INGEST ? "ingest" : "engine");
	if ((plan->kind == KT_GUARD_QUERY) != (c->kind == KT_CHECK_QUERY))
		return kt_err_set(err, KT_ERR_RULES, "this is a %s: kind: %s",
				  plan->kind == KT_GUARD_QUERY ? "query" : "management command",
				  plan->kind == KT_GUARD_QUERY ? "query" : "mgmt");
	return judge_columns(c, plan, tmpl, err);
}

/* The command is judged with samples in place of its placeholders; places are those
 * of what the author wrote. */
static int check_command(void *ctx, struct kt_rules_command *c, struct kt_err *err)
{
	struct kt_author_hooks *h = ctx;
	struct kt_buf filled = KT_BUF(KT_GUARD_MAX_TEXT);
	struct kt_guard_plan plan = {0};
	struct kt_str tmpl = kt_str_trim(c->text);
	int rc = -1;

	if (need_guard(h, c->guard, err) < 0 || kt_fill(tmpl, kt_fill_sample, NULL, &filled, err) < 0)
		goto out;
	rc = kt_guard_parse(h->guard, kt_buf_view(&filled), KT_BY_PACK, &plan, err);
	if (rc == 0) {
		rc = judge_plan(c, &plan, tmpl, err);
	} else {
		size_t at = take_place(err, kt_buf_view(&filled));
		c->at = at == KT_NPOS ? KT_NPOS : in_template(tmpl, at);
	}
out:
	if (c->at != KT_NPOS)
		c->at += (size_t)(tmpl.p - c->text.p);
	kt_guard_plan_free(&plan);
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

int kt_author_hooked(const struct kt_author_opts *o, kt_author_work work, struct kt_buf *out,
		     struct kt_err *err)
{
	struct kt_author_hooks own;

	if (o->hooks)
		return work(o, o->hooks, out, err);
	kt_author_hooks_init(&own);
	int rc = work(o, &own.hooks, out, err);
	kt_author_hooks_free(&own);
	return rc;
}
