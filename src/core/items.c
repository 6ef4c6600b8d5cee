/* What was observed of each item. */
#include <stdlib.h>

#include "core/eval.h"

#include "base/banned.h"

/* A hit before its like are counted together. */
struct raw {
	uint32_t item;
	uint32_t order; /* row of base->obs: by place */
	struct kt_hit hit;
};

static int cmp_u32(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int by_group(const void *p, const void *q)
{
	const struct raw *a = p, *b = q;
	int c = cmp_u32(a->item, b->item);

	if (!c)
		c = cmp_u32(a->hit.group, b->hit.group);
	if (!c)
		c = cmp_u32(a->hit.kind, b->hit.kind);
	if (!c)
		c = kt_str_cmp(a->hit.cls, b->hit.cls);
	return c ? c : cmp_u32(a->order, b->order);
}

static bool alike(const struct raw *a, const struct raw *b)
{
	return a->item == b->item && a->hit.group == b->hit.group && a->hit.kind == b->hit.kind &&
	       kt_str_eq(a->hit.cls, b->hit.cls);
}

/* An observation may stand for many equal ones. */
static uint32_t times(const struct raw *raw)
{
	return raw->hit.obs && raw->hit.obs->count ? raw->hit.obs->count : 1;
}

static bool more(const struct raw *raw)
{
	return raw->hit.obs && raw->hit.obs->at_least;
}

uint64_t kt_obs_last_at(const struct kt_obs *o)
{
	return o->last.len ? o->last_at : o->at;
}

/* One hit for all alike, of sorted RAWS. */
static uint32_t merge(const struct raw *raws, uint32_t n, struct kt_hit *out)
{
	uint32_t m = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (i && alike(&raws[i], &raws[i - 1])) {
			out[m - 1].n += times(&raws[i]);
			out[m - 1].at_least |= more(&raws[i]);
			if (raws[i].hit.obs &&
			    kt_obs_last_at(raws[i].hit.obs) > kt_obs_last_at(out[m - 1].last))
				out[m - 1].last = raws[i].hit.obs;
			continue;
		}
		out[m] = raws[i].hit;
		out[m].last = raws[i].hit.obs;
		out[m].at_least = more(&raws[i]);
		out[m++].n = times(&raws[i]);
	}
	return m;
}

static void sort(struct raw *raws, uint32_t n)
{
	if (n)
		qsort(raws, n, sizeof *raws, by_group);
}

/* Merges and gives each item its span. */
static void share_out(struct kt_base *b, struct raw *raws, uint32_t n, struct kt_hits *of_item)
{
	struct kt_hit *hits = KT_NEW_N(b->a, struct kt_hit, n);
	uint32_t m = 0;

	sort(raws, n);
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && raws[end].item == raws[i].item; end++)
			;
		uint32_t item = raws[i].item, k = merge(raws + i, end - i, hits + m);
		of_item[item] = (struct kt_hits){hits + m, k};
		m += k;
	}
}

static struct kt_str class_of(const struct kt_rec *r, struct kt_str otherwise)
{
	return r->cls.len ? r->cls : r->logger.len ? r->logger : otherwise;
}

static struct kt_hit record_hit(const struct kt_base *b, uint32_t i, struct kt_str name)
{
	const struct kt_obs *o = b->obs[i];

	return (struct kt_hit){.group = b->fault[i],
			       .kind = o->rec->media,
			       .cls = class_of(o->rec, name),
			       .at = o->rec->at,
			       .obs = o};
}

static struct kt_str pattern_text(const struct kt_kb *kb, const struct kt_item *it)
{
	return kt_kb_text(kb, kb->patterns[it->pattern].text);
}

static void take_hits(struct kt_base *b, struct raw *raws)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->n; i++) {
		const struct kt_obs *o = b->obs[i];
		if (o->kind != KT_OBS_HIT)
			continue;
		struct kt_str name = pattern_text(b->kb, &b->kb->items[o->item]);
		raws[n++] = (struct raw){o->item, i, record_hit(b, i, name)};
	}
	share_out(b, raws, n, b->item_hits);
}

/* Rows of results in order of check and row: their number is their group. */
static int by_row(const void *p, const void *q)
{
	uint64_t a = *(const uint64_t *)p, b = *(const uint64_t *)q;

	return (a > b) - (a < b);
}

