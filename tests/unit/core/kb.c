#include <criterion/criterion.h>

#include <string.h>

#include "core/cond.h"

static uint32_t fact_zero(void *ctx, struct kt_str name)
{
	(void)ctx;
	(void)name;
	return 0;
}

static uint32_t cond_of(struct kt_kbb *b, const char *text, bool over_facts)
{
	struct kt_err err = {0};
	uint32_t node = KT_NIL;
	size_t at;

	cr_assert(kt_cond_parse(b, kt_str_c(text), over_facts ? fact_zero : NULL, NULL, &node, &at, &err) ==
			  0,
		  "%s", err.text);
	return node;
}

/* One row at least of every table that others refer to. */
static struct kt_kbb *small(void)
{
	struct kt_kbb *b = kt_kbb_new();
	struct kt_str texts[] = {KT_S("one"), KT_S("two")};
	uint32_t none = 0;

	kt_kbb_add_packs(b, &(struct kt_pack){.id = kt_kbb_text(b, KT_S("pack")), .n_causes = 1});
	kt_kbb_add_files(b, &(struct kt_datafile){kt_kbb_text(b, KT_S("guard.tsv")),
						  kt_kbb_text(b, KT_S("show\tx\n"))});
	uint32_t p = kt_kbb_pattern(b, KT_S("None\\.get"));
	kt_kbb_literals(b, p, texts, 2, true);
	kt_kbb_add_markers(b, &(struct kt_marker){KT_ROLE_FATAL, p});
	kt_kbb_add_frames(b, kt_kbb_at_strings(b, 0));
	kt_kbb_add_choices(b, &(struct kt_choice){.value = kt_kbb_text(b, KT_S("read"))});
	kt_kbb_add_defaults(b, &(struct kt_default){.when = KT_NIL});
	kt_kbb_add_facts(b, &(struct kt_fact){.id = kt_kbb_text(b, KT_S("operation")),
					      .when = KT_NIL,
					      .needs = KT_NIL,
					      .choices = {0, 1},
					      .defaults = {0, 1},
					      .avail_pm = 800});
	kt_kbb_add_learns(b, &(struct kt_learn){.fact = 0, .pattern = p, .item = KT_NIL});
	struct kt_span needs = kt_kbb_fact_refs(b, &none, 1);
	kt_kbb_add_checks(b, &(struct kt_check){.id = kt_kbb_text(b, KT_S("show-it")), .needs = needs});
	kt_kbb_add_checks(b,
			  &(struct kt_check){.id = kt_kbb_text(b, KT_S("scan-it")), .kind = KT_CHECK_SCAN});
	uint32_t gate = cond_of(b, "operation == read", true);
	uint32_t log = kt_kbb_item(b, &(struct kt_item){KT_ITEM_LOG, p, 1, KT_NIL, 0, KT_NIL, {0, 0}});
	uint32_t show = kt_kbb_item(
		b, &(struct kt_item){
			   KT_ITEM_SHOW, KT_NIL, 0, KT_NIL, 0, cond_of(b, "State == x", false), {0, 0}});
	uint32_t ask = kt_kbb_item(b, &(struct kt_item){KT_ITEM_ASK, KT_NIL, KT_NIL, 0, 0, gate, {0, 0}});
	kt_kbb_add_evidence(b, &(struct kt_evidence){.item = log, .weight = KT_W_STRONG});
	kt_kbb_add_evidence(b, &(struct kt_evidence){.item = show, .weight = KT_W_STRONG});
	kt_kbb_add_evidence(b, &(struct kt_evidence){.item = ask, .weight = KT_W_HINTS});
	kt_kbb_add_causes(b, &(struct kt_cause){.id = kt_kbb_text(b, KT_S("write.x")),
						.gate = gate,
						.verify_item = show,
						.evidence = {0, 3},
						.refs = kt_kbb_strings(b, texts, 2)});
	kt_kbb_add_options(b, &(struct kt_option){.id = kt_kbb_text(b, KT_S("opt"))});
	kt_kbb_add_notes(b, &(struct kt_note){.cond = gate, .check = 0});
	return b;
}

