/* Lines as the platforms write them, with what their records must be. */
#include <criterion/criterion.h>

#include "gather.h"

/* OUT: per record "line+lines id|time|level|thread|logger|message". */
static void expect_out(const char *name, const char *text, const char *out)
{
	struct gather g;

	gather_init(&g);
	gather_text(&g, kt_str_c(text));
	cr_expect_str_eq(kt_buf_c(&g.out), out, "%s:\n%s", name, kt_buf_c(&g.out));
	gather_free(&g);
}

/* The same record, whatever carries it. */
static void expect_text(const char *name, const char *text, const char *texts)
{
	struct gather g;

	gather_init(&g);
	gather_text(&g, kt_str_c(text));
	cr_expect_str_eq(kt_buf_c(&g.texts), texts, "%s:\n%s", name, kt_buf_c(&g.texts));
	gather_free(&g);
}

#define TRACE_TEXT                                                                                   \
	"24/05/01 10:00:00 ERROR KustoConnector: KustoWriter: failed\n"                              \
	"com.microsoft.kusto.spark.exceptions.TimeoutAwaitingPendingOperationException: Timed out\n" \
	"\tat com.microsoft.kusto.spark.utils.KustoDataSourceUtils$.x(K.scala:1)\n"                  \
	"Caused by: java.io.IOException: Connection reset\n"                                         \
	"\t... 3 more\n--\n"                                                                         \
	"24/05/01 10:00:01 INFO SparkContext: Invoking stop()\n--\n"

/* Each of these lines is L1 to L6 of TRACE_TEXT, in a wrapper. */
#define L1  "24/05/01 10:00:00 ERROR KustoConnector: KustoWriter: failed"
#define L2  "com.microsoft.kusto.spark.exceptions.TimeoutAwaitingPendingOperationException: Timed out"
#define L3  "\tat com.microsoft.kusto.spark.utils.KustoDataSourceUtils$.x(K.scala:1)"
#define L3J "\\tat com.microsoft.kusto.spark.utils.KustoDataSourceUtils$.x(K.scala:1)"
#define L4  "Caused by: java.io.IOException: Connection reset"
#define L5  "\t... 3 more"
#define L5J "\\t... 3 more"
#define L6  "24/05/01 10:00:01 INFO SparkContext: Invoking stop()"
#define EACH(before, behind) \
	before L1 behind before L2 behind before L3 behind before L4 behind before L5 behind before L6 behind
#define EACH_JSON(before, behind)                                                                        \
	before L1 behind before L2 behind before L3J behind before L4 behind before L5J behind before L6 \
		behind

