/* The verdict: a pure function of knowledge base and observations.
 *
 * Source: the project's inference rules. Integers only; the same bytes from any
 * compiler, locale and order of observations.
 *
 *     struct kt_arena a = {0};
 *     struct kt_judgement j;
 *     kt_judge(kb, obs, n, &a, &j);
 *     puts(kt_verdict_word(j.verdict));
 *     kt_arena_free(&a);
 */
#ifndef KT_CORE_JUDGE_H
#define KT_CORE_JUDGE_H

#include "base/arena.h"
#include "core/cond.h"
#include "core/memory.h"

/* Best first, so that the weaker of two is the larger. */
#define KT_VERDICTS(X)                         \
	X(CONFIRMED, "CONFIRMED", "confirmed") \
	X(LIKELY, "LIKELY", "likely")          \
	X(AMBIGUOUS, "AMBIGUOUS", "ambiguous") \
	X(NOT_KNOWN, "NOT KNOWN", "not_known") \
	X(HEALTHY, "HEALTHY", "healthy")

enum kt_verdict {
#define X(id, shown, json) KT_##id,
	KT_VERDICTS(X)
#undef X
};

enum kt_fact_state {
	KT_FS_UNKNOWN,
	KT_FS_KNOWN,
	KT_FS_DEFAULT,  /* not set, and the version is known: counts as known */
	KT_FS_ASSUMED,  /* not set, version unknown: blocks CONFIRMED, never excludes */
	KT_FS_DISPUTED, /* two values in one scope */
	KT_FS_VARIES,   /* operations differ */
};

struct kt_fact_view {
	enum kt_fact_state state;
	struct kt_str value;       /* KNOWN, DEFAULT, ASSUMED */
	const struct kt_obs **obs; /* what it rests on */
	size_t n_obs;
	bool asked; /* there is some observation, if only "unknown" */
};

/* One group of a cause's evidence that counts, as how shows it. */
struct kt_addend {
	uint32_t evidence;         /* row of kb->evidence */
	int ddb;                   /* tenths of a decibel; sign shows the direction */
	const struct kt_obs *obs;  /* the observation it stands on (first by place) */
	const struct kt_obs *last; /* the last of the item; its place is LAST, or SOURCE */
	uint32_t hits;             /* how many observations of the item */
	bool at_least;             /* or more: not all were looked at */
	bool counted;              /* false: the item was hit, but its group counts through another */
};

struct kt_cause_view {
	uint32_t cause; /* row of kb->causes */
	bool evoked, excluded;
	int s_ddb;            /* score with prior */
	uint64_t weight;      /* unnormalised, 10^12 = the best */
	uint32_t p_milli;     /* thousandths, half up; evoked only */
	uint32_t *open_gates; /* facts */
	size_t n_open_gates;
	uint32_t *assumptions; /* facts */
	size_t n_assumptions;
	struct kt_addend *addends; /* for first, largest first; then against */
	size_t n_addends;
};

/* Two fixes, sorted by name; or a cause against its own gate (fix_b is empty): it is
 * excluded, or its hits in the operations where the gate is false do not count. */
struct kt_conflict {
	struct kt_str fix_a, fix_b;
	uint32_t excluded_cause; /* KT_NIL for two fixes */
};

struct kt_problem {
	struct kt_str fix;
	uint32_t cause; /* leads when the side is judged alone */
	enum kt_verdict verdict;
	uint32_t p_milli;
	uint64_t at; /* first record; UINT64_MAX without */
};

struct kt_judgement {
	enum kt_verdict verdict;
	struct kt_cause_view *causes; /* one for every cause of the base, in its order */
	uint32_t *evoked;             /* indexes of causes, best first */
	size_t n_evoked;
	int other_s_ddb;
	uint32_t other_p_milli;
	struct kt_str fix; /* leading fix; empty if nothing is evoked */
	uint32_t fix_p_milli;
	uint32_t lead; /* leading cause, or KT_NIL */
	bool has_margin;
	int margin_ddb; /* to the next fix or OTHER */
	struct kt_conflict *conflicts;
	size_t n_conflicts;
	bool open_conflict;
	struct kt_problem *problems; /* two problems: the answer, in order of first record */
	size_t n_problems;
	struct kt_fact_view *facts; /* one for every fact, seen from the whole incident */
	uint32_t *not_checked;      /* silent checks not collected */
	size_t n_not_checked;
	const struct kt_rec **unexplained; /* fatal records whose fault nobody explains */
	size_t n_unexplained;
	uint64_t other_weight, total_weight;
	struct kt_run *run; /* the core's own, for plan and explain; lives in the arena */
};

void kt_judge(const struct kt_kb *kb, const struct kt_obs *obs, size_t n, struct kt_arena *a,
	      struct kt_judgement *out);

const char *kt_verdict_word(enum kt_verdict v); /* "NOT KNOWN" */
const char *kt_verdict_json(enum kt_verdict v); /* "not_known" */
const char *kt_fact_state_word(enum kt_fact_state s);

/* Fact lookup for kt_cond_eval over a judgement's incident view: ctx is a
 * const struct kt_judgement *; an assumed value counts as unknown. */
bool kt_judge_value(void *ctx, const struct kt_node *node, struct kt_str *value);

#endif
