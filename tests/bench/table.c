#include "table.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/file.h"
#include "match/literal.h"

#include "base/banned.h"

uint32_t table_add(struct kt_kbb *b, struct kt_str regex)
{
	uint32_t row = kt_kbb_pattern(b, regex);
	struct kt_str list[KT_LITERALS_MAX];
	struct kt_literals lits;

	if (!kt_literals_of(regex, &lits))
		return row;
	for (uint32_t i = 0; i < lits.n; i++)
		list[i] = kt_literal(&lits, i);
	kt_kbb_literals(b, row, list, lits.n, lits.fold);
	return row;
}

static void add_row(struct table *t, struct kt_str line)
{
	struct table_row row = {.id = KT_NONE};
	struct kt_buf folded = KT_BUF(KT_BUF_TEXT);

	if (!kt_str_cut(&line, '\t', &row.id) || !kt_str_cut(&line, '\t', &row.flags))
		return;
	row.regex = line;
	if (kt_str_chr(row.flags, 'i', 0) != KT_NPOS) {
		kt_buf_fmt(&folded, "(?i:" KT_FMT ")", KT_ARG(line));
		row.regex = kt_buf_view(&folded);
	}
	row.pattern = table_add(t->builder, row.regex);
	KT_PUSH(t->rows, t->n, t->cap) = row;
	kt_buf_free(&folded);
}

bool table_read(struct table *t, const char *path)
{
	struct kt_err err = {0};
	struct kt_str rest, line;

	*t = (struct table){.builder = kt_kbb_new(), .text = KT_BUF(KT_BUF_TEXT)};
	if (kt_file_read(path, &t->text, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		return false;
	}
	rest = kt_buf_view(&t->text);
	while (kt_str_cut(&rest, '\n', &line))
		if (line.len)
			add_row(t, line);
	t->kb = kt_kbb_kb(t->builder);
	for (size_t i = 0; i < t->n; i++) /* the pool does not move any more */
		t->rows[i].regex = kt_kb_text(t->kb, t->kb->patterns[t->rows[i].pattern].text);
	return true;
}

void table_free(struct table *t)
{
	kt_kbb_free(t->builder);
	kt_free(t->rows);
	kt_buf_free(&t->text);
}
