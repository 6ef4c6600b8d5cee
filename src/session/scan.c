/* Inputs into observations: one record at a time, equal records as one. */
#include "session/state.h"

#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "input/input.h"
#include "match/matcher.h"

#include "base/banned.h"

#define RECORDS_MAX 5000u            /* different records kept of one act */
#define FACTS_MAX 48
#define HITS_MAX 128
#define CANCEL_EVERY 256             /* records between two looks at ^C */
#define FOREIGN_MAX 64

/* A value that a record teaches; PRIORITY: the row of the author's list. */
struct found_fact {
	uint32_t fact, priority;
	struct kt_str value;
	size_t at;
};

struct found_item {
	uint32_t item;
	size_t at;
};

/* Signature of a record → its index in the act. */
struct seen {
	uint64_t signature;
	uint32_t first_raw, n_raws;
};

/* What the last record of a thread that named its operation said. */
struct thread {
	uint64_t name;                 /* hash of input and thread */
	struct kt_raw_rec keys;
};

struct scan {
	struct kt_session *s;
	struct kt_act *act;
	struct kt_inputs inputs;
	size_t first_input;            /* row of inputs.list that is row 0 of the act */
	struct kt_str foreign[FOREIGN_MAX];
	size_t n_foreign;
	struct seen *seen;             /* open addressing, power of two */
	size_t n_seen, cap_seen;
	struct thread *threads;
	size_t n_threads, cap_threads;
	uint64_t *matched;             /* records that matched, per input */
	size_t n_matched, cap_matched;
	uint64_t n_records;
	bool over;
	/* of the record at hand */
	const struct kt_record *rec;
	struct found_fact facts[FACTS_MAX];
	size_t n_facts;
	struct found_item items[HITS_MAX];
	size_t n_items;
	bool fatal, noise;
	size_t fatal_at;
};

static void add_meaning(uint32_t **list, size_t *n, uint32_t row)
{
	*list = kt_realloc(*list, *n + 1, sizeof **list);
	(*list)[(*n)++] = row;
}

static void build_meanings(struct kt_session *s)
{
	const struct kt_kb *kb = s->kb;

	s->meanings = kt_alloc_n(kb->n_patterns, sizeof *s->meanings);
	for (uint32_t i = 0; i < kb->n_items; i++)
		if (kb->items[i].kind == KT_ITEM_LOG) {
			struct kt_meaning *m = &s->meanings[kb->items[i].pattern];
			add_meaning(&m->items, &m->n_items, i);
		}
	for (uint32_t i = 0; i < kb->n_learns; i++) {
		if (kb->learns[i].pattern == KT_NIL)
			continue;
		struct kt_meaning *m = &s->meanings[kb->learns[i].pattern];
		add_meaning(&m->learns, &m->n_learns, i);
	}
	for (uint32_t i = 0; i < kb->n_markers; i++) {
		struct kt_meaning *m = &s->meanings[kb->markers[i].pattern];
		*(kb->markers[i].role == KT_ROLE_FATAL ? &m->fatal : &m->noise) = true;
	}
}

static int prepare(struct kt_session *s, struct kt_err *err)
{
	if (!s->headers)
		s->headers = kt_headers_parse(kt_kb_file(s->kb, "headers.tsv"), err);
	if (!s->headers)
		return -1;
	if (!s->meanings)
		build_meanings(s);
	if (!s->matcher)
		s->matcher = kt_matcher_new(s->kb, NULL);
	return 0;
}

static void found_fact(struct scan *c, uint32_t fact, uint32_t priority, struct kt_str value, size_t at)
{
	const struct kt_kb *kb = c->s->kb;

	value = kt_fact_clean(kb, fact, kt_str_trim(value), &c->inputs.arena);
	if (!kt_fact_valid(kb, fact, value) || c->n_facts == FACTS_MAX)
		return;
	for (size_t i = 0; i < c->n_facts; i++)
		if (c->facts[i].fact == fact && kt_str_eq(c->facts[i].value, value)) {
			if (priority < c->facts[i].priority)
				c->facts[i].priority = priority;
			return;
		}
	c->facts[c->n_facts++] = (struct found_fact){fact, priority, value, at};
}

static struct kt_str capture(const struct kt_hit *hit, struct kt_str name)
{
	for (size_t i = 0; i < hit->n_caps; i++)
		if (kt_str_eq(hit->caps[i].name, name))
			return hit->caps[i].text;
	return KT_NONE;
}

static void learn(struct scan *c, const struct kt_hit *hit, const struct kt_meaning *m)
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

static int on_hit(void *ctx, const struct kt_hit *hit)
{
	struct scan *c = ctx;
	const struct kt_meaning *m = &c->s->meanings[hit->pattern];

	if (m->fatal && !c->fatal)
		c->fatal_at = hit->start;
	c->fatal = c->fatal || m->fatal;
	c->noise = c->noise || m->noise;
	for (size_t i = 0; i < m->n_items && c->n_items < HITS_MAX; i++) {
		size_t k = 0;
		while (k < c->n_items && c->items[k].item != m->items[i])
			k++;
		if (k == c->n_items)
			c->items[c->n_items++] = (struct found_item){m->items[i], hit->start};
	}
	learn(c, hit, m);
	return 0;
}

