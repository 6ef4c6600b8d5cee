#include "world.h"

#include <stdio.h>
#include <string.h>

#include "core/cond.h"

#include "base/banned.h"

static const uint32_t FOR[] = {KT_W_PROVES,   KT_W_STRONG,   KT_W_STRONG,
			       KT_W_SUGGESTS, KT_W_SUGGESTS, KT_W_HINTS};
static const uint32_t AGAINST[] = {KT_W_HINTS_AGAINST, KT_W_ARGUES_AGAINST, KT_W_STRONG_AGAINST};
static const char *const GATES[] = {
	"op == w",           "mode == t", "mode == q", "cv >= 3", "not mode == t", "op == w and mode != q",
	"op == r or cv < 3",
};

/* Rows of the facts below. */
enum { OP, MODE, CV, NET, FAILED };

uint32_t world_below(struct world *w, uint32_t n)
{
	w->state ^= w->state << 13;
	w->state ^= w->state >> 7;
	w->state ^= w->state << 17;
	return (uint32_t)((w->state * UINT64_C(2685821657736338717)) >> 40) % n;
}

bool world_chance(struct world *w, uint32_t percent)
{
	return world_below(w, 100) < percent;
}

static uint32_t weight(struct world *w, bool against)
{
	return against ? AGAINST[world_below(w, KT_LEN(AGAINST))] : FOR[world_below(w, KT_LEN(FOR))];
}

static struct world_item *plan_item(struct world *w, struct world_cause *c, uint32_t kind, bool against)
{
	struct world_item *it = &c->items[c->n++];

	it->kind = kind;
	it->weight = weight(w, against);
	if (world_chance(w, 30))
		it->absent = weight(w, !against);
	if (world_chance(w, 15))
		it->group = (char)('g' + world_below(w, 2));
	return it;
}

static void plan_cause(struct world *w, uint32_t i)
{
	struct world_cause *c = &w->causes[i];
	uint32_t logs = 2 + world_below(w, 3);
	char id = (char)('a' + i);

	snprintf(c->id, sizeof c->id, "%c", id);
	snprintf(c->fix, sizeof c->fix, "%c", world_chance(w, 20) ? 'a' : id);
	c->prior = world_below(w, 3);
	c->carrier = i == 4 && world_chance(w, 70);
	if (world_chance(w, 40))
		snprintf(c->gate, sizeof c->gate, "%s", GATES[world_below(w, KT_LEN(GATES))]);
	for (uint32_t k = 0; k < logs; k++)
		snprintf(plan_item(w, c, KT_ITEM_LOG, k >= 3)->name, 16, "%c%u", id, k);
	if (world_chance(w, 40))
		snprintf(plan_item(w, c, KT_ITEM_LOG, false)->name, 16, "shared");
	if (world_chance(w, 40)) {
		struct world_item *it = plan_item(w, c, KT_ITEM_SHOW, world_chance(w, 20));
		snprintf(it->name, 16, "%c", id);
		it->check = world_below(w, 2);
	}
	if (world_chance(w, 25))
		snprintf(plan_item(w, c, KT_ITEM_ASK, false)->name, 16, "%s",
			 world_chance(w, 50) ? "net == x" : "mode == q");
}

static struct kt_ref put(struct world *w, const char *s)
{
	return kt_kbb_text(w->b, kt_str_c(s));
}

static uint32_t fact_of(void *ctx, struct kt_str name)
{
	struct world *w = ctx;

	return kt_kb_fact(kt_kbb_kb(w->b), name);
}

static uint32_t cond(struct world *w, const char *text, bool facts)
{
	struct kt_err err = {0};
	uint32_t node = KT_NIL;
	size_t at;

	if (*text && kt_cond_parse(w->b, kt_str_c(text), facts ? fact_of : NULL, w, &node, &at, &err) < 0)
		fprintf(stderr, "%s: %s\n", text, err.text);
	return node;
}

static struct kt_span choices(struct world *w, const char *const *values, uint32_t n)
{
	struct kt_span s = {kt_kbb_kb(w->b)->n_choices, n};

	for (uint32_t i = 0; i < n; i++)
		kt_kbb_add_choices(w->b, &(struct kt_choice){.value = put(w, values[i])});
	return s;
}

static void emit_facts(struct world *w)
{
	static const char *const rw[] = {"r", "w"}, *const tq[] = {"t", "q", "not-set"},
				 *const xy[] = {"x", "y"};
	struct kt_span op = choices(w, rw, 2), mode = choices(w, tq, 3), net = choices(w, xy, 2);
	uint32_t d = kt_kbb_add_defaults(w->b, &(struct kt_default){put(w, "t"), KT_NIL});
	const struct kt_fact rows[] = {
		[OP] = {.id = put(w, "op"), .pin = 1, .choices = op},
		[MODE] = {.id = put(w, "mode"),
			  .scope = KT_SCOPE_OPERATION,
			  .choices = mode,
			  .defaults = {d, 1},
			  .needs = CV},
		[CV] = {.id = put(w, "cv")},
		[NET] = {.id = put(w, "net"), .choices = net},
		[FAILED] = {.id = put(w, KT_FAILED_OPERATION)},
	};

	for (uint32_t i = 0; i < KT_LEN(rows); i++) {
		struct kt_fact f = rows[i];
		f.when = KT_NIL;
		f.needs = i == MODE ? CV : KT_NIL;
		f.cost_s = 8;
		f.order = 10 + i;
		kt_kbb_add_facts(w->b, &f);
	}
}

