/* The files against the table of keys: the shape of every value, and which keys there are. */
#include "rules/keys.h"

#include "base/banned.h"

#define KEYS_MAX 32 /* of a section; a test counts them */
#define SHOWN    60 /* bytes of a faulty text that are quoted */

static int shown_len(struct kt_str s)
{
	return (int)(s.len < SHOWN ? s.len : SHOWN);
}
#define QUOTED(s) shown_len(s), ((s).p ? (s).p : "")

static void check_value(struct kt_diags *d, struct kt_yaml *node, const struct kt_key *key)
{
	if (key->value == KT_V_KEYS)
		kt_keys_check(key->sub, node, d);
	else
		kt_value_check(d, node, key, key->value);
}

static bool has_value(struct kt_diags *d, struct kt_yaml *node, const struct kt_key *key)
{
	if (node->kind != KT_YAML_SCALAR || node->style != KT_YAML_PLAIN || node->text.len)
		return true;
	kt_yaml_fault(d, node, NULL, "\"%s\" has no value", key->name);
	return false;
}

static void check_list(struct kt_diags *d, struct kt_yaml *node, const struct kt_key *key)
{
	if (!has_value(d, node, key))
		return;
	if (node->kind != KT_YAML_LIST) {
		kt_yaml_fault(d, node, "write [a, b], or one item per line after \"- \"",
			      "\"%s\" must be a list", key->name);
		return;
	}
	for (struct kt_yaml *item = node->first; item; item = item->next)
		check_value(d, item, key);
	if (!node->n)
		kt_yaml_fault(d, node, "leave the key out", "\"%s\" is empty", key->name);
}

static void check_dict(struct kt_diags *d, struct kt_yaml *node, const struct kt_key *key)
{
	if (!has_value(d, node, key))
		return;
	if (node->kind != KT_YAML_MAP) {
		kt_yaml_fault(d, node, "one \"name: …\" per line, indented below the key, without \"- \"",
			      "\"%s\" must be a map", key->name);
		return;
	}
	for (struct kt_yaml *v = node->first; v; v = v->next) {
		struct kt_yaml name = *v->key;
		kt_value_check(d, &name, key, key->names);
		check_value(d, v, key);
		v->bad = v->bad || name.bad;
	}
}

static void check_key(struct kt_diags *d, struct kt_yaml *node, const struct kt_key *key)
{
	if (node->bad)
		return;
	if (key->shape == KT_LIST || (key->shape == KT_ONE_OR_LIST && node->kind == KT_YAML_LIST))
		check_list(d, node, key);
	else if (key->shape == KT_DICT)
		check_dict(d, node, key);
	else
		check_value(d, node, key);
}

static const struct kt_key *find_key(const struct kt_keys *keys, struct kt_str name)
{
	for (size_t i = 0; i < keys->n; i++)
		if (kt_str_eq_c(name, keys->keys[i].name))
			return &keys->keys[i];
	return NULL;
}

/* Returns the key that was meant, or empty. */
static struct kt_str unknown_key(struct kt_diags *d, const struct kt_keys *keys, struct kt_yaml *entry)
{
	struct kt_str names[KEYS_MAX];
	struct kt_buf hint = KT_BUF(KT_BUF_NAME);
	size_t n = 0;

	kt_buf_str(&hint, "known here: ");
	for (; n < keys->n && n < KEYS_MAX; n++) {
		names[n] = kt_str_c(keys->keys[n].name);
		kt_buf_fmt(&hint, "%s%s", n ? ", " : "", keys->keys[n].name);
	}
	struct kt_str near = kt_str_nearest(entry->key->text, names, n);
	if (near.len)
		kt_diags_add(d, KT_DIAG_ERROR, entry->key->at, NULL,
			     "unknown key \"%.*s\" in %s; did you mean \"" KT_FMT "\"?",
			     QUOTED(entry->key->text), keys->title, KT_ARG(near));
	else
		kt_diags_add(d, KT_DIAG_ERROR, entry->key->at, kt_buf_c(&hint), "unknown key \"%.*s\" in %s",
			     QUOTED(entry->key->text), keys->title);
	entry->bad = true;
	kt_buf_free(&hint);
	return near;
}

static bool has_key(const struct kt_yaml *map, struct kt_str name)
{
	for (const struct kt_yaml *v = map->first; v; v = v->next)
		if (kt_str_eq(v->key->text, name))
			return true;
	return false;
}

static void check_one_of(struct kt_diags *d, const struct kt_keys *keys, struct kt_yaml *map)
{
	struct kt_str rest = kt_str_c(keys->one_of), name;
	unsigned found = 0;

	while (kt_str_cut(&rest, ' ', &name))
		found += has_key(map, name);
	if (found != 1)
		kt_yaml_fault(d, map, NULL, "%s needs exactly one of: %s", keys->title, keys->one_of);
}

/* Keys that are there; MEANT gets those that a misspelt one stands for. */
static void check_members(struct kt_diags *d, const struct kt_keys *keys, struct kt_yaml *map, bool *meant)
{
	for (struct kt_yaml *v = map->first; v; v = v->next) {
		const struct kt_key *key = find_key(keys, v->key->text);
		if (key)
			check_key(d, v, key);
		else
			key = find_key(keys, unknown_key(d, keys, v));
		if (key)
			meant[key - keys->keys] = true;
	}
}

void kt_keys_check(const struct kt_keys *keys, struct kt_yaml *node, struct kt_diags *d)
{
	bool meant[KEYS_MAX] = {false};

	if (node->kind != KT_YAML_MAP) {
		kt_yaml_fault(d, node, NULL, "%s must be a map of keys and values", keys->title);
		return;
	}
	check_members(d, keys, node, meant);
	for (size_t i = 0; i < keys->n; i++)
		if (keys->keys[i].required && !meant[i])
			kt_diags_add(d, KT_DIAG_ERROR, node->at, NULL, "%s needs \"%s\"", keys->title,
				     keys->keys[i].name);
	if (keys->one_of)
		check_one_of(d, keys, node);
}
