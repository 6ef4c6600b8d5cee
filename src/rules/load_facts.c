#include "rules/load.h"

#include "base/alloc.h"

#include "base/banned.h"

#define ASK_COST_S   10
#define ASK_AVAIL_PM 800

/* ---- declared ---- */

struct choices {
	struct kt_choice *at;
	size_t n, cap;
};

static void add_choice(struct kt_load *l, struct choices *c, struct kt_str value, struct kt_str text)
{
	KT_PUSH(c->at, c->n, c->cap) = (struct kt_choice){kt_kbb_text(l->b, value), kt_kbb_text(l->b, text)};
}

static bool has_choice(const struct kt_yaml *choices, const char *value)
{
	return kt_yaml_get(choices, value) != NULL;
}

static struct kt_span declare_choices(struct kt_load *l, const struct kt_yaml *fact, uint32_t type)
{
	const struct kt_yaml *given = kt_yaml_get(fact, "choices");
	struct choices c = {0};
	struct kt_span span = {kt_kbb_kb(l->b)->n_choices, 0};

	if (type == KT_FACT_BOOL && !has_choice(given, "true"))
		add_choice(l, &c, KT_S("true"), KT_NONE);
	if (type == KT_FACT_BOOL && !has_choice(given, "false"))
		add_choice(l, &c, KT_S("false"), KT_NONE);
	for (const struct kt_yaml *v = given ? given->first : NULL; v; v = v->next)
		if (!v->bad)
			add_choice(l, &c, v->key->text, kt_str_trim(v->text));
	for (size_t i = 0; i < c.n; i++)
		kt_kbb_add_choices(l->b, &c.at[i]);
	span.n = (uint32_t)c.n;
	kt_free(c.at);
	return span.n ? span : (struct kt_span){0, 0};
}

static void declare_fact(struct kt_load *l, const struct kt_yaml *fact)
{
	struct kt_fact row = {.when = KT_NIL, .needs = KT_NIL};

	if (!kt_load_declare(l, &l->facts, fact->key, fact->key->text, "fact"))
		return;
	row.id = kt_kbb_text(l->b, fact->key->text);
	row.type = kt_load_word(fact, "type", kt_words_fact_type, KT_FACT_STRING);
	row.order = l->order++;
	row.choices = declare_choices(l, fact, row.type);
	kt_kbb_add_facts(l->b, &row);
	if (row.type == KT_FACT_CHOICE && !row.choices.n)
		KT_LOAD_FAULT(l, fact->key->at, NULL, "a fact of type choice needs \"choices\"");
}

void kt_load_declare_facts(struct kt_load *l, const struct kt_yaml *root)
{
	const struct kt_yaml *facts = kt_yaml_get(root, "facts");

	for (const struct kt_yaml *f = facts ? facts->first : NULL; f; f = f->next)
		if (!f->key->bad)
			declare_fact(l, f);
}

/* ---- built ---- */

static void check_value(struct kt_load *l, uint32_t fact, const struct kt_yaml *value)
{
	if (value)
		kt_load_value_ok(l, fact, kt_str_trim(value->text), value->at);
}

static bool has_group(struct kt_str regex, struct kt_str fact)
{
	struct kt_str name;
	size_t at = 0;

	while (kt_regex_group(regex, &at, &name))
		if (kt_str_eq(name, fact))
			return true;
	return false;
}

/* A fact that the rows of a result teach. */
static void load_learn_show(struct kt_load *l, uint32_t fact, const struct kt_yaml *learn)
{
	const struct kt_yaml *value = kt_yaml_get(learn, "value");
	struct kt_learn row = {.fact = fact, .pattern = KT_NIL, .item = kt_load_show(l, learn)};

	if (!value)
		KT_LOAD_FAULT(l, kt_yaml_get(learn, "show")->at, NULL, "learning from a result needs value:");
	if (row.item == KT_NIL || !value)
		return;
	check_value(l, fact, value);
	row.value = kt_load_text(l, learn, "value");
	kt_kbb_add_learns(l->b, &row);
}

static void load_learn(struct kt_load *l, uint32_t fact, struct kt_str id, const struct kt_yaml *learn)
{
	const struct kt_yaml *log = kt_yaml_get(learn, "log"), *value = kt_yaml_get(learn, "value");
	struct kt_learn row = {.fact = fact, .pattern = KT_NIL, .item = KT_NIL};

	if (kt_yaml_get(learn, "show")) {
		load_learn_show(l, fact, learn);
		return;
	}
	row.pattern = kt_load_pattern(l, log);
	if (row.pattern == KT_NIL)
		return;
	check_value(l, fact, value);
	row.value = kt_load_text(l, learn, "value");
	if (!value && !has_group(log->text, id))
		KT_LOAD_FAULT(l, log->at, "name the group that holds the value, or give value:",
			      "the regex has no group (?<" KT_FMT ">…)", KT_ARG(id));
	kt_kbb_add_learns(l->b, &row);
}

