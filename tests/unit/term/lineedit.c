/* The line editor on a real pseudo terminal: a child reads inputs and tells what it got. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "term/lineedit.h"
#include "term/pastes.h"
#include "term/signals.h"

static enum kt_line_kind kind(void *ctx, struct kt_str line)
{
	(void)ctx;
	if (kt_str_eq_c(line, "where") || kt_str_eq_c(line, "raw"))
		return KT_LINE_COMMAND;
	return kt_str_find(line, KT_S("Exception"), 0) != KT_NPOS ? KT_LINE_TEXT : KT_LINE_OTHER;
}

static bool keep(void *ctx, struct kt_str line)
{
	(void)ctx;
	return kt_str_find(line, KT_S("secret"), 0) == KT_NPOS;
}

static void complete(void *ctx, struct kt_str line, size_t at, struct kt_edit_words *out)
{
	(void)ctx;
	if (at == 0) {
		kt_edit_offer(out, KT_S("where"));
		kt_edit_offer(out, KT_S("why-not"));
	} else if (kt_str_starts(line, KT_S("scan "))) {
		kt_edit_offer_files(out);
	}
}

static void tell(const struct kt_edit_input *in)
{
	size_t lines = 1;

	for (size_t i = 0; i < in->text.len; i++)
		lines += in->text.p[i] == '\n';
	printf("GOT bytes=%zu lines=%zu pasted=%zu whole=%d cut=%d <%.30s>\n", in->text.len, lines,
	       in->pasted, in->whole, in->cut, kt_buf_c(&in->text));
	fflush(stdout);
}

/* Reads until the end; "raw" switches to raw lines, "sleep" works for a second. */
static int read_all(const char *history)
{
	struct kt_edit_opts opts = {.history = history, .kind = kind, .keep = keep, .complete = complete};
	struct kt_edit *e = kt_edit_new(&opts);
	struct kt_edit_input in = {0};

	while (kt_edit_read(e, "> ", &in) == KT_EDIT_INPUT) {
		tell(&in);
		if (kt_str_eq_c(kt_buf_view(&in.text), "raw")) {
			printf("RAW %s\n", kt_edit_raw(e, &in) == KT_EDIT_CANCEL ? "given up" : "read");
			tell(&in);
		}
		if (kt_str_eq_c(kt_buf_view(&in.text), "work")) {
			while (!kt_signal_cancelled())
				poll(NULL, 0, 10);
			puts("CANCELLED");
			fflush(stdout);
		}
	}
	puts("END");
	fflush(stdout);
	kt_edit_input_free(&in);
	kt_edit_free(e);
	return 0;
}

struct term {
	int fd;
	pid_t pid;
	struct kt_buf seen;
	size_t looked;
};

static struct term start(const char *history, const char *name)
{
	struct winsize w = {.ws_col = 80, .ws_row = 24};
	struct term t = {.seen = KT_BUF(KT_BUF_TEXT)};

	t.pid = forkpty(&t.fd, NULL, NULL, &w);
	cr_assert(t.pid >= 0);
	if (t.pid == 0) {
		setenv("TERM", name, 1);
		setenv("INPUTRC", "/dev/null", 1);
		_exit(read_all(history));
	}
	return t;
}

static void send(struct term *t, const char *what)
{
	size_t len = strlen(what);

	while (len) {
		struct pollfd p = {.fd = t->fd, .events = POLLIN | POLLOUT};
		char chunk[4096];
		cr_assert(poll(&p, 1, 10000) > 0);
		if (p.revents & POLLIN) {
			ssize_t n = read(t->fd, chunk, sizeof chunk);
			if (n > 0)
				kt_buf_add(&t->seen, (struct kt_str){chunk, (size_t)n});
			continue;
		}
		ssize_t n = write(t->fd, what, len > 1024 ? 1024 : len);
		cr_assert(n > 0);
		what += n;
		len -= (size_t)n;
	}
}

/* Waits until WHAT appears behind what was looked at before. */
static void expect(struct term *t, const char *what)
{
	for (;;) {
		size_t at = kt_str_find(kt_buf_view(&t->seen), kt_str_c(what), t->looked);
		if (at != KT_NPOS) {
			t->looked = at + strlen(what);
			return;
		}
		struct pollfd p = {.fd = t->fd, .events = POLLIN};
		char chunk[4096];
		cr_assert(poll(&p, 1, 10000) > 0, "no '%s' in: %s", what, kt_buf_c(&t->seen));
		ssize_t n = read(t->fd, chunk, sizeof chunk);
		cr_assert(n > 0, "ended without '%s': %s", what, kt_buf_c(&t->seen));
		kt_buf_add(&t->seen, (struct kt_str){chunk, (size_t)n});
	}
}

