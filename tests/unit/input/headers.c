#include <criterion/criterion.h>

#include "gather.h"

/* One line, one header: every shape of log that the table is for. */
Test(headers, every_shape)
{
	static const struct {
		const char *line, *want;
	} cases[] = {
		{"18/05/17 22:06:20 INFO TaskSetManager: Killing attempt 0",
		 "S1|18/05/17 22:06:20|INFO||TaskSetManager|Killing attempt 0"},
		{"17/06/09 20:10:40 INFO executor.CoarseGrainedExecutorBackend: Registered",
		 "S1|17/06/09 20:10:40|INFO||executor.CoarseGrainedExecutorBackend|Registered"},
		{"23/11/07 10:59:24.335 main INFO DriverLogger: Added a: b",
		 "S2|23/11/07 10:59:24.335|INFO|main|DriverLogger|Added a: b"},
		{"23/11/07 10:59:24.335 Executor task launch worker for task 0.0 in stage 3.0 (TID 6) ERROR "
		 "Executor: x",
		 "S2|23/11/07 10:59:24.335|ERROR|Executor task launch worker for task 0.0 in stage 3.0 (TID "
		 "6)|Executor|x"},
		{"2024-05-01 22:16:56,492 INFO TokenLibrary [Timer-14474]: Obtained token",
		 "S3|2024-05-01 22:16:56,492|INFO|Timer-14474|TokenLibrary|Obtained token"},
		{"2015-10-18 18:01:47,978 INFO [main] org.apache.hadoop.mapreduce.v2.app.MRAppMaster: "
		 "Created",
		 "S4|2015-10-18 "
		 "18:01:47,978|INFO|main|org.apache.hadoop.mapreduce.v2.app.MRAppMaster|Created"},
		{"2024-01-01 10:00:00,000 WARN org.apache.x.ContainersMonitorImpl (Container Monitor): "
		 "Memory",
		 "S5|2024-01-01 10:00:00,000|WARN|Container "
		 "Monitor|org.apache.x.ContainersMonitorImpl|Memory"},
		{"2026-05-23 18:24:43 INFO SignalUtils: Registering",
		 "S6|2026-05-23 18:24:43|INFO||SignalUtils|Registering"},
		{"2024-01-01 10:00:00.123 [main] INFO  o.a.s.SparkContext - Running Spark",
		 "S8|2024-01-01 10:00:00.123|INFO|main|o.a.s.SparkContext|Running Spark"},
		{"2024-01-01 10:00:00,123 - azure.kusto - WARNING - Retrying",
		 "S8c|2024-01-01 10:00:00,123|WARNING||azure.kusto|Retrying"},
		{"2024-01-01T10:00:00.000Z INFO Ensure step 9 jar file",
		 "S9|2024-01-01T10:00:00.000Z|INFO|||Ensure step 9 jar file"},
		{"2024-01-01 10:00:00,123 WARN Y [t", "S9|2024-01-01 10:00:00,123|WARN|||Y [t"},
		{"2024-01-01 10:00:00 WARN Y (t: x", "S9|2024-01-01 10:00:00|WARN|||Y (t: x"},
		{"Exception in thread \"main\" org.apache.spark.SparkException: Job aborted",
		 "X1|||main||org.apache.spark.SparkException: Job aborted"},
		{"ERROR KustoWriter$: caught exception", "P1||ERROR||KustoWriter$|caught exception"},
		{"End of LogType:stderr", "Y2|||||stderr"},
		/* what only looks like one */
		{"[2024-01-01 10:00:00.000]Container exited with a non-zero exit code 134.", "|||||"},
		{"18/05/17 22:06:20 INFORMATION TaskSetManager: no", "|||||"},
		{"2024-01-01 is a date", "|||||"},
		{"\tat org.apache.spark.Foo(Foo.scala:1)", "|||||"},
		{"Caused by: java.io.IOException: INFO Foo: x", "|||||"},
		{"ERROR: plain words", "|||||"},
	};
	for (size_t i = 0; i < KT_LEN(cases); i++) {
		struct gather g;
		gather_init(&g);
		gather_text(&g, kt_str_c(cases[i].line));
		struct kt_str got = kt_str_from(kt_buf_view(&g.out), 4); /* "1+1 " */
		got.len -= got.len > 0;
		cr_expect(kt_str_eq_c(got, cases[i].want), "%s: " KT_FMT, cases[i].line, KT_ARG(got));
		gather_free(&g);
	}
}

