#include "session/state.h"

#include <stdlib.h>

#include "base/banned.h"

#define INPUT_SHIFT 40                /* struct kt_rec: input number << 40 | line */
#define TIME_LATER  UINT64_C(1) << 62 /* answers and rows stand behind every record */

void kt_session_stale(struct kt_session *s)
{
	s->fresh = s->planned = false;
}

static bool set_later(const struct kt_session *s, size_t i, uint32_t fact)
{
	for (size_t k = i + 1; k < s->n_acts; k++)
		if (s->acts[k]->kind == KT_ACT_SET && s->acts[k]->fact == fact)
			return true;
	return false;
}

/* A fact that was set aside and then stated: the statement alone counts. */
static bool replaced(const struct kt_session *s, size_t i, uint32_t fact)
{
	for (size_t k = i + 1; fact != KT_NIL && k < s->n_acts; k++)
		if (s->acts[k]->kind == KT_ACT_ASIDE && s->acts[k]->fact == fact && set_later(s, k, fact))
			return true;
	return false;
}

/* The last run of a check is the one that counts. */
static bool superseded(const struct kt_session *s, size_t i)
{
	const struct kt_act *act = s->acts[i];

	if (act->kind == KT_ACT_ASIDE && act->fact != KT_NIL && set_later(s, i, act->fact))
		return true;
	for (size_t k = i + 1; k < s->n_acts; k++) {
		const struct kt_act *later = s->acts[k];
		if (act->kind == KT_ACT_RUN && later->kind == KT_ACT_RUN && later->check == act->check)
			return true;
		if (act->kind == KT_ACT_SET && later->kind == KT_ACT_UNSET && later->fact == act->fact)
			return true;
	}
	return false;
}

struct builder {
	struct kt_session *s;
	struct kt_rec *recs;
	size_t n_recs;
	const struct kt_raw_rec **raw; /* of each rec */
	const struct kt_ops *ops;
	uint64_t inputs; /* inputs of the acts before */
};

static void add_recs(struct builder *b, const struct kt_act *act)
{
	for (size_t i = 0; i < act->n_recs; i++) {
		const struct kt_raw_rec *r = &act->recs[i];
		size_t n = b->n_recs++;
		b->raw[n] = r;
		b->recs[n] = (struct kt_rec){
			.id = (uint32_t)n,
			.cls = r->cls,
			.frame = r->frame,
			.logger = r->logger,
			.op = kt_ops_of(b->ops, r),
			.quotes = KT_NIL,
			.media = r->media,
			.at = (b->inputs + r->input) << INPUT_SHIFT | r->line,
			.source = r->source,
		};
	}
}

/* The place of the last of equal ones, where there are several. */
static void note_last(struct builder *b, const struct kt_act *act, const struct kt_raw *raw,
		      struct kt_obs *obs)
{
	if (raw->count < 2 || !raw->last_line || raw->last_input >= act->n_inputs)
		return;
	obs->last = kt_arena_fmt(&b->s->view, KT_FMT ":%llu", KT_ARG(act->inputs[raw->last_input].name),
				 (unsigned long long)raw->last_line);
	obs->last_at = (b->inputs + raw->last_input) << INPUT_SHIFT | raw->last_line;
}

static void add_obs(struct builder *b, size_t no, const struct kt_rec *recs)
{
	struct kt_session *s = b->s;
	const struct kt_act *act = s->acts[no];

	for (size_t i = 0; i < act->n_raws; i++) {
		const struct kt_raw *raw = &act->raws[i];
		if (raw->kind == KT_OBS_FACT && replaced(s, no, raw->fact))
			continue;
		const struct kt_rec *rec = raw->rec == KT_NIL ? NULL : &recs[raw->rec];
		bool by_op = raw->fact != KT_NIL && s->kb->facts[raw->fact].scope == KT_SCOPE_OPERATION;
		s->obs[s->n_obs++] = (struct kt_obs){
			.kind = raw->kind,
			.item = raw->item,
			.fact = raw->fact,
			.state = raw->state,
			.rec = rec,
			.row = raw->row,
			.value = raw->value,
			.scope = by_op && rec ? rec->op : KT_NONE,
			.source = raw->source,
			.at = rec ? rec->at : TIME_LATER,
			.text = raw->text,
			.count = raw->count,
			.at_least = raw->at_least,
		};
		note_last(b, act, raw, &s->obs[s->n_obs - 1]);
	}
}

/* What is missing in an input speaks only if it is a log, read whole: a pasted part
 * or a report in prose need not mention a thing. */
static bool whole_log(const struct kt_act *act, const struct kt_input_view *in)
{
	return in->complete && in->is_log && act->kind == KT_ACT_SCAN && !act->n_inconclusive;
}

static void add_inputs(struct builder *b, const struct kt_act *act)
{
	struct kt_session *s = b->s;

	for (size_t i = 0; i < act->n_inputs; i++) {
		s->inputs[s->n_inputs++] = act->inputs[i];
		s->obs[s->n_obs++] = (struct kt_obs){.kind = KT_OBS_INPUT,
						     .item = KT_NIL,
						     .fact = KT_NIL,
						     .complete = whole_log(act, &act->inputs[i]),
						     .source = act->inputs[i].name};
	}
	for (size_t i = 0; i < act->n_commands; i++)
		s->commands[s->n_commands++] = act->commands[i];
	for (size_t i = 0; i < act->n_inconclusive; i++)
		s->inconclusive[s->n_inconclusive++] = act->inconclusive[i];
	b->inputs += act->n_inputs;
}