Test(formats, a_trace_reads_the_same_whatever_carries_it)
{
	static const struct {
		const char *name, *text;
	} cases[] = {
		{"plain", EACH("", "\n")},
		{"crlf", EACH("", "\r\n")},
		{"cri", EACH("2024-05-01T10:00:00.123456789Z stderr F ", "\n")},
		{"cri, zone", EACH("2024-05-01T10:00:00.123456789+02:00 stderr F ", "\n")},
		{"kubectl --prefix", EACH("[pod/spark-driver-0/spark-kubernetes-driver] ", "\n")},
		{"kubectl --timestamps", EACH("2024-05-01T10:00:00.123456789Z ", "\n")},
		{"kubectl, zeros of the fraction cut", EACH("2024-05-01T10:00:00.12345Z ", "\n")},
		{"kubectl --prefix --timestamps",
		 EACH("[pod/a/b] 2024-05-01T10:00:00.123456789+02:00 ", "\n")},
		{"airflow", EACH("[2024-05-01, 10:00:00 UTC] {spark_submit.py:488} INFO - ", "\n")},
		{"airflow, older",
		 EACH("[2024-05-01 10:00:00,123] {spark_submit_hook.py:427} INFO - ", "\n")},
		{"airflow, newer",
		 EACH("[2024-05-01T10:00:00.123+0000] {spark_submit.py:571} INFO - ", "\n")},
		{"livy", EACH("24/05/01 10:00:02 INFO LineBufferedStream: stdout: ", "\n")},
		{"livy, newer", EACH("24/05/01 10:00:02 INFO LineBufferedStream: ", "\n")},
		{"mail", EACH("> ", "\n")},
		{"colours", EACH("\033[31m", "\033[0m\n")},
		{"docker", EACH_JSON("{\"log\":\"",
				     "\\n\",\"stream\":\"stderr\",\"time\":\"2024-05-01T10:00:00.1Z\"}\n")},
		{"docker, crlf",
		 EACH_JSON("{\"log\":\"", "\\r\\n\",\"stream\":\"stderr\",\"time\":\"t\"}\n")},
		{"fluent bit",
		 EACH_JSON("{\"time\":\"t\",\"stream\":\"stderr\",\"logtag\":\"F\",\"log\":\"", "\"}\n")},
		{"fluent bit, no tag",
		 EACH_JSON("{\"stream\":\"stderr\",\"log\":\"", "\",\"kubernetes\":{\"pod_name\":\"p\"}}\n")},
		{"container log", EACH_JSON("{\"TimeGenerated\":\"2024-05-01T10:00:00Z\",\"LogEntrySource\":"
					    "\"stderr\",\"LogEntry\":\"",
					    "\"}\n")},
		{"container log v2",
		 EACH_JSON("{\"PodName\":\"p\",\"LogMessage\":\"", "\",\"LogSource\":\"stderr\"}\n")},
		{"csv", EACH("\"2024-05-01T10:00:00.123Z\",", "\n")},
		{"csv of the portal", EACH("\"5/1/2024, 10:00:00.000 AM\",", "\n")},
	};
	for (size_t i = 0; i < KT_LEN(cases); i++)
		expect_text(cases[i].name, cases[i].text, TRACE_TEXT);
}

/* ContainerLogV2 may hold an object, which is no line. */
Test(formats, nothing_is_lost_where_the_text_is_none)
{
	expect_text("object", "{\"LogMessage\":{\"a\":1},\"LogSource\":\"stderr\"}\n",
		    "{\"LogMessage\":{\"a\":1},\"LogSource\":\"stderr\"}\n--\n");
	expect_text("no such source", "{\"LogMessage\":\"text\",\"Source\":\"stderr\"}\n",
		    "{\"LogMessage\":\"text\",\"Source\":\"stderr\"}\n--\n");
}

/* A stamp is no part of a header that begins with a time of its own. */
Test(formats, a_time_with_a_long_fraction_may_be_the_log_s_own)
{
	expect_out("own",
		   "2024-05-01T10:00:00.123456Z INFO [main] X: m\n2024-05-01T10:00:00.123456Z INFO words\n",
		   "1+1 S4|2024-05-01T10:00:00.123456Z|INFO|main|X|m\n"
		   "2+1 S9|2024-05-01T10:00:00.123456Z|INFO|||words\n");
	expect_text("short", "2024-05-01T10:00:00.123Z no stamp\n",
		    "2024-05-01T10:00:00.123Z no stamp\n--\n");
}