static void end(struct term *t)
{
	int status;

	expect(t, "END\r\n");
	waitpid(t->pid, &status, 0);
	cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	close(t->fd);
	kt_buf_free(&t->seen);
}

/* Types once the prompt stands: what comes earlier meets a terminal in its usual modes. */
static void say(struct term *t, const char *what)
{
	expect(t, "> ");
	send(t, what);
}

static bool on_screen(const struct term *t, const char *what)
{
	return kt_str_find(kt_buf_view(&t->seen), kt_str_c(what), 0) != KT_NPOS;
}

static char *trace_of(size_t lines, const char *line_end)
{
	struct kt_buf b = KT_BUF(64u << 20);

	kt_buf_fmt(&b, "java.lang.Exception: Timed out%s", line_end);
	for (size_t i = 1; i < lines; i++)
		kt_buf_fmt(&b, "\tat com.microsoft.kusto.spark.Foo.bar(Foo.scala:%zu)%s", i, line_end);
	return b.p;
}

Test(lineedit, a_typed_line)
{
	struct term t = start(NULL, "xterm");

	say(&t, "writ\177te\r");
	expect(&t, "GOT bytes=5 lines=1 pasted=0 whole=0 cut=0 <write>");
	say(&t, "\004");
	end(&t);
}

Test(lineedit, a_marked_paste_of_2000_lines_is_one_input)
{
	struct term t = start(NULL, "xterm");
	char *trace = trace_of(2000, "\r");

	say(&t, "\033[200~");
	send(&t, trace);
	send(&t, "\033[201~");
	expect(&t, "[pasted 2000 lines]");
	send(&t, "\r");
	expect(&t, "lines=2000 pasted=2000 whole=1 cut=0 <java.lang.Exception: Timed out");
	cr_assert(!on_screen(&t, "Foo.scala"), "the text flooded the screen");
	say(&t, "\004");
	end(&t);
	free(trace);
}

Test(lineedit, a_paste_of_ten_megabytes_is_one_input)
{
	struct term t = start(NULL, "xterm");
	char *trace = trace_of(200000, "\r\n");

	say(&t, "\033[200~");
	send(&t, trace);
	send(&t, "\033[201~where"); /* typed right behind it */
	expect(&t, "[pasted 200000 lines]where");
	send(&t, "\r");
	expect(&t, "lines=200000 pasted=200000 whole=0");
	say(&t, "\004");
	end(&t);
	free(trace);
}

Test(lineedit, words_before_a_paste_stay_and_two_pastes_are_told_apart)
{
	struct term t = start(NULL, "xterm");

	say(&t, "search \033[200~a\rb\033[201~ \033[200~c\rd\033[201~\r");
	expect(&t, "search [pasted 2 lines] [pasted 2 lines, #2]");
	expect(&t, "GOT bytes=14 lines=3 pasted=4 whole=0 cut=0 <search a\r\nb c\r\nd>");
	say(&t, "\004");
	end(&t);
}

Test(lineedit, a_paste_edited_away_is_gone)
{
	struct term t = start(NULL, "xterm");

	say(&t, "\033[200~a\rb\033[201~");
	expect(&t, "[pasted 2 lines]");
	send(&t, "\025why\r"); /* ^U */
	expect(&t, "GOT bytes=3 lines=1 pasted=0 whole=0 cut=0 <why>");
	say(&t, "\004");
	end(&t);
}

Test(lineedit, one_short_line_is_inserted_and_a_hostile_one_is_not)
{
	struct term t = start(NULL, "xterm");

	say(&t, "\033[200~Queued\033[201~\r");
	expect(&t, "Queued");
	expect(&t, "GOT bytes=6 lines=1 pasted=0 whole=0 cut=0 <Queued>");
	say(&t, "\033[200~a\033]0;x\007\302\233b\033[201~\r");
	expect(&t, "[pasted 1 line]");
	expect(&t, "pasted=1 whole=1");
	say(&t, "\004");
	end(&t);
}

