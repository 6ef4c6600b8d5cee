#include "driver.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "core/cond.h"

#include "base/banned.h"

void driver_die(const char *what, struct kt_str subject)
{
	fprintf(stderr, "%s: " KT_FMT "\n", what, KT_ARG(subject));
	exit(2);
}

static struct kt_str text_of(struct driver *d, const struct kt_json *v)
{
	struct kt_buf out = KT_BUF(KT_BUF_NAME);

	kt_json_text(v, &out);
	struct kt_str s = kt_arena_str(&d->a, kt_buf_view(&out));
	kt_buf_free(&out);
	return s;
}

static struct kt_str get_text(struct driver *d, const struct kt_json *o, const char *key)
{
	return text_of(d, kt_json_get(o, key));
}

static struct kt_ref put(struct driver *d, struct kt_str s)
{
	return kt_kbb_text(d->b, s);
}

/* A fact that was not declared has no scope, choices or cost. */
static uint32_t fact_named(struct driver *d, struct kt_str name)
{
	uint32_t row = kt_kb_fact(kt_kbb_kb(d->b), name);

	if (row != KT_NIL)
		return row;
	return kt_kbb_add_facts(
		d->b, &(struct kt_fact){.id = put(d, name), .when = KT_NIL, .needs = KT_NIL, .cost_s = 8});
}

static uint32_t fact_of(void *ctx, struct kt_str name)
{
	return fact_named(ctx, name);
}

static uint32_t cond_of(struct driver *d, struct kt_str text)
{
	struct kt_err err = {0};
	uint32_t node;
	size_t at;

	if (!text.len)
		return KT_NIL;
	if (kt_cond_parse(d->b, text, fact_of, d, &node, &at, &err) < 0)
		driver_die(err.text, text);
	return node;
}

/* Facts and checks: rows first, so that conditions find them. */
struct table {
	struct driver *d;
	uint32_t order;
};

static struct kt_span choices_of(struct driver *d, const struct kt_json *list)
{
	struct kt_span s = {kt_kbb_kb(d->b)->n_choices, (uint32_t)kt_json_len(list)};

	for (size_t i = 0; i < kt_json_len(list); i++)
		kt_kbb_add_choices(d->b,
				   &(struct kt_choice){.value = put(d, text_of(d, kt_json_at(list, i)))});
	return s;
}

static bool add_fact(void *ctx, struct kt_str key, struct kt_json *v)
{
	struct table *t = ctx;
	struct kt_fact f = {
		.id = put(t->d, key),
		.scope = kt_str_eq_c(kt_json_str(kt_json_get(v, "scope")), "operation"),
		.pin = (uint32_t)kt_json_int(kt_json_get(v, "pin"), 0),
		.cost_s = (uint32_t)kt_json_int(kt_json_get(v, "cost"), 8),
		.avail_pm = (uint32_t)kt_json_int(kt_json_get(v, "avail"), 800),
		.when = KT_NIL,
		.needs = KT_NIL,
		.order = t->order++,
	};

	f.choices = choices_of(t->d, kt_json_get(v, "choices"));
	kt_kbb_add_facts(t->d->b, &f);
	return true;
}

static bool finish_fact(void *ctx, struct kt_str key, struct kt_json *v)
{
	struct driver *d = ((struct table *)ctx)->d;
	uint32_t row = fact_named(d, key);
	const struct kt_json *list = kt_json_get(v, "default");
	struct kt_str by = get_text(d, v, "by");
	uint32_t when = cond_of(d, get_text(d, v, "when")), needs = by.len ? fact_named(d, by) : KT_NIL;
	struct kt_default *rows = KT_NEW_N(&d->a, struct kt_default, kt_json_len(list));

	for (size_t i = 0; i < kt_json_len(list); i++)
		rows[i] = (struct kt_default){put(d, get_text(d, kt_json_at(list, i), "value")),
					      cond_of(d, get_text(d, kt_json_at(list, i), "when"))};
	struct kt_span span = {kt_kbb_kb(d->b)->n_defaults, (uint32_t)kt_json_len(list)};
	for (uint32_t i = 0; i < span.n; i++)
		kt_kbb_add_defaults(d->b, &rows[i]);
	struct kt_fact *f = kt_kbb_at_facts(d->b, row);
	f->when = when;
	f->needs = needs;
	f->defaults = span;
	return true;
}

