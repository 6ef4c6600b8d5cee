#include "session/journal.h"

#include <time.h>

#include "json/write.h"

#include "base/banned.h"

static const char *const act_words[] = {
#define X(id, word) [KT_ACT_##id] = word,
	KT_ACTS(X)
#undef X
};

/* ---- writing ---- */

static void write_time(struct kt_jw *w)
{
	char text[32];
	time_t now = time(NULL);
	struct tm tm;

	gmtime_r(&now, &tm);
	size_t n = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
	kt_jw_str(w, "ts", (struct kt_str){text, n});
}

static struct kt_str fact_id(const struct kt_session *s, uint32_t fact)
{
	return fact == KT_NIL ? KT_NONE : kt_kb_text(s->kb, s->kb->facts[fact].id);
}

static struct kt_str check_id(const struct kt_session *s, uint32_t check)
{
	return check == KT_NIL ? KT_NONE : kt_kb_text(s->kb, s->kb->checks[check].id);
}

static void write_rec(const struct kt_session *s, struct kt_jw *w, const struct kt_raw_rec *r)
{
	kt_jw_open(w, NULL, '{');
	kt_jw_str(w, "class", r->cls);
	kt_jw_str(w, "frame", r->frame);
	kt_jw_str(w, "logger", r->logger);
	kt_jw_str(w, "source", r->source);
	kt_jw_open(w, "keys", '[');
	for (uint32_t k = 0; k < r->n_keys; k++) {
		kt_jw_str(w, NULL, fact_id(s, r->keys[k].fact));
		kt_jw_str(w, NULL, r->keys[k].value);
	}
	kt_jw_close(w);
	kt_jw_int(w, "head", (int64_t)r->head);
	kt_jw_open(w, "heads", '[');
	for (size_t i = 0; i < r->n_heads; i++)
		kt_jw_int(w, NULL, (int64_t)r->heads[i]);
	kt_jw_close(w);
	kt_jw_int(w, "media", r->media);
	kt_jw_int(w, "input", r->input);
	kt_jw_int(w, "line", (int64_t)r->line);
	kt_jw_close(w);
}

/* An item by what it says, since row numbers change with the rules. */
static void write_item(const struct kt_session *s, struct kt_jw *w, uint32_t row)
{
	const struct kt_item *item = &s->kb->items[row];

	kt_jw_int(w, "item", item->kind);
	kt_jw_str(w, "says", kt_kb_text(s->kb, item->text));
	kt_jw_str(w, "check", check_id(s, item->check));
	kt_jw_int(w, "mode", item->mode);
}

static void write_raw(const struct kt_session *s, struct kt_jw *w, const struct kt_raw *raw)
{
	kt_jw_open(w, NULL, '{');
	kt_jw_int(w, "kind", raw->kind);
	if (raw->item != KT_NIL)
		write_item(s, w, raw->item);
	if (raw->fact != KT_NIL)
		kt_jw_str(w, "fact", fact_id(s, raw->fact));
	kt_jw_int(w, "state", raw->state);
	if (raw->rec != KT_NIL)
		kt_jw_int(w, "rec", raw->rec);
	kt_jw_int(w, "row", raw->row);
	kt_jw_str(w, "value", raw->value);
	kt_jw_str(w, "source", raw->source);
	kt_jw_str(w, "text", raw->text);
	kt_jw_int(w, "line", (int64_t)raw->line);
	kt_jw_int(w, "count", raw->count);
	kt_jw_bool(w, "at_least", raw->at_least);
	if (raw->count > 1) {
		kt_jw_int(w, "last_input", raw->last_input);
		kt_jw_int(w, "last_line", (int64_t)raw->last_line);
	}
	kt_jw_close(w);
}

