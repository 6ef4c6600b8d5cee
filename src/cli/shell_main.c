/* ktriage and ktriage resume: the shell by the options of the command line. */
#include "cli/cli.h"
#include "cli/shell.h"

#include "base/banned.h"

static enum kt_exit shell(const struct kt_args *a, bool resume)
{
	struct kt_rules *rules;
	enum kt_exit rc = kt_cli_rules(a, &rules);

	if (rc != KT_EXIT_FOUND)
		return rc;
	struct kt_shell_opts o = {
		.kb = rules->kb,
		.color = a->color,
		.verbose = a->verbose,
		.resume = resume && a->n_rest ? a->rest[0] : NULL,
		.resume_last = resume && !a->n_rest,
		.url = a->cluster,
		.database = a->database,
		.replay_dir = a->replay,
		.record_dir = a->record,
		.auth = a->auth,
		.trust_hosts = a->trust_hosts,
		.n_trust_hosts = a->n_trust_hosts,
		.threads = (unsigned)a->threads,
	};
	rc = (enum kt_exit)kt_shell_run(&o);
	kt_rules_free(rules);
	return rc;
}

enum kt_exit kt_run_shell(struct kt_args *a)
{
	return shell(a, false);
}

enum kt_exit kt_run_resume(struct kt_args *a)
{
	struct kt_err err = {0};

	if (a->n_rest > 1) {
		kt_err_set(&err, KT_ERR_USAGE, "resume takes one file; sessions lists them");
		return kt_fail(&err);
	}
	return shell(a, true);
}