/* Of each fact the values of the author's first pattern that captured. */
static void keep_best(struct scan *c)
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

/* The keys of the record: its own, strongest first; else those of its thread. */
static void find_keys(struct scan *c, struct kt_raw_rec *r)
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
	if (r->n_keys) {
		if (t == c->n_threads && t < 1024)
			KT_PUSH(c->threads, c->n_threads, c->cap_threads).name = name;
		if (t < c->n_threads) {
			for (uint32_t k = 0; k < r->n_keys; k++)
				r->keys[k].value = kt_session_keep(c->s, r->keys[k].value);
			c->threads[t].keys = *r;
		}
	} else if (t < c->n_threads) {
		memcpy(r->keys, c->threads[t].keys.keys, sizeof r->keys);
		r->n_keys = c->threads[t].keys.n_keys;
	}
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

static bool tells(const struct scan *c)
{
	return c->n_items || (c->fatal && !c->noise);
}

static uint64_t signature(const struct scan *c, const struct kt_raw_rec *r)
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

static struct seen *slot_of(struct scan *c, uint64_t signature)
{
	size_t i = signature & (c->cap_seen - 1);

	while (c->seen[i].signature && c->seen[i].signature != signature)
		i = (i + 1) & (c->cap_seen - 1);
	return &c->seen[i];
}

static void count_again(struct kt_act *act, const struct seen *seen)
{
	for (uint32_t i = 0; i < seen->n_raws; i++)
		if (act->raws[seen->first_raw + i].count < UINT32_MAX)
			act->raws[seen->first_raw + i].count++;
}

static struct kt_str place(struct scan *c, size_t at)
{
	struct kt_str name = c->inputs.list[c->rec->input].name;
	uint64_t line = kt_record_line_at(c->rec, at);
	struct kt_buf b = KT_BUF(KT_BUF_NAME);

	kt_buf_fmt(&b, KT_FMT ":%llu", KT_ARG(name), (unsigned long long)line);
	struct kt_str text = kt_session_keep(c->s, kt_buf_view(&b));
	kt_buf_free(&b);
	return text;
}

static struct kt_raw *add_raw(struct scan *c, enum kt_obs_kind kind, uint32_t rec, size_t at)
{
	struct kt_raw *raw = kt_act_raw(c->act, kind);

	raw->rec = rec;
	raw->line = kt_record_line_at(c->rec, at);
	raw->source = place(c, at);
	raw->text = kt_session_line(c->s, c->rec->text, at);
	return raw;
}

static void note_time(struct scan *c)
{
	struct kt_act *act = c->act;
	struct kt_str t = kt_time_iso(c->rec->time, &c->s->keep);

	if (!t.len)
		return;
	if (!act->first_time.len || kt_str_cmp(t, act->first_time) < 0)
		act->first_time = t;
	if (kt_str_cmp(t, act->last_time) > 0)
		act->last_time = t;
}

static void keep_rec(struct scan *c, const struct kt_raw_rec *r, const struct kt_trace *trace)
{
	struct kt_session *s = c->s;
	struct kt_raw_rec *kept = kt_act_rec(c->act);
	uint64_t *heads = KT_NEW_N(&s->keep, uint64_t, trace->n_heads);

	*kept = *r;
	kept->cls = kt_session_keep(s, r->cls);
	kept->frame = kt_session_keep(s, r->frame);
	kept->logger = kt_session_keep(s, r->logger);
	kept->source = place(c, 0);
	kept->media = c->rec->media;
	kept->input = (uint32_t)(c->rec->input - c->first_input);
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

static void keep_observations(struct scan *c, uint32_t rec)
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

static void grow_seen(struct scan *c)
{
	struct seen *old = c->seen;
	size_t cap = c->cap_seen;

	c->cap_seen = cap ? cap * 2 : 256;
	c->seen = kt_alloc_n(c->cap_seen, sizeof *c->seen);
	for (size_t i = 0; i < cap; i++)
		if (old[i].signature)
			*slot_of(c, old[i].signature) = old[i];
	kt_free(old);
}

static void too_many(struct scan *c)
{
	if (c->over)
		return;
	c->over = true;
	KT_PUSH(c->act->inconclusive, c->act->n_inconclusive, c->act->cap_inconclusive) =
		kt_arena_fmt(&c->s->keep, KT_FMT ": more than %u different records matched; further ones are left out",
			     KT_ARG(place(c, 0)), RECORDS_MAX);
}

static void keep_record(struct scan *c)
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
		c->matched[c->rec->input - c->first_input]++;
	}
	if (c->n_seen * 2 >= c->cap_seen)
		grow_seen(c);
	uint64_t sign = signature(c, &r);
	struct seen *seen = slot_of(c, sign);
	if (seen->signature) {
		count_again(c->act, seen);
		return;
	}
	if (c->act->n_recs == RECORDS_MAX) {
		too_many(c);
		return;
	}
	*seen = (struct seen){sign, (uint32_t)c->act->n_raws, 0};
	c->n_seen++;
	keep_rec(c, &r, &trace);
	keep_observations(c, (uint32_t)c->act->n_recs - 1);
	seen->n_raws = (uint32_t)c->act->n_raws - seen->first_raw;
}