static uint64_t row_key(const struct kt_base *b, const struct kt_obs *o)
{
	return (uint64_t)b->kb->items[o->item].check << 32 | o->row;
}

static uint64_t *number_rows(struct kt_base *b, uint32_t *n_rows)
{
	uint64_t *keys = KT_NEW_N(b->a, uint64_t, b->n);
	uint32_t n = 0, m = 0;

	for (uint32_t i = 0; i < b->n; i++)
		if (b->obs[i]->kind == KT_OBS_SHOW && b->obs[i]->state == KT_STATE_PRESENT)
			keys[n++] = row_key(b, b->obs[i]);
	if (n)
		qsort(keys, n, sizeof *keys, by_row);
	for (uint32_t i = 0; i < n; i++)
		if (!i || keys[i] != keys[m - 1])
			keys[m++] = keys[i];
	*n_rows = m;
	return keys;
}

static uint32_t row_group(const struct kt_base *b, const uint64_t *keys, uint32_t n, uint64_t key)
{
	const uint64_t *hit = bsearch(&key, keys, n, sizeof key, by_row);

	return b->first_row + (hit ? (uint32_t)(hit - keys) : 0);
}

static void take_rows(struct kt_base *b, struct raw *raws, const uint64_t *keys, uint32_t n_keys,
		      enum kt_state state, struct kt_hits *of_item)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->n; i++) {
		const struct kt_obs *o = b->obs[i];
		if (o->kind != KT_OBS_SHOW || o->state != state)
			continue;
		uint32_t check = b->kb->items[o->item].check;
		uint32_t group = state == KT_STATE_PRESENT ? row_group(b, keys, n_keys, row_key(b, o))
							   : b->first_none + check;
		raws[n++] = (struct raw){
			o->item, i, {.group = group, .kind = KT_KIND_SHOW | check, .at = o->at, .obs = o}};
	}
	share_out(b, raws, n, of_item);
}

static void take_states(struct kt_base *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		if (b->obs[i]->kind == KT_OBS_SHOW)
			b->show_seen[b->obs[i]->item] |= (uint8_t)(1u << b->obs[i]->state);
}

/* What an absent log item rests on: the first input, read to its end. */
static void take_scan(struct kt_base *b)
{
	uint32_t i = 0;

	while (i < b->n && b->obs[i]->kind != KT_OBS_INPUT)
		i++;
	if (i == b->n)
		return;
	b->scan_hit = KT_NEW(b->a, struct kt_hit);
	*b->scan_hit = (struct kt_hit){
		.group = b->scan_group, .kind = KT_MEDIA_LOG, .n = 1, .obs = b->obs[i]};
}

void kt_items_init(struct kt_base *b)
{
	struct raw *raws = KT_NEW_N(b->a, struct raw, b->n);
	uint32_t n_rows;
	uint64_t *keys = number_rows(b, &n_rows);

	b->first_row = b->n_faults;
	b->first_none = b->first_row + n_rows;
	b->scan_group = b->first_none + b->kb->n_checks;
	b->first_ask = b->scan_group + 1;
	b->n_groups = b->first_ask + b->kb->n_facts;
	b->item_hits = KT_NEW_N(b->a, struct kt_hits, b->kb->n_items);
	b->show_absent = KT_NEW_N(b->a, struct kt_hits, b->kb->n_items);
	b->show_seen = KT_NEW_N(b->a, uint8_t, b->kb->n_items);
	take_hits(b, raws);
	take_rows(b, raws, keys, n_rows, KT_STATE_PRESENT, b->item_hits);
	take_rows(b, raws, keys, n_rows, KT_STATE_ABSENT, b->show_absent);
	take_states(b);
	take_scan(b);
}

bool kt_any_hit(struct kt_hits hits, const bool *drop)
{
	for (uint32_t i = 0; i < hits.n; i++)
		if (kt_counts(drop, &hits.p[i]))
			return true;
	return false;
}

static struct kt_look look_log(const struct kt_base *b, uint32_t item, const bool *drop)
{
	struct kt_hits hits = b->item_hits[item];

	if (kt_any_hit(hits, drop))
		return (struct kt_look){KT_STATE_PRESENT, hits};
	/* It was seen, if only where it does not count here: that is no absence. */
	if (hits.n || !b->any_input)
		return (struct kt_look){.state = KT_STATE_NOT_COLLECTED};
	if (!b->complete)
		return (struct kt_look){.state = KT_STATE_FAILED};
	struct kt_hits scan = {b->scan_hit, 1};
	if (!kt_any_hit(scan, drop))
		return (struct kt_look){.state = KT_STATE_NOT_COLLECTED};
	return (struct kt_look){KT_STATE_ABSENT, scan};
}

