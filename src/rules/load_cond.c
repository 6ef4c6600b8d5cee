#include "rules/load.h"

#include "base/banned.h"

struct names {
	struct kt_load *l;
	struct kt_str unknown; /* a name that is no fact; p NULL: none */
};

static uint32_t fact_of(void *ctx, struct kt_str name)
{
	struct names *n = ctx;
	uint32_t row = kt_map_get(&n->l->facts.map, name);

	if (row == KT_NIL)
		n->unknown = name;
	return row;
}

/* What is looked at in each comparison of a condition. */
struct walk {
	struct kt_load *l;
	const struct kt_yaml *cond;
	uint32_t check; /* columns of this one; KT_NIL: facts */
};

/* Where a name or value of the condition stands; its beginning when it is not found. */
static struct kt_place place_of_word(const struct kt_yaml *cond, struct kt_str name, struct kt_str word)
{
	size_t from = kt_str_find(cond->text, name, 0);
	size_t at = kt_str_find(cond->text, word, from == KT_NPOS ? 0 : from);

	return kt_yaml_inside(cond, at == KT_NPOS ? 0 : at);
}

static bool is_order(uint32_t op)
{
	return op == KT_OP_LT || op == KT_OP_LE || op == KT_OP_GT || op == KT_OP_GE;
}

static struct kt_str nearest_choice(const struct kt_kb *kb, const struct kt_fact *f, struct kt_str value)
{
	struct kt_str words[64];
	size_t n = 0;

	for (uint32_t i = 0; i < f->choices.n && n < KT_LEN(words); i++)
		words[n++] = kt_kb_text(kb, kb->choices[f->choices.at + i].value);
	return kt_str_nearest(value, words, n);
}

static bool is_choice(const struct kt_kb *kb, const struct kt_fact *f, struct kt_str value)
{
	for (uint32_t i = 0; i < f->choices.n; i++)
		if (kt_str_eq(value, kt_kb_text(kb, kb->choices[f->choices.at + i].value)))
			return true;
	return false;
}

static bool is_span(struct kt_str value)
{
	struct kt_str lo, hi;
	int c;

	return kt_version_span(value, &lo, &hi) && kt_version_cmp(lo, hi, &c) && c <= 0;
}

bool kt_load_value_ok(struct kt_load *l, uint32_t fact, struct kt_str value, struct kt_place at)
{
	const struct kt_kb *kb = kt_kbb_kb(l->b);
	const struct kt_fact *f = &kb->facts[fact];
	struct kt_str id = kt_kb_text(kb, f->id), shown = kt_str_sub(value, 0, 60);
	int order;

	if (f->type == KT_FACT_BOOL && !kt_str_eq_c(value, "true") && !kt_str_eq_c(value, "false") &&
	    !is_choice(kb, f, value)) {
		KT_LOAD_FAULT(l, at, NULL, "\"" KT_FMT "\" is no value of " KT_FMT ": true or false",
			      KT_ARG(shown), KT_ARG(id));
		return false;
	}
	if (f->type == KT_FACT_NUMBER && !kt_version_cmp(value, value, &order) && !is_choice(kb, f, value)) {
		KT_LOAD_FAULT(l, at, NULL, "\"" KT_FMT "\" is no number, as " KT_FMT " is", KT_ARG(shown),
			      KT_ARG(id));
		return false;
	}
	if (f->type == KT_FACT_VERSION && kt_version_is_span(value) && !is_span(value)) {
		KT_LOAD_FAULT(l, at, "bounds are dotted numbers, the smaller first: 5.2.8..5.3.3",
			      "\"" KT_FMT "\" is no span of versions", KT_ARG(shown));
		return false;
	}
	/* Without choices there was an error already. */
	if (f->type != KT_FACT_CHOICE || !f->choices.n || is_choice(kb, f, value))
		return true;
	struct kt_str near = nearest_choice(kb, f, value);
	if (near.len)
		KT_LOAD_FAULT(l, at, NULL,
			      "\"" KT_FMT "\" is no choice of " KT_FMT "; did you mean \"" KT_FMT "\"?",
			      KT_ARG(shown), KT_ARG(id), KT_ARG(near));
	else
		KT_LOAD_FAULT(l, at, NULL, "\"" KT_FMT "\" is no choice of " KT_FMT, KT_ARG(shown),
			      KT_ARG(id));
	return false;
}

static bool orders(enum kt_fact_type t)
{
	return t == KT_FACT_NUMBER || t == KT_FACT_VERSION || t == KT_FACT_DURATION;
}

