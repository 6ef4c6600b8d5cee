/* What the patterns cost, for --trace match. */
#include "report/words.h"

#include "term/table.h"

#include "base/banned.h"

#define REGEX_MAX 60u /* bytes of a pattern that are shown */
#define TEXTS_MAX 3u  /* texts of its cover */

static void number(struct kt_table *t, uint64_t n)
{
	struct kt_buf b = KT_BUF(32);

	kt_add_thousands(&b, n);
	kt_table_cell(t, kt_buf_view(&b));
	kt_buf_free(&b);
}

static void milliseconds(struct kt_table *t, uint64_t ns)
{
	struct kt_buf b = KT_BUF(32);

	kt_buf_fixed(&b, (int64_t)(ns / 1000), 3);
	kt_table_cell(t, kt_buf_view(&b));
	kt_buf_free(&b);
}

/* One of the texts stands in whatever the pattern matches. */
static void cover(struct kt_table *t, const struct kt_kb *kb, const struct kt_pattern *p)
{
	struct kt_buf b = KT_BUF(KT_BUF_NAME);

	for (uint32_t i = 0; i < p->literals.n && i < TEXTS_MAX; i++)
		kt_buf_fmt(&b, "%s" KT_FMT, i ? " | " : "",
			   KT_ARG(kt_kb_text(kb, kb->strings[p->literals.at + i])));
	if (p->literals.n > TEXTS_MAX)
		kt_buf_fmt(&b, " | %u more", p->literals.n - TEXTS_MAX);
	kt_table_cell(t, p->literals.n ? kt_buf_view(&b) : KT_S("(every record)"));
	kt_buf_free(&b);
}

static void row(struct kt_table *t, const struct kt_pattern_cost *c)
{
	milliseconds(t, c->ns);
	number(t, c->candidates);
	number(t, c->hits);
	number(t, c->runs);
	number(t, c->limits);
}

static void pattern_row(struct kt_table *t, const struct kt_kb *kb, const struct kt_pattern_cost *c)
{
	const struct kt_pattern *p = &kb->patterns[c->pattern];
	struct kt_str regex = kt_kb_text(kb, p->text);
	struct kt_buf b = KT_BUF(KT_BUF_NAME);

	kt_pad(&b, regex, kt_width(regex) < REGEX_MAX ? kt_width(regex) : REGEX_MAX);
	row(t, c);
	kt_table_cell(t, kt_buf_view(&b));
	cover(t, kb, p);
	kt_buf_free(&b);
}

static void totals(const struct kt_report *r, const struct kt_scan_cost *all)
{
	struct kt_buf b = KT_BUF(KT_BUF_NAME);

	kt_add_thousands(&b, all->records);
	kt_buf_fmt(&b, " record%s judged, ", kt_plural(all->records));
	kt_add_thousands(&b, all->bytes);
	kt_buf_fmt(&b, " byte%s; %u pattern%s compiled, %u of them to machine code", kt_plural(all->bytes),
		   all->compiled, kt_plural(all->compiled), all->jitted);
	kt_line(r, KT_PAINT_PLAIN, KT_FMT, KT_ARG(kt_buf_view(&b)));
	kt_buf_free(&b);
}

void kt_report_patterns(const struct kt_report *r)
{
	static const char *const numbers[] = {"ms", "candidates", "hits", "runs", "limits"};
	const struct kt_kb *kb = kt_session_kb(r->session);
	struct kt_scan_cost all;
	struct kt_table t;
	size_t n;
	const struct kt_pattern_cost *list = kt_session_patterns(r->session, &all, &n);

	kt_table_init(&t);
	for (size_t i = 0; i < KT_LEN(numbers); i++)
		kt_table_column(&t, kt_str_c(numbers[i]), true);
	kt_table_column(&t, KT_S("pattern"), false);
	kt_table_column(&t, KT_S("cover"), false);
	for (size_t i = 0; i < n; i++)
		pattern_row(&t, kb, &list[i]);
	row(&t, &all.sum);
	kt_table_cell_c(&t, "all");
	kt_table_render(&t, r->style, 0, r->out);
	totals(r, &all);
	kt_table_free(&t);
}
