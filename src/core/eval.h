/* Inside of the core: what judge, plan and explain share. Not a contract.
 *
 * A base is the indexed list of observations; it depends on nothing but the
 * list. A run is one judgement over it, perhaps without some groups of evidence
 * (the sides of a conflict, what a verdict rests on).
 *
 * A group is what counts once in a cause's sum. Groups are numbered: faults in
 * order of their first record, rows of results, absences of a check, absences of
 * the scan, answers. So a set of groups is an array of bool.
 */
#ifndef KT_CORE_EVAL_H
#define KT_CORE_EVAL_H

#include "core/judge.h"

__extension__ typedef unsigned __int128 kt_u128;

/* Kind of check of a hit, for independence: the media of a record, or: */
#define KT_KIND_SHOW 0x40000000u /* | row of checks */
#define KT_KIND_ASK  0x80000000u /* | row of facts */

#define KT_SPECIFIC_DDB 200
#define KT_EVOKES_DDB   100

/* Observations of one item in one group, of one kind and class. */
struct kt_hit {
	uint32_t group, kind;
	uint32_t n;               /* observations */
	bool at_least;            /* or more */
	struct kt_str cls;        /* exception class, else logger, else pattern or fact */
	uint64_t at;              /* first place */
	const struct kt_obs *obs; /* first by place */
	const struct kt_obs *last;
};

struct kt_hits {
	const struct kt_hit *p; /* sorted by group */
	uint32_t n;
};

/* Facts as seen from one operation (KT_NIL: from the whole incident). */
struct kt_slot {
	uint8_t state; /* enum kt_fact_state */
	uint8_t done, busy;
	struct kt_str value;
};
struct kt_view {
	const struct kt_base *base;
	struct kt_slot *slots; /* one for every fact, filled when asked for */
	uint32_t op;           /* scope: row of base->ops or KT_NIL */
	unsigned depth;
};

struct kt_base {
	const struct kt_kb *kb;
	struct kt_arena *a;
	const struct kt_obs **obs; /* those not set aside, in an order of their own content */
	uint32_t *fault;           /* of each of them, KT_NIL without a record */
	size_t n;
	struct kt_str *ops; /* operation keys, sorted */
	uint32_t n_ops;
	uint32_t named; /* the operation the person names, or KT_NIL */
	bool op_facts;  /* some fact is scoped to operations */
	uint32_t n_faults;
	struct kt_span *fault_ops; /* of op_list */
	uint32_t *op_list;
	uint32_t first_row, first_none, scan_group, first_ask, n_groups;
	struct kt_span *by_fact;   /* of fact_obs */
	uint32_t *fact_obs;        /* rows of obs, sorted by fact and scope, incident first */
	uint32_t *fact_scope;      /* beside fact_obs: 0 incident, else 1 + row of ops */
	struct kt_hits *item_hits; /* LOG, SHOW: what was found */
	struct kt_hit *scan_hit;   /* absence of a LOG item */
	uint8_t *show_seen;        /* SHOW: bits of the states that were observed */
	struct kt_hits *show_absent;
	bool any_input, complete, connected;
	uint32_t *fatal; /* rows of obs */
	size_t n_fatal;
	struct kt_view view;       /* of the whole incident */
	uint8_t *gate_memo;        /* per node: 1 + enum kt_tri in that view */
	struct kt_hits **ask_memo; /* per ASK item: its hits in that view */
	uint8_t *ask_state;        /* 1 + enum kt_state */
};

/* Where a hit lies: its fault; else its check, question or the scan, each named by
 * the group of its absence or answer. */
static inline uint32_t kt_place(const struct kt_base *b, const struct kt_hit *h)
{
	if (h->group < b->n_faults)
		return h->group;
	if (h->kind & KT_KIND_ASK)
		return b->first_ask + (h->kind & ~KT_KIND_ASK);
	return h->kind & KT_KIND_SHOW ? b->first_none + (h->kind & ~KT_KIND_SHOW) : b->scan_group;
}

