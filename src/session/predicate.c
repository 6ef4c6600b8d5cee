#include "session/state.h"

#include "base/banned.h"

struct row {
	const struct kt_result *result;
	const struct kt_kb *kb;
	size_t at;
	struct kt_str count; /* of the pseudo column "rows" */
};

static bool cell_of(void *ctx, const struct kt_node *node, struct kt_str *value)
{
	const struct row *row = ctx;
	struct kt_str name = kt_kb_text(row->kb, node->name);

	if (row->count.len) {
		*value = row->count;
		return kt_str_eq_c(name, "rows");
	}
	size_t column = kt_result_column(row->result, name);
	if (column == KT_NPOS)
		return false;
	*value = kt_result_cell(row->result, row->at, column);
	return value->p != NULL;
}

static bool count_holds(const struct kt_kb *kb, const struct kt_item *item, const struct kt_result *result,
			struct kt_arena *a)
{
	struct row row = {.result = result, .kb = kb};

	row.count = kt_arena_fmt(a, "%zu", result->n_rows);
	return kt_cond_eval(kb, item->cond, cell_of, &row) == KT_TRUE;
}

void kt_rows_judge(const struct kt_kb *kb, const struct kt_item *item, const struct kt_result *result,
		   struct kt_arena *a, struct kt_rows_hit *out)
{
	size_t no = 0;

	*out = (struct kt_rows_hit){0};
	if (item->mode == KT_ROWS_COUNT) {
		out->present = count_holds(kb, item, result, a);
		return;
	}
	out->rows = KT_NEW_N(a, uint32_t, result->n_rows);
	for (size_t i = 0; i < result->n_rows; i++) {
		struct row row = {.result = result, .kb = kb, .at = i};
		enum kt_tri t = kt_cond_eval(kb, item->cond, cell_of, &row);
		if (t == KT_TRUE)
			out->rows[out->n_rows++] = (uint32_t)i;
		no += t != KT_TRUE;
	}
	if (item->mode == KT_ROWS_ANY)
		out->present = out->n_rows > 0;
	else if (item->mode == KT_ROWS_ALL)
		out->present = result->n_rows > 0 && no == 0;
	else
		out->present = out->n_rows == 0;
	if (item->mode != KT_ROWS_ANY)
		out->n_rows = 0;
}
