/* The one table of what an author may write: key, kind of value, what it is for.
 *
 * Checks of the files, "did you mean", the JSON Schema for editors and the manual's
 * list of keys come from it.
 */
#ifndef KT_RULES_KEYS_H
#define KT_RULES_KEYS_H

#include "rules/yaml.h"

enum kt_value {
	KT_V_TEXT,  /* not empty */
	KT_V_TEXT0, /* may be empty */
	KT_V_PROSE, /* with {fact} placeholders */
	KT_V_ID,    /* letters, digits, - and _, parts joined by dots */
	KT_V_NAME,  /* letters and digits, begins with a letter: facts */
	KT_V_WORD,  /* one of words */
	KT_V_BOOL,  /* true, false */
	KT_V_REGEX, /* single-quoted */
	KT_V_COND,  /* condition over facts or columns */
	KT_V_TIME,  /* 8s 5m 2h 14d */
	KT_V_SHARE, /* 0 to 1 */
	KT_V_DIGIT, /* 1 to 9 */
	KT_V_RANGE, /* >=3.1.0,<5 */
	KT_V_ROWS,  /* >= 1 */
	KT_V_KEYS,  /* a map with the keys of sub */
};

enum kt_shape {
	KT_ONE,
	KT_LIST,
	KT_ONE_OR_LIST,
	KT_DICT, /* a map from names of the author's to such values */
};

struct kt_key {
	const char *name;
	enum kt_value value;
	enum kt_shape shape;
	bool required;
	enum kt_value names;       /* KT_DICT: KT_V_ID, KT_V_NAME or KT_V_TEXT */
	const struct kt_keys *sub; /* KT_V_KEYS */
	const char *const *words;  /* KT_V_WORD; ends with NULL */
	const char *doc;
};

struct kt_keys {
	const char *id;     /* name in the schema */
	const char *title;  /* "a cause" */
	const char *one_of; /* "log show ask": exactly one of these, or NULL */
	const struct kt_key *keys;
	size_t n;
};

extern const struct kt_keys kt_keys_pack;   /* pack.yaml */
extern const struct kt_keys kt_keys_file;   /* every other file of a pack */
extern const struct kt_keys kt_keys_expect; /* expect.yaml of a case */

/* Checks NODE against KEYS and marks what is wrong as bad; errors go to D. */
void kt_keys_check(const struct kt_keys *keys, struct kt_yaml *node, struct kt_diags *d);

/* Tells an error at NODE and marks it as bad. */
void kt_yaml_fault(struct kt_diags *d, struct kt_yaml *node, const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Checks that NODE is a scalar of the form that VALUE wants. */
void kt_value_check(struct kt_diags *d, struct kt_yaml *node, const struct kt_key *key, enum kt_value value);

/* Seconds of "8s", "5m", "2h", "14d"; thousandths of "0.85"; false when it is none. */
bool kt_value_time(struct kt_str s, uint32_t *seconds);
bool kt_value_share(struct kt_str s, uint32_t *milli);

/* Number of a word in a list that ends with NULL, or OTHERWISE. */
uint32_t kt_word_at(const char *const *words, struct kt_str s, uint32_t otherwise);

extern const char *const kt_words_weight[]; /* in the order of enum kt_weight, without "none" */
extern const char *const kt_words_against[];
extern const char *const kt_words_prior[];
extern const char *const kt_words_rerun[]; /* in the order of enum kt_rerun, without "unknown" */
extern const char *const kt_words_fact_type[];
extern const char *const kt_words_step[];
extern const char *const kt_words_scope[];
extern const char *const kt_words_clean[];
extern const char *const kt_words_endpoint[];
extern const char *const kt_words_check_kind[];
extern const char *const kt_words_case_kind[];
extern const char *const kt_words_provenance[];
extern const char *const kt_words_verdict[];

#endif
