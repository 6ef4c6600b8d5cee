/* How long a person is asked. */
#include "session/state.h"

#include "base/banned.h"

/* A runbook that asks on is left. So by itself the program puts few questions, and fewer
 * to one who does not know; whatever is read anew is a reason to ask again. */
#define ASKED_MAX   5
#define UNKNOWN_MAX 2 /* in a row */

static const struct kt_raw *answered(const struct kt_act *act)
{
	bool is_answer = act->kind == KT_ACT_SET && act->n_raws && kt_str_eq(act->raws[0].source, KT_ANSWER);

	return is_answer ? &act->raws[0] : NULL;
}

static bool reads(const struct kt_act *act)
{
	return act->kind == KT_ACT_SCAN || act->kind == KT_ACT_PASTE;
}

bool kt_session_asked_enough(const struct kt_session *s)
{
	size_t asked = 0, unknown = 0;

	for (size_t i = s->n_acts; i-- && !reads(s->acts[i]);) {
		const struct kt_raw *a = answered(s->acts[i]);
		if (!a)
			continue;
		unknown += unknown == asked && a->state == KT_STATE_UNKNOWN;
		asked++;
	}
	return asked >= ASKED_MAX || unknown >= UNKNOWN_MAX;
}

uint32_t kt_session_best_question(struct kt_session *s)
{
	const struct kt_plan *plan = kt_session_plan(s);

	for (size_t i = 0; i < plan->n; i++)
		if (plan->steps[i].kind == KT_PLAN_ASK)
			return plan->steps[i].fact;
	return KT_NIL;
}

uint32_t kt_session_question(struct kt_session *s)
{
	return kt_session_asked_enough(s) ? KT_NIL : kt_session_best_question(s);
}
