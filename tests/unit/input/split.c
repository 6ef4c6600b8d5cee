#include <criterion/criterion.h>
#include <string.h>

#include "gather.h"
#include "input/trace.h"

static void expect_texts(const char *input, const char *texts)
{
	struct gather g;

	gather_init(&g);
	gather_text(&g, kt_str_c(input));
	cr_expect_str_eq(kt_buf_c(&g.texts), texts, "%s", kt_buf_c(&g.texts));
	gather_free(&g);
}

Test(split, lines_without_a_header_go_on)
{
	expect_texts("24/01/01 10:00:00 ERROR X: failed\n"
		     "java.io.IOException: text\n"
		     "\tat a.B.c(B.java:1)\n"
		     "Caused by: x.Y: z\n"
		     "\t... 3 more\n"
		     "\n"
		     "Driver stacktrace:\n"
		     "[2024-01-01 10:00:00.000]Container exited\n"
		     "24/01/01 10:00:01 INFO X: next\n\n",
		     "24/01/01 10:00:00 ERROR X: failed\njava.io.IOException: text\n\tat a.B.c(B.java:1)\n"
		     "Caused by: x.Y: z\n\t... 3 more\n\nDriver stacktrace:\n"
		     "[2024-01-01 10:00:00.000]Container exited\n--\n"
		     "24/01/01 10:00:01 INFO X: next\n--\n");
}

Test(split, formats_may_be_mixed_and_returns_go)
{
	struct gather g;

	gather_init(&g);
	gather_text(&g, KT_S("24/01/01 10:00:00 INFO X: a\r\n2024-01-01 10:00:00,000 INFO Y [t]: b\r\n"
			     "{\"Event\":\"SparkListenerLogStart\"}\r\n24/01/01 10:00:00 INFO X: last"));
	cr_assert_str_eq(kt_buf_c(&g.out), "1+1 S1|24/01/01 10:00:00|INFO||X|a\n"
					   "2+1 S3|2024-01-01 10:00:00,000|INFO|t|Y|b\n"
					   "3+1 E1|||||\n"
					   "4+1 S1|24/01/01 10:00:00|INFO||X|last\n");
	cr_assert(g.in.list[0].lines == 4 && g.in.list[0].records == 4 && g.in.list[0].events == 1);
	cr_assert(g.in.list[0].media == KT_MEDIA_LOG && g.in.list[0].complete);
	gather_free(&g);
}

/* Pasted text: paragraphs, and each trace with its chain. */
Test(split, paragraphs_and_traces_of_pasted_text)
{
	expect_texts(
		"We see this since Monday.\nNothing changed.\n\n\n"
		"Second paragraph\n  indented\n\n  still the second\n"
		"java.lang.RuntimeException: Ingestion failed\n{\n  \"a\": 1\n}\n"
		"at a.B.c(B.java:1)\n"
		"Caused by: x.Y: z\n\tat d.E.f(E.java:2)\n\nDriver stacktrace:\n\tat g.H.i(H.scala:3)\n"
		"java.lang.IllegalStateException: another\n\tat a.B.c(B.java:9)\n\nAfterwards it is fine.",
		"We see this since Monday.\nNothing changed.\n--\n"
		"Second paragraph\n  indented\n\n  still the second\n--\n"
		"java.lang.RuntimeException: Ingestion failed\n{\n  \"a\": 1\n}\nat a.B.c(B.java:1)\n"
		"Caused by: x.Y: z\n\tat d.E.f(E.java:2)\n\nDriver stacktrace:\n\tat g.H.i(H.scala:3)\n--\n"
		"java.lang.IllegalStateException: another\n\tat a.B.c(B.java:9)\n--\n"
		"Afterwards it is fine.\n--\n");
}

Test(split, python_traces_stay_whole)
{
	expect_texts(
		"Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    x\n"
		"ValueError: first\n\nDuring handling of the above exception, another exception occurred:\n\n"
		"Traceback (most recent call last):\n  File \"a.py\", line 2, in g\n    y\n"
		"py4j.protocol.Py4JJavaError: An error occurred while calling o1.save.\n"
		": org.apache.spark.SparkException: Job aborted\n\tat a.B.c(B.java:1)\n\n"
		"Traceback (most recent call last):\n  File \"b.py\", line 3, in h\nKeyError: 'k'\n",
		"Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    x\n"
		"ValueError: first\n\nDuring handling of the above exception, another exception occurred:\n\n"
		"Traceback (most recent call last):\n  File \"a.py\", line 2, in g\n    y\n"
		"py4j.protocol.Py4JJavaError: An error occurred while calling o1.save.\n"
		": org.apache.spark.SparkException: Job aborted\n\tat a.B.c(B.java:1)\n--\n"
		"Traceback (most recent call last):\n  File \"b.py\", line 3, in h\nKeyError: 'k'\n--\n");
}