static void add_default(struct kt_load *l, uint32_t fact, const struct kt_yaml *d, struct kt_span *span)
{
	struct kt_default row = {.when = kt_load_cond(l, kt_yaml_get(d, "when"))};

	if (d->bad)
		return;
	check_value(l, fact, kt_yaml_get(d, "value"));
	row.value = kt_load_text(l, d, "value");
	uint32_t at = kt_kbb_add_defaults(l->b, &row);
	if (!span->n)
		span->at = at;
	span->n++;
}

static struct kt_span load_defaults(struct kt_load *l, uint32_t fact, const struct kt_yaml *d)
{
	struct kt_span span = {0, 0};

	if (d && d->kind == KT_YAML_MAP)
		add_default(l, fact, d, &span);
	else
		for (const struct kt_yaml *v = d ? d->first : NULL; v; v = v->next)
			add_default(l, fact, v, &span);
	return span;
}

static uint32_t load_needs(struct kt_load *l, const struct kt_yaml *name)
{
	uint32_t row = kt_load_fact(l, name);

	if (row == KT_NIL || kt_kbb_at_facts(l->b, row)->type == KT_FACT_VERSION)
		return row;
	KT_LOAD_FAULT(l, name->at, NULL, KT_FMT " is no fact of type version", KT_ARG(name->text));
	return KT_NIL;
}

/* Fields are computed first: the row moves when its table grows. */
static void load_fact(struct kt_load *l, uint32_t fact, const struct kt_yaml *y)
{
	struct kt_fact row = *kt_kbb_at_facts(l->b, fact);
	const struct kt_yaml *learn = kt_yaml_get(y, "learn");

	row.scope = kt_load_word(y, "scope", kt_words_scope, KT_SCOPE_INCIDENT);
	row.step = kt_load_word(y, "step", kt_words_step, KT_STEP_COLLECT);
	row.clean = kt_load_word(y, "clean", kt_words_clean, KT_CLEAN_NONE);
	row.pin = kt_load_digit(y, "pin");
	row.complaint = kt_load_flag(y, "complaint");
	row.key = kt_load_digit(y, "key");
	row.ask = kt_load_text(l, y, "ask");
	row.why = kt_load_text(l, y, "why");
	row.cost_s = kt_load_time(y, "cost", ASK_COST_S);
	row.avail_pm = kt_load_share(y, "avail", ASK_AVAIL_PM);
	row.when = kt_load_cond(l, kt_yaml_get(y, "when"));
	row.needs = load_needs(l, kt_yaml_get(y, "default-needs"));
	row.defaults = load_defaults(l, fact, kt_yaml_get(y, "default"));
	*kt_kbb_at_facts(l->b, fact) = row;
	for (const struct kt_yaml *v = learn ? learn->first : NULL; v; v = v->next)
		load_learn(l, fact, y->key->text, v);
}

void kt_load_facts(struct kt_load *l, const struct kt_yaml *root)
{
	const struct kt_yaml *facts = kt_yaml_get(root, "facts");

	for (const struct kt_yaml *f = facts ? facts->first : NULL; f; f = f->next) {
		uint32_t row = kt_map_get(&l->facts.map, f->key->text);
		/* Of two with one name the first counts. */
		if (row != KT_NIL && l->facts.at[row].src == f->at.src &&
		    l->facts.at[row].line == f->key->at.line)
			load_fact(l, row, f);
	}
}

static bool is_taught(const struct kt_kb *kb, struct kt_teach t)
{
	for (uint32_t i = 0; i < kb->n_learns; i++)
		if (kb->learns[i].fact == t.fact && kb->learns[i].pattern == t.pattern &&
		    !kb->learns[i].value.len)
			return true;
	return false;
}

void kt_load_taught(struct kt_load *l)
{
	for (size_t i = 0; i < l->n_teach; i++) {
		struct kt_learn row = {
			.fact = l->teach[i].fact, .pattern = l->teach[i].pattern, .item = KT_NIL};
		if (!is_taught(kt_kbb_kb(l->b), l->teach[i]))
			kt_kbb_add_learns(l->b, &row);
	}
}
