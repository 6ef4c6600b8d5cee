#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "kusto/fill.h"
#include "kusto/guard.h"

static struct kt_buf table = {.max = 4u << 20};
static struct kt_guard *guard;

static void setup(void)
{
	struct kt_err err = {0};

	cr_assert(kt_file_read(KT_RULES_SOURCE "/guard.tsv", &table, &err) == 0, "%s", err.text);
	guard = kt_guard_new(kt_buf_view(&table), &err);
	cr_assert_not_null(guard, "%s", err.text);
}

static void teardown(void)
{
	kt_guard_free(guard);
	kt_buf_free(&table);
}

TestSuite(guard, .init = setup, .fini = teardown);

/* The canonical text, or "" with the reason in WHY. */
static const char *read_as(const char *text, enum kt_guard_by by, struct kt_err *why)
{
	static char canonical[KT_GUARD_MAX_TEXT + 100];
	struct kt_guard_plan plan = {0};

	kt_err_clear(why);
	canonical[0] = '\0';
	if (kt_guard_parse(guard, kt_str_c(text), by, &plan, why) == 0)
		snprintf(canonical, sizeof canonical, "%s", kt_buf_c(&plan.text));
	kt_guard_plan_free(&plan);
	return canonical;
}

static void accepts(const char *text, const char *canonical)
{
	struct kt_err why;
	const char *got = read_as(text, KT_BY_PERSON, &why);

	cr_assert_str_eq(got, canonical, "%s\n gives %s\n not   %s (%s)", text, got, canonical, why.text);
	cr_assert_str_eq(read_as(canonical, KT_BY_PERSON, &why), canonical, "the print is not stable: %s",
			 text);
}

static void refuses(const char *text, const char *reason)
{
	struct kt_err why;
	const char *got = read_as(text, KT_BY_PERSON, &why);

	cr_assert_str_eq(got, "", "%s was accepted as %s", text, got);
	cr_assert(why.cls == KT_ERR_REFUSED, "%s: %s", text, why.text);
	cr_assert_not_null(strstr(why.text, reason), "%s\n says %s\n not  %s", text, why.text, reason);
}

Test(guard, what_would_harm_is_refused_with_place_and_reason)
{
	refuses(".drop table X", "column 1: '.drop table X' is refused: it changes the cluster; "
				 "the nearest that may be sent is .show table {entity}");
	refuses(".show tables | invoke f()", "column 16: operator 'invoke' is refused");
	refuses(".show tables; .drop table X", "column 13: ';' begins a second statement");
	refuses(".set t <| x", "column 8: '<|' feeds a query to a command");
	refuses(".show tables // x\n| take 1", "column 14: comments are not accepted");
	refuses("// x\n.show tables", "comments are not accepted");
	refuses(".show tables | evaluate bag_unpack(X)", "runs a plugin");
	refuses(".show tables | join (T) on A", "reads a second table");
	refuses(".show tables | union T", "reads a second table");
	refuses(".show tables | extend x = cluster('a').database('b').T",
		"column 27: 'cluster()' is refused");
	refuses(".show tables | where TableName == toscalar(T | count)", "it holds a query of its own");
	refuses("database('other').T", "reaches another database");
	refuses("externaldata(x:string)['http://x']", "reads from outside the cluster");
	refuses("print 1", "a query is the name of one table");
	refuses("let x = 1; T", "second statement");
	refuses(".show queryplan", "takes a query of its own");
	refuses(".show ingestion failurez", "the nearest that may be sent is .show ingestion failures");
	refuses(".show tables | where TableName == {x}", "braces are not accepted");
	refuses(".show tables | where frob(TableName)", "not on the list of functions");
	refuses(".show tables | where TableName.invoke()", "only functions of the list can be called");
	refuses(".show tables | where ['f'](1)", "only functions of the list can be called");
	refuses(".show tables | where $left.a == 1", "'$' is not accepted here");
	refuses(".show tables |", "an operator is missing at the end");
	refuses(".show tables | take 1 .drop", "'.' stands where '|' or the end should");
	refuses("", "there is no command");
	refuses("\n.show tables\n | frob", "line 3, column 4: operator 'frob' is not accepted");
	refuses(".show cluster storage keys hash", "its answer holds secrets");
}

