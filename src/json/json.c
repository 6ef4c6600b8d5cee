#include "json/json.h"

#include <jansson.h>
#include <stdio.h>

#include "base/alloc.h"

#include "base/banned.h"

/* A struct kt_json is never defined: it is the library's value under our name. */
static json_t *lib(const struct kt_json *v)
{
	return (json_t *)(uintptr_t)v;
}

static struct kt_json *ours(json_t *v)
{
	return (struct kt_json *)(void *)v;
}

struct kt_json *kt_json_parse(struct kt_str text, struct kt_err *err)
{
	json_error_t why;

	json_set_alloc_funcs(kt_alloc, kt_free);
	json_t *v = json_loadb(text.p ? text.p : "", text.len,
			       JSON_DECODE_ANY | JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &why);
	if (!v)
		kt_err_set(err, KT_ERR_INPUT, "%d:%d: not valid JSON: %s", why.line, why.column, why.text);
	return ours(v);
}

void kt_json_free(struct kt_json *take_doc)
{
	json_decref(lib(take_doc));
}

enum kt_json_kind kt_json_kind(const struct kt_json *v)
{
	if (!v)
		return KT_JSON_NONE;
	switch (json_typeof(lib(v))) {
	case JSON_OBJECT: return KT_JSON_OBJECT;
	case JSON_ARRAY: return KT_JSON_ARRAY;
	case JSON_STRING: return KT_JSON_STR;
	case JSON_INTEGER: return KT_JSON_INT;
	case JSON_REAL: return KT_JSON_REAL;
	case JSON_TRUE:
	case JSON_FALSE: return KT_JSON_BOOL;
	case JSON_NULL: return KT_JSON_NULL;
	}
	return KT_JSON_NONE;
}

struct kt_json *kt_json_get(const struct kt_json *object, const char *key)
{
	return ours(json_object_get(lib(object), key));
}

size_t kt_json_len(const struct kt_json *v)
{
	return kt_json_kind(v) == KT_JSON_ARRAY ? json_array_size(lib(v)) : json_object_size(lib(v));
}

struct kt_json *kt_json_at(const struct kt_json *array, size_t i)
{
	return ours(json_array_get(lib(array), i));
}

struct kt_str kt_json_str(const struct kt_json *v)
{
	if (kt_json_kind(v) != KT_JSON_STR)
		return KT_NONE;
	return (struct kt_str){json_string_value(lib(v)), json_string_length(lib(v))};
}

int64_t kt_json_int(const struct kt_json *v, int64_t otherwise)
{
	return kt_json_kind(v) == KT_JSON_INT ? (int64_t)json_integer_value(lib(v)) : otherwise;
}

bool kt_json_bool(const struct kt_json *v, bool otherwise)
{
	return kt_json_kind(v) == KT_JSON_BOOL ? json_is_true(lib(v)) : otherwise;
}

void kt_json_each(const struct kt_json *object,
		  bool (*fn)(void *ctx, struct kt_str key, struct kt_json *value), void *ctx)
{
	const char *key;
	json_t *value;

	if (kt_json_kind(object) != KT_JSON_OBJECT)
		return;
	json_object_foreach(lib(object), key, value) if (!fn(ctx, kt_str_c(key), ours(value))) return;
}

static int dump_to(const char *p, size_t len, void *out)
{
	kt_buf_add(out, (struct kt_str){p, len});
	return 0;
}

void kt_json_dump(const struct kt_json *v, struct kt_buf *out)
{
	if (v)
		json_dump_callback(lib(v), dump_to, out, JSON_COMPACT | JSON_ENCODE_ANY);
}

void kt_json_text(const struct kt_json *v, struct kt_buf *out)
{
	enum kt_json_kind kind = kt_json_kind(v);

	if (kind == KT_JSON_STR)
		kt_buf_add(out, kt_json_str(v));
	else if (kind != KT_JSON_NULL)
		kt_json_dump(v, out);
}
