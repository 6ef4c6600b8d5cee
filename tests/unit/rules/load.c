#include "rules/load.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "fixture.h"

static struct kt_diags diags;
static struct kt_buf valid;
static struct kt_rules *rules;

static void load_valid(void)
{
	rules = fixture_load(fixture_valid(&valid), &diags);
	cr_assert(rules);
}

static void unload(void)
{
	kt_rules_free(rules);
	kt_diags_free(&diags);
	kt_buf_free(&valid);
}

static const char *text(struct kt_ref r)
{
	static char copy[4][512];
	static int i;
	struct kt_str s = kt_str_sub(kt_kb_text(rules->kb, r), 0, sizeof copy[0] - 1);

	i = (i + 1) % 4;
	snprintf(copy[i], sizeof copy[i], KT_FMT, KT_ARG(s));
	return copy[i];
}

TestSuite(load, .init = load_valid, .fini = unload);

Test(load, facts_have_what_the_author_wrote)
{
	const struct kt_kb *kb = rules->kb;
	const struct kt_fact *mode = &kb->facts[kt_kb_fact(kb, KT_S("mode"))];
	const struct kt_fact *table = &kb->facts[kt_kb_fact(kb, KT_S("table"))];

	cr_assert_eq(kb->n_facts, 3);
	cr_assert(mode->type == KT_FACT_CHOICE && mode->scope == KT_SCOPE_OPERATION &&
		  mode->step == KT_STEP_CLASSIFY && mode->pin == 1);
	cr_assert_str_eq(text(mode->ask), "Which mode does the job set?");
	cr_assert_eq(mode->choices.n, 3);
	cr_assert_str_eq(text(kb->choices[mode->choices.at + 2].value), "not-set");
	cr_assert_str_eq(text(kb->defaults[mode->defaults.at].value), "Direct");
	cr_assert_eq(mode->needs, kt_kb_fact(kb, KT_S("sinkVersion")));
	cr_assert(table->cost_s == 5 && table->avail_pm == 800 && table->scope == KT_SCOPE_INCIDENT);
}

Test(load, learns_first_what_facts_say_then_what_groups_name)
{
	const struct kt_kb *kb = rules->kb;

	cr_assert_eq(kb->n_learns, 4);
	cr_assert_str_eq(text(kb->learns[1].value), "Direct");
	cr_assert_eq(kb->learns[3].fact, kt_kb_fact(kb, KT_S("table")));
	cr_assert_str_eq(text(kb->patterns[kb->learns[3].pattern].text),
			 "DemoSink: queue is full, (?<table>\\w+) waits");
}

Test(load, checks_need_the_facts_of_their_placeholders)
{
	const struct kt_kb *kb = rules->kb;
	const struct kt_check *c = &kb->checks[kt_kb_check_id(kb, KT_S("failures"))];

	cr_assert_eq(c->needs.n, 1);
	cr_assert_eq(kb->fact_refs[c->needs.at], kt_kb_fact(kb, KT_S("table")));
	cr_assert(c->retention_s == 14 * 86400 && c->cost_s == 6 && c->avail_pm == 700);
	cr_assert(kt_str_starts(kt_kb_text(kb, c->command), KT_S(".show ingestion failures\n| where")));
	const struct kt_check *scan = &kb->checks[kt_kb_check_id(kb, KT_S("scan-log"))];
	cr_assert(scan->kind == KT_CHECK_SCAN && scan->cost_s == 1 && scan->avail_pm == 900);
}

Test(load, a_gate_joins_when_and_versions)
{
	const struct kt_kb *kb = rules->kb;
	const struct kt_cause *c = &kb->causes[0];

	cr_assert_str_eq(text(c->gate_text), "mode == Queued and sinkVersion >= 1.2 and sinkVersion < 3");
	cr_assert_eq(kb->nodes[c->gate].op, KT_OP_AND);
}

struct values {
	const char *mode, *version;
};

static bool value_of(void *ctx, const struct kt_node *node, struct kt_str *value)
{
	const struct values *v = ctx;

	*value = kt_str_c(kt_str_eq_c(kt_kb_text(rules->kb, node->name), "mode") ? v->mode : v->version);
	return value->p != NULL;
}