static struct kt_look look_show(const struct kt_base *b, uint32_t item, const bool *drop)
{
	unsigned seen = b->show_seen[item];

	if (kt_any_hit(b->item_hits[item], drop))
		return (struct kt_look){KT_STATE_PRESENT, b->item_hits[item]};
	if (b->item_hits[item].n == 0 && kt_any_hit(b->show_absent[item], drop))
		return (struct kt_look){KT_STATE_ABSENT, b->show_absent[item]};
	if (seen & 1u << KT_STATE_FAILED)
		return (struct kt_look){.state = KT_STATE_FAILED};
	if (seen & 1u << KT_STATE_UNKNOWN)
		return (struct kt_look){.state = KT_STATE_UNKNOWN};
	return (struct kt_look){.state = KT_STATE_NOT_COLLECTED};
}

/* An answer is a group by itself; a fact learned from a record stands in that
 * record's fault. "I do not know" is no hit. */
static struct kt_hits answers(struct kt_base *b, const struct kt_view *v, uint32_t fact, struct kt_arena *a)
{
	struct kt_rows rows = kt_view_uses(v, fact, a);
	struct raw *raws = KT_NEW_N(a, struct raw, rows.n);
	struct kt_hit *hits = KT_NEW_N(a, struct kt_hit, rows.n);

	for (uint32_t k = 0; k < rows.n; k++) {
		uint32_t i = rows.p[k];
		struct kt_hit h = {.group = b->first_ask + fact,
				   .kind = KT_KIND_ASK | fact,
				   .at = b->obs[i]->at,
				   .obs = b->obs[i]};
		if (b->fault[i] != KT_NIL)
			h = record_hit(b, i, kt_kb_text(b->kb, b->kb->facts[fact].id));
		raws[k] = (struct raw){0, i, h};
	}
	sort(raws, rows.n);
	return (struct kt_hits){hits, merge(raws, rows.n, hits)};
}

static enum kt_state ask_state(struct kt_base *b, struct kt_view *v, const struct kt_item *it)
{
	enum kt_tri t = kt_cond_eval(b->kb, it->cond, kt_value_soft, v);

	if (t == KT_UNKNOWN)
		return kt_view_asked(b, it->fact) ? KT_STATE_UNKNOWN : KT_STATE_NOT_COLLECTED;
	return t == KT_TRUE ? KT_STATE_PRESENT : KT_STATE_ABSENT;
}

static struct kt_look settle(enum kt_state state, struct kt_hits hits, const bool *drop)
{
	if (state == KT_STATE_PRESENT || state == KT_STATE_ABSENT) {
		if (kt_any_hit(hits, drop))
			return (struct kt_look){state, hits};
		state = KT_STATE_UNKNOWN;
	}
	return (struct kt_look){.state = state};
}

struct kt_look kt_look_ask(struct kt_base *b, struct kt_view *v, uint32_t item, const bool *drop,
			   struct kt_arena *a)
{
	const struct kt_item *it = &b->kb->items[item];
	enum kt_state state = ask_state(b, v, it);
	struct kt_hits hits = {0};

	if (state == KT_STATE_PRESENT || state == KT_STATE_ABSENT)
		hits = answers(b, v, it->fact, a);
	return settle(state, hits, drop);
}

static struct kt_look look_ask(struct kt_base *b, uint32_t item, const bool *drop)
{
	if (!b->ask_memo[item]) {
		struct kt_look l = kt_look_ask(b, &b->view, item, NULL, b->a);
		b->ask_memo[item] = KT_NEW(b->a, struct kt_hits);
		*b->ask_memo[item] = l.hits;
		b->ask_state[item] = (uint8_t)l.state;
	}
	return settle((enum kt_state)b->ask_state[item], *b->ask_memo[item], drop);
}

struct kt_look kt_look(struct kt_base *b, uint32_t item, const bool *drop)
{
	switch (b->kb->items[item].kind) {
	case KT_ITEM_LOG: return look_log(b, item, drop);
	case KT_ITEM_SHOW: return look_show(b, item, drop);
	default: return look_ask(b, item, drop);
	}
}
