/* The table of keys as JSON Schema, draft 7. */
#include "json/write.h"
#include "rules/keys.h"
#include "rules/rules.h"

#include "base/banned.h"

static const struct {
	const char *pattern;
	bool empty; /* may be empty */
} scalars[] = {
	[KT_V_TEXT0] = {NULL, true},
	[KT_V_ID] = {"^[A-Za-z0-9][A-Za-z0-9_-]*(\\.[A-Za-z0-9][A-Za-z0-9_-]*)*$", false},
	[KT_V_NAME] = {"^[A-Za-z][A-Za-z0-9]{0,31}$", false},
	[KT_V_TIME] = {"^[0-9]+[smhd]$", false},
	[KT_V_RANGE] = {"^\\s*(>=|<=|==|!=|>|<)\\s*[0-9.]+\\s*(,\\s*(>=|<=|==|!=|>|<)\\s*[0-9.]+\\s*)*$",
			false},
	[KT_V_ROWS] = {"^(>=|<=|==|!=|>|<)\\s*[0-9]+$", false},
};

static void write_words(struct kt_jw *w, const char *const *words)
{
	kt_jw_open(w, "enum", '[');
	for (; *words; words++)
		kt_jw_str(w, NULL, kt_str_c(*words));
	kt_jw_close(w);
}

/* Plain 1.0 and true are a number and a boolean to an editor, and text to us. */
static void write_types(struct kt_jw *w)
{
	kt_jw_open(w, "type", '[');
	kt_jw_str(w, NULL, KT_S("string"));
	kt_jw_str(w, NULL, KT_S("number"));
	kt_jw_str(w, NULL, KT_S("boolean"));
	kt_jw_close(w);
}

static void write_number(struct kt_jw *w, const char *type, int64_t low, int64_t high)
{
	kt_jw_str(w, "type", kt_str_c(type));
	kt_jw_int(w, "minimum", low);
	kt_jw_int(w, "maximum", high);
}

/* The members of the schema of one value, without braces. */
static void write_value(struct kt_jw *w, const struct kt_key *key, enum kt_value value)
{
	struct kt_buf ref = KT_BUF(KT_BUF_NAME);

	switch (value) {
	case KT_V_KEYS:
		kt_buf_fmt(&ref, "#/definitions/%s", key->sub->id);
		kt_jw_str(w, "$ref", kt_buf_view(&ref));
		break;
	case KT_V_WORD: write_words(w, key->words); break;
	case KT_V_BOOL: kt_jw_str(w, "type", KT_S("boolean")); break;
	case KT_V_SHARE: write_number(w, "number", 0, 1); break;
	case KT_V_DIGIT: write_number(w, "integer", 1, 9); break;
	default:
		write_types(w);
		if (value < KT_LEN(scalars) && scalars[value].pattern)
			kt_jw_str(w, "pattern", kt_str_c(scalars[value].pattern));
		else if (value >= KT_LEN(scalars) || !scalars[value].empty)
			kt_jw_int(w, "minLength", 1);
	}
	kt_buf_free(&ref);
}

static void write_member(struct kt_jw *w, const char *name, const struct kt_key *key, enum kt_value value)
{
	kt_jw_open(w, name, '{');
	write_value(w, key, value);
	kt_jw_close(w);
}

static void write_list(struct kt_jw *w, const struct kt_key *key)
{
	kt_jw_str(w, "type", KT_S("array"));
	kt_jw_int(w, "minItems", 1);
	write_member(w, "items", key, key->value);
}

static void write_key(struct kt_jw *w, const struct kt_key *key)
{
	kt_jw_open(w, key->name, '{');
	kt_jw_str(w, "description", kt_str_c(key->doc));
	if (key->shape == KT_LIST) {
		write_list(w, key);
	} else if (key->shape == KT_DICT) {
		kt_jw_str(w, "type", KT_S("object"));
		if (key->names != KT_V_TEXT)
			write_member(w, "propertyNames", key, key->names);
		write_member(w, "additionalProperties", key, key->value);
	} else if (key->shape == KT_ONE_OR_LIST) {
		kt_jw_open(w, "anyOf", '[');
		write_member(w, NULL, key, key->value);
		kt_jw_open(w, NULL, '{');
		write_list(w, key);
		kt_jw_close(w);
		kt_jw_close(w);
	} else if (key->value == KT_V_KEYS) { /* draft 7 ignores what stands beside $ref */
		kt_jw_open(w, "allOf", '[');
		write_member(w, NULL, key, key->value);
		kt_jw_close(w);
	} else {
		write_value(w, key, key->value);
	}
	kt_jw_close(w);
}