Test(lineedit, interrupt_gives_the_line_up_but_not_the_prompt)
{
	struct term t = start(NULL, "xterm");

	say(&t, "half a li");
	expect(&t, "half a li");
	send(&t, "\003");
	expect(&t, "^C");
	say(&t, "whole\r");
	expect(&t, "GOT bytes=5 lines=1 pasted=0 whole=0 cut=0 <whole>");
	say(&t, "\033[200~a\rb");
	usleep(50000);
	send(&t, "\003"); /* a paste that never ends */
	expect(&t, "^C");
	say(&t, "where\r");
	expect(&t, "<where>");
	say(&t, "\004");
	end(&t);
}

Test(lineedit, interrupt_reaches_the_work)
{
	struct term t = start(NULL, "xterm");

	say(&t, "work\r");
	expect(&t, "<work>");
	usleep(50000);
	send(&t, "\003");
	expect(&t, "CANCELLED");
	say(&t, "where\r");
	expect(&t, "<where>");
	say(&t, "\004");
	end(&t);
}

Test(lineedit, an_end_that_is_asked_for_ends)
{
	struct term t = start(NULL, "xterm");

	expect(&t, "> ");
	kill(t.pid, SIGTERM);
	end(&t);
}

Test(lineedit, tab_completes_what_the_place_allows)
{
	char dir[] = "/tmp/kt-edit-XXXXXX", path[100];

	cr_assert(mkdtemp(dir) != NULL);
	snprintf(path, sizeof path, "%s/driver.log", dir);
	close(open(path, O_CREAT | O_WRONLY, 0600));
	struct term t = start(NULL, "xterm");
	say(&t, "whe\t\r");
	expect(&t, "<where >");
	snprintf(path, sizeof path, "scan %s/dr\t\r", dir);
	say(&t, path);
	expect(&t, "driver.log ");
	expect(&t, "GOT ");
	say(&t, "x whe\t\r"); /* not at this place */
	expect(&t, "<x whe>");
	say(&t, "\004");
	end(&t);
	snprintf(path, sizeof path, "%s/driver.log", dir);
	unlink(path);
	rmdir(dir);
}

Test(lineedit, history_is_private_and_keeps_no_secret)
{
	char dir[] = "/tmp/kt-edit-XXXXXX", path[100];
	struct kt_buf text = KT_BUF(KT_BUF_TEXT);
	struct kt_err err = {0};
	struct stat st;

	cr_assert(mkdtemp(dir) != NULL);
	snprintf(path, sizeof path, "%s/history", dir);
	close(open(path, O_CREAT | O_WRONLY, 0644));
	struct term t = start(path, "xterm");
	say(&t, "set clientSecret secret\r");
	expect(&t, "GOT");
	send(&t, "\033[200~one\rtwo\033[201~\r");
	expect(&t, "lines=2");
	say(&t, "\004");
	end(&t);
	cr_assert(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600);
	cr_assert(kt_file_read(path, &text, &err) == 0);
	cr_assert(kt_str_find(kt_buf_view(&text), KT_S("secret"), 0) == KT_NPOS);

	t = start(path, "xterm"); /* the entry of two lines is one again */
	say(&t, "\033[A\r");
	expect(&t, "GOT bytes=7 lines=2");
	say(&t, "\004");
	end(&t);
	kt_buf_free(&text);
	unlink(path);
	rmdir(dir);
}

Test(lineedit, a_text_without_marks_is_joined_and_commands_are_not)
{
	struct term t = start(NULL, "dumb");

	say(&t, "java.lang.Exception: x\r\tat a\r\tat b\r");
	expect(&t, "lines=3 pasted=3 whole=1");
	say(&t, "where\rwhere\r");
	expect(&t, "bytes=5 lines=1");
	expect(&t, "bytes=5 lines=1");
	say(&t, "\004");
	end(&t);
}

Test(lineedit, raw_lines_end_with_a_dot_or_the_end_and_may_be_long)
{
	struct term t = start(NULL, "xterm");
	struct kt_buf line = KT_BUF(KT_BUF_TEXT);

	say(&t, "raw\r");
	expect(&t, "<raw>");
	usleep(50000);
	kt_buf_fmt(&line, "%06000d\rwhy\r.\rwhere\r", 1);
	send(&t, line.p);
	expect(&t, "RAW read");
	expect(&t, "GOT bytes=6004 lines=2 pasted=2 whole=1");
	expect(&t, "<where>"); /* typed ahead behind the dot */
	say(&t, "raw\r");
	expect(&t, "<raw>");
	usleep(50000);
	send(&t, "x\r\004");
	expect(&t, "RAW read");
	expect(&t, "bytes=1 lines=1");
	say(&t, "raw\r");
	expect(&t, "<raw>");
	usleep(50000);
	send(&t, "x\r\003");
	expect(&t, "RAW given up");
	say(&t, "\004");
	end(&t);
	kt_buf_free(&line);
}

