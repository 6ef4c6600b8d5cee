/* What can be proved of a rule base without running it, one group of proofs a file. */
#ifndef KT_AUTHOR_LINT_H
#define KT_AUTHOR_LINT_H

#include "author/case.h"
#include "author/lint_table.h"
#include "core/cond.h"
#include "rules/rules.h"
#include "rules/yaml.h"

struct kt_lint {
	const struct kt_kb *kb;
	const struct kt_rules_hooks *hooks;
	struct kt_arena *a;
	struct kt_diags *d;
	/* The author's text of each row. */
	const struct kt_yaml **causes, **facts, **checks, **patterns, **faults; /* faults: of options */
	const struct kt_yaml **owners; /* of the patterns: the rule where one stands first */
	const struct kt_yaml **used;   /* entries of accept: that accepted something */
	size_t n_used, cap_used;
	bool *told; /* pairs of causes that were called inseparable: n_causes * n_causes */
	const struct kt_cases *cases;
};

/* Tells what check ID found at PLACE, unless RULE (the author's map; NULL: none) accepts it
 * with a reason: "accept: {ID: reason}". HINT may be NULL. */
void kt_lint_say(struct kt_lint *l, enum kt_lint_id id, const struct kt_yaml *rule, struct kt_place at,
		 const char *hint, const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* After all others: accept: entries that name no check, or accepted nothing. */
void kt_lint_accepts(struct kt_lint *l);

/* Finds the author's text of every row. */
void kt_lint_find(struct kt_lint *l, const struct kt_rules *rules);
/* Place of a key's value in a map, or of the map. */
struct kt_place kt_lint_at(const struct kt_yaml *map, const char *key);

void kt_lint_causes(struct kt_lint *l);
void kt_lint_facts(struct kt_lint *l);
void kt_lint_checks(struct kt_lint *l);
void kt_lint_patterns(struct kt_lint *l);
void kt_lint_gates(struct kt_lint *l);
void kt_lint_options(struct kt_lint *l);
void kt_lint_pairs(struct kt_lint *l);
void kt_lint_cases(struct kt_lint *l);
void kt_lint_reach(struct kt_lint *l);
/* Runs the cases. */
void kt_lint_apart(struct kt_lint *l);

/* Can A be true and B be true, or false if DENIED? True as well where there are too many values
 * to try. KT_NIL is true. */
bool kt_lint_satisfiable(struct kt_lint *l, uint32_t a, uint32_t b, bool denied);
bool kt_lint_is_learned(const struct kt_kb *kb, uint32_t fact);
bool kt_lint_are_twins(const struct kt_kb *kb, uint32_t a, uint32_t b);

#define KT_LINT_LITERAL 7 /* bytes */
/* In a MiB of ordinary logs, by measure: texts for which the records take half the time
 * of scanning again; those that are all a rule looks for, or that have a guard; pieces
 * that take a tenth of it. */
#define KT_LINT_STANDS      200
#define KT_LINT_STANDS_EASY 1000
#define KT_LINT_PIECES      5000

#endif
