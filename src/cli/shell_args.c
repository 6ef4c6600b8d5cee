/* Names that a person types, whole or by a unique prefix, to rows of the base. */
#include "base/alloc.h"
#include "cli/shell_in.h"

#include "base/banned.h"

/* A table of ids to search. */
struct ids {
	const char *what; /* "fact" */
	const char *list; /* the command that lists them */
	struct kt_str (*id)(const struct kt_kb *kb, uint32_t row);
	uint32_t n;
};

static struct kt_str fact_id(const struct kt_kb *kb, uint32_t row)
{
	return kt_kb_text(kb, kb->facts[row].id);
}

static struct kt_str cause_id(const struct kt_kb *kb, uint32_t row)
{
	return kt_kb_text(kb, kb->causes[row].id);
}

static struct kt_str option_id(const struct kt_kb *kb, uint32_t row)
{
	return kt_kb_text(kb, kb->options[row].id);
}

static int missing(const struct kt_kb *kb, const struct ids *ids, struct kt_str id, struct kt_err *err)
{
	struct kt_str *names = kt_alloc_n(ids->n + 1u, sizeof *names);

	for (uint32_t i = 0; i < ids->n; i++)
		names[i] = ids->id(kb, i);
	struct kt_str near = kt_str_nearest(id, names, ids->n);
	kt_free(names);
	if (near.len)
		return kt_err_set(err, KT_ERR_USAGE, "no %s '" KT_FMT "'; did you mean '" KT_FMT "'?",
				  ids->what, KT_ARG(id), KT_ARG(near));
	return kt_err_set(err, KT_ERR_USAGE, "no %s '" KT_FMT "'; %s lists them", ids->what, KT_ARG(id),
			  ids->list);
}

/* Whole id, else the only one that differs in case or goes on. */
static int find(const struct kt_kb *kb, const struct ids *ids, struct kt_str id, uint32_t *row,
		struct kt_err *err)
{
	uint32_t n = 0, first = KT_NIL, second = KT_NIL;

	for (uint32_t i = 0; i < ids->n; i++) {
		struct kt_str x = ids->id(kb, i);
		if (kt_str_eq(x, id)) {
			*row = i;
			return 0;
		}
		if (!id.len || !kt_str_ieq(kt_str_sub(x, 0, id.len), id))
			continue;
		if (!n++)
			first = i;
		else if (n == 2)
			second = i;
	}
	*row = first;
	if (n == 1)
		return 0;
	if (n > 1)
		return kt_err_set(err, KT_ERR_USAGE, "'" KT_FMT "' begins %u %ss: " KT_FMT ", " KT_FMT "%s",
				  KT_ARG(id), n, ids->what, KT_ARG(ids->id(kb, first)),
				  KT_ARG(ids->id(kb, second)), n > 2 ? ", ..." : "");
	return missing(kb, ids, id, err);
}

int kt_shell_fact(struct kt_shell *sh, struct kt_str id, uint32_t *fact, struct kt_err *err)
{
	struct ids ids = {"fact", "facts all", fact_id, sh->kb->n_facts};

	return find(sh->kb, &ids, id, fact, err);
}

int kt_shell_cause(struct kt_shell *sh, struct kt_str id, uint32_t *cause, struct kt_err *err)
{
	struct ids ids = {"cause", "rules AREA", cause_id, sh->kb->n_causes};

	return find(sh->kb, &ids, id, cause, err);
}

int kt_shell_cause_or_lead(struct kt_shell *sh, const struct kt_shell_args *args, uint32_t *cause,
			   struct kt_err *err)
{
	if (args->n)
		return kt_shell_cause(sh, args->w[0], cause, err);
	*cause = kt_session_judgement(sh->session)->lead;
	if (*cause == KT_NIL)
		return kt_err_set(err, KT_ERR_USAGE,
				  "no cause leads yet; name one, or give a log (scan FILE)");
	return 0;
}

uint32_t kt_shell_option_row(const struct kt_kb *kb, struct kt_str id)
{
	struct ids ids = {"option", "option", option_id, kb->n_options};
	struct kt_err ignored = {0};
	uint32_t row;

	return find(kb, &ids, id, &row, &ignored) == 0 ? row : KT_NIL;
}