Test(guard, a_list_never_reads_another_table)
{
	refuses(".show tables | where TableName in (T)", "would read another table");
	refuses(".show tables | where TableName in ((T))", "would read another table");
	refuses(".show tables | where TableName !in~ (['T'])", "would read another table");
	refuses(".show tables | where TableName in (a.b)", "would read another table");
	accepts(".show tables | where TableName in ('a', -1, ago(1d), dynamic([1]))",
		".show tables | where TableName in (\"a\", -1, ago(1d), dynamic([1]))");
}

Test(guard, strings_of_every_form_have_one_print)
{
	accepts(".show tables | where TableName == 'a\"b'", ".show tables | where TableName == \"a\\\"b\"");
	accepts(".show tables | where TableName == @'a\\''b'",
		".show tables | where TableName == \"a\\\\\\'b\"");
	accepts(".show tables | where TableName == ```a|b;c//d```",
		".show tables | where TableName == \"a|b;c//d\"");
	accepts(".show tables | where TableName == ~~~a\nb~~~",
		".show tables | where TableName == \"a\\u000Ab\"");
	accepts(".show tables | where TableName == \"\\x41\\u0042\\103\\n\"",
		".show tables | where TableName == \"ABC\\u000A\"");
	accepts(".show tables | where TableName == \"\\ud83d\\ude00\"",
		".show tables | where TableName == \"\xf0\x9f\x98\x80\"");
	accepts(".show tables | where TableName == 'a' \"b\" @'c'",
		".show tables | where TableName == \"abc\"");
	accepts(".show tables | where TableName == h'key'", ".show tables | where TableName == h\"key\"");
	accepts(".show tables | where TableName == '\xe2\x80\xae'",
		".show tables | where TableName == \"\\u202E\"");
	refuses(".show tables | where TableName == \"a\\q\"", "no such escape");
	refuses(".show tables | where TableName == 'a\n'", "a string ends on its line");
	refuses(".show tables | where TableName == 'a", "does not end");
	refuses(".show tables | where TableName == \"\\ud83d\"", "half of a surrogate pair");
	refuses(".show tables | where TableName == \"\\0\"", "may not hold NUL");
	refuses(".show tables | where TableName == '\xff'", "not valid UTF-8");
}

Test(guard, names_are_always_in_brackets)
{
	accepts(".show table T details", ".show table ['T'] details");
	accepts(".show table [\"my table\"] details", ".show table ['my table'] details");
	accepts(".show table [ @'a-b' ] policy update", ".show table ['a-b'] policy update");
	accepts(".SHOW Tables", ".show tables");
	accepts(".show tables (A, ['B']) details | take 5", ".show tables (['A'],['B']) details | take 5");
	accepts("Events | take 5", "['Events'] | take 5");
	accepts(".show column T.C policy encoding", ".show column ['T'].['C'] policy encoding");
	refuses(".show table ['x\\'] | .drop'] details", "is no entity name");
	refuses(".show table ['x'] | .drop'] details", "does not end");
	refuses(".show table ['a\"b'] details", "is no entity name");
	refuses(".show table [''] details", "1 to 1024 characters");
}

