/* The shell from inside; for the files shell*.c only. */
#ifndef KT_CLI_SHELL_IN_H
#define KT_CLI_SHELL_IN_H

#include "cli/shell.h"
#include "cli/shell_words.h"
#include "report/report.h"
#include "term/lineedit.h"
#include "term/progress.h"

/* What an argument is, for completion. */
enum kt_shell_arg {
	KT_ARG_NONE,
	KT_ARG_FACT,
	KT_ARG_VALUE /* of the fact before it */,
	KT_ARG_ANSWER,
	KT_ARG_CAUSE,
	KT_ARG_OPTION,
	KT_ARG_FILE,
	KT_ARG_WORD /* command, fact, cause or option */,
	KT_ARG_AREA,
};

struct kt_shell;

/* One row of the table of commands. */
struct kt_shell_cmd {
	const char *name, *args, *help;
	size_t least; /* arguments it needs */
	/* Adds what it has to say to sh->out. -1 and ERR: it was not done. */
	int (*run)(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err);
	enum kt_shell_arg first, second;
	bool changes; /* the state: verdict and question follow */
};

/* shell_table.c */
extern const struct kt_shell_cmd kt_shell_cmds[];
extern const size_t kt_shell_n_cmds;
const struct kt_shell_cmd *kt_shell_find(struct kt_str name);
size_t kt_shell_prefix(struct kt_str prefix, const struct kt_shell_cmd **first);
struct kt_str kt_shell_nearest(struct kt_str word);
int kt_shell_help(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err);

struct kt_shell {
	const struct kt_shell_opts *o;
	const struct kt_kb *kb;
	struct kt_session *session;
	struct kt_edit *edit;
	struct kt_guard *guard; /* made when it is needed */
	struct kt_style style;
	struct kt_buf out;     /* what the command in hand says */
	struct kt_buf verdict; /* what was said last, as a key */
	struct kt_buf journal; /* path, empty if none */
	bool own_journal;      /* begun here; one that was resumed is the person's */
	struct kt_buf history; /* path, empty if none */
	struct kt_progress progress;
	struct kt_str work;   /* what is being done, for the progress line */
	struct kt_arena keep; /* what a cluster borrows */
	uint32_t chosen;      /* the question that next N put, or KT_NIL */
	bool partly;          /* the work in hand was stopped, and what it had done counts */
	bool quit;
	int status;
};

/* shell.c */
struct kt_report kt_shell_report(struct kt_shell *sh);
/* The question an answer goes to, or KT_NIL. */
uint32_t kt_shell_question(struct kt_shell *sh);
/* Shows sh->out, through a pager if PAGED, and empties it. */
void kt_shell_flush(struct kt_shell *sh, bool paged);
void kt_shell_say(struct kt_shell *sh, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void kt_shell_complain(struct kt_shell *sh, const char *text);
void kt_shell_ask(struct kt_shell *sh);
/* What was stated, and that it disputes something if it does. */
void kt_shell_said(struct kt_shell *sh, uint32_t fact, struct kt_str value);
/* A new session in place of the one there is; JOURNAL may be NULL. */
int kt_shell_session(struct kt_shell *sh, const char *journal, struct kt_err *err);
/* Ends SESSION; a journal that was begun for it goes too when nothing is in it. */
void kt_shell_drop(struct kt_shell *sh, struct kt_session *take_session);
/* Diagnoses TEXT, which was pasted or typed. */
int kt_shell_text(struct kt_shell *sh, struct kt_str text, size_t pasted, struct kt_err *err);

/* shell_ui.c */
extern const struct kt_ui kt_shell_ui;
bool kt_shell_cancelled(void *ctx);

/* shell_complete.c */
void kt_shell_complete(void *ctx, struct kt_str line, size_t at, struct kt_edit_words *out);

/* shell_cluster.c */
int kt_shell_connect(struct kt_shell *sh, struct kt_str url, struct kt_str database, struct kt_err *err);
int kt_shell_kusto(struct kt_shell *sh, struct kt_str text, bool query, struct kt_err *err);
int kt_shell_guard(struct kt_shell *sh, struct kt_err *err);

/* shell_files.c: goes on with the journal at PATH; on failure all stays as it is. */
int kt_shell_resume(struct kt_shell *sh, const char *path, struct kt_err *err);
int kt_shell_resume_last(struct kt_shell *sh, struct kt_err *err);

/* shell_args.c: arguments to rows; errors suggest what is near. */
int kt_shell_fact(struct kt_shell *sh, struct kt_str id, uint32_t *fact, struct kt_err *err);
int kt_shell_cause(struct kt_shell *sh, struct kt_str id, uint32_t *cause, struct kt_err *err);
/* The leading cause when no argument is given. */
int kt_shell_cause_or_lead(struct kt_shell *sh, const struct kt_shell_args *args, uint32_t *cause,
			   struct kt_err *err);
uint32_t kt_shell_option_row(const struct kt_kb *kb, struct kt_str id);

/* The commands, one function each. */
#define KT_SHELL_FUNCTIONS(X) \
	X(where)              \
	X(ask)                \
	X(scan)               \
	X(paste)              \
	X(set)                \
	X(unset)              \
	X(answer)             \
	X(facts)              \
	X(evidence)           \
	X(plan)               \
	X(next)               \
	X(why)                \
	X(how)                \
	X(why_not)            \
	X(what_if)            \
	X(undo)               \
	X(redo)               \
	X(aside)              \
	X(connect)            \
	X(disconnect)         \
	X(query)              \
	X(fix)                \
	X(verify)             \
	X(search) X(explain) X(option) X(save) X(resume) X(report) X(sessions) X(rules) X(history) X(quit)
#define X(name) \
	int kt_shell_do_##name(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err);
KT_SHELL_FUNCTIONS(X)
#undef X

#endif