static bool cancelled(const struct kt_session *s)
{
	return s->ui && s->ui->cancelled && s->ui->cancelled(s->ui_ctx);
}

static int on_record(void *ctx, const struct kt_record *rec)
{
	struct scan *c = ctx;
	size_t input = rec->input - c->first_input;

	while (c->n_matched <= input)
		KT_PUSH(c->matched, c->n_matched, c->cap_matched) = 0;
	if (c->n_records++ % CANCEL_EVERY == 0) {
		if (cancelled(c->s))
			return 1;
		if (c->s->ui && c->s->ui->progress)
			c->s->ui->progress(c->s->ui_ctx, "scan", c->inputs.list[rec->input].bytes, 0);
	}
	c->rec = rec;
	c->n_facts = c->n_items = 0;
	c->fatal = c->noise = false;
	if (kt_match_feed(c->s->matcher, rec->text, 0, true, on_hit, c))
		return 1;
	if (c->n_items || c->n_facts || (c->fatal && !c->noise))
		keep_record(c);
	return 0;
}

static void on_limit(void *ctx, uint32_t pattern, uint64_t offset, enum kt_inconclusive why)
{
	struct scan *c = ctx;
	struct kt_act *act = c->act;
	struct kt_str regex = kt_str_sub(kt_kb_text(c->s->kb, c->s->kb->patterns[pattern].text), 0, 80);

	if (why == KT_INCONCLUSIVE_HITS || act->n_inconclusive >= 100)
		return;
	KT_PUSH(act->inconclusive, act->n_inconclusive, act->cap_inconclusive) =
		kt_arena_fmt(&c->s->keep, KT_FMT ": %s: pattern '" KT_FMT "'", KT_ARG(place(c, offset)),
			     kt_inconclusive_word(why), KT_ARG(regex));
}

static void keep_inputs(struct scan *c)
{
	for (size_t i = c->first_input; i < c->inputs.n; i++) {
		const struct kt_input *in = &c->inputs.list[i];
		size_t mine = i - c->first_input;
		KT_PUSH(c->act->inputs, c->act->n_inputs, c->act->cap_inputs) = (struct kt_input_view){
			.name = kt_session_keep(c->s, in->name),
			.lines = in->lines,
			.bytes = in->bytes,
			.records = in->records,
			.matched = mine < c->n_matched ? c->matched[mine] : 0,
			.complete = in->complete,
			.is_log = in->headed > 0,
			.problem = kt_session_keep(c->s, in->problem),
		};
	}
}

static void begin(struct scan *c, struct kt_session *s, enum kt_act_kind kind, struct kt_str label)
{
	*c = (struct scan){.s = s, .inputs = KT_INPUTS(s->headers)};
	if (s->max_bytes)
		c->inputs.limits.max_bytes = s->max_bytes;
	c->act = kt_act_new(s, kind, label);
	for (uint32_t i = 0; i < s->kb->n_frames && i < FOREIGN_MAX; i++)
		c->foreign[c->n_foreign++] = kt_kb_text(s->kb, s->kb->frames[i]);
	kt_matcher_on_limit(s->matcher, on_limit, c);
	kt_matcher_restart(s->matcher);
}

static int finish(struct scan *c, int stopped, struct kt_err *err)
{
	int rc = 0;

	kt_matcher_on_limit(c->s->matcher, NULL, NULL);
	keep_inputs(c);
	kt_free(c->seen);
	kt_free(c->threads);
	kt_free(c->matched);
	kt_inputs_free(&c->inputs);
	if (stopped) {
		kt_act_free(c->act);
		return kt_err_set(err, KT_ERR_CANCELLED, "cancelled: nothing of this scan is kept");
	}
	rc = kt_act_add(c->s, c->act, err);
	return rc;
}

int kt_session_scan(struct kt_session *s, const char *path, struct kt_err *err)
{
	struct scan c;
	int stopped;

	if (prepare(s, err) < 0)
		return -1;
	begin(&c, s, KT_ACT_SCAN, kt_arena_fmt(&s->keep, "scan %s", path));
	if (path[0] == '-' && !path[1])
		stopped = kt_inputs_fd(&c.inputs, STDIN_FILENO, KT_S("stdin"), on_record, &c);
	else
		stopped = kt_inputs_path(&c.inputs, path, on_record, &c);
	return finish(&c, stopped, err);
}

int kt_session_paste(struct kt_session *s, struct kt_str text, struct kt_err *err)
{
	struct scan c;

	if (prepare(s, err) < 0)
		return -1;
	begin(&c, s, KT_ACT_PASTE, KT_S("paste"));
	int stopped = kt_inputs_text(&c.inputs, text, KT_S("pasted text"), on_record, &c);
	return finish(&c, stopped, err);
}
