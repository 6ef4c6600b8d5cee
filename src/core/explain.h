/* Explanations as data; report turns them into words.
 *
 * how: the addends of a cause stand in its kt_cause_view already.
 */
#ifndef KT_CORE_EXPLAIN_H
#define KT_CORE_EXPLAIN_H

#include "core/plan.h"

/* why: what each answer to a question would do. */
struct kt_why_answer {
	struct kt_str value;
	enum kt_verdict verdict;
	struct kt_str fix; /* leading fix then; empty if none */
	uint32_t lead;
	uint32_t fix_p_milli;
	uint32_t n_excluded; /* evoked causes that this answer excludes */
};
struct kt_why {
	uint32_t fact;
	struct kt_why_answer *answers;
	size_t n;
	bool separates; /* not all answers lead to the same fix */
};
void kt_why(const struct kt_kb *kb, const struct kt_obs *obs, size_t n, uint32_t fact, struct kt_arena *a,
	    struct kt_why *out);

/* why not this cause. */
enum kt_why_not_reason {
	KT_WN_LEADS,       /* it is the answer */
	KT_WN_EXCLUDED,    /* by its gate */
	KT_WN_OUTWEIGHED,  /* evoked, but another leads */
	KT_WN_WEAK,        /* some evidence, not enough to be evoked */
	KT_WN_UNSUPPORTED, /* nothing was seen for it */
};
struct kt_why_not {
	enum kt_why_not_reason reason;
	uint32_t cause, by;             /* OUTWEIGHED: the leading cause */
	const struct kt_obs **gate_obs; /* EXCLUDED: what makes the gate false */
	size_t n_gate_obs;
	uint32_t *needed; /* rows of kb->evidence that would support it and were not seen */
	size_t n_needed;
};
void kt_why_not(const struct kt_kb *kb, const struct kt_obs *obs, size_t n, const struct kt_judgement *j,
		uint32_t cause, struct kt_arena *a, struct kt_why_not *out);

/* what if: the judgement on the list with a fact set instead (other answers to it
 * by the person taken out), for a comparison side by side. */
void kt_what_if(const struct kt_kb *kb, const struct kt_obs *obs, size_t n, uint32_t fact,
		struct kt_str value, struct kt_arena *a, struct kt_judgement *out);

/* What the verdict rests on if it rests on one fault, row or answer alone: judged
 * again without it the verdict would be weaker. The strongest observation of it,
 * NULL if there is none; always NULL below LIKELY and for two problems. */
const struct kt_obs *kt_rests_on(const struct kt_kb *kb, const struct kt_obs *obs, size_t n,
				 const struct kt_judgement *j, struct kt_arena *a);

#endif
