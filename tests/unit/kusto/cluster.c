/* Requests against the test server, and what must never be sent. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "asking.h"
#include "base/file.h"

TestSuite(cluster, .init = ask_setup, .fini = ask_teardown, .timeout = 60);

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
					      .http_module = kt_str_c(http_module),
					      .retry_base_ms = 1});
	answers(c, ".show version", "#4");
	/* The second command of a cluster that is down does not wait again. */
	answers(c, ".show version", "unreachable: '127.0.0.1' cannot be reached");
	answers(c, ".show version", "#1");
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