static bool add_check(void *ctx, struct kt_str key, struct kt_json *v)
{
	struct table *t = ctx;
	const struct kt_json *list = kt_json_get(v, "needs");
	bool log = kt_str_eq_c(kt_json_str(kt_json_get(v, "kind")), "log");
	uint32_t *needs = KT_NEW_N(&t->d->a, uint32_t, kt_json_len(list));

	for (size_t i = 0; i < kt_json_len(list); i++)
		needs[i] = fact_named(t->d, text_of(t->d, kt_json_at(list, i)));
	kt_kbb_add_checks(t->d->b,
			  &(struct kt_check){
				  .id = put(t->d, key),
				  .kind = log ? KT_CHECK_SCAN : KT_CHECK_SHOW,
				  .cost_s = (uint32_t)kt_json_int(kt_json_get(v, "cost"), 0),
				  .avail_pm = (uint32_t)kt_json_int(kt_json_get(v, "avail"), log ? 900 : 700),
				  .silent = kt_json_bool(kt_json_get(v, "silent"), false),
				  .automatic = kt_json_bool(kt_json_get(v, "auto"), false),
				  .needs = kt_kbb_fact_refs(t->d->b, needs, kt_json_len(list)),
				  .order = t->order++,
			  });
	return true;
}

static uint32_t check_named(struct driver *d, struct kt_str name, bool log)
{
	uint32_t row = name.len ? kt_kb_check_id(kt_kbb_kb(d->b), name) : KT_NIL;

	if (row != KT_NIL || log)
		return row;
	return kt_kbb_add_checks(d->b, &(struct kt_check){.id = put(d, name), .cost_s = 1, .avail_pm = 700});
}

/* An item is known by its name: a second mention names no other check. */
static uint32_t item_named(struct driver *d, struct kt_str name, uint32_t kind)
{
	const struct kt_kb *kb = kt_kbb_kb(d->b);

	for (uint32_t i = 0; i < kb->n_items; i++)
		if (kb->items[i].kind == kind && kt_str_eq(kt_kb_text(kb, kb->items[i].text), name))
			return i;
	return KT_NIL;
}

static uint32_t add_item(struct driver *d, struct kt_str name, struct kt_str check, bool log)
{
	uint32_t kind = log ? KT_ITEM_LOG : KT_ITEM_SHOW, row = item_named(d, name, kind);

	if (row != KT_NIL)
		return row;
	struct kt_item it = {.kind = kind, .fact = KT_NIL, .cond = KT_NIL, .text = put(d, name)};
	it.check = check_named(d, check, log);
	it.pattern = log ? kt_kbb_pattern(d->b, name) : KT_NIL;
	if (!log) { /* a condition of its own, so that no two are equal */
		size_t at;
		struct kt_err err = {0};
		struct kt_str text = kt_arena_fmt(&d->a, "name == '" KT_FMT "'", KT_ARG(name));
		if (kt_cond_parse(d->b, text, NULL, NULL, &it.cond, &at, &err) < 0)
			driver_die(err.text, text);
	}
	return kt_kbb_item(d->b, &it);
}

static uint32_t add_ask(struct driver *d, const struct kt_json *e)
{
	struct kt_str text = get_text(d, e, "is");
	struct kt_item it = {.kind = KT_ITEM_ASK, .pattern = KT_NIL, .check = KT_NIL};

	it.fact = fact_named(d, get_text(d, e, "ask"));
	it.cond = cond_of(d, text);
	it.text = put(d, text);
	return kt_kbb_item(d->b, &it);
}

static uint32_t weight_of(struct driver *d, const struct kt_json *v)
{
	struct kt_str word = text_of(d, v);

	if (!word.len)
		return KT_W_NONE;
	for (uint32_t w = KT_W_NONE; w <= KT_W_STRONG_AGAINST; w++)
		if (kt_str_eq_c(word, kt_weight_word((enum kt_weight)w)))
			return w;
	driver_die("no weight word", word);
}

