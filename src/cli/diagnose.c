#include "cli/cli.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "report/report.h"
#include "term/progress.h"
#include "term/signals.h"

#include "base/banned.h"

/* The script's side of a session: notes to stderr, no answers, ^C. */
struct script {
	struct kt_progress progress;
	bool partly; /* ^C came while inputs were read, and some were */
};

static void note(void *ctx, struct kt_str text)
{
	(void)ctx;
	kt_complain(text);
}

static void progress(void *ctx, const char *what, uint64_t done, uint64_t total)
{
	struct script *s = ctx;

	kt_progress_tick(&s->progress, kt_str_c(what), done, total);
}

static bool cancelled(void *ctx)
{
	(void)ctx;
	return kt_signal_cancelled();
}

static const struct kt_ui script_ui = {
	.note = note, .progress = progress, .cancelled = cancelled, .stop = &kt_signal_flag};

static bool some_read(struct kt_session *s)
{
	size_t n;
	const struct kt_input_view *in = kt_session_inputs(s, &n);

	for (size_t i = 0; i < n; i++)
		if (in[i].bytes)
			return true;
	return false;
}

/* What was named and not begun stands beside the answer. Always -1. */
static int stop_before(struct kt_session *s, const char *const *rest, size_t n, struct script *script,
		       struct kt_err *err)
{
	script->partly = err->cls == KT_ERR_CANCELLED && some_read(s);
	for (size_t i = 0; script->partly && i < n; i++)
		if (kt_session_skip(s, rest[i], KT_S("stopped before it was read"), err) < 0)
			script->partly = false;
	return -1;
}

static int scan_all(struct kt_session *s, const struct kt_args *a, struct script *script, struct kt_err *err)
{
	static const char *const standard[] = {"-"};
	const char *const *names = a->n_rest ? a->rest : standard;
	size_t n = a->n_rest ? a->n_rest : 1;

	if (!a->n_rest && isatty(STDIN_FILENO)) {
		if (a->n_sets == 0 && !a->cluster.len && !a->replay.len)
			return kt_err_set(
				err, KT_ERR_USAGE,
				"nothing to diagnose: name a file, a folder or -, or answer with --set");
		return 0;
	}
	for (size_t i = 0; i < n; i++)
		if (kt_session_scan(s, names[i], err) < 0) {
			size_t begun = i + kt_session_stopped(s);
			return stop_before(s, names + begun, n - begun, script, err);
		}
	return 0;
}

static bool damaged(struct kt_session *s)
{
	size_t n;
	const struct kt_input_view *in = kt_session_inputs(s, &n);

	for (size_t i = 0; i < n; i++)
		if (!in[i].complete)
			return true;
	return false;
}

static bool fails_on(const struct kt_args *a, struct kt_session *s)
{
	struct kt_str rest = a->fail_on, word;
	const char *verdict = kt_verdict_json(kt_session_judgement(s)->verdict);

	while (a->fail_on.len && kt_str_cut(&rest, ',', &word))
		if (kt_str_eq_c(word, verdict) || (kt_str_eq_c(word, "damaged") && damaged(s)))
			return true;
	return false;
}

static bool some_command_done(struct kt_session *s)
{
	size_t n;
	const struct kt_command_view *c = kt_session_commands(s, &n);

	for (size_t i = 0; i < n; i++)
		if (c[i].state == KT_CMD_DONE)
			return true;
	return false;
}

/* Whether the cluster answers at all: the cheapest command that needs no fact. */
static int prove_cluster(struct kt_session *s, struct kt_err *err)
{
	const struct kt_kb *kb = kt_session_kb(s);
	uint32_t best = KT_NIL;

	if (!kt_session_connected(s) || some_command_done(s))
		return 0;
	for (uint32_t i = 0; i < kb->n_checks; i++) {
		struct kt_buf text = KT_BUF(KT_BUF_NAME);
		struct kt_err why = {0};
		bool ready = kb->checks[i].kind != KT_CHECK_SCAN &&
			     kt_session_command(s, i, &text, &why) == 0;
		if (ready && (best == KT_NIL || kb->checks[i].cost_s < kb->checks[best].cost_s))
			best = i;
		kt_buf_free(&text);
	}
	return best == KT_NIL ? 0 : kt_session_run(s, best, err);
}

static enum kt_exit exit_of(const struct kt_args *a, struct kt_session *s)
{
	if (kt_signal_cancelled())
		return KT_EXIT_INTERRUPTED;
	if (a->require_cluster && !a->dry_run && !some_command_done(s))
		return KT_EXIT_CLUSTER;
	if (kt_report_nothing_read(s))
		return KT_EXIT_INPUT;
	if (fails_on(a, s))
		return KT_EXIT_AMBIGUOUS;
	return kt_exit_of_verdict(kt_session_judgement(s)->verdict);
}

