/* JSON values, read. The only folder that names the JSON library.
 *
 * A struct kt_json is borrowed from its document; kt_json_free releases the
 * document (the value that kt_json_parse gave). Getters on a NULL value or on a
 * value of another kind give the empty answer, so a chain needs one check.
 *
 *     struct kt_json *doc = kt_json_parse(text, &err);
 *     struct kt_str name = kt_json_str(kt_json_get(doc, "TableName"));
 *     kt_json_free(doc);
 */
#ifndef KT_JSON_JSON_H
#define KT_JSON_JSON_H

#include "base/buf.h"
#include "base/err.h"

struct kt_json;

enum kt_json_kind {
	KT_JSON_NONE,
	KT_JSON_NULL,
	KT_JSON_BOOL,
	KT_JSON_INT,
	KT_JSON_REAL,
	KT_JSON_STR,
	KT_JSON_ARRAY,
	KT_JSON_OBJECT
};

/* One whole document; duplicate keys and anything behind it are errors of class
 * INPUT with line and column. NUL inside strings is kept. NULL on error. */
struct kt_json *kt_json_parse(struct kt_str text, struct kt_err *err);
void kt_json_free(struct kt_json *take_doc);

enum kt_json_kind kt_json_kind(const struct kt_json *v);
struct kt_json *kt_json_get(const struct kt_json *object, const char *key); /* NULL if absent */
size_t kt_json_len(const struct kt_json *v); /* array elements or object keys */
struct kt_json *kt_json_at(const struct kt_json *array, size_t i);
struct kt_str kt_json_str(const struct kt_json *v); /* empty unless a string */
int64_t kt_json_int(const struct kt_json *v, int64_t otherwise);
bool kt_json_bool(const struct kt_json *v, bool otherwise);

/* Calls FN for each key in the order of the text; stops when it returns false. */
void kt_json_each(const struct kt_json *object,
		  bool (*fn)(void *ctx, struct kt_str key, struct kt_json *value), void *ctx);

/* The value as compact JSON text (a string with its quotes). */
void kt_json_dump(const struct kt_json *v, struct kt_buf *out);
/* A scalar as plain text (a string without quotes, null as nothing); others as JSON. */
void kt_json_text(const struct kt_json *v, struct kt_buf *out);

#endif
