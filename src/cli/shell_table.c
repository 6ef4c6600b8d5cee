/* The commands, one row each: resolution, help and completion come from here. */
#include "cli/shell_in.h"
#include "term/table.h"

#include "base/banned.h"

#define DO(name) kt_shell_do_##name

/* clang-format off */
const struct kt_shell_cmd kt_shell_cmds[] = {
	{"where", "", "the five steps, what is known, what is left", 0, DO(where), KT_ARG_NONE, KT_ARG_NONE, false},
	{"ask", "[FACT]", "put the open question again, or the one about a fact", 0, DO(ask), KT_ARG_FACT, KT_ARG_NONE, false},
	{"answer", "VALUE", "answer the open question, whatever the value looks like", 1, DO(answer), KT_ARG_ANSWER, KT_ARG_NONE, true},
	{"scan", "FILE...", "read logs, event logs, job sources, and folders of them", 1, DO(scan), KT_ARG_FILE, KT_ARG_FILE, true},
	{"paste", "", "read lines as they are, up to a line with only a dot", 0, DO(paste), KT_ARG_NONE, KT_ARG_NONE, true},
	{"set", "FACT VALUE", "state a fact", 2, DO(set), KT_ARG_FACT, KT_ARG_VALUE, true},
	{"unset", "FACT", "take a stated fact back, or set a read one aside", 1, DO(unset), KT_ARG_FACT, KT_ARG_NONE, true},
	{"facts", "[all]", "what is known and from where; all: every fact there is", 0, DO(facts), KT_ARG_NONE, KT_ARG_NONE, false},
	{"evidence", "", "what was read, run and seen", 0, DO(evidence), KT_ARG_NONE, KT_ARG_NONE, false},
	{"plan", "", "all checks worth doing, best first", 0, DO(plan), KT_ARG_NONE, KT_ARG_NONE, false},
	{"next", "[N]", "do the best check, or number N of the plan", 0, DO(next), KT_ARG_NONE, KT_ARG_NONE, true},
	{"why", "[FACT]", "why the question is asked and what each answer would do", 0, DO(why), KT_ARG_FACT, KT_ARG_NONE, false},
	{"how", "[CAUSE]", "what speaks for a cause, with its sources", 0, DO(how), KT_ARG_CAUSE, KT_ARG_NONE, false},
	{"why-not", "CAUSE", "why another cause is not the answer", 1, DO(why_not), KT_ARG_CAUSE, KT_ARG_NONE, false},
	{"what-if", "FACT VALUE", "what a fact would change, without stating it", 2, DO(what_if), KT_ARG_FACT, KT_ARG_VALUE, false},
	{"aside", "CAUSE", "leave the evidence of a cause out, to end a conflict", 1, DO(aside), KT_ARG_CAUSE, KT_ARG_NONE, true},
	{"undo", "", "take the last change back", 0, DO(undo), KT_ARG_NONE, KT_ARG_NONE, true},
	{"redo", "", "do it again", 0, DO(redo), KT_ARG_NONE, KT_ARG_NONE, true},
	{"connect", "URL [DATABASE]", "name the cluster that may be asked; a folder of recordings will do", 1, DO(connect), KT_ARG_FILE, KT_ARG_NONE, true},
	{"disconnect", "", "ask no cluster any more", 0, DO(disconnect), KT_ARG_NONE, KT_ARG_NONE, true},
	{"query", "KQL", "run one read-only query", 1, DO(query), KT_ARG_NONE, KT_ARG_NONE, false},
	{"fix", "[CAUSE]", "what to do, with the names filled in", 0, DO(fix), KT_ARG_CAUSE, KT_ARG_NONE, false},
	{"verify", "[CAUSE]", "see whether it is mended", 0, DO(verify), KT_ARG_CAUSE, KT_ARG_NONE, false},
	{"search", "WORDS", "causes and options that mention the words", 1, DO(search), KT_ARG_NONE, KT_ARG_NONE, false},
	{"explain", "CAUSE", "the page of a cause", 1, DO(explain), KT_ARG_CAUSE, KT_ARG_NONE, false},
	{"option", "[NAME]", "the reference of an option of the connector", 0, DO(option), KT_ARG_OPTION, KT_ARG_NONE, false},
	{"report", "[FILE]", "the whole answer, on the screen or into a file (.json: as JSON)", 0, DO(report), KT_ARG_FILE, KT_ARG_NONE, false},
	{"save", "[FILE]", "write the session to a file", 0, DO(save), KT_ARG_FILE, KT_ARG_NONE, false},
	{"resume", "[FILE]", "go on with a saved session, or with the last one", 0, DO(resume), KT_ARG_FILE, KT_ARG_NONE, true},
	{"sessions", "", "the sessions that were kept", 0, DO(sessions), KT_ARG_NONE, KT_ARG_NONE, false},
	{"rules", "[AREA]", "the packs, or the causes of an area", 0, DO(rules), KT_ARG_AREA, KT_ARG_NONE, false},
	{"history", "", "what was typed before", 0, DO(history), KT_ARG_NONE, KT_ARG_NONE, false},
	{"help", "[WORD]", "these lines; or what a command, fact, cause or option is", 0, kt_shell_help, KT_ARG_WORD, KT_ARG_NONE, false},
	{"quit", "", "leave; so does ^D", 0, DO(quit), KT_ARG_NONE, KT_ARG_NONE, false},
};
/* clang-format on */
const size_t kt_shell_n_cmds = KT_LEN(kt_shell_cmds);

