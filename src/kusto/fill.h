/* Typed placeholders of commands: {x:string} {x:guid} {x:datetime} {x:timespan} {x:entity}.
 *
 * A value is checked against its type and written as one literal; it can never
 * end the literal it stands in. What is written is still read by the guard.
 *
 *   string    "…" with \" \' \\ and \uXXXX; any UTF-8 but NUL
 *   guid      8-4-4-4-12 hexadecimal digits, lower case, bare
 *   datetime  datetime(2026-01-31T00:00:00Z) from ISO 8601; without a zone it is UTC, as in KQL
 *   timespan  15m, 2d, 30s, 100ms, 3h, or timespan(1.02:03:04)
 *   entity    ['…']: 1 to 1024 letters, digits, `_`, `.`, `-`, blanks
 *
 * A placeholder inside a string literal is an error: "drop-by:" {tag:string} is
 * the way to put a text in front (neighbours are one literal in KQL).
 */
#ifndef KT_KUSTO_FILL_H
#define KT_KUSTO_FILL_H

#include "base/buf.h"
#include "base/err.h"

#define KT_FILL_TYPES(X)    \
	X(STRING, "string") \
	X(GUID, "guid") X(DATETIME, "datetime") X(TIMESPAN, "timespan") X(ENTITY, "entity")

enum kt_fill_type {
#define X(id, word) KT_FILL_##id,
	KT_FILL_TYPES(X)
#undef X
};

/* Gives the value of NAME; false when it is not known. */
typedef bool kt_fill_lookup(void *ctx, struct kt_str name, enum kt_fill_type type, struct kt_str *value);

/* Adds the filled template to OUT. Class REFUSED for a value of the wrong type
 * (names the placeholder, never prints more than a part of the value), USAGE for
 * a name without value, RULES for a malformed template. */
KT_MUST_CHECK int kt_fill(struct kt_str tmpl, kt_fill_lookup *lookup, void *ctx, struct kt_buf *out,
			  struct kt_err *err);

/* A lookup that knows a harmless sample of each type: for checking templates. */
bool kt_fill_sample(void *ctx, struct kt_str name, enum kt_fill_type type, struct kt_str *value);

/* Calls FN for each placeholder in order, repeats included. Class RULES for a malformed template. */
KT_MUST_CHECK int kt_fill_each(struct kt_str tmpl,
			       void (*fn)(void *ctx, struct kt_str name, enum kt_fill_type type), void *ctx,
			       struct kt_err *err);

/* One value as literal of TYPE. */
KT_MUST_CHECK int kt_fill_value(enum kt_fill_type type, struct kt_str value, struct kt_buf *out,
				struct kt_err *err);

const char *kt_fill_type_word(enum kt_fill_type type);

#endif