Test(guard, values_of_shapes)
{
	accepts(".show operations B5B2a5b4-6d2a-4d0e-9a57-1d2f4ad1f6a1",
		".show operations b5b2a5b4-6d2a-4d0e-9a57-1d2f4ad1f6a1");
	accepts(".show ingestion failures with (OperationId=\"b5b2a5b4-6d2a-4d0e-9a57-1d2f4ad1f6a1\")",
		".show ingestion failures with (OperationId = b5b2a5b4-6d2a-4d0e-9a57-1d2f4ad1f6a1)");
	accepts(".show table T extents where tags has 'drop-by:' 'x' | summarize count()",
		".show table ['T'] extents where tags has \"drop-by:x\" | summarize count()");
	accepts(".show tables with (IncludeHiddenTables=true) | where TableName startswith 'sparkTempTable_'",
		".show tables with (IncludeHiddenTables=true) | where TableName startswith "
		"\"sparkTempTable_\"");
	accepts(".show table * policy update | project EntityName, Policy",
		".show table * policy update | project EntityName, Policy");
	refuses(".show operations not-a-guid", "not on the list");
	refuses(".show ingestion failures with (OperationId=1)", "not on the list");
}

Test(guard, operators_and_expressions)
{
	accepts(".show operations | where StartedOn between (datetime('2026-01-31 10:00') .. 2h) and "
		"not(isempty(State))"
		" | sort by StartedOn desc nulls last, State",
		".show operations | where StartedOn between (datetime(2026-01-31T10:00:00Z) .. 2h) and "
		"not(isempty(State))"
		" | sort by StartedOn desc nulls last, State");
	accepts(".show operations | summarize n=count(), arg_max(LastUpdatedOn,*) by OperationId, "
		"bin(StartedOn,1h) | take 9",
		".show operations | summarize n = count(), arg_max(LastUpdatedOn, *) by OperationId, "
		"bin(StartedOn, 1h) | take 9");
	accepts(".show operations | where OperationId == B5B2a5b4-6d2a-4d0e-9a57-1d2f4ad1f6a1 | count",
		".show operations | where OperationId == guid(b5b2a5b4-6d2a-4d0e-9a57-1d2f4ad1f6a1) | count");
	accepts(".show database ['d'] policy retention | extend p=todynamic(Policy).SoftDeletePeriod, "
		"q=todynamic(Policy)['a b'][0]",
		".show database ['d'] policy retention | extend p = todynamic(Policy).SoftDeletePeriod, q = "
		"todynamic(Policy)[\"a b\"][0]");
	accepts(".show tables | parse kind=regex TableName with 'a' n:long * 'b' rest | mv-expand "
		"x=split(rest,',') to typeof(string) limit 3 | distinct x",
		".show tables | parse kind=regex TableName with \"a\" n:long * \"b\" rest | mv-expand x = "
		"split(rest, \",\") to typeof(string) limit 3 | distinct x");
	accepts(".show tables | where TableName !has 'a' and (TableName matches regex 'b' or TableName !in~ "
		"('c')) | limit 5",
		".show tables | where TableName !has \"a\" and (TableName matches regex \"b\" or TableName "
		"!in~ (\"c\")) | take 5");
	refuses(".show operations | where count() > 1", "'count()' belongs behind 'summarize'");
	refuses(".show operations | where a == b == c", "stands where '|' or the end should");
	refuses(".show operations | take -1", "stands where a number of rows should");
	refuses(".show operations | projct a", "did you mean 'project'?");
	refuses(".show operations | where 5x > 1", "'5x' is no number");
	refuses(".show operations | where StartedOn > datetime(2026-02-30)", "is no datetime");
}

Test(guard, deep_nesting_ends)
{
	struct kt_buf b = KT_BUF(KT_GUARD_MAX_TEXT);
	struct kt_err why;

	kt_buf_str(&b, ".show tables | where ");
	for (int i = 0; i < 5000; i++)
		kt_buf_char(&b, '(');
	cr_assert_str_eq(read_as(kt_buf_c(&b), KT_BY_PERSON, &why), "");
	cr_assert_not_null(strstr(why.text, "nested too deeply"), "%s", why.text);
	kt_buf_clear(&b);
	kt_buf_str(&b, ".show tables | where a");
	for (int i = 0; i < 4000; i++)
		kt_buf_str(&b, "+a");
	cr_assert(read_as(kt_buf_c(&b), KT_BY_PERSON, &why)[0] == '\0' || !why.text[0]);
	kt_buf_free(&b);
}