static enum kt_tri gate(const char *mode, const char *version)
{
	struct values v = {mode, version};

	return kt_cond_eval(rules->kb, rules->kb->causes[0].gate, value_of, &v);
}

Test(load, a_gate_is_open_only_inside_all_its_parts)
{
	cr_assert_eq(gate("Queued", "1.2"), KT_TRUE);
	cr_assert_eq(gate("Queued", "2.9.9"), KT_TRUE);
	cr_assert_eq(gate("Queued", "3"), KT_FALSE);
	cr_assert_eq(gate("Queued", "1.1.9"), KT_FALSE);
	cr_assert_eq(gate("Direct", "2"), KT_FALSE);
	cr_assert_eq(gate("Direct", NULL), KT_FALSE);
	cr_assert_eq(gate("Queued", NULL), KT_UNKNOWN);
	cr_assert_eq(gate(NULL, "2"), KT_UNKNOWN);
}

Test(load, evidence_items_have_kind_weight_and_text)
{
	const struct kt_kb *kb = rules->kb;
	const struct kt_evidence *e = &kb->evidence[kb->causes[0].evidence.at];

	cr_assert_eq(kb->causes[0].evidence.n, 3);
	const struct kt_item *log = &kb->items[e[0].item], *show = &kb->items[e[1].item],
			     *ask = &kb->items[e[2].item];
	cr_assert(log->kind == KT_ITEM_LOG && log->check == kt_kb_check_id(kb, KT_S("scan-log")));
	cr_assert(show->kind == KT_ITEM_SHOW && show->mode == KT_ROWS_ANY);
	cr_assert(ask->kind == KT_ITEM_ASK && ask->fact == kt_kb_fact(kb, KT_S("table")));
	cr_assert(e[0].weight == KT_W_STRONG && e[1].absent == KT_W_ARGUES_AGAINST &&
		  e[2].absent == KT_W_NONE);
	cr_assert_str_eq(text(show->text), "any ErrorCode == 'QueueFull'");
	cr_assert_str_eq(text(e[0].note), "what the sink says");
}

Test(load, the_cause_itself)
{
	const struct kt_kb *kb = rules->kb;
	const struct kt_cause *c = &kb->causes[0];

	cr_assert_str_eq(text(c->id), "demo.queue-full");
	cr_assert_str_eq(text(c->area), "demo");
	cr_assert_str_eq(text(c->file), "packs/demo/pack.yaml");
	cr_assert_str_eq(text(c->explain),
			 "The sink puts batches into a queue that holds a hundred of them.");
	cr_assert_eq(c->line, 52);
	cr_assert(c->prior == KT_PRIOR_COMMON && c->rerun == KT_RERUN_SAFE && !c->carrier);
	const struct kt_item *verify = &kb->items[c->verify_item];
	cr_assert(verify->mode == KT_ROWS_COUNT && kt_str_eq_c(kt_kb_text(kb, verify->text), "rows == 0"));
	cr_assert_str_eq(text(kb->nodes[verify->cond].name), "rows");
}

Test(load, literals_come_from_the_hook)
{
	const struct kt_kb *kb = rules->kb;
	const struct kt_pattern *p =
		&kb->patterns[kb->items[kb->evidence[kb->causes[0].evidence.at].item].pattern];

	cr_assert_eq(p->literals.n, 1);
	cr_assert_str_eq(text(kb->strings[p->literals.at]), "DemoSink:");
}

Test(load, head_of_the_pack)
{
	const struct kt_kb *kb = rules->kb;

	cr_assert(kb->n_packs == 1 && kb->packs[0].n_causes == 1 && kb->n_frames == 1);
	cr_assert_str_eq(text(kb->packs[0].id), "demo");
	cr_assert(kb->n_markers == 2 && kb->markers[0].role == KT_ROLE_FATAL &&
		  kb->markers[1].role == KT_ROLE_NOISE);
}

/* ---- several files ---- */

#define HEAD "pack: p\nversion: 1\ntitle: t\n"
#define CAUSE(id, evidence)                                                                                \
	"  - id: " id "\n    title: t\n    evidence:\n" evidence                                           \
	"    explain: e\n    fix: {text: f}\n    rerun: {verdict: unsafe, reason: r}\n    verify: {text: " \
	"v}\n    refs: [r]\n"

