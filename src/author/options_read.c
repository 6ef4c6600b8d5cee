/* One pass over the tokens with a stack of open brackets. What belongs to what is told
 * by the calls and signs around it, as all the languages write them alike. */
#include "author/options_read.h"

#include "author/options_lex.h"
#include "base/alloc.h"
#include "rules/map.h"

#include "base/banned.h"

#define DEPTH    128
#define USES_MAX 64

/* What a bracket belongs to: methods of Spark's readers and writers, and of maps. */
enum call {
	NOTHING, /* grouping, a block, the whole text */
	OTHER,
	FORMAT,
	OPTION,
	OPTIONS,
	MODE,
	PUT,
	ENDING,
	FOREIGN, /* reads or writes with another source */
	SOURCE,  /* the source's own method */
	MAP,
	INDEX, /* name[..] */
};

static const struct {
	struct kt_str name;
	enum call call;
} methods[] = {
	{{"format", 6}, FORMAT},
	{{"option", 6}, OPTION},
	{{"options", 7}, OPTIONS},
	{{"mode", 4}, MODE},
	{{"put", 3}, PUT},
	{{"save", 4}, ENDING},
	{{"load", 4}, ENDING},
	{{"start", 5}, ENDING},
	{{"csv", 3}, FOREIGN},
	{{"json", 4}, FOREIGN},
	{{"parquet", 7}, FOREIGN},
	{{"orc", 3}, FOREIGN},
	{{"text", 4}, FOREIGN},
	{{"jdbc", 4}, FOREIGN},
	{{"textFile", 8}, FOREIGN},
	{{"table", 5}, FOREIGN},
	{{"insertInto", 10}, FOREIGN},
	{{"saveAsTable", 11}, FOREIGN},
};

static const struct kt_str maps[] = {{"Map", 3},     {"dict", 4},   {"HashMap", 7}, {"LinkedHashMap", 13},
				     {"TreeMap", 7}, {"mutable", 7}};

struct frame {
	char close;
	enum call call;
	uint32_t chain;  /* of the call, or of what is indexed; KT_NIL */
	uint32_t list;   /* that pairs of this bracket go to; KT_NIL so far */
	unsigned arg, n; /* number of the argument, tokens of it so far */
	struct kt_opt_token first, last;
	bool path;          /* the argument is a name, or names joined by dots */
	bool took;          /* a list was taken in by this argument */
	uint32_t cur;       /* list or chain that the expression stands for; KT_NIL */
	struct kt_str root; /* its first word */
	struct kt_str word; /* its last */
	bool dot, member;   /* a dot was last; it was in front of the last word */
	bool has_key;       /* a pair is open */
	struct kt_opt_pair key;
	struct kt_str assign, typed; /* variable that gets the value; word in front of ':' */
	uint32_t was;                /* what it stood for */
	unsigned pairs;
	bool bare, quoted, mixed;   /* of the bracket: names without quotes; strings; what is no pair */
	struct kt_opt_pair indexed; /* name["key"] was last */
	bool has_index;
};

struct reader {
	const struct kt_kb *kb;
	struct kt_arena *a;
	struct kt_str text;
	struct kt_opt_lexer lex;
	struct kt_opt_lists *out;
	struct kt_map vars; /* to rows of bound */
	uint32_t *bound;
	size_t n_bound, cap_bound;
	struct frame stack[DEPTH];
	size_t depth;
	size_t too_deep;
};

static struct frame *top(struct reader *r)
{
	return &r->stack[r->depth];
}

/* ---- names ---- */

uint32_t kt_opt_named(const struct kt_kb *kb, struct kt_str name)
{
	for (uint32_t i = 0; i < kb->n_options; i++)
		if (kt_str_ieq(kt_kb_text(kb, kb->options[i].id), name))
			return i;
	return KT_NIL;
}

uint32_t kt_opt_constant(const struct kt_kb *kb, struct kt_str name)
{
	for (uint32_t i = 0; i < kb->n_options && name.len; i++)
		if (kt_str_eq(kt_kb_text(kb, kb->options[i].constant), name))
			return i;
	return KT_NIL;
}

bool kt_opt_foreign(const struct kt_kb *kb, struct kt_str name)
{
	for (uint32_t i = 0; i < kb->n_words; i++)
		if (kb->words[i].kind == KT_WORD_FOREIGN &&
		    kt_str_ieq(kt_kb_text(kb, kb->words[i].text), name))
			return true;
	return kt_str_chr(name, '.', 0) != KT_NPOS && kt_opt_constant(kb, name) == KT_NIL;
}

