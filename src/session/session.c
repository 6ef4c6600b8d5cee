#include "session/session.h"

#include "base/alloc.h"
#include "input/input.h"
#include "session/state.h"

#include "base/banned.h"

int kt_session_new(const struct kt_session_opts *opts, struct kt_session **out, struct kt_err *err)
{
	struct kt_session *s = kt_alloc(sizeof *s);

	s->kb = opts->kb;
	s->ui = opts->ui;
	s->ui_ctx = opts->ui_ctx;
	s->max_bytes = opts->max_bytes;
	s->threads = opts->threads;
	s->trace_match = opts->trace_match;
	*out = s;
	return opts->journal ? kt_journal_open(opts->journal, true, &s->journal, err) : 0;
}

static void drop_acts(struct kt_session *s)
{
	for (size_t i = 0; i < s->n_acts + s->n_redo; i++)
		kt_act_free(s->acts[i]);
	s->n_acts = s->n_redo = 0;
}

void kt_session_forget(struct kt_session *s)
{
	kt_session_disconnect(s);
	drop_acts(s);
	s->database = KT_NONE;
	s->stopped = false;
	kt_session_stale(s);
	kt_arena_free(&s->view);
	kt_arena_free(&s->keep);
}

void kt_session_free(struct kt_session *take_s)
{
	struct kt_session *s = take_s;

	if (!s)
		return;
	drop_acts(s);
	kt_free(s->acts);
	for (uint32_t i = 0; s->meanings && i < s->kb->n_patterns; i++) {
		kt_free(s->meanings[i].items);
		kt_free(s->meanings[i].learns);
	}
	kt_free(s->meanings);
	kt_scan_free(s->scan);
	kt_headers_free(s->headers);
	kt_cluster_close(s->cluster);
	kt_guard_free(s->guard);
	kt_journal_close(s->journal);
	kt_arena_free(&s->view);
	kt_arena_free(&s->keep);
	kt_free(s);
}

const struct kt_kb *kt_session_kb(const struct kt_session *s)
{
	return s->kb;
}
