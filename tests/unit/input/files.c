#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "gather.h"

/* A folder of its own for each test. */
static char folder[64];

static void make_folder(void)
{
	snprintf(folder, sizeof folder, "/tmp/kt-input-XXXXXX");
	cr_assert(mkdtemp(folder) != NULL);
}

static void remove_folder(void)
{
	char rm[] = "rm", force[] = "-rf";
	char *const argv[] = {rm, force, folder, NULL};
	pid_t pid = fork();

	if (pid == 0) {
		execvp(rm, argv);
		_exit(1);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static const char *in_folder(const char *name)
{
	static char path[512];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static void write_file(const char *name, struct kt_str text)
{
	struct kt_err err = {0};

	cr_assert(kt_file_replace(in_folder(name), text, &err) == 0, "%s", err.text);
}

static void expect_one(const char *name, struct kt_str content, bool complete, const char *problem,
		       uint64_t records)
{
	struct gather g;

	gather_init(&g);
	write_file(name, content);
	cr_assert(kt_inputs_path(&g.in, in_folder(name), gather_record, &g) == 0);
	cr_assert(g.in.n == 1);
	const struct kt_input *in = &g.in.list[0];
	cr_expect(in->complete == complete, "%s", name);
	cr_expect(kt_str_find(in->problem, kt_str_c(problem), 0) != KT_NPOS, "%s: " KT_FMT, name,
		  KT_ARG(in->problem));
	cr_expect(complete == !in->problem.len);
	cr_expect(in->records == records && g.n == records, "%s: %llu", name,
		  (unsigned long long)in->records);
	gather_free(&g);
}

#define LINE "24/01/01 10:00:00 INFO X: message\n"

TestSuite(files, .init = make_folder, .fini = remove_folder);

Test(files, what_a_file_may_be)
{
	static const char nul_in_text[] = LINE "\0\0 after a crash\n" LINE;

	expect_one("log", KT_S(LINE LINE), true, "", 2);
	expect_one("empty", KT_S(""), true, "", 0);
	expect_one("no-newline", KT_S("24/01/01 10:00:00 INFO X: message"), true, "", 1);
	expect_one("bom", KT_S("\xef\xbb\xbf" LINE), true, "", 1);
	expect_one("nul", (struct kt_str){nul_in_text, sizeof nul_in_text - 1}, true, "", 2);
	expect_one("gz", KT_S("\x1f\x8b\x08\0\0\0\0\0"), false, "truncated (gzip)", 0);
	expect_one("7z", KT_S("7z\xbc\xaf\x27\x1c and so on"), false, "compressed (7z): unpack it first", 0);
	expect_one("binary", KT_S("\0\1\2\3\4\5\6\7text\0\1\2\3\4"), false, "binary, not text", 0);
	expect_one("utf32", KT_S("\xff\xfe\0\0a\0\0\0"), false, "UTF-32", 0);
}

Test(files, utf16_both_ways)
{
	struct kt_buf b = KT_BUF(4096);
	struct gather g;
	static const char text[] = LINE "second line\n";

	for (int big = 0; big < 2; big++) {
		kt_buf_clear(&b);
		kt_buf_add(&b, big ? KT_S("\xfe\xff") : KT_S("\xff\xfe"));
		for (const char *p = text; *p; p++) {
			kt_buf_char(&b, big ? '\0' : *p);
			kt_buf_char(&b, big ? *p : '\0');
		}
		kt_buf_add(&b, big ? KT_S("\xd8\x3d\xde\x00") : KT_S("\x3d\xd8\x00\xde")); /* U+1F600 */
		write_file("u16", kt_buf_view(&b));
		gather_init(&g);
		cr_assert(kt_inputs_path(&g.in, in_folder("u16"), gather_record, &g) == 0);
		cr_assert_str_eq(kt_buf_c(&g.texts), LINE "second line\n\xf0\x9f\x98\x80\n--\n");
		cr_assert(g.in.list[0].complete && g.in.list[0].lines == 3 && g.in.list[0].bytes == b.len);
		gather_free(&g);
		kt_buf_cut(&b, b.len - 1);
		expect_one("half", kt_buf_view(&b), false, "truncated: ends in the middle of a character", 1);
	}
	kt_buf_free(&b);
}

Test(files, what_cannot_be_opened_is_a_row)
{
	struct gather g;

	gather_init(&g);
	cr_assert(kt_inputs_path(&g.in, in_folder("absent"), gather_record, &g) == 0);
	cr_assert(g.in.n == 1 && !g.in.list[0].complete && !g.in.list[0].opened);
	cr_assert(kt_str_starts(g.in.list[0].problem, KT_S("cannot be opened: ")));
	cr_assert(kt_inputs_fd(&g.in, 999, KT_S("stdin"), gather_record, &g) == 0);
	cr_assert(g.in.n == 2 && kt_str_starts(g.in.list[1].problem, KT_S("cannot be read: ")));
	int fd = open(folder, O_RDONLY);
	cr_assert(kt_inputs_fd(&g.in, fd, KT_S("folder"), gather_record, &g) == 0);
	cr_assert(kt_str_starts(g.in.list[2].problem, KT_S("cannot be read: ")));
	close(fd);
	gather_free(&g);
}

Test(files, a_folder_by_name_and_each_once)
{
	struct gather g;
	struct kt_buf names = KT_BUF(4096);

	mkdir(in_folder("b"), 0755);
	mkdir(in_folder("empty"), 0755);
	write_file("c.log", KT_S(LINE));
	write_file("a.log", KT_S(LINE));
	write_file("b/z.log", KT_S(LINE));
	write_file("b/y.log", KT_S(LINE));
	write_file(".hidden", KT_S(LINE));
	cr_assert(symlink("..", in_folder("b/up")) == 0);
	cr_assert(symlink("c.log", in_folder("latest.log")) == 0);
	cr_assert(symlink("nowhere", in_folder("dangling")) == 0);
	cr_assert(mkfifo(in_folder("fifo"), 0600) == 0);
	gather_init(&g);
	cr_assert(kt_inputs_path(&g.in, folder, gather_record, &g) == 0);
	for (size_t i = 0; i < g.in.n; i++) {
		kt_buf_add(&names, kt_str_from(g.in.list[i].name, strlen(folder) + 1));
		kt_buf_str(&names, g.in.list[i].complete ? " " : "! ");
	}
	cr_assert_str_eq(kt_buf_c(&names), "a.log b/y.log b/z.log c.log dangling! ");
	cr_assert(g.n == 4);
	gather_free(&g);
	gather_init(&g);
	cr_assert(kt_inputs_path(&g.in, in_folder("empty"), gather_record, &g) == 0);
	cr_assert(g.in.n == 1 && !g.in.list[0].complete);
	gather_free(&g);
	kt_buf_free(&names);
}

Test(files, limits_of_a_folder_are_said)
{
	struct gather g;

	for (int i = 0; i < 5; i++) {
		char name[32];
		snprintf(name, sizeof name, "f%d", i);
		write_file(name, KT_S(LINE));
	}
	mkdir(in_folder("g"), 0755);
	write_file("g/deep", KT_S(LINE));
	gather_init(&g);
	g.in.limits.max_files = 3;
	cr_assert(kt_inputs_path(&g.in, folder, gather_record, &g) == 0);
	cr_assert(g.in.n == 4 && g.n == 3 &&
		  kt_str_find(g.in.list[3].problem, KT_S("more than 3 files"), 0) != KT_NPOS);
	gather_free(&g);
	gather_init(&g);
	g.in.limits.max_depth = 0;
	cr_assert(kt_inputs_path(&g.in, folder, gather_record, &g) == 0);
	cr_assert(g.in.n == 6 && !g.in.list[5].complete);
	gather_free(&g);
}

Test(files, bytes_behind_the_limit_are_said)
{
	struct gather g;

	write_file("log", KT_S(LINE LINE LINE));
	gather_init(&g);
	g.in.limits.max_bytes = 2 * (sizeof LINE - 1);
	cr_assert(kt_inputs_path(&g.in, in_folder("log"), gather_record, &g) == 0);
	cr_assert(g.n == 2 && !g.in.list[0].complete && g.in.list[0].bytes == 2 * (sizeof LINE - 1));
	cr_assert(kt_str_starts(g.in.list[0].problem, KT_S("longer than 68 bytes")), KT_FMT,
		  KT_ARG(g.in.list[0].problem));
	g.in.limits.max_bytes = 3 * (sizeof LINE - 1); /* just enough */
	cr_assert(kt_inputs_path(&g.in, in_folder("log"), gather_record, &g) == 0);
	cr_assert(g.in.list[1].complete);
	/* endless, and nothing of it is text */
	g.in.limits.max_bytes = 1u << 20;
	cr_assert(kt_inputs_path(&g.in, "/dev/zero", gather_record, &g) == 0);
	cr_assert(!g.in.list[2].complete);
	gather_free(&g);
}

struct writer {
	int fd;
	size_t bytes; /* 0: until nobody reads */
};

static void *write_lines(void *arg)
{
	struct writer *w = arg;
	size_t done = 0;

	while (!w->bytes || done < w->bytes) {
		ssize_t n = write(w->fd, LINE, sizeof LINE - 1);
		if (n < 0)
			break;
		done += (size_t)n;
	}
	close(w->fd);
	return NULL;
}

/* An endless stream ends at the limit; a pipe gives its bytes in pieces. */
Test(files, streams)
{
	struct gather g;
	pthread_t t;
	int fds[2];

	signal(SIGPIPE, SIG_IGN);
	for (int endless = 0; endless < 2; endless++) {
		cr_assert(pipe(fds) == 0);
		struct writer w = {fds[1], endless ? 0 : 34000 * 3};
		cr_assert(pthread_create(&t, NULL, write_lines, &w) == 0);
		gather_init(&g);
		g.in.limits.max_bytes = 34 * 10000;
		cr_assert(kt_inputs_fd(&g.in, fds[0], KT_S("-"), gather_record, &g) == 0);
		close(fds[0]);
		pthread_join(t, NULL);
		cr_assert(g.n == (endless ? 10000 : 3000), "%llu", (unsigned long long)g.n);
		cr_assert(g.in.list[0].complete == !endless);
		gather_free(&g);
	}
}

Test(files, the_callback_ends_the_reading)
{
	struct gather g;

	mkdir(in_folder("d"), 0755);
	write_file("d/1", KT_S(LINE LINE LINE));
	write_file("d/2", KT_S(LINE));
	gather_init(&g);
	g.stop_at = 2;
	cr_assert(kt_inputs_path(&g.in, in_folder("d"), gather_record, &g) == 7);
	cr_assert(g.n == 2 && g.in.n == 2 && !g.in.list[0].complete);
	cr_assert(kt_str_eq_c(g.in.list[0].problem, "reading was stopped"));
	cr_assert(kt_str_eq_c(g.in.list[1].problem, "reading was stopped: not all of its files were read"));
	gather_free(&g);
}

Test(files, a_signal_stops_it)
{
	volatile sig_atomic_t stop = 1;
	struct gather g;

	write_file("log", KT_S(LINE));
	gather_init(&g);
	g.in.stop = &stop;
	cr_assert(kt_inputs_path(&g.in, in_folder("log"), gather_record, &g) == 0);
	cr_assert(g.n == 0 && !g.in.list[0].complete);
	gather_free(&g);
}

/* --- flat memory, work in proportion --- */

static int count_only(void *ctx, const struct kt_record *r)
{
	uint64_t *n = ctx;

	n[0]++;
	n[1] += r->text.len;
	return 0;
}

static long rss_kib(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss;
}

/* A file of N bytes without line ends but its last. */
static void write_long_line(const char *name, size_t n)
{
	static char block[1 << 16];
	FILE *f = fopen(in_folder(name), "w");

	memset(block, 'a', sizeof block);
	for (; n; n -= sizeof block)
		fwrite(block, 1, sizeof block, f);
	fclose(f);
}

static void write_records(const char *name, unsigned n)
{
	FILE *f = fopen(in_folder(name), "w");

	for (unsigned i = 0; i < n; i++)
		fprintf(f, "24/01/01 10:00:00 INFO X: record %u\n%s", i,
			i % 10 ? "" : "\tat a.B.c(B.java:1)\n");
	fclose(f);
}

Test(files, memory_is_flat)
{
	uint64_t n[2], first_text = 0;
	struct gather g;
	long before;

	gather_init(&g);
	for (unsigned k = 1; k <= 3; k++) {
		n[0] = n[1] = 0;
		write_records("r", k * 500000);
		before = rss_kib();
		cr_assert(kt_inputs_path(&g.in, in_folder("r"), count_only, n) == 0);
		cr_assert(n[0] == k * 500000ull && g.in.list[k - 1].lines == k * 550000ull);
		first_text = first_text ? first_text : n[1];
		cr_assert(n[1] / k >= first_text && n[1] / k < first_text + first_text / 10,
			  "bytes in proportion");
		cr_assert(k == 1 || rss_kib() - before < 2048, "%ld KiB more", rss_kib() - before);
	}
	write_long_line("l", 64u << 20);
	before = rss_kib();
	n[0] = n[1] = 0;
	cr_assert(kt_inputs_path(&g.in, in_folder("l"), count_only, n) == 0);
	cr_assert(n[0] == 1 && n[1] < 300000 && g.in.list[3].bytes == 64u << 20);
	cr_assert(rss_kib() - before < 4096, "%ld KiB more", rss_kib() - before);
	gather_free(&g);
}

/* --- the reference logs, where they are --- */

static void reference(const char *name, struct gather *g)
{
	const char *shared = getenv("KTRIAGE_SHARED");
	struct kt_buf path = KT_BUF(4096);

	kt_buf_fmt(&path, "%s/data/%s", shared ? shared : "../shared", name);
	gather_init(g);
	if (access(kt_buf_c(&path), R_OK) != 0)
		cr_skip("no reference data at KTRIAGE_SHARED");
	cr_assert(kt_inputs_path(&g->in, kt_buf_c(&path), gather_record, g) == 0);
	kt_buf_free(&path);
}

static void expect_reference(const char *name, const char *counts, uint64_t lines)
{
	struct gather g;

	reference(name, &g);
	cr_expect_str_eq(gather_counts(&g), counts, "%s: %s", name, gather_counts(&g));
	cr_expect(g.in.list[0].complete && g.in.list[0].lines == lines, "%s", name);
	gather_free(&g);
}

Test(files, reference_logs)
{
	expect_reference("logs/spark_driverLogger_dfs_driverlog.log", "S2=270", 298);
	expect_reference("logs/yarn_container_kyuubi-engine_stdout.log", "S6=401", 522);
}

Test(files, reference_event_logs)
{
	expect_reference("eventlogs/databricks-azure_tiny", "E1=35", 35);
	expect_reference("eventlogs/db_sim_eventlog/eventlog", "E1=251", 251);
	expect_reference("eventlogs/eventlog_v2_spark-110be3a8424d4a2789cb88134418217b/"
			 "events_1_spark-110be3a8424d4a2789cb88134418217b",
			 "E1=132", 132);
	expect_reference("eventlogs/spark-1.2_taskfail_local-1422981780767", "E1=82", 82);
	expect_reference("eventlogs/spark-2.1_blacklist_app-20161115172038-0000", "E1=75", 75);
}

Test(files, reference_compressed_ones)
{
	expect_reference("eventlogs/spark-2.2.3.zstd", "E1=58", 58);
}
