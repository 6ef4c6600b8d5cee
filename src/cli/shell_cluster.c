/* Commands that ask a cluster, and the checks of the plan. */
#include <sys/stat.h>

#include "base/alloc.h"
#include "cli/shell_in.h"
#include "term/escape.h"

#include "base/banned.h"

int kt_shell_guard(struct kt_shell *sh, struct kt_err *err)
{
	if (!sh->guard)
		sh->guard = kt_guard_new(kt_kb_file(sh->kb, "guard.tsv"), err);
	return sh->guard ? 0 : -1;
}

static bool is_folder(struct kt_str path)
{
	struct stat st;

	return stat(path.p, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The commands that were run since there were BEFORE of them. */
static void say_commands(struct kt_shell *sh, size_t before)
{
	size_t n;
	const struct kt_command_view *c = kt_session_commands(sh->session, &n);

	for (size_t i = before; i < n; i++) {
		kt_shell_say(sh, KT_FMT, KT_ARG(c[i].text));
		if (c[i].state == KT_CMD_DONE)
			kt_shell_say(sh, "  %zu row%s", (size_t)c[i].rows, c[i].rows == 1 ? "" : "s");
		else
			kt_shell_say(sh, "  %s: " KT_FMT, c[i].state == KT_CMD_FAILED ? "failed" : "not sent",
				     KT_ARG(c[i].reason));
	}
}

static bool all_failed(struct kt_shell *sh, size_t before)
{
	size_t n;
	const struct kt_command_view *c = kt_session_commands(sh->session, &n);

	for (size_t i = before; i < n; i++)
		if (c[i].state != KT_CMD_FAILED)
			return false;
	return n > before;
}

/* What the sign-in may see decides what an empty answer proves. */
static void say_rights(struct kt_shell *sh)
{
	uint32_t rights = kt_kb_fact(sh->kb, KT_S("rights")), need = 0;

	if (rights == KT_NIL)
		return;
	const struct kt_fact_view *v = &kt_session_judgement(sh->session)->facts[rights];
	for (uint32_t i = 0; i < sh->kb->n_checks; i++)
		need += sh->kb->checks[i].permission.len > 0;
	if (v->state == KT_FS_KNOWN && kt_str_eq_c(v->value, "all"))
		return;
	kt_shell_say(sh,
		     "rights = " KT_FMT
		     ": %u of %u checks prove an absence only with a role that sees everybody's "
		     "rows (help rights). Ask for it once.",
		     KT_ARG(v->state == KT_FS_KNOWN ? v->value : KT_S("unknown")), need, sh->kb->n_checks);
}

static int open_cluster(struct kt_shell *sh, struct kt_str url, struct kt_str database,
			struct kt_cluster **out, struct kt_err *err)
{
	struct kt_str place = kt_arena_str(&sh->keep, url);

	if (kt_shell_guard(sh, err) < 0)
		return -1;
	struct kt_cluster_opts o = {
		.url = place,
		.database = kt_arena_str(&sh->keep, database),
		.auth = sh->o->auth,
		.guard = sh->guard,
		.trusted_tsv = kt_kb_file(sh->kb, "trusted.tsv"),
		.trust_hosts = sh->o->trust_hosts,
		.n_trust_hosts = sh->o->n_trust_hosts,
		.replay_dir = sh->o->replay_dir,
		.record_dir = sh->o->record_dir,
		.cancelled = kt_shell_cancelled,
		.cancel_ctx = sh,
		.cancel_fd = -1,
		.http_module = sh->o->http_module,
	};
	if (place.len && is_folder(place))
		o.replay_dir = place;
	*out = kt_cluster_open(&o, err);
	return *out ? 0 : -1;
}

int kt_shell_connect(struct kt_shell *sh, struct kt_str url, struct kt_str database, struct kt_err *err)
{
	struct kt_cluster *c = NULL;
	size_t before;

	if (open_cluster(sh, url, database, &c, err) < 0)
		return -1;
	kt_shell_say(sh, "Connected to " KT_FMT "%s" KT_FMT ". Nothing is sent but read-only commands.",
		     KT_ARG(kt_cluster_name(c)), kt_cluster_database(c).len ? ", database " : "",
		     KT_ARG(kt_cluster_database(c)));
	kt_session_commands(sh->session, &before);
	sh->work = KT_S("asking the cluster");
	int rc = kt_session_connect(sh->session, c, database, err);
	say_commands(sh, before);
	if (rc == 0 && !all_failed(sh, before))
		say_rights(sh);
	return rc;
}

int kt_shell_do_connect(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	return kt_shell_connect(sh, args->w[0], args->n > 1 ? args->w[1] : KT_NONE, err);
}

int kt_shell_do_disconnect(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	(void)args;
	if (!kt_session_connected(sh->session))
		return kt_err_set(err, KT_ERR_USAGE, "no cluster is connected");
	kt_session_disconnect(sh->session);
	kt_shell_say(sh, "Disconnected.");
	return 0;
}

int kt_shell_kusto(struct kt_shell *sh, struct kt_str text, bool query, struct kt_err *err)
{
	struct kt_report r = kt_shell_report(sh);
	struct kt_result result = {0};
	struct kt_arena a = {0};

	sh->work = KT_S("asking the cluster");
	int rc = kt_session_show(sh->session, text, query, &a, &result, err);
	if (rc == 0)
		kt_report_result(&r, &result);
	kt_result_free(&result);
	kt_arena_free(&a);
	return rc;
}

int kt_shell_do_query(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	return kt_shell_kusto(sh, args->rest, true, err);
}

/* ---- the plan ---- */

static int run_check(struct kt_shell *sh, uint32_t check, struct kt_err *err)
{
	size_t before;

	kt_session_commands(sh->session, &before);
	sh->work = kt_kb_text(sh->kb, sh->kb->checks[check].title);
	int rc = kt_session_run(sh->session, check, err);
	say_commands(sh, before);
	return rc;
}

static int do_step(struct kt_shell *sh, const struct kt_plan_step *step, struct kt_err *err)
{
	switch (step->kind) {
	case KT_PLAN_ASK: sh->chosen = step->fact; return 0;
	case KT_PLAN_SHOW: return run_check(sh, step->check, err);
	case KT_PLAN_SCAN:
		kt_shell_say(sh, KT_FMT ": scan FILE",
			     KT_ARG(kt_kb_text(sh->kb, sh->kb->checks[step->check].title)));
		return 0;
	}
	return 0;
}

int kt_shell_do_next(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	const struct kt_plan *plan = kt_session_plan(sh->session);
	uint64_t n = 1;

	if (args->n && (!kt_str_uint(args->w[0], 1000, &n) || !n))
		return kt_err_set(err, KT_ERR_USAGE,
				  "next takes the number of a check of the plan, not '" KT_FMT "'",
				  KT_ARG(args->w[0]));
	if (!plan->n)
		return kt_err_set(err, KT_ERR_USAGE, "no check is left that would tell enough");
	if (n > plan->n)
		return kt_err_set(err, KT_ERR_USAGE, "the plan has only %zu check%s", plan->n,
				  plan->n == 1 ? "" : "s");
	sh->chosen = KT_NIL;
	return do_step(sh, &plan->steps[n - 1], err);
}

/* ---- mending ---- */

int kt_shell_do_fix(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_report r = kt_shell_report(sh);
	uint32_t cause;

	if (kt_shell_cause_or_lead(sh, args, &cause, err) < 0)
		return -1;
	kt_report_fix(&r, cause);
	return 0;
}

static void say_state(struct kt_shell *sh, enum kt_paint paint, const char *word, struct kt_str id)
{
	kt_paint(&sh->out, &sh->style, paint, kt_str_c(word));
	kt_shell_say(sh, ": " KT_FMT, KT_ARG(id));
}

int kt_shell_do_verify(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_report r = kt_shell_report(sh);
	struct kt_err why = {0};
	uint32_t cause;

	if (kt_shell_cause_or_lead(sh, args, &cause, err) < 0)
		return -1;
	struct kt_str id = kt_kb_text(sh->kb, sh->kb->causes[cause].id);
	sh->work = KT_S("verifying");
	enum kt_tri mended = kt_session_verify(sh->session, cause, &why);
	if (why.cls == KT_ERR_CANCELLED)
		return kt_err_set(err, KT_ERR_CANCELLED, "%s", why.text);
	if (mended == KT_TRUE)
		say_state(sh, KT_PAINT_GOOD, "mended", id);
	else if (mended == KT_FALSE)
		say_state(sh, KT_PAINT_WARN, "not mended yet", id);
	else
		say_state(sh, KT_PAINT_BAD, "not known whether it is mended", id);
	if (why.cls != KT_ERR_NONE)
		kt_shell_say(sh, "%s", why.text);
	if (mended == KT_UNKNOWN)
		kt_report_fix(&r, cause);
	return 0;
}
