#include "rules/load.h"

#include "base/alloc.h"

#include "base/banned.h"

/* ---- predicates over a result ---- */

static const struct {
	const char *key;
	enum kt_rows_mode mode;
} modes[] = {
	{"any", KT_ROWS_ANY},
	{"all", KT_ROWS_ALL},
	{"none", KT_ROWS_NONE},
	{"rows", KT_ROWS_COUNT},
};

static bool has_key(const struct kt_yaml *map, const char *key)
{
	for (const struct kt_yaml *v = map->first; v; v = v->next)
		if (kt_str_eq_c(v->key->text, key))
			return true;
	return false;
}

/* The one predicate of MAP as row of modes; KT_LEN(modes) with an error. */
static size_t mode_of(struct kt_load *l, const struct kt_yaml *map)
{
	size_t found = KT_LEN(modes), n = 0;

	for (size_t i = 0; i < KT_LEN(modes); i++) {
		if (!has_key(map, modes[i].key))
			continue;
		found = i;
		n++;
	}
	if (n == 1)
		return found;
	KT_LOAD_FAULT(l, map->at, NULL, "show needs exactly one of: any all none rows");
	return KT_LEN(modes);
}

uint32_t kt_load_show(struct kt_load *l, const struct kt_yaml *map)
{
	struct kt_item item = {.kind = KT_ITEM_SHOW, .pattern = KT_NIL, .fact = KT_NIL, .cond = KT_NIL};
	size_t i = mode_of(l, map);

	item.check = kt_load_check(l, kt_yaml_get(map, "show"));
	if (item.check == KT_NIL || i == KT_LEN(modes))
		return KT_NIL;
	if (kt_kbb_at_checks(l->b, item.check)->kind == KT_CHECK_SCAN) {
		KT_LOAD_FAULT(l, kt_yaml_get(map, "show")->at, NULL, "a check of kind scan has no result");
		return KT_NIL;
	}
	const struct kt_yaml *cond = kt_yaml_get(map, modes[i].key);
	item.mode = modes[i].mode;
	item.cond = item.mode == KT_ROWS_COUNT ? kt_load_rows(l, cond) : kt_load_columns(l, cond, item.check);
	if (item.cond == KT_NIL)
		return KT_NIL;
	struct kt_str text = kt_arena_fmt(l->a, "%s " KT_FMT, modes[i].key, KT_ARG(kt_str_trim(cond->text)));
	item.text = kt_kbb_text(l->b, text);
	return kt_kbb_item(l->b, &item);
}

static void refuse_predicates(struct kt_load *l, const struct kt_yaml *map)
{
	for (const struct kt_yaml *v = map->first; v; v = v->next)
		for (size_t i = 0; i < KT_LEN(modes); i++)
			if (kt_str_eq_c(v->key->text, modes[i].key))
				KT_LOAD_FAULT(l, v->key->at, NULL, "\"%s\" goes with show", modes[i].key);
}

/* ---- evidence ---- */

static uint32_t load_log(struct kt_load *l, const struct kt_yaml *regex)
{
	struct kt_item item = {.kind = KT_ITEM_LOG, .check = l->scan, .fact = KT_NIL, .cond = KT_NIL};

	item.pattern = kt_load_pattern(l, regex);
	if (item.pattern == KT_NIL)
		return KT_NIL;
	item.text = kt_kbb_text(l->b, regex->text);
	return kt_kbb_item(l->b, &item);
}

struct one_fact {
	uint32_t fact;
	bool several;
};

static void see_fact(void *ctx, const struct kt_node *leaf)
{
	struct one_fact *one = ctx;

	one->several = one->several || (one->fact != KT_NIL && one->fact != leaf->fact);
	one->fact = leaf->fact;
}

static uint32_t load_ask(struct kt_load *l, const struct kt_yaml *cond)
{
	struct kt_item item = {.kind = KT_ITEM_ASK, .pattern = KT_NIL, .check = KT_NIL};
	struct one_fact one = {.fact = KT_NIL};

	item.cond = kt_load_cond(l, cond);
	if (item.cond == KT_NIL)
		return KT_NIL;
	kt_cond_walk(kt_kbb_kb(l->b), item.cond, see_fact, &one);
	if (one.several) {
		KT_LOAD_FAULT(l, cond->at, "one item for each fact, or a gate (when:)",
			      "ask is about exactly one fact");
		return KT_NIL;
	}
	item.fact = one.fact;
	item.text = kt_kbb_text(l->b, kt_str_trim(cond->text));
	return kt_kbb_item(l->b, &item);
}

static uint32_t load_item(struct kt_load *l, const struct kt_yaml *y)
{
	if (has_key(y, "show"))
		return kt_load_show(l, y);
	refuse_predicates(l, y);
	if (has_key(y, "log"))
		return load_log(l, kt_yaml_get(y, "log"));
	return load_ask(l, kt_yaml_get(y, "ask"));
}