static struct kt_rules *load_texts(const struct kt_rules_text *texts, size_t n, struct kt_diags *d)
{
	struct kt_rules *r;
	struct kt_err err = {0};

	return kt_rules_load_texts(texts, n, NULL, &r, d, &err) < 0 ? NULL : r;
}

Test(files, may_name_what_stands_in_later_ones)
{
	struct kt_rules_text texts[] = {
		{KT_S("packs/a/causes.yaml"),
		 KT_S("causes:\n" CAUSE("x.one", "      - {ask: size == big, weight: strong}\n"))},
		{KT_S("packs/a/pack.yaml"), KT_S(HEAD)},
		{KT_S("packs/b/facts.yaml"), KT_S("facts: {size: {type: string, ask: How big?}}\n")},
		{KT_S("packs/b/pack.yaml"),
		 KT_S("pack: q\nversion: 1\ntitle: t\ncauses:\n" CAUSE(
			 "x.two", "      - {ask: 'size==''big''', weight: hints}\n"))},
	};
	struct kt_diags d = {0};
	struct kt_rules *r = load_texts(texts, 4, &d);

	cr_assert(r && r->kb->n_packs == 2 && r->kb->n_causes == 2);
	cr_assert(r->kb->packs[0].n_causes == 1 && r->kb->causes[1].pack == 1);
	cr_assert_eq(r->kb->n_items, 1, "equal conditions are one item");
	cr_assert_eq(r->kb->evidence[0].item, r->kb->evidence[1].item);
	kt_rules_free(r);
	kt_diags_free(&d);
}

Test(files, ids_are_unique_over_all_and_errors_of_all_come_together)
{
	struct kt_rules_text texts[] = {
		{KT_S("packs/a/pack.yaml"),
		 KT_S(HEAD "facts: {size: {type: string, ask: How big?}}\nfoo: 1\n")},
		{KT_S("packs/a/second.yaml"), KT_S("facts: {size: {type: strin, ask: How big?}}\npack: x\n")},
		{KT_S("packs/b/alone.yaml"),
		 KT_S("options: [{id: a, scope: read}, {id: a, scope: write}]\n")},
	};
	struct kt_diags d = {0};
	struct kt_buf out = KT_BUF(1 << 16);

	cr_assert(!load_texts(texts, 3, &d));
	kt_diags_format(&d, &out);
	struct kt_str said = kt_buf_view(&out);
	const char *const want[] = {
		"packs/a/pack.yaml:5:1: error: unknown key \"foo\" in pack.yaml",
		"packs/a/second.yaml:1:9: error: fact \"size\" is given twice, first in packs/a/pack.yaml:4",
		"packs/a/second.yaml:1:22: error: \"strin\" is no value of \"type\"; did you mean "
		"\"string\"?",
		"packs/a/second.yaml:2:1: error: unknown key \"pack\" in a rule file",
		"packs/b/alone.yaml: error: no pack.yaml beside this file",
		"packs/b/alone.yaml:1:38: error: option \"a\" is given twice, first in packs/b/alone.yaml:1",
	};
	size_t pos = 0;
	for (size_t i = 0; i < KT_LEN(want); i++) {
		pos = kt_str_find(said, kt_str_c(want[i]), pos);
		cr_assert(pos != KT_NPOS, "missing or out of order: %s\n%s", want[i], kt_buf_c(&out));
	}
	cr_assert_eq(d.n_errors, KT_LEN(want));
	kt_diags_free(&d);
	kt_buf_free(&out);
}

Test(files, two_packs_of_one_id_are_refused_with_both_places)
{
	struct kt_rules_text texts[] = {{KT_S("packs/a/pack.yaml"), KT_S(HEAD)},
					{KT_S("packs/b/pack.yaml"), KT_S(HEAD)}};
	struct kt_diags d = {0};
	struct kt_buf out = KT_BUF(1 << 16);

	cr_assert(!load_texts(texts, 2, &d));
	kt_diags_format(&d, &out);
	cr_assert(kt_str_find(kt_buf_view(&out), KT_S("is given twice, first in packs/a/pack.yaml:1"), 0) !=
			  KT_NPOS,
		  "%s", kt_buf_c(&out));
	cr_assert_eq(d.n_errors, 1);
	kt_diags_free(&d);
	kt_buf_free(&out);
}