const struct kt_shell_cmd *kt_shell_find(struct kt_str name)
{
	for (size_t i = 0; i < KT_LEN(kt_shell_cmds); i++)
		if (kt_str_eq_c(name, kt_shell_cmds[i].name))
			return &kt_shell_cmds[i];
	return NULL;
}

size_t kt_shell_prefix(struct kt_str prefix, const struct kt_shell_cmd **first)
{
	size_t n = 0;

	*first = NULL;
	for (size_t i = 0; i < KT_LEN(kt_shell_cmds) && prefix.len; i++) {
		if (!kt_str_starts(kt_str_c(kt_shell_cmds[i].name), prefix))
			continue;
		if (!n++)
			*first = &kt_shell_cmds[i];
	}
	return n;
}

struct kt_str kt_shell_nearest(struct kt_str word)
{
	struct kt_str names[KT_LEN(kt_shell_cmds)];

	for (size_t i = 0; i < KT_LEN(names); i++)
		names[i] = kt_str_c(kt_shell_cmds[i].name);
	return kt_str_nearest(word, names, KT_LEN(names));
}

static void usage(const struct kt_shell_cmd *cmd, struct kt_buf *out)
{
	kt_buf_clear(out);
	kt_buf_fmt(out, "%s%s%s", cmd->name, cmd->args[0] ? " " : "", cmd->args);
}

static void all_commands(struct kt_shell *sh)
{
	struct kt_table t;
	struct kt_buf b = KT_BUF(KT_BUF_NAME);

	kt_table_init(&t);
	kt_table_column(&t, KT_NONE, false);
	kt_table_column(&t, KT_NONE, false);
	for (size_t i = 0; i < KT_LEN(kt_shell_cmds); i++) {
		usage(&kt_shell_cmds[i], &b);
		kt_table_cell(&t, kt_buf_view(&b));
		kt_table_cell_c(&t, kt_shell_cmds[i].help);
	}
	kt_table_cell_c(&t, ".show ...");
	kt_table_cell_c(&t, "run one read-only command on the cluster");
	kt_table_render(&t, &sh->style, 0, &sh->out);
	kt_table_free(&t);
	kt_buf_free(&b);
	kt_shell_say(sh,
		     "Anything else is an answer to the open question, or a text to diagnose. Commands and "
		     "names may be shortened while they are unique; Tab completes them. ^C stops what runs, "
		     "^D leaves.");
}

static void one_command(struct kt_shell *sh, const struct kt_shell_cmd *cmd)
{
	struct kt_buf b = KT_BUF(KT_BUF_NAME);

	usage(cmd, &b);
	kt_paint(&sh->out, &sh->style, KT_PAINT_HEAD, kt_buf_view(&b));
	kt_buf_char(&sh->out, '\n');
	kt_buf_free(&b);
	kt_wrap(&sh->out, &sh->style, KT_PAINT_PLAIN, kt_str_c(cmd->help), 0, 2);
	kt_buf_char(&sh->out, '\n');
}

static void one_fact(struct kt_shell *sh, uint32_t fact)
{
	const struct kt_fact *f = &sh->kb->facts[fact];

	kt_shell_say(sh, KT_FMT " (%s): " KT_FMT, KT_ARG(kt_kb_text(sh->kb, f->id)),
		     kt_fact_type_word((enum kt_fact_type)f->type), KT_ARG(kt_kb_text(sh->kb, f->ask)));
	if (f->why.len)
		kt_shell_say(sh, "  " KT_FMT, KT_ARG(kt_kb_text(sh->kb, f->why)));
	for (uint32_t i = 0; i < f->choices.n; i++) {
		const struct kt_choice *c = &sh->kb->choices[f->choices.at + i];
		kt_shell_say(sh, "  " KT_FMT "%s" KT_FMT, KT_ARG(kt_kb_text(sh->kb, c->value)),
			     c->text.len ? ": " : "", KT_ARG(kt_kb_text(sh->kb, c->text)));
	}
}

int kt_shell_help(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_report r = kt_shell_report(sh);
	const struct kt_shell_cmd *cmd;

	if (!args->n) {
		all_commands(sh);
		return 0;
	}
	struct kt_str word = args->w[0];
	uint32_t fact = kt_kb_fact(sh->kb, word), cause = kt_kb_cause(sh->kb, word);
	uint32_t option = kt_shell_option_row(sh->kb, word);
	if ((cmd = kt_shell_find(word)))
		one_command(sh, cmd);
	if (fact != KT_NIL)
		one_fact(sh, fact);
	if (cause != KT_NIL)
		kt_report_cause(&r, sh->kb, cause);
	if (option != KT_NIL)
		kt_report_option(&r, sh->kb, option);
	if (sh->out.len)
		return 0;
	if (kt_shell_prefix(word, &cmd) == 1) {
		one_command(sh, cmd);
		return 0;
	}
	return kt_err_set(err, KT_ERR_USAGE,
			  "no command, fact, cause or option '" KT_FMT "'; search looks for words",
			  KT_ARG(word));
}