/* In a log, a second trace after the frames of a first is no part of it. */
Test(split, a_fresh_trace_in_a_log_stands_for_itself)
{
	expect_texts("24/01/01 10:00:00 ERROR X: failed\na.FirstException: x\n\tat a.B.c(B.java:1)\n"
		     "b.SecondException: y\n\tat a.B.c(B.java:2)\nException in thread \"main\" "
		     "c.ThirdException: z\n",
		     "24/01/01 10:00:00 ERROR X: failed\na.FirstException: x\n\tat a.B.c(B.java:1)\n--\n"
		     "b.SecondException: y\n\tat a.B.c(B.java:2)\n--\nException in thread \"main\" "
		     "c.ThirdException: z\n--\n");
}

/* The last bytes of a dead container's log, quoted in the driver's. */
Test(split, a_quoted_log_begins_no_records)
{
	expect_texts(
		"24/01/01 10:00:00 WARN Yarn: Container from a bad node\nLast 4096 bytes of stderr :\n"
		"24/01/01 09:59:59 ERROR Executor: inside\n24/01/01 09:59:59 INFO Executor: inside too\n\n"
		"[2024-01-01 10:00:00.001]Container exited\n24/01/01 10:00:01 INFO X: next\n",
		"24/01/01 10:00:00 WARN Yarn: Container from a bad node\nLast 4096 bytes of stderr :\n"
		"24/01/01 09:59:59 ERROR Executor: inside\n24/01/01 09:59:59 INFO Executor: inside too\n\n"
		"[2024-01-01 10:00:00.001]Container exited\n--\n24/01/01 10:00:01 INFO X: next\n--\n");
	/* no further than it says */
	expect_texts("24/01/01 10:00:00 WARN Yarn: x\nLast 50 bytes of stderr :\n"
		     "24/01/01 09:59:59 ERROR Executor: in\n24/01/01 10:00:01 INFO X: next\n",
		     "24/01/01 10:00:00 WARN Yarn: x\nLast 50 bytes of stderr :\n"
		     "24/01/01 09:59:59 ERROR Executor: in\n--\n24/01/01 10:00:01 INFO X: next\n--\n");
}

Test(split, files_of_a_yarn_log_are_apart)
{
	expect_texts("24/01/01 10:00:00 INFO X: a\nEnd of LogType:stderr\n\nLogType:stdout\nfirst "
		     "paragraph\n\nsecond one\n",
		     "24/01/01 10:00:00 INFO X: a\n--\nEnd of LogType:stderr\n--\nLogType:stdout\nfirst "
		     "paragraph\n--\n"
		     "second one\n--\n");
}

/* --- JSON --- */

Test(split, structured_logs_read_like_plain_ones)
{
	struct gather g;

	gather_init(&g);
	gather_text(&g, KT_S("{\"ts\":\"2025-01-01T10:00:00Z\",\"level\":\"ERROR\",\"msg\":\"Lost "
			     "task\",\"context\":{\"executor_id\":\"1\"},"
			     "\"exception\":{\"class\":\"a.BException\",\"msg\":\"text\",\"stacktrace\":\"a."
			     "BException: text\\n\\tat c.D.e(D.java:1)\"},"
			     "\"logger\":\"TaskSetManager\"}\n"
			     "{\"ts\":\"t\",\"level\":\"WARN\",\"msg\":\"m\",\"exception\":{\"class\":\"a."
			     "B\",\"msg\":\"x\",\"stacktrace\":"
			     "[{\"class\":\"c.D\",\"method\":\"e\",\"file\":\"D.java\",\"line\":7}]},"
			     "\"logger\":\"L\"}\n"
			     "{\"timestamp\":\"x\",\"category\":\"Log\",\"properties\":{\"timestamp\":\"t2\","
			     "\"message\":\"hello\",\"logger_name\":\"N\","
			     "\"level\":\"INFO\",\"thread_name\":\"main\"}}\n"
			     "{\"a\":\"no log at all\"}\n"));
	cr_assert_str_eq(kt_buf_c(&g.out), "1+1 J1|2025-01-01T10:00:00Z|ERROR||TaskSetManager|Lost task\n"
					   "2+1 J1|t|WARN||L|m\n"
					   "3+1 J2|t2|INFO|main|N|hello\n"
					   "4+1 |||||\n");
	cr_assert_str_eq(kt_buf_c(&g.texts), "2025-01-01T10:00:00Z ERROR TaskSetManager: Lost "
					     "task\na.BException: text\n\tat c.D.e(D.java:1)\n--\n"
					     "t WARN L: m\na.B: x\n\tat c.D.e(D.java:7)\n--\n"
					     "t2 INFO N [main]: hello\n--\n"
					     "{\"a\":\"no log at all\"}\n--\n");
	gather_free(&g);
}