Test(build, equal_texts_lists_patterns_nodes_and_items_are_one_row)
{
	struct kt_kbb *b = small();
	struct kt_str list[] = {KT_S("one"), KT_S("two")};
	uint32_t n = kt_kbb_kb(b)->n_strings, nodes = kt_kbb_kb(b)->n_nodes, items = kt_kbb_kb(b)->n_items;

	struct kt_ref r = kt_kbb_text(b, KT_S("show-it")), s = kt_kbb_kb(b)->checks[0].id;
	cr_expect(r.off == s.off && r.len == s.len);
	cr_expect(kt_kbb_strings(b, list, 2).at == kt_kbb_kb(b)->causes[0].refs.at);
	cr_expect(kt_kbb_kb(b)->n_strings == n);
	cr_expect(kt_kbb_pattern(b, KT_S("None\\.get")) == 0);
	cr_expect(kt_kbb_pattern(b, KT_S("None")) == 1);
	cr_expect(cond_of(b, "operation=='read'", true) == kt_kbb_kb(b)->causes[0].gate);
	cr_expect(kt_kbb_kb(b)->n_nodes == nodes);
	struct kt_item ask = kt_kbb_kb(b)->items[2];
	ask.text = kt_kbb_text(b, KT_S("operation  ==  read"));
	cr_expect(kt_kbb_item(b, &ask) == 2);
	ask.cond = cond_of(b, "operation == write", true);
	cr_expect(kt_kbb_item(b, &ask) == items);
	kt_kbb_free(b);
}

Test(build, text_of_the_pool_may_be_added_while_the_pool_moves)
{
	struct kt_kbb *b = kt_kbb_new();

	kt_kbb_text(b, KT_S("abcdefghijklmnopqrstuvwxyz0123456789"));
	for (size_t i = 0; i < 36; i++)
		for (size_t len = 1; len + i <= 36; len++) {
			struct kt_str piece = kt_str_sub(kt_kbb_kb(b)->pool, i, len);
			struct kt_ref r = kt_kbb_text(b, piece);
			cr_assert(
				kt_str_eq(kt_kb_text(kt_kbb_kb(b), r),
					  kt_str_sub(KT_S("abcdefghijklmnopqrstuvwxyz0123456789"), i, len)));
		}
	kt_kbb_free(b);
}

Test(kb, lookups)
{
	struct kt_kbb *b = small();
	const struct kt_kb *kb = kt_kbb_kb(b);

	cr_expect(kt_kb_cause(kb, KT_S("write.x")) == 0);
	cr_expect(kt_kb_cause(kb, KT_S("write")) == KT_NIL);
	cr_expect(kt_kb_fact(kb, KT_S("operation")) == 0);
	cr_expect(kt_kb_check_id(kb, KT_S("scan-it")) == 1);
	cr_expect(kt_str_eq_c(kt_kb_file(kb, "guard.tsv"), "show\tx\n"));
	cr_expect(kt_kb_file(kb, "other.tsv").len == 0);
	cr_expect(kt_str_eq_c(kt_kb_fix(kb, 0), "write.x"));
	kt_kbb_at_causes(b, 0)->fix_id = kt_kbb_text(b, KT_S("mend"));
	cr_expect(kt_str_eq_c(kt_kb_fix(kt_kbb_kb(b), 0), "mend"));
	kt_kbb_free(b);
}

Test(kb, words)
{
	cr_expect(kt_weight_ddb(KT_W_PROVES) == 300 && kt_weight_ddb(KT_W_STRONG_AGAINST) == -200);
	cr_expect_str_eq(kt_weight_word(KT_W_HINTS_AGAINST), "hints-against");
	cr_expect(kt_prior_ddb(KT_PRIOR_COMMON) == 30 && kt_prior_ddb(KT_PRIOR_RARE) == -50);
	cr_expect_str_eq(kt_rerun_word(KT_RERUN_UNSAFE_UNTIL_CHECKED), "unsafe-until-checked");
	cr_expect_str_eq(kt_step_word(KT_STEP_COLLECT), "collect");
	cr_expect_str_eq(kt_fact_type_word(KT_FACT_VERSION), "version");
}

static void expect_bad(struct kt_kbb *b, const char *what, const char *table)
{
	struct kt_err err = {0};

	cr_expect(kt_kb_check(kt_kbb_kb(b), &err) == -1, "%s: not found", what);
	cr_expect(err.cls == KT_ERR_RULES);
	cr_expect(strstr(err.text, table) != NULL, "%s: %s", what, err.text);
	kt_kbb_free(b);
}

Test(check, a_good_base_passes)
{
	struct kt_kbb *b = small();
	struct kt_err err = {0};

	cr_expect(kt_kb_check(kt_kbb_kb(b), &err) == 0, "%s", err.text);
	kt_kbb_free(b);
	cr_expect(kt_kb_check(&(struct kt_kb){0}, &err) == 0);
}

