#include <criterion/criterion.h>
#include <stdio.h>

#include "input/trace.h"

static const struct kt_str foreign[] = {{"java.", 5}, {"org.apache.spark.", 17}, {"scala.", 6},
					{"sun.", 4},  {"pyspark/", 8},           {"/databricks/spark/", 18}};

static void expect(const char *text, const char *cls, const char *message, const char *frame)
{
	struct kt_trace t;

	kt_trace_parse(kt_str_c(text), foreign, KT_LEN(foreign), &t);
	cr_expect(kt_str_eq_c(t.cls, cls), "%s\nclass " KT_FMT, text, KT_ARG(t.cls));
	cr_expect(kt_str_eq_c(t.message, message), "%s\nmessage " KT_FMT, text, KT_ARG(t.message));
	cr_expect(kt_str_eq_c(t.frame, frame), "%s\nframe " KT_FMT, text, KT_ARG(t.frame));
}

Test(trace, the_root_is_the_last_cause)
{
	expect("24/01/01 10:00:00 ERROR X: failed\n"
	       "java.lang.RuntimeException: outer\n"
	       "\tat java.lang.Thread.run(Thread.java:1)\n"
	       "\tat com.my.Outer.run(Outer.scala:2)\n"
	       "Caused by: java.io.IOException: inner: with colon\n"
	       "\tat java.base/java.net.Socket.read(Socket.java:3)\n"
	       "\tat app//com.my.Inner.read(Inner.scala:4) ~[my.jar:?]\n"
	       "\tat com.my.Outer.run(Outer.scala:2)\n"
	       "\t... 3 more\n",
	       "java.io.IOException", "inner: with colon", "com.my.Inner.read(Inner.scala:4)");
}

Test(trace, a_root_without_own_frames_takes_the_next_outwards)
{
	expect("a.OuterException: x\n\tat com.my.Outer.run(Outer.scala:2)\n"
	       "Caused by: b.Inner: y\n\tat java.net.Socket.read(Socket.java:3)\n"
	       "\tat com.my.L$$Lambda$12/0x0008.apply(Unknown Source)\n",
	       "b.Inner", "y", "com.my.Outer.run(Outer.scala:2)");
}

Test(trace, heads_in_a_line_and_the_driver_s_quote)
{
	expect("24/01/01 10:00:00 WARN TaskSetManager: Lost task 0.0 in stage 1.0 (TID 4) (host executor 1): "
	       "java.lang.RuntimeException: boo\n\tat com.my.F.f(F.scala:1)",
	       "java.lang.RuntimeException", "boo", "com.my.F.f(F.scala:1)");
	expect("org.apache.spark.SparkException: Job aborted due to stage failure: Lost task 0.3 in stage "
	       "1.0 (TID 9): "
	       "java.lang.RuntimeException: boo\n\tat com.my.F.f(F.scala:1)\n\nDriver stacktrace:\n"
	       "\tat org.apache.spark.scheduler.DAGScheduler.abort(DAGScheduler.scala:1)\n",
	       "java.lang.RuntimeException", "boo", "com.my.F.f(F.scala:1)");
	expect("24/01/01 10:00:00 INFO TaskSetManager: Lost task 0.1 in stage 1.0 (TID 5) on host, executor "
	       "1: "
	       "java.lang.RuntimeException (boo) [duplicate 1]",
	       "java.lang.RuntimeException", "boo", "");
	expect("EXCEPTION: com.x.FooException: text", "com.x.FooException", "text", "");
	expect("Py4JJavaError: An error occurred while calling o1.load. : com.x.ClientException: not trusted",
	       "com.x.ClientException", "not trusted", "");
}

Test(trace, suppressed_ones_are_not_the_root)
{
	expect("a.MainException: x\n\tat com.my.A.a(A.java:1)\n"
	       "\tSuppressed: a.CloseException: y\n\t\tat com.my.B.b(B.java:1)\n"
	       "\tCaused by: a.DeepException: z\n\t\tat com.my.C.c(C.java:1)\n"
	       "Caused by: a.RootException: r\n\tat com.my.D.d(D.java:1)\n",
	       "a.RootException", "r", "com.my.D.d(D.java:1)");
	expect("a.MainException: x\n\tat com.my.A.a(A.java:1)\n"
	       "\tSuppressed: a.CloseException: y\n\t\tat com.my.B.b(B.java:1)\n"
	       "\tCaused by: a.DeepException: z\n\t\tat com.my.C.c(C.java:1)\n",
	       "a.MainException", "x", "com.my.A.a(A.java:1)");
}

Test(trace, a_second_trace_does_not_change_the_first)
{
	expect("a.FirstException: x\n\tat com.my.A.a(A.java:1)\nb.SecondException: y\n\tat "
	       "com.my.B.b(B.java:1)\n"
	       "Caused by: c.ThirdException: z\n\tat com.my.C.c(C.java:1)\n",
	       "a.FirstException", "x", "com.my.A.a(A.java:1)");
}