bool kt_opt_source(const struct kt_kb *kb, struct kt_str format)
{
	for (uint32_t i = 0; i < kb->n_words; i++) {
		struct kt_str w = kt_kb_text(kb, kb->words[i].text);
		if (kb->words[i].kind == KT_WORD_SOURCE && kt_str_ieq(kt_str_sub(format, 0, w.len), w) &&
		    (format.len == w.len || format.p[w.len] == '.'))
			return true;
	}
	return false;
}

static bool is_method_of_source(const struct kt_kb *kb, struct kt_str name)
{
	for (uint32_t i = 0; i < kb->n_words; i++)
		if (kb->words[i].kind == KT_WORD_SOURCE && kt_str_eq(kt_kb_text(kb, kb->words[i].text), name))
			return true;
	return false;
}

/* ---- lists and variables ---- */

static uint32_t new_list(struct reader *r, size_t at, bool chain)
{
	struct kt_opt_lists *out = r->out;

	KT_PUSH(out->p, out->n, out->cap) = (struct kt_opt_list){.at = at, .chain = chain};
	return (uint32_t)(out->n - 1);
}

static void bind(struct reader *r, struct kt_str name, uint32_t list)
{
	if (!name.len)
		return;
	uint32_t row = kt_map_add(&r->vars, r->a, name, (uint32_t)r->n_bound);
	if (row == r->n_bound)
		KT_PUSH(r->bound, r->n_bound, r->cap_bound) = list;
	r->bound[row] = list;
}

/* What a variable stands for; a chain that has ended is no longer one. */
static uint32_t lookup(struct reader *r, struct kt_str name)
{
	uint32_t row = name.len ? kt_map_get(&r->vars, name) : KT_NIL;

	if (row == KT_NIL || r->bound[row] == KT_NIL || r->out->p[r->bound[row]].ended)
		return KT_NIL;
	return r->bound[row];
}

/* The variable stands for what the expression does; for a list that was made in it when
 * something was added to that; else for nothing that is known. */
static void end_statement(struct reader *r, struct frame *f)
{
	uint32_t row = f->assign.len ? kt_map_get(&r->vars, f->assign) : KT_NIL;

	if (f->cur != KT_NIL)
		bind(r, f->assign, f->cur);
	else if (row != KT_NIL && r->bound[row] == f->was)
		r->bound[row] = KT_NIL;
	f->assign = KT_NONE;
}

static void assign_to(struct reader *r, struct frame *f, struct kt_str name)
{
	uint32_t row = name.len ? kt_map_get(&r->vars, name) : KT_NIL;

	f->assign = name;
	f->was = row == KT_NIL ? KT_NIL : r->bound[row];
}

static void take_in(struct reader *r, uint32_t chain, uint32_t list)
{
	struct kt_opt_list *c = &r->out->p[chain];

	if (chain == list)
		return;
	if (c->n_uses == USES_MAX) {
		c->open = true;
		return;
	}
	KT_PUSH(c->uses, c->n_uses, c->cap_uses) = list;
	r->out->p[list].used = true;
	c->open = c->open || r->out->p[list].open;
}

static uint32_t list_of(struct reader *r, struct frame *f)
{
	if (f->chain != KT_NIL && f->call != MAP && f->call != NOTHING)
		return f->chain;
	if (f->list == KT_NIL) {
		f->list = new_list(r, f->key.at, false);
		if (!f->bare)
			bind(r, f->assign, f->list);
	}
	return f->list;
}

/* ---- values ---- */

static struct kt_str span_of(const struct reader *r, const struct frame *f)
{
	return kt_str_sub(r->text, f->first.at, f->last.end - f->first.at);
}

static bool is_word(const struct kt_opt_token *t, const char *a, const char *b)
{
	return t->kind == KT_OT_WORD && (kt_str_eq_c(t->text, a) || kt_str_eq_c(t->text, b));
}

/* 100_000 and 5L as the program means them. */
static struct kt_str number(struct reader *r, struct kt_str s)
{
	char *out = kt_arena_alloc(r->a, s.len + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] != '_' && !(i + 1 == s.len && (s.p[i] == 'L' || s.p[i] == 'l')))
			out[n++] = s.p[i];
	return (struct kt_str){out, n};
}

