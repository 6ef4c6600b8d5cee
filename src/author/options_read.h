/* The option lists of a job's source, of a JSON document or of lines "name = value".
 *
 * A list is a chain of calls (spark.read.format(..).option(..).load()), a map ({..},
 * Map(..), dict(..), puts into a variable) or the lines of a file of properties. What
 * is known of a list is exact: the value of a variable is not.
 */
#ifndef KT_AUTHOR_OPTIONS_READ_H
#define KT_AUTHOR_OPTIONS_READ_H

#include "core/kb.h"

#include "base/arena.h"

struct kt_opt_pair {
	struct kt_str name;
	size_t at;       /* byte of the text */
	uint32_t option; /* row, or KT_NIL: none has this name */
	bool known;      /* VALUE is what is set; else something is */
	bool positional; /* an argument of the source's own method */
	struct kt_str value;
};

enum kt_opt_side { KT_OPT_EITHER, KT_OPT_READ, KT_OPT_WRITE };

/* A name that the text may give or leave open. */
struct kt_opt_said {
	bool there, known;
	struct kt_str text;
};

struct kt_opt_list {
	size_t at;
	struct kt_opt_pair *pairs;
	size_t n, cap;
	uint32_t *uses; /* lists that this chain takes in */
	size_t n_uses, cap_uses;
	enum kt_opt_side side;
	struct kt_opt_said format, mode;
	bool chain; /* of calls */
	bool ended; /* in load, save, start */
	bool own;   /* by the source's own method */
	bool other; /* ended by a method of another source */
	bool open;  /* there may be options that cannot be seen */
	bool bare;  /* without quotes, as a map is printed: no list when anything else is in it */
	bool used;  /* by a chain */
};

struct kt_opt_lists {
	struct kt_opt_list *p;
	size_t n, cap;
};

/* Names and values borrow from TEXT and A. */
void kt_opt_read(const struct kt_kb *kb, struct kt_str text, struct kt_arena *a, struct kt_opt_lists *out);
void kt_opt_lists_free(struct kt_opt_lists *lists);

/* Row of the option with this name, in any case of letters, or KT_NIL. */
uint32_t kt_opt_named(const struct kt_kb *kb, struct kt_str name);
/* Row of the option that the constant stands for, or KT_NIL. */
uint32_t kt_opt_constant(const struct kt_kb *kb, struct kt_str name);
/* Others read an option of this name, too. */
bool kt_opt_foreign(const struct kt_kb *kb, struct kt_str name);
bool kt_opt_source(const struct kt_kb *kb, struct kt_str format);
/* A method .NAME(..) that reads or writes with the source. */
bool kt_opt_method(const struct kt_kb *kb, struct kt_str name);

/* The source in the cells of a notebook, each byte where it stands in the file; false
 * when the text is none (options_notebook.c). */
bool kt_opt_notebook(struct kt_str text, struct kt_arena *a, struct kt_str *out);

/* Lines "name = value", when the text is a file of them (options_lines.c). */
void kt_opt_read_lines(const struct kt_kb *kb, struct kt_str text, struct kt_opt_lists *out);

#endif
