/* What a line at the prompt means. */
#ifndef KT_CLI_SHELL_WORDS_H
#define KT_CLI_SHELL_WORDS_H

#include "base/arena.h"
#include "session/session.h"

struct kt_shell_cmd;

enum kt_shell_meaning {
	KT_SHELL_NOTHING, /* a blank line */
	KT_SHELL_COMMAND, /* cmd, rest */
	KT_SHELL_KUSTO,   /* rest: a command for the cluster */
	KT_SHELL_ANSWER,  /* rest: the answer, as the fact spells it */
	KT_SHELL_TEXT,    /* rest: something to diagnose */
	KT_SHELL_UNCLEAR, /* near: what may have been meant, or empty; n_prefix > 1: a prefix of several */
};

struct kt_shell_line {
	enum kt_shell_meaning meaning;
	const struct kt_shell_cmd *cmd;
	struct kt_str word; /* the first word */
	struct kt_str rest; /* behind the command word, trimmed; else the whole text */
	struct kt_str near;
	size_t n_prefix;
};

/* In this order: a dot and a letter begin a Kusto command; a whole command name is
 * that command; a valid answer to QUESTION (KT_NIL: none is open) is one; what reads
 * like an error text is diagnosed; a unique prefix of a command is that command.
 * PASTED: the whole text was pasted, so that only its first line can be a command.
 * For a question that takes any text, one that looks like a mistyped command or
 * like the answer to another question is unclear: never guess. A command that needs arguments, alone on the line, is the
 * answer where it is one of the choices. */
void kt_shell_meaning(struct kt_session *s, uint32_t question, struct kt_str text, bool pasted,
		      struct kt_shell_line *out);

/* Reads like a line of a log, a stack trace or an error message, not like an answer. */
bool kt_shell_is_text(struct kt_str text);
/* One of the values that some question offers. */
bool kt_shell_is_choice(const struct kt_kb *kb, struct kt_str text);
/* TEXT as FACT spells it: case of the choices, yes and no, "?" for unknown. */
struct kt_str kt_shell_value(const struct kt_kb *kb, uint32_t fact, struct kt_str text);

/* Words of a command's arguments; "two words", 'two words' and two\ words are one. */
struct kt_shell_args {
	struct kt_str rest; /* as typed, trimmed */
	struct kt_str *w;
	size_t n;
	size_t *at; /* where each word begins in REST */
};
void kt_shell_split(struct kt_str rest, struct kt_arena *a, struct kt_shell_args *out);
/* All from word I on, as typed. */
struct kt_str kt_shell_from(const struct kt_shell_args *args, size_t i);

#endif
