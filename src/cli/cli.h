/* The command line: one table of commands, one of options.
 *
 * Help, the manual's lists and the completion come from these tables. Options are
 * exact long names; "--name value" and "--name=value" are the same.
 */
#ifndef KT_CLI_CLI_H
#define KT_CLI_CLI_H

#include "cli/exit.h"
#include "kusto/cluster.h"
#include "rules/rules.h"
#include "term/style.h"

/* Groups of options; a command names the groups it takes. */
enum kt_opt_group {
	KT_OG_ALL = 1,     /* every command: --help, --color, --rules */
	KT_OG_CLUSTER = 2, /* who asks a cluster */
	KT_OG_DIAGNOSE = 4,
	KT_OG_SHOW = 8,
	KT_OG_VERBOSE = 16,
	KT_OG_SCAN = 32, /* who reads logs */
	KT_OG_RULES = 64,
	KT_OG_OPTION = 128,
};

#define KT_SETS_MAX  64
#define KT_HOSTS_MAX 16

/* What the options said. Text is of argv. */
struct kt_args {
	const struct kt_command *command;
	const char *rest[256]; /* what is no option */
	size_t n_rest;
	bool help, version;
	struct kt_str rules;
	enum kt_color color;
	bool verbose;
	struct kt_str sets[KT_SETS_MAX];
	size_t n_sets;
	struct kt_str cluster, database, replay, record;
	struct kt_auth auth;
	struct kt_str trust_hosts[KT_HOSTS_MAX];
	size_t n_trust_hosts;
	struct kt_str format;
	bool require_cluster, save, dry_run;
	struct kt_str fail_on;
	uint64_t max_bytes, threads;
	bool trace_match;
	struct kt_str explain, answers, against;
	struct kt_str check; /* ends in NUL */
};

struct kt_option_row {
	const char *name, *arg, *help; /* arg NULL: a flag */
	unsigned groups;
	int (*apply)(struct kt_args *a, struct kt_str value, struct kt_err *err);
};

struct kt_command {
	const char *name, *args, *help;
	unsigned groups;
	enum kt_exit (*run)(struct kt_args *a);
	const char *more; /* lines below HELP, or NULL */
};

extern const struct kt_option_row kt_options[];
extern const size_t kt_n_options;
extern const struct kt_command kt_commands[];
extern const size_t kt_n_commands;

/* Class USAGE, with the nearest word. */
KT_MUST_CHECK int kt_args_parse(int argc, char **argv, struct kt_args *out, struct kt_err *err);
void kt_help(const struct kt_command *command, struct kt_buf *out); /* NULL: of the program */

/* ---- what several commands need ---- */

/* Opens the rules that the options name; prints what is wrong. */
enum kt_exit kt_cli_rules(const struct kt_args *a, struct kt_rules **out);
/* Adds the rules folder: --rules, $KTRIAGE_RULES, beside the program, its source. */
void kt_cli_rules_dir(const struct kt_args *a, struct kt_buf *out);
/* A cluster by the options; *OUT NULL when none was named. */
KT_MUST_CHECK int kt_cli_cluster(const struct kt_args *a, const struct kt_kb *kb,
				 const struct kt_guard *guard, struct kt_cluster **out, struct kt_err *err);
/* "ktriage: text" on stderr, escaped. */
void kt_complain(struct kt_str text);
enum kt_exit kt_fail(const struct kt_err *err);
/* Writes the answer to stdout; pages it when PAGED and it is a terminal. */
enum kt_exit kt_answer_out(const struct kt_buf *answer, bool paged, enum kt_exit otherwise);
/* The options that --set gave. */
KT_MUST_CHECK int kt_cli_sets(const struct kt_args *a, struct kt_session *s, struct kt_err *err);

/* option --check FILE */
enum kt_exit kt_cli_option_check(const struct kt_args *a);

/* ---- commands ---- */
enum kt_exit kt_run_shell(struct kt_args *a);
enum kt_exit kt_run_resume(struct kt_args *a);
enum kt_exit kt_run_diagnose(struct kt_args *a);
enum kt_exit kt_run_show(struct kt_args *a);
enum kt_exit kt_run_explain(struct kt_args *a);
enum kt_exit kt_run_search(struct kt_args *a);
enum kt_exit kt_run_option(struct kt_args *a);
enum kt_exit kt_run_runbook(struct kt_args *a);
enum kt_exit kt_run_rules(struct kt_args *a);
enum kt_exit kt_run_demo(struct kt_args *a);
enum kt_exit kt_run_sessions(struct kt_args *a);

enum kt_exit kt_main(int argc, char **argv);

#endif
