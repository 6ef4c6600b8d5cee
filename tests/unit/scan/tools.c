#include "tools.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/file.h"
#include "match/literal.h"

static const char *const patterns[] = {
	"Writing to table '(?<table>\\w+)' failed",
	"java\\.util\\.NoSuchElementException: None\\.get",
	"request .{0,40}throttled \\(code (?:429|503)\\)",
	"(?i)operation timed out after \\d+ seconds",
	"Caused by: org\\.example\\.(?<cause>\\w+)",
	"^\\s+at com\\.example\\.Needle\\.run\\(Needle\\.java:\\d+\\)$",
	"ends the first line\\n.*begins the second",
	"the last word of it$",
	"\"code\":\"General_BadRequest\"",
	"split over two lines of the collector",
	"says \"hello\" to the sink",
	"ERROR JsonLogger: composed message",
};

static void add_pattern(struct kt_kbb *b, struct kt_str regex)
{
	struct kt_literals lits;
	struct kt_str list[KT_LITERALS_MAX];
	uint32_t row = kt_kbb_pattern(b, regex);

	cr_assert(kt_literals_of(regex, &lits), KT_FMT, KT_ARG(regex));
	for (uint32_t k = 0; k < lits.n; k++)
		list[k] = kt_literal(&lits, k);
	kt_kbb_literals(b, row, list, lits.n, lits.fold);
}

void tools_begin(struct tools *t)
{
	const char *source = getenv("KTRIAGE_SOURCE");
	struct kt_buf path = KT_BUF(4096), text = KT_BUF(1 << 20);
	struct kt_err err = {0};

	*t = (struct tools){.builder = kt_kbb_new()};
	for (size_t i = 0; i < KT_LEN(patterns); i++)
		add_pattern(t->builder, kt_str_c(patterns[i]));
	struct kt_fact table = {.id = kt_kbb_text(t->builder, KT_S("table"))};
	kt_kbb_add_facts(t->builder, &table);
	t->kb = kt_kbb_kb(t->builder);
	kt_buf_fmt(&path, "%s/rules/headers.tsv", source ? source : ".");
	cr_assert(kt_file_read(kt_buf_c(&path), &text, &err) == 0, "%s", err.text);
	t->headers = kt_headers_parse(kt_buf_view(&text), &err);
	cr_assert(t->headers != NULL, "%s", err.text);
	kt_buf_free(&path);
	kt_buf_free(&text);
}

void tools_end(struct tools *t)
{
	kt_headers_free(t->headers);
	kt_kbb_free(t->builder);
}