Test(files, bool_facts_have_their_two_values)
{
	struct kt_rules_text texts[] = {
		{KT_S("packs/a/pack.yaml"),
		 KT_S(HEAD "facts: {on: {type: bool, ask: On?, choices: {not-set: no}}}\n")}};
	struct kt_diags d = {0};
	struct kt_rules *r = load_texts(texts, 1, &d);

	cr_assert(r && r->kb->n_choices == 3);
	cr_assert(kt_str_eq_c(kt_kb_text(r->kb, r->kb->choices[0].value), "true"));
	cr_assert(kt_str_eq_c(kt_kb_text(r->kb, r->kb->choices[2].value), "not-set"));
	kt_rules_free(r);
	kt_diags_free(&d);
}

/* ---- the tables of words ---- */

Test(words, weights_mean_what_they_say)
{
	for (uint32_t i = 0; kt_words_weight[i]; i++)
		cr_assert_str_eq(kt_words_weight[i], kt_weight_word((enum kt_weight)(i + 1)));
	for (uint32_t i = 0; kt_words_rerun[i]; i++)
		cr_assert_str_eq(kt_words_rerun[i], kt_rerun_word((enum kt_rerun)(i + 1)));
}

static void count_keys(const struct kt_keys *keys)
{
	cr_assert(keys->n <= 32, "%s", keys->id);
	for (size_t i = 0; i < keys->n; i++) {
		cr_assert(keys->keys[i].doc, "%s has no doc", keys->keys[i].name);
		if (keys->keys[i].sub)
			count_keys(keys->keys[i].sub);
	}
}

Test(words, sections_are_small_and_every_key_says_what_it_is_for)
{
	count_keys(&kt_keys_pack);
	count_keys(&kt_keys_expect);
}

Test(words, times_and_shares)
{
	uint32_t v;

	cr_assert(kt_value_time(KT_S("8s"), &v) && v == 8);
	cr_assert(kt_value_time(KT_S("14d"), &v) && v == 14 * 86400);
	cr_assert(!kt_value_time(KT_S("8"), &v) && !kt_value_time(KT_S("s"), &v) &&
		  !kt_value_time(KT_S(""), &v));
	cr_assert(!kt_value_time(KT_S("99999999d"), &v));
	cr_assert(kt_value_share(KT_S("0.85"), &v) && v == 850);
	cr_assert(kt_value_share(KT_S("1"), &v) && v == 1000);
	cr_assert(kt_value_share(KT_S("0.005"), &v) && v == 5);
	cr_assert(!kt_value_share(KT_S("1.1"), &v) && !kt_value_share(KT_S("0."), &v) &&
		  !kt_value_share(KT_S(".5"), &v));
}

Test(words, groups_of_a_regex)
{
	static const struct {
		const char *regex, *names;
	} rows[] = {
		{"(?<a>x)(?P<b>y)(?'c'z)", "a b c "},
		{"\\(?<a>x)", ""},
		{"[(?<a>x)]", ""},
		{"[]](?<a>x)", "a "},
		{"[^]](?<a>x)", "a "},
		{"[[:alpha:]](?<a>x)", "a "},
		{"[\\]](?<a>x)", "a "},
		{"\\Q(?<a>\\E(?<b>x)", "b "},
		{"(?<=a)(?<!b)(?:c)(?>d)", ""},
		{"(?<a", ""},
		{"[", ""},
		{"\\", ""},
	};

	for (size_t i = 0; i < KT_LEN(rows); i++) {
		struct kt_buf names = KT_BUF(100);
		struct kt_str name;
		size_t pos = 0;
		while (kt_regex_group(kt_str_c(rows[i].regex), &pos, &name))
			kt_buf_fmt(&names, KT_FMT " ", KT_ARG(name));
		cr_assert_str_eq(kt_buf_c(&names), rows[i].names, "%s", rows[i].regex);
		kt_buf_free(&names);
	}
}
