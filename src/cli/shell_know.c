/* Commands about what is known: facts, questions, explanations, undo. */
#include <string.h>

#include "base/alloc.h"
#include "cli/shell_in.h"

#include "base/banned.h"

#define PLAN_SHOWN 40u

int kt_shell_do_where(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_report r = kt_shell_report(sh);

	(void)args;
	(void)err;
	kt_report_where(&r);
	if (kt_shell_question(sh) != KT_NIL)
		kt_shell_ask(sh);
	return 0;
}

int kt_shell_do_ask(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_report r = kt_shell_report(sh);

	if (args->n && kt_shell_fact(sh, args->w[0], &sh->chosen, err) < 0)
		return -1;
	if (kt_shell_question(sh) == KT_NIL)
		sh->chosen = kt_session_best_question(sh->session);
	uint32_t q = kt_shell_question(sh);
	if (q == KT_NIL)
		return kt_err_set(err, KT_ERR_USAGE, "no question is open; plan shows what may be checked");
	kt_report_ask(&r, q);
	return 0;
}

int kt_shell_do_answer(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	uint32_t q = kt_shell_question(sh);

	if (q == KT_NIL)
		return kt_err_set(err, KT_ERR_USAGE, "no question is open; set FACT VALUE states a fact");
	struct kt_str id = kt_kb_text(sh->kb, sh->kb->facts[q].id);
	struct kt_str value = kt_shell_value(sh->kb, q, args->rest);
	if (kt_session_set(sh->session, id, value, KT_ANSWER, err) < 0)
		return -1;
	sh->chosen = KT_NIL;
	kt_shell_said(sh, q, value);
	return 0;
}

int kt_shell_do_set(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	uint32_t fact;

	if (kt_shell_fact(sh, args->w[0], &fact, err) < 0)
		return -1;
	struct kt_str id = kt_kb_text(sh->kb, sh->kb->facts[fact].id);
	struct kt_str given = args->n == 2 ? args->w[1] : kt_shell_from(args, 1);
	struct kt_str value = kt_shell_value(sh->kb, fact, given);
	if (kt_session_set(sh->session, id, value, KT_S("set"), err) < 0)
		return -1;
	if (sh->chosen == fact)
		sh->chosen = KT_NIL;
	kt_shell_said(sh, fact, value);
	return 0;
}

int kt_shell_do_unset(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	uint32_t fact;

	if (kt_shell_fact(sh, args->w[0], &fact, err) < 0)
		return -1;
	return kt_session_unset(sh->session, kt_kb_text(sh->kb, sh->kb->facts[fact].id), err);
}

int kt_shell_do_facts(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_report r = kt_shell_report(sh);

	if (args->n && !kt_str_eq_c(args->w[0], "all"))
		return kt_err_set(err, KT_ERR_USAGE, "facts takes only 'all'; help FACT explains one");
	if (args->n)
		kt_report_all_facts(&r, sh->kb);
	else
		kt_report_facts(&r);
	return 0;
}

int kt_shell_do_evidence(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_report r = kt_shell_report(sh);

	(void)args;
	(void)err;
	kt_report_inputs(&r);
	kt_report_commands(&r);
	kt_report_evidence(&r);
	return 0;
}

int kt_shell_do_plan(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_report r = kt_shell_report(sh);

	(void)args;
	(void)err;
	kt_report_next(&r, PLAN_SHOWN);
	return 0;
}

int kt_shell_do_why(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_report r = kt_shell_report(sh);
	uint32_t fact = kt_shell_question(sh);

	if (args->n && kt_shell_fact(sh, args->w[0], &fact, err) < 0)
		return -1;
	if (fact == KT_NIL)
		return kt_err_set(err, KT_ERR_USAGE,
				  "no question is open; how tells what the verdict rests on");
	kt_report_why(&r, fact);
	return 0;
}

int kt_shell_do_how(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_report r = kt_shell_report(sh);
	uint32_t cause;

	if (kt_shell_cause_or_lead(sh, args, &cause, err) < 0)
		return -1;
	kt_report_how(&r, cause);
	return 0;
}

int kt_shell_do_why_not(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_report r = kt_shell_report(sh);
	uint32_t cause;

	if (kt_shell_cause(sh, args->w[0], &cause, err) < 0)
		return -1;
	kt_report_why_not(&r, cause);
	return 0;
}

int kt_shell_do_what_if(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_report r = kt_shell_report(sh);
	uint32_t fact;

	if (kt_shell_fact(sh, args->w[0], &fact, err) < 0)
		return -1;
	struct kt_str given = args->n == 2 ? args->w[1] : kt_shell_from(args, 1);
	struct kt_str value = kt_shell_value(sh->kb, fact, given);
	if (kt_session_valid(sh->session, fact, value, err) < 0)
		return -1;
	kt_report_what_if(&r, fact, value);
	return 0;
}

int kt_shell_do_aside(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	uint32_t cause;

	if (kt_shell_cause(sh, args->w[0], &cause, err) < 0)
		return -1;
	return kt_session_set_aside(sh->session, kt_kb_text(sh->kb, sh->kb->causes[cause].id), err);
}

int kt_shell_do_undo(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_str what;

	(void)args;
	if (!kt_session_undo(sh->session, &what))
		return kt_err_set(err, KT_ERR_USAGE, "nothing to take back");
	sh->chosen = KT_NIL;
	kt_shell_say(sh, "Took back: " KT_FMT, KT_ARG(what));
	return 0;
}

int kt_shell_do_redo(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_str what;

	(void)args;
	if (!kt_session_redo(sh->session, &what))
		return kt_err_set(err, KT_ERR_USAGE, "nothing was taken back");
	kt_shell_say(sh, "Did again: " KT_FMT, KT_ARG(what));
	return 0;
}

/* ---- the companion ---- */

int kt_shell_do_search(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_report r = kt_shell_report(sh);

	(void)err;
	kt_report_search(&r, sh->kb, args->rest);
	return 0;
}

int kt_shell_do_explain(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_report r = kt_shell_report(sh);
	uint32_t cause;

	if (kt_shell_cause(sh, args->w[0], &cause, err) < 0)
		return -1;
	kt_report_cause(&r, sh->kb, cause);
	return 0;
}

int kt_shell_do_option(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_report r = kt_shell_report(sh);

	if (!args->n) {
		for (uint32_t i = 0; i < sh->kb->n_options; i++)
			kt_shell_say(sh, KT_FMT, KT_ARG(kt_kb_text(sh->kb, sh->kb->options[i].id)));
		return 0;
	}
	uint32_t row = kt_shell_option_row(sh->kb, args->w[0]);
	for (uint32_t i = 0; i < sh->kb->n_options && row == KT_NIL; i++)
		if (kt_report_wrong_option(&r, sh->kb, i, args->w[0]))
			return 0;
	if (row == KT_NIL)
		return kt_err_set(err, KT_ERR_USAGE,
				  "no option '" KT_FMT "', or several begin so; option lists them",
				  KT_ARG(args->w[0]));
	kt_report_option(&r, sh->kb, row);
	return 0;
}

int kt_shell_do_rules(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_report r = kt_shell_report(sh);

	if (!args->n)
		kt_report_areas(&r, sh->kb);
	else if (!kt_report_area(&r, sh->kb, args->w[0]))
		return kt_err_set(err, KT_ERR_USAGE, "no area '" KT_FMT "'; rules lists them",
				  KT_ARG(args->w[0]));
	return 0;
}

int kt_shell_do_quit(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	(void)args;
	(void)err;
	sh->quit = true;
	return 0;
}
