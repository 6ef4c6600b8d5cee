#include "session/state.h"

#include "base/alloc.h"
#include "base/redact.h"

#include "base/banned.h"

#define SHOWN_MAX 240u /* bytes of a matched line that are shown */
#define KEPT_MAX  (64u << 10)

struct kt_str kt_session_keep(struct kt_session *s, struct kt_str text)
{
	if (!text.len)
		return KT_NONE;
	if (!kt_redact_needed(text))
		return kt_arena_str(&s->keep, text);
	struct kt_buf clean = KT_BUF(KEPT_MAX);
	kt_redact(&clean, text);
	struct kt_str copy = kt_arena_str(&s->keep, kt_buf_view(&clean));
	kt_buf_free(&clean);
	return copy;
}

/* Bytes on both sides of a place that are looked at; a secret is shorter. */
#define AROUND_MAX (16u << 10)

/* Part of LINE around AT that begins at a blank, so that no secret loses its name. */
static struct kt_str around(struct kt_str line, size_t *at)
{
	size_t from = *at > AROUND_MAX ? *at - AROUND_MAX : 0;

	while (from && from < *at && line.p[from - 1] != ' ')
		from++;
	*at -= from;
	return kt_str_sub(line, from, *at + AROUND_MAX);
}

struct kt_str kt_session_line(struct kt_session *s, struct kt_str text, size_t at)
{
	struct kt_buf clean = KT_BUF(4 * AROUND_MAX);
	size_t from = at < text.len ? at : text.len;

	while (from > 0 && text.p[from - 1] != '\n')
		from--;
	size_t end = kt_str_chr(text, '\n', from);
	struct kt_str line = kt_str_sub(text, from, (end == KT_NPOS ? text.len : end) - from);
	at = at < text.len ? at - from : 0;
	line = around(line, &at);
	/* Redacted before it is cut: behind a cut a secret has no name. */
	kt_redact(&clean, kt_str_sub(line, 0, at));
	at = clean.len;
	kt_buf_clear(&clean);
	kt_redact(&clean, line);
	line = kt_buf_view(&clean);
	if (line.len > SHOWN_MAX && at > SHOWN_MAX / 2)
		line = kt_str_from(line, at - SHOWN_MAX / 2);
	while (line.len && ((unsigned char)line.p[0] & 0xc0) == 0x80)
		line = kt_str_from(line, 1); /* not from the middle of a character */
	line = kt_arena_str(&s->keep, kt_str_sub(kt_str_trim(line), 0, SHOWN_MAX));
	kt_buf_free(&clean);
	return line;
}

struct kt_act *kt_act_new(struct kt_session *s, enum kt_act_kind kind, struct kt_str label)
{
	struct kt_act *act = kt_alloc(sizeof *act);

	act->kind = kind;
	act->label = kt_session_keep(s, label);
	act->fact = act->check = KT_NIL;
	return act;
}

void kt_act_free(struct kt_act *take_act)
{
	if (!take_act)
		return;
	kt_free(take_act->recs);
	kt_free(take_act->raws);
	kt_free(take_act->inputs);
	kt_free(take_act->commands);
	kt_free(take_act->inconclusive);
	kt_free(take_act);
}

struct kt_raw *kt_act_raw(struct kt_act *act, enum kt_obs_kind kind)
{
	struct kt_raw *r = &KT_PUSH(act->raws, act->n_raws, act->cap_raws);

	*r = (struct kt_raw){.kind = kind,
			     .item = KT_NIL,
			     .fact = KT_NIL,
			     .rec = KT_NIL,
			     .state = KT_STATE_PRESENT,
			     .count = 1};
	return r;
}

struct kt_raw_rec *kt_act_rec(struct kt_act *act)
{
	struct kt_raw_rec *r = &KT_PUSH(act->recs, act->n_recs, act->cap_recs);

	*r = (struct kt_raw_rec){.input = 0};
	return r;
}

static void forget_undone(struct kt_session *s)
{
	for (size_t i = 0; i < s->n_redo; i++)
		kt_act_free(s->acts[s->n_acts + i]);
	s->n_redo = 0;
}

int kt_act_add(struct kt_session *s, struct kt_act *take_act, struct kt_err *err)
{
	forget_undone(s);
	KT_PUSH(s->acts, s->n_acts, s->cap_acts) = take_act;
	kt_session_stale(s);
	return kt_journal_act(s, take_act, err);
}

bool kt_session_undo(struct kt_session *s, struct kt_str *what)
{
	if (!s->n_acts)
		return false;
	s->n_acts--;
	s->n_redo++;
	*what = s->acts[s->n_acts]->label;
	kt_session_stale(s);
	kt_journal_mark(s, "undo");
	return true;
}

bool kt_session_redo(struct kt_session *s, struct kt_str *what)
{
	if (!s->n_redo)
		return false;
	*what = s->acts[s->n_acts]->label;
	s->n_acts++;
	s->n_redo--;
	kt_session_stale(s);
	kt_journal_mark(s, "redo");
	return true;
}
