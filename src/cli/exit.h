/* Exit codes: the one list from which the manual's table comes, too. */
#ifndef KT_CLI_EXIT_H
#define KT_CLI_EXIT_H

#include "session/session.h"

#define KT_EXITS(X)                                                                                  \
	X(FOUND, 0, "a cause was found: CONFIRMED or LIKELY; of other commands: done")               \
	X(NOT_KNOWN, 1, "NOT KNOWN: what to collect was printed; of other commands: checks failed")  \
	X(USAGE, 2, "usage")                                                                         \
	X(AMBIGUOUS, 3, "AMBIGUOUS: the next steps were printed; also any class named by --fail-on") \
	X(HEALTHY, 4, "HEALTHY")                                                                     \
	X(INPUT, 5, "no named input could be read")                                                  \
	X(RULES, 6, "rules invalid")                                                                 \
	X(CLUSTER, 7, "--require-cluster, and it could not be reached or refused")                   \
	X(INTERNAL, 70, "internal error")                                                            \
	X(OUTPUT, 74, "the answer, the session or a recording could not be written (full disk)")     \
	X(INTERRUPTED, 130, "interrupted")

enum kt_exit {
#define X(id, code, text) KT_EXIT_##id = code,
	KT_EXITS(X)
#undef X
};

enum kt_exit kt_exit_of_verdict(enum kt_verdict v);
enum kt_exit kt_exit_of_error(const struct kt_err *err);

#endif
