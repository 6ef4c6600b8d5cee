/* Inputs into observations: one record at a time, equal records as one. */
#include "session/found.h"

#include <unistd.h>

#include "base/alloc.h"

#include "base/banned.h"

#define INCONCLUSIVE_MAX 100 /* of an act */

struct matched {
	uint64_t records;
	bool at_least;
};

struct scan {
	struct kt_found found;
	size_t before;           /* inputs of earlier acts */
	struct matched *matched; /* per input */
	size_t n_matched, cap_matched;
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

static struct kt_scan *new_scan(const struct kt_session *s)
{
	struct kt_scan_options o = KT_SCAN_OPTIONS;

	o.threads = s->threads;
	o.trace = s->trace_match;
	o.stop = s->ui ? s->ui->stop : NULL;
	if (s->max_bytes)
		o.input.max_bytes = s->max_bytes;
	return kt_scan_new(s->kb, s->headers, &o);
}

static int prepare(struct kt_session *s, struct kt_err *err)
{
	if (!s->headers)
		s->headers = kt_headers_parse(kt_kb_file(s->kb, "headers.tsv"), err);
	if (!s->headers)
		return -1;
	if (!s->meanings)
		build_meanings(s);
	if (!s->scan)
		s->scan = new_scan(s);
	return 0;
}

static bool cancelled(const struct kt_session *s)
{
	return s->ui && s->ui->cancelled && s->ui->cancelled(s->ui_ctx);
}

static void on_progress(void *ctx, struct kt_str name, uint64_t done, uint64_t total)
{
	struct scan *c = ctx;
	const struct kt_session *s = c->found.s;
	struct kt_buf what = KT_BUF(KT_BUF_NAME);

	if (!s->ui || !s->ui->progress)
		return;
	kt_buf_add(&what, name);
	s->ui->progress(s->ui_ctx, kt_buf_c(&what), done, total);
	kt_buf_free(&what);
}

static struct kt_str input_name(const struct scan *c, uint32_t input)
{
	size_t n;

	return kt_scan_inputs(c->found.s->scan, &n)[input].name;
}

static struct matched *matched_of(struct scan *c, size_t input)
{
	while (c->n_matched <= input)
		KT_PUSH(c->matched, c->n_matched, c->cap_matched) = (struct matched){0};
	return &c->matched[input];
}

static int on_record(void *ctx, const struct kt_record *rec, const struct kt_hit *hits, size_t n)
{
	struct scan *c = ctx;
	struct kt_record own = *rec;
	uint64_t told = c->found.told;

	own.input -= (uint32_t)c->before;
	kt_found_begin(&c->found, &own, input_name(c, rec->input));
	for (size_t i = 0; i < n; i++)
		kt_found_hit(&c->found, &hits[i]);
	kt_found_end(&c->found);
	matched_of(c, own.input)->records += c->found.told - told;
	return cancelled(c->found.s);
}

static void on_limit(void *ctx, uint32_t input, uint64_t line, uint32_t pattern, enum kt_inconclusive why)
{
	struct scan *c = ctx;
	struct kt_session *s = c->found.s;
	struct kt_act *act = c->found.act;
	struct kt_str regex = kt_str_sub(kt_kb_text(s->kb, s->kb->patterns[pattern].text), 0, 80);

	if (why == KT_INCONCLUSIVE_HITS || act->n_inconclusive >= INCONCLUSIVE_MAX)
		return;
	KT_PUSH(act->inconclusive, act->n_inconclusive, act->cap_inconclusive) = kt_arena_fmt(
		&s->keep, KT_FMT ":%llu: %s: pattern '" KT_FMT "'",
		KT_ARG(kt_session_keep(s, input_name(c, input))), (unsigned long long)line,
		kt_inconclusive_word(why), KT_ARG(regex));
}

static bool means(const struct kt_meaning *m, const struct kt_raw *raw)
{
	bool found = raw->kind == KT_OBS_FATAL && m->fatal;

	for (size_t i = 0; raw->kind == KT_OBS_HIT && i < m->n_items; i++)
		found = found || m->items[i] == raw->item;
	return found;
}

/* Further records were not looked at: what was counted so far is not all. */
static void on_capped(void *ctx, uint32_t input, uint32_t pattern, uint64_t literals)
{
	struct scan *c = ctx;
	const struct kt_meaning *m = &c->found.s->meanings[pattern];
	struct kt_act *act = c->found.act;

	(void)literals; /* how many of them match is not known */
	for (size_t i = 0; i < act->n_raws; i++)
		act->raws[i].at_least |= means(m, &act->raws[i]);
	matched_of(c, input - c->before)->at_least |= m->n_items || m->fatal;
}

static void keep_inputs(struct scan *c)
{
	struct kt_session *s = c->found.s;
	struct kt_act *act = c->found.act;

	size_t n;
	const struct kt_input *rows = kt_scan_inputs(s->scan, &n);

	for (size_t i = c->before; i < n; i++) {
		const struct kt_input *in = &rows[i];
		KT_PUSH(act->inputs, act->n_inputs, act->cap_inputs) = (struct kt_input_view){
			.name = kt_session_keep(s, in->name),
			.lines = in->lines,
			.bytes = in->bytes,
			.records = in->records,
			.matched = matched_of(c, i - c->before)->records,
			.at_least = matched_of(c, i - c->before)->at_least,
			.complete = in->complete,
			.is_log = in->headed > 0,
			.problem = kt_session_keep(s, in->problem),
		};
	}
}

static struct kt_scan_sink begin(struct scan *c, struct kt_session *s, enum kt_act_kind kind,
				 struct kt_str label)
{
	struct kt_found *f = &c->found;

