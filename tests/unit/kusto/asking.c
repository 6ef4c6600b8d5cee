#include "asking.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

extern char **environ;

static struct kt_buf guard_tsv = {.max = 4u << 20};
struct kt_buf trusted_tsv = {.max = 1u << 20};
struct kt_guard *guard_of_rules;
char folder[] = "/tmp/ktriage-test-XXXXXX";
char http_module[4096], log_path[4096];

/* ---- the server ---- */

static void build_path(char *out, size_t size, const char *name)
{
	const char *bin = getenv("KTRIAGE_BIN"); /* the build folder's */
	const char *slash = bin ? strrchr(bin, '/') : NULL;

	cr_assert_not_null(slash, "KTRIAGE_BIN is not set: run this by ctest");
	snprintf(out, size, "%.*s/%s", (int)(slash - bin), bin, name);
}

struct server start(const char *program, char *first, char *second, char *third)
{
	struct server s = {0};
	char path[4096], line[32] = {0};
	char *argv[] = {path, first, second, third, NULL};
	posix_spawn_file_actions_t fa;
	int in[2], out[2];

	build_path(path, sizeof path, program);
	cr_assert(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0);
	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_adddup2(&fa, in[0], 0);
	posix_spawn_file_actions_adddup2(&fa, out[1], 1);
	cr_assert(posix_spawn(&s.pid, path, &fa, NULL, argv, environ) == 0, "%s", path);
	posix_spawn_file_actions_destroy(&fa);
	close(in[0]);
	close(out[1]);
	s.in = in[1];
	cr_assert(read(out[0], line, sizeof line - 1) > 0, "%s gave no port", path);
	close(out[0]);
	snprintf(s.url, sizeof s.url, "http://127.0.0.1:%d", (int)strtol(line, NULL, 10));
	return s;
}

struct server start_cases(void)
{
	char rules[] = KT_TEST_DATA "/../server/cases.rules", flag[] = "--log";

	return start("tests/server/testserver", rules, flag, log_path);
}

void stop(struct server *s)
{
	int status;

	close(s->in);
	waitpid(s->pid, &status, 0);
	cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the server ended badly");
}

void read_log(struct kt_buf *out)
{
	struct kt_err err = {0};

	*out = KT_BUF(1u << 20);
	if (access(log_path, F_OK) == 0)
		cr_assert(kt_file_read(log_path, out, &err) == 0);
}

/* ---- fixtures ---- */

void ask_setup(void)
{
	struct kt_err err = {0};

	cr_assert(kt_file_read(KT_RULES_SOURCE "/guard.tsv", &guard_tsv, &err) == 0, "%s", err.text);
	cr_assert(kt_file_read(KT_RULES_SOURCE "/trusted.tsv", &trusted_tsv, &err) == 0, "%s", err.text);
	guard_of_rules = kt_guard_new(kt_buf_view(&guard_tsv), &err);
	cr_assert_not_null(guard_of_rules);
	cr_assert_not_null(mkdtemp(folder));
	snprintf(log_path, sizeof log_path, "%s/log", folder);
	build_path(http_module, sizeof http_module, "ktriage-http.so");
	unsetenv("KTRIAGE_TOKEN");
}

static void empty(const char *dir)
{
	DIR *d = opendir(dir);

	for (struct dirent *e; d && (e = readdir(d));) {
		char path[8192];
		snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
		if (e->d_name[0] != '.' && unlink(path) < 0)
			empty(path);
	}
	if (d)
		closedir(d);
	rmdir(dir);
}

void ask_teardown(void)
{
	kt_guard_free(guard_of_rules);
	kt_buf_free(&guard_tsv);
	kt_buf_free(&trusted_tsv);
	empty(folder);
}

struct kt_cluster_opts opts_for(const char *url)
{
	return (struct kt_cluster_opts){.url = kt_str_c(url),
					.guard = guard_of_rules,
					.trusted_tsv = kt_buf_view(&trusted_tsv),
					.http_module = kt_str_c(http_module),
					.retry_base_ms = 1,
					.grace_ms = 2000};
}

struct kt_cluster *open_it(const struct kt_cluster_opts *o)
{
	struct kt_err err = {0};
	struct kt_cluster *c = kt_cluster_open(o, &err);

	cr_assert_not_null(c, "%s", err.text);
	return c;
}

/* Rows as "a|b;c|d", or "state: text"; adds the number of tries behind "#". */
void ask_as(struct kt_cluster *c, const char *text, enum kt_guard_by by, struct kt_request rq,
	    struct kt_buf *out)
{
	struct kt_guard_plan plan = {0};
	struct kt_reply r = {0};
	struct kt_err err = {0};

	*out = KT_BUF(1u << 20);
	cr_assert(kt_guard_parse(guard_of_rules, kt_str_c(text), by, &plan, &err) == 0, "%s", err.text);
	rq.plan = &plan;
	if (kt_cluster_run(c, &rq, &r, &err) < 0) {
		kt_buf_fmt(out, "%s: %s", kt_reply_word(r.state), err.text);
		cr_assert(r.state != KT_REPLY_DONE && r.result.n_rows == 0);
	}
	for (size_t i = 0; i < r.result.n_rows * r.result.n_columns; i++)
		kt_buf_fmt(out, "%s" KT_FMT,
			   i % r.result.n_columns ? "|"
			   : i                    ? ";"
						  : "",
			   KT_ARG(r.result.cells[i]));
	kt_buf_fmt(out, "#%u%s", r.tries, r.result.cut ? " cut" : "");
	kt_reply_free(&r);
	kt_guard_plan_free(&plan);
}

void answers(struct kt_cluster *c, const char *text, const char *want)
{
	struct kt_buf got;

	ask_as(c, text, KT_BY_PACK, (struct kt_request){0}, &got);
	cr_assert(kt_str_find(kt_buf_view(&got), kt_str_c(want), 0) != KT_NPOS, "%s\n gives %s\n not   %s",
		  text, kt_buf_c(&got), want);
	kt_buf_free(&got);
}