/* The value that the argument spells out; false when it is computed. */
static bool literal(struct reader *r, const struct frame *f, struct kt_str *value)
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
static bool key_of(struct reader *r, const struct frame *f, struct kt_opt_pair *key)
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

static void add_pair(struct reader *r, uint32_t list, const struct kt_opt_pair *pair)
{
	struct kt_opt_list *l = &r->out->p[list];

	KT_PUSH(l->pairs, l->n, l->cap) = *pair;
}

/* ---- arguments ---- */

static void begin_argument(struct frame *f)
{
	f->n = 0;
	f->path = true;
	f->took = f->dot = f->member = f->has_index = false;
	f->cur = KT_NIL;
	f->root = f->word = f->typed = KT_NONE;
}

static void end_pair(struct reader *r, struct frame *f)
{
	uint32_t list = list_of(r, f);

	f->has_key = false;
	f->key.known = literal(r, f, &f->key.value);
	if (f->key.known && f->first.kind == KT_OT_STRING)
		f->quoted = true;
	if (!f->key.known && f->bare && f->n) {
		f->key.value = span_of(r, f);
		f->key.known = true;
	}
	f->pairs++;
	add_pair(r, list, &f->key);
}

static void said(struct reader *r, const struct frame *f, struct kt_opt_said *what)
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

static void source_argument(struct reader *r, struct frame *f)
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
	add_pair(r, f->chain, &pair);
}

/* A variable that stands for a list goes into the chain. */
static void take_variable(struct reader *r, struct frame *f)
{
	if (f->call != OPTIONS && f->call != SOURCE)
		return;
	if (f->took) {
		/* Map(..) ++ others */
		if (f->last.kind != KT_OT_SIGN || kt_str_chr(KT_S(")}"), f->last.text.p[0], 0) == KT_NPOS)
			r->out->p[f->chain].open = true;
		return;
	}
	bool stars = f->n == 2 && f->first.kind == KT_OT_SIGN && kt_str_eq_c(f->first.text, "**");
	uint32_t list = f->path || stars ? lookup(r, f->root) : KT_NIL;
	if (list != KT_NIL && !r->out->p[list].chain) {
		take_in(r, f->chain, list);
		f->took = true;
	} else if (f->call == OPTIONS) {
		r->out->p[f->chain].open = true;
	}
}

static void end_key(struct reader *r, struct frame *f, bool parted)
{
	if (f->arg == 0 && parted && key_of(r, f, &f->key))
		f->has_key = true;
	else if (f->arg == 0 && f->n)
		r->out->p[f->chain].open = true;
}

/* PARTED: by a comma; else the bracket ends here. */
static void end_argument(struct reader *r, struct frame *f, bool parted)
{
	if (f->has_key) {
		end_pair(r, f);
	} else if (f->n) {
		struct kt_opt_list *c = f->chain == KT_NIL ? NULL : &r->out->p[f->chain];
		take_variable(r, f);
		if (f->call == FORMAT && f->arg == 0)
			said(r, f, &c->format);
		else if (f->call == MODE && f->arg == 0)
			said(r, f, &c->mode);
		else if (f->call == OPTION || f->call == PUT)
			end_key(r, f, parted);
		else if (f->call == SOURCE)
			source_argument(r, f);
		f->mixed = true;
	}
	begin_argument(f);
}

/* ---- calls ---- */

static enum call call_of(const struct reader *r, struct kt_str name, bool method)
{
	if (!method)
		for (size_t i = 0; i < KT_LEN(maps); i++)
			if (kt_str_eq(name, maps[i]))
				return MAP;
	for (size_t i = 0; i < KT_LEN(methods); i++)
		if (kt_str_eq(name, methods[i].name) &&
		    (method || methods[i].call == OPTION || methods[i].call == PUT))
			return methods[i].call;
	return method && is_method_of_source(r->kb, name) ? SOURCE : OTHER;
}