	*c = (struct scan){.found = {.s = s}};
	kt_scan_inputs(s->scan, &c->before);
	f->act = kt_act_new(s, kind, label);
	for (uint32_t i = 0; i < s->kb->n_frames && i < KT_FOUND_FOREIGN; i++)
		f->foreign[f->n_foreign++] = kt_kb_text(s->kb, s->kb->frames[i]);
	return (struct kt_scan_sink){.record = on_record,
				     .limit = on_limit,
				     .capped = on_capped,
				     .progress = on_progress,
				     .ctx = c};
}

static bool some_read(const struct kt_act *act)
{
	for (size_t i = 0; i < act->n_inputs; i++)
		if (act->inputs[i].bytes)
			return true;
	return false;
}

/* What was found before ^C is kept. */
static int finish(struct scan *c, int stopped, struct kt_err *err)
{
	struct kt_session *s = c->found.s;
	struct kt_act *act = c->found.act;

	stopped = stopped || cancelled(s) || (s->ui && s->ui->stop && *s->ui->stop);
	keep_inputs(c);
	kt_found_free(&c->found);
	kt_free(c->matched);
	s->stopped = stopped && some_read(act);
	if (stopped && !s->stopped) {
		kt_act_free(act);
		return kt_err_set(err, KT_ERR_CANCELLED, "cancelled");
	}
	if (kt_act_add(s, act, err) < 0)
		return -1;
	return stopped ? kt_err_set(err, KT_ERR_CANCELLED, "stopped: only a part was read") : 0;
}

bool kt_session_stopped(const struct kt_session *s)
{
	return s->stopped;
}

int kt_session_skip(struct kt_session *s, const char *path, struct kt_str why, struct kt_err *err)
{
	struct kt_act *act = kt_act_new(s, KT_ACT_SCAN, kt_arena_fmt(&s->keep, "scan %s", path));
	bool is_stdin = path[0] == '-' && !path[1];

	KT_PUSH(act->inputs, act->n_inputs, act->cap_inputs) = (struct kt_input_view){
		.name = is_stdin ? KT_S("stdin") : kt_session_keep(s, kt_str_c(path)),
		.problem = kt_session_keep(s, why),
	};
	return kt_act_add(s, act, err);
}

int kt_session_scan(struct kt_session *s, const char *path, struct kt_err *err)
{
	struct scan c;
	int stopped;

	if (prepare(s, err) < 0)
		return -1;
	struct kt_scan_sink sink = begin(&c, s, KT_ACT_SCAN, kt_arena_fmt(&s->keep, "scan %s", path));
	if (path[0] == '-' && !path[1])
		stopped = kt_scan_fd(s->scan, STDIN_FILENO, KT_S("stdin"), &sink);
	else
		stopped = kt_scan_path(s->scan, path, &sink);
	return finish(&c, stopped, err);
}

int kt_session_paste(struct kt_session *s, struct kt_str text, struct kt_err *err)
{
	struct scan c;

	if (prepare(s, err) < 0)
		return -1;
	struct kt_scan_sink sink = begin(&c, s, KT_ACT_PASTE, KT_S("paste"));
	int stopped = kt_scan_text(s->scan, text, KT_S("pasted text"), &sink);
	return finish(&c, stopped, err);
}
