/* Labelled reports through a session, with more and more disclosed.
 *
 * A case passes four phases in one session: its error text alone, then its logs, then
 * its recorded cluster, then answers to what the program asks (those of answers.tsv,
 * else "unknown"). What was found is noted after each.
 */
#ifndef KT_AUTHOR_EVAL_H
#define KT_AUTHOR_EVAL_H

#include "author/labels.h"
#include "author/trial.h"

#define KT_PHASES(X)                         \
	X(ERROR, "error", "error only")      \
	X(LOGS, "logs", "and logs")          \
	X(CLUSTER, "cluster", "and cluster") \
	X(ANSWERS, "answers", "and answers")

enum kt_phase {
#define X(id, word, shown) KT_PHASE_##id,
	KT_PHASES(X)
#undef X
		KT_N_PHASES
};

#define KT_FOUND_CAUSES 3

/* What the program said. */
struct kt_found {
	enum kt_verdict verdict;
	uint32_t causes[KT_FOUND_CAUSES]; /* rows, best first */
	uint32_t p_milli[KT_FOUND_CAUSES];
	size_t n_causes;
	uint32_t *answers; /* what it commits itself to: rows; none unless LIKELY or better */
	size_t n_answers;
	uint32_t questions, commands;
};

struct kt_eval_case {
	const struct kt_label *label;
	struct kt_found at[KT_N_PHASES];
};

struct kt_eval {
	const struct kt_kb *kb;
	struct kt_eval_case *cases;
	size_t n;
};

/* What is counted of one case in one phase. */
struct kt_marks {
	bool first;     /* the first cause is an expected one */
	bool fix;       /* its fix is that of an expected one */
	bool three;     /* an expected one is among the first three */
	bool committed; /* CONFIRMED or LIKELY */
	bool wrong;     /* …and one of its answers is not expected */
	bool harm;      /* …and one must not be said */
	bool novel;     /* nobody's known cause, and NOT KNOWN */
	bool right;     /* by the outcome that the label asks for */
};

/* Sums of marks over cases. */
struct kt_tally {
	size_t n, first, fix, three, wrong, harm, abstained, novel, unknown, right, committed;
};

/* Runs all cases; texts of the result lie in A. A case that cannot be run goes to D.
 * Class CANCELLED after ^C. */
KT_MUST_CHECK int kt_eval_run(const struct kt_kb *kb, const struct kt_labels *labels, struct kt_arena *a,
			      struct kt_diags *d, struct kt_eval *out, struct kt_err *err);

struct kt_marks kt_eval_marks(const struct kt_kb *kb, const struct kt_label *l, const struct kt_found *f);
void kt_tally_add(struct kt_tally *t, const struct kt_label *l, const struct kt_marks *m);
struct kt_tally kt_eval_tally(const struct kt_eval *e, enum kt_phase phase);

/* Cases taken for another cause: expected best cause, what came first, and how often. */
struct kt_mistaken {
	struct kt_str expected, got; /* "-": no cause */
	size_t n;
	size_t wrong; /* of them said with confidence */
};
/* Most frequent first; in A. */
struct kt_mistaken *kt_eval_mistaken(const struct kt_eval *e, struct kt_arena *a, size_t *n);

/* A case whose verdict or first cause is not what an earlier run said. */
struct kt_moved {
	const struct kt_eval_case *c;
	struct kt_str verdict, first; /* then */
};
/* BEFORE is the JSON of an earlier run. Class INPUT when it is none. */
KT_MUST_CHECK int kt_eval_moved(const struct kt_eval *e, struct kt_str before, struct kt_arena *a,
				struct kt_moved **out, size_t *n, struct kt_err *err);

const char *kt_phase_word(enum kt_phase p);
const char *kt_phase_shown(enum kt_phase p);
struct kt_str kt_eval_first_id(const struct kt_eval *e, const struct kt_found *f); /* "-": none */

void kt_eval_text(const struct kt_eval *e, struct kt_arena *a, struct kt_buf *out);
void kt_eval_json(const struct kt_eval *e, struct kt_arena *a, struct kt_buf *out);

#endif
