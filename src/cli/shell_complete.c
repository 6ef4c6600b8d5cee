/* What Tab offers at a place of the line. */
#include "cli/shell_in.h"

#include "base/banned.h"

static void offer_commands(struct kt_edit_words *out)
{
	for (size_t i = 0; i < kt_shell_n_cmds; i++)
		kt_edit_offer(out, kt_str_c(kt_shell_cmds[i].name));
}

static void offer_facts(const struct kt_kb *kb, struct kt_edit_words *out)
{
	for (uint32_t i = 0; i < kb->n_facts; i++)
		kt_edit_offer(out, kt_kb_text(kb, kb->facts[i].id));
}

static void offer_causes(const struct kt_kb *kb, struct kt_edit_words *out)
{
	for (uint32_t i = 0; i < kb->n_causes; i++)
		kt_edit_offer(out, kt_kb_text(kb, kb->causes[i].id));
}

static void offer_options(const struct kt_kb *kb, struct kt_edit_words *out)
{
	for (uint32_t i = 0; i < kb->n_options; i++)
		kt_edit_offer(out, kt_kb_text(kb, kb->options[i].id));
}

static void offer_values(const struct kt_kb *kb, uint32_t fact, struct kt_edit_words *out)
{
	if (fact == KT_NIL)
		return;
	const struct kt_fact *f = &kb->facts[fact];
	for (uint32_t i = 0; i < f->choices.n; i++)
		kt_edit_offer(out, kt_kb_text(kb, kb->choices[f->choices.at + i].value));
	kt_edit_offer(out, KT_S("unknown"));
}

static void offer_areas(const struct kt_kb *kb, struct kt_edit_words *out)
{
	struct kt_str last = KT_NONE;

	for (uint32_t i = 0; i < kb->n_causes; i++) {
		struct kt_str area = kt_kb_text(kb, kb->causes[i].area);
		if (!kt_str_eq(area, last))
			kt_edit_offer(out, area);
		last = area;
	}
}

/* ---- commands of the cluster ---- */

struct shapes {
	struct kt_str line; /* what stands before the word, with its last blank */
	struct kt_edit_words *out;
};

/* Offers the next word of a shape that goes on from the line. Slots are not words. */
static bool offer_shape(void *ctx, struct kt_str shape, enum kt_guard_class cls)
{
	struct shapes *s = ctx;

	(void)cls;
	if (!kt_str_starts(shape, s->line))
		return true;
	struct kt_str word = kt_str_from(shape, s->line.len);
	size_t end = kt_str_chr(word, ' ', 0);
	word = kt_str_sub(word, 0, end == KT_NPOS ? word.len : end);
	if (word.len && word.p[0] != '{' && word.p[0] != '<' && word.p[0] != '(')
		kt_edit_offer(s->out, word);
	return true;
}

static void offer_kusto(struct kt_shell *sh, struct kt_str before, struct kt_edit_words *out)
{
	struct kt_err ignored = {0};
	struct shapes s = {before, out};

	if (kt_shell_guard(sh, &ignored) == 0)
		kt_guard_each(sh->guard, before, offer_shape, &s);
}

/* ---- the place ---- */

static void offer(struct kt_shell *sh, enum kt_shell_arg arg, const struct kt_shell_args *before,
		  struct kt_edit_words *out)
{
	struct kt_err ignored = {0};
	uint32_t fact;

	switch (arg) {
	case KT_ARG_NONE: break;
	case KT_ARG_FACT: offer_facts(sh->kb, out); break;
	case KT_ARG_VALUE:
		if (before->n > 1 && kt_shell_fact(sh, before->w[1], &fact, &ignored) == 0)
			offer_values(sh->kb, fact, out);
		break;
	case KT_ARG_ANSWER: offer_values(sh->kb, kt_shell_question(sh), out); break;
	case KT_ARG_CAUSE: offer_causes(sh->kb, out); break;
	case KT_ARG_OPTION: offer_options(sh->kb, out); break;
	case KT_ARG_FILE: kt_edit_offer_files(out); break;
	case KT_ARG_AREA: offer_areas(sh->kb, out); break;
	case KT_ARG_WORD:
		offer_commands(out);
		offer_facts(sh->kb, out);
		offer_causes(sh->kb, out);
		offer_options(sh->kb, out);
		break;
	}
}

/* BEFORE holds the words before the one under the cursor. */
static void offer_argument(struct kt_shell *sh, const struct kt_shell_args *before, struct kt_edit_words *out)
{
	const struct kt_shell_cmd *cmd = kt_shell_find(before->w[0]);

	if (!cmd && kt_shell_prefix(before->w[0], &cmd) != 1)
		return;
	bool many = cmd->second == cmd->first; /* FILE... */
	offer(sh,
	      before->n == 1 || many ? cmd->first
	      : before->n == 2       ? cmd->second
				     : KT_ARG_NONE,
	      before, out);
}

void kt_shell_complete(void *ctx, struct kt_str line, size_t at, struct kt_edit_words *out)
{
	struct kt_shell *sh = ctx;
	struct kt_arena a = {0};
	struct kt_shell_args before;
	struct kt_str head = kt_str_sub(line, 0, at);

	kt_shell_split(kt_str_trim(head), &a, &before);
	bool kusto = line.len && line.p[0] == '.';
	if (kusto) {
		offer_kusto(sh, head, out);
	} else if (before.n) {
		offer_argument(sh, &before, out);
	} else {
		offer_commands(out);
		offer_values(sh->kb, kt_shell_question(sh), out);
	}
	kt_arena_free(&a);
}