Test(guard, a_text_that_is_too_long_is_refused)
{
	struct kt_buf b = KT_BUF(KT_GUARD_MAX_TEXT * 2);
	struct kt_err why;

	kt_buf_str(&b, ".show tables | where TableName == \"");
	while (b.len < KT_GUARD_MAX_TEXT)
		kt_buf_char(&b, 'x');
	kt_buf_char(&b, '"');
	cr_assert_str_eq(read_as(kt_buf_c(&b), KT_BY_PERSON, &why), "");
	cr_assert(why.cls == KT_ERR_REFUSED);
	kt_buf_free(&b);
}

Test(guard, long_answers_get_a_limit)
{
	accepts(".show ingestion failures | take 1000", ".show ingestion failures | take 1000");
	static const struct {
		const char *text;
		uint32_t limit;
	} rows[] = {
		{".show ingestion failures", 1000},
		{".show ingestion failures | where Table == 't'", 1000},
		{".show ingestion failures | where FailedOn > ago(1d) or Table == 't'", 1000},
		{".show ingestion failures | where Table == 't' and (FailedOn > ago(1d))", 0},
		{".show ingestion failures | top 5 by FailedOn", 0},
		{".show ingestion failures | summarize count()", 0},
		{".show ingestion failures | summarize count() by Table", 1000},
		{".show tables", 0},
		{"T | where a == 1", 1000},
		{"T | count", 0},
	};

	for (size_t i = 0; i < KT_LEN(rows); i++) {
		struct kt_guard_plan plan = {0};
		struct kt_err err = {0};
		cr_assert(kt_guard_parse(guard, kt_str_c(rows[i].text), KT_BY_PERSON, &plan, &err) == 0, "%s",
			  err.text);
		cr_assert(plan.limit == rows[i].limit, "%s: %u", rows[i].text, plan.limit);
		cr_assert(kt_str_ends(kt_buf_view(&plan.text), KT_S(" | take 1000")) == (rows[i].limit != 0));
		kt_guard_plan_free(&plan);
	}
}

Test(guard, answers_with_secrets_are_for_packs_and_bare)
{
	struct kt_err why;

	refuses(".get ingestion resources", "its answer holds secrets");
	refuses(".show ingestion resources", "its answer holds secrets");
	refuses(".show export containers", "its answer holds secrets");
	cr_assert_str_eq(read_as(".get ingestion resources", KT_BY_PACK, &why), ".get ingestion resources");
	cr_assert_str_eq(read_as(".get ingestion resources | extend x = StorageRoot", KT_BY_PACK, &why), "");
	cr_assert_not_null(strstr(why.text, "not passed on to operators"));
	cr_assert_str_eq(read_as(".get kusto identity token", KT_BY_PACK, &why), "");
}

Test(guard, the_plan_says_what_is_needed)
{
	struct kt_guard_plan plan = {0};
	struct kt_err err = {0};

	cr_assert(kt_guard_parse(guard, KT_S(".show operations"), KT_BY_PERSON, &plan, &err) == 0);
	cr_assert(plan.cls == KT_GUARD_FILTERED && plan.kind == KT_GUARD_MGMT && plan.endpoint == KT_ENGINE);
	cr_assert(plan.retention_s == 14 * 86400);
	cr_assert(kt_guard_has_column(&plan, KT_S("ShouldRetry")) &&
		  !kt_guard_has_column(&plan, KT_S("Nope")));
	kt_guard_plan_free(&plan);
	cr_assert(kt_guard_parse(guard, KT_S(".show cluster extents"), KT_BY_PERSON, &plan, &err) == 0);
	cr_assert(plan.cls == KT_GUARD_ASK && plan.why.len);
	kt_guard_plan_free(&plan);
	cr_assert(kt_guard_parse(guard, KT_S(".show version"), KT_BY_PERSON, &plan, &err) == 0);
	cr_assert(plan.either);
	kt_guard_plan_free(&plan);
	cr_assert(kt_guard_parse(guard, KT_S(".show purges"), KT_BY_PERSON, &plan, &err) == 0);
	cr_assert(plan.endpoint == KT_INGEST && kt_str_eq_c(plan.permission, "Database Admin"));
	kt_guard_plan_free(&plan);
}

