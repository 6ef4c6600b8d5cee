/* Requests against the test server, recordings, and what must never be sent. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "kusto/cluster.h"

extern char **environ;

static struct kt_buf guard_tsv = {.max = 4u << 20}, trusted_tsv = {.max = 1u << 20};
static struct kt_guard *guard;
static char folder[] = "/tmp/ktriage-test-XXXXXX";
static char module[4096], log_path[4096];

/* ---- the server ---- */

struct server {
	pid_t pid;
	int in;
	char url[64];
};

static void build_path(char *out, size_t size, const char *name)
{
	const char *bin = getenv("KTRIAGE_BIN"); /* the build folder's */
	const char *slash = bin ? strrchr(bin, '/') : NULL;

	cr_assert_not_null(slash, "KTRIAGE_BIN is not set: run this by ctest");
	snprintf(out, size, "%.*s/%s", (int)(slash - bin), bin, name);
}

static struct server start(const char *program, char *first, char *second, char *third)
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

static struct server start_cases(void)
{
	char rules[] = KT_TEST_DATA "/../server/cases.rules", flag[] = "--log";

	return start("tests/server/testserver", rules, flag, log_path);
}

static void stop(struct server *s)
{
	int status;

	close(s->in);
	waitpid(s->pid, &status, 0);
	cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the server ended badly");
}

static void read_log(struct kt_buf *out)
{
	struct kt_err err = {0};

	*out = KT_BUF(1u << 20);
	if (access(log_path, F_OK) == 0)
		cr_assert(kt_file_read(log_path, out, &err) == 0);
}

/* ---- fixtures ---- */