static struct kt_evidence evidence_of(struct driver *d, const struct kt_json *e)
{
	struct kt_str log = get_text(d, e, "log"), show = get_text(d, e, "show");
	struct kt_evidence out = {
		.weight = weight_of(d, kt_json_get(e, "weight")),
		.absent = weight_of(d, kt_json_get(e, "absent")),
		.group = put(d, get_text(d, e, "group")),
	};

	if (log.len || show.len)
		out.item = add_item(d, log.len ? log : show, get_text(d, e, "check"), log.len > 0);
	else
		out.item = add_ask(d, e);
	return out;
}

struct gate {
	struct driver *d;
	struct kt_buf text;
	struct kt_str *facts; /* of versions, to be sorted */
	size_t n;
};

static void gate_part(struct kt_buf *b, const char *before, struct kt_str s, const char *behind)
{
	if (b->len)
		kt_buf_str(b, " and ");
	kt_buf_fmt(b, "%s" KT_FMT "%s", before, KT_ARG(s), behind);
}

static bool note_version(void *ctx, struct kt_str key, struct kt_json *v)
{
	struct gate *g = ctx;

	(void)v;
	g->facts[g->n++] = kt_arena_str(&g->d->a, key);
	return true;
}

static int by_text(const void *p, const void *q)
{
	return kt_str_cmp(*(const struct kt_str *)p, *(const struct kt_str *)q);
}

static void gate_range(struct gate *g, struct kt_str fact, struct kt_str range)
{
	struct kt_str piece;

	while (kt_str_cut(&range, ',', &piece)) {
		piece = kt_str_trim(piece);
		size_t op = piece.len > 1 && piece.p[1] == '=' ? 2 : 1;
		struct kt_str v = kt_str_trim(kt_str_from(piece, op));
		if (!v.len)
			continue;
		gate_part(&g->text, "", fact, "");
		kt_buf_fmt(&g->text, " " KT_FMT " " KT_FMT, (int)op, piece.p, KT_ARG(v));
	}
}

static struct kt_str gate_of(struct driver *d, const struct kt_json *c)
{
	struct gate g = {.d = d, .text = KT_BUF(KT_BUF_NAME)};
	const struct kt_json *versions = kt_json_get(c, "versions");
	struct kt_str when = get_text(d, c, "when"), unless = get_text(d, c, "unless");

	if (when.len)
		gate_part(&g.text, "(", when, ")");
	if (unless.len)
		gate_part(&g.text, "not (", unless, ")");
	g.facts = KT_NEW_N(&d->a, struct kt_str, kt_json_len(versions));
	kt_json_each(versions, note_version, &g);
	if (g.n)
		qsort(g.facts, g.n, sizeof *g.facts, by_text);
	for (size_t i = 0; i < g.n; i++)
		gate_range(&g, g.facts[i], get_text(d, versions, g.facts[i].p));
	struct kt_str out = kt_arena_str(&d->a, kt_buf_view(&g.text));
	kt_buf_free(&g.text);
	return out;
}

static uint32_t prior_of(struct kt_str word)
{
	return kt_str_eq_c(word, "common") ? KT_PRIOR_COMMON
	       : kt_str_eq_c(word, "rare") ? KT_PRIOR_RARE
					   : KT_PRIOR_UNCOMMON;
}

static void add_cause(struct driver *d, const struct kt_json *c)
{
	const struct kt_json *list = kt_json_get(c, "evidence");
	struct kt_str gate = gate_of(d, c);
	struct kt_cause row = {
		.id = put(d, get_text(d, c, "id")),
		.fix_id = put(d, get_text(d, c, "fix")),
		.prior = prior_of(kt_json_str(kt_json_get(c, "prior"))),
		.carrier = kt_json_bool(kt_json_get(c, "carrier"), false),
		.gate = cond_of(d, gate),
		.gate_text = put(d, gate),
		.verify_item = KT_NIL,
		.pack = KT_NIL,
	};
	struct kt_evidence *rows = KT_NEW_N(&d->a, struct kt_evidence, kt_json_len(list));

	for (size_t i = 0; i < kt_json_len(list); i++)
		rows[i] = evidence_of(d, kt_json_at(list, i));
	row.evidence = (struct kt_span){kt_kbb_kb(d->b)->n_evidence, (uint32_t)kt_json_len(list)};
	for (uint32_t i = 0; i < row.evidence.n; i++)
		kt_kbb_add_evidence(d->b, &rows[i]);
	kt_kbb_add_causes(d->b, &row);
}

