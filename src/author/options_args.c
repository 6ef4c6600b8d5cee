/* What the arguments of calls and the entries of maps say. */
#include "author/options_parse.h"

#include "base/banned.h"

static struct kt_str span_of(const struct kt_opt_reader *r, const struct kt_opt_frame *f)
{
	return kt_str_sub(r->text, f->first.at, f->last.end - f->first.at);
}

static bool is_word(const struct kt_opt_token *t, const char *a, const char *b)
{
	return t->kind == KT_OT_WORD && (kt_str_eq_c(t->text, a) || kt_str_eq_c(t->text, b));
}

/* 100_000 and 5L as the program means them. */
static struct kt_str number(struct kt_opt_reader *r, struct kt_str s)
{
	char *out = kt_arena_alloc(r->a, s.len + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] != '_' && !(i + 1 == s.len && (s.p[i] == 'L' || s.p[i] == 'l')))
			out[n++] = s.p[i];
	return (struct kt_str){out, n};
}

/* The value that the argument spells out; false when it is computed. */
static bool literal(struct kt_opt_reader *r, const struct kt_opt_frame *f, struct kt_str *value)
{
	const struct kt_opt_token *t = &f->first;
	bool one = f->n == 1;

	if (one && t->kind == KT_OT_STRING && t->plain)
		*value = t->text;
	else if (one && t->kind == KT_OT_NUMBER)
		*value = number(r, t->text);
	else if (f->n == 2 && t->kind == KT_OT_SIGN && kt_str_eq_c(t->text, "-") &&
		 f->last.kind == KT_OT_NUMBER && f->last.at == t->end)
		*value = number(r, span_of(r, f));
	else if (one && is_word(t, "true", "True"))
		*value = KT_S("true");
	else if (one && is_word(t, "false", "False"))
		*value = KT_S("false");
	else
		return false;
	return true;
}

/* The argument as a name: a text, or a constant that is known. */
bool kt_optr_key_of(struct kt_opt_reader *r, const struct kt_opt_frame *f, struct kt_opt_pair *key)
{
	*key = (struct kt_opt_pair){.at = f->first.at, .option = KT_NIL};
	if (f->n == 1 && f->first.kind == KT_OT_STRING && f->first.plain) {
		key->name = f->first.text;
		key->option = kt_opt_named(r->kb, key->name);
		return key->name.len > 0;
	}
	if (!f->n || !f->path || f->last.kind != KT_OT_WORD)
		return false;
	key->option = kt_opt_constant(r->kb, f->last.text);
	if (key->option == KT_NIL)
		return false;
	key->name = kt_kb_text(r->kb, r->kb->options[key->option].id);
	return true;
}

void kt_optr_begin_argument(struct kt_opt_frame *f)
{
	f->n = 0;
	f->path = true;
	f->took = f->dot = f->member = f->has_index = false;
	f->cur = KT_NIL;
	f->root = f->word = f->typed = KT_NONE;
}

static void end_pair(struct kt_opt_reader *r, struct kt_opt_frame *f)
{
	uint32_t list = kt_optr_list_of(r, f);

	f->has_key = false;
	f->key.known = literal(r, f, &f->key.value);
	if (f->key.known && f->first.kind == KT_OT_STRING)
		f->quoted = true;
	if (!f->key.known && f->bare && f->n) {
		f->key.value = span_of(r, f);
		f->key.known = true;
	}
	f->pairs++;
	kt_optr_add_pair(r, list, &f->key);
}

static void said(struct kt_opt_reader *r, const struct kt_opt_frame *f, struct kt_opt_said *what)
{
	what->there = true;
	what->known = literal(r, f, &what->text);
	if (!what->known && f->path && f->n == 3 && kt_str_eq_c(f->root, "SaveMode")) {
		what->known = true;
		what->text = f->word;
	}
}

/* Argument number ARG of the source's own method, on this side. */
static uint32_t option_at(const struct kt_kb *kb, unsigned arg, enum kt_opt_side side)
{
	const char *other = side == KT_OPT_READ ? "write" : "read";

	for (uint32_t i = 0; i < kb->n_options; i++)
		if (kb->options[i].argument == arg &&
		    !kt_str_eq_c(kt_kb_text(kb, kb->options[i].scope), other))
			return i;
	return KT_NIL;
}

static void source_argument(struct kt_opt_reader *r, struct kt_opt_frame *f)
{
	struct kt_opt_list *c = &r->out->p[f->chain];
	uint32_t option = option_at(r->kb, f->arg + 1, c->side);

	if (f->took)
		return;
	if (option == KT_NIL) {
		c->open = true;
		return;
	}
	struct kt_opt_pair pair = {.name = kt_kb_text(r->kb, r->kb->options[option].id),
				   .at = f->first.at,
				   .option = option,
				   .positional = true};
	pair.known = literal(r, f, &pair.value);
	kt_optr_add_pair(r, f->chain, &pair);
}

/* A variable that stands for a list goes into the chain. */
static void take_variable(struct kt_opt_reader *r, struct kt_opt_frame *f)
{
	if (f->call != KT_OC_OPTIONS && f->call != KT_OC_SOURCE)
		return;
	if (f->took) {
		/* Map(..) ++ others */
		if (f->last.kind != KT_OT_SIGN || kt_str_chr(KT_S(")}"), f->last.text.p[0], 0) == KT_NPOS)
			r->out->p[f->chain].open = true;
		return;
	}
	bool stars = f->n == 2 && f->first.kind == KT_OT_SIGN && kt_str_eq_c(f->first.text, "**");
	uint32_t list = f->path || stars ? kt_optr_lookup(r, f->root) : KT_NIL;
	if (list != KT_NIL && !r->out->p[list].chain) {
		kt_optr_take_in(r, f->chain, list);
		f->took = true;
	} else if (f->call == KT_OC_OPTIONS) {
		r->out->p[f->chain].open = true;
	}
}

static void end_key(struct kt_opt_reader *r, struct kt_opt_frame *f, bool parted)
{
	if (f->arg == 0 && parted && kt_optr_key_of(r, f, &f->key))
		f->has_key = true;
	else if (f->arg == 0 && f->n)
		r->out->p[f->chain].open = true;
}

/* PARTED: by a comma; else the bracket ends here. */
void kt_optr_end_argument(struct kt_opt_reader *r, struct kt_opt_frame *f, bool parted)
{
	if (f->has_key) {
		end_pair(r, f);
	} else if (f->n) {
		struct kt_opt_list *c = f->chain == KT_NIL ? NULL : &r->out->p[f->chain];
		take_variable(r, f);
		if (f->call == KT_OC_FORMAT && f->arg == 0)
			said(r, f, &c->format);
		else if (f->call == KT_OC_MODE && f->arg == 0)
			said(r, f, &c->mode);
		else if (f->call == KT_OC_OPTION || f->call == KT_OC_PUT)
			end_key(r, f, parted);
		else if (f->call == KT_OC_SOURCE)
			source_argument(r, f);
		f->mixed = true;
	}
	kt_optr_begin_argument(f);
}
