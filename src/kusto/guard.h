/* The read-only guard: what may be sent to a cluster.
 *
 * The commands are data (rules/guard.tsv): a shape, a class, the endpoint that
 * answers it, its columns, what it needs. A text is read by KQL's own lexical
 * rules into a tree; the plan's text is the canonical print of that tree and is
 * all that kt_cluster_run ever sends. What the tree cannot hold cannot be sent:
 * a second statement, a comment, a feeding arrow, a function or an operator that
 * is on no list, another database or cluster. A command on no row is refused.
 *
 *     struct kt_guard_plan plan = {0};
 *     if (kt_guard_parse(guard, text, KT_BY_PERSON, &plan, err) < 0)
 *             return -1;       // err: position, what is refused, why, what is near
 *     ... kt_buf_c(&plan.text) ...
 *     kt_guard_plan_free(&plan);
 *
 * Sources: the lexical rules and the operators are those of the KQL reference;
 * every row's columns come from Microsoft's grammar, which differs from the
 * documents in places: a column that the table does not know is no refusal.
 */
#ifndef KT_KUSTO_GUARD_H
#define KT_KUSTO_GUARD_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "core/kb.h"

#define KT_GUARD_CLASSES(X)                                                           \
	X(REFUSE, "refuse")           /* never sent */                                \
	X(ALLOW, "allow")             /* metadata, cheap */                           \
	X(FILTERED, "allow-filtered") /* may be long: has a time filter or a limit */ \
	X(ASK, "ask")                 /* costly: a person says yes first */           \
	X(REDACTED, "redacted")       /* answers with secrets: packs only, cut to kind and host */

enum kt_guard_class {
#define X(id, word) KT_GUARD_##id,
	KT_GUARD_CLASSES(X)
#undef X
};

/* Who wrote the text. A person may not send what is REDACTED. */
enum kt_guard_by { KT_BY_PERSON, KT_BY_PACK };

enum kt_guard_kind { KT_GUARD_MGMT, KT_GUARD_QUERY };

struct kt_guard;

struct kt_guard_column {
	struct kt_str name, type; /* type empty when it is not known */
};

/* All text but TEXT is borrowed from the guard or lies in ARENA. */
struct kt_guard_plan {
	struct kt_buf text; /* canonical; the only text that is sent */
	enum kt_guard_class cls;
	enum kt_guard_kind kind;
	enum kt_endpoint endpoint;
	bool either;              /* the other endpoint answers it, too */
	struct kt_str shape;      /* the row of the table; empty for a query */
	struct kt_str permission; /* what is needed, in words; may be empty */
	struct kt_str why;        /* why a yes is needed, or what it costs; may be empty */
	uint32_t retention_s;     /* how far back it can see; 0: not stated */
	uint32_t limit;           /* rows that the guard's own `take` lets through; 0: none added */
	const struct kt_guard_column *columns; /* of the result, after all operators */
	size_t n_columns;
	bool columns_known;           /* false: they depend on the command or the table */
	struct kt_str unknown_column; /* first name used that is no column; empty: none */
	size_t unknown_at;            /* its byte in the given text */
	struct kt_arena arena;
};

/* TSV is borrowed and must outlive the guard. NULL and class RULES, with the line,
 * when a row is malformed. */
struct kt_guard *kt_guard_new(struct kt_str tsv, struct kt_err *err);
void kt_guard_free(struct kt_guard *take_guard);

/* Reads one management command (it begins with a dot) or one query over one table
 * of the connected database. *OUT must be zeroed. Errors are of class REFUSED. */
KT_MUST_CHECK int kt_guard_parse(const struct kt_guard *guard, struct kt_str text, enum kt_guard_by by,
				 struct kt_guard_plan *out, struct kt_err *err);
void kt_guard_plan_free(struct kt_guard_plan *plan);

/* False when it is sure that the result has no such column. */
bool kt_guard_has_column(const struct kt_guard_plan *plan, struct kt_str name);

const char *kt_guard_class_word(enum kt_guard_class cls);

/* Shapes that may be sent and that start with PREFIX, for completion; calls FN for
 * each until it returns false. */
void kt_guard_each(const struct kt_guard *guard, struct kt_str prefix,
		   bool (*fn)(void *ctx, struct kt_str shape, enum kt_guard_class cls), void *ctx);

/* Rows the guard lets through where neither a time filter nor a limit stands. */
#define KT_GUARD_TAKE     1000
#define KT_GUARD_MAX_TEXT 16384 /* bytes of one text */

#endif