/* The chain that a call belongs to: the expression's, or a new one. */
static uint32_t chain_of(struct reader *r, struct frame *f, enum call call, size_t at)
{
	if (call == NOTHING || call == OTHER || call == MAP)
		return KT_NIL;
	bool puts = call == PUT;
	if (puts && f->cur == KT_NIL && f->list != KT_NIL)
		f->cur = f->list; /* inside new HashMap() {{ .. }} */
	bool fits = f->cur != KT_NIL && (puts || r->out->p[f->cur].chain);
	if (!fits && (call == ENDING || call == FOREIGN))
		return KT_NIL;
	if (fits)
		return f->cur;
	f->cur = new_list(r, at, !puts);
	if (puts) {
		bind(r, f->root, f->cur);
		f->list = f->root.len ? f->list : f->cur;
		r->out->p[f->cur].open = f->root.len > 0; /* a parameter may hold others already */
	} else {
		bind(r, f->assign, f->cur);
	}
	return f->cur;
}

static void note_call(struct reader *r, const struct frame *f, enum call call, uint32_t chain)
{
	/* conf.update(others) */
	if (chain == KT_NIL && f->member && f->cur != KT_NIL && !r->out->p[f->cur].chain)
		r->out->p[f->cur].open = true;
	if (chain == KT_NIL)
		return;
	struct kt_opt_list *c = &r->out->p[chain];
	c->ended = c->ended || call == ENDING || call == FOREIGN || call == SOURCE;
	c->own = c->own || call == SOURCE;
	c->other = c->other || (call == FOREIGN && !c->format.there);
}

static void open_bracket(struct reader *r, const struct kt_opt_token *t)
{
	static const char closes[] = {'(', ')', '[', ']', '{', '}'};
	struct frame *f = top(r);
	char c = t->text.p[0], close = c == '(' ? ')' : closes[c == '[' ? 3 : 5];
	bool word = f->n && f->last.kind == KT_OT_WORD && f->last.end <= t->at;
	bool generic = f->n && f->last.kind == KT_OT_SIGN && kt_str_eq_c(f->last.text, "]");
	enum call call = NOTHING;
	uint32_t chain = KT_NIL;

	if (!f->n)
		f->first = *t;
	if (c == '(' && (word || generic)) {
		call = call_of(r, f->word, !generic && f->member);
		if (generic && call != MAP)
			call = OTHER;
		chain = chain_of(r, f, call, f->last.at);
		note_call(r, f, call, chain);
	} else if (c == '[' && word) {
		call = INDEX;
		chain = f->cur;
	}
	if (r->depth + 1 == DEPTH) {
		r->too_deep++;
		return;
	}
	struct kt_str assign = call == MAP || (call == NOTHING && !f->n) ? f->assign : KT_NONE;
	r->depth++;
	*top(r) = (struct frame){.close = close,
				 .call = call,
				 .chain = chain,
				 .list = KT_NIL,
				 .assign = assign,
				 .path = true,
				 .cur = KT_NIL};
	if (c == '{' && r->stack[r->depth - 1].close == '}' && !f->n)
		top(r)->list = f->list; /* {{ */
}

/* A list whose names have no quotes is one only if all of it looks so. */
static void settle_bare(struct reader *r, const struct frame *f)
{
	if (f->list == KT_NIL || !f->bare)
		return;
	struct kt_opt_list *l = &r->out->p[f->list];
	if (f->quoted || f->mixed || f->pairs < 2)
		l->n = 0;
}

/* What stands in brackets is what the expression stands for. */
static void hand_over(struct reader *r, struct frame *f, const struct frame *inner)
{
	uint32_t list = inner->list;

	if (inner->call == NOTHING && inner->close == ')')
		list = inner->list != KT_NIL ? inner->list : inner->cur;
	else if (inner->call != MAP && inner->close != '}')
		return;
	if (list == KT_NIL)
		return;
	if ((f->call == OPTIONS || f->call == SOURCE) && f->chain != KT_NIL && !r->out->p[list].chain) {
		take_in(r, f->chain, list);
		f->took = true;
	} else {
		f->cur = list;
	}
}

static void close_frame(struct reader *r, const struct kt_opt_token *t)
{
	struct frame inner = *top(r);

	uint32_t cur = inner.cur;
	if (inner.close == '}')
		end_statement(r, &inner);
	end_argument(r, &inner, false);
	inner.cur = cur;
	settle_bare(r, &inner);
	r->depth--;
	struct frame *f = top(r);
	hand_over(r, f, &inner);
	if (inner.call == MAP && inner.mixed && f->cur != KT_NIL && f->cur == inner.list)
		r->out->p[f->cur].open = true;
	f->has_index = inner.call == INDEX && inner.arg == 0 && inner.indexed.name.len;
	f->indexed = inner.indexed;
	f->dot = f->member = false;
	f->n++;
	f->last = *t;
	f->path = false;
}

