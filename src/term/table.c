#include "term/table.h"

#include "base/alloc.h"
#include "term/escape.h"

#include "base/banned.h"

#define GAP      2u /* blanks between columns */
#define READABLE 8u /* a column is not cut below this */

struct kt_table_column {
	struct kt_str name;
	bool numbers;
	unsigned width; /* widest cell, then what it gets */
};

void kt_table_init(struct kt_table *t)
{
	*t = (struct kt_table){0};
}

void kt_table_free(struct kt_table *t)
{
	kt_arena_free(&t->arena);
	kt_free(t->columns);
	kt_free(t->cells);
	*t = (struct kt_table){0};
}

void kt_table_column(struct kt_table *t, struct kt_str name, bool numbers)
{
	struct kt_table_column c = {kt_arena_str(&t->arena, name), numbers, kt_width(name)};

	KT_PUSH(t->columns, t->n_columns, t->cap_columns) = c;
}

void kt_table_cell(struct kt_table *t, struct kt_str text)
{
	struct kt_table_column *c = &t->columns[t->n_cells % t->n_columns];
	unsigned width = kt_width(text);

	if (width > c->width)
		c->width = width;
	KT_PUSH(t->cells, t->n_cells, t->cap_cells) = kt_arena_str(&t->arena, text);
}

void kt_table_cell_c(struct kt_table *t, const char *text)
{
	kt_table_cell(t, kt_str_c(text));
}

static unsigned total(const struct kt_table_column *c, size_t n)
{
	unsigned sum = n ? (unsigned)(n - 1) * GAP : 0;

	for (size_t i = 0; i < n; i++)
		sum += c[i].width;
	return sum;
}

static struct kt_table_column *widest(struct kt_table_column *c, size_t n)
{
	struct kt_table_column *w = c;

	for (size_t i = 1; i < n; i++)
		if (c[i].width > w->width)
			w = &c[i];
	return w;
}

/* Takes from the widest until all fit; false when they cannot. */
static bool shrink(struct kt_table_column *c, size_t n, unsigned room)
{
	unsigned sum = total(c, n);

	while (sum > room) {
		struct kt_table_column *w = widest(c, n);
		if (w->width <= READABLE)
			return false;
		w->width--;
		sum--;
	}
	return true;
}

static struct kt_str cell(const struct kt_table *t, size_t row, size_t col)
{
	size_t i = row * t->n_columns + col;

	return i < t->n_cells ? t->cells[i] : KT_NONE;
}

static size_t n_rows(const struct kt_table *t)
{
	return (t->n_cells + t->n_columns - 1) / t->n_columns;
}

static void trim_line(struct kt_buf *out, size_t from)
{
	while (out->len > from && out->p[out->len - 1] == ' ')
		kt_buf_cut(out, out->len - 1);
}

/* One line: the heading (ROW is KT_NPOS) or a row. */
static void line(const struct kt_table *t, const struct kt_table_column *c, size_t row, unsigned indent,
		 struct kt_buf *out)
{
	size_t from = out->len;

	kt_blanks(out, indent);
	for (size_t i = 0; i < t->n_columns; i++) {
		struct kt_str s = row == KT_NPOS ? c[i].name : cell(t, row, i);
		if (i)
			kt_blanks(out, GAP);
		if (c[i].numbers)
			kt_pad_left(out, s, c[i].width);
		else
			kt_pad(out, s, c[i].width);
	}
	trim_line(out, from);
}

static bool has_names(const struct kt_table *t)
{
	for (size_t i = 0; i < t->n_columns; i++)
		if (t->columns[i].name.len)
			return true;
	return false;
}

static void heading(const struct kt_table *t, const struct kt_table_column *c, const struct kt_style *st,
		    unsigned indent, struct kt_buf *out)
{
	struct kt_buf text = KT_BUF(KT_BUF_TEXT);

	line(t, c, KT_NPOS, indent, &text);
	kt_paint(out, st, KT_PAINT_HEAD, kt_buf_view(&text));
	kt_buf_char(out, '\n');
	kt_buf_free(&text);
}

static void records(const struct kt_table *t, const struct kt_style *st, unsigned indent, struct kt_buf *out)
{
	for (size_t row = 0; row < n_rows(t); row++) {
		if (row)
			kt_buf_char(out, '\n');
		for (size_t i = 0; i < t->n_columns; i++) {
			struct kt_str name = t->columns[i].name;
			size_t from = out->len;
			kt_blanks(out, indent);
			kt_paint(out, st, KT_PAINT_HEAD, name);
			kt_buf_str(out, name.len ? ": " : "");
			unsigned col = indent + (name.len ? kt_width(name) + 2 : 0);
			kt_wrap(out, st, KT_PAINT_PLAIN, cell(t, row, i), col, indent + 2);
			trim_line(out, from);
			kt_buf_char(out, '\n');
		}
	}
}

void kt_table_render(const struct kt_table *t, const struct kt_style *st, unsigned indent, struct kt_buf *out)
{
	if (!t->n_columns)
		return;
	struct kt_table_column *c = kt_alloc_n(t->n_columns, sizeof *c);
	for (size_t i = 0; i < t->n_columns; i++)
		c[i] = t->columns[i];
	if (!shrink(c, t->n_columns, st->width > indent ? st->width - indent : 1)) {
		records(t, st, indent, out);
		goto out;
	}
	if (has_names(t))
		heading(t, c, st, indent, out);
	for (size_t row = 0; row < n_rows(t); row++) {
		line(t, c, row, indent, out);
		kt_buf_char(out, '\n');
	}
out:
	kt_free(c);
}
