/* A session that is judged by what ought to come out: what test and eval share. */
#ifndef KT_AUTHOR_TRIAL_H
#define KT_AUTHOR_TRIAL_H

#include "kusto/cluster.h"
#include "session/session.h"

struct kt_trial {
	const struct kt_kb *kb;
	const struct kt_ui *ui; /* may be NULL */
	void *ui_ctx;
	struct kt_guard *guard;     /* made at the first recording; NULL before */
	struct kt_session *session; /* made at the first case */
};

/* The session, fresh: compiled patterns are kept from one case to the next. NULL on error. */
struct kt_session *kt_trial_session(struct kt_trial *t, struct kt_err *err);
/* Connects S to the recorded answers in DIR. */
KT_MUST_CHECK int kt_trial_connect(struct kt_trial *t, struct kt_session *s, struct kt_str dir,
				   struct kt_err *err);
void kt_trial_free(struct kt_trial *t);

/* CONFIRMED or LIKELY. */
bool kt_trial_sure(const struct kt_judgement *j);
/* Is the cause (a row) the answer, or one of two? */
bool kt_trial_is_answer(const struct kt_judgement *j, uint32_t cause);

#endif
