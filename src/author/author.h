/* What an author of rules has at hand: check, test and eval.
 *
 * The one place that combines rules, matcher, guard and session.
 *
 *     struct kt_author_opts o = {.dir = "rules"};
 *     struct kt_buf out = KT_BUF(KT_BUF_TEXT);
 *     int rc = kt_author_check(&o, &out, &err);
 */
#ifndef KT_AUTHOR_AUTHOR_H
#define KT_AUTHOR_AUTHOR_H

#include "base/buf.h"
#include "rules/rules.h"

struct kt_author_opts {
	const char *dir;                    /* rules folder */
	const char *cases;                  /* folder of the cases; NULL: DIR/cases */
	struct kt_str only;                 /* test: cases "cause/name" that begin so; empty: all */
	const struct kt_rules_hooks *hooks; /* NULL: those of kt_author_hooks */
	/* eval: */
	const char *tree;    /* folder with labels.tsv */
	const char *answers; /* NULL: TREE/answers.tsv, if it is there */
	const char *against; /* answer of an earlier run as JSON, or NULL */
	bool json;
	struct kt_buf *notes; /* gets what is wrong with labels */
};

/* Reads all rule files and proves what can be proved without running them. OUT gets
 * every fault with place, line and caret, then one line that sums up. -1 with class
 * RULES when there is an error (warnings are none), INPUT when nothing can be read. */
KT_MUST_CHECK int kt_author_check(const struct kt_author_opts *o, struct kt_buf *out, struct kt_err *err);

/* Adds what the check NAME of kt_author_check proves, and why; "all" adds the list.
 * Class USAGE, with the nearest name, when there is none. */
KT_MUST_CHECK int kt_author_explain(struct kt_str name, struct kt_buf *out, struct kt_err *err);

/* Runs the case folders through a session. OUT gets one paragraph for each that
 * fails, then "N passed, N failed". -1 with class RULES when one fails. */
KT_MUST_CHECK int kt_author_test(const struct kt_author_opts *o, struct kt_buf *out, struct kt_err *err);

/* Runs the labelled reports of a tree (author/labels.h) and counts. OUT gets the tables,
 * or JSON. -1 with class RULES when a case was left out, or one is confident and wrong. */
KT_MUST_CHECK int kt_author_eval(const struct kt_author_opts *o, struct kt_buf *out, struct kt_err *err);

/* Hooks that ask the matcher and the read-only guard: for kt_rules_open, too. */
struct kt_author_hooks {
	struct kt_rules_hooks hooks;
	struct kt_guard *guard; /* private: made at the first command */
	struct kt_str guard_text;
	struct kt_literals *literals;
};
void kt_author_hooks_init(struct kt_author_hooks *h);
void kt_author_hooks_free(struct kt_author_hooks *h);

/* Runs WORK with the hooks that the options name, or with hooks of its own. */
typedef int (*kt_author_work)(const struct kt_author_opts *o, const struct kt_rules_hooks *hooks,
			      struct kt_buf *out, struct kt_err *err);
KT_MUST_CHECK int kt_author_hooked(const struct kt_author_opts *o, kt_author_work work, struct kt_buf *out,
				   struct kt_err *err);

#endif
