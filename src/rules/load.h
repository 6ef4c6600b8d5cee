/* Parts of the loader: trees of the authors' files → rows of a builder.
 *
 * Facts and checks are declared first (their ids and what conditions need of
 * them), then everything is built, so that files may name what stands in others.
 */
#ifndef KT_RULES_LOAD_H
#define KT_RULES_LOAD_H

#include "core/build.h"
#include "core/cond.h"
#include "rules/files.h"
#include "rules/keys.h"
#include "rules/map.h"

/* Ids of one kind, with the place of each; the value in MAP is its number here. */
struct kt_ids {
	struct kt_map map;
	struct kt_place *at;
	size_t n, cap;
};

/* A fact that a group of a pattern names. */
struct kt_teach {
	uint32_t fact, pattern;
};

struct kt_load {
	struct kt_kbb *b;
	struct kt_arena *a;
	struct kt_diags *d;
	const struct kt_rules_hooks *hooks;                         /* never NULL */
	struct kt_ids packs, facts, checks, causes, options, notes; /* numbers of facts and checks are rows */
	struct kt_teach *teach;
	size_t n_teach, cap_teach;
	uint32_t n_patterns; /* rows that were looked at */
	uint32_t order;      /* the author's order over facts and checks */
	uint32_t scan;       /* the scan check, or KT_NIL */
};

#define KT_LOAD_FAULT(l, place, hint, ...) kt_diags_add((l)->d, KT_DIAG_ERROR, (place), (hint), __VA_ARGS__)

/* ---- values (load_value.c) ---- */

/* The trimmed text of a key's value as pool text; empty when it is not there. */
struct kt_ref kt_load_text(struct kt_load *l, const struct kt_yaml *map, const char *key);
/* The same; its {fact} placeholders must name facts. */
struct kt_ref kt_load_prose(struct kt_load *l, const struct kt_yaml *map, const char *key);
struct kt_span kt_load_list(struct kt_load *l, const struct kt_yaml *map, const char *key);
uint32_t kt_load_word(const struct kt_yaml *map, const char *key, const char *const *words,
		      uint32_t otherwise);
uint32_t kt_load_time(const struct kt_yaml *map, const char *key, uint32_t otherwise);
uint32_t kt_load_share(const struct kt_yaml *map, const char *key, uint32_t otherwise);
bool kt_load_flag(const struct kt_yaml *map, const char *key);
uint32_t kt_load_digit(const struct kt_yaml *map, const char *key);

/* Row of the fact or check that a scalar names, KT_NIL with an error when there is none. */
uint32_t kt_load_fact(struct kt_load *l, const struct kt_yaml *name);
uint32_t kt_load_check(struct kt_load *l, const struct kt_yaml *name);
/* Says that WORD, at PLACE, names no fact or check, with the nearest that does. */
void kt_load_unknown(struct kt_load *l, struct kt_place at, const char *what, struct kt_str word,
		     const struct kt_map *known);
/* Adds ID to IDS; false with an error when it is there already. */
bool kt_load_declare(struct kt_load *l, struct kt_ids *ids, const struct kt_yaml *at, struct kt_str id,
		     const char *what);

/* ---- regexes and conditions (load_regex.c, load_cond.c) ---- */

/* Row of the pattern, KT_NIL for NULL. Facts that its groups name are noted. */
uint32_t kt_load_pattern(struct kt_load *l, const struct kt_yaml *regex);
/* The next named group of a regex from *AT on; false at the end. */
bool kt_regex_group(struct kt_str regex, size_t *at, struct kt_str *name);

/* Condition over facts; KT_NIL for NULL and with an error. */
uint32_t kt_load_cond(struct kt_load *l, const struct kt_yaml *cond);
/* SHOW item of a map with show and one of any, all, none, rows; KT_NIL with an error. */
uint32_t kt_load_show(struct kt_load *l, const struct kt_yaml *map);
/* Condition over the columns of a check. */
uint32_t kt_load_columns(struct kt_load *l, const struct kt_yaml *cond, uint32_t check);
/* Condition over names that stand nowhere else: options of a list. */
uint32_t kt_load_names(struct kt_load *l, const struct kt_yaml *cond);
/* Number of rows: condition over the pseudo column "rows". */
uint32_t kt_load_rows(struct kt_load *l, const struct kt_yaml *rows);
/* when, unless and versions of a cause. */
uint32_t kt_load_gate(struct kt_load *l, const struct kt_yaml *cause, struct kt_ref *text);
/* Does VALUE (a given program version) lie in RANGE? */
bool kt_load_in_range(struct kt_str range, struct kt_str value);
/* May FACT have this value? */
bool kt_load_value_ok(struct kt_load *l, uint32_t fact, struct kt_str value, struct kt_place at);

/* ---- sections ---- */

void kt_load_declare_facts(struct kt_load *l, const struct kt_yaml *root);
void kt_load_declare_checks(struct kt_load *l, const struct kt_yaml *root);
void kt_load_facts(struct kt_load *l, const struct kt_yaml *root);
void kt_load_checks(struct kt_load *l, const struct kt_yaml *root);
void kt_load_causes(struct kt_load *l, const struct kt_yaml *root, uint32_t pack);
void kt_load_notes(struct kt_load *l, const struct kt_yaml *root);
void kt_load_head(struct kt_load *l, const struct kt_yaml *root);
/* Learn rows of the groups that were noted. */
void kt_load_taught(struct kt_load *l);

/* ---- the whole (load.c) ---- */

/* Zeroed, with an arena and a builder. */
struct kt_rules *kt_rules_new(void);
/* Key of an image: the files, and which hooks looked at them. HOOKS may be NULL. */
uint64_t kt_rules_key(const struct kt_rule_files *files, const struct kt_rules_hooks *hooks);
/* FILES lie in the arena of the rules, which are freed with an error. */
KT_MUST_CHECK int kt_rules_load_files(struct kt_rules *take_r, struct kt_rule_files *files,
				      const struct kt_rules_hooks *hooks, struct kt_rules **out,
				      struct kt_diags *diags, struct kt_err *err);

/* Makes the checksum of an image right again: for tests and fuzzing. */
void kt_rules_image_seal(char *bytes, size_t len);

#endif