static void load_kb(struct driver *d, const struct kt_json *kb)
{
	const struct kt_json *causes = kt_json_get(kb, "causes");
	struct table t = {.d = d};

	t.order = (uint32_t)kt_json_len(kt_json_get(kb, "checks"));
	kt_json_each(kt_json_get(kb, "facts"), add_fact, &t);
	d->n_declared = kt_kbb_kb(d->b)->n_facts;
	t.order = 0;
	kt_json_each(kt_json_get(kb, "checks"), add_check, &t);
	kt_json_each(kt_json_get(kb, "facts"), finish_fact, &t);
	for (size_t i = 0; i < kt_json_len(causes); i++)
		add_cause(d, kt_json_at(causes, i));
}

static struct kt_rec *rec_named(struct driver *d, struct kt_str name)
{
	for (size_t i = 0; i < d->n_recs; i++)
		if (name.len && kt_str_eq(d->recs[i].name, name))
			return d->recs[i].rec;
	struct kt_rec *r = KT_NEW(&d->a, struct kt_rec);
	*r = (struct kt_rec){.id = d->n_rec_ids++, .quotes = KT_NIL};
	if (name.len)
		KT_PUSH(d->recs, d->n_recs, d->cap_recs) = (struct named_rec){name, r};
	return r;
}

static void set(struct driver *d, struct kt_str *field, const struct kt_json *o, const char *key)
{
	struct kt_str s = get_text(d, o, key);

	if (s.len)
		*field = s;
}

static enum kt_media media_of(struct kt_str word)
{
	return kt_str_eq_c(word, "eventlog") ? KT_MEDIA_EVENTLOG
	       : kt_str_eq_c(word, "source") ? KT_MEDIA_SOURCE
					     : KT_MEDIA_LOG;
}

static const struct kt_rec *rec_of(struct driver *d, const struct kt_json *o, struct kt_str fault)
{
	struct kt_rec *r = rec_named(d, fault.len ? KT_NONE : get_text(d, o, "rec"));
	struct kt_str quotes = get_text(d, o, "quotes");

	r->fault = fault;
	set(d, &r->cls, o, "class");
	set(d, &r->frame, o, "frame");
	set(d, &r->logger, o, "logger");
	set(d, &r->op, o, "op");
	set(d, &r->source, o, "source");
	r->media = media_of(kt_json_str(kt_json_get(o, "kind")));
	r->at = (uint64_t)kt_json_int(kt_json_get(o, "at"), 0);
	if (!r->source.len)
		r->source = kt_arena_fmt(&d->a, "log:%u", (unsigned)r->at);
	if (quotes.len)
		r->quotes = rec_named(d, quotes)->id;
	return r;
}

static enum kt_state state_of(struct kt_str word)
{
	return kt_str_eq_c(word, "absent")    ? KT_STATE_ABSENT
	       : kt_str_eq_c(word, "failed")  ? KT_STATE_FAILED
	       : kt_str_eq_c(word, "unknown") ? KT_STATE_UNKNOWN
					      : KT_STATE_PRESENT;
}

static struct kt_obs *push(struct driver *d, enum kt_obs_kind kind)
{
	struct kt_obs *o = &KT_PUSH(d->obs, d->n_obs, d->cap_obs);

	*o = (struct kt_obs){.kind = kind, .item = KT_NIL, .fact = KT_NIL};
	return o;
}

static void load_fact(struct driver *d, const struct kt_json *j, struct kt_str name)
{
	struct kt_str scope = get_text(d, j, "scope"), fault = get_text(d, j, "fault");
	uint32_t fact = fact_named(d, name);
	struct kt_obs *o = push(d, KT_OBS_FACT);

	o->fact = fact;
	o->state = state_of(kt_json_str(kt_json_get(j, "state")));
	o->value = get_text(d, j, "value");
	o->scope = kt_str_eq_c(scope, "incident") ? KT_NONE : scope;
	o->source = get_text(d, j, "source");
	if (!o->source.len)
		o->source = KT_S("answer");
	o->at = (uint64_t)kt_json_int(kt_json_get(j, "at"), 0);
	if (fault.len)
		o->rec = rec_of(d, j, fault);
}

