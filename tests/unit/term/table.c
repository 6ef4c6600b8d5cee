#include <criterion/criterion.h>

#include "term/table.h"

static void fill(struct kt_table *t)
{
	kt_table_init(t);
	kt_table_column(t, KT_S("State"), false);
	kt_table_column(t, KT_S("Rows"), true);
	kt_table_column(t, KT_S("Details"), false);
	kt_table_cell_c(t, "Completed");
	kt_table_cell_c(t, "12");
	kt_table_cell_c(t, "moved to the target");
	kt_table_cell_c(t, "日本");
	kt_table_cell_c(t, "7");
}

static void render(unsigned width, unsigned indent, const char *want)
{
	struct kt_style st = {.width = width};
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);
	struct kt_table t;

	fill(&t);
	kt_table_render(&t, &st, indent, &b);
	cr_assert_str_eq(kt_buf_c(&b), want);
	kt_table_free(&t);
	kt_buf_free(&b);
}

Test(table, columns_are_as_wide_as_their_cells)
{
	render(80, 2,
	       "  State      Rows  Details\n"
	       "  Completed    12  moved to the target\n"
	       "  日本          7\n");
}

Test(table, the_widest_column_is_cut)
{
	render(30, 0,
	       "State      Rows  Details\n"
	       "Completed    12  moved to the…\n"
	       "日本          7\n");
}

Test(table, too_narrow_becomes_records)
{
	render(20, 0,
	       "State: Completed\n"
	       "Rows: 12\n"
	       "Details: moved to\n"
	       "  the target\n"
	       "\n"
	       "State: 日本\n"
	       "Rows: 7\n"
	       "Details:\n");
}

Test(table, foreign_bytes_are_inert_in_cells_and_names)
{
	struct kt_style st = {.width = 80};
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);
	struct kt_table t;

	kt_table_init(&t);
	kt_table_column(&t, KT_S("a\033"), false);
	kt_table_cell(&t, KT_S("x\ny\u202e"));
	kt_table_render(&t, &st, 0, &b);
	cr_assert_str_eq(kt_buf_c(&b), "a\\x1b\nx\\ny\\u202e\n");
	kt_table_free(&t);
	kt_buf_free(&b);
}

Test(table, without_names_no_heading_and_without_columns_nothing)
{
	struct kt_style st = {.width = 80};
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);
	struct kt_table t;

	kt_table_init(&t);
	kt_table_render(&t, &st, 0, &b);
	kt_table_column(&t, KT_NONE, false);
	kt_table_column(&t, KT_NONE, false);
	kt_table_cell_c(&t, "where");
	kt_table_cell_c(&t, "the five steps");
	kt_table_render(&t, &st, 0, &b);
	cr_assert_str_eq(kt_buf_c(&b), "where  the five steps\n");
	kt_table_free(&t);
	kt_buf_free(&b);
}
