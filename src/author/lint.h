/* What can be proved of a rule base without running it, one group of proofs a file. */
#ifndef KT_AUTHOR_LINT_H
#define KT_AUTHOR_LINT_H

#include "author/case.h"
#include "core/cond.h"
#include "rules/rules.h"
#include "rules/yaml.h"

struct kt_lint {
	const struct kt_kb *kb;
	const struct kt_rules_hooks *hooks;
	struct kt_arena *a;
	struct kt_diags *d;
	/* The author's text of each row. */
	const struct kt_yaml **causes, **facts, **checks, **patterns;
	const struct kt_cases *cases;
};

#define KT_LINT_ERROR(l, place, hint, ...) kt_diags_add((l)->d, KT_DIAG_ERROR, (place), (hint), __VA_ARGS__)
#define KT_LINT_WARN(l, place, hint, ...)  kt_diags_add((l)->d, KT_DIAG_WARNING, (place), (hint), __VA_ARGS__)

/* Finds the author's text of every row. */
void kt_lint_find(struct kt_lint *l, const struct kt_rules *rules);
/* Place of a key's value in a map, or of the map. */
struct kt_place kt_lint_at(const struct kt_yaml *map, const char *key);

void kt_lint_causes(struct kt_lint *l);
void kt_lint_facts(struct kt_lint *l);
void kt_lint_checks(struct kt_lint *l);
void kt_lint_patterns(struct kt_lint *l);
void kt_lint_gates(struct kt_lint *l);
void kt_lint_pairs(struct kt_lint *l);
void kt_lint_cases(struct kt_lint *l);

/* Can both conditions be true at once? True as well where there are too many values
 * to try. KT_NIL is true. */
bool kt_lint_satisfiable(struct kt_lint *l, uint32_t a, uint32_t b);

#define KT_LINT_LITERAL 7 /* bytes */
/* In a MiB of ordinary logs, by measure: texts for which the records take half the time
 * of scanning again; those that are all a rule looks for, or that have a guard; pieces
 * that take a tenth of it. */
#define KT_LINT_STANDS      200
#define KT_LINT_STANDS_EASY 1000
#define KT_LINT_PIECES      5000

#endif