/* Where the last of those that O stands for is. */
uint64_t kt_obs_last_at(const struct kt_obs *o);

void kt_base_init(struct kt_base *b, const struct kt_kb *kb, const struct kt_obs *obs, size_t n,
		  struct kt_arena *a);
/* faults.c: joins records; FAULT[i] of OBS[i], numbered by first place. */
uint32_t kt_faults(const struct kt_obs *const *obs, size_t n, struct kt_arena *a, uint32_t *fault);

/* facts.c */
void kt_view_init(struct kt_view *v, const struct kt_base *b, struct kt_arena *a);
void kt_view_reset(struct kt_view *v, uint32_t op);
const struct kt_slot *kt_view_fact(struct kt_view *v, uint32_t fact);
bool kt_view_asked(const struct kt_base *b, uint32_t fact);
bool kt_view_unknown(const struct kt_base *b, uint32_t fact); /* the person said so */
/* The observations that stand behind the view's value of a fact: rows of obs. */
struct kt_rows {
	uint32_t *p, n;
};
struct kt_rows kt_view_uses(const struct kt_view *v, uint32_t fact, struct kt_arena *a);
/* For kt_cond_eval; ctx is a struct kt_view *. Soft: assumed values count. */
bool kt_value_sure(void *ctx, const struct kt_node *node, struct kt_str *value);
bool kt_value_soft(void *ctx, const struct kt_node *node, struct kt_str *value);
bool kt_known(const struct kt_slot *s, bool soft);

/* items.c: state of an item. Hits in groups of DROP do not count; an item all of
 * whose hits are dropped is not collected, never absent. ASK: as seen in V. */
struct kt_look {
	enum kt_state state;
	struct kt_hits hits;
};
void kt_items_init(struct kt_base *b);
struct kt_look kt_look(struct kt_base *b, uint32_t item, const bool *drop);
struct kt_look kt_look_ask(struct kt_base *b, struct kt_view *v, uint32_t item, const bool *drop,
			   struct kt_arena *a);

/* One item of a cause, and items under one author's name together. */
struct kt_part {
	uint32_t evidence;
	int ddb;
	struct kt_hits hits;
	struct kt_part *next;
};
struct kt_unit {
	struct kt_str name;    /* the author's group, else the item's text */
	uint32_t item;         /* KT_NIL under an author's name */
	int ddb;               /* of the strongest part that still counts */
	struct kt_part *parts; /* strongest first */
	uint32_t group;        /* it stands for, or KT_NIL */
	bool counted;
};

/* A cause for which something was observed. */
struct kt_standing {
	uint32_t cause;
	struct kt_str id, fix;
	bool carrier, excluded, evoked;
	enum kt_tri gate;
	struct kt_unit *units[2]; /* for, against */
	uint32_t n_units[2];
	const bool *drop[2]; /* groups that do not count here, for and against; or NULL */
	const bool *lost;    /* faults where the gate is false, or NULL */
	const bool *unsure;  /* faults where it is not true, or NULL */
	uint32_t *ops;       /* operations it is judged in; NULL: the incident */
	uint32_t n_ops;
	int sum, s; /* without and with prior, tenths of a dB */
	uint64_t weight;
	uint32_t fix_row;         /* of run->fixes; evoked only */
	uint32_t *open, *assumed; /* facts, by name */
	uint32_t n_open, n_assumed;
};

struct kt_fixsum {
	struct kt_str fix;
	uint64_t weight;
	uint32_t lead;       /* row of standing: largest S, then id */
	uint32_t lead_plain; /* the same among those that are no carriers, or KT_NIL */
};