static void check_fact_leaf(struct walk *w, const struct kt_node *leaf)
{
	const struct kt_kb *kb = kt_kbb_kb(w->l->b);
	struct kt_str name = kt_kb_text(kb, leaf->name);
	int order;

	if (is_order(leaf->op) && !orders((enum kt_fact_type)kb->facts[leaf->fact].type)) {
		KT_LOAD_FAULT(w->l, place_of_word(w->cond, name, name), NULL,
			      KT_FMT " has no order: only == != in", KT_ARG(name));
		return;
	}
	for (uint32_t i = 0; i < leaf->values.n; i++) {
		struct kt_str value = kt_kb_text(kb, kb->strings[leaf->values.at + i]);
		struct kt_place at = place_of_word(w->cond, name, value);
		if (is_order(leaf->op) && !kt_version_cmp(value, value, &order))
			KT_LOAD_FAULT(w->l, at,
				      "an order is known between dotted numbers only; durations are seconds",
				      "\"" KT_FMT "\" is no number", KT_ARG(kt_str_sub(value, 0, 60)));
		else
			kt_load_value_ok(w->l, leaf->fact, value, at);
	}
}

static void check_column_leaf(struct walk *w, const struct kt_node *leaf)
{
	const struct kt_kb *kb = kt_kbb_kb(w->l->b);
	struct kt_span columns = kb->checks[w->check].columns;
	struct kt_str name = kt_kb_text(kb, leaf->name), words[64];
	size_t n = 0;

	for (uint32_t i = 0; i < columns.n && n < KT_LEN(words); i++) {
		words[n] = kt_kb_text(kb, kb->strings[columns.at + i]);
		if (kt_str_eq(words[n++], name))
			return;
	}
	struct kt_str near = kt_str_nearest(name, words, n), id = kt_kb_text(kb, kb->checks[w->check].id);
	struct kt_place at = place_of_word(w->cond, name, name);
	if (near.len)
		KT_LOAD_FAULT(w->l, at, NULL,
			      "no column \"" KT_FMT "\" in check " KT_FMT "; did you mean \"" KT_FMT "\"?",
			      KT_ARG(kt_str_sub(name, 0, 60)), KT_ARG(id), KT_ARG(near));
	else
		KT_LOAD_FAULT(w->l, at, "a check's columns: lists those that predicates use",
			      "no column \"" KT_FMT "\" in check " KT_FMT, KT_ARG(kt_str_sub(name, 0, 60)),
			      KT_ARG(id));
}

static void check_leaf(void *ctx, const struct kt_node *leaf)
{
	struct walk *w = ctx;

	if (w->check != KT_NIL)
		check_column_leaf(w, leaf);
	else
		check_fact_leaf(w, leaf);
}

static uint32_t parse(struct kt_load *l, const struct kt_yaml *cond, kt_cond_name_fn fn)
{
	struct names names = {.l = l};
	struct kt_err err = {0};
	uint32_t node = KT_NIL;
	size_t at = 0;

	if (kt_cond_parse(l->b, cond->text, fn, &names, &node, &at, &err) == 0)
		return node;
	if (names.unknown.p)
		kt_load_unknown(l, kt_yaml_inside(cond, at), "fact", names.unknown, &l->facts.map);
	else
		KT_LOAD_FAULT(l, kt_yaml_inside(cond, at), NULL, "%s", err.text);
	return KT_NIL;
}

static uint32_t load(struct kt_load *l, const struct kt_yaml *cond, uint32_t check)
{
	if (!cond || cond->bad)
		return KT_NIL;
	uint32_t node = parse(l, cond, check == KT_NIL ? fact_of : NULL);
	struct walk w = {l, cond, check};
	kt_cond_walk(kt_kbb_kb(l->b), node, check_leaf, &w);
	return node;
}

uint32_t kt_load_cond(struct kt_load *l, const struct kt_yaml *cond)
{
	return load(l, cond, KT_NIL);
}

uint32_t kt_load_columns(struct kt_load *l, const struct kt_yaml *cond, uint32_t check)
{
	return load(l, cond, check);
}

uint32_t kt_load_names(struct kt_load *l, const struct kt_yaml *cond)
{
	return cond && !cond->bad ? parse(l, cond, NULL) : KT_NIL;
}

/* Adds "NAME OP VERSION and …" for the parts of a range that has the right form. */
static void range_text(struct kt_buf *out, struct kt_str name, struct kt_str range)
{
	struct kt_str rest = range, part;
	const char *sep = "";

	while (kt_str_cut(&rest, ',', &part)) {
		part = kt_str_trim(part);
		size_t op = 0;
		while (op < part.len && (part.p[op] < '0' || part.p[op] > '9') && part.p[op] != ' ')
			op++;
		struct kt_str version = kt_str_trim(kt_str_from(part, op));
		kt_buf_fmt(out, "%s" KT_FMT " " KT_FMT " " KT_FMT, sep, KT_ARG(name),
			   KT_ARG(kt_str_sub(part, 0, op)), KT_ARG(version));
		sep = " and ";
	}
}

