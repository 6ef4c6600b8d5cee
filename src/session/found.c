/* One record into observations; equal records are one, counted. */
#include "session/found.h"

#include <string.h>

#include "base/banned.h"

#define RECORDS_MAX 5000u /* different records kept of one act */
#define THREADS_MAX 1024u

/* Signature of a record → its observations in the act. */
struct kt_found_seen {
	uint64_t signature;
	uint32_t first_raw, n_raws;
};

/* What the last record of a thread that named its operation said. */
struct kt_found_thread {
	uint64_t name; /* hash of input and thread */
	struct kt_raw_rec keys;
	char *own[KT_RAW_KEYS]; /* texts of the keys */
};

static void found_fact(struct kt_found *c, uint32_t fact, uint32_t priority, struct kt_str value, size_t at)
{
	const struct kt_kb *kb = c->s->kb;

	value = kt_fact_clean(kb, fact, kt_str_trim(value), &c->scratch);
	if (!kt_fact_valid(kb, fact, value) || c->n_facts == KT_FOUND_FACTS)
		return;
	for (size_t i = 0; i < c->n_facts; i++)
		if (c->facts[i].fact == fact && kt_str_eq(c->facts[i].value, value)) {
			if (priority < c->facts[i].priority)
				c->facts[i].priority = priority;
			return;
		}
	c->facts[c->n_facts++] = (struct kt_found_fact){fact, priority, value, at};
}

static struct kt_str capture(const struct kt_hit *hit, struct kt_str name)
{
	for (size_t i = 0; i < hit->n_caps; i++)
		if (kt_str_eq(hit->caps[i].name, name))
			return hit->caps[i].text;
	return KT_NONE;
}

static void learn(struct kt_found *c, const struct kt_hit *hit, const struct kt_meaning *m)
{
	const struct kt_kb *kb = c->s->kb;

	for (size_t i = 0; i < m->n_learns; i++) {
		const struct kt_learn *l = &kb->learns[m->learns[i]];
		struct kt_str value = kt_kb_text(kb, l->value);
		if (!value.len)
			value = capture(hit, kt_kb_text(kb, kb->facts[l->fact].id));
		if (value.len)
			found_fact(c, l->fact, m->learns[i], value, hit->start);
	}
	for (size_t i = 0; i < hit->n_caps; i++) {
		uint32_t fact = kt_kb_fact(kb, hit->caps[i].name);
		if (fact != KT_NIL)
			found_fact(c, fact, kb->n_learns, hit->caps[i].text, hit->caps[i].start);
	}
}

int kt_found_hit(void *ctx, const struct kt_hit *hit)
{
	struct kt_found *c = ctx;
	const struct kt_meaning *m = &c->s->meanings[hit->pattern];

	if (m->fatal && !c->fatal)
		c->fatal_at = hit->start;
	c->fatal = c->fatal || m->fatal;
	c->noise = c->noise || m->noise;
	for (size_t i = 0; i < m->n_items && c->n_items < KT_FOUND_ITEMS; i++) {
		size_t k = 0;
		while (k < c->n_items && c->items[k].item != m->items[i])
			k++;
		if (k == c->n_items)
			c->items[c->n_items++] = (struct kt_found_item){m->items[i], hit->start};
	}
	learn(c, hit, m);
	return 0;
}

/* Of each fact the values of the author's first pattern that captured. */
static void keep_best(struct kt_found *c)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->n_facts; i++) {
		bool best = true;
		for (size_t k = 0; k < c->n_facts; k++)
			best = best && !(c->facts[k].fact == c->facts[i].fact &&
					 c->facts[k].priority < c->facts[i].priority);
		if (best)
			c->facts[kept++] = c->facts[i];
	}
	c->n_facts = kept;
}

static void copy_keys(struct kt_raw_rec *to, const struct kt_raw_rec *from)
{
	memcpy(to->keys, from->keys, sizeof to->keys);
	to->n_keys = from->n_keys;
}

static bool same_keys(const struct kt_raw_rec *a, const struct kt_raw_rec *b)
{
	if (a->n_keys != b->n_keys)
		return false;
	for (uint32_t k = 0; k < a->n_keys; k++)
		if (!kt_str_eq(a->keys[k].value, b->keys[k].value))
			return false;
	return true;
}

/* T: the thread's row, or the number of rows when it is new. */
static void remember_thread(struct kt_found *c, size_t t, uint64_t name, const struct kt_raw_rec *r)
{
	if (t == THREADS_MAX || (t < c->n_threads && same_keys(&c->threads[t].keys, r)))
		return;
	if (t == c->n_threads)
		KT_PUSH(c->threads, c->n_threads, c->cap_threads) = (struct kt_found_thread){.name = name};
	struct kt_found_thread *thread = &c->threads[t];
	for (uint32_t k = 0; k < KT_RAW_KEYS; k++) {
		char *text = k < r->n_keys ? kt_strdup(r->keys[k].value) : NULL;
		kt_free(thread->own[k]); /* a log may name a new operation in every line */
		thread->own[k] = text;
	}
	copy_keys(&thread->keys, r);
	for (uint32_t k = 0; k < r->n_keys; k++)
		thread->keys.keys[k].value.p = thread->own[k];
}