struct head {
	uint64_t hash;
	uint32_t rec;
};

static int by_hash(const void *a, const void *b)
{
	const struct head *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->rec < y->rec ? -1 : x->rec > y->rec;
}

static const struct head *first_of(const struct head *heads, size_t n, uint64_t hash)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (heads[mid].hash < hash)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && heads[lo].hash == hash ? &heads[lo] : NULL;
}

/* A record quotes another when that one's own exception line stands in it. */
static void find_quotes(struct builder *b)
{
	struct head *heads = KT_NEW_N(&b->s->view, struct head, b->n_recs);
	size_t n = 0;

	for (size_t i = 0; i < b->n_recs; i++)
		if (b->raw[i]->head)
			heads[n++] = (struct head){b->raw[i]->head, (uint32_t)i};
	if (n)
		qsort(heads, n, sizeof *heads, by_hash);
	for (size_t i = 0; i < b->n_recs; i++) {
		for (size_t k = 0; k < b->raw[i]->n_heads && b->recs[i].quotes == KT_NIL; k++) {
			const struct head *h = first_of(heads, n, b->raw[i]->heads[k]);
			if (h && h->rec != i)
				b->recs[i].quotes = h->rec;
		}
	}
}

static void measure(const struct kt_session *s, size_t *recs, size_t *obs, size_t *inputs, size_t *commands,
		    size_t *inconclusive)
{
	for (size_t i = 0; i < s->n_acts; i++) {
		const struct kt_act *act = s->acts[i];
		*recs += act->n_recs;
		*obs += act->n_raws + act->n_inputs;
		*inputs += act->n_inputs;
		*commands += act->n_commands;
		*inconclusive += act->n_inconclusive;
	}
}

static void gather(struct kt_session *s)
{
	size_t recs = 0, obs = 1, inputs = 0, commands = 0, inconclusive = 0;

	measure(s, &recs, &obs, &inputs, &commands, &inconclusive);
	struct builder b = {.s = s, .ops = kt_ops_new(s, &s->view)};
	b.recs = KT_NEW_N(&s->view, struct kt_rec, recs);
	b.raw = KT_NEW_N(&s->view, const struct kt_raw_rec *, recs);
	s->obs = KT_NEW_N(&s->view, struct kt_obs, obs);
	s->inputs = KT_NEW_N(&s->view, struct kt_input_view, inputs);
	s->commands = KT_NEW_N(&s->view, struct kt_command_view, commands);
	s->inconclusive = KT_NEW_N(&s->view, struct kt_str, inconclusive);
	s->n_obs = s->n_inputs = s->n_commands = s->n_inconclusive = 0;
	for (size_t i = 0; i < s->n_acts; i++) {
		const struct kt_act *act = s->acts[i];
		const struct kt_rec *mine = b.recs + b.n_recs;
		add_recs(&b, act);
		if (!superseded(s, i))
			add_obs(&b, i, mine);
		add_inputs(&b, act);
	}
	find_quotes(&b);
	if (s->cluster)
		s->obs[s->n_obs++] = (struct kt_obs){
			.kind = KT_OBS_CONNECTED, .item = KT_NIL, .fact = KT_NIL};
}

void kt_session_view(struct kt_session *s)
{
	if (s->fresh)
		return;
	kt_arena_free(&s->view);
	gather(s);
	kt_judge(s->kb, s->obs, s->n_obs, &s->view, &s->judgement);
	s->fresh = true;
}

const struct kt_judgement *kt_session_judgement(struct kt_session *s)
{
	kt_session_view(s);
	return &s->judgement;
}

const struct kt_plan *kt_session_plan(struct kt_session *s)
{
	kt_session_view(s);
	if (!s->planned)
		kt_plan(s->kb, s->obs, s->n_obs, &s->judgement, &s->view, &s->plan);
	s->planned = true;
	return &s->plan;
}

const struct kt_obs *kt_session_obs(struct kt_session *s, size_t *n)
{
	kt_session_view(s);
	*n = s->n_obs;
	return s->obs;
}

struct kt_arena *kt_session_arena(struct kt_session *s)
{
	kt_session_view(s);
	return &s->view;
}

const struct kt_input_view *kt_session_inputs(struct kt_session *s, size_t *n)
{
	kt_session_view(s);
	*n = s->n_inputs;
	return s->inputs;
}

const struct kt_command_view *kt_session_commands(struct kt_session *s, size_t *n)
{
	kt_session_view(s);
	*n = s->n_commands;
	return s->commands;
}

const struct kt_str *kt_session_inconclusive(struct kt_session *s, size_t *n)
{
	kt_session_view(s);
	*n = s->n_inconclusive;
	return s->inconclusive;
}

/* Classify until what is pinned is known; surface and match until something is
 * evoked; collect while the verdict is open; resolve when there is an answer. */
enum kt_step kt_session_step(struct kt_session *s)
{
	const struct kt_judgement *j = kt_session_judgement(s);

	if (j->verdict <= KT_LIKELY)
		return KT_STEP_RESOLVE;
	if (j->n_evoked)
		return KT_STEP_COLLECT;
	uint32_t q = kt_session_best_question(s);
	return q == KT_NIL ? KT_STEP_COLLECT : (enum kt_step)s->kb->facts[q].step;
}