static uint32_t parse_text(struct kt_load *l, struct kt_str text, kt_cond_name_fn fn, struct kt_place at)
{
	struct names names = {.l = l};
	struct kt_err err = {0};
	uint32_t node = KT_NIL;
	size_t pos = 0;

	if (kt_cond_parse(l->b, text, fn, &names, &node, &pos, &err) == 0)
		return node;
	KT_LOAD_FAULT(l, at, NULL, "%s", err.text);
	return KT_NIL;
}

uint32_t kt_load_rows(struct kt_load *l, const struct kt_yaml *rows)
{
	struct kt_buf text = KT_BUF(KT_BUF_NAME);

	if (!rows || rows->bad)
		return KT_NIL;
	range_text(&text, KT_S("rows"), rows->text);
	uint32_t node = parse_text(l, kt_buf_view(&text), NULL, rows->at);
	kt_buf_free(&text);
	return node;
}

static bool program_version(void *ctx, const struct kt_node *node, struct kt_str *value)
{
	(void)node;
	*value = *(struct kt_str *)ctx;
	return true;
}

bool kt_load_in_range(struct kt_str range, struct kt_str value)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_buf text = KT_BUF(KT_BUF_NAME);
	uint32_t node;
	size_t at;

	range_text(&text, KT_S("version"), range);
	bool in = kt_cond_parse(b, kt_buf_view(&text), NULL, NULL, &node, &at, NULL) == 0 &&
		  kt_cond_eval(kt_kbb_kb(b), node, program_version, &value) == KT_TRUE;
	kt_buf_free(&text);
	kt_kbb_free(b);
	return in;
}

/* The fact that a key of versions: is about. */
static uint32_t version_fact(struct kt_load *l, const struct kt_yaml *key)
{
	struct kt_str longer = kt_arena_fmt(l->a, KT_FMT "Version", KT_ARG(key->text));
	uint32_t row = kt_map_get(&l->facts.map, key->text);

	if (row == KT_NIL)
		row = kt_map_get(&l->facts.map, longer);
	if (row == KT_NIL) {
		bool near = kt_map_nearest(&l->facts.map, key->text).len > 0;
		kt_load_unknown(l, key->at, "fact", near ? key->text : longer, &l->facts.map);
	} else if (kt_kbb_at_facts(l->b, row)->type != KT_FACT_VERSION) {
		KT_LOAD_FAULT(l, key->at, NULL, KT_FMT " is no fact of type version", KT_ARG(key->text));
		row = KT_NIL;
	}
	return row;
}

static void add_versions(struct kt_load *l, const struct kt_yaml *cause, struct kt_buf *out)
{
	const struct kt_yaml *versions = kt_yaml_get(cause, "versions");

	for (const struct kt_yaml *v = versions ? versions->first : NULL; v; v = v->next) {
		uint32_t fact = v->bad ? KT_NIL : version_fact(l, v->key);
		if (fact == KT_NIL)
			continue;
		struct kt_str id = kt_kb_text(kt_kbb_kb(l->b), kt_kbb_at_facts(l->b, fact)->id);
		kt_buf_str(out, out->len ? " and " : "");
		range_text(out, id, v->text);
	}
}

/* The text of the whole gate is a condition itself; equal parts are equal nodes. */
uint32_t kt_load_gate(struct kt_load *l, const struct kt_yaml *cause, struct kt_ref *text)
{
	const struct kt_yaml *when = kt_yaml_get(cause, "when"), *unless = kt_yaml_get(cause, "unless");
	struct kt_buf out = KT_BUF(KT_BUF_NAME);
	uint32_t when_node = kt_load_cond(l, when), unless_node = kt_load_cond(l, unless);
	uint32_t node = KT_NIL;
	bool alone = !unless && !kt_yaml_get(cause, "versions");

	if (when_node != KT_NIL) {
		struct kt_str t = kt_str_trim(when->text);
		bool bare = alone || kt_kbb_at_nodes(l->b, when_node)->op != KT_OP_OR;
		kt_buf_fmt(&out, bare ? KT_FMT : "(" KT_FMT ")", KT_ARG(t));
	}
	if (unless_node != KT_NIL)
		kt_buf_fmt(&out, "%snot (" KT_FMT ")", out.len ? " and " : "",
			   KT_ARG(kt_str_trim(unless->text)));
	add_versions(l, cause, &out);
	if (out.full)
		KT_LOAD_FAULT(l, cause->at, NULL, "the gate is too long");
	else if (out.len)
		node = parse_text(l, kt_buf_view(&out), fact_of, cause->at);
	*text = kt_kbb_text(l->b, kt_buf_view(&out));
	kt_buf_free(&out);
	return node;
}
