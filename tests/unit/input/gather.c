#include "gather.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/file.h"

struct kt_headers *gather_headers(void)
{
	const char *source = getenv("KTRIAGE_SOURCE");
	struct kt_buf path = KT_BUF(4096), text = KT_BUF(1 << 20);
	struct kt_err err = {0};

	kt_buf_fmt(&path, "%s/rules/headers.tsv", source ? source : ".");
	cr_assert(kt_file_read(kt_buf_c(&path), &text, &err) == 0, "%s", err.text);
	struct kt_headers *h = kt_headers_parse(kt_buf_view(&text), &err);
	cr_assert(h != NULL, "%s", err.text);
	kt_buf_free(&path);
	kt_buf_free(&text);
	return h;
}

void gather_init(struct gather *g)
{
	*g = (struct gather){.headers = gather_headers(),
			     .out = KT_BUF(1u << 28),
			     .texts = KT_BUF(1u << 28),
			     .counts = KT_BUF(4096)};
	g->in = KT_INPUTS(g->headers);
}

void gather_free(struct gather *g)
{
	kt_inputs_free(&g->in);
	kt_headers_free(g->headers);
	kt_buf_free(&g->out);
	kt_buf_free(&g->texts);
	kt_buf_free(&g->counts);
}

int gather_record(void *ctx_gather, const struct kt_record *r)
{
	struct gather *g = ctx_gather;

	kt_buf_fmt(&g->out, "%llu+%llu " KT_FMT "|" KT_FMT "|" KT_FMT "|" KT_FMT "|" KT_FMT "|" KT_FMT "\n",
		   (unsigned long long)r->line, (unsigned long long)r->lines, KT_ARG(r->header),
		   KT_ARG(r->time), KT_ARG(r->level), KT_ARG(r->thread), KT_ARG(r->logger),
		   KT_ARG(r->message));
	kt_buf_add(&g->texts, r->text);
	kt_buf_str(&g->texts, "\n--\n");
	if (r->text.len > g->longest)
		g->longest = r->text.len;
	return ++g->n == g->stop_at ? 7 : 0;
}

void gather_text(struct gather *g, struct kt_str text)
{
	cr_assert(kt_inputs_text(&g->in, text, KT_S("text"), gather_record, g) == 0);
}

/* The id of a line of g->out. */
static struct kt_str id_of(struct kt_str line)
{
	struct kt_str id = KT_NONE;

	line = kt_str_from(line, kt_str_chr(line, ' ', 0) + 1);
	kt_str_cut(&line, '|', &id);
	return id.len ? id : KT_S("none");
}

const char *gather_counts(struct gather *g)
{
	struct kt_str ids[64], rest = kt_buf_view(&g->out), line;
	unsigned counts[64] = {0};
	size_t n = 0;

	while (kt_str_cut(&rest, '\n', &line)) {
		if (!line.len)
			continue;
		size_t i = 0;
		while (i < n && !kt_str_eq(ids[i], id_of(line)))
			i++;
		if (i == n)
			ids[n++] = id_of(line);
		counts[i]++;
	}
	kt_buf_clear(&g->counts);
	for (size_t i = 0; i < n; i++)
		kt_buf_fmt(&g->counts, "%s" KT_FMT "=%u", i ? " " : "", KT_ARG(ids[i]), counts[i]);
	return kt_buf_c(&g->counts);
}