static uint32_t emit_item(struct world *w, const struct world_item *it)
{
	struct kt_item row = {.kind = it->kind,
			      .pattern = KT_NIL,
			      .check = KT_NIL,
			      .fact = KT_NIL,
			      .cond = KT_NIL,
			      .text = put(w, it->name)};
	char text[40];

	if (it->kind == KT_ITEM_LOG)
		row.pattern = kt_kbb_pattern(w->b, kt_str_c(it->name));
	if (it->kind == KT_ITEM_SHOW) {
		snprintf(text, sizeof text, "column == %s", it->name);
		row.check = it->check;
		row.cond = cond(w, text, false);
	}
	if (it->kind == KT_ITEM_ASK) {
		row.fact = it->name[0] == 'n' ? NET : MODE;
		row.cond = cond(w, it->name, true);
	}
	return kt_kbb_item(w->b, &row);
}

static void emit_cause(struct world *w, const struct world_cause *c)
{
	struct kt_evidence rows[WORLD_EVIDENCE];
	struct kt_cause row = {.id = put(w, c->id),
			       .fix_id = put(w, c->fix),
			       .prior = c->prior,
			       .carrier = c->carrier,
			       .gate = cond(w, c->gate, true),
			       .gate_text = put(w, c->gate),
			       .verify_item = KT_NIL,
			       .pack = KT_NIL};
	char group[2] = "";

	for (uint32_t i = 0; i < c->n; i++) {
		group[0] = c->items[i].group;
		rows[i] = (struct kt_evidence){.item = emit_item(w, &c->items[i]),
					       .weight = c->items[i].weight,
					       .absent = c->items[i].absent,
					       .group = put(w, group)};
	}
	row.evidence = (struct kt_span){kt_kbb_kb(w->b)->n_evidence, c->n};
	for (uint32_t i = 0; i < c->n; i++)
		kt_kbb_add_evidence(w->b, &rows[i]);
	kt_kbb_add_causes(w->b, &row);
}

struct kt_rec *world_rec(struct world *w)
{
	struct kt_rec *r = &w->recs[w->n_recs];

	*r = (struct kt_rec){.id = w->n_recs, .quotes = KT_NIL, .at = 1 + world_below(w, 99)};
	r->source = kt_arena_fmt(&w->a, "log:%u", w->n_recs++);
	r->logger = world_chance(w, 50) ? KT_S("L1") : KT_S("L2");
	if (w->operations && world_chance(w, 70))
		r->op = kt_arena_fmt(&w->a, "o%u", world_below(w, 3));
	r->media = world_chance(w, 25) ? KT_MEDIA_EVENTLOG : KT_MEDIA_LOG;
	return r;
}

static void make_recs(struct world *w)
{
	for (int i = 0; i < 12; i++) {
		struct kt_rec *r = world_rec(w);
		if (world_chance(w, 75))
			r->cls = kt_arena_fmt(&w->a, "c%u", world_below(w, 3));
		if (world_chance(w, 60))
			r->frame = kt_arena_fmt(&w->a, "f%u", world_below(w, 4));
		if (i && world_chance(w, 10))
			r->quotes = world_below(w, (uint32_t)i);
	}
}

struct kt_obs *world_add(struct world *w, struct kt_obs o)
{
	w->obs[w->n] = o;
	return &w->obs[w->n++];
}

struct kt_obs world_hit(struct world *w, uint32_t item, struct kt_rec *rec)
{
	(void)w;
	return (struct kt_obs){.kind = KT_OBS_HIT,
			       .item = item,
			       .fact = KT_NIL,
			       .rec = rec,
			       .at = rec->at,
			       .source = rec->source};
}

uint32_t world_item_row(const struct world *w, const struct world_item *it)
{
	const struct kt_kb *kb = w->kb;

	for (uint32_t i = 0; i < kb->n_items; i++)
		if (kb->items[i].kind == it->kind && kt_str_eq_c(kt_kb_text(kb, kb->items[i].text), it->name))
			return i;
	return KT_NIL;
}

static const struct world_item *some_item(struct world *w, uint32_t kind)
{
	for (int tries = 0; tries < 40; tries++) {
		const struct world_cause *c = &w->causes[world_below(w, w->n_causes)];
		const struct world_item *it = &c->items[world_below(w, c->n)];
		if (it->kind == kind)
			return it;
	}
	return NULL;
}

static void tell(struct world *w, uint32_t fact, const char *value)
{
	struct kt_obs o = {.kind = KT_OBS_FACT,
			   .item = KT_NIL,
			   .fact = fact,
			   .state = KT_STATE_PRESENT,
			   .value = kt_str_c(value),
			   .source = KT_S("answer")};

	if (w->operations && fact == MODE)
		o.scope = world_chance(w, 75) ? kt_arena_fmt(&w->a, "o%u", world_below(w, 3)) : KT_NONE;
	if (world_chance(w, 20)) {
		o.rec = &w->recs[world_below(w, 12)];
		o.source = o.rec->source;
	}
	world_add(w, o);
}

