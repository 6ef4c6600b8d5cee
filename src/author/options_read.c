/* One pass over the tokens with a stack of open brackets. What belongs to what is told
 * by the calls and signs around it, as all the languages write them alike. */
#include "author/options_parse.h"

#include "base/alloc.h"

#include "base/banned.h"

/* Methods of Spark's readers and writers, and of maps. */
static const struct {
	struct kt_str name;
	enum kt_opt_call call;
} methods[] = {
	{{"format", 6}, KT_OC_FORMAT},
	{{"option", 6}, KT_OC_OPTION},
	{{"options", 7}, KT_OC_OPTIONS},
	{{"mode", 4}, KT_OC_MODE},
	{{"put", 3}, KT_OC_PUT},
	{{"save", 4}, KT_OC_ENDING},
	{{"load", 4}, KT_OC_ENDING},
	{{"start", 5}, KT_OC_ENDING},
	{{"csv", 3}, KT_OC_FOREIGN},
	{{"json", 4}, KT_OC_FOREIGN},
	{{"parquet", 7}, KT_OC_FOREIGN},
	{{"orc", 3}, KT_OC_FOREIGN},
	{{"text", 4}, KT_OC_FOREIGN},
	{{"jdbc", 4}, KT_OC_FOREIGN},
	{{"textFile", 8}, KT_OC_FOREIGN},
	{{"table", 5}, KT_OC_FOREIGN},
	{{"insertInto", 10}, KT_OC_FOREIGN},
	{{"saveAsTable", 11}, KT_OC_FOREIGN},
};

static const struct kt_str maps[] = {{"Map", 3},     {"dict", 4},   {"HashMap", 7}, {"LinkedHashMap", 13},
				     {"TreeMap", 7}, {"mutable", 7}};

static struct kt_opt_frame *top(struct kt_opt_reader *r)
{
	return &r->stack[r->depth];
}

/* ---- calls ---- */

static enum kt_opt_call call_of(const struct kt_opt_reader *r, struct kt_str name, bool method)
{
	if (!method)
		for (size_t i = 0; i < KT_LEN(maps); i++)
			if (kt_str_eq(name, maps[i]))
				return KT_OC_MAP;
	for (size_t i = 0; i < KT_LEN(methods); i++)
		if (kt_str_eq(name, methods[i].name) &&
		    (method || methods[i].call == KT_OC_OPTION || methods[i].call == KT_OC_PUT))
			return methods[i].call;
	return method && kt_opt_method(r->kb, name) ? KT_OC_SOURCE : KT_OC_OTHER;
}

/* The chain that a call belongs to: the expression's, or a new one. */
static uint32_t chain_of(struct kt_opt_reader *r, struct kt_opt_frame *f, enum kt_opt_call call, size_t at)
{
	if (call == KT_OC_NOTHING || call == KT_OC_OTHER || call == KT_OC_MAP)
		return KT_NIL;
	bool puts = call == KT_OC_PUT;
	if (puts && f->cur == KT_NIL && f->list != KT_NIL)
		f->cur = f->list; /* inside new HashMap() {{ .. }} */
	bool fits = f->cur != KT_NIL && (puts || r->out->p[f->cur].chain);
	if (!fits && (call == KT_OC_ENDING || call == KT_OC_FOREIGN))
		return KT_NIL;
	if (fits)
		return f->cur;
	f->cur = kt_optr_new_list(r, at, !puts);
	if (puts) {
		kt_optr_bind(r, f->root, f->cur);
		f->list = f->root.len ? f->list : f->cur;
		r->out->p[f->cur].open = f->root.len > 0; /* a parameter may hold others already */
	} else {
		kt_optr_bind(r, f->assign, f->cur);
	}
	return f->cur;
}

static void note_call(struct kt_opt_reader *r, const struct kt_opt_frame *f, enum kt_opt_call call,
		      uint32_t chain)
{
	/* conf.update(others) */
	if (chain == KT_NIL && f->member && f->cur != KT_NIL && !r->out->p[f->cur].chain)
		r->out->p[f->cur].open = true;
	if (chain == KT_NIL)
		return;
	struct kt_opt_list *c = &r->out->p[chain];
	c->ended = c->ended || call == KT_OC_ENDING || call == KT_OC_FOREIGN || call == KT_OC_SOURCE;
	c->own = c->own || call == KT_OC_SOURCE;
	c->other = c->other || (call == KT_OC_FOREIGN && !c->format.there);
}

