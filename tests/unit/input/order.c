#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "gather.h"
#include "input/order.h"

#define NAMES 32

/* The names in TEXT, separated by blanks, in the order in which they are wanted. */
static void expect_order(const char *text)
{
	struct kt_str names[NAMES], rest = kt_str_c(text), name;
	struct kt_buf got = KT_BUF(4096);
	size_t n = 0;

	while (kt_str_cut(&rest, ' ', &name))
		names[n++] = name;
	for (size_t turn = 0; turn < n; turn++) { /* from any order */
		kt_order_names(names, n);
		kt_buf_clear(&got);
		for (size_t i = 0; i < n; i++)
			kt_buf_fmt(&got, "%s" KT_FMT, i ? " " : "", KT_ARG(names[i]));
		cr_expect_str_eq(kt_buf_c(&got), text, "%s", kt_buf_c(&got));
		struct kt_str first = names[0]; /* turned, and in part the other way round */
		memmove(names, names + 1, (n - 1) * sizeof *names);
		names[n - 1] = first;
		for (size_t i = 0; i < turn / 2; i++) {
			struct kt_str swap = names[i];
			names[i] = names[turn - i];
			names[turn - i] = swap;
		}
	}
	kt_buf_free(&got);
}

Test(order, the_oldest_of_a_log_comes_first)
{
	expect_order("driver.log.10 driver.log.2 driver.log.1 driver.log");
	expect_order("stderr.11.gz stderr.2.gz stderr.1 stderr stdout.1.zst stdout");
	expect_order("log4j-2026-11-30-09.log.gz log4j-2026-11-30-10.log.gz log4j-2026-12-01-00.log "
		     "log4j-active.log");
	expect_order("stderr--2026-11-30--09-00 stderr--2026-11-30--10-00 stderr stdout--2026-11-30--09-00 "
		     "stdout");
	expect_order("driver-stderr-2026-11-30 driver-stderr-2026-12-01 driver-stderr-active stderr-active");
	expect_order("0.log.20261130-101010.gz 0.log.20261201-000000 0.log");
	expect_order("hadoop.log.2026-11-29 hadoop.log.2026-11-30 hadoop.log");
	expect_order("app.2026-11-30.2.log app.2026-11-30.10.log app.2026-12-01.0.log app.log");
	expect_order("app-20261115172038-0000 app-20261115172038-0001 app-20261116000000-0000");
	expect_order("x.log.2026-11-30 x.log.3 x.log.1 x.log");
}

Test(order, logs_of_collectors_go_up)
{
	expect_order("gc.log.0 gc.log.1 gc.log.2 gc.log.10.current");
	expect_order("gc.log.1 gc.log.2 gc.log.0.current"); /* what was before stands in it no more */
	expect_order("a.log.1 a.log gc.log.1 gc.log.2.current");
	expect_order("gc.log.2 gc.log.1 gc.log gc.log1.2 gc.log1.3.current");
}

Test(order, numbers_are_numbers)
{
	expect_order("events_1_spark-a events_2_spark-a events_10_spark-a");
	expect_order("0 1 2 10 11");
	expect_order("container_1_0001_01_000002 container_1_0001_01_000010");
	expect_order("part-07 part-7 part-8 part-18446744073709551617 part-99999999999999999999");
	expect_order("app.1.log app.2.log app.10.log app.log");
}

Test(order, what_only_looks_like_a_mark)
{
	expect_order("application_1701381780767_0001 application_1701381780767_0002"); /* no date */
	expect_order("a-2026-13-01.log a-2026-14-01.log a.log");
	expect_order("a-2026-1-05 a-2026-11-7");
	expect_order("inactive.log proactive.log");
	expect_order(".1 .2 a");
	expect_order("x.1234567 x.1234568"); /* too long for a counter */
	expect_order("current current.gz");
	expect_order("a.gz a.gz.gz a.gz.gz.gz");
	expect_order("001 01 1 A.current A.gz a b");
}

Test(order, others_by_bytes)
{
	expect_order("B a b c.log driver executor \xc3\xa9");
	kt_order_names(NULL, 0);
}

/* A folder is walked in that order, and its records come in it. */
Test(order, of_the_records_of_a_folder)
{
	static const char *const names[] = {"driver.log", "driver.log.1", "driver.log.10", "driver.log.2"};
	char folder[] = "/tmp/kt-order-XXXXXX", path[64];
	struct kt_err err = {0};
	struct gather g;

	cr_assert(mkdtemp(folder) != NULL);
	for (size_t i = 0; i < KT_LEN(names); i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		cr_assert(kt_file_replace(path, kt_str_c(names[i]), &err) == 0);
	}
	gather_init(&g);
	cr_assert(kt_inputs_path(&g.in, folder, gather_record, &g) == 0);
	cr_expect_str_eq(kt_buf_c(&g.texts),
			 "driver.log.10\n--\ndriver.log.2\n--\ndriver.log.1\n--\ndriver.log\n--\n");
	gather_free(&g);
	for (size_t i = 0; i < KT_LEN(names); i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		unlink(path);
	}
	rmdir(folder);
}