static int check_event(void *ctx, const struct kt_record *r)
{
	struct kt_trace t;

	kt_trace_parse(r->text, NULL, 0, &t);
	cr_expect(r->media == KT_MEDIA_EVENTLOG && r->flat && r->line == 2);
	cr_expect(kt_record_line_at(r, r->text.len - 1) == 2);
	cr_expect(kt_str_eq_c(t.cls, "java.lang.RuntimeException") && kt_str_eq_c(t.message, "bad \"exec\""));
	cr_expect(kt_str_eq_c(t.frame, "a.B.c(B.scala:26)"));
	cr_expect(kt_str_find(r->text, KT_S("\"Event\":\"SparkListenerTaskEnd\""), 0) != KT_NPOS);
	++*(int *)ctx;
	return 0;
}

Test(split, traces_in_events_read_like_plain_ones)
{
	struct gather g;
	int n = 0;

	gather_init(&g);
	cr_assert(kt_inputs_text(
			  &g.in,
			  KT_S("\n{\"Event\":\"SparkListenerTaskEnd\",\"Task End Reason\":{\"Class Name\":"
			       "\"java.lang.RuntimeException\",\"Full Stack "
			       "Trace\":\"java.lang.RuntimeException: bad \\\"exec\\\"\\n"
			       "\\tat a.B.c(B.scala:26)\\n\",\"x\":\"\\u00e9\\ud83d\\ude00\\q\"}}\n"),
			  KT_S("e"), check_event, &n) == 0);
	cr_assert(n == 1 && g.in.list[0].media == KT_MEDIA_EVENTLOG && g.in.list[0].complete);
	gather_free(&g);
}

Test(split, an_event_cut_off_is_said)
{
	struct gather g;

	gather_init(&g);
	gather_text(&g, KT_S("{\"Event\":\"A\"}\n{\"Event\":\"B\",\"x\":"));
	cr_assert(!g.in.list[0].complete);
	cr_assert(kt_str_find(g.in.list[0].problem, KT_S("truncated"), 0) == 0);
	gather_free(&g);
}

/* --- long ones --- */

struct long_record {
	struct kt_str text; /* of the input */
	unsigned n;
};

/* Every kept line must carry the number of its place, and the places be right. */
static int check_places(void *ctx, const struct kt_record *r)
{
	struct long_record *l = ctx;
	struct kt_str rest = r->text, line;
	size_t at = 0;

	while (kt_str_cut(&rest, '\n', &line)) {
		uint64_t no;
		if (kt_str_starts(line, KT_S("line ")) && kt_str_uint(kt_str_from(line, 5), UINT32_MAX, &no))
			cr_expect(kt_record_line_at(r, at) == no, "%llu at %zu", (unsigned long long)no, at);
		cr_expect(kt_str_eq(kt_record_line_text(r, at), line));
		at += line.len + 1;
	}
	l->n++;
	cr_expect(r->cut && r->cut_len && r->dropped > 100000);
	cr_expect(r->text.len + r->dropped >= l->text.len - 1);
	return 0;
}

