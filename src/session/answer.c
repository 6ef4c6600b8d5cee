#include "session/state.h"

#include <string.h>

#include "base/alloc.h"

#include "base/banned.h"

#define UNKNOWN "unknown"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_guid(struct kt_str v)
{
	static const char shape[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

	if (v.len != sizeof shape - 1)
		return false;
	for (size_t i = 0; i < v.len; i++)
		if (shape[i] == 'x' ? !is_hex(v.p[i]) : v.p[i] != shape[i])
			return false;
	return true;
}

static bool is_number(struct kt_str v)
{
	size_t i = v.len && v.p[0] == '-' ? 1 : 0;

	if (i == v.len)
		return false;
	for (; i < v.len; i++)
		if (!is_digit(v.p[i]) && v.p[i] != '.')
			return false;
	return true;
}

static bool is_choice(const struct kt_kb *kb, const struct kt_fact *f, struct kt_str v)
{
	for (uint32_t i = 0; i < f->choices.n; i++)
		if (kt_str_eq(kt_kb_text(kb, kb->choices[f->choices.at + i].value), v))
			return true;
	return false;
}

bool kt_fact_valid(const struct kt_kb *kb, uint32_t fact, struct kt_str v)
{
	const struct kt_fact *f = &kb->facts[fact];

	switch ((enum kt_fact_type)f->type) {
	case KT_FACT_CHOICE: return is_choice(kb, f, v);
	case KT_FACT_BOOL: return kt_str_eq_c(v, "true") || kt_str_eq_c(v, "false");
	case KT_FACT_NUMBER: return is_number(v);
	case KT_FACT_VERSION: return v.len > 0 && is_digit(v.p[0]);
	case KT_FACT_GUID: return is_guid(v);
	case KT_FACT_DATETIME: return v.len >= 10 && is_digit(v.p[0]);
	case KT_FACT_STRING:
	case KT_FACT_DURATION:
	case KT_FACT_URL: return v.len > 0;
	}
	return false;
}

struct kt_str kt_fact_clean(const struct kt_kb *kb, uint32_t fact, struct kt_str v, struct kt_arena *a)
{
	enum kt_clean how = (enum kt_clean)kb->facts[fact].clean;
	char *p = kt_arena_alloc(a, v.len + 1);

	for (size_t i = 0; i < v.len; i++) {
		char c = v.p[i];
		if (how != KT_CLEAN_NONE && c >= 'A' && c <= 'Z')
			c = (char)(c + ('a' - 'A'));
		if (how == KT_CLEAN_GUID && c == '_')
			c = '-';
		p[i] = c;
	}
	return (struct kt_str){p, v.len};
}

static void add_choices(struct kt_buf *b, const struct kt_kb *kb, const struct kt_fact *f)
{
	for (uint32_t i = 0; i < f->choices.n; i++)
		kt_buf_fmt(b, KT_FMT ", ", KT_ARG(kt_kb_text(kb, kb->choices[f->choices.at + i].value)));
}

/* "I did not set it" is an answer to every option; a choice may list it itself. */
static bool may_be_not_set(const struct kt_fact *f)
{
	return f->defaults.n > 0;
}

static int wrong_value(const struct kt_kb *kb, const struct kt_fact *f, struct kt_str v, struct kt_err *err)
{
	struct kt_buf words = KT_BUF(512);
	struct kt_str names[32];
	size_t n = 0;

	for (uint32_t i = 0; i < f->choices.n && n < KT_LEN(names); i++)
		names[n++] = kt_kb_text(kb, kb->choices[f->choices.at + i].value);
	struct kt_str near = kt_str_nearest(v, names, n);
	add_choices(&words, kb, f);
	kt_err_set(err, KT_ERR_USAGE, KT_FMT ": '" KT_FMT "' is no %s%s" KT_FMT "%s; give %s%s%s",
		   KT_ARG(kt_kb_text(kb, f->id)), KT_ARG(v),
		   f->type == KT_FACT_CHOICE ? "choice" : kt_fact_type_word((enum kt_fact_type)f->type),
		   near.len ? "; did you mean '" : "", KT_ARG(near), near.len ? "'?" : "", kt_buf_c(&words),
		   may_be_not_set(f) && !is_choice(kb, f, KT_S(KT_NOT_SET)) ? KT_NOT_SET ", " : "", UNKNOWN);
	kt_buf_free(&words);
	return -1;
}

int kt_session_valid(const struct kt_session *s, uint32_t fact, struct kt_str value, struct kt_err *err)
{
	const struct kt_fact *f = &s->kb->facts[fact];

	if (kt_str_eq_c(value, UNKNOWN) || kt_fact_valid(s->kb, fact, value))
		return 0;
	if (kt_str_eq_c(value, KT_NOT_SET) && may_be_not_set(f))
		return 0;
	return wrong_value(s->kb, f, value, err);
}

static int find_fact(const struct kt_session *s, struct kt_str id, uint32_t *fact, struct kt_err *err)
{
	*fact = kt_kb_fact(s->kb, id);
	if (*fact != KT_NIL)
		return 0;
	struct kt_str *names = kt_alloc_n(s->kb->n_facts, sizeof *names);
	for (uint32_t i = 0; i < s->kb->n_facts; i++)
		names[i] = kt_kb_text(s->kb, s->kb->facts[i].id);
	struct kt_str near = kt_str_nearest(id, names, s->kb->n_facts);
	kt_free(names);
	if (near.len)
		return kt_err_set(err, KT_ERR_USAGE, "no fact '" KT_FMT "'; did you mean '" KT_FMT "'?",
				  KT_ARG(id), KT_ARG(near));
	return kt_err_set(err, KT_ERR_USAGE, "no fact '" KT_FMT "'; 'facts' lists them", KT_ARG(id));
}

int kt_session_set(struct kt_session *s, struct kt_str fact_id, struct kt_str value, struct kt_str source,
		   struct kt_err *err)
{
	uint32_t fact;

	if (find_fact(s, fact_id, &fact, err) < 0)
		return -1;
	value = kt_fact_clean(s->kb, fact, kt_str_trim(value), &s->keep);
	if (kt_session_valid(s, fact, value, err) < 0)
		return -1;
	struct kt_str label = kt_arena_fmt(&s->keep, KT_FMT " = " KT_FMT, KT_ARG(fact_id), KT_ARG(value));
	struct kt_act *act = kt_act_new(s, KT_ACT_SET, label);
	struct kt_raw *raw = kt_act_raw(act, KT_OBS_FACT);
	act->fact = raw->fact = fact;
	raw->value = kt_session_keep(s, value);
	raw->source = kt_session_keep(s, source);
	if (kt_str_eq_c(value, UNKNOWN))
		raw->state = KT_STATE_UNKNOWN;
	return kt_act_add(s, act, err);
}

/* Is there an answer by a person in force? */
static bool answered(const struct kt_session *s, uint32_t fact)
{
	bool yes = false;

	for (size_t i = 0; i < s->n_acts; i++) {
		if (s->acts[i]->fact != fact)
			continue;
		yes = s->acts[i]->kind == KT_ACT_SET;
	}
	return yes;
}

int kt_session_unset(struct kt_session *s, struct kt_str fact_id, struct kt_err *err)
{
	uint32_t fact;

	if (find_fact(s, fact_id, &fact, err) < 0)
		return -1;
	const struct kt_fact_view *view = &kt_session_judgement(s)->facts[fact];
	if (!answered(s, fact) && !view->n_obs)
		return kt_err_set(err, KT_ERR_USAGE, KT_FMT " is not set", KT_ARG(fact_id));
	struct kt_str label = kt_arena_fmt(&s->keep, "unset " KT_FMT, KT_ARG(fact_id));
	bool mine = answered(s, fact);
	struct kt_act *act = kt_act_new(s, mine ? KT_ACT_UNSET : KT_ACT_ASIDE, label);
	act->fact = fact;
	if (!mine)
		kt_act_raw(act, KT_OBS_ASIDE)->fact = fact;
	return kt_act_add(s, act, err);
}

int kt_session_set_aside(struct kt_session *s, struct kt_str cause_id, struct kt_err *err)
{
	uint32_t cause = kt_kb_cause(s->kb, cause_id);

	if (cause == KT_NIL)
		return kt_err_set(err, KT_ERR_USAGE, "no cause '" KT_FMT "'", KT_ARG(cause_id));
	const struct kt_cause *c = &s->kb->causes[cause];
	struct kt_act *act = kt_act_new(s, KT_ACT_ASIDE,
					kt_arena_fmt(&s->keep, "aside " KT_FMT, KT_ARG(cause_id)));
	for (uint32_t i = 0; i < c->evidence.n; i++) {
		const struct kt_evidence *e = &s->kb->evidence[c->evidence.at + i];
		if (s->kb->items[e->item].kind != KT_ITEM_ASK &&
		    kt_weight_ddb((enum kt_weight)e->weight) >= 200)
			kt_act_raw(act, KT_OBS_ASIDE)->item = e->item;
	}
	return kt_act_add(s, act, err);
}