Test(trace, python)
{
	expect("Traceback (most recent call last):\n  File \"job.py\", line 3, in main\n    f()\n"
	       "  File \"/x/site-packages/pyspark/sql.py\", line 9, in f\n    raise\nValueError: bad value\n",
	       "ValueError", "bad value", "File \"job.py\", line 3, in main");
	expect("Traceback (most recent call last):\n  File \"job.py\", line 3, in main\nKeyError\n",
	       "KeyError", "", "File \"job.py\", line 3, in main");
	expect("Traceback (most recent call last):\n  File \"job.py\", line 3, in main\nException: plain\n",
	       "Exception", "plain", "File \"job.py\", line 3, in main");
}

Test(trace, python_and_jvm_in_each_other)
{
	expect("org.apache.spark.api.python.PythonException: Traceback (most recent call last):\n"
	       "  File \"udf.py\", line 5, in u\n    x\nZeroDivisionError: division by zero\n\n"
	       "\tat org.apache.spark.api.python.BasePythonRunner.x(PythonRunner.scala:1)\n",
	       "ZeroDivisionError", "division by zero", "File \"udf.py\", line 5, in u");
	expect("Traceback (most recent call last):\n  File \"/databricks/spark/python/p.py\", line 5, in g\n"
	       "py4j.protocol.Py4JJavaError: An error occurred while calling o1.save.\n"
	       ": org.apache.spark.SparkException: Job aborted.\n\tat org.apache.spark.A.a(A.scala:1)\n"
	       "\tat com.my.W.w(W.scala:1)\nCaused by: com.k.KException: deep\n\tat com.k.K.k(K.java:1)\n",
	       "com.k.KException", "deep", "com.k.K.k(K.java:1)");
}

Test(trace, dotnet_and_node)
{
	expect("System.Invoke.OuterException: a\n ---> System.Net.InnerException: b\n   at X.Y.Z(String s) "
	       "in f.cs:line 3\n",
	       "System.Net.InnerException", "b", "X.Y.Z(String s)");
}

Test(trace, no_exception)
{
	expect("24/01/01 10:00:00 INFO X: no error here", "", "", "");
	expect("The exception said so. We had an Error: yes", "", "", "");
	expect("an IOException was thrown by FooException.", "", "", "");
	expect("\"@type\": \"Kusto.Data.Exceptions.SemanticException\",", "", "", "");
	expect("", "", "", "");
}

/* --- who quotes whom --- */

static bool quotes(const char *outer, const char *inner)
{
	struct kt_trace a, b;

	kt_trace_parse(kt_str_c(outer), foreign, KT_LEN(foreign), &a);
	kt_trace_parse(kt_str_c(inner), foreign, KT_LEN(foreign), &b);
	return kt_trace_quotes(&a, &b);
}

Test(trace, a_record_that_quotes_another_is_known)
{
	const char *executor = "24/01/01 10:00:00 ERROR Executor: Exception in task 0.0\n"
			       "java.lang.RuntimeException: boo\n\tat com.my.F.f(F.scala:1)\n";

	cr_assert(quotes(
		"org.apache.spark.SparkException: Job aborted: Lost task 0.3 (TID 9): "
		"java.lang.RuntimeException: boo\n"
		"\tat com.my.F.f(F.scala:1)\n\nDriver stacktrace:\n\tat org.apache.spark.X.y(X.scala:1)\n",
		executor));
	cr_assert(quotes(
		"a.WrapException: w\n\tat com.my.W.w(W.scala:1)\nCaused by: java.lang.RuntimeException: boo\n"
		"\tat com.my.F.f(F.scala:1)\n",
		executor));
	/* the same words at another place are another failure, where they say little */
	cr_assert(!quotes("java.lang.RuntimeException: boo\n\tat com.my.G.g(G.scala:1)\n", executor));
	cr_assert(
		!quotes("java.lang.RuntimeException: another text\n\tat com.my.F.f(F.scala:1)\n", executor));
	cr_assert(!quotes("a.b.OtherException: boo\n\tat com.my.F.f(F.scala:1)\n", executor));
	/* a message that tells is enough */
	cr_assert(quotes("x (TID 5): a.b.CException (failed to move extents to t) [duplicate 2]",
			 "a.b.CException: failed to move extents to t\n\tat com.my.F.f(F.scala:1)\n"));
}

Test(trace, many_heads_keep_the_last)
{
	struct kt_trace t;
	char text[8192];
	size_t len = 0;

	for (int i = 0; i < 60; i++)
		len += (size_t)snprintf(text + len, sizeof text - len,
					"%sa.B%02dException: x\n\tat c.D.e(D.java:%d)\n",
					i ? "Caused by: " : "", i, i);
	kt_trace_parse((struct kt_str){text, len}, NULL, 0, &t);
	cr_assert(t.n_heads == KT_TRACE_HEADS);
	cr_assert(kt_str_eq_c(t.cls, "a.B59Exception") && kt_str_eq_c(t.frame, "c.D.e(D.java:59)"));
	cr_assert(kt_str_eq_c(t.heads[0].cls, "a.B00Exception"));
	cr_assert(kt_str_eq_c(t.heads[KT_TRACE_HEADS - 1].cls, "a.B59Exception"));
}