Test(split, a_long_record_keeps_head_and_tail_and_its_places)
{
	struct kt_buf text = KT_BUF(1u << 22);
	struct gather g;

	kt_buf_str(&text, "24/01/01 10:00:00 INFO X: begin\n");
	for (unsigned i = 2; i <= 20000; i++)
		kt_buf_fmt(&text, "line %u\n", i);
	gather_init(&g);
	g.in.limits.head = 20000;
	g.in.limits.tail = 5000;
	struct long_record l = {kt_buf_view(&text), 0};
	cr_assert(kt_inputs_text(&g.in, l.text, KT_S("x"), check_places, &l) == 0);
	cr_assert(l.n == 1);
	cr_assert(!g.in.list[0].complete && g.in.list[0].cut == 1 && g.in.list[0].cut_line == 1);
	kt_buf_free(&text);
	gather_free(&g);
}

Test(split, one_line_longer_than_all_limits)
{
	struct kt_buf text = KT_BUF(1u << 24);
	struct gather g;

	kt_buf_str(&text, "24/01/01 10:00:00 INFO X: first ");
	for (unsigned i = 0; i < 200000; i++)
		kt_buf_str(&text, "word of a plan ");
	kt_buf_str(&text, "at the very end\n24/01/01 10:00:01 INFO Y: next\n");
	gather_init(&g);
	gather_text(&g, kt_buf_view(&text));
	cr_assert_str_eq(gather_counts(&g), "S1=2");
	cr_assert(g.longest < 300000);
	struct kt_str got = kt_buf_view(&g.texts);
	cr_assert(kt_str_find(got, KT_S("at the very end\n--\n"), 0) != KT_NPOS);
	cr_assert(kt_str_find(got, KT_S(" bytes left out]\n"), 0) != KT_NPOS);
	cr_assert(g.in.list[0].cut == 1 && g.in.list[0].lines == 2);
	kt_buf_free(&text);
	gather_free(&g);
}

/* A broken number beside the gap would be a wrong value. */
static int check_words(void *ctx, const struct kt_record *r)
{
	cr_assert(r->cut && r->text.p[r->cut_at - 1] == '>');
	cr_assert(r->text.p[r->cut_at + r->cut_len] == '<');
	++*(int *)ctx;
	return 0;
}

Test(split, the_gap_breaks_no_word)
{
	struct kt_buf text = KT_BUF(1u << 20);
	struct gather g;
	int n = 0;

	for (unsigned i = 0; i < 2000; i++)
		kt_buf_fmt(&text, "<%u> ", 100000 + i);
	gather_init(&g);
	for (unsigned more = 0; more < 9; more++) {
		g.in.limits.head = 1000 + more;
		g.in.limits.tail = 500;
		cr_assert(kt_inputs_text(&g.in, kt_buf_view(&text), KT_S("x"), check_words, &n) == 0);
	}
	cr_assert(n == 9);
	kt_buf_free(&text);
	gather_free(&g);
}

/* Pasted text without an empty line is divided, not cut. */
Test(split, endless_paragraphs_are_divided)
{
	struct kt_buf text = KT_BUF(1u << 22);
	struct gather g;

	for (unsigned i = 0; i < 40000; i++)
		kt_buf_fmt(&text, "output of a program, %u\n", i);
	gather_init(&g);
	gather_text(&g, kt_buf_view(&text));
	cr_assert(g.in.list[0].complete && g.n > 20 && g.longest < 40000);
	kt_buf_free(&text);
	gather_free(&g);
}

/* The pieces in which bytes arrive change nothing. */
Test(split, chunks_do_not_show)
{
	struct kt_buf text = KT_BUF(1u << 22);
	struct gather g, moved;

	for (unsigned i = 0; text.len < 3 * KT_INPUT_CHUNK; i++) {
		kt_buf_fmt(&text, "24/01/01 10:00:00 INFO X: number %u ", i);
		for (unsigned k = 0; k < i % 97; k++)
			kt_buf_str(&text, i % 3 ? "x" : "\n\tat y");
		kt_buf_str(&text, "\n");
	}
	gather_init(&g);
	gather_text(&g, kt_buf_view(&text));
	for (unsigned shift = 1; shift < 40; shift += 13) {
		struct kt_buf later = KT_BUF(1u << 22);
		gather_init(&moved);
		for (unsigned i = 0; i < shift; i++)
			kt_buf_str(&later, "\n");
		kt_buf_add(&later, kt_buf_view(&text));
		gather_text(&moved, kt_buf_view(&later));
		cr_assert(kt_str_eq(kt_buf_view(&moved.texts), kt_buf_view(&g.texts)));
		gather_free(&moved);
		kt_buf_free(&later);
	}
	kt_buf_free(&text);
	gather_free(&g);
}