static void open_bracket(struct kt_opt_reader *r, const struct kt_opt_token *t)
{
	static const char closes[] = {'(', ')', '[', ']', '{', '}'};
	struct kt_opt_frame *f = top(r);
	char c = t->text.p[0], close = c == '(' ? ')' : closes[c == '[' ? 3 : 5];
	bool word = f->n && f->last.kind == KT_OT_WORD && f->last.end <= t->at;
	bool generic = f->n && f->last.kind == KT_OT_SIGN && kt_str_eq_c(f->last.text, "]");
	enum kt_opt_call call = KT_OC_NOTHING;
	uint32_t chain = KT_NIL;

	if (!f->n)
		f->first = *t;
	if (c == '(' && (word || generic)) {
		call = call_of(r, f->word, !generic && f->member);
		if (generic && call != KT_OC_MAP)
			call = KT_OC_OTHER;
		chain = chain_of(r, f, call, f->last.at);
		note_call(r, f, call, chain);
	} else if (c == '[' && word) {
		call = KT_OC_INDEX;
		chain = f->cur;
	}
	if (r->depth + 1 == KT_OPT_DEPTH) {
		r->too_deep++;
		return;
	}
	struct kt_str assign = call == KT_OC_MAP || (call == KT_OC_NOTHING && !f->n) ? f->assign : KT_NONE;
	r->depth++;
	*top(r) = (struct kt_opt_frame){.close = close,
					.call = call,
					.chain = chain,
					.list = KT_NIL,
					.assign = assign,
					.path = true,
					.cur = KT_NIL};
	if (c == '{' && r->stack[r->depth - 1].close == '}' && !f->n && !f->has_key)
		top(r)->list = f->list; /* {{ */
}

/* A list whose names have no quotes is one only if all of it looks so. */
static void settle_bare(struct kt_opt_reader *r, const struct kt_opt_frame *f)
{
	if (f->list == KT_NIL || !f->bare)
		return;
	struct kt_opt_list *l = &r->out->p[f->list];
	if (f->quoted || f->mixed || f->pairs < 2)
		l->n = 0;
}

/* What stands in brackets is what the expression stands for. */
static void hand_over(struct kt_opt_reader *r, struct kt_opt_frame *f, const struct kt_opt_frame *inner)
{
	uint32_t list = inner->list;

	if (inner->call == KT_OC_NOTHING && inner->close == ')')
		list = inner->list != KT_NIL ? inner->list : inner->cur;
	else if (inner->call != KT_OC_MAP && inner->close != '}')
		return;
	if (list == KT_NIL)
		return;
	if ((f->call == KT_OC_OPTIONS || f->call == KT_OC_SOURCE) && f->chain != KT_NIL &&
	    !r->out->p[list].chain) {
		kt_optr_take_in(r, f->chain, list);
		f->took = true;
	} else {
		f->cur = list;
	}
}

static void close_frame(struct kt_opt_reader *r, const struct kt_opt_token *t)
{
	struct kt_opt_frame inner = *top(r);

	uint32_t cur = inner.cur;
	if (inner.close == '}')
		kt_optr_end_statement(r, &inner);
	kt_optr_end_argument(r, &inner, false);
	inner.cur = cur;
	settle_bare(r, &inner);
	r->depth--;
	struct kt_opt_frame *f = top(r);
	hand_over(r, f, &inner);
	if (inner.mixed && inner.list != KT_NIL) /* {**others, "a": 1} */
		r->out->p[inner.list].open = true;
	f->has_index = inner.call == KT_OC_INDEX && inner.arg == 0 && inner.indexed.name.len;
	f->indexed = inner.indexed;
	f->dot = f->member = false;
	f->n++;
	f->last = *t;
	f->path = false;
}

/* Closes what is open up to the bracket that fits; nothing when there is none. */
static void close_bracket(struct kt_opt_reader *r, const struct kt_opt_token *t)
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
		struct kt_opt_frame *f = top(r);
		if (f->call == KT_OC_INDEX && !f->arg && !kt_optr_key_of(r, f, &f->indexed))
			f->indexed.name = KT_NONE;
		close_frame(r, t);
	}
}

/* ---- signs ---- */

static void begin_value(struct kt_opt_frame *f)
{
	f->has_key = true;
	kt_optr_begin_argument(f);
}

/* A name without quotes, in front of -> or = in a map that was printed. */
static bool bare_key(struct kt_opt_reader *r, struct kt_opt_frame *f)
{
	if (f->n != 1 || f->first.kind != KT_OT_WORD)
		return false;
	f->key = (struct kt_opt_pair){.name = f->first.text, .at = f->first.at};
	f->key.option = kt_opt_named(r->kb, f->key.name);
	return true;
}

static void arrow(struct kt_opt_reader *r, struct kt_opt_frame *f)
{
	if (kt_optr_key_of(r, f, &f->key)) {
		f->quoted = f->quoted || f->first.kind == KT_OT_STRING;
		begin_value(f);
	} else if (f->call == KT_OC_MAP && bare_key(r, f)) {
		f->bare = true;
		begin_value(f);
	} else {
		f->mixed = true;
		kt_optr_begin_argument(f);
	}
}

static void colon(struct kt_opt_reader *r, struct kt_opt_frame *f)
{
	if (f->close == '}' && !f->has_key && kt_optr_key_of(r, f, &f->key))
		begin_value(f);
	else if (f->n && f->last.kind == KT_OT_WORD)
		f->typed = f->last.text;
}