/* The exits that a script sees without the answer say why. */
static void say_exit(enum kt_exit rc, struct kt_session *s)
{
	size_t n, n_in;
	const struct kt_command_view *c = kt_session_commands(s, &n);
	const struct kt_input_view *in = kt_session_inputs(s, &n_in);
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	if (rc == KT_EXIT_CLUSTER && n)
		kt_buf_fmt(&b, "--require-cluster: " KT_FMT, KT_ARG(c[n - 1].reason));
	else if (rc == KT_EXIT_CLUSTER)
		kt_buf_str(&b, "--require-cluster: no command could be sent");
	else if (rc == KT_EXIT_INPUT)
		kt_buf_fmt(&b, KT_FMT ": " KT_FMT, KT_ARG(in[n_in - 1].name), KT_ARG(in[n_in - 1].problem));
	if (b.len)
		kt_complain(kt_buf_view(&b));
	kt_buf_free(&b);
}

/* The commands that the evidence so far would have sent. */
static void dry_run(struct kt_session *s, struct kt_buf *out)
{
	const struct kt_kb *kb = kt_session_kb(s);
	const struct kt_judgement *j = kt_session_judgement(s);

	for (uint32_t k = 0; k < kb->n_checks; k++) {
		bool wanted = false;
		for (uint32_t c = 0; c < kb->n_causes && kb->checks[k].kind != KT_CHECK_SCAN; c++)
			for (uint32_t e = 0;
			     e < kb->causes[c].evidence.n && (j->causes[c].evoked || !j->n_evoked); e++) {
				uint32_t item = kb->evidence[kb->causes[c].evidence.at + e].item;
				wanted = wanted || kb->items[item].check == k;
			}
		struct kt_err why = {0};
		struct kt_buf text = KT_BUF(KT_BUF_TEXT);
		if (wanted && kt_session_command(s, k, &text, &why) == 0)
			kt_buf_fmt(out, KT_FMT "\n\n", KT_ARG(kt_buf_view(&text)));
		else if (wanted)
			kt_buf_fmt(out, "# " KT_FMT ": not sent: %s\n\n",
				   KT_ARG(kt_kb_text(kb, kb->checks[k].id)), why.text);
		kt_buf_free(&text);
	}
}

static enum kt_exit answer(const struct kt_args *a, struct kt_session *s)
{
	struct kt_buf out = KT_BUF(KT_BUF_TEXT);
	struct kt_style style;
	enum kt_exit rc = exit_of(a, s);

	kt_style_init(&style, a->color, STDOUT_FILENO);
	struct kt_report r = {.session = s, .style = &style, .verbose = a->verbose, .out = &out};
	if (a->dry_run)
		dry_run(s, &out);
	else if (kt_str_eq_c(a->format, "json"))
		kt_report_json(s, (int)rc, &out);
	else
		kt_report_text(&r);
	rc = kt_answer_out(&out, false, rc);
	say_exit(rc, s);
	kt_buf_free(&out);
	return rc;
}

#define TRACE_WIDTH 132u /* in a file: enough of a pattern to know it by */

static void trace(const struct kt_args *a, struct kt_session *s)
{
	struct kt_buf out = KT_BUF(KT_BUF_TEXT);
	struct kt_style style;

	kt_style_init(&style, a->color, STDERR_FILENO);
	if (!isatty(STDERR_FILENO) && style.width < TRACE_WIDTH)
		style.width = TRACE_WIDTH;
	struct kt_report r = {.session = s, .style = &style, .verbose = a->verbose, .out = &out};
	kt_report_patterns(&r);
	if (kt_write_all(STDERR_FILENO, out.p, out.len) < 0)
		kt_buf_clear(&out); /* nowhere left to say it */
	kt_buf_free(&out);
}

/* Opening sends nothing: a wrong address is said before the logs are read. */
static int open_cluster(const struct kt_args *a, const struct kt_kb *kb, struct kt_guard **guard,
			struct kt_cluster **cluster, struct kt_err *err)
{
	if (a->dry_run || (!a->cluster.len && !a->replay.len)) {
		if (a->require_cluster && !a->dry_run)
			return kt_err_set(err, KT_ERR_USAGE, "--require-cluster needs --cluster URL");
		return 0;
	}
	*guard = kt_guard_new(kt_kb_file(kb, "guard.tsv"), err);
	return *guard ? kt_cli_cluster(a, kb, *guard, cluster, err) : -1;
}

