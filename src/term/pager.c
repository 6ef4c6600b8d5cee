#include "term/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "term/style.h"

#include "base/banned.h"

extern char **environ;

#define SH_CANNOT_RUN 126 /* 127: not found */

int kt_print(struct kt_str text, struct kt_err *err)
{
	if (text.len && kt_write_all(STDOUT_FILENO, text.p, text.len) < 0)
		return kt_err_set(err, KT_ERR_OUTPUT, "stdout cannot be written: %s", strerror(errno));
	return 0;
}

/* Takes colour sequences (ESC [ ... m) out. */
static void without_colour(struct kt_str line, struct kt_buf *out)
{
	for (size_t at = 0; at < line.len; at++) {
		if (line.p[at] != '\033') {
			kt_buf_char(out, line.p[at]);
			continue;
		}
		size_t end = kt_str_chr(line, 'm', at);
		if (end == KT_NPOS)
			return;
		at = end;
	}
}

static size_t line_height(struct kt_str line, unsigned width)
{
	struct kt_buf plain = KT_BUF(KT_BUF_TEXT);

	without_colour(line, &plain);
	unsigned columns = kt_width(kt_buf_view(&plain));
	kt_buf_free(&plain);
	return columns ? (columns + width - 1) / width : 1;
}

size_t kt_page_lines(struct kt_str text, unsigned width)
{
	struct kt_str line;
	size_t n = 0;

	if (text.len && text.p[text.len - 1] == '\n')
		text.len--;
	while (kt_str_cut(&text, '\n', &line))
		n += line_height(line, width);
	return n;
}

static const char *pager_command(void)
{
	const char *p = getenv("KTRIAGE_PAGER");

	if (!p)
		p = getenv("PAGER");
	if (!p)
		p = "less";
	return *p && strcmp(p, "cat") != 0 ? p : NULL;
}

/* The child must not inherit that we ignore SIGPIPE and SIGINT. */
static int spawn(const char *command, int in, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t defaults;
	char sh[] = "sh", opt[] = "-c";
	char *text = kt_strdup(kt_str_c(command));
	char *argv[] = {sh, opt, text, NULL};

	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGINT);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &defaults);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	int rc = posix_spawn(pid, "/bin/sh", &files, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	kt_free(text);
	return rc;
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

/* Feeds TEXT to COMMAND; false when it could not be run. */
static bool through(const char *command, struct kt_str text)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, old_int, old_pipe;
	pid_t pid;
	int fd[2];

	if (pipe2(fd, O_CLOEXEC) < 0)
		return false;
	sigemptyset(&ignore.sa_mask);
	sigaction(SIGINT, &ignore, &old_int); /* ^C is the pager's while it runs */
	sigaction(SIGPIPE, &ignore, &old_pipe);
	bool ran = spawn(command, fd[0], &pid) == 0;
	close(fd[0]);
	/* It may be left early: what it does not read is not missed. */
	if (ran && kt_write_all(fd[1], text.p, text.len) < 0)
		errno = 0;
	close(fd[1]);
	if (ran)
		ran = wait_for(pid) < SH_CANNOT_RUN;
	sigaction(SIGPIPE, &old_pipe, NULL);
	sigaction(SIGINT, &old_int, NULL);
	return ran;
}

static bool fits(struct kt_str text)
{
	unsigned height = kt_term_height(STDOUT_FILENO);

	/* One line stays for the prompt. */
	return height == 0 || kt_page_lines(text, kt_term_width(STDOUT_FILENO)) < height;
}

int kt_page(struct kt_str text, struct kt_err *err)
{
	const char *command = pager_command();

	if (!command || !isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO) || fits(text))
		return kt_print(text, err);
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	return through(command, text) ? 0 : kt_print(text, err);
}