Test(headers, prefixes_come_off)
{
	static const struct {
		const char *line, *text;
	} cases[] = {
		{"2024-05-01T10:00:00.123456789Z stderr F 24/05/01 10:00:00 INFO X: msg",
		 "24/05/01 10:00:00 INFO X: msg"},
		{"[pod/driver-1/spark] 24/05/01 10:00:00 INFO X: msg", "24/05/01 10:00:00 INFO X: msg"},
		{"[2024-05-01, 10:00:00 UTC] {spark_submit.py:488} INFO - 24/05/01 10:00:00 INFO X: msg",
		 "24/05/01 10:00:00 INFO X: msg"},
		{"[Stage 3:=====>       (2 + 4) / 10][Stage 4:>  (0 + 0) / 10]24/05/01 10:00:00 INFO X: msg",
		 "24/05/01 10:00:00 INFO X: msg"},
		{"\r[Stage 3:>  (0 + 2) / 2]\r                  \r24/05/01 10:00:00 INFO X: msg",
		 "24/05/01 10:00:00 INFO X: msg"},
		{"\033[32m24/05/01 10:00:00\033[0m \033[1;31mINFO\033[m X: msg\033[K",
		 "24/05/01 10:00:00 INFO X: msg"},
		{"\033]0;title\a24/05/01 10:00:00 INFO X: msg", "24/05/01 10:00:00 INFO X: msg"},
		{"{\"log\":\"24/05/01 10:00:00 INFO X: a "
		 "\\\"b\\\"\\n\",\"stream\":\"stderr\",\"time\":\"t\"}",
		 "24/05/01 10:00:00 INFO X: a \"b\""},
	};
	for (size_t i = 0; i < KT_LEN(cases); i++) {
		struct gather g;
		gather_init(&g);
		gather_text(&g, kt_str_c(cases[i].line));
		cr_expect_str_eq(gather_counts(&g), "S1=1", "%s", cases[i].line);
		struct kt_str got = kt_str_sub(kt_buf_view(&g.texts), 0, g.texts.len - 4);
		cr_expect(kt_str_eq_c(got, cases[i].text), "%s", kt_buf_c(&g.texts));
		gather_free(&g);
	}
}

Test(headers, collectors_break_long_lines)
{
	struct gather g;

	gather_init(&g);
	gather_text(&g, KT_S("2024-05-01T10:00:00.1Z stdout P 24/05/01 10:00:00 INFO X: first \n"
			     "2024-05-01T10:00:00.2Z stdout P second \n"
			     "2024-05-01T10:00:00.3Z stdout F third\n"
			     "2024-05-01T10:00:00.4Z stdout F 24/05/01 10:00:00 INFO Y: next\n"));
	cr_assert_str_eq(kt_buf_c(&g.out), "1+1 S1|24/05/01 10:00:00|INFO||X|first second third\n"
					   "4+1 S1|24/05/01 10:00:00|INFO||Y|next\n");
	gather_free(&g);
	gather_init(&g);
	gather_text(
		&g,
		KT_S("{\"log\":\"24/05/01 10:00:00 INFO X: half \",\"stream\":\"stdout\",\"logtag\":\"P\"}\n"
		     "{\"log\":\"whole\\n\",\"stream\":\"stdout\"}\n"));
	cr_assert_str_eq(kt_buf_c(&g.out), "1+1 S1|24/05/01 10:00:00|INFO||X|half whole\n");
	gather_free(&g);
	gather_init(&g); /* and others gather a message with its trace in one */
	gather_text(&g, KT_S("{\"log\":\"24/05/01 10:00:00 INFO X: m\\na.BException: t\\n\\tat "
			     "a.B.c(B.java:1)\\n\",\"stream\":\"e\"}\n"
			     "plain line\n"));
	cr_assert_str_eq(kt_buf_c(&g.out), "1+1 S1|24/05/01 10:00:00|INFO||X|m\n2+1 |||||\n");
	cr_assert_str_eq(
		kt_buf_c(&g.texts),
		"24/05/01 10:00:00 INFO X: m\na.BException: t\n\tat a.B.c(B.java:1)\n--\nplain line\n--\n");
	gather_free(&g);
}

