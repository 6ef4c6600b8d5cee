#include <criterion/criterion.h>

#include "core/cond.h"
#include "report/condition.h"

static uint32_t fact_of(void *ctx, struct kt_str name)
{
	return kt_kb_fact(kt_kbb_kb(ctx), name);
}

/* A base with a fact that has choices, a version and a text. */
static struct kt_kbb *base(void)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_choice choices[] = {{kt_kbb_text(b, KT_S("read")), {0}},
				      {kt_kbb_text(b, KT_S("write")), {0}}};
	struct kt_fact rows[] = {
		{.id = kt_kbb_text(b, KT_S("operation")), .type = KT_FACT_CHOICE, .choices = {0, 2}},
		{.id = kt_kbb_text(b, KT_S("version")), .type = KT_FACT_VERSION},
		{.id = kt_kbb_text(b, KT_S("table")), .type = KT_FACT_STRING},
	};

	for (size_t i = 0; i < KT_LEN(choices); i++)
		kt_kbb_add_choices(b, &choices[i]);
	for (size_t i = 0; i < KT_LEN(rows); i++) {
		rows[i].when = rows[i].needs = KT_NIL;
		kt_kbb_add_facts(b, &rows[i]);
	}
	return b;
}

static uint32_t parse(struct kt_kbb *b, const char *text, bool facts)
{
	struct kt_err err = {0};
	uint32_t node;
	size_t at;

	cr_assert(kt_cond_parse(b, kt_str_c(text), facts ? fact_of : NULL, b, &node, &at, &err) == 0, "%s",
		  err.text);
	return node;
}

Test(condition, in_words)
{
	static const struct {
		bool facts;
		const char *text, *words;
	} cases[] = {
		{true, "operation == write", "operation is write"},
		{true, "operation in [read, write] and table != 'a b'",
		 "operation is read or write and table is not a b"},
		{true, "version >= 3.1.0 and version < 5",
		 "version is 3.1.0 or newer and version is older than 5"},
		{true, "version <= 3 or version > 5", "version is 3 or older or version is newer than 5"},
		{true, "not (operation == read or table == x)", "not (operation is read or table is x)"},
		{true, "operation == read and (table == x or table == y)",
		 "operation is read and (table is x or table is y)"},
		{false, "State =~ 'throttled' and Details contains 'x'",
		 "State is throttled and Details contains x"},
		{false, "Table startswith 'temp' and Rows >= 2",
		 "Table begins with temp and Rows is at least 2"},
	};

	for (size_t i = 0; i < KT_LEN(cases); i++) {
		struct kt_kbb *b = base();
		struct kt_buf got = KT_BUF(4096);
		uint32_t node = parse(b, cases[i].text, cases[i].facts);
		kt_condition_words(kt_kbb_kb(b), node, &got);
		cr_expect_str_eq(kt_buf_c(&got), cases[i].words);
		kt_buf_free(&got);
		kt_kbb_free(b);
	}
}

/* What is passed over leaves causes in; it must never leave one out. */
Test(condition, needed)
{
	static const struct {
		const char *text;
		size_t n, values;
	} cases[] = {
		{"operation == write and version >= 3", 1, 1},
		{"operation in [read, write] and table == x", 1, 2},
		{"operation == write or table == x", 0, 0},
		{"not operation == write", 0, 0},
		{"operation != write", 0, 0},
		{"table == x and (operation == read and version > 1)", 1, 1},
	};

	for (size_t i = 0; i < KT_LEN(cases); i++) {
		struct kt_kbb *b = base();
		struct kt_needed got[4];
		uint32_t node = parse(b, cases[i].text, true);
		size_t n = kt_condition_needed(kt_kbb_kb(b), node, got, KT_LEN(got));
		cr_expect_eq(n, cases[i].n, "%s: %zu", cases[i].text, n);
		cr_expect(!n || got[0].values.n == cases[i].values, "%s", cases[i].text);
		kt_kbb_free(b);
	}
	cr_expect_eq(kt_condition_needed(NULL, KT_NIL, NULL, 0), 0);
}

Test(condition, cut_between_characters)
{
	struct kt_buf got = KT_BUF(4096);

	kt_add_cut(&got, KT_S("abc\u2026def"), 4);
	cr_expect_str_eq(kt_buf_c(&got), "abc\u2026");
	kt_buf_clear(&got);
	kt_add_cut(&got, KT_S("abc"), 3);
	cr_expect_str_eq(kt_buf_c(&got), "abc");
	kt_buf_free(&got);
}