/* ---- no terminal ---- */

static void piped(const char *text, size_t len, struct kt_buf *seen)
{
	int in[2], out[2];
	char chunk[4096];

	cr_assert(pipe(in) == 0 && pipe(out) == 0);
	pid_t pid = fork();
	if (pid == 0) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		close(in[0]), close(in[1]), close(out[0]), close(out[1]);
		_exit(read_all(NULL));
	}
	close(in[0]), close(out[1]);
	while (len) {
		ssize_t n = write(in[1], text, len);
		cr_assert(n > 0);
		text += n;
		len -= (size_t)n;
	}
	close(in[1]);
	for (ssize_t n; (n = read(out[0], chunk, sizeof chunk)) > 0;)
		kt_buf_add(seen, (struct kt_str){chunk, (size_t)n});
	close(out[0]);
	int status;
	waitpid(pid, &status, 0);
	cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void piped_gives(const char *text, const char *want)
{
	struct kt_buf seen = KT_BUF(KT_BUF_TEXT);

	piped(text, strlen(text), &seen);
	cr_assert_str_eq(kt_buf_c(&seen), want);
	kt_buf_free(&seen);
}

Test(lineedit, a_pipe_gives_lines_and_the_last_needs_no_end)
{
	piped_gives("where\r\nwhy", "GOT bytes=5 lines=1 pasted=0 whole=0 cut=0 <where>\n"
				    "GOT bytes=3 lines=1 pasted=0 whole=0 cut=0 <why>\nEND\n");
	piped_gives("", "END\n");
	piped_gives("\n", "GOT bytes=0 lines=1 pasted=0 whole=0 cut=0 <>\nEND\n");
}

Test(lineedit, a_text_in_a_pipe_is_joined_up_to_the_next_command)
{
	piped_gives("Exception: x\n\tat a\n\n\tat b\nwhere\nExceptional\n",
		    "GOT bytes=25 lines=4 pasted=4 whole=1 cut=0 <Exception: x\n\tat a\n\n\tat b>\n"
		    "GOT bytes=5 lines=1 pasted=0 whole=0 cut=0 <where>\n"
		    "GOT bytes=11 lines=1 pasted=0 whole=0 cut=0 <Exceptional>\nEND\n");
}

Test(lineedit, raw_lines_from_a_pipe)
{
	piped_gives("raw\na\nb\n.\nwhy\n", "GOT bytes=3 lines=1 pasted=0 whole=0 cut=0 <raw>\nRAW read\n"
					   "GOT bytes=3 lines=2 pasted=2 whole=1 cut=0 <a\nb>\n"
					   "GOT bytes=3 lines=1 pasted=0 whole=0 cut=0 <why>\nEND\n");
	piped_gives("raw\na", "GOT bytes=3 lines=1 pasted=0 whole=0 cut=0 <raw>\nRAW read\n"
			      "GOT bytes=1 lines=1 pasted=1 whole=1 cut=0 <a>\nEND\n");
}

Test(lineedit, an_endless_line_is_cut_and_costs_linear_time)
{
	struct kt_buf seen = KT_BUF(KT_BUF_TEXT);
	size_t len = (64u << 20) + 100;
	char *text = malloc(len);
	struct rusage used;

	memset(text, 'x', len);
	piped(text, len, &seen);
	cr_assert(kt_str_find(kt_buf_view(&seen), KT_S("GOT bytes=67108864 "), 0) == 0);
	cr_assert(kt_str_find(kt_buf_view(&seen), KT_S("GOT bytes=100 "), 0) != KT_NPOS);
	cr_assert(getrusage(RUSAGE_CHILDREN, &used) == 0 && used.ru_utime.tv_sec < 3);
	free(text);
	kt_buf_free(&seen);
}

Test(pastes, line_ends_of_all_systems)
{
	struct kt_buf b = KT_BUF(100);

	kt_buf_str(&b, "a\r\nb\rc\n\r\nd");
	kt_paste_unify(&b);
	cr_assert_str_eq(kt_buf_c(&b), "a\nb\nc\n\nd");
	kt_buf_free(&b);
}