/* One field of one row is spoilt; kt_kb_check must name the table. */
#define SPOIL_SEEN(seen, table, row, field, value)           \
	do {                                                 \
		struct kt_kbb *bad_ = small();               \
		kt_kbb_at_##table(bad_, row)->field = value; \
		expect_bad(bad_, #table "." #field, seen);   \
	} while (0)
#define SPOIL(table, row, field, value) SPOIL_SEEN(#table, table, row, field, value)

Test(check, references_outside_their_tables)
{
	SPOIL(packs, 0, title.len, 1000000);
	SPOIL(packs, 0, title.off, UINT32_MAX);
	SPOIL(packs, 0, n_causes, 2);
	SPOIL(files, 0, text.len, 1000000);
	SPOIL(strings, 1, off, 1000000);
	SPOIL(frames, 0, len, 1000000);
	SPOIL(patterns, 0, literals.n, 1000);
	SPOIL(patterns, 0, literals.at, UINT32_MAX);
	SPOIL(markers, 0, pattern, 7);
	SPOIL(facts, 0, needs, 1);
	SPOIL(facts, 0, when, 99);
	SPOIL(facts, 0, choices.n, UINT32_MAX);
	SPOIL(facts, 0, defaults.at, 2);
	SPOIL(choices, 0, text.len, 1000000);
	SPOIL(defaults, 0, when, 99);
	SPOIL(learns, 0, fact, 1);
	SPOIL(learns, 0, pattern, KT_NIL);
	SPOIL(checks, 0, needs.n, 2);
	SPOIL(checks, 1, columns.at, 5);
	SPOIL(items, 0, pattern, KT_NIL);
	SPOIL(items, 1, check, KT_NIL);
	SPOIL(items, 2, fact, 1);
	SPOIL(items, 2, cond, KT_NIL);
	SPOIL(evidence, 0, item, 3);
	SPOIL(evidence, 0, group.off, UINT32_MAX);
	SPOIL(causes, 0, evidence.n, 4);
	SPOIL(causes, 0, gate, 77);
	SPOIL(causes, 0, verify_item, 0); /* a log item */
	SPOIL(causes, 0, pack, 1);
	SPOIL(causes, 0, seeds.at, 10);
	SPOIL(causes, 0, would_confirm.len, 1000000);
	SPOIL(options, 0, mistake.len, 1000000);
	SPOIL(notes, 0, check, 2);
	{
		struct kt_kbb *b = small();
		*kt_kbb_at_fact_refs(b, 0) = 1;
		expect_bad(b, "fact_refs", "fact_refs");
	}
}

Test(check, enums_and_flags_out_of_range)
{
	SPOIL(patterns, 0, fold, 2);
	SPOIL(markers, 0, role, 2);
	SPOIL(facts, 0, type, 9);
	SPOIL(facts, 0, scope, 2);
	SPOIL(facts, 0, step, 5);
	SPOIL(facts, 0, clean, 3);
	SPOIL(facts, 0, avail_pm, 1001);
	SPOIL(checks, 0, kind, 3);
	SPOIL(checks, 0, endpoint, 2);
	SPOIL(checks, 0, silent, 2);
	SPOIL(checks, 0, automatic, 2);
	SPOIL_SEEN("items", checks, 0, kind, KT_CHECK_SCAN); /* of a show item */
	SPOIL(items, 0, kind, 3);
	SPOIL(items, 1, mode, 4);
	SPOIL(evidence, 0, weight, 8);
	SPOIL(evidence, 0, absent, 8);
	SPOIL(causes, 0, prior, 3);
	SPOIL(causes, 0, carrier, 2);
	SPOIL(causes, 0, rerun, 4);
	SPOIL(notes, 0, kind, 2);
	SPOIL(nodes, 0, op, 13);
}

Test(check, conditions_over_the_wrong_things)
{
	SPOIL_SEEN("items", nodes, 0, fact, KT_NIL); /* a question over a column */
	SPOIL(nodes, 0, values.n, 0);
	SPOIL(nodes, 0, values.at, 100);
	SPOIL(nodes, 0, op, KT_OP_CONTAINS);
	SPOIL(nodes, 0, op, KT_OP_NOT); /* of itself */
	SPOIL(causes, 0, gate, 1);      /* a predicate over columns */
	SPOIL(items, 1, cond, 0);       /* a gate */
}

Test(check, nodes_name_smaller_ones_only)
{
	struct kt_kbb *b = small();
	uint32_t n = kt_kbb_kb(b)->n_nodes;

	kt_kbb_add_nodes(b, &(struct kt_node){.op = KT_OP_AND, .left = 0, .right = n, .fact = KT_NIL});
	expect_bad(b, "cycle", "nodes");
}

Test(check, a_small_graph_must_not_be_a_huge_tree)
{
	struct kt_kbb *b = small();

	for (int i = 0; i < 40; i++) {
		uint32_t last = kt_kbb_kb(b)->n_nodes - 1;
		kt_kbb_add_nodes(
			b, &(struct kt_node){.op = KT_OP_OR, .left = last, .right = last, .fact = KT_NIL});
	}
	expect_bad(b, "tree", "nodes");
}

Test(check, an_evidence_row_belongs_to_one_cause)
{
	struct kt_kbb *b = small();
	struct kt_cause again = *kt_kbb_at_causes(b, 0);

	kt_kbb_add_causes(b, &again);
	expect_bad(b, "evidence", "causes");
}
