/* Inputs into observations: one record at a time, equal records as one. */
#include "session/found.h"

#include <unistd.h>

#include "base/alloc.h"
#include "input/input.h"
#include "match/matcher.h"

#include "base/banned.h"

#define CANCEL_EVERY 256 /* records between two looks at ^C */

struct scan {
	struct kt_found found;
	struct kt_inputs inputs;
	uint64_t *matched; /* records that matched, per input */
	size_t n_matched, cap_matched;
	uint64_t n_records;
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

static bool cancelled(const struct kt_session *s)
{
	return s->ui && s->ui->cancelled && s->ui->cancelled(s->ui_ctx);
}

static void tell_progress(const struct scan *c, const struct kt_record *rec)
{
	const struct kt_session *s = c->found.s;

	if (s->ui && s->ui->progress)
		s->ui->progress(s->ui_ctx, "scan", c->inputs.list[rec->input].bytes, 0);
}

static int on_record(void *ctx, const struct kt_record *rec)
{
	struct scan *c = ctx;
	struct kt_str name = c->inputs.list[rec->input].name;

	while (c->n_matched <= rec->input)
		KT_PUSH(c->matched, c->n_matched, c->cap_matched) = 0;
	if (c->n_records++ % CANCEL_EVERY == 0) {
		if (cancelled(c->found.s))
			return 1;
		tell_progress(c, rec);
	}
	kt_found_begin(&c->found, rec, name);
	if (kt_match_feed(c->found.s->matcher, rec->text, 0, true, kt_found_hit, &c->found))
		return 1;
	uint64_t told = c->found.told;
	kt_found_end(&c->found);
	c->matched[rec->input] += c->found.told - told;
	return 0;
}

static void on_limit(void *ctx, uint32_t pattern, uint64_t offset, enum kt_inconclusive why)
{
	struct scan *c = ctx;
	struct kt_session *s = c->found.s;
	struct kt_act *act = c->found.act;
	struct kt_str regex = kt_str_sub(kt_kb_text(s->kb, s->kb->patterns[pattern].text), 0, 80);

	if (why == KT_INCONCLUSIVE_HITS || act->n_inconclusive >= 100)
		return;
	KT_PUSH(act->inconclusive, act->n_inconclusive, act->cap_inconclusive) = kt_arena_fmt(
		&s->keep, KT_FMT ": %s: pattern '" KT_FMT "'", KT_ARG(kt_found_place(&c->found, offset)),
		kt_inconclusive_word(why), KT_ARG(regex));
}

static void keep_inputs(struct scan *c)
{
	struct kt_session *s = c->found.s;
	struct kt_act *act = c->found.act;

	for (size_t i = 0; i < c->inputs.n; i++) {
		const struct kt_input *in = &c->inputs.list[i];
		KT_PUSH(act->inputs, act->n_inputs, act->cap_inputs) = (struct kt_input_view){
			.name = kt_session_keep(s, in->name),
			.lines = in->lines,
			.bytes = in->bytes,
			.records = in->records,
			.matched = i < c->n_matched ? c->matched[i] : 0,
			.complete = in->complete,
			.is_log = in->headed > 0,
			.problem = kt_session_keep(s, in->problem),
		};
	}
}

static void begin(struct scan *c, struct kt_session *s, enum kt_act_kind kind, struct kt_str label)
{
	struct kt_found *f = &c->found;

	*c = (struct scan){.found = {.s = s}, .inputs = KT_INPUTS(s->headers)};
	if (s->max_bytes)
		c->inputs.limits.max_bytes = s->max_bytes;
	c->inputs.stop = s->ui ? s->ui->stop : NULL;
	f->act = kt_act_new(s, kind, label);
	for (uint32_t i = 0; i < s->kb->n_frames && i < KT_FOUND_FOREIGN; i++)
		f->foreign[f->n_foreign++] = kt_kb_text(s->kb, s->kb->frames[i]);
	kt_matcher_on_limit(s->matcher, on_limit, c);
	kt_matcher_restart(s->matcher);
}

static int finish(struct scan *c, int stopped, struct kt_err *err)
{
	kt_matcher_on_limit(c->found.s->matcher, NULL, NULL);
	stopped = stopped || (c->inputs.stop && *c->inputs.stop);
	keep_inputs(c);
	kt_found_free(&c->found);
	kt_free(c->matched);
	kt_inputs_free(&c->inputs);
	if (stopped) {
		kt_act_free(c->found.act);
		return kt_err_set(err, KT_ERR_CANCELLED, "cancelled: nothing of this scan is kept");
	}
	return kt_act_add(c->found.s, c->found.act, err);
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
