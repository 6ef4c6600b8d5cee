/* One pattern over one subject: compiled when first needed, limited always.
 * Inside the module only. */
#ifndef KT_MATCH_ENGINE_H
#define KT_MATCH_ENGINE_H

#include "match/matcher.h"
#include "match/pcre.h"

struct kt_compiled {
	pcre2_code *code;
	bool tried;   /* compiled, or found not to compile */
	bool many;    /* all matches are wanted */
	bool off;     /* over its time */
	bool no_jit;  /* tried, or not to be tried */
	bool partial; /* the same for subjects with PCRE2_PARTIAL_SOFT */
	uint32_t uses;
	uint64_t over_us; /* time beyond what a healthy match takes */
	struct kt_pattern_stats stats;
	struct kt_pcre_name *names; /* by group number */
	uint32_t n_names;
};

struct kt_engine {
	struct kt_match_limits limits;
	struct kt_match_stats *stats;
	pcre2_match_context *context;
	pcre2_match_data *data;
	pcre2_jit_stack *stack;
	bool trace; /* time is measured */
};

void kt_engine_init(struct kt_engine *e, const struct kt_match_limits *limits, struct kt_match_stats *stats);
void kt_engine_free(struct kt_engine *e);

/* False: the pattern does not compile. */
bool kt_engine_prepare(struct kt_engine *e, struct kt_compiled *c, struct kt_str regex);
void kt_compiled_free(struct kt_compiled *c);

enum kt_run {
	KT_RUN_HIT,
	KT_RUN_NONE,
	KT_RUN_LIMIT,
	KT_RUN_OVER /* NONE so far, and the pattern has used up its time */
};

/* First match of C in SUBJECT that begins in [FROM, OWN), or where OWN is the whole
 * length at its end, too; OPTIONS are PCRE2's; with PCRE2_PARTIAL_SOFT it
 * is a LIMIT when a match may go on behind the end. HIT: the offsets are in e->data. LIMIT:
 * *WHY says which. */
enum kt_run kt_engine_run(struct kt_engine *e, struct kt_compiled *c, struct kt_str subject, size_t from,
			  size_t own, uint32_t options, enum kt_inconclusive *why);

/* The pattern has used up its time. */
bool kt_engine_over(const struct kt_engine *e, const struct kt_compiled *c);

#endif
