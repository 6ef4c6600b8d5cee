/* The knowledge base: what the rule packs say, immutable.
 *
 * All of it is flat tables of rows without pointers, and one pool of text. Rows
 * name each other by row number (KT_NIL: none), text by offset into the pool.
 * So the compiled image is these tables written out, and loading it is one read
 * and a check of the numbers.
 *
 * Invariants, checked by the loader and by kt_kb_check for a loaded image: every
 * row number, span and reference lies inside its table; condition nodes refer to
 * smaller node numbers only, so there is no cycle; rows stand in the order of the
 * authors' files.
 *
 *     const struct kt_cause *c = &kb->causes[i];
 *     struct kt_str title = kt_kb_text(kb, c->title);
 *
 * The C code knows no cause: everything domain-specific is a row here.
 */
#ifndef KT_CORE_KB_H
#define KT_CORE_KB_H

#include "base/err.h"
#include "base/str.h"

#define KT_NIL UINT32_MAX

struct kt_ref { /* text in the pool; len 0: absent */
	uint32_t off, len;
};

struct kt_span { /* rows [at, at + n) of the table the field names */
	uint32_t at, n;
};

/* Weight words with their addend in tenths of a decibel. */
#define KT_WEIGHTS(X)                             \
	X(NONE, "none", 0)                        \
	X(PROVES, "proves", 300)                  \
	X(STRONG, "strong", 200)                  \
	X(SUGGESTS, "suggests", 100)              \
	X(HINTS, "hints", 50)                     \
	X(HINTS_AGAINST, "hints-against", -50)    \
	X(ARGUES_AGAINST, "argues-against", -100) \
	X(STRONG_AGAINST, "strong-against", -200)

enum kt_weight {
#define X(id, word, ddb) KT_W_##id,
	KT_WEIGHTS(X)
#undef X
};

#define KT_PRIORS(X)               \
	X(UNCOMMON, "uncommon", 0) \
	X(COMMON, "common", 30)    \
	X(RARE, "rare", -50)

enum kt_prior {
#define X(id, word, ddb) KT_PRIOR_##id,
	KT_PRIORS(X)
#undef X
};

#define KT_RERUNS(X)          \
	X(UNKNOWN, "unknown") \
	X(SAFE, "safe")       \
	X(UNSAFE, "unsafe")   \
	X(UNSAFE_UNTIL_CHECKED, "unsafe-until-checked")

enum kt_rerun {
#define X(id, word) KT_RERUN_##id,
	KT_RERUNS(X)
#undef X
};

#define KT_FACT_TYPES(X)    \
	X(STRING, "string") \
	X(CHOICE, "choice") \
	X(BOOL, "bool")     \
	X(NUMBER, "number") \
	X(VERSION, "version") X(GUID, "guid") X(DATETIME, "datetime") X(DURATION, "duration") X(URL, "url")

enum kt_fact_type {
#define X(id, word) KT_FACT_##id,
	KT_FACT_TYPES(X)
#undef X
};

/* The five steps of the triage. */
#define KT_STEPS(X)             \
	X(CLASSIFY, "classify") \
	X(SURFACE, "surface") X(MATCH, "match") X(COLLECT, "collect") X(RESOLVE, "resolve")

enum kt_step {
#define X(id, word) KT_STEP_##id,
	KT_STEPS(X)
#undef X
};

enum kt_scope { KT_SCOPE_INCIDENT, KT_SCOPE_OPERATION };
enum kt_clean { KT_CLEAN_NONE, KT_CLEAN_GUID, KT_CLEAN_LOWER };

/* Conditions over facts (gates) and over columns (row predicates). */
enum kt_op {
	KT_OP_OR,
	KT_OP_AND,
	KT_OP_NOT, /* left, right are nodes */
	KT_OP_EQ,
	KT_OP_NE,
	KT_OP_LT,
	KT_OP_LE,
	KT_OP_GT,
	KT_OP_GE,
	KT_OP_IN,
	KT_OP_IEQ,
	KT_OP_CONTAINS,
	KT_OP_STARTS, /* these three over columns only */
};

struct kt_node {
	uint32_t op;           /* enum kt_op */
	uint32_t left, right;  /* nodes; right KT_NIL for NOT */
	uint32_t fact;         /* row of facts; KT_NIL for a column */
	struct kt_ref name;    /* the fact's id or the column's name */
	struct kt_span values; /* rows of strings; one but for IN */
};