/* Closes what is open up to the bracket that fits; nothing when there is none. */
static void close_bracket(struct reader *r, const struct kt_opt_token *t)
{
	size_t at = r->depth;

	if (r->too_deep) {
		r->too_deep--;
		return;
	}
	while (at && r->stack[at].close != t->text.p[0])
		at--;
	if (!at)
		return;
	while (r->depth >= at) {
		struct frame *f = top(r);
		if (f->call == INDEX && !f->arg && !key_of(r, f, &f->indexed))
			f->indexed.name = KT_NONE;
		close_frame(r, t);
	}
}

/* ---- signs ---- */

static void begin_value(struct frame *f)
{
	f->has_key = true;
	begin_argument(f);
}

/* A name without quotes, in front of -> or = in a map that was printed. */
static bool bare_key(struct reader *r, struct frame *f)
{
	if (f->n != 1 || f->first.kind != KT_OT_WORD)
		return false;
	f->key = (struct kt_opt_pair){.name = f->first.text, .at = f->first.at};
	f->key.option = kt_opt_named(r->kb, f->key.name);
	return true;
}

static void arrow(struct reader *r, struct frame *f)
{
	if (key_of(r, f, &f->key)) {
		f->quoted = f->quoted || f->first.kind == KT_OT_STRING;
		begin_value(f);
	} else if (f->call == MAP && bare_key(r, f)) {
		f->bare = true;
		begin_value(f);
	} else {
		f->mixed = true;
		begin_argument(f);
	}
}

static void colon(struct reader *r, struct frame *f)
{
	if (f->close == '}' && !f->has_key && key_of(r, f, &f->key))
		begin_value(f);
	else if (f->n && f->last.kind == KT_OT_WORD)
		f->typed = f->last.text;
}

static void assignment(struct reader *r, struct frame *f)
{
	if (f->has_index && kt_str_eq_c(f->last.text, "]")) {
		uint32_t list = lookup(r, f->root);
		if (list == KT_NIL) {
			list = new_list(r, f->indexed.at, false);
			r->out->p[list].open = true;
			bind(r, f->root, list);
		}
		f->key = f->indexed;
		f->list = list;
		begin_value(f);
		return;
	}
	if (f->call == ENDING && f->chain != KT_NIL) { /* save(mode="append") */
		r->out->p[f->chain].mode.there = true;
		r->out->p[f->chain].open = true;
	}
	bool named = (f->call == OPTIONS || f->call == MAP) && bare_key(r, f);
	bool brace = !named && f->close == '}' && !f->typed.len && bare_key(r, f);
	if (named || brace) {
		struct kt_str name = f->key.name;
		f->bare = f->bare || brace;
		begin_value(f);
		if (brace) /* or a statement in a block */
			assign_to(r, f, name);
		return;
	}
	struct kt_str name = f->typed.len                         ? f->typed
			     : f->n && f->last.kind == KT_OT_WORD ? f->last.text
								  : KT_NONE;
	f->mixed = true;
	assign_to(r, f, name);
	begin_argument(f);
}

/* "..." in an extract: something was left out here. */
static void left_out(struct reader *r, const struct frame *f)
{
	uint32_t list = f->cur != KT_NIL ? f->cur : f->list != KT_NIL ? f->list : f->chain;

	if (list != KT_NIL)
		r->out->p[list].open = true;
}

static void sign(struct reader *r, const struct kt_opt_token *t)
{
	struct frame *f = top(r);
	struct kt_str s = t->text;
	bool arrow_sign = kt_str_eq_c(s, "->"), value = f->has_key;

	if (kt_str_eq_c(s, ",")) {
		end_argument(r, f, true);
		f->arg++;
	} else if (kt_str_eq_c(s, ";")) {
		end_statement(r, f);
		end_argument(r, f, false);
	} else if (arrow_sign && !value) {
		arrow(r, f);
	} else if (kt_str_eq_c(s, ":") && !value) {
		colon(r, f);
	} else if (kt_str_eq_c(s, "=") && !value) {
		assignment(r, f);
	} else {
		bool dot = kt_str_eq_c(s, "."), ellipsis = s.len == 3;
		if (ellipsis || (dot && f->dot))
			left_out(r, f);
		if (ellipsis)
			return;
		if (!dot) {
			bool more = kt_str_eq_c(s, "+") || kt_str_eq_c(s, "|");
			if (more && f->cur != KT_NIL && !r->out->p[f->cur].chain)
				r->out->p[f->cur].open = true;
			f->path = false;
			f->cur = KT_NIL;
			f->root = KT_NONE;
		}
		if (!f->n)
			f->first = *t;
		f->n++;
		f->last = *t;
		f->dot = dot;
	}
}

