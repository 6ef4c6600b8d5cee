#include "rules/load.h"

#include "base/alloc.h"

#include "base/banned.h"

static struct kt_str trimmed(const struct kt_yaml *map, const char *key)
{
	return kt_str_trim(kt_yaml_text(kt_yaml_get(map, key)));
}

struct kt_ref kt_load_text(struct kt_load *l, const struct kt_yaml *map, const char *key)
{
	return kt_kbb_text(l->b, trimmed(map, key));
}

static size_t name_len(struct kt_str s)
{
	size_t n = 0;

	while (n < s.len && ((s.p[n] >= 'a' && s.p[n] <= 'z') || (s.p[n] >= 'A' && s.p[n] <= 'Z') ||
			     (n && s.p[n] >= '0' && s.p[n] <= '9')))
		n++;
	return n;
}

static void check_placeholders(struct kt_load *l, const struct kt_yaml *node)
{
	struct kt_str text = kt_yaml_text(node);
	size_t at = 0;

	while ((at = kt_str_chr(text, '{', at)) != KT_NPOS) {
		at++;
		struct kt_str rest = kt_str_from(text, at), name = kt_str_sub(rest, 0, name_len(rest));
		if (!name.len || name.len >= rest.len || rest.p[name.len] != '}')
			continue;
		if (kt_map_get(&l->facts.map, name) == KT_NIL)
			kt_load_unknown(l, kt_yaml_inside(node, at), "fact", name, &l->facts.map);
	}
}

struct kt_ref kt_load_prose(struct kt_load *l, const struct kt_yaml *map, const char *key)
{
	const struct kt_yaml *node = kt_yaml_get(map, key);

	if (node)
		check_placeholders(l, node);
	return kt_load_text(l, map, key);
}

struct kt_span kt_load_list(struct kt_load *l, const struct kt_yaml *map, const char *key)
{
	const struct kt_yaml *list = kt_yaml_get(map, key);
	struct kt_str *texts;
	size_t n = 0;

	if (!list)
		return (struct kt_span){0, 0};
	texts = kt_alloc_n(list->n + 1, sizeof *texts);
	for (const struct kt_yaml *v = list->first; v; v = v->next)
		if (!v->bad)
			texts[n++] = kt_str_trim(kt_yaml_text(v));
	struct kt_span span = kt_kbb_strings(l->b, texts, n);
	kt_free(texts);
	return span;
}

uint32_t kt_load_word(const struct kt_yaml *map, const char *key, const char *const *words,
		      uint32_t otherwise)
{
	return kt_word_at(words, kt_yaml_text(kt_yaml_get(map, key)), otherwise);
}

uint32_t kt_load_time(const struct kt_yaml *map, const char *key, uint32_t otherwise)
{
	uint32_t v = otherwise;

	return kt_value_time(kt_yaml_text(kt_yaml_get(map, key)), &v) ? v : otherwise;
}

uint32_t kt_load_share(const struct kt_yaml *map, const char *key, uint32_t otherwise)
{
	uint32_t v = otherwise;

	return kt_value_share(kt_yaml_text(kt_yaml_get(map, key)), &v) ? v : otherwise;
}

bool kt_load_flag(const struct kt_yaml *map, const char *key)
{
	return kt_str_eq_c(kt_yaml_text(kt_yaml_get(map, key)), "true");
}

uint32_t kt_load_digit(const struct kt_yaml *map, const char *key)
{
	uint64_t v = 0;

	return kt_str_uint(kt_yaml_text(kt_yaml_get(map, key)), 9, &v) ? (uint32_t)v : 0;
}

void kt_load_unknown(struct kt_load *l, struct kt_place at, const char *what, struct kt_str word,
		     const struct kt_map *known)
{
	struct kt_str near = kt_map_nearest(known, word);

	word = kt_str_sub(word, 0, 60);
	if (near.len)
		KT_LOAD_FAULT(l, at, NULL, "unknown %s \"" KT_FMT "\"; did you mean \"" KT_FMT "\"?", what,
			      KT_ARG(word), KT_ARG(near));
	else
		KT_LOAD_FAULT(l, at, NULL, "unknown %s \"" KT_FMT "\"", what, KT_ARG(word));
}

static uint32_t find(struct kt_load *l, const struct kt_yaml *name, const struct kt_ids *ids,
		     const char *what)
{
	if (!name)
		return KT_NIL;
	uint32_t row = kt_map_get(&ids->map, name->text);
	if (row == KT_NIL)
		kt_load_unknown(l, name->at, what, name->text, &ids->map);
	return row;
}

uint32_t kt_load_fact(struct kt_load *l, const struct kt_yaml *name)
{
	return find(l, name, &l->facts, "fact");
}

uint32_t kt_load_check(struct kt_load *l, const struct kt_yaml *name)
{
	return find(l, name, &l->checks, "check");
}

bool kt_load_declare(struct kt_load *l, struct kt_ids *ids, const struct kt_yaml *at, struct kt_str id,
		     const char *what)
{
	if (!id.len)
		return false;
	uint32_t number = kt_map_add(&ids->map, l->a, id, (uint32_t)ids->n);
	if (number != ids->n) {
		struct kt_place first = ids->at[number];
		KT_LOAD_FAULT(l, at->at, NULL, "%s \"" KT_FMT "\" is given twice, first in " KT_FMT ":%u",
			      what, KT_ARG(kt_str_sub(id, 0, 60)), KT_ARG(first.src->path), first.line);
		return false;
	}
	KT_PUSH(ids->at, ids->n, ids->cap) = at->at;
	return true;
}