/* The keys of the record: its own, strongest first; else those of its thread. */
static void find_keys(struct kt_found *c, struct kt_raw_rec *r)
{
	const struct kt_kb *kb = c->s->kb;

	for (uint32_t rank = 1; rank < 10; rank++)
		for (size_t i = 0; i < c->n_facts && r->n_keys < KT_RAW_KEYS; i++)
			if (kb->facts[c->facts[i].fact].key == rank) {
				r->keys[r->n_keys].fact = c->facts[i].fact;
				r->keys[r->n_keys++].value = c->facts[i].value;
				break;
			}
	if (!c->rec->thread.len)
		return;
	uint64_t name = kt_str_hash(c->rec->thread, KT_HASH_SEED + c->rec->input);
	size_t t = 0;
	while (t < c->n_threads && c->threads[t].name != name)
		t++;
	if (r->n_keys)
		remember_thread(c, t, name, r);
	else if (t < c->n_threads)
		copy_keys(r, &c->threads[t].keys);
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	return kt_str_hash((struct kt_str){(const char *)&v, sizeof v}, h);
}

/* A message with its numbers taken out: what differs between two of a kind. */
static uint64_t shape_of(struct kt_str message, uint64_t h)
{
	for (size_t i = 0; i < message.len && i < 512; i++) {
		char x = message.p[i] >= '0' && message.p[i] <= '9' ? '0' : message.p[i];
		if (x != '0' || !i || message.p[i - 1] < '0' || message.p[i - 1] > '9')
			h = kt_str_hash((struct kt_str){&x, 1}, h);
	}
	return h;
}

static bool tells(const struct kt_found *c)
{
	return c->n_items || (c->fatal && !c->noise);
}

static uint64_t signature(const struct kt_found *c, const struct kt_raw_rec *r)
{
	uint64_t h = mix(KT_HASH_SEED, (uint64_t)c->rec->media);

	for (uint32_t i = 0; i < r->n_keys; i++)
		h = kt_str_hash(r->keys[i].value, mix(h, i));
	if (tells(c)) {
		h = kt_str_hash(r->frame, mix(kt_str_hash(r->cls, h), 1));
		h = mix(h, c->fatal && !c->noise);
		if (!r->cls.len)
			h = shape_of(c->rec->message.len ? c->rec->message : c->rec->text,
				     kt_str_hash(r->logger, h));
	}
	for (size_t i = 0; i < c->n_items; i++)
		h = mix(h, c->items[i].item);
	for (size_t i = 0; i < c->n_facts; i++)
		h = kt_str_hash(c->facts[i].value, mix(h, c->facts[i].fact));
	return h ? h : 1;
}

static struct kt_found_seen *slot_of(struct kt_found *c, uint64_t signature)
{
	size_t i = signature & (c->cap_seen - 1);

	while (c->seen[i].signature && c->seen[i].signature != signature)
		i = (i + 1) & (c->cap_seen - 1);
	return &c->seen[i];
}

/* Where observation I of the record stands, in the order of keep_observations. */
static size_t place_of(const struct kt_found *c, size_t i)
{
	size_t fatal = c->fatal && !c->noise;

	if (i < fatal)
		return c->fatal_at;
	i -= fatal;
	if (i < c->n_items)
		return c->items[i].at;
	i -= c->n_items;
	return i < c->n_facts ? c->facts[i].at : 0;
}

static void count_again(struct kt_found *c, const struct kt_found_seen *seen)
{
	for (uint32_t i = 0; i < seen->n_raws; i++) {
		struct kt_raw *raw = &c->act->raws[seen->first_raw + i];
		if (raw->count < UINT32_MAX)
			raw->count++;
		raw->last_input = c->rec->input;
		raw->last_line = kt_record_line_at(c->rec, place_of(c, i));
	}
}

struct kt_str kt_found_place(struct kt_found *c, size_t at)
{
	struct kt_str name = c->input_name;
	uint64_t line = kt_record_line_at(c->rec, at);
	struct kt_buf b = KT_BUF(KT_BUF_NAME);

	kt_buf_fmt(&b, KT_FMT ":%llu", KT_ARG(name), (unsigned long long)line);
	struct kt_str text = kt_session_keep(c->s, kt_buf_view(&b));
	kt_buf_free(&b);
	return text;
}

static struct kt_raw *add_raw(struct kt_found *c, enum kt_obs_kind kind, uint32_t rec, size_t at)
{
	struct kt_raw *raw = kt_act_raw(c->act, kind);

	raw->rec = rec;
	raw->line = kt_record_line_at(c->rec, at);
	raw->source = kt_found_place(c, at);
	raw->text = kt_session_line(c->s, c->rec->text, at);
	return raw;
}