static void write_input(struct kt_jw *w, const struct kt_input_view *in)
{
	kt_jw_open(w, NULL, '{');
	kt_jw_str(w, "name", in->name);
	kt_jw_int(w, "lines", (int64_t)in->lines);
	kt_jw_int(w, "bytes", (int64_t)in->bytes);
	kt_jw_int(w, "records", (int64_t)in->records);
	kt_jw_int(w, "matched", (int64_t)in->matched);
	kt_jw_bool(w, "at_least", in->at_least);
	kt_jw_bool(w, "complete", in->complete);
	kt_jw_bool(w, "is_log", in->is_log);
	kt_jw_str(w, "problem", in->problem);
	kt_jw_close(w);
}

static void write_command(const struct kt_session *s, struct kt_jw *w, const struct kt_command_view *c)
{
	kt_jw_open(w, NULL, '{');
	kt_jw_str(w, "text", c->text);
	kt_jw_int(w, "endpoint", c->endpoint);
	kt_jw_int(w, "state", c->state);
	kt_jw_int(w, "rows", (int64_t)c->rows);
	kt_jw_str(w, "reason", c->reason);
	kt_jw_str(w, "check", check_id(s, c->check));
	kt_jw_close(w);
}

void kt_act_write(const struct kt_session *s, const struct kt_act *act, uint64_t seq, struct kt_buf *out)
{
	struct kt_jw w = {.out = out};

	kt_jw_open(&w, NULL, '{');
	kt_jw_int(&w, "v", 1);
	kt_jw_int(&w, "seq", (int64_t)seq);
	write_time(&w);
	kt_jw_str(&w, "type", kt_str_c(act_words[act->kind]));
	kt_jw_str(&w, "label", act->label);
	kt_jw_str(&w, "fact", fact_id(s, act->fact));
	kt_jw_str(&w, "check", check_id(s, act->check));
	kt_jw_str(&w, "first", act->first_time);
	kt_jw_str(&w, "last", act->last_time);
	kt_jw_open(&w, "recs", '[');
	for (size_t i = 0; i < act->n_recs; i++)
		write_rec(s, &w, &act->recs[i]);
	kt_jw_close(&w);
	kt_jw_open(&w, "obs", '[');
	for (size_t i = 0; i < act->n_raws; i++)
		write_raw(s, &w, &act->raws[i]);
	kt_jw_close(&w);
	kt_jw_open(&w, "inputs", '[');
	for (size_t i = 0; i < act->n_inputs; i++)
		write_input(&w, &act->inputs[i]);
	kt_jw_close(&w);
	kt_jw_open(&w, "commands", '[');
	for (size_t i = 0; i < act->n_commands; i++)
		write_command(s, &w, &act->commands[i]);
	kt_jw_close(&w);
	kt_jw_open(&w, "inconclusive", '[');
	for (size_t i = 0; i < act->n_inconclusive; i++)
		kt_jw_str(&w, NULL, act->inconclusive[i]);
	kt_jw_close(&w);
	kt_jw_close(&w);
	kt_buf_char(out, '\n');
}

/* ---- reading ---- */

static struct kt_str text_of(struct kt_session *s, const struct kt_json *v, const char *key)
{
	return kt_session_keep(s, kt_json_str(kt_json_get(v, key)));
}

static uint32_t number_of(const struct kt_json *v, const char *key, int64_t max)
{
	int64_t n = kt_json_int(kt_json_get(v, key), -1);

	return n < 0 || n > max ? KT_NIL : (uint32_t)n;
}

static uint32_t fact_of(const struct kt_session *s, const struct kt_json *v, const char *key)
{
	return kt_kb_fact(s->kb, kt_json_str(kt_json_get(v, key)));
}

