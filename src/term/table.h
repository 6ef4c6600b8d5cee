/* Aligned tables of foreign text.
 *
 * Columns are as wide as their widest cell; when that is more than there is room
 * for, the widest ones are cut with "…"; when even that leaves no column readable,
 * each row is printed as a record of "name: value" lines.
 *
 *     struct kt_table t;
 *     kt_table_init(&t);
 *     kt_table_column(&t, KT_S("State"), false);
 *     kt_table_column(&t, KT_S("Rows"), true);
 *     kt_table_cell(&t, KT_S("Completed"));
 *     kt_table_cell(&t, KT_S("12"));
 *     kt_table_render(&t, &st, 2, &out);
 *     kt_table_free(&t);
 */
#ifndef KT_TERM_TABLE_H
#define KT_TERM_TABLE_H

#include "base/arena.h"
#include "term/style.h"

struct kt_table_column;

struct kt_table {
	struct kt_arena arena;
	struct kt_table_column *columns;
	size_t n_columns, cap_columns;
	struct kt_str *cells; /* row after row */
	size_t n_cells, cap_cells;
};

void kt_table_init(struct kt_table *t);
void kt_table_free(struct kt_table *t);

/* All columns come before the first cell. NUMBERS stand at the right edge. A
 * table whose columns have no names prints no heading. */
void kt_table_column(struct kt_table *t, struct kt_str name, bool numbers);
/* The next cell of the row, copied; missing ones at the end stay empty. */
void kt_table_cell(struct kt_table *t, struct kt_str text);
void kt_table_cell_c(struct kt_table *t, const char *text);

/* Lines start with INDENT blanks and fit into the style's width. */
void kt_table_render(const struct kt_table *t, const struct kt_style *st, unsigned indent,
		     struct kt_buf *out);

#endif