static void columns_are(const char *text, const char *want)
{
	struct kt_guard_plan plan = {0};
	struct kt_err err = {0};
	struct kt_buf b = KT_BUF(4096);

	cr_assert(kt_guard_parse(guard, kt_str_c(text), KT_BY_PERSON, &plan, &err) == 0, "%s", err.text);
	for (size_t i = 0; i < plan.n_columns; i++)
		kt_buf_fmt(&b, "%s" KT_FMT, i ? " " : "", KT_ARG(plan.columns[i].name));
	kt_buf_str(&b, plan.columns_known ? "" : " …");
	if (plan.unknown_column.len)
		kt_buf_fmt(&b, " !" KT_FMT "@%zu", KT_ARG(plan.unknown_column), plan.unknown_at);
	cr_assert_str_eq(kt_buf_c(&b), want, "%s: %s", text, kt_buf_c(&b));
	kt_buf_free(&b);
	kt_guard_plan_free(&plan);
}

Test(guard, columns_are_followed_through_operators)
{
	columns_are(".show tables", "TableName DatabaseName Folder DocString");
	columns_are(".show tables | project N = TableName, Folder | project-away Folder", "N");
	columns_are(".show tables | extend L = strlen(TableName) | where L > 3 and Nope == 1",
		    "TableName DatabaseName Folder DocString L !Nope@62");
	columns_are(".show tables | summarize count(), max(Folder), n = dcount(TableName) by DatabaseName",
		    "DatabaseName count_ max_Folder n");
	columns_are(".show tables | summarize arg_max(Folder, *) by TableName",
		    "TableName Folder DatabaseName DocString");
	columns_are(".show tables | count", "Count");
	columns_are(".show tables | project strlen(TableName)", " …");
	columns_are(".show tables | project TableName | where Folder == 'x'", "TableName !Folder@41");
	columns_are(".show tables | parse Folder with a '/' b:long | project a, b", "a b");
	columns_are("T | project a", "a");
	columns_are("T | extend a = 1", "a …");
}

Test(guard, malformed_tables_are_named_by_line)
{
	static const struct {
		const char *tsv, *why;
	} rows[] = {
		{"", "no commands in it"},
		{"command\t.show x\tallow\n", "guard.tsv:1: a row has 8 fields"},
		{"#\ncommand\t.show x\tmaybe\tengine\t-\t-\t-\t-\n", "guard.tsv:2: no class 'maybe'"},
		{"command\t.show {x}\tallow\tengine\t-\t-\t-\t-\n", "no slot {x}"},
		{"command\t.show x\tallow\tmoon\t-\t-\t-\t-\n", "no endpoint 'moon'"},
		{"command\t.show x\tallow\tengine\t-\t3w\t-\t-\n", "no retention '3w'"},
		{"verb\t.show x\tallow\tengine\t-\t-\t-\t-\n", "no kind of row 'verb'"},
		{"command\t.show {entity\tallow\tengine\t-\t-\t-\t-\n", "'{' is not closed"},
	};

	for (size_t i = 0; i < KT_LEN(rows); i++) {
		struct kt_err err = {0};
		cr_assert_null(kt_guard_new(kt_str_c(rows[i].tsv), &err));
		cr_assert(err.cls == KT_ERR_RULES);
		cr_assert_not_null(strstr(err.text, rows[i].why), "%s", err.text);
	}
}

/* Whatever a value holds, it stays one literal: the shape of the command around it
 * does not change. */