/* The words of weights stand in the order of enum kt_weight behind "none". */
static uint32_t load_weight(const struct kt_yaml *y, const char *key)
{
	uint32_t at = kt_load_word(y, key, kt_words_weight, KT_NIL);

	return at == KT_NIL ? KT_W_NONE : at + 1;
}

struct items {
	struct kt_evidence *at;
	size_t n, cap;
};

static void load_evidence(struct kt_load *l, const struct kt_yaml *y, struct items *out)
{
	struct kt_evidence row = {
		.weight = load_weight(y, "weight"),
		.absent = load_weight(y, "absent"),
		.group = kt_load_text(l, y, "group"),
		.note = kt_load_text(l, y, "note"),
	};

	row.item = load_item(l, y);
	if (row.item == KT_NIL)
		return;
	for (size_t i = 0; i < out->n; i++)
		if (out->at[i].item == row.item) {
			KT_LOAD_FAULT(l, y->at, NULL, "this evidence item stands in the cause already");
			return;
		}
	KT_PUSH(out->at, out->n, out->cap) = row;
}

static struct kt_span load_all_evidence(struct kt_load *l, const struct kt_yaml *cause)
{
	const struct kt_yaml *list = kt_yaml_get(cause, "evidence");
	struct items items = {0};

	for (const struct kt_yaml *v = list ? list->first : NULL; v; v = v->next)
		if (!v->bad)
			load_evidence(l, v, &items);
	struct kt_span span = {kt_kbb_kb(l->b)->n_evidence, (uint32_t)items.n};
	for (size_t i = 0; i < items.n; i++)
		kt_kbb_add_evidence(l->b, &items.at[i]);
	kt_free(items.at);
	return span;
}

/* ---- the cause ---- */

static uint32_t load_verify(struct kt_load *l, const struct kt_yaml *verify)
{
	if (!verify)
		return KT_NIL;
	if (has_key(verify, "show"))
		return kt_load_show(l, verify);
	refuse_predicates(l, verify);
	return KT_NIL;
}

static struct kt_str area_of(struct kt_load *l, const struct kt_yaml *id)
{
	struct kt_str rest = kt_yaml_text(id), area = KT_NONE;

	if (id && (!kt_str_cut(&rest, '.', &area) || !rest.p))
		KT_LOAD_FAULT(l, id->at, NULL, "a cause's id is area.name");
	return area;
}

static void load_texts(struct kt_load *l, const struct kt_yaml *y, struct kt_cause *row)
{
	const struct kt_yaml *fix = kt_yaml_get(y, "fix"), *rerun = kt_yaml_get(y, "rerun");

	row->title = kt_load_text(l, y, "title");
	row->explain = kt_load_prose(l, y, "explain");
	row->fix_id = kt_load_text(l, fix, "id");
	row->fix_text = kt_load_prose(l, fix, "text");
	row->tradeoff = kt_load_prose(l, y, "tradeoff");
	row->rerun = 1 + kt_load_word(rerun, "verdict", kt_words_rerun, KT_RERUN_UNKNOWN - 1u);
	row->rerun_reason = kt_load_prose(l, rerun, "reason");
	row->verify_text = kt_load_prose(l, kt_yaml_get(y, "verify"), "text");
	row->would_confirm = kt_load_prose(l, y, "would-confirm");
	row->refs = kt_load_list(l, y, "refs");
	row->look_alikes = kt_load_list(l, y, "look-alikes");
	row->twins = kt_load_list(l, y, "twins");
	row->seeds = kt_load_list(l, y, "seed");
}

static void load_cause(struct kt_load *l, const struct kt_yaml *y, uint32_t pack)
{
	const struct kt_yaml *id = kt_yaml_get(y, "id");
	struct kt_cause row = {.pack = pack, .line = y->at.line};

	row.id = kt_load_text(l, y, "id");
	row.area = kt_kbb_text(l->b, area_of(l, id));
	row.file = kt_kbb_text(l->b, y->at.src->name);
	row.prior = kt_load_word(y, "prior", kt_words_prior, KT_PRIOR_UNCOMMON);
	row.carrier = kt_load_flag(y, "carrier");
	row.gate = kt_load_gate(l, y, &row.gate_text);
	load_texts(l, y, &row);
	row.verify_item = load_verify(l, kt_yaml_get(y, "verify"));
	row.evidence = load_all_evidence(l, y);
	if (id && !kt_load_declare(l, &l->causes, id, id->text, "cause"))
		return;
	kt_kbb_add_causes(l->b, &row);
	kt_kbb_at_packs(l->b, pack)->n_causes++;
}

void kt_load_causes(struct kt_load *l, const struct kt_yaml *root, uint32_t pack)
{
	const struct kt_yaml *causes = kt_yaml_get(root, "causes");

	for (const struct kt_yaml *c = causes ? causes->first : NULL; c; c = c->next)
		if (!c->bad && c->kind == KT_YAML_MAP)
			load_cause(l, c, pack);
}
