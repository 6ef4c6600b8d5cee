/* Inside of the reader of option lists: what its parts share. Not a contract. */
#ifndef KT_AUTHOR_OPTIONS_PARSE_H
#define KT_AUTHOR_OPTIONS_PARSE_H

#include "author/options_lex.h"
#include "author/options_read.h"
#include "rules/map.h"

#define KT_OPT_DEPTH 128

/* What a bracket belongs to: methods of Spark's readers and writers, and of maps. */
enum kt_opt_call {
	KT_OC_NOTHING, /* grouping, a block, the whole text */
	KT_OC_OTHER,
	KT_OC_FORMAT,
	KT_OC_OPTION,
	KT_OC_OPTIONS,
	KT_OC_MODE,
	KT_OC_PUT,
	KT_OC_ENDING,
	KT_OC_FOREIGN, /* reads or writes with another source */
	KT_OC_SOURCE,  /* the source's own method */
	KT_OC_MAP,
	KT_OC_INDEX, /* name[..] */
};

/* An open bracket, or the whole text. */
struct kt_opt_frame {
	char close;
	enum kt_opt_call call;
	uint32_t chain;  /* of the call, or of what is indexed; KT_NIL */
	uint32_t list;   /* that pairs of this bracket go to; KT_NIL so far */
	unsigned arg, n; /* number of the argument, tokens of it so far */
	struct kt_opt_token first, last;
	bool path;          /* the argument is a name, or names joined by dots */
	bool took;          /* a list was taken in by this argument */
	uint32_t cur;       /* list or chain that the expression stands for; KT_NIL */
	struct kt_str root; /* its first word */
	struct kt_str word; /* its last */
	bool dot, member;   /* a dot was last; it was in front of the last word */
	bool has_key;       /* a pair is open */
	struct kt_opt_pair key;
	struct kt_str assign, typed; /* variable that gets the value; word in front of ':' */
	uint32_t was;                /* what it stood for */
	unsigned pairs;
	bool bare, quoted, mixed;   /* of the bracket: names without quotes; strings; what is no pair */
	struct kt_opt_pair indexed; /* name["key"] was last */
	bool has_index;
};

struct kt_opt_reader {
	const struct kt_kb *kb;
	struct kt_arena *a;
	struct kt_str text;
	struct kt_opt_lexer lex;
	struct kt_opt_lists *out;
	struct kt_map vars; /* to rows of bound */
	uint32_t *bound;
	size_t n_bound, cap_bound;
	struct kt_opt_frame stack[KT_OPT_DEPTH];
	size_t depth;
	size_t too_deep;
};

/* options_vars.c */
uint32_t kt_optr_new_list(struct kt_opt_reader *r, size_t at, bool chain);
void kt_optr_bind(struct kt_opt_reader *r, struct kt_str name, uint32_t list);
/* What a variable stands for, or KT_NIL; a chain that has ended is no longer one. */
uint32_t kt_optr_lookup(struct kt_opt_reader *r, struct kt_str name);
/* NAME = ... begins, ends. */
void kt_optr_assign_to(struct kt_opt_reader *r, struct kt_opt_frame *f, struct kt_str name);
void kt_optr_end_statement(struct kt_opt_reader *r, struct kt_opt_frame *f);
/* CHAIN has the options of LIST, too. */
void kt_optr_take_in(struct kt_opt_reader *r, uint32_t chain, uint32_t list);
/* The list that pairs of a bracket go to. */
uint32_t kt_optr_list_of(struct kt_opt_reader *r, struct kt_opt_frame *f);
void kt_optr_add_pair(struct kt_opt_reader *r, uint32_t list, const struct kt_opt_pair *pair);

/* options_args.c */
void kt_optr_begin_argument(struct kt_opt_frame *f);
/* PARTED: by a comma; else the bracket ends here. */
void kt_optr_end_argument(struct kt_opt_reader *r, struct kt_opt_frame *f, bool parted);
/* The argument as a name: a text, or a constant that is known. */
bool kt_optr_key_of(struct kt_opt_reader *r, const struct kt_opt_frame *f, struct kt_opt_pair *key);

#endif