Test(guard, a_filled_value_never_leaves_its_literal)
{
	static const char *const values[] = {
		"'] | .drop", "\"",         "\"]",          "' or 1==1",
		"\\",         "\\\"",       "a\nb",         "a//b",
		"a;b",        "<|",         "```",          "~~~",
		"h\"x\"",     "{x:string}", "\xe2\x80\xa8", "\xf0\x9f\x98\x80",
		"')",         "\x01",       "\x7f",         "%s",
	};

	for (size_t i = 0; i < KT_LEN(values); i++) {
		struct kt_buf text = KT_BUF(4096), again = KT_BUF(4096);
		struct kt_guard_plan plan = {0};
		struct kt_err err = {0};
		kt_buf_str(&text, ".show tables | where TableName == ");
		cr_assert(kt_fill_value(KT_FILL_STRING, kt_str_c(values[i]), &text, &err) == 0, "%s",
			  err.text);
		kt_buf_str(&text, " | take 1");
		cr_assert(kt_guard_parse(guard, kt_buf_view(&text), KT_BY_PERSON, &plan, &err) == 0, "%s",
			  err.text);
		cr_assert(kt_str_eq(kt_buf_view(&text), kt_buf_view(&plan.text)), "%s\n%s", text.p,
			  plan.text.p);
		kt_guard_plan_free(&plan);
		kt_buf_str(&again, ".show table ");
		bool letters = (unsigned char)values[i][0] >= 0xf0;
		int rc = kt_fill_value(KT_FILL_ENTITY, kt_str_c(values[i]), &again, &err);
		cr_assert(letters || rc < 0, "'%s' was taken for a name", values[i]);
		kt_buf_free(&text);
		kt_buf_free(&again);
	}
}

/* A shape with a value in each slot. */
static void fill_shape(struct kt_str shape, struct kt_buf *out)
{
	static const char *const samples[][2] = {
		{"{entity}", "['a b']"},
		{"{entities}", "A, ['B']"},
		{"{string}", "'x'"},
		{"{guid}", "b5b2a5b4-6d2a-4d0e-9a57-1d2f4ad1f6a1"},
		{"{guids}", "b5b2a5b4-6d2a-4d0e-9a57-1d2f4ad1f6a1,b5b2a5b4-6d2a-4d0e-9a57-1d2f4ad1f6a2"},
		{"{int}", "7"},
		{"{bool}", "false"},
		{"{datetime}", "datetime(2026-01-31)"},
		{"{timespan}", "1d"},
	};

	for (size_t at = 0; at < shape.len;) {
		struct kt_str here = kt_str_from(shape, at);
		size_t i = 0;
		while (i < KT_LEN(samples) && !kt_str_starts(here, kt_str_c(samples[i][0])))
			i++;
		if (i < KT_LEN(samples)) {
			kt_buf_str(out, samples[i][1]);
			at += strlen(samples[i][0]);
		} else if (shape.p[at] == '<') {
			size_t bar = kt_str_chr(shape, '|', at);
			kt_buf_add(out, kt_str_sub(shape, at + 1, bar - at - 1));
			at = kt_str_chr(shape, '>', at) + 1;
		} else {
			kt_buf_char(out, shape.p[at++]);
		}
	}
}

static bool check_shape(void *ctx, struct kt_str shape, enum kt_guard_class cls)
{
	struct kt_buf text = KT_BUF(4096);
	struct kt_guard_plan plan = {0};
	struct kt_err err = {0};

	fill_shape(shape, &text);
	cr_assert(kt_guard_parse(guard, kt_buf_view(&text), KT_BY_PERSON, &plan, &err) == 0, "%s: %s",
		  kt_buf_c(&text), err.text);
	cr_assert(kt_str_eq(plan.shape, shape) && plan.cls == cls, "%s was read as " KT_FMT, kt_buf_c(&text),
		  KT_ARG(plan.shape));
	kt_guard_plan_free(&plan);
	kt_buf_free(&text);
	++*(size_t *)ctx;
	return true;
}

Test(guard, every_command_of_the_table_is_read_as_itself)
{
	size_t n = 0;

	kt_guard_each(guard, KT_S(".show "), check_shape, &n);
	cr_assert(n > 180, "only %zu", n);
}