static void operand(struct reader *r, const struct kt_opt_token *t)
{
	static const struct {
		const char *word;
		enum kt_opt_side side;
	} sides[] = {{"read", KT_OPT_READ},
		     {"readStream", KT_OPT_READ},
		     {"write", KT_OPT_WRITE},
		     {"writeStream", KT_OPT_WRITE}};
	struct frame *f = top(r);

	if (!f->n)
		f->first = *t;
	else if (!f->dot)
		f->path = false;
	if (t->kind == KT_OT_WORD) {
		if (!f->dot) {
			f->root = t->text;
			f->cur = lookup(r, t->text);
		}
		for (size_t i = 0; i < KT_LEN(sides) && f->dot; i++)
			if (kt_str_eq_c(t->text, sides[i].word)) {
				f->cur = new_list(r, t->at, true);
				r->out->p[f->cur].side = sides[i].side;
				bind(r, f->assign, f->cur);
			}
		f->word = t->text;
	} else {
		f->path = false;
		f->cur = KT_NIL;
		f->root = KT_NONE;
	}
	f->member = f->dot;
	f->dot = false;
	f->n++;
	f->last = *t;
}

/* A statement ends where a line begins that does not go on with a dot. */
static void new_line(struct reader *r, const struct kt_opt_token *t)
{
	struct frame *f = top(r);
	bool goes_on = t->kind == KT_OT_SIGN && kt_str_chr(KT_S(".,)]}{"), t->text.p[0], 0) != KT_NPOS;
	bool waits = (f->has_key && !f->n) || (f->n && f->last.kind == KT_OT_SIGN &&
					       kt_str_chr(KT_S(".+"), f->last.text.p[0], 0) != KT_NPOS);
	bool pair = t->kind == KT_OT_SIGN && (kt_str_eq_c(t->text, "->") || kt_str_eq_c(t->text, ":"));

	if (goes_on || waits || pair || (f->close != '}' && f->close != '\0') || !f->n)
		return;
	end_statement(r, f);
	end_argument(r, f, false);
}

static void take(struct reader *r, const struct kt_opt_token *t)
{
	char c = t->kind == KT_OT_SIGN ? t->text.p[0] : '\0';

	if (t->line)
		new_line(r, t);
	if (t->kind != KT_OT_SIGN) {
		if (r->too_deep)
			return;
		operand(r, t);
	} else if (c == '(' || c == '[' || c == '{') {
		if (r->too_deep)
			r->too_deep++;
		else
			open_bracket(r, t);
	} else if (c == ')' || c == ']' || c == '}') {
		close_bracket(r, t);
	} else if (!r->too_deep) {
		sign(r, t);
	}
}

void kt_opt_read(const struct kt_kb *kb, struct kt_str text, struct kt_arena *a, struct kt_opt_lists *out)
{
	struct reader *r = kt_alloc(sizeof *r);
	struct kt_opt_token t;
	static const struct kt_opt_token end = {.kind = KT_OT_END};

	*r = (struct reader){.kb = kb, .a = a, .text = text, .lex = {.text = text, .a = a}, .out = out};
	*top(r) = (struct frame){.chain = KT_NIL, .list = KT_NIL, .cur = KT_NIL, .path = true};
	for (t = kt_opt_next(&r->lex); t.kind != KT_OT_END; t = kt_opt_next(&r->lex))
		take(r, &t);
	while (r->depth)
		close_frame(r, &end); /* a paste may end in the middle */
	end_argument(r, top(r), false);
	kt_free(r->bound);
	kt_free(r);
}

void kt_opt_lists_free(struct kt_opt_lists *lists)
{
	for (size_t i = 0; i < lists->n; i++) {
		kt_free(lists->p[i].pairs);
		kt_free(lists->p[i].uses);
	}
	kt_free(lists->p);
	*lists = (struct kt_opt_lists){.n = 0};
}