struct kt_pack {
	struct kt_ref id, version, title;
	uint32_t n_causes;
};

/* A data file beside the packs, carried in the image: "guard.tsv", "headers.tsv", "trusted.tsv". */
struct kt_datafile {
	struct kt_ref name, text;
};

/* A regular expression; equal texts are one row. LITERALS: one of them occurs in
 * every match (ASCII case folded if FOLD); empty when none is known. */
struct kt_pattern {
	struct kt_ref text;
	struct kt_span literals; /* rows of strings */
	uint32_t fold;
};

enum kt_role { KT_ROLE_FATAL, KT_ROLE_NOISE };
struct kt_marker {     /* what makes a record fatal, and what does not */
	uint32_t role; /* enum kt_role */
	uint32_t pattern;
};

struct kt_choice {
	struct kt_ref value, text;
};
struct kt_default {
	struct kt_ref value;
	uint32_t when; /* node or KT_NIL */
};
/* What teaches a fact: a PATTERN (the value is VALUE, or when that is empty the named
 * group called like the fact), or a SHOW item that is present (the value is VALUE). */
struct kt_learn {
	uint32_t fact;
	uint32_t pattern, item; /* one of them; the other KT_NIL */
	struct kt_ref value;
};

struct kt_fact {
	struct kt_ref id, ask, why;
	uint32_t type, scope, step, clean; /* enums above */
	uint32_t pin;                      /* 0: not pinned; else asked early in this order */
	uint32_t complaint;                /* flag: a value says that something is wrong */
	uint32_t key;                      /* 0: none; else names the operation of a record, smaller first */
	uint32_t cost_s, avail_pm;         /* seconds; thousandths, 0: as usual (0.8) */
	uint32_t when;                     /* node or KT_NIL: asked only when true */
	uint32_t needs;                    /* version fact its default depends on, or KT_NIL */
	struct kt_span choices, defaults;
	uint32_t order; /* the author's order over facts and checks */
};

enum kt_check_kind { KT_CHECK_SHOW, KT_CHECK_QUERY, KT_CHECK_SCAN };
enum kt_endpoint { KT_ENGINE, KT_INGEST };
struct kt_check {
	struct kt_ref id, title, command, permission;
	uint32_t kind, endpoint;
	uint32_t cost_s, avail_pm,
		retention_s;        /* avail 0: as usual (0.9 scan, 0.7 else); retention 0: none stated */
	uint32_t silent, automatic; /* flags */
	struct kt_span needs;       /* rows of fact_refs */
	struct kt_span columns;     /* rows of strings */
	uint32_t order;
};

enum kt_item_kind { KT_ITEM_LOG, KT_ITEM_SHOW, KT_ITEM_ASK };
enum kt_rows_mode { KT_ROWS_ANY, KT_ROWS_ALL, KT_ROWS_NONE, KT_ROWS_COUNT };

/* Something observable. Equal items of several causes are one row.
 *   LOG   pattern (and the scan check that collects it, or KT_NIL)
 *   SHOW  check, mode and cond over its columns (COUNT: over the pseudo column "rows")
 *   ASK   fact and cond over it */
struct kt_item {
	uint32_t kind;
	uint32_t pattern, check, fact; /* KT_NIL where it does not apply */
	uint32_t mode, cond;
	struct kt_ref text; /* what people see: the regex, predicate or condition */
};

struct kt_evidence {
	uint32_t item;
	uint32_t weight, absent; /* enum kt_weight; NONE: no change */
	struct kt_ref group;     /* the author's name for items that count as one */
	struct kt_ref note;      /* shown beside it */
};

struct kt_cause {
	struct kt_ref id, area, title;
	struct kt_ref explain, fix_id, fix_text, tradeoff, rerun_reason, verify_text, would_confirm;
	struct kt_ref file; /* where it is written */
	uint32_t line;
	uint32_t prior, carrier, rerun;
	uint32_t gate; /* node of when, unless and versions together, or KT_NIL */
	struct kt_ref gate_text;
	uint32_t verify_item; /* a SHOW item that is true when mended, or KT_NIL */
	uint32_t pack;
	struct kt_span evidence;
	struct kt_span refs, look_alikes, twins, seeds; /* rows of strings */
};