static void observe_facts(struct world *w)
{
	static const char *const modes[] = {"t", "q", "not-set"};

	while (world_chance(w, 40))
		tell(w, OP, world_chance(w, 80) ? "w" : "r");
	while (world_chance(w, w->operations ? 65 : 40))
		tell(w, MODE, modes[world_below(w, 3)]);
	if (world_chance(w, 40))
		tell(w, CV, world_chance(w, 80) ? "3.1" : "5-BETA");
	if (world_chance(w, 40))
		tell(w, NET, world_chance(w, 50) ? "x" : "y");
	if (w->operations && world_chance(w, 30))
		tell(w, FAILED, world_chance(w, 50) ? "o0" : "o1");
}

static void observe(struct world *w)
{
	const struct world_item *it;

	for (uint32_t i = world_below(w, 8); i-- > 0;)
		if ((it = some_item(w, KT_ITEM_LOG)) != NULL)
			world_add(w, world_hit(w, world_item_row(w, it), &w->recs[world_below(w, 12)]));
	while (world_chance(w, 25))
		world_add(w, (struct kt_obs){.kind = KT_OBS_FATAL,
					     .item = KT_NIL,
					     .fact = KT_NIL,
					     .rec = &w->recs[world_below(w, 12)]});
	while (world_chance(w, 45) && (it = some_item(w, KT_ITEM_SHOW)) != NULL)
		world_add(w, (struct kt_obs){.kind = KT_OBS_SHOW,
					     .item = world_item_row(w, it),
					     .fact = KT_NIL,
					     .state = KT_STATE_UNKNOWN + world_below(w, 4),
					     .row = world_below(w, 3),
					     .source = KT_S("command")});
	observe_facts(w);
	while (world_chance(w, 35))
		world_add(w, (struct kt_obs){.kind = KT_OBS_INPUT,
					     .item = KT_NIL,
					     .fact = KT_NIL,
					     .complete = world_chance(w, 80),
					     .source = KT_S("driver.log")});
	if (world_chance(w, 60))
		world_add(w, (struct kt_obs){.kind = KT_OBS_CONNECTED, .item = KT_NIL, .fact = KT_NIL});
}

void world_make(struct world *w, uint64_t seed, bool reversed)
{
	memset(w, 0, sizeof *w);
	w->state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	w->operations = world_chance(w, 45);
	w->n_causes = 3 + world_below(w, WORLD_CAUSES - 2);
	for (uint32_t i = 0; i < w->n_causes; i++)
		plan_cause(w, i);
	w->b = kt_kbb_new();
	emit_facts(w);
	kt_kbb_add_checks(w->b, &(struct kt_check){.id = put(w, "k1"), .cost_s = 6, .order = 0});
	kt_kbb_add_checks(w->b,
			  &(struct kt_check){.id = put(w, "k2"), .cost_s = 30, .silent = 1, .order = 1});
	for (uint32_t i = 0; i < w->n_causes; i++)
		emit_cause(w, &w->causes[reversed ? w->n_causes - 1 - i : i]);
	w->kb = kt_kbb_kb(w->b);
	make_recs(w);
	observe(w);
}

void world_free(struct world *w)
{
	kt_kbb_free(w->b);
	kt_arena_free(&w->a);
}

void world_add_idle(struct world *w, uint32_t n)
{
	struct world_cause c = {.n = 2,
				.items = {{.kind = KT_ITEM_LOG, .weight = KT_W_PROVES},
					  {.kind = KT_ITEM_SHOW, .check = 0, .weight = KT_W_STRONG}}};

	for (uint32_t i = 0; i < n; i++) {
		snprintf(c.id, sizeof c.id, "z%04u", i);
		snprintf(c.items[0].name, 16, "zz%u", i);
		snprintf(c.items[1].name, 16, "zs%u", i % 3);
		c.prior = i % 3;
		emit_cause(w, &c);
	}
	w->kb = kt_kbb_kb(w->b);
}

void world_add_hinted(struct world *w, uint32_t n, uint32_t item)
{
	struct world_cause c = {
		.n = 1, .prior = KT_PRIOR_COMMON, .items = {{.kind = KT_ITEM_LOG, .weight = KT_W_HINTS}}};

	snprintf(c.items[0].name, 16, KT_FMT, KT_ARG(kt_kb_text(w->kb, w->kb->items[item].text)));
	for (uint32_t i = 0; i < n; i++) {
		snprintf(c.id, sizeof c.id, "h%02u", i);
		emit_cause(w, &c);
	}
	w->kb = kt_kbb_kb(w->b);
}

const struct world_cause *world_cause_of(const struct world *w, uint32_t row)
{
	for (uint32_t i = 0; i < w->n_causes; i++)
		if (kt_str_eq_c(kt_kb_text(w->kb, w->kb->causes[row].id), w->causes[i].id))
			return &w->causes[i];
	return NULL;
}