static void load_row(struct driver *d, const struct kt_json *j, struct kt_str name)
{
	uint32_t item = add_item(d, name, get_text(d, j, "check"), false);
	struct kt_obs *o = push(d, KT_OBS_SHOW);

	o->item = item;
	o->state = state_of(kt_json_str(kt_json_get(j, "state")));
	o->row = (uint32_t)kt_json_int(kt_json_get(j, "row"), 0);
	o->at = (uint64_t)kt_json_int(kt_json_get(j, "at"), 0);
	o->source = KT_S("command");
}

/* The name of an item, a fault or a fact, whichever there is. */
static void load_aside(struct driver *d, struct kt_str name)
{
	const struct kt_kb *kb = kt_kbb_kb(d->b);
	uint32_t log = item_named(d, name, KT_ITEM_LOG), show = item_named(d, name, KT_ITEM_SHOW);

	if (log != KT_NIL)
		push(d, KT_OBS_ASIDE)->item = log;
	if (show != KT_NIL)
		push(d, KT_OBS_ASIDE)->item = show;
	if (kt_kb_fact(kb, name) != KT_NIL)
		push(d, KT_OBS_ASIDE)->fact = kt_kb_fact(kb, name);
	struct kt_rec *r = NULL;
	for (size_t i = 0; i < d->n_recs && !r; i++)
		if (kt_str_eq(d->recs[i].name, name))
			r = d->recs[i].rec;
	if (!r) {
		r = rec_named(d, KT_NONE);
		r->fault = name;
		r->at = UINT64_MAX;
	}
	push(d, KT_OBS_ASIDE)->rec = r;
}

static void load_one(struct driver *d, const struct kt_json *j)
{
	struct kt_str log = get_text(d, j, "log"), fact = get_text(d, j, "fact");
	struct kt_str show = get_text(d, j, "show"), fault = get_text(d, j, "fault");

	if (log.len) {
		const struct kt_rec *r = rec_of(d, j, fault);
		uint32_t item = add_item(d, log, KT_NONE, true);
		struct kt_obs *o = push(d, KT_OBS_HIT);
		o->rec = r;
		o->item = item;
		o->at = r->at;
		o->source = r->source;
	} else if (kt_json_get(j, "fatal")) {
		const struct kt_rec *r = rec_of(d, j, get_text(d, j, "fatal"));
		push(d, KT_OBS_FATAL)->rec = r;
	} else if (show.len) {
		load_row(d, j, show);
	} else if (fact.len) {
		load_fact(d, j, fact);
	} else if (kt_json_get(j, "complete")) {
		struct kt_obs *o = push(d, KT_OBS_INPUT);
		o->complete = kt_json_bool(kt_json_get(j, "complete"), false);
		o->source = get_text(d, j, "input");
	} else if (kt_json_bool(kt_json_get(j, "connected"), false)) {
		push(d, KT_OBS_CONNECTED);
	} else if (kt_json_get(j, "failedOperation")) {
		uint32_t row = fact_named(d, KT_S(KT_FAILED_OPERATION));
		struct kt_obs *o = push(d, KT_OBS_FACT);
		o->fact = row;
		o->state = KT_STATE_PRESENT;
		o->value = get_text(d, j, "failedOperation");
		o->source = KT_S("answer");
	}
}

void driver_load(struct driver *d, const struct kt_json *kb, const struct kt_json *observations)
{
	struct kt_err err = {0};

	d->b = kt_kbb_new();
	load_kb(d, kb);
	for (size_t i = 0; i < kt_json_len(observations); i++)
		load_one(d, kt_json_at(observations, i));
	for (size_t i = 0; i < kt_json_len(observations); i++) {
		const struct kt_json *j = kt_json_get(kt_json_at(observations, i), "set_aside");
		if (j)
			load_aside(d, text_of(d, j));
	}
	d->kb = kt_kbb_kb(d->b);
	if (kt_kb_check(d->kb, &err) < 0)
		driver_die(err.text, KT_NONE);
}

void driver_free(struct driver *d)
{
	kt_kbb_free(d->b);
	kt_free(d->obs);
	kt_free(d->recs);
	kt_arena_free(&d->a);
	*d = (struct driver){0};
}
