/* Any bytes as a header table, and what is behind an empty line as lines. A row must
 * match in the table as it matches alone, where it shares nothing with a row before it. */
#include <stdint.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "input/headers.h"

#define ROWS 200

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct alone {
	struct kt_headers *row[ROWS];
	size_t n;
};

static bool is_level(struct kt_str line)
{
	struct kt_str id;

	return kt_str_cut(&line, '\t', &id) && kt_str_starts(line, KT_S("level\t"));
}

/* Every row with all levels: a table of its own. */
static void split_table(struct alone *a, struct kt_str table)
{
	struct kt_str rest = table, line;
	struct kt_buf levels = KT_BUF(1u << 20), text = KT_BUF(1u << 20);

	while (kt_str_cut(&rest, '\n', &line))
		if (is_level(line))
			kt_buf_fmt(&levels, KT_FMT "\n", KT_ARG(line));
	while (kt_str_cut(&table, '\n', &line) && a->n < ROWS) {
		if (is_level(line))
			continue;
		kt_buf_clear(&text);
		kt_buf_add(&text, kt_buf_view(&levels));
		kt_buf_add(&text, line);
		a->row[a->n] = kt_headers_parse(kt_buf_view(&text), NULL);
		a->n += a->row[a->n] != NULL;
	}
	kt_buf_free(&levels);
	kt_buf_free(&text);
}

static void check_same(const struct kt_header_match *m, const struct kt_header_match *k)
{
	if (!kt_str_eq(m->id, k->id) || m->kind != k->kind || m->len != k->len)
		__builtin_trap();
	for (unsigned f = 0; f < KT_FIELDS; f++)
		if (m->field[f].len != k->field[f].len || (m->field[f].len && m->field[f].p != k->field[f].p))
			__builtin_trap();
}

typedef bool match_fn(const struct kt_headers *h, struct kt_str line, struct kt_header_match *m);

static void check_line(const struct kt_headers *h, const struct alone *a, struct kt_str line, match_fn *match)
{
	struct kt_header_match m, k;
	bool hit = match(h, line, &m), alone = false;

	for (size_t i = 0; i < a->n && !alone; i++)
		alone = match(a->row[i], line, &k);
	if (hit != alone)
		__builtin_trap();
	if (!hit)
		return;
	check_same(&m, &k);
	for (unsigned f = 0; f < KT_FIELDS; f++)
		if (m.field[f].len &&
		    (m.field[f].p < line.p || m.field[f].p + m.field[f].len > line.p + line.len))
			__builtin_trap();
}

static void check_signs(const struct kt_headers *h)
{
	size_t n;
	const struct kt_str *sign = kt_headers_signs(h, &n);

	for (size_t i = 0; i < n; i++)
		if (sign[i].len < KT_SIGN_MIN || kt_str_chr(sign[i], '\n', 0) != KT_NPOS)
			__builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kt_str all = {(const char *)data, size}, line;
	size_t gap = kt_str_find(all, KT_S("\n\n"), 0);
	struct kt_str table = kt_str_sub(all, 0, gap);
	struct kt_headers *h = kt_headers_parse(table, NULL);
	struct alone a = {.n = 0};

	if (!h)
		return 0;
	check_signs(h);
	split_table(&a, table);
	if (gap != KT_NPOS)
		all = kt_str_from(all, gap + 2);
	while (kt_str_cut(&all, '\n', &line)) {
		check_line(h, &a, line, kt_headers_match);
		check_line(h, &a, line, kt_headers_prefix);
		check_line(h, &a, line, kt_headers_quote);
	}
	for (size_t i = 0; i < a.n; i++)
		kt_headers_free(a.row[i]);
	kt_headers_free(h);
	return 0;
}