/* --- the table --- */

static void expect_error(const char *table, const char *part)
{
	struct kt_err err = {0};
	struct kt_headers *h = kt_headers_parse(kt_str_c(table), &err);

	cr_expect(h == NULL && err.cls == KT_ERR_RULES, "%s", table);
	cr_expect(kt_str_find(kt_str_c(err.text), kt_str_c(part), 0) != KT_NPOS, "%s", err.text);
	kt_headers_free(h);
}

Test(headers, a_wrong_table_names_its_line)
{
	expect_error("# fine\nS1\tlog\n", "headers.tsv:2: not three columns");
	expect_error("S1\tnews\tx\n", "unknown kind 'news'");
	expect_error("S1\tlog\t<time:##\n", "not closed");
	expect_error("S1\tlog\t(a(b))\n", "nested group");
	expect_error("S1\tlog\t(a<level>)\n", "field in a group");
	expect_error("S1\tlog\t<when:##>\n", "unknown or nested field");
	expect_error("S1\tlog\t<thread>a<thread>\n", "more than one");
	expect_error("S1\tlog\t[a\n", "bad set");
	expect_error("S1\tlog\ta**\n", "nothing to repeat");
	expect_error("S1\tlog\ta\\\n", "at the end");
	expect_error("J1\tjson\ttime\n", "is not field=path");
	expect_error("J1\tjson\tday=ts\n", "unknown field 'day'");
}

Test(headers, the_language)
{
	struct kt_err err = {0};
	struct kt_headers *h = kt_headers_parse(
		KT_S("-\tlevel\tLOW HIGH\n"
		     "A\tlog\t(x|yy)?<time:#+[a-c]*>\\s<level>;<thread>;<logger>\\t<message>\n"
		     "B\tlog\t[^0-9z]?z\\#<message>\n"),
		&err);
	struct kt_header_match m;

	cr_assert(h != NULL, "%s", err.text);
	cr_assert(kt_headers_match(h, KT_S("yy12abc LOW;a;b;c.d$-e\trest of it"), &m));
	cr_assert(kt_str_eq_c(m.id, "A") && kt_str_eq_c(m.field[KT_FIELD_TIME], "12abc"));
	cr_assert(kt_str_eq_c(m.field[KT_FIELD_LEVEL], "LOW") &&
		  kt_str_eq_c(m.field[KT_FIELD_THREAD], "a;b"));
	cr_assert(kt_str_eq_c(m.field[KT_FIELD_LOGGER], "c.d$-e") &&
		  kt_str_eq_c(m.field[KT_FIELD_MESSAGE], "rest of it"));
	cr_assert(kt_headers_match(h, KT_S("7 HIGH;;L\t"), &m) && m.field[KT_FIELD_THREAD].len == 0);
	cr_assert(!kt_headers_match(h, KT_S("7 HIGHER;;L\t"), &m));
	cr_assert(!kt_headers_match(h, KT_S("yy LOW;;L\t"), &m));
	cr_assert(kt_headers_match(h, KT_S("z#x"), &m) && kt_str_eq_c(m.id, "B"));
	cr_assert(kt_headers_match(h, KT_S("-z#x"), &m) && !kt_headers_match(h, KT_S("1z#x"), &m));
	cr_assert(!kt_headers_match(h, KT_S(""), &m));
	kt_headers_free(h);
}