Test(formats, headers_of_other_layouts)
{
	static const struct {
		const char *line, *want;
	} cases[] = {
		{"24/05/01 10:00:00 INFO TaskSetManager [task-result-getter-0]: Finished task 0.0",
		 "S1b|24/05/01 10:00:00|INFO|task-result-getter-0|TaskSetManager|Finished task 0.0"},
		{"24/05/01 10:00:00 WARN [main] NativeCodeLoader: Unable to load",
		 "S1c|24/05/01 10:00:00|WARN|main|NativeCodeLoader|Unable to load"},
		{"24/05/01 10:00:00 [main] INFO SparkContext: Running",
		 "S2|24/05/01 10:00:00|INFO|[main]|SparkContext|Running"},
		{"2024-05-01 10:00:00.123 [main] INFO  o.a.s.SparkContext: Running",
		 "S8d|2024-05-01 10:00:00.123|INFO|main|o.a.s.SparkContext|Running"},
		{"2024-05-01 10:00:00 [ERROR] job.py: failed",
		 "S9b|2024-05-01 10:00:00|ERROR|||job.py: failed"},
		{"2024-05-01 10:00:00.123 | INFO     | __main__:run:12 - started",
		 "S9c|2024-05-01 10:00:00.123|INFO|||__main__:run:12 - started"},
		{"10:00:00.123 [main] WARN  c.m.a.kusto.ingest.IngestClient - Retrying",
		 "T1|10:00:00.123|WARN|main|c.m.a.kusto.ingest.IngestClient|Retrying"},
		{"1234 [main] ERROR org.apache.X  - Boom", "T2||ERROR|main|org.apache.X|Boom"},
		{"[main] INFO com.azure.identity.X - Azure Identity",
		 "T3||INFO|main|com.azure.identity.X|Azure Identity"},
		{" INFO [2024-05-01 10:00:00,123] ({pool-2-thread-1} Foo.java[run]:12) - Job started",
		 "T4|2024-05-01 10:00:00,123|INFO|pool-2-thread-1||Job started"},
		{"INFO:py4j.clientserver:Python Server ready to receive messages",
		 "P2||INFO||py4j.clientserver|Python Server ready to receive messages"},
		{"Log Type: stderr", "Y2||||| stderr"},
		{"Container: container_e01_1_0001_01_000002 on wn0_30050_1",
		 "Y1|||||e01_1_0001_01_000002 on wn0_30050_1"},
		/* what only looks like one */
		{"[main] Some words - INFO", "|||||"},
		{"10:00:00 at noon", "|||||"},
		{"1234 [main] words", "|||||"},
		{"ERROR:", "|||||"},
		{"WARNING:root", "|||||"},
	};
	for (size_t i = 0; i < KT_LEN(cases); i++) {
		struct kt_buf want = KT_BUF(4096);
		kt_buf_fmt(&want, "1+1 %s\n", cases[i].want);
		expect_out(cases[i].line, cases[i].line, kt_buf_c(&want));
		kt_buf_free(&want);
	}
}

/* --- whole files --- */

Test(formats, yarn_logs)
{
	expect_out("yarn logs",
		   "Container: container_e10_1591_0001_01_000001 on wn0_30050_1591\n"
		   "LogAggregationType: AGGREGATED\n"
		   "==============================\n"
		   "LogType:stderr\n"
		   "LogLastModifiedTime:Wed Jun 10 08:00:00 +0000 2024\n"
		   "LogLength:2000\n"
		   "LogContents:\n"
		   "SLF4J: Class path contains multiple SLF4J bindings.\n"
		   "24/05/01 10:00:00 INFO X: first\n"
		   "\tat a.B.c(B.java:1)\n"
		   "\n"
		   "End of LogType:stderr.This log file belongs to a running container (c) and so may not be "
		   "complete.\n"
		   "*******************************\n"
		   "\n"
		   "Container: container_e10_1591_0001_01_000002 on wn1_30050_1591\n"
		   "LogType:stdout\n"
		   "LogContents:\n"
		   "a print\n"
		   "End of LogType:stdout\n",
		   "1+3 Y1|||||e10_1591_0001_01_000001 on wn0_30050_1591\n"
		   "4+5 Y2|||||stderr\n"
		   "9+2 S1|24/05/01 10:00:00|INFO||X|first\n"
		   "12+2 Y2|||||stderr.This log file belongs to a running container (c) and so may not be "
		   "complete.\n"
		   "15+1 Y1|||||e10_1591_0001_01_000002 on wn1_30050_1591\n"
		   "16+3 Y2|||||stdout\n"
		   "19+1 Y2|||||stdout\n");
}