static void setup(void)
{
	struct kt_err err = {0};

	cr_assert(kt_file_read(KT_RULES_SOURCE "/guard.tsv", &guard_tsv, &err) == 0, "%s", err.text);
	cr_assert(kt_file_read(KT_RULES_SOURCE "/trusted.tsv", &trusted_tsv, &err) == 0, "%s", err.text);
	guard = kt_guard_new(kt_buf_view(&guard_tsv), &err);
	cr_assert_not_null(guard);
	cr_assert_not_null(mkdtemp(folder));
	snprintf(log_path, sizeof log_path, "%s/log", folder);
	build_path(module, sizeof module, "ktriage-http.so");
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

static void teardown(void)
{
	kt_guard_free(guard);
	kt_buf_free(&guard_tsv);
	kt_buf_free(&trusted_tsv);
	empty(folder);
}

TestSuite(cluster, .init = setup, .fini = teardown, .timeout = 60);

static struct kt_cluster_opts opts_for(const char *url)
{
	return (struct kt_cluster_opts){.url = kt_str_c(url),
					.guard = guard,
					.trusted_tsv = kt_buf_view(&trusted_tsv),
					.http_module = kt_str_c(module),
					.retry_base_ms = 1,
					.grace_ms = 2000};
}

static struct kt_cluster *open_it(const struct kt_cluster_opts *o)
{
	struct kt_err err = {0};
	struct kt_cluster *c = kt_cluster_open(o, &err);

	cr_assert_not_null(c, "%s", err.text);
	return c;
}

/* Rows as "a|b;c|d", or "state: text"; adds the number of tries behind "#". */
static void ask_as(struct kt_cluster *c, const char *text, enum kt_guard_by by, struct kt_request rq,
		   struct kt_buf *out)
{
	struct kt_guard_plan plan = {0};
	struct kt_reply r = {0};
	struct kt_err err = {0};

	*out = KT_BUF(1u << 20);
	cr_assert(kt_guard_parse(guard, kt_str_c(text), by, &plan, &err) == 0, "%s", err.text);
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

static void answers(struct kt_cluster *c, const char *text, const char *want)
{
	struct kt_buf got;

	ask_as(c, text, KT_BY_PACK, (struct kt_request){0}, &got);
	cr_assert(kt_str_find(kt_buf_view(&got), kt_str_c(want), 0) != KT_NPOS, "%s\n gives %s\n not   %s",
		  text, kt_buf_c(&got), want);
	kt_buf_free(&got);
}

#define VERSION_ROWS "1.0.9|2026-01-31T08:00:00Z|true|9223372036854775807;||false|-1#1"

/* ---- behaviours of servers ---- */

Test(cluster, answers_and_failures_of_every_kind)
{
	struct server s = start_cases();
	struct kt_cluster_opts o = opts_for(s.url);
	struct kt_cluster *c = open_it(&o);

	answers(c, ".show version", VERSION_ROWS);
	answers(c, ".show tables", "T1;T2#1");
	answers(c, ".show databases", VERSION_ROWS);          /* gzip */
	answers(c, ".show materialized-views", VERSION_ROWS); /* gzip in chunks */
	answers(c, "T", "x|true|1|0.1|2.50|00:00:01|{\"a\":[1,\"b\"]}|1e+300;");
	answers(c, ".show cluster", "unreachable: the connection to '127.0.0.1' was cut");
	answers(c, ".show plugins", "unreachable: the connection to '127.0.0.1' was cut");
	answers(c, ".show diagnostics", "sign-in: HTTP 401");
	answers(c, ".show database", "permission: Principal 'aadapp=");
	answers(c, ".show functions", "limit: Query execution has exceeded the allowed limits");
	answers(c, ".show database policies", "timeout: Query is expired (80DA0006)");
	answers(c, ".show entity_groups", "malformed: ");
	answers(c, ".show principal roles", "malformed: the answer is no JSON but a web page");
	answers(c, ".show follower databases", "malformed: the answer ends early or is no JSON");
	answers(c, ".show journal | take 1", "failed: no-rule");
	kt_cluster_close(c);
	stop(&s);
}

Test(cluster, what_passes_is_tried_again_and_what_does_not_is_not)
{
	struct server s = start_cases();
	struct kt_cluster_opts o = opts_for(s.url);
	struct kt_cluster *c = open_it(&o);

	answers(c, ".show running queries", "||false|-1#3"); /* 429, 429, 200 */
	answers(c, ".show continuous-exports", "failed: HTTP 503");
	answers(c, ".show continuous-exports", "#4");
	answers(c, ".show external tables", "throttled: the service asks to wait 3600 s");
	answers(c, ".show external tables", "#1");
	answers(c, ".show database", "#1");
	answers(c, ".show cluster", "#1");
	kt_cluster_close(c);
	stop(&s);
	c = open_it(&(struct kt_cluster_opts){.url = KT_S("http://127.0.0.1:1"),
					      .trusted_tsv = kt_buf_view(&trusted_tsv),
					      .http_module = kt_str_c(module),
					      .retry_base_ms = 1});
	answers(c, ".show version", "unreachable: '127.0.0.1' cannot be reached");
	answers(c, ".show version", "#4");
	kt_cluster_close(c);
}

Test(cluster, a_redirect_is_not_followed)
{
	struct server s = start_cases();
	struct kt_cluster_opts o = opts_for(s.url);
	struct kt_cluster *c = open_it(&o);

	answers(c, ".show graph_models", "malformed: it answers 302 and sends us to 'evil.example'");
	answers(c, ".show graph_models", "#1");
	kt_cluster_close(c);
	stop(&s);
}

Test(cluster, malformed_http_is_a_failure)
{
	static const struct {
		const char *bytes, *want;
	} rows[] = {
		{"", "unreachable: "},
		{"HTTP/1.1 2", "unreachable: "},
		{"garbage\r\n\r\n", "failed: "},
		{"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n{}", "malformed: "},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "unreachable: "},
		{"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
		 "unreachable: "},
		{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "malformed: "},
	};

	for (size_t i = 0; i < KT_LEN(rows); i++) {
		char path[4200];
		struct kt_err err = {0};
		snprintf(path, sizeof path, "%s/raw", folder);
		cr_assert(kt_file_replace(path, kt_str_c(rows[i].bytes), &err) == 0, "%s", err.text);
		struct server s = start("tests/server/rawserver", path, NULL, NULL);
		struct kt_cluster_opts o = opts_for(s.url);
		struct kt_cluster *c = open_it(&o);
		answers(c, ".show version", rows[i].want);
		kt_cluster_close(c);
		stop(&s);
	}
}

/* ---- stopping ---- */

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool after(void *ctx)
{
	return now_ms() >= *(int64_t *)ctx;
}

Test(cluster, a_slow_request_is_cancelled_at_once)
{
	struct server s = start_cases();
	struct kt_cluster_opts o = opts_for(s.url);
	int64_t at = now_ms() + 200;

	o.cancelled = after;
	o.cancel_ctx = &at;
	struct kt_cluster *c = open_it(&o);
	answers(c, ".show capacity", "cancelled: cancelled#1");
	cr_assert(now_ms() - at < 500, "it took %d ms to stop", (int)(now_ms() - at));
	at = now_ms() + 60000;
	answers(c, ".show version", VERSION_ROWS); /* the cluster is of use after it */
	kt_cluster_close(c);
	stop(&s);
}

Test(cluster, a_descriptor_cancels_too)
{
	struct server s = start_cases();
	struct kt_cluster_opts o = opts_for(s.url);
	struct itimerspec in_200_ms = {.it_value = {0, 200000000}};
	int64_t began = now_ms();

	o.cancel_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	timerfd_settime(o.cancel_fd, 0, &in_200_ms, NULL);
	struct kt_cluster *c = open_it(&o);
	answers(c, "Slow", "cancelled: cancelled#1");
	cr_assert(now_ms() - began < 1000);
	kt_cluster_close(c);
	close(o.cancel_fd);
	stop(&s);
}

Test(cluster, a_pause_between_tries_is_cancelled)
{
	struct server s = start_cases();
	struct kt_cluster_opts o = opts_for(s.url);
	int64_t at = now_ms() + 300;

	o.cancelled = after;
	o.cancel_ctx = &at;
	o.retry_base_ms = 20000;
	struct kt_cluster *c = open_it(&o);
	answers(c, ".show continuous-exports", "cancelled: cancelled#1");
	cr_assert(now_ms() - at < 500);
	kt_cluster_close(c);
	stop(&s);
}

Test(cluster, the_time_limit_ends_a_request)
{
	struct server s = start_cases();
	struct kt_cluster_opts o = opts_for(s.url);
	struct kt_buf got;

	o.grace_ms = 300;
	struct kt_cluster *c = open_it(&o);
	int64_t began = now_ms();
	ask_as(c, ".show capacity", KT_BY_PACK, (struct kt_request){.timeout_ms = 100}, &got);
	cr_assert(kt_str_starts(kt_buf_view(&got), KT_S("timeout: '127.0.0.1' did not answer in time")), "%s",
		  kt_buf_c(&got));
	cr_assert(now_ms() - began < 3000);
	kt_buf_free(&got);
	kt_cluster_close(c);
	stop(&s);
}

/* ---- what is sent ---- */

Test(cluster, requests_are_fenced_and_named)
{
	struct server s = start_cases();
	struct kt_cluster_opts o = opts_for(s.url);
	struct kt_buf log, got;

	o.auth.method = KT_AUTH_ENV;
	o.database = KT_S("sales");
	setenv("KTRIAGE_TOKEN", "Bearer T0K3N\n", 1);
	struct kt_cluster *c = open_it(&o);
	answers(c, "T", "x|true");
	ask_as(c, ".show version", KT_BY_PERSON,
	       (struct kt_request){.database = KT_S("other"), .timeout_ms = 90000}, &got);
	kt_buf_free(&got);
	kt_cluster_close(c);
	stop(&s);
	read_log(&log);
	static const char *const parts[] = {
		"POST /v2/rest/query auth=Bearer T0K3N id=KTR.query;",
		"csl=['T'] | take 1000",
		"\"db\":\"sales\"",
		"\"request_readonly\":true",
		"\"request_readonly_hardline\":true",
		"\"request_callout_disabled\":true",
		"\"servertimeout\":\"00:01:00\"",
		"\"truncationmaxrecords\":100000",
		"POST /v1/rest/mgmt auth=Bearer T0K3N id=KTR.mgmt;",
		"\"db\":\"other\"",
		"\"servertimeout\":\"00:01:30\"",
	};
	for (size_t i = 0; i < KT_LEN(parts); i++)
		cr_assert(kt_str_find(kt_buf_view(&log), kt_str_c(parts[i]), 0) != KT_NPOS, "no %s in\n%s",
			  parts[i], kt_buf_c(&log));
	kt_buf_free(&log);
}

Test(cluster, the_emulator_is_asked_without_a_token)
{
	struct server s = start_cases();
	struct kt_cluster_opts o = opts_for(s.url);
	struct kt_buf log;

	setenv("KTRIAGE_TOKEN", "T0K3N", 1);
	struct kt_cluster *c = open_it(&o);
	answers(c, ".show version", VERSION_ROWS);
	kt_cluster_close(c);
	stop(&s);
	read_log(&log);
	cr_assert(kt_str_find(kt_buf_view(&log), KT_S("auth=- "), 0) != KT_NPOS &&
			  !strstr(kt_buf_c(&log), "T0K3N"),
		  "%s", kt_buf_c(&log));
	kt_buf_free(&log);
}

static void open_fails(const char *url, const char *trusted, const char *want)
{
	struct kt_str host = kt_str_c(trusted);
	struct kt_cluster_opts o = opts_for(url);
	struct kt_err err = {0};

	o.trust_hosts = &host;
	o.n_trust_hosts = 1;
	cr_assert_null(kt_cluster_open(&o, &err), "%s", url);
	cr_assert_not_null(strstr(err.text, want), "%s: %s", url, err.text);
}

Test(cluster, other_hosts_are_not_asked)
{
	open_fails("https://evil.example", "", "nothing was sent");
	open_fails("https://evilkusto.windows.net", "", "nothing was sent");
	open_fails("https://10.0.0.1", "", "nothing was sent");
	open_fails("https://x.vouched.example", "vouched.example", "nothing was sent");
	open_fails("http://help.kusto.windows.net", "", "only https is spoken");
	open_fails("http://vouched.example", "vouched.example", "only https is spoken");
	open_fails("nonsense", "", "is no address of a cluster");
}

Test(cluster, a_costly_command_wants_a_yes)
{
	struct server s = start_cases();
	struct kt_cluster_opts o = opts_for(s.url);
	struct kt_cluster *c = open_it(&o);
	struct kt_buf got, log;

	answers(c, ".show cluster extents", "refused: '.show cluster extents' was not sent: it is costly");
	read_log(&log);
	cr_assert(log.len == 0, "something was sent: %s", kt_buf_c(&log));
	kt_buf_free(&log);
	ask_as(c, ".show cluster extents", KT_BY_PERSON, (struct kt_request){.confirmed = true}, &got);
	cr_assert(kt_str_starts(kt_buf_view(&got), KT_S("failed: no-rule")));
	kt_buf_free(&got);
	kt_cluster_close(c);
	stop(&s);
}

Test(cluster, nothing_is_sent_for_a_plan_that_the_guard_did_not_make)
{
	struct server s = start_cases();
	struct kt_cluster_opts o = opts_for(s.url);
	struct kt_cluster *c = open_it(&o);
	struct kt_guard_plan plan = {.text = KT_BUF(100)};
	struct kt_request rq = {.plan = &plan};
	struct kt_reply r = {0};
	struct kt_err err = {0};
	struct kt_buf log;

	kt_buf_str(&plan.text, ".drop table T");
	cr_assert(kt_cluster_run(c, &rq, &r, &err) < 0 && r.state == KT_REPLY_REFUSED);
	read_log(&log);
	cr_assert(log.len == 0);
	kt_buf_free(&log);
	kt_buf_free(&plan.text);
	kt_cluster_close(c);
	stop(&s);
}

Test(cluster, secrets_in_answers_are_masked)
{
	struct server s = start_cases();
	struct kt_cluster_opts o = opts_for(s.url);
	struct kt_cluster *c = open_it(&o);
	struct kt_buf got;

	ask_as(c, ".show workload_groups", KT_BY_PERSON, (struct kt_request){0}, &got);
	cr_assert(strstr(kt_buf_c(&got), "sig=***") && !strstr(kt_buf_c(&got), "c2VjcmV0") &&
			  !strstr(kt_buf_c(&got), "eyJhbG"),
		  "%s", kt_buf_c(&got));
	kt_buf_free(&got);
	answers(c, ".get ingestion resources",
		"TempStorage|abcd.blob.core.windows.net;SecuredReadyForAggregationQueue|efgh.queue.core."
		"windows.net;Odd|#1");
	kt_cluster_close(c);
	stop(&s);
}

/* ---- recordings ---- */

static const char *const asked[] = {
	".show version",         ".show tables",          "T",
	".show database",        ".show functions",       ".show cluster",
	".show diagnostics",     ".show workload_groups", ".get ingestion resources",
	".show principal roles",
};

/* No bytes of a recording hold a secret. */
static void no_secrets(const char *dir)
{
	DIR *d = opendir(dir);
	size_t n = 0;

	for (struct dirent *e; (e = readdir(d));) {
		char path[8192];
		struct kt_buf text = KT_BUF(1u << 20);
		struct kt_err err = {0};
		struct stat st;
		snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
		if (e->d_name[0] == '.')
			continue;
		cr_assert(kt_file_read(path, &text, &err) == 0, "%s", err.text);
		cr_assert(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600);
		cr_assert(!strstr(text.p, "SECRET") && !strstr(text.p, "c2VjcmV0") &&
				  !strstr(text.p, "T0K3N"),
			  "%s", text.p);
		kt_buf_free(&text);
		n++;
	}
	closedir(d);
	cr_assert(n == KT_LEN(asked), "%zu files", n);
}

Test(cluster, a_recording_answers_as_the_cluster_did)
{
	struct server s = start_cases();
	struct kt_cluster_opts o = opts_for(s.url);
	struct kt_buf live[KT_LEN(asked)], replayed;
	char dir[4200];

	snprintf(dir, sizeof dir, "%s/rec", folder);
	o.record_dir = kt_str_c(dir);
	o.auth.method = KT_AUTH_ENV;
	o.database = KT_S("sales");
	setenv("KTRIAGE_TOKEN", "T0K3N", 1);
	struct kt_cluster *c = open_it(&o);
	for (size_t i = 0; i < KT_LEN(asked); i++) {
		ask_as(c, asked[i], KT_BY_PACK, (struct kt_request){0}, &live[i]);
		kt_buf_cut(&live[i], kt_str_chr(kt_buf_view(&live[i]), '#', 0)); /* the tries differ */
	}
	char *name = strdup(s.url);
	kt_cluster_close(c);
	stop(&s);
	no_secrets(dir);
	o = (struct kt_cluster_opts){.replay_dir = kt_str_c(dir), .guard = guard, .database = KT_S("sales")};
	c = open_it(&o);
	cr_assert(kt_str_eq_c(kt_cluster_name(c), name));
	for (size_t i = 0; i < KT_LEN(asked); i++) {
		ask_as(c, asked[i], KT_BY_PACK, (struct kt_request){0}, &replayed);
		kt_buf_cut(&replayed, kt_str_chr(kt_buf_view(&replayed), '#', 0));
		cr_assert_str_eq(kt_buf_c(&replayed), kt_buf_c(&live[i]), "%s", asked[i]);
		kt_buf_free(&replayed);
		kt_buf_free(&live[i]);
	}
	answers(c, ".show capacity", "not-recorded: the recordings in ");
	free(name);
	kt_cluster_close(c);
}

static void write_record(const char *dir, const char *name, const char *text)
{
	char path[8192];
	struct kt_err err = {0};

	mkdir(dir, 0700);
	snprintf(path, sizeof path, "%s/%s", dir, name);
	cr_assert(kt_file_replace(path, kt_str_c(text), &err) == 0, "%s", err.text);
}

#define RECORD(text, more) "{\"schema\":\"ktriage.recording/1\",\"text\":\"" text "\"," more "}"

Test(cluster, recordings_may_be_written_by_hand)
{
	struct kt_cluster_opts o = {.guard = guard};
	char dir[4200];

	snprintf(dir, sizeof dir, "%s/hand", folder);
	write_record(dir, "tables.json",
		     RECORD(".show   tables\\n| where TableName=='T'",
			    "\"state\":\"done\",\"columns\":[[\"TableName\",\"string\"]],\"rows\":[[\"T\"],["
			    "null]]"));
	write_record(dir, "failures.json",
		     RECORD(".show ingestion failures",
			    "\"state\":\"permission\",\"error\":\"not yours\",\"class\":\"cluster\""));
	write_record(dir, "dm.json",
		     RECORD(".show version", "\"endpoint\":\"ingest\",\"state\":\"done\",\"columns\":[[\"a\","
					     "\"string\"]],\"rows\":[[\"dm\"]]"));
	write_record(dir, "read.me", "not a recording");
	o.replay_dir = kt_str_c(dir);
	struct kt_cluster *c = open_it(&o);
	answers(c, ".show tables | where TableName == 'T'", "T;#0");
	answers(c, ".show ingestion failures", "permission: not yours");
	answers(c, ".show version", "not-recorded");
	struct kt_buf got;
	ask_as(c, ".show version", KT_BY_PACK, (struct kt_request){.ingest = true}, &got);
	cr_assert(kt_str_starts(kt_buf_view(&got), KT_S("dm")));
	kt_buf_free(&got);
	kt_cluster_close(c);
}

/* The guard's own limit cut the answer, perhaps: nobody may take a row for absent. */
Test(cluster, an_answer_as_long_as_the_limit_is_marked)
{
	struct kt_cluster_opts o = {.guard = guard};
	char dir[4200];

	snprintf(dir, sizeof dir, "%s/long", folder);
	for (size_t n = KT_GUARD_TAKE - 1; n <= KT_GUARD_TAKE; n++) {
		struct kt_buf text = KT_BUF(1u << 20), got;
		kt_buf_str(
			&text,
			"{\"schema\":\"ktriage.recording/1\",\"text\":\".show journal\",\"state\":\"done\","
			"\"columns\":[[\"Event\",\"string\"]],\"rows\":[[\"x\"]");
		for (size_t i = 1; i < n; i++)
			kt_buf_str(&text, ",[\"x\"]");
		kt_buf_str(&text, "]}");
		write_record(dir, "1.json", kt_buf_c(&text));
		o.replay_dir = kt_str_c(dir);
		struct kt_cluster *c = open_it(&o);
		ask_as(c, ".show journal", KT_BY_PERSON, (struct kt_request){0}, &got);
		cr_assert(kt_str_ends(kt_buf_view(&got), KT_S(" cut")) == (n == KT_GUARD_TAKE), "%zu rows",
			  n);
		kt_cluster_close(c);
		kt_buf_free(&text);
		kt_buf_free(&got);
	}
}

Test(cluster, bad_recordings_are_named)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{"{", "1.json: 1:"},
		{"{}", "its schema is not"},
		{RECORD(".drop table T", "\"state\":\"done\""),
		 "1.json: column 1: '.drop table T' is refused"},
		{RECORD(".show tables", "\"state\":\"odd\""), "its state is none"},
		{RECORD(".show tables", "\"state\":\"done\""), "it needs columns and rows"},
		{RECORD(".show tables", "\"state\":\"done\",\"columns\":[[\"a\"]],\"rows\":[]"),
		 "a column is"},
		{RECORD(".show tables", "\"state\":\"done\",\"columns\":[[\"a\",\"b\"]],\"rows\":[[1,2]]"),
		 "one cell for each column"},
	};
	char dir[4200];
	struct kt_err err = {0};

	snprintf(dir, sizeof dir, "%s/none", folder);
	struct kt_cluster_opts o = {.guard = guard, .replay_dir = kt_str_c(dir)};
	cr_assert_null(kt_cluster_open(&o, &err));
	cr_assert(err.cls == KT_ERR_INPUT);
	for (size_t i = 0; i < KT_LEN(rows); i++) {
		kt_err_clear(&err);
		write_record(dir, "1.json", rows[i].text);
		cr_assert_null(kt_cluster_open(&o, &err), "%s", rows[i].text);
		cr_assert(err.cls == KT_ERR_INPUT || err.cls == KT_ERR_REFUSED);
		cr_assert_not_null(strstr(err.text, rows[i].want), "%s", err.text);
	}
	write_record(dir, "1.json", RECORD(".show tables", "\"state\":\"failed\",\"error\":\"x\""));
	write_record(dir, "2.json", RECORD(".show  tables", "\"state\":\"failed\",\"error\":\"y\""));
	kt_err_clear(&err);
	cr_assert_null(kt_cluster_open(&o, &err));
	cr_assert_not_null(strstr(err.text, "the same command is recorded in 1.json"), "%s", err.text);
}

