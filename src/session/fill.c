#include "session/state.h"

#include <string.h>

#include "base/banned.h"

/* Does the observation stand on a record that gave evidence for the cause? */
static bool in_records_of(const struct kt_cause_view *c, const struct kt_obs *o, bool same_record)
{
	for (size_t i = 0; c && i < c->n_addends; i++) {
		const struct kt_rec *r = c->addends[i].obs ? c->addends[i].obs->rec : NULL;
		if (!r || !o->rec)
			continue;
		if (same_record ? r->id == o->rec->id : r->op.len && kt_str_eq(r->op, o->rec->op))
			return true;
	}
	return false;
}

static bool has_value(const struct kt_obs *o, uint32_t fact)
{
	return o->kind == KT_OBS_FACT && o->fact == fact && o->state == KT_STATE_PRESENT &&
	       !kt_str_eq_c(o->value, KT_NOT_SET);
}

/* From the cause's own records, then from its operation, then from the incident. */
bool kt_session_lookup(struct kt_session *s, struct kt_str name, uint32_t cause, struct kt_str *value)
{
	const struct kt_judgement *j = kt_session_judgement(s);
	const struct kt_cause_view *c = cause == KT_NIL ? NULL : &j->causes[cause];
	uint32_t fact = kt_kb_fact(s->kb, name);

	if (fact == KT_NIL)
		return false;
	for (int same_record = 1; c && same_record >= 0; same_record--)
		for (size_t i = 0; i < s->n_obs; i++)
			if (has_value(&s->obs[i], fact) && in_records_of(c, &s->obs[i], same_record)) {
				*value = s->obs[i].value;
				return true;
			}
	*value = j->facts[fact].value;
	return j->facts[fact].state == KT_FS_KNOWN || j->facts[fact].state == KT_FS_DEFAULT ||
	       j->facts[fact].state == KT_FS_ASSUMED;
}

/* The name in "{name}" or "{name:type}" at AT; empty if it is no placeholder. */
static struct kt_str placeholder(struct kt_str text, size_t at, size_t *end)
{
	size_t close = kt_str_chr(text, '}', at);

	if (close == KT_NPOS || close - at < 2)
		return KT_NONE;
	*end = close + 1;
	struct kt_str name = kt_str_sub(text, at + 1, close - at - 1);
	size_t colon = kt_str_chr(name, ':', 0);
	if (colon != KT_NPOS)
		name = kt_str_sub(name, 0, colon);
	for (size_t i = 0; i < name.len; i++) {
		char x = (char)(name.p[i] | 0x20);
		if ((x < 'a' || x > 'z') && !(i && name.p[i] >= '0' && name.p[i] <= '9'))
			return KT_NONE;
	}
	return name;
}

void kt_session_fill(struct kt_session *s, struct kt_str text, uint32_t cause, struct kt_buf *out)
{
	size_t at = 0;

	for (size_t open; (open = kt_str_chr(text, '{', at)) != KT_NPOS;) {
		size_t end = open + 1;
		struct kt_str name = placeholder(text, open, &end), value;
		kt_buf_add(out, kt_str_sub(text, at, open - at));
		if (!name.len)
			kt_buf_char(out, '{');
		else if (kt_session_lookup(s, name, cause, &value))
			kt_buf_add(out, value);
		else
			kt_buf_fmt(out, "<" KT_FMT ">", KT_ARG(name));
		at = name.len ? end : open + 1;
	}
	kt_buf_add(out, kt_str_from(text, at));
}
