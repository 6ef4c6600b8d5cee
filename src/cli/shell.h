/* The shell: an incident diagnosed in a conversation.
 *
 * Reads lines (term/lineedit.h), turns each into a command, an answer or a text to
 * diagnose, and after every change says what follows: the verdict, the next steps
 * and the open question. Works as well with commands from a pipe.
 */
#ifndef KT_CLI_SHELL_H
#define KT_CLI_SHELL_H

#include "session/session.h"
#include "term/style.h"

struct kt_shell_opts {
	const struct kt_kb *kb; /* borrowed */
	enum kt_color color;
	bool verbose;             /* decibels and bits too */
	const char *const *files; /* scanned at the start */
	size_t n_files;
	const char *resume;          /* journal to go on with; NULL: a new session */
	bool resume_last;            /* go on with the last one */
	struct kt_str url, database; /* connected at the start; empty: not */
	struct kt_str replay_dir;    /* answers from here instead; empty: not */
	struct kt_str record_dir;    /* answers are written here, too; empty: not */
	struct kt_auth auth;
	const struct kt_str *trust_hosts;
	size_t n_trust_hosts;
	struct kt_str http_module;
	uint64_t max_bytes; /* of one input; 0: no limit */
	unsigned threads;   /* that scan; 0: one for each processor */
	bool no_journal;    /* keep nothing */
};

/* Until ^D, quit or a signal. Exit status: 0; 74 when stdout cannot be written; 5
 * when RESUME cannot be read. */
int kt_shell_run(const struct kt_shell_opts *opts);

#endif