/* --database answers the question, too: a dry run fills commands with it. */
static int name_database(const struct kt_args *a, struct kt_session *s, struct kt_err *err)
{
	const struct kt_str fact = KT_S("database");

	if (!a->database.len || kt_kb_fact(kt_session_kb(s), fact) == KT_NIL)
		return 0;
	return kt_session_set(s, fact, a->database, KT_S("--database"), err);
}

static int work(const struct kt_args *a, struct kt_session *s, struct script *script, struct kt_guard **guard,
		struct kt_err *err)
{
	struct kt_cluster *cluster = NULL;

	if (kt_cli_sets(a, s, err) < 0 || name_database(a, s, err) < 0 ||
	    open_cluster(a, kt_session_kb(s), guard, &cluster, err) < 0)
		return -1;
	if (scan_all(s, a, script, err) < 0) {
		kt_cluster_close(cluster);
		return -1;
	}
	if (cluster && kt_session_connect(s, cluster, a->database, err) < 0)
		return -1;
	if (kt_session_go(s, err) < 0)
		return -1;
	return a->require_cluster && !a->dry_run ? prove_cluster(s, err) : 0;
}

static int check_format(const struct kt_args *a, struct kt_err *err)
{
	if (!a->format.len || kt_str_eq_c(a->format, "text") || kt_str_eq_c(a->format, "json"))
		return 0;
	return kt_err_set(err, KT_ERR_USAGE, "--format: '" KT_FMT "' is none of text, json",
			  KT_ARG(a->format));
}

/* A session that was cut off, or in which nothing was done, is not kept. */
static void drop_journal(const struct kt_buf *journal, const struct kt_err *err)
{
	struct stat st;

	if (err->cls == KT_ERR_CANCELLED || (stat(kt_buf_c(journal), &st) == 0 && !st.st_size))
		unlink(kt_buf_c(journal));
}

static enum kt_exit diagnose(const struct kt_args *a, const struct kt_kb *kb)
{
	struct script script = {.progress = {0}};
	struct kt_session *s = NULL;
	struct kt_guard *guard = NULL;
	struct kt_buf journal = KT_BUF(KT_BUF_NAME);
	struct kt_err err = {0};
	enum kt_exit rc;

	struct kt_session_opts opts = {
		.kb = kb,
		.ui = &script_ui,
		.ui_ctx = &script,
		.max_bytes = a->max_bytes,
		.threads = (unsigned)a->threads,
		.trace_match = a->trace_match,
	};
	if (a->save && kt_session_path(&journal, &err) == 0)
		opts.journal = journal.p;
	if (err.cls != KT_ERR_NONE || kt_session_new(&opts, &s, &err) < 0 ||
	    work(a, s, &script, &guard, &err) < 0)
		rc = KT_EXIT_INTERNAL;
	else
		rc = KT_EXIT_FOUND;
	kt_progress_end(&script.progress);
	rc = rc == KT_EXIT_FOUND || script.partly ? answer(a, s) : kt_fail(&err);
	if (script.partly)
		kt_complain(KT_S("stopped: the answer is of what was read until then"));
	if (a->trace_match && s)
		trace(a, s);
	kt_session_free(s);
	if (opts.journal && err.cls != KT_ERR_NONE)
		drop_journal(&journal, &err);
	kt_guard_free(guard);
	kt_buf_free(&journal);
	return rc;
}

enum kt_exit kt_run_diagnose(struct kt_args *a)
{
	struct kt_rules *rules;
	struct kt_err err = {0};

	if (check_format(a, &err) < 0)
		return kt_fail(&err);
	enum kt_exit rc = kt_cli_rules(a, &rules);
	if (rc != KT_EXIT_FOUND)
		return rc;
	rc = diagnose(a, rules->kb);
	kt_rules_free(rules);
	return rc;
}

enum kt_exit kt_run_demo(struct kt_args *a)
{
	struct kt_buf dir = KT_BUF(KT_BUF_NAME), log = KT_BUF(KT_BUF_NAME), cluster = KT_BUF(KT_BUF_NAME);

	kt_cli_rules_dir(a, &dir);
	kt_buf_fmt(&log, KT_FMT "/demo/logs", KT_ARG(kt_buf_view(&dir)));
	kt_buf_fmt(&cluster, KT_FMT "/demo/cluster", KT_ARG(kt_buf_view(&dir)));
	a->rest[0] = kt_buf_c(&log);
	a->n_rest = 1;
	a->replay = kt_buf_view(&cluster);
	enum kt_exit rc = kt_run_diagnose(a);
	kt_buf_free(&dir);
	kt_buf_free(&log);
	kt_buf_free(&cluster);
	return rc;
}