Test(formats, databricks_driver)
{
	expect_out("stderr",
		   "OpenJDK 64-Bit Server VM warning: ignoring option MaxPermSize=512m; support was removed "
		   "in 8.0\n"
		   "24/05/01 10:00:00 INFO DriverDaemon$: Started Log4j2\n"
		   "24/05/01 10:00:01 ERROR ReplAwareSparkDataSourceListener: Unexpected exception when "
		   "attempting to handle SparkListenerEvent. Please report this error, along with the "
		   "following stacktrace, on https://github.com/mlflow/mlflow/issues:\n"
		   "py4j.Py4JException: An exception was raised by the Python Proxy. Return Message: x\n"
		   "\tat py4j.Protocol.getReturnValue(Protocol.java:476)\n"
		   "WARNING:py4j.clientserver:Client Server Connection has been closed.\n"
		   "24/05/01 10:00:02 WARN TaskSetManager: Lost task 0.0 in stage 1.0 (TID 4) (10.0.0.4 "
		   "executor 1): java.lang.OutOfMemoryError: Java heap space\n",
		   "1+1 |||||\n"
		   "2+1 S1|24/05/01 10:00:00|INFO||DriverDaemon$|Started Log4j2\n"
		   "3+3 S1|24/05/01 10:00:01|ERROR||ReplAwareSparkDataSourceListener|Unexpected exception "
		   "when attempting to handle SparkListenerEvent. Please report this error, along with the "
		   "following stacktrace, on https://github.com/mlflow/mlflow/issues:\n"
		   "6+1 P2||WARNING||py4j.clientserver|Client Server Connection has been closed.\n"
		   "7+1 S1|24/05/01 10:00:02|WARN||TaskSetManager|Lost task 0.0 in stage 1.0 (TID 4) "
		   "(10.0.0.4 executor 1): java.lang.OutOfMemoryError: Java heap space\n");
}

Test(formats, synapse_and_its_emitter)
{
	expect_out("synapse",
		   "2024-05-01 22:16:56,492 INFO TokenLibrary [Timer-14474]: Obtained token\n"
		   "2024-05-01 22:16:57,001 ERROR Executor [Executor task launch worker for task 0.0 in "
		   "stage 3.0 (TID 6)]: Exception in task\n"
		   "java.lang.RuntimeException: boo\n"
		   "\tat a.B.c(B.java:1)\n"
		   "{\"timestamp\":\"2024-05-01T22:16:58Z\",\"category\":\"Log\",\"workspaceName\":\"w\","
		   "\"properties\":{\"timestamp\":\"2024-05-01T22:16:58.1Z\",\"message\":\"late\",\"logger_"
		   "name\":\"org.apache.spark.X\",\"level\":\"WARN\",\"thread_name\":\"main\",\"exception\":"
		   "\"a.BException: t\\n\\tat c.D.e(D.java:1)\"}}\n"
		   "{\"TimeGenerated\":\"g\",\"timestamp_t\":\"2024-05-01T22:16:59Z\",\"level_s\":\"ERROR\","
		   "\"logger_name_s\":\"L\",\"thread_name_s\":\"t\",\"Message\":\"as a table\"}\n",
		   "1+1 S3|2024-05-01 22:16:56,492|INFO|Timer-14474|TokenLibrary|Obtained token\n"
		   "2+3 S3|2024-05-01 22:16:57,001|ERROR|Executor task launch worker for task 0.0 in stage "
		   "3.0 (TID 6)|Executor|Exception in task\n"
		   "5+1 J2|2024-05-01T22:16:58.1Z|WARN|main|org.apache.spark.X|late\n"
		   "6+1 J2b|2024-05-01T22:16:59Z|ERROR|t|L|as a table\n");
}