struct kt_option { /* configuration reference */
	struct kt_ref id, scope, def, allowed, since, impact, mistake;
	struct kt_ref constant; /* that a program may write instead of the name; or empty */
	uint32_t argument;      /* its place, from 1, in a call of the source's own method; 0: none */
	struct kt_span wrong;   /* rows of choices: names that are set by mistake, each with a reason */
	struct kt_span refs;
};

/* Names that a reader of option lists must know. */
enum kt_word_kind {
	KT_WORD_SOURCE,  /* format(NAME) or .NAME(...): the options are those of the reference */
	KT_WORD_FOREIGN, /* an option that others read too: no mistake, and no sign of a list */
};
struct kt_word {
	uint32_t kind;
	struct kt_ref text;
};

/* What can be wrong with the values of an option list: COND over the names of options
 * as columns (author/options.h), '' when an option is not set. */
struct kt_option_fault {
	struct kt_ref id, text;
	struct kt_ref cause; /* id, or empty */
	uint32_t cond;
	uint32_t warning; /* flag: the job may still do what is wanted */
	struct kt_span refs;
};

enum kt_note_kind { KT_NOTE_COLLECT, KT_NOTE_ADVICE };
struct kt_note { /* what to collect; closing rules */
	struct kt_ref id, text;
	uint32_t kind;
	uint32_t cond;  /* ADVICE: shown when true; COLLECT: left out when true; KT_NIL: always */
	uint32_t check; /* or KT_NIL */
	struct kt_span refs;
};

#define KT_TABLES(X)                                                         \
	X(packs, struct kt_pack)                                             \
	X(files, struct kt_datafile)                                         \
	X(strings, struct kt_ref)                                            \
	X(fact_refs, uint32_t)                                               \
	X(nodes, struct kt_node)                                             \
	X(patterns, struct kt_pattern)                                       \
	X(markers, struct kt_marker)                                         \
	X(frames, struct kt_ref) /* prefixes of frames that name no place */ \
	X(facts, struct kt_fact)                                             \
	X(choices, struct kt_choice)                                         \
	X(defaults, struct kt_default)                                       \
	X(learns, struct kt_learn)                                           \
	X(checks, struct kt_check)                                           \
	X(items, struct kt_item)                                             \
	X(evidence, struct kt_evidence)                                      \
	X(causes, struct kt_cause)                                           \
	X(options, struct kt_option)                                         \
	X(words, struct kt_word)                                             \
	X(option_faults, struct kt_option_fault)                             \
	X(notes, struct kt_note)

struct kt_kb {
	struct kt_str pool;
#define X(name, type)     \
	const type *name; \
	uint32_t n_##name;
	KT_TABLES(X)
#undef X
};

static inline struct kt_str kt_kb_text(const struct kt_kb *kb, struct kt_ref r)
{
	return kt_str_sub(kb->pool, r.off, r.len);
}

/* Row number by id, or KT_NIL. */
uint32_t kt_kb_cause(const struct kt_kb *kb, struct kt_str id);
uint32_t kt_kb_fact(const struct kt_kb *kb, struct kt_str id);
uint32_t kt_kb_check_id(const struct kt_kb *kb, struct kt_str id);
struct kt_str kt_kb_file(const struct kt_kb *kb, const char *name); /* text or empty */
struct kt_str kt_kb_fix(const struct kt_kb *kb, uint32_t cause);    /* fix id, by default the cause's */

int kt_weight_ddb(enum kt_weight w);
const char *kt_weight_word(enum kt_weight w);
int kt_prior_ddb(enum kt_prior p);
const char *kt_rerun_word(enum kt_rerun r);
const char *kt_step_word(enum kt_step s);
const char *kt_fact_type_word(enum kt_fact_type t);

/* Every invariant named above, enums and flags in range, gates over facts and
 * predicates over columns only, no condition of more than KT_COND_MAX nodes
 * counted as a tree; for images that come from a disk: after it nothing reads
 * out of bounds or without end. Class RULES; the text names table and row. */
#define KT_COND_MAX 1024u
KT_MUST_CHECK int kt_kb_check(const struct kt_kb *kb, struct kt_err *err);

#endif
