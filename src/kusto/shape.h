/* The table of commands (rules/guard.tsv): its rows, and which of them a text has.
 * For the guard only.
 *
 * Fields, by tabs: kind (command, function, aggregate) · shape · class · endpoint
 * (engine, ingest, both) · permission · retention · columns · why. `-` is nothing.
 * A command's shape is the words as sent, with slots for what varies:
 *   {entity} {entities} {string} {guid} {guids} {int} {bool} {datetime} {timespan}
 *   <a|b|c>  one of these words        ...  anything (rows that refuse)
 * For functions the shape is the name.
 */
#ifndef KT_KUSTO_SHAPE_H
#define KT_KUSTO_SHAPE_H

#include "kusto/guard.h"
#include "kusto/lex.h"
#include "kusto/tree.h"

enum kt_slot {
	KT_SLOT_ENTITY,
	KT_SLOT_ENTITIES,
	KT_SLOT_STRING,
	KT_SLOT_GUID,
	KT_SLOT_GUIDS,
	KT_SLOT_INT,
	KT_SLOT_BOOL,
	KT_SLOT_DATETIME,
	KT_SLOT_TIMESPAN,
};

enum kt_part_kind { KT_PART_WORD, KT_PART_SLOT, KT_PART_CHOICE, KT_PART_REST };

struct kt_part {
	enum kt_part_kind kind;
	enum kt_slot slot;
	struct kt_str text; /* WORD: the word; CHOICE: "a|b|c"; SLOT: its name */
	bool space;         /* a blank stands before it */
};

struct kt_guard_row {
	struct kt_str shape, permission, columns, why;
	enum kt_guard_class cls;
	enum kt_endpoint endpoint;
	bool either;
	uint32_t retention_s;
	struct kt_part *parts;
	size_t n_parts, n_words;
};

struct kt_guard_fn {
	struct kt_str name, why;
	enum kt_fn fn;
};

struct kt_guard {
	struct kt_arena arena;
	struct kt_guard_row *rows;
	size_t n_rows, cap_rows;
	struct kt_guard_fn *fns;
	size_t n_fns, cap_fns;
};

/* Splits a shape into parts; class RULES for an unknown slot. */
KT_MUST_CHECK int kt_shape_parse(struct kt_guard *g, struct kt_guard_row *row, struct kt_err *err);

/* How far the tokens agree with the row: parts, tokens. With OUT also the canonical
 * print, with every value checked. -1 when a value is refused. */
KT_MUST_CHECK int kt_shape_walk(const struct kt_guard_row *row, const struct kt_token *t, size_t *n_parts,
				size_t *n_toks, struct kt_buf *out, struct kt_err *err);

/* The row that all tokens up to `|` or the end agree with, the most exact one; *N_TOKS
 * of them. NULL: none. */
const struct kt_guard_row *kt_shape_find(const struct kt_guard *g, const struct kt_token *t, size_t *n_toks);

/* The row that may be sent and is most like the text; NULL: none. */
const struct kt_guard_row *kt_shape_nearest(const struct kt_guard *g, const struct kt_token *t);

/* Columns: COLUMNS is "Name:type, …". */
size_t kt_shape_columns(struct kt_str columns, struct kt_arena *a, struct kt_guard_column **out);

#endif