static void assignment(struct kt_opt_reader *r, struct kt_opt_frame *f)
{
	if (f->has_index && kt_str_eq_c(f->last.text, "]")) {
		uint32_t list = kt_optr_lookup(r, f->root);
		if (list == KT_NIL) {
			list = kt_optr_new_list(r, f->indexed.at, false);
			r->out->p[list].open = true;
			kt_optr_bind(r, f->root, list);
		}
		f->key = f->indexed;
		f->list = list;
		begin_value(f);
		return;
	}
	if (f->call == KT_OC_ENDING && f->chain != KT_NIL) { /* save(mode="append") */
		r->out->p[f->chain].mode.there = true;
		r->out->p[f->chain].open = true;
	}
	bool named = (f->call == KT_OC_OPTIONS || f->call == KT_OC_MAP) && bare_key(r, f);
	bool brace = !named && f->close == '}' && !f->typed.len && bare_key(r, f);
	if (named || brace) {
		struct kt_str name = f->key.name;
		f->bare = f->bare || brace;
		begin_value(f);
		if (brace) /* or a statement in a block */
			kt_optr_assign_to(r, f, name);
		return;
	}
	struct kt_str name = f->typed.len                         ? f->typed
			     : f->n && f->last.kind == KT_OT_WORD ? f->last.text
								  : KT_NONE;
	f->mixed = true;
	kt_optr_assign_to(r, f, name);
	kt_optr_begin_argument(f);
}

/* "..." in an extract: something was left out here. */
static void left_out(struct kt_opt_reader *r, const struct kt_opt_frame *f)
{
	uint32_t list = f->cur != KT_NIL ? f->cur : f->list != KT_NIL ? f->list : f->chain;

	if (list != KT_NIL)
		r->out->p[list].open = true;
}

static void sign(struct kt_opt_reader *r, const struct kt_opt_token *t)
{
	struct kt_opt_frame *f = top(r);
	struct kt_str s = t->text;
	bool arrow_sign = kt_str_eq_c(s, "->"), value = f->has_key;

	if (kt_str_eq_c(s, ",")) {
		kt_optr_end_argument(r, f, true);
		f->arg++;
	} else if (kt_str_eq_c(s, ";")) {
		kt_optr_end_statement(r, f);
		kt_optr_end_argument(r, f, false);
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

static void operand(struct kt_opt_reader *r, const struct kt_opt_token *t)
{
	static const struct {
		const char *word;
		enum kt_opt_side side;
	} sides[] = {{"read", KT_OPT_READ},
		     {"readStream", KT_OPT_READ},
		     {"write", KT_OPT_WRITE},
		     {"writeStream", KT_OPT_WRITE}};
	struct kt_opt_frame *f = top(r);

	if (!f->n)
		f->first = *t;
	else if (!f->dot)
		f->path = false;
	if (t->kind == KT_OT_WORD) {
		if (!f->dot) {
			f->root = t->text;
			f->cur = kt_optr_lookup(r, t->text);
		}
		for (size_t i = 0; i < KT_LEN(sides) && f->dot; i++)
			if (kt_str_eq_c(t->text, sides[i].word)) {
				f->cur = kt_optr_new_list(r, t->at, true);
				r->out->p[f->cur].side = sides[i].side;
				kt_optr_bind(r, f->assign, f->cur);
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
static void new_line(struct kt_opt_reader *r, const struct kt_opt_token *t)
{
	struct kt_opt_frame *f = top(r);
	bool goes_on = t->kind == KT_OT_SIGN && kt_str_chr(KT_S(".,)]}{"), t->text.p[0], 0) != KT_NPOS;
	bool waits = (f->has_key && !f->n) || (f->n && f->last.kind == KT_OT_SIGN &&
					       kt_str_chr(KT_S(".+"), f->last.text.p[0], 0) != KT_NPOS);
	bool pair = t->kind == KT_OT_SIGN && (kt_str_eq_c(t->text, "->") || kt_str_eq_c(t->text, ":"));

	if (goes_on || waits || pair || (f->close != '}' && f->close != '\0') || !f->n)
		return;
	kt_optr_end_statement(r, f);
	kt_optr_end_argument(r, f, false);
}

static void take(struct kt_opt_reader *r, const struct kt_opt_token *t)
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
	struct kt_opt_reader *r = kt_alloc(sizeof *r);
	struct kt_opt_token t;
	static const struct kt_opt_token end = {.kind = KT_OT_END};

	*r = (struct kt_opt_reader){
		.kb = kb, .a = a, .text = text, .lex = {.text = text, .a = a}, .out = out};
	*top(r) = (struct kt_opt_frame){.chain = KT_NIL, .list = KT_NIL, .cur = KT_NIL, .path = true};
	for (t = kt_opt_next(&r->lex); t.kind != KT_OT_END; t = kt_opt_next(&r->lex))
		take(r, &t);
	while (r->depth)
		close_frame(r, &end); /* a paste may end in the middle */
	kt_optr_end_argument(r, top(r), false);
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
