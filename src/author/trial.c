#include "author/trial.h"

#include "base/banned.h"

int kt_trial_connect(struct kt_trial *t, struct kt_session *s, struct kt_str dir, struct kt_err *err)
{
	if (!t->guard)
		t->guard = kt_guard_new(kt_kb_file(t->kb, "guard.tsv"), err);
	if (!t->guard)
		return -1;
	struct kt_cluster_opts opts = {.guard = t->guard,
				       .trusted_tsv = kt_kb_file(t->kb, "trusted.tsv"),
				       .replay_dir = dir,
				       .cancel_fd = -1};
	struct kt_cluster *cluster = kt_cluster_open(&opts, err);
	return cluster ? kt_session_connect(s, cluster, KT_NONE, err) : -1;
}

struct kt_session *kt_trial_session(struct kt_trial *t, struct kt_err *err)
{
	struct kt_session_opts opts = {.kb = t->kb, .ui = t->ui, .ui_ctx = t->ui_ctx, .threads = 1};

	if (t->session)
		kt_session_forget(t->session);
	else if (kt_session_new(&opts, &t->session, err) < 0)
		return NULL;
	return t->session;
}

void kt_trial_free(struct kt_trial *t)
{
	kt_session_free(t->session);
	t->session = NULL;
	kt_guard_free(t->guard);
	t->guard = NULL;
}

bool kt_trial_sure(const struct kt_judgement *j)
{
	return j->verdict == KT_CONFIRMED || j->verdict == KT_LIKELY;
}

bool kt_trial_is_answer(const struct kt_judgement *j, uint32_t cause)
{
	for (size_t i = 0; i < j->n_problems; i++)
		if (j->problems[i].cause == cause)
			return true;
	return kt_trial_sure(j) && j->lead == cause && cause != KT_NIL;
}