static void read_rec(struct kt_session *s, struct kt_act *act, const struct kt_json *v)
{
	struct kt_raw_rec *r = kt_act_rec(act);
	const struct kt_json *keys = kt_json_get(v, "keys"), *heads = kt_json_get(v, "heads");
	size_t n = kt_json_len(heads);
	uint64_t *list = KT_NEW_N(&s->keep, uint64_t, n);

	r->cls = text_of(s, v, "class");
	r->frame = text_of(s, v, "frame");
	r->logger = text_of(s, v, "logger");
	r->source = text_of(s, v, "source");
	for (size_t k = 0; k + 1 < kt_json_len(keys) && r->n_keys < KT_RAW_KEYS; k += 2) {
		uint32_t fact = kt_kb_fact(s->kb, kt_json_str(kt_json_at(keys, k)));
		if (fact == KT_NIL)
			continue;
		r->keys[r->n_keys].fact = fact;
		r->keys[r->n_keys++].value = kt_session_keep(s, kt_json_str(kt_json_at(keys, k + 1)));
	}
	for (size_t i = 0; i < n; i++)
		list[i] = (uint64_t)kt_json_int(kt_json_at(heads, i), 0);
	r->head = (uint64_t)kt_json_int(kt_json_get(v, "head"), 0);
	r->heads = list;
	r->n_heads = n;
	uint32_t media = number_of(v, "media", KT_MEDIA_SOURCE);
	r->media = media == KT_NIL ? KT_MEDIA_LOG : (enum kt_media)media;
	uint32_t input = number_of(v, "input", 1 << 20);
	r->input = input == KT_NIL ? 0 : input;
	r->line = (uint64_t)kt_json_int(kt_json_get(v, "line"), 0);
}

static uint32_t find_item(const struct kt_session *s, const struct kt_json *v)
{
	struct kt_str says = kt_json_str(kt_json_get(v, "says"));
	struct kt_str check = kt_json_str(kt_json_get(v, "check"));
	int64_t kind = kt_json_int(kt_json_get(v, "item"), -1);
	int64_t mode = kt_json_int(kt_json_get(v, "mode"), -1);

	for (uint32_t i = 0; i < s->kb->n_items; i++) {
		const struct kt_item *item = &s->kb->items[i];
		if (item->kind == kind && item->mode == mode &&
		    kt_str_eq(says, kt_kb_text(s->kb, item->text)) &&
		    kt_str_eq(check, check_id(s, item->check)))
			return i;
	}
	return KT_NIL;
}

/* False: it names a rule that is gone, or is no observation. */
static bool read_raw(struct kt_session *s, struct kt_act *act, const struct kt_json *v)
{
	uint32_t kind = number_of(v, "kind", KT_OBS_ASIDE), state = number_of(v, "state", KT_STATE_PRESENT);
	uint32_t item = kt_json_get(v, "item") ? find_item(s, v) : KT_NIL;
	uint32_t fact = kt_json_get(v, "fact") ? fact_of(s, v, "fact") : KT_NIL;

	if (kind == KT_NIL || state == KT_NIL || (kt_json_get(v, "item") && item == KT_NIL) ||
	    (kt_json_get(v, "fact") && fact == KT_NIL))
		return false;
	uint32_t rec = number_of(v, "rec", INT32_MAX);
	if (rec != KT_NIL && rec >= act->n_recs)
		return false;
	bool whole = kind == KT_OBS_FATAL ? rec != KT_NIL
		     : kind == KT_OBS_HIT
			     ? rec != KT_NIL && item != KT_NIL && s->kb->items[item].kind == KT_ITEM_LOG
		     : kind == KT_OBS_SHOW ? item != KT_NIL && s->kb->items[item].kind == KT_ITEM_SHOW
		     : kind == KT_OBS_FACT
			     ? fact != KT_NIL
			     : kind == KT_OBS_ASIDE && (item != KT_NIL || fact != KT_NIL || rec != KT_NIL);
	if (!whole)
		return false;
	struct kt_raw *raw = kt_act_raw(act, (enum kt_obs_kind)kind);
	raw->item = item;
	raw->fact = fact;
	raw->rec = rec;
	raw->state = (enum kt_state)state;
	uint32_t row = number_of(v, "row", INT32_MAX), count = number_of(v, "count", UINT32_MAX - 1);
	raw->row = row == KT_NIL ? 0 : row;
	raw->count = count == KT_NIL ? 1 : count;
	raw->at_least = kt_json_bool(kt_json_get(v, "at_least"), false);
	raw->last_input = number_of(v, "last_input", INT32_MAX);
	raw->last_line = (uint64_t)kt_json_int(kt_json_get(v, "last_line"), 0);
	raw->value = text_of(s, v, "value");
	raw->source = text_of(s, v, "source");
	raw->text = text_of(s, v, "text");
	raw->line = (uint64_t)kt_json_int(kt_json_get(v, "line"), 0);
	return true;
}