/* ---- tokens ---- */

static void token_fails(struct kt_auth auth, const char *want)
{
	struct kt_cluster_opts o = opts_for("https://127.0.0.1:1");
	struct kt_cluster *c;

	o.auth = auth;
	c = open_it(&o);
	answers(c, ".show version", want);
	kt_cluster_close(c);
}

Test(cluster, a_token_file_is_for_its_owner)
{
	char path[4200];
	struct kt_auth auth;
	struct kt_err err = {0};

	snprintf(path, sizeof path, "file:%s/token", folder);
	cr_assert(kt_auth_parse(kt_str_c(path), &auth, &err) == 0);
	token_fails(auth, "sign-in: ");
	cr_assert(kt_file_replace(path + 5, KT_S("T0K3N\n"), &err) == 0);
	chmod(path + 5, 0640);
	token_fails(auth, "others may read it (mode 640)");
	chmod(path + 5, 0600);
	token_fails(auth, "unreachable: ");
	cr_assert(kt_file_replace(path + 5, KT_S("two words\n"), &err) == 0);
	token_fails(auth, "it holds something else than one token");
	cr_assert(kt_file_replace(path + 5, KT_S(" \n"), &err) == 0);
	token_fails(auth, "there is no token in it");
}

Test(cluster, ways_to_sign_in_are_words)
{
	static const struct {
		const char *text, *want;
	} rows[] = {{"az", ""},
		    {"stdin", ""},
		    {"env", ""},
		    {"none", ""},
		    {"default", ""},
		    {"file:/x", ""},
		    {"file", "write file:PATH"},
		    {"file:", "write file:PATH"},
		    {"az:x", "only file: takes a path"},
		    {"sdtin", "did you mean 'stdin'?"},
		    {"", "no way to sign in"}};

	for (size_t i = 0; i < KT_LEN(rows); i++) {
		struct kt_auth auth;
		struct kt_err err = {0};
		int rc = kt_auth_parse(kt_str_c(rows[i].text), &auth, &err);
		cr_assert((rc == 0) == !rows[i].want[0] && strstr(err.text, rows[i].want), "%s: %s",
			  rows[i].text, err.text);
	}
}
