#include <criterion/criterion.h>
#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "term/pager.h"
#include "term/progress.h"
#include "term/signals.h"

/* What a child that pages TEXT on a terminal of 10 lines shows. */
static void on_terminal(const char *pager, const char *text, struct kt_buf *seen)
{
	struct winsize w = {.ws_col = 40, .ws_row = 10};
	int master;
	pid_t pid = forkpty(&master, NULL, NULL, &w);

	cr_assert(pid >= 0);
	if (pid == 0) {
		struct kt_err err = {0};
		setenv("KTRIAGE_PAGER", pager, 1);
		_exit(kt_page(kt_str_c(text), &err) < 0 ? 74 : 0);
	}
	char chunk[4096];
	for (ssize_t n; (n = read(master, chunk, sizeof chunk)) > 0;)
		kt_buf_add(seen, (struct kt_str){chunk, (size_t)n});
	int status;
	waitpid(pid, &status, 0);
	close(master);
	cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static bool shows(const struct kt_buf *b, const char *what)
{
	return kt_str_find(kt_buf_view(b), kt_str_c(what), 0) != KT_NPOS;
}

static const char twelve[] = "l1\nl2\nl3\nl4\nl5\nl6\nl7\nl8\nl9\nl10\nl11\nl12\n";

Test(pager, long_text_goes_through_it)
{
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	on_terminal("sed 's/^/paged /'", twelve, &b);
	cr_assert(shows(&b, "paged l1\r\n") && shows(&b, "paged l12"));
	kt_buf_free(&b);
}

Test(pager, short_text_does_not)
{
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	on_terminal("sed 's/^/paged /'", "l1\nl2\n", &b);
	cr_assert(shows(&b, "l1\r\nl2") && !shows(&b, "paged"));
	kt_buf_free(&b);
}

Test(pager, a_missing_one_is_passed_over)
{
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	on_terminal("/no/such/pager 2>/dev/null", twelve, &b);
	cr_assert(shows(&b, "l1\r\nl2") && shows(&b, "l12"));
	kt_buf_free(&b);
}

Test(pager, leaving_it_early_is_fine)
{
	struct kt_buf b = KT_BUF(KT_BUF_TEXT), text = KT_BUF(KT_BUF_TEXT);

	for (int i = 0; i < 100000; i++)
		kt_buf_fmt(&text, "line %d\n", i);
	on_terminal("head -1", text.p, &b);
	cr_assert(shows(&b, "line 0\r\n") && !shows(&b, "line 7"));
	kt_buf_free(&b);
	kt_buf_free(&text);
}

Test(pager, lines_of_the_screen)
{
	cr_assert(kt_page_lines(KT_S("a\n\nb\n"), 80) == 3);
	cr_assert(kt_page_lines(KT_S("aaaaa"), 2) == 3);
	cr_assert(kt_page_lines(KT_S("\033[1maa\033[0m"), 2) == 1);
}

Test(pager, closed_stdout_is_an_error_of_output)
{
	struct kt_err err = {0};
	int saved = dup(STDOUT_FILENO);

	close(STDOUT_FILENO);
	int rc = kt_print(KT_S("x"), &err);
	dup2(saved, STDOUT_FILENO);
	cr_assert(rc == -1 && err.cls == KT_ERR_OUTPUT);
}

static void said(struct kt_buf *b, struct kt_str what, uint64_t done, uint64_t total, uint64_t rate,
		 int64_t ms, unsigned width)
{
	struct kt_progress_line line = {what, done, total, rate, ms};

	kt_buf_clear(b);
	kt_progress_text(b, &line, width);
}

Test(progress, text_says_how_far)
{
	struct kt_buf b = KT_BUF(1000);

	said(&b, KT_S("driver\033.log"), 50000, 200000, 0, 2500, 80);
	cr_assert_str_eq(kt_buf_c(&b), "driver\\x1b.log  50 of 200 kB  2 s  (^C stops it)");
	said(&b, KT_S("x"), 450000000, 2050000000, 850000000, 2500, 80);
	cr_assert_str_eq(kt_buf_c(&b), "x  0.4 of 2.0 GB  850 MB/s  2 s left  (^C stops it)");
	said(&b, KT_S("x"), 5000000, 900000000000, 1500000000, 2500, 80);
	cr_assert_str_eq(kt_buf_c(&b), "x  0.0 of 900.0 GB  1.5 GB/s  10 min left  (^C stops it)");
	said(&b, KT_S("x"), 3400000, 0, 20000, 130000, 80);
	cr_assert_str_eq(kt_buf_c(&b), "x  3 MB  20 kB/s  2 min  (^C stops it)");
	said(&b, KT_S("x"), 0, 0, 0, 4000, 80);
	cr_assert_str_eq(kt_buf_c(&b), "x  4 s  (^C stops it)");
	said(&b, KT_S("a/very/long/path/to/driver.log"), 0, 0, 0, 1000, 40);
	cr_assert(strlen(kt_buf_c(&b)) <= 42);
	/* A file may grow while it is read. */
	said(&b, KT_S("x"), 3000000, 2000000, 1000000, 3000, 80);
	cr_assert_str_eq(kt_buf_c(&b), "x  3 MB  1 MB/s  3 s  (^C stops it)");
	kt_buf_free(&b);
}

Test(signals, interrupt_is_seen_in_pipe_and_flag)
{
	kt_signal_init();
	cr_assert(!kt_signal_cancelled() && kt_signal_take() == 0);
	raise(SIGINT);
	cr_assert(kt_signal_cancelled() && !kt_signal_ending());
	cr_assert(kt_signal_take() == SIGINT && kt_signal_take() == 0);
	raise(SIGINT);
	kt_signal_clear();
	cr_assert(!kt_signal_cancelled() && kt_signal_take() == 0);
	raise(SIGTERM);
	kt_signal_clear();
	cr_assert(kt_signal_cancelled() && kt_signal_ending());
}
