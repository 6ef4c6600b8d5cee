/* A token of the Azure CLI, without a shell; see token.h. */
#include "kusto/token.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/redact.h"

#include "base/banned.h"

extern char **environ;

#define AZ_LIMIT_MS   60000 /* it is slow: seconds when warm, half a minute when cold */
#define EXIT_LIMIT_MS 5000
#define STDERR_MAX    4096

/* The program while it runs. Its text is kept up to a ceiling, the rest is read
 * and dropped, so that it never waits for us. */
struct child {
	pid_t pid;
	int fds[2]; /* its stdout, stderr */
	char *text[2];
	size_t len[2], max[2];
};

static int spawn_quiet(char *const argv[], int out, int errors, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, standard;

	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attr);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
	sigemptyset(&none);
	sigemptyset(&standard);
	sigaddset(&standard, SIGPIPE);
	sigaddset(&standard, SIGINT);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &standard);
	posix_spawnattr_setpgroup(&attr, 0); /* to be killed with its children */
	posix_spawnattr_setflags(&attr,
				 POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	int rc = posix_spawnp(pid, argv[0], &files, &attr, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return rc;
}

static int start(struct child *c, char *const argv[], struct kt_err *err)
{
	int out[2], errors[2];

	if (pipe2(out, O_CLOEXEC) < 0)
		return kt_err_set(err, KT_ERR_INTERNAL, "no pipe: %s", strerror(errno));
	if (pipe2(errors, O_CLOEXEC) < 0) {
		kt_err_set(err, KT_ERR_INTERNAL, "no pipe: %s", strerror(errno));
		close(out[0]);
		close(out[1]);
		return -1;
	}
	int rc = spawn_quiet(argv, out[1], errors[1], &c->pid);
	close(out[1]);
	close(errors[1]);
	c->fds[0] = out[0];
	c->fds[1] = errors[0];
	if (rc == 0)
		return 0;
	close(out[0]);
	close(errors[0]);
	if (rc == ENOENT)
		return kt_err_set(err, KT_ERR_CLUSTER,
				  "az is not installed, and no " KT_TOKEN_ENV " is set: set it, "
				  "or give the token as a file or on stdin");
	return kt_err_set(err, KT_ERR_CLUSTER, "az cannot be started: %s", strerror(rc));
}

/* Takes what is there of stream I; false at its end. */
static bool take(struct child *c, int i)
{
	char chunk[4096];
	ssize_t n = read(c->fds[i], chunk, sizeof chunk);

	if (n < 0)
		return errno == EINTR;
	size_t room = c->max[i] - c->len[i], keep = (size_t)n < room ? (size_t)n : room;
	memcpy(c->text[i] + c->len[i], chunk, keep);
	c->len[i] += keep;
	explicit_bzero(chunk, sizeof chunk);
	return n > 0;
}

/* 0 when both streams ended; -1 when the time is over or the person said stop. */
static int collect(struct child *c, const struct kt_cancel *cancel, struct kt_err *err)
{
	struct pollfd p[3] = {{c->fds[0], POLLIN, 0}, {c->fds[1], POLLIN, 0}, {cancel->fd, POLLIN, 0}};
	int64_t end = kt_now_ms() + AZ_LIMIT_MS;
	int open = 2;

	while (open) {
		if (kt_now_ms() >= end)
			return kt_err_set(err, KT_ERR_CLUSTER, "az gave no token within %d s",
					  AZ_LIMIT_MS / 1000);
		int ready = poll(p, 3, 100);
		if (ready < 0 && errno != EINTR)
			return kt_err_set(err, KT_ERR_INTERNAL, "waiting for az: %s", strerror(errno));
		if (kt_cancelled(cancel))
			return kt_err_set(err, KT_ERR_CANCELLED, "cancelled");
		for (int i = 0; ready > 0 && i < 2; i++) {
			if (p[i].fd >= 0 && p[i].revents && !take(c, i)) {
				p[i].fd = -1;
				open--;
			}
		}
	}
	return 0;
}

/* Its exit status, or -1. One that closed its output and does not end is killed. */
static int finish(struct child *c, bool kill_it)
{
	const struct kt_cancel nobody = {.fd = -1};
	int64_t end = kt_now_ms() + (kill_it ? 0 : EXIT_LIMIT_MS);
	int status = 0;
	pid_t got;

	close(c->fds[0]);
	close(c->fds[1]);
	while ((got = waitpid(c->pid, &status, WNOHANG)) == 0 && kt_now_ms() < end)
		kt_cancel_sleep(&nobody, 10);
	if (got == 0) {
		kill(-c->pid, SIGKILL);
		while ((got = waitpid(c->pid, &status, 0)) < 0 && errno == EINTR)
			;
	}
	return got > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int az_failed(struct kt_str said, int status, struct kt_err *err)
{
	struct kt_buf b = KT_BUF(8192);
	size_t end = kt_str_chr(kt_str_trim(said), '\n', 0);

	kt_redact(&b, kt_str_sub(kt_str_trim(said), 0, end < 300 ? end : 300));
	if (kt_str_find(said, KT_S("az login"), 0) != KT_NPOS)
		kt_err_set(err, KT_ERR_CLUSTER, "az is not signed in: run az login (it says: %s)",
			   kt_buf_c(&b));
	else
		kt_err_set(err, KT_ERR_CLUSTER, "az failed with status %d: %s", status, kt_buf_c(&b));
	kt_buf_free(&b);
	return -1;
}

/* The value of a key whose text has no escapes; a token never has. A JSON library
 * would leave copies of it in memory. */
static struct kt_str value_of(struct kt_str json, struct kt_str key)
{
	size_t at = kt_str_find(json, key, 0), colon, open, close;

	if (at == KT_NPOS)
		return KT_NONE;
	colon = kt_str_chr(json, ':', at + key.len);
	open = colon == KT_NPOS ? KT_NPOS : kt_str_chr(json, '"', colon);
	close = open == KT_NPOS ? KT_NPOS : kt_str_chr(json, '"', open + 1);
	return close == KT_NPOS ? KT_NONE : kt_str_sub(json, open + 1, close - open - 1);
}

static int keep_token(struct kt_token *out, struct kt_err *err)
{
	struct kt_str token = value_of((struct kt_str){out->p, out->len}, KT_S("\"accessToken\""));

	if (!token.len)
		return kt_err_set(err, KT_ERR_CLUSTER, "az printed no token");
	memmove(out->p, token.p, token.len);
	out->len = token.len;
	return kt_token_clean(out, "az", err);
}

int kt_token_az(struct kt_str resource, const struct kt_cancel *cancel, struct kt_token *out,
		struct kt_err *err)
{
	char *name = kt_strdup(resource);
	char az[] = "az", account[] = "account", get[] = "get-access-token", output[] = "--output",
	     json[] = "json", flag[] = "--resource";
	char *argv[] = {az, account, get, output, json, flag, name, NULL};
	char said[STDERR_MAX];
	struct child c = {.text = {out->p, said}, .max = {KT_TOKEN_MAX, sizeof said}};
	int rc = start(&c, argv, err);

	if (rc == 0) {
		rc = collect(&c, cancel, err);
		int status = finish(&c, rc < 0);
		out->len = c.len[0];
		if (rc == 0 && status != 0)
			rc = az_failed((struct kt_str){said, c.len[1]}, status, err);
		if (rc == 0)
			rc = keep_token(out, err);
	}
	kt_free(name);
	return rc;
}
