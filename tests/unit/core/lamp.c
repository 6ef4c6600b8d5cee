#include "lamp.h"

#include <stdio.h>
#include <string.h>

#include "core/cond.h"

#include "base/banned.h"

static struct kt_ref put(struct lamp *l, const char *s)
{
	return kt_kbb_text(l->b, kt_str_c(s));
}

static uint32_t fact_of(void *ctx, struct kt_str name)
{
	(void)ctx;
	return kt_str_eq_c(name, "lamp") ? LAMP_FACT : KT_NIL;
}

static uint32_t cond(struct lamp *l, const char *text, bool facts)
{
	struct kt_err err = {0};
	uint32_t node = KT_NIL;
	size_t at;

	if (kt_cond_parse(l->b, kt_str_c(text), facts ? fact_of : NULL, NULL, &node, &at, &err) < 0)
		fprintf(stderr, "%s\n", err.text);
	return node;
}

static void log_item(struct lamp *l, const char *name)
{
	kt_kbb_item(l->b, &(struct kt_item){KT_ITEM_LOG, kt_kbb_pattern(l->b, kt_str_c(name)), KT_NIL, KT_NIL,
					    0, KT_NIL, put(l, name)});
}

static void items(struct lamp *l)
{
	log_item(l, "flicker");
	log_item(l, "hum");
	log_item(l, "smell");
	kt_kbb_item(l->b, &(struct kt_item){KT_ITEM_SHOW, KT_NIL, 0, KT_NIL, 0, cond(l, "volts < 200", false),
					    put(l, "volts < 200")});
	kt_kbb_item(l->b, &(struct kt_item){KT_ITEM_ASK, KT_NIL, KT_NIL, LAMP_FACT, 0,
					    cond(l, "lamp == new", true), put(l, "lamp == new")});
	log_item(l, "no light");
}

static void cause(struct lamp *l, const char *id, uint32_t gate, bool carrier, const struct kt_evidence *rows,
		  uint32_t n)
{
	struct kt_span s = {kt_kbb_kb(l->b)->n_evidence, n};

	for (uint32_t i = 0; i < n; i++)
		kt_kbb_add_evidence(l->b, &rows[i]);
	kt_kbb_add_causes(l->b, &(struct kt_cause){.id = put(l, id),
						   .gate = gate,
						   .carrier = carrier,
						   .verify_item = KT_NIL,
						   .pack = KT_NIL,
						   .evidence = s});
}

void lamp_make(struct lamp *l)
{
	memset(l, 0, sizeof *l);
	l->b = kt_kbb_new();
	kt_kbb_add_choices(l->b, &(struct kt_choice){.value = put(l, "old")});
	kt_kbb_add_choices(l->b, &(struct kt_choice){.value = put(l, "new")});
	kt_kbb_add_facts(l->b, &(struct kt_fact){.id = put(l, "lamp"),
						 .scope = KT_SCOPE_OPERATION,
						 .choices = {0, 2},
						 .when = KT_NIL,
						 .needs = KT_NIL,
						 .cost_s = 8});
	kt_kbb_add_facts(l->b, &(struct kt_fact){.id = put(l, KT_FAILED_OPERATION),
						 .when = KT_NIL,
						 .needs = KT_NIL,
						 .cost_s = 4});
	kt_kbb_add_checks(l->b, &(struct kt_check){.id = put(l, "meter"), .cost_s = 6});
	items(l);
	cause(l, "bulb", KT_NIL, false,
	      (struct kt_evidence[]){{.item = LAMP_FLICKER, .weight = KT_W_STRONG},
				     {.item = LAMP_HUM, .weight = KT_W_SUGGESTS}},
	      2);
	cause(l, "fuse", cond(l, "lamp == old", true), false,
	      (struct kt_evidence[]){
		      {.item = LAMP_SMELL, .weight = KT_W_STRONG},
		      {.item = LAMP_VOLTS, .weight = KT_W_STRONG, .absent = KT_W_ARGUES_AGAINST}},
	      2);
	cause(l, "wire", KT_NIL, false,
	      (struct kt_evidence[]){{.item = LAMP_FLICKER, .weight = KT_W_STRONG},
				     {.item = LAMP_NEW, .weight = KT_W_HINTS}},
	      2);
	cause(l, "dark", KT_NIL, true, (struct kt_evidence[]){{.item = LAMP_NO_LIGHT, .weight = KT_W_PROVES}},
	      1);
	l->kb = kt_kbb_kb(l->b);
}

void lamp_free(struct lamp *l)
{
	kt_arena_free(&l->a);
	kt_kbb_free(l->b);
}

struct kt_rec *lamp_hit(struct lamp *l, uint32_t item, const char *cls)
{
	struct kt_rec *r = &l->recs[l->n];

	*r = (struct kt_rec){.id = (uint32_t)l->n,
			     .fault = kt_str_c(cls),
			     .cls = kt_str_c(cls),
			     .quotes = KT_NIL,
			     .at = l->n};
	r->source = kt_arena_fmt(&l->a, "diary:%zu", l->n + 1);
	l->obs[l->n++] = (struct kt_obs){
		.kind = KT_OBS_HIT, .item = item, .fact = KT_NIL, .rec = r, .source = r->source, .at = r->at};
	return r;
}

void lamp_row(struct lamp *l, enum kt_state state)
{
	l->obs[l->n++] = (struct kt_obs){.kind = KT_OBS_SHOW,
					 .item = LAMP_VOLTS,
					 .fact = KT_NIL,
					 .state = state,
					 .row = 1,
					 .source = KT_S("meter, row 1")};
}

void lamp_told(struct lamp *l, uint32_t fact, const char *value, const char *op)
{
	l->obs[l->n++] = (struct kt_obs){.kind = KT_OBS_FACT,
					 .item = KT_NIL,
					 .fact = fact,
					 .state = KT_STATE_PRESENT,
					 .value = kt_str_c(value),
					 .scope = kt_str_c(op),
					 .source = KT_S("answer")};
}

struct kt_judgement lamp_judge(struct lamp *l)
{
	struct kt_judgement j;

	kt_judge(l->kb, l->obs, l->n, &l->a, &j);
	return j;
}
