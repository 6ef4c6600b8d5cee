/* A tree of labelled reports: what came in, and what an expert said of it.
 *
 *     DIR/labels.tsv      case · expected · outcome, and split · fidelity · must_not if there are any
 *     DIR/answers.tsv     case · fact · value: what the person would answer (may be missing)
 *     DIR/<case>/         or DIR/<split>/<case>/
 *         input.txt   the error      inputs/…   logs      cluster/   recorded answers
 *
 * Columns are found by the names in the first line. Lists have commas, "-" is none.
 */
#ifndef KT_AUTHOR_LABELS_H
#define KT_AUTHOR_LABELS_H

#include "author/case.h"

#define KT_OUTCOMES(X)          \
	X(DIAGNOSE, "diagnose") \
	X(ASK, "ask_for_more")  \
	X(UNKNOWN, "unknown")

enum kt_outcome {
#define X(id, word) KT_OUTCOME_##id,
	KT_OUTCOMES(X)
#undef X
};

struct kt_str_list {
	struct kt_str *at;
	size_t n;
};

struct kt_label {
	struct kt_str name, split, fidelity;
	struct kt_place at; /* its line */
	enum kt_outcome outcome;
	struct kt_str_list expected, must_not;
	struct kt_str error; /* path, empty if there is none */
	struct kt_str_list logs;
	struct kt_str cluster; /* path, empty if there is none */
	struct kt_case_answer *answers;
	size_t n_answers, cap_answers;
};

struct kt_labels {
	struct kt_label *at; /* those that can be run, in the order of the lines */
	size_t n, cap;
	struct kt_source source, answers;
};

const char *kt_outcome_word(enum kt_outcome o);

/* ANSWERS is a path, or NULL for DIR/answers.tsv. What is wrong with a line (no folder,
 * a folder without a line, a cause or fact that KB has not) goes to D, and that case is
 * left out. Class INPUT when there are no labels that can be read. */
KT_MUST_CHECK int kt_labels_read(const char *dir, const char *answers, const struct kt_kb *kb,
				 struct kt_arena *a, struct kt_diags *d, struct kt_labels *out,
				 struct kt_err *err);
void kt_labels_free(struct kt_labels *l);

#endif
