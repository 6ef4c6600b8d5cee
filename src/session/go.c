#include "session/state.h"

#include "base/banned.h"

#define STEPS_MAX 200 /* more checks than any base has rows for one incident */

static const struct kt_plan_step *first_command(const struct kt_plan *plan)
{
	for (size_t i = 0; i < plan->n; i++)
		if (plan->steps[i].kind == KT_PLAN_SHOW)
			return &plan->steps[i];
	return NULL;
}

/* Asks the open question; false when nobody answers. */
static bool ask(struct kt_session *s, uint32_t fact, struct kt_err *err)
{
	struct kt_str answer;

	if (!s->ui || !s->ui->ask || !s->ui->ask(s->ui_ctx, fact, &answer))
		return false;
	return kt_session_set(s, kt_kb_text(s->kb, s->kb->facts[fact].id), answer, KT_ANSWER, err) == 0;
}

int kt_session_go(struct kt_session *s, struct kt_err *err)
{
	for (int i = 0; i < STEPS_MAX; i++) {
		const struct kt_plan *plan = kt_session_plan(s);
		const struct kt_plan_step *show = s->cluster ? first_command(plan) : NULL;
		if (show) {
			if (kt_session_run(s, show->check, err) < 0)
				return -1;
			continue;
		}
		uint32_t question = kt_session_question(s);
		if (question == KT_NIL || !ask(s, question, err))
			break;
	}
	return err->cls == KT_ERR_NONE ? 0 : -1;
}