static void write_one_of(struct kt_jw *w, const char *names)
{
	struct kt_str rest = kt_str_c(names), name;

	kt_jw_open(w, "oneOf", '[');
	while (kt_str_cut(&rest, ' ', &name)) {
		kt_jw_open(w, NULL, '{');
		kt_jw_open(w, "required", '[');
		kt_jw_str(w, NULL, name);
		kt_jw_close(w);
		kt_jw_close(w);
	}
	kt_jw_close(w);
}

static void write_required(struct kt_jw *w, const struct kt_keys *keys)
{
	bool some = false;

	for (size_t i = 0; i < keys->n; i++)
		some = some || keys->keys[i].required;
	if (!some)
		return;
	kt_jw_open(w, "required", '[');
	for (size_t i = 0; i < keys->n; i++)
		if (keys->keys[i].required)
			kt_jw_str(w, NULL, kt_str_c(keys->keys[i].name));
	kt_jw_close(w);
}

static void write_object(struct kt_jw *w, const struct kt_keys *keys)
{
	kt_jw_str(w, "type", KT_S("object"));
	kt_jw_bool(w, "additionalProperties", false);
	kt_jw_open(w, "properties", '{');
	for (size_t i = 0; i < keys->n; i++)
		write_key(w, &keys->keys[i]);
	kt_jw_close(w);
	if (keys->one_of)
		write_one_of(w, keys->one_of);
}

/* Sections that KEYS name, each once, the inner ones first. */
static void write_definitions(struct kt_jw *w, const struct kt_keys *keys);

static void write_definition(struct kt_jw *w, const struct kt_keys *keys)
{
	write_definitions(w, keys);
	kt_jw_open(w, keys->id, '{');
	write_object(w, keys);
	write_required(w, keys);
	kt_jw_close(w);
}

static void write_definitions(struct kt_jw *w, const struct kt_keys *keys)
{
	for (size_t i = 0; i < keys->n; i++)
		if (keys->keys[i].value == KT_V_KEYS)
			write_definition(w, keys->keys[i].sub);
}

static void new_line(struct kt_buf *out, unsigned depth)
{
	kt_buf_fmt(out, "\n%*s", (int)depth * 2, "");
}

/* One member per line, for those who read it and for diff. JSON has no empty {} here. */
static void indent(struct kt_str json, struct kt_buf *out)
{
	unsigned depth = 0;
	bool quoted = false;

	for (size_t i = 0; i < json.len; i++) {
		char c = json.p[i];
		if (!quoted && (c == '}' || c == ']'))
			new_line(out, --depth);
		kt_buf_char(out, c);
		if (quoted && c == '\\')
			kt_buf_char(out, json.p[++i]);
		else if (c == '"')
			quoted = !quoted;
		else if (!quoted && (c == '{' || c == '['))
			new_line(out, ++depth);
		else if (!quoted && c == ',')
			new_line(out, depth);
		else if (!quoted && c == ':')
			kt_buf_char(out, ' ');
	}
	kt_buf_char(out, '\n');
}

/* pack.yaml has more keys than the others and the schema cannot see a file's name:
 * it allows them everywhere and requires them where "pack" stands. */
void kt_rules_schema(struct kt_buf *out)
{
	struct kt_buf json = KT_BUF(KT_BUF_TEXT);
	struct kt_jw w = {.out = &json};

	kt_jw_open(&w, NULL, '{');
	kt_jw_str(&w, "$schema", KT_S("http://json-schema.org/draft-07/schema#"));
	kt_jw_str(&w, "title", KT_S("Rule file of ktriage"));
	kt_jw_str(&w, "description", KT_S("Made by \"ktriage rules schema\"; do not edit."));
	write_object(&w, &kt_keys_pack);
	kt_jw_open(&w, "if", '{');
	kt_jw_open(&w, "required", '[');
	kt_jw_str(&w, NULL, KT_S("pack"));
	kt_jw_close(&w);
	kt_jw_close(&w);
	kt_jw_open(&w, "then", '{');
	write_required(&w, &kt_keys_pack);
	kt_jw_close(&w);
	kt_jw_open(&w, "definitions", '{');
	write_definitions(&w, &kt_keys_pack);
	write_definition(&w, &kt_keys_expect); /* of no rule file: for expect.yaml and the manual */
	kt_jw_close(&w);
	kt_jw_close(&w);
	indent(kt_buf_view(&json), out);
	kt_buf_free(&json);
}