Test(formats, all_mixed_in_one_file)
{
	expect_out("mixed",
		   "24/05/01 10:00:00 INFO A: one\n"
		   "2024-05-01 10:00:00,123 INFO B [t]: two\n"
		   "\tat a.B.c(B.java:1)\n"
		   "2024-05-01T10:00:00.1Z stderr F 24/05/01 10:00:00 INFO C: three\n"
		   "2024-05-01T10:00:00.1Z stderr F \tat a.B.c(B.java:1)\n"
		   "{\"log\":\"24/05/01 10:00:00 INFO D: four\\n\",\"stream\":\"stderr\"}\n"
		   "{\"level\":\"INFO\",\"msg\":\"five\",\"logger\":\"E\"}\n"
		   "{\"Event\":\"SparkListenerLogStart\"}\n"
		   "10:00:00.123 [main] INFO  F - six\n"
		   "Caused by: a.BException: x\n",
		   "1+1 S1|24/05/01 10:00:00|INFO||A|one\n"
		   "2+2 S3|2024-05-01 10:00:00,123|INFO|t|B|two\n"
		   "4+2 S1|24/05/01 10:00:00|INFO||C|three\n"
		   "6+1 S1|24/05/01 10:00:00|INFO||D|four\n"
		   "7+1 J1||INFO||E|five\n"
		   "8+1 E1|||||\n"
		   "9+2 T1|10:00:00.123|INFO|main|F|six\n");
}

/* --- long ones --- */

/* Container runtimes divide lines at 16 KiB. */
Test(formats, divided_lines_are_put_together)
{
	struct kt_buf text = KT_BUF(1u << 20);
	struct gather g;

	kt_buf_str(&text, "{\"log\":\"24/05/01 10:00:00 INFO X: ");
	for (unsigned i = 0; i < 16384 - 26; i++)
		kt_buf_char(&text, 'a');
	kt_buf_str(&text,
		   "\",\"stream\":\"stderr\"}\n{\"log\":\"end\\n\",\"stream\":\"stderr\"}\n"
		   "{\"log\":\"not divided\",\"stream\":\"stderr\"}\n{\"log\":\"24/05/01 10:00:00 INFO Y: "
		   "m\\n\",\"stream\":\"stderr\"}\n"
		   "{\"log\":\"24/05/01 10:00:00 INFO Z: half \",\"stream\":\"stderr\",\"logtag\":\"P\"}\n"
		   "{\"log\":\"whole\",\"stream\":\"stderr\",\"logtag\":\"F\"}\n");
	gather_init(&g);
	gather_text(&g, kt_buf_view(&text));
	struct kt_str got = kt_buf_view(&g.texts);
	cr_expect_str_eq(gather_counts(&g), "S1=3");
	cr_expect(kt_str_find(got,
			      KT_S("aend\nnot divided\n--\n24/05/01 10:00:00 INFO Y: m\n--\n24/05/01 "
				   "10:00:00 INFO Z: half whole\n--\n"),
			      0) != KT_NPOS);
	gather_free(&g);
	kt_buf_free(&text);
}

Test(formats, a_record_of_a_million_lines)
{
	struct kt_buf text = KT_BUF(1u << 25);
	struct gather g;

	kt_buf_str(&text, "24/05/01 10:00:00 ERROR X: begin\n");
	for (unsigned i = 0; i < 1000000; i++)
		kt_buf_str(&text, "\tat a.B.c(B.java:1)\n");
	kt_buf_str(&text, "Caused by: a.LastException: the end\n24/05/01 10:00:00 INFO Y: next\n");
	gather_init(&g);
	gather_text(&g, kt_buf_view(&text));
	cr_expect_str_eq(kt_buf_c(&g.out), "1+1000002 S1|24/05/01 10:00:00|ERROR||X|begin\n1000003+1 "
					   "S1|24/05/01 10:00:00|INFO||Y|next\n");
	cr_expect(g.in.list[0].cut == 1 && g.in.list[0].lines == 1000003 && g.longest < 300000);
	cr_expect(kt_str_find(kt_buf_view(&g.texts), KT_S("Caused by: a.LastException: the end\n--\n"), 0) !=
		  KT_NPOS);
	gather_free(&g);
	kt_buf_free(&text);
}