struct kt_run {
	struct kt_base *base;
	struct kt_arena *a;
	const bool *gone; /* groups taken out, or NULL */
	struct kt_standing *standing;
	uint32_t n;
	uint32_t *evoked; /* rows of standing, best first */
	uint32_t n_evoked;
	bool known;      /* something specific for an evoked cause that is no carrier */
	bool *explained; /* per fault: nothing is left for OTHER */
	bool *specific;  /* per place: a specific item of an evoked cause, no carrier */
	int other_s;
	uint64_t other_weight, total;
	struct kt_fixsum *fixes; /* by name */
	uint32_t n_fixes;
	uint32_t best; /* row of fixes, or KT_NIL */
	struct kt_conflict *conflicts;
	size_t n_conflicts, n_fix_conflicts; /* fix against fix first */
	uint32_t *not_checked;
	size_t n_not_checked;
	struct kt_problem *problems;
	size_t n_problems;
	bool closed;
	enum kt_verdict verdict;
};

/* gate.c: gate, excluded, drop, lost, unsure, ops of X. */
void kt_gate(struct kt_run *r, struct kt_standing *x);
enum kt_tri kt_gate_incident(struct kt_base *b, uint32_t node);
void kt_gate_lists(struct kt_run *r, struct kt_standing *x);

/* units.c */
int kt_look_ddb(const struct kt_evidence *e, enum kt_state s); /* what an item in that state adds */
bool kt_units(struct kt_run *r, struct kt_standing *x);        /* false: nothing observed */
void kt_yield(struct kt_standing *x, const bool *drop);        /* what speaks for it leaves these groups */
bool kt_any_hit(struct kt_hits hits, const bool *drop);
static inline bool kt_counts(const bool *drop, const struct kt_hit *h)
{
	return !drop || !drop[h->group];
}
/* Calls FN for each hit that counts of an item for the cause of at least DDB. */
void kt_each_hit(const struct kt_standing *x, int ddb,
		 void (*fn)(void *ctx, const struct kt_part *p, const struct kt_hit *h), void *ctx);
bool kt_has(const struct kt_standing *x, int ddb);
/* One `proves`, or two independent groups. SURE: where the gate is true only.
 * WITNESS (or NULL): the groups that were found, twice the same for a `proves`. */
bool kt_confirms(const struct kt_standing *x, bool sure, uint32_t witness[2]);

/* match.c: which unit stands for which group, and the sums. */
int kt_sum_for(struct kt_standing *x);
int kt_sum_against(struct kt_standing *x);

/* score.c: sums, who is evoked, OTHER, weights, fixes. */
void kt_score(struct kt_run *r);
uint64_t kt_pow_neg(uint32_t ddb);                /* floor(10^12 * 10^(-ddb/100)) as the rules say */
uint32_t kt_milli(uint64_t part, uint64_t total); /* thousandths, half up */
int kt_margin(uint64_t a, uint64_t b);

/* conflict.c, run.c */
void kt_conflicts(struct kt_run *r);
void kt_problems(struct kt_run *r);
void kt_run(struct kt_run *r, struct kt_base *b, struct kt_arena *a, const bool *gone,
	    const struct kt_run *top);

/* log2.c: in 1/2^20. */
uint32_t kt_log2(kt_u128 n); /* n > 0 */
/* Sum of N * M, N below 2^126, M below 2^40; divided, the quotient below 2^40. */
struct kt_wide {
	kt_u128 hi, lo; /* hi * 2^64 + lo */
};
void kt_wide_add(struct kt_wide *w, kt_u128 n, uint64_t m);
uint64_t kt_wide_div(struct kt_wide w, kt_u128 by); /* by > 0 */

/* Names by which lists of rows are ordered. */
void kt_sort_facts(const struct kt_kb *kb, uint32_t *facts, uint32_t *n); /* sorted, each once */

/* Order of two uint32_t, for qsort and bsearch. */
int kt_by_u32(const void *p, const void *q);
/* Sorts V and takes out what stands twice; how many are left. */
uint32_t kt_unique(uint32_t *v, uint32_t n);

#endif