static void note_time(struct kt_found *c)
{
	struct kt_act *act = c->act;
	struct kt_str t = kt_time_iso(c->rec->time, &c->scratch);

	if (!t.len)
		return;
	if (!act->first_time.len || kt_str_cmp(t, act->first_time) < 0)
		act->first_time = kt_arena_str(&c->s->keep, t);
	if (kt_str_cmp(t, act->last_time) > 0)
		act->last_time = kt_arena_str(&c->s->keep, t);
}

static void keep_rec(struct kt_found *c, const struct kt_raw_rec *r, const struct kt_trace *trace)
{
	struct kt_session *s = c->s;
	struct kt_raw_rec *kept = kt_act_rec(c->act);
	uint64_t *heads = KT_NEW_N(&s->keep, uint64_t, trace->n_heads);

	*kept = *r;
	kept->cls = kt_session_keep(s, r->cls);
	kept->frame = kt_session_keep(s, r->frame);
	kept->logger = kt_session_keep(s, r->logger);
	kept->source = kt_found_place(c, 0);
	kept->media = c->rec->media;
	kept->input = c->rec->input;
	kept->line = c->rec->line;
	for (uint32_t k = 0; k < r->n_keys; k++)
		kept->keys[k].value = kt_session_keep(s, r->keys[k].value);
	for (size_t i = 0; i < trace->n_heads; i++) {
		heads[i] = trace->heads[i].key;
		if (trace->heads[i].at == trace->at)
			kept->head = heads[i];
	}
	kept->heads = heads;
	kept->n_heads = trace->n_heads;
}

static void keep_observations(struct kt_found *c, uint32_t rec)
{
	if (c->fatal && !c->noise)
		add_raw(c, KT_OBS_FATAL, rec, c->fatal_at);
	for (size_t i = 0; i < c->n_items; i++)
		add_raw(c, KT_OBS_HIT, rec, c->items[i].at)->item = c->items[i].item;
	for (size_t i = 0; i < c->n_facts; i++) {
		struct kt_raw *raw = add_raw(c, KT_OBS_FACT, rec, c->facts[i].at);
		raw->fact = c->facts[i].fact;
		raw->value = kt_session_keep(c->s, c->facts[i].value);
	}
}

static void grow_seen(struct kt_found *c)
{
	struct kt_found_seen *old = c->seen;
	size_t cap = c->cap_seen;

	c->cap_seen = cap ? cap * 2 : 256;
	c->seen = kt_alloc_n(c->cap_seen, sizeof *c->seen);
	for (size_t i = 0; i < cap; i++)
		if (old[i].signature)
			*slot_of(c, old[i].signature) = old[i];
	kt_free(old);
}

static void too_many(struct kt_found *c)
{
	if (c->over)
		return;
	c->over = true;
	KT_PUSH(c->act->inconclusive, c->act->n_inconclusive, c->act->cap_inconclusive) = kt_arena_fmt(
		&c->s->keep, KT_FMT ": more than %u different records matched; further ones are left out",
		KT_ARG(kt_found_place(c, 0)), RECORDS_MAX);
}

static void keep_record(struct kt_found *c)
{
	struct kt_raw_rec r = {.logger = c->rec->logger};
	struct kt_trace trace;

	kt_trace_parse(c->rec->text, c->foreign, c->n_foreign, &trace);
	r.cls = trace.cls;
	r.frame = trace.frame;
	keep_best(c);
	find_keys(c, &r);
	if (tells(c)) {
		note_time(c);
		c->told++;
	}
	if (c->n_seen * 2 >= c->cap_seen)
		grow_seen(c);
	uint64_t sign = signature(c, &r);
	struct kt_found_seen *seen = slot_of(c, sign);
	if (seen->signature) {
		count_again(c, seen);
		return;
	}
	if (c->act->n_recs == RECORDS_MAX) {
		too_many(c);
		return;
	}
	*seen = (struct kt_found_seen){sign, (uint32_t)c->act->n_raws, 0};
	c->n_seen++;
	keep_rec(c, &r, &trace);
	keep_observations(c, (uint32_t)c->act->n_recs - 1);
	seen->n_raws = (uint32_t)c->act->n_raws - seen->first_raw;
}

void kt_found_begin(struct kt_found *c, const struct kt_record *rec, struct kt_str input_name)
{
	c->rec = rec;
	c->input_name = input_name;
	c->n_facts = c->n_items = 0;
	c->fatal = c->noise = false;
}

void kt_found_end(struct kt_found *c)
{
	if (c->n_items || c->n_facts || (c->fatal && !c->noise))
		keep_record(c);
	kt_arena_free(&c->scratch);
}

void kt_found_free(struct kt_found *c)
{
	for (size_t t = 0; t < c->n_threads; t++)
		for (size_t k = 0; k < KT_RAW_KEYS; k++)
			kt_free(c->threads[t].own[k]);
	kt_free(c->seen);
	kt_free(c->threads);
	kt_arena_free(&c->scratch);
}