static void read_input(struct kt_session *s, struct kt_act *act, const struct kt_json *v)
{
	KT_PUSH(act->inputs, act->n_inputs, act->cap_inputs) = (struct kt_input_view){
		.name = text_of(s, v, "name"),
		.lines = (uint64_t)kt_json_int(kt_json_get(v, "lines"), 0),
		.bytes = (uint64_t)kt_json_int(kt_json_get(v, "bytes"), 0),
		.records = (uint64_t)kt_json_int(kt_json_get(v, "records"), 0),
		.matched = (uint64_t)kt_json_int(kt_json_get(v, "matched"), 0),
		.at_least = kt_json_bool(kt_json_get(v, "at_least"), false),
		.complete = kt_json_bool(kt_json_get(v, "complete"), false),
		.is_log = kt_json_bool(kt_json_get(v, "is_log"), false),
		.problem = text_of(s, v, "problem"),
	};
}

static void read_command(struct kt_session *s, struct kt_act *act, const struct kt_json *v)
{
	uint32_t state = number_of(v, "state", KT_CMD_NOT_SENT),
		 endpoint = number_of(v, "endpoint", KT_INGEST);

	KT_PUSH(act->commands, act->n_commands, act->cap_commands) = (struct kt_command_view){
		.text = text_of(s, v, "text"),
		.reason = text_of(s, v, "reason"),
		.rows = (uint64_t)kt_json_int(kt_json_get(v, "rows"), 0),
		.state = state == KT_NIL ? KT_CMD_FAILED : (enum kt_command_state)state,
		.endpoint = endpoint == KT_NIL ? KT_ENGINE : (enum kt_endpoint)endpoint,
		.check = kt_kb_check_id(s->kb, kt_json_str(kt_json_get(v, "check"))),
	};
}

static void read_lists(struct kt_session *s, struct kt_act *act, const struct kt_json *line, size_t *lost)
{
	const struct kt_json *recs = kt_json_get(line, "recs"), *obs = kt_json_get(line, "obs");
	const struct kt_json *inputs = kt_json_get(line, "inputs"), *cmds = kt_json_get(line, "commands");
	const struct kt_json *limits = kt_json_get(line, "inconclusive");

	for (size_t i = 0; i < kt_json_len(recs); i++)
		read_rec(s, act, kt_json_at(recs, i));
	for (size_t i = 0; i < kt_json_len(obs); i++)
		*lost += !read_raw(s, act, kt_json_at(obs, i));
	for (size_t i = 0; i < kt_json_len(inputs); i++)
		read_input(s, act, kt_json_at(inputs, i));
	for (size_t i = 0; i < kt_json_len(cmds); i++)
		read_command(s, act, kt_json_at(cmds, i));
	for (size_t i = 0; i < kt_json_len(limits); i++)
		KT_PUSH(act->inconclusive, act->n_inconclusive,
			act->cap_inconclusive) = kt_session_keep(s, kt_json_str(kt_json_at(limits, i)));
}

struct kt_act *kt_act_read(struct kt_session *s, const struct kt_json *line, size_t *lost)
{
	struct kt_str type = kt_json_str(kt_json_get(line, "type"));

	for (size_t k = 0; k < KT_LEN(act_words); k++) {
		if (!kt_str_eq_c(type, act_words[k]))
			continue;
		struct kt_act *act = kt_act_new(s, (enum kt_act_kind)k,
						kt_json_str(kt_json_get(line, "label")));
		act->fact = fact_of(s, line, "fact");
		act->check = kt_kb_check_id(s->kb, kt_json_str(kt_json_get(line, "check")));
		act->first_time = text_of(s, line, "first");
		act->last_time = text_of(s, line, "last");
		read_lists(s, act, line, lost);
		return act;
	}
	return NULL;
}
