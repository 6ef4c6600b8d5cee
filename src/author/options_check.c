/* What is wrong with the lists that were read: names first, then the rows of option-faults. */
#include "author/options.h"

#include <stdlib.h>

#include "author/options_read.h"
#include "base/alloc.h"
#include "base/redact.h"
#include "core/cond.h"
#include "json/json.h"

#include "base/banned.h"

#define SHOWN    60   /* bytes of a name or value that are quoted */
#define LOOKED   4096 /* bytes of it that are looked at for secrets */
#define LONG     256  /* bytes of a value that count: */
#define TIMES    64   /* so often may long values be looked at, all in all */
#define NEAR_MAX 80   /* bytes of a name for which a near one is looked for */

/* What a name in a condition stands for. */
enum about { UNRESOLVED, VALUE, FORM, OPERATION, CHAIN_FORMAT, CHAIN_MODE, ENDED };
struct subject {
	enum about about;
	uint32_t option;
};

static const struct {
	struct kt_str name;
	enum about about;
} chain_names[] = {
	{{"chain.operation", 15}, OPERATION},
	{{"chain.format", 12}, CHAIN_FORMAT},
	{{"chain.mode", 10}, CHAIN_MODE},
	{{"chain.ended", 11}, ENDED},
};

/* Pairs of a list that count: the last of each option. */
struct set {
	const struct kt_opt_pair **p;
	size_t n;
};

struct check {
	const struct kt_kb *kb;
	struct kt_arena *a;
	struct kt_opt_lists lists;
	struct subject *subjects;         /* by node */
	const struct kt_opt_pair **slots; /* by option: what the list at hand sets, or NULL */
	const struct kt_opt_list *list;   /* at hand */
	struct kt_str *names;             /* of the options */
	struct set *sets;                 /* by list */
	size_t budget;                    /* bytes of long values */
	struct kt_option_finding *found;
	size_t n_found, cap_found;
};

/* ---- names in conditions ---- */

static struct subject resolve(const struct kt_kb *kb, struct kt_str name)
{
	static const struct kt_str form = {".form", 5};

	for (size_t i = 0; i < KT_LEN(chain_names); i++)
		if (kt_str_eq(name, chain_names[i].name))
			return (struct subject){chain_names[i].about, KT_NIL};
	bool of_form = kt_str_ends(name, form);
	uint32_t option = kt_opt_named(kb, of_form ? kt_str_sub(name, 0, name.len - form.len) : name);
	if (option == KT_NIL)
		return (struct subject){UNRESOLVED, KT_NIL};
	return (struct subject){of_form ? FORM : VALUE, option};
}

bool kt_options_name(const struct kt_kb *kb, struct kt_str name)
{
	return resolve(kb, name).about != UNRESOLVED;
}

static void note_subject(void *ctx, const struct kt_node *leaf)
{
	struct check *c = ctx;

	c->subjects[leaf - c->kb->nodes] = resolve(c->kb, kt_kb_text(c->kb, leaf->name));
}

/* ---- values ---- */

static bool is_whole(struct kt_str s)
{
	size_t from = s.len && (s.p[0] == '-' || s.p[0] == '+');

	for (size_t i = from; i < s.len; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.len > from;
}

static bool is_number(struct kt_str s)
{
	struct kt_str digits = kt_str_from(s, s.len && (s.p[0] == '-' || s.p[0] == '+'));
	size_t dot = kt_str_chr(digits, '.', 0);

	return dot != KT_NPOS && is_whole(kt_str_sub(digits, 0, dot)) &&
	       is_whole(kt_str_from(digits, dot + 1));
}

static struct kt_str form_of(struct kt_str s)
{
	if (is_whole(s))
		return KT_S("whole");
	if (is_number(s))
		return KT_S("number");
	if (kt_str_ieq(s, KT_S("true")) || kt_str_ieq(s, KT_S("false")))
		return KT_S("boolean");
	struct kt_json *doc = kt_json_parse(s, NULL);
	enum kt_json_kind kind = kt_json_kind(doc);
	kt_json_free(doc);
	return kind == KT_JSON_OBJECT ? KT_S("object") : kind == KT_JSON_ARRAY ? KT_S("list") : KT_S("text");
}

static bool chain_value(const struct kt_opt_list *l, enum about about, struct kt_str *value)
{
	const struct kt_opt_said *said = about == CHAIN_MODE ? &l->mode : &l->format;

	switch (about) {
	case OPERATION:
		*value = l->side == KT_OPT_READ ? KT_S("read") : KT_S("write");
		return l->side != KT_OPT_EITHER;
	case ENDED: *value = l->ended ? KT_S("true") : KT_S("false"); return true;
	default:
		*value = said->there ? said->text : KT_NONE;
		return l->chain && (said->known || !said->there);
	}
}

/* Is it compared with nothing: is the option set at all? */
static bool asks_set(const struct kt_kb *kb, const struct kt_node *n)
{
	return (n->op == KT_OP_EQ || n->op == KT_OP_NE) && !kb->strings[n->values.at].len;
}

/* A map with a long value that many chains take in would be read once for each. */
static bool too_long(struct check *c, struct kt_str value)
{
	if (value.len <= LONG)
		return false;
	if (c->budget < value.len)
		return true;
	c->budget -= value.len;
	return false;
}

static bool value_of(void *ctx, const struct kt_node *node, struct kt_str *value)
{
	struct check *c = ctx;
	const struct subject *s = &c->subjects[node - c->kb->nodes];

	if (s->about == UNRESOLVED)
		return false;
	if (s->about > FORM)
		return chain_value(c->list, s->about, value);
	const struct kt_opt_pair *set = c->slots[s->option];
	*value = KT_NONE;
	if (!set)
		return !c->list->open;
	if (!set->known || too_long(c, set->value)) {
		*value = KT_S("?");
		return asks_set(c->kb, node);
	}
	/* An option that is set to nothing is set. */
	*value = s->about == FORM        ? form_of(set->value)
		 : set->value.len        ? set->value
		 : asks_set(c->kb, node) ? KT_S("?")
					 : KT_NONE;
	return true;
}

/* ---- telling ---- */

static struct kt_str cleaned(struct check *c, struct kt_str s)
{
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	kt_redact(&b, kt_str_sub(s, 0, LOOKED));
	struct kt_str all = kt_buf_view(&b);
	struct kt_str out = kt_arena_fmt(c->a, KT_FMT "%s", KT_ARG(kt_str_sub(all, 0, SHOWN)),
					 all.len > SHOWN ? "..." : "");
	kt_buf_free(&b);
	return out;
}

/* The value, unless it or the option's name makes it a secret. */
static void add_value(struct check *c, uint32_t option, struct kt_buf *out)
{
	const struct kt_opt_pair *set = c->slots[option];
	struct kt_buf both = KT_BUF(KT_BUF_TEXT);

	if (!set || !set->known) {
		kt_buf_fmt(out, "<" KT_FMT ">", KT_ARG(c->names[option]));
		return;
	}
	kt_buf_fmt(&both, KT_FMT "=", KT_ARG(c->names[option]));
	kt_buf_add(&both, kt_str_sub(set->value, 0, LOOKED));
	if (kt_redact_needed(kt_buf_view(&both)))
		kt_buf_str(out, "***");
	else
		kt_buf_add(out, cleaned(c, set->value));
	kt_buf_free(&both);
}

static struct kt_str fill(struct check *c, struct kt_str text)
{
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);
	size_t at = 0, open;

	while ((open = kt_str_chr(text, '{', at)) != KT_NPOS) {
		size_t close = kt_str_chr(text, '}', open);
		struct subject s = {UNRESOLVED, KT_NIL};
		if (close != KT_NPOS)
			s = resolve(c->kb, kt_str_sub(text, open + 1, close - open - 1));
		kt_buf_add(&b, kt_str_sub(text, at, open - at));
		at = open + 1;
		if (s.about == VALUE) {
			add_value(c, s.option, &b);
			at = close + 1;
		} else if (s.about == CHAIN_MODE || s.about == CHAIN_FORMAT) {
			struct kt_str v = KT_NONE;
			if (chain_value(c->list, s.about, &v))
				kt_buf_add(&b, cleaned(c, v));
			at = close + 1;
		} else {
			kt_buf_char(&b, '{');
		}
	}
	kt_buf_add(&b, kt_str_from(text, at));
	struct kt_str out = kt_arena_str(c->a, kt_buf_view(&b));
	kt_buf_free(&b);
	return out;
}

static void tell(struct check *c, struct kt_option_finding f)
{
	KT_PUSH(c->found, c->n_found, c->cap_found) = f;
}

/* ---- names ---- */

static uint32_t wrong_for(const struct kt_kb *kb, struct kt_str name, struct kt_str *why)
{
	for (uint32_t i = 0; i < kb->n_options; i++)
		for (uint32_t k = 0; k < kb->options[i].wrong.n; k++) {
			const struct kt_choice *w = &kb->choices[kb->options[i].wrong.at + k];
			if (!kt_str_ieq(kt_kb_text(kb, w->value), name))
				continue;
			*why = kt_kb_text(kb, w->text);
			return i;
		}
	return KT_NIL;
}

static struct kt_str last_part(struct kt_str name)
{
	for (size_t i = name.len; i > 0; i--)
		if (name.p[i - 1] == '.')
			return kt_str_from(name, i);
	return name;
}

/* A name that is no option's. ALL: tell it also when nothing is like it. */
static void check_name(struct check *c, const struct kt_opt_pair *p, bool in_chain, bool all)
{
	struct kt_option_finding f = {.at = p->at, .option = cleaned(c, p->name)};
	struct kt_str why = KT_NONE, near = KT_NONE;
	uint32_t constant = kt_opt_constant(c->kb, last_part(p->name));
	uint32_t meant = wrong_for(c->kb, p->name, &why);
	bool foreign = kt_opt_foreign(c->kb, p->name);

	if (constant != KT_NIL) {
		f.id = KT_S("constant-in-quotes");
		f.text = kt_arena_fmt(c->a,
				      "\"" KT_FMT
				      "\" is the name of a constant in quotes, which nothing reads: write "
				      "\"" KT_FMT "\", or the constant without quotes",
				      KT_ARG(f.option), KT_ARG(c->names[constant]));
	} else if (meant != KT_NIL && (in_chain || !foreign)) {
		f.id = KT_S("wrong-name");
		f.text = kt_arena_fmt(c->a,
				      "nothing reads \"" KT_FMT "\"; the option is " KT_FMT " (" KT_FMT ")",
				      KT_ARG(f.option), KT_ARG(c->names[meant]), KT_ARG(why));
	} else if (!foreign) {
		if (p->name.len <= NEAR_MAX)
			near = kt_str_nearest(p->name, c->names, c->kb->n_options);
		f.id = KT_S("unknown-option");
		f.warning = !near.len;
		f.text = near.len
				 ? kt_arena_fmt(c->a,
						"nothing reads \"" KT_FMT "\"; did you mean \"" KT_FMT "\"?",
						KT_ARG(f.option), KT_ARG(near))
				 : kt_arena_fmt(c->a, "nothing reads \"" KT_FMT "\": there is no such option",
						KT_ARG(f.option));
	}
	if (f.id.len && (all || near.len || !f.warning))
		tell(c, f);
}

static void check_side(struct check *c, const struct kt_opt_list *l, const struct kt_opt_pair *p)
{
	struct kt_str scope = kt_kb_text(c->kb, c->kb->options[p->option].scope);
	bool read = l->side == KT_OPT_READ;

	if (l->side == KT_OPT_EITHER || p->positional || !kt_str_eq_c(scope, read ? "write" : "read"))
		return;
	tell(c, (struct kt_option_finding){
			.at = p->at,
			.warning = true,
			.id = KT_S("other-operation"),
			.option = c->names[p->option],
			.text = kt_arena_fmt(
				c->a, "a %s does not look at " KT_FMT ": it counts for a " KT_FMT " only",
				read ? "read" : "write", KT_ARG(c->names[p->option]), KT_ARG(scope)),
		});
}

/* ---- lists ---- */

/* Options that make a list one of this source; those that others read do not. */
static size_t count_own(const struct kt_kb *kb, const struct kt_opt_list *l)
{
	size_t n = 0;
	struct kt_str why;

	for (size_t i = 0; i < l->n; i++) {
		struct kt_str name = l->pairs[i].name;
		bool ours = l->pairs[i].option != KT_NIL || (l->chain && wrong_for(kb, name, &why) != KT_NIL);
		n += kt_opt_constant(kb, last_part(name)) != KT_NIL || (ours && !kt_opt_foreign(kb, name));
	}
	return n;
}

static bool is_ours(const struct check *c, const struct kt_opt_list *l, const size_t *own, size_t row)
{
	if (l->own)
		return true;
	if (l->format.there && l->format.known)
		return kt_opt_source(c->kb, l->format.text);
	size_t n = l->other ? 0 : own[row];
	for (size_t i = 0; i < l->n_uses && !l->other; i++)
		n += own[l->uses[i]];
	return n > 0;
}

static void set_slots(struct check *c, const struct set *s, bool on)
{
	for (size_t i = 0; i < s->n; i++)
		c->slots[s->p[i]->option] = on ? s->p[i] : NULL;
}

static void find_sets(struct check *c)
{
	c->sets = KT_NEW_N(c->a, struct set, c->lists.n + 1);
	for (size_t i = 0; i < c->lists.n; i++) {
		const struct kt_opt_list *l = &c->lists.p[i];
		struct set *s = &c->sets[i];
		size_t most = l->n < c->kb->n_options ? l->n : c->kb->n_options;
		s->p = KT_NEW_N(c->a, const struct kt_opt_pair *, most + 1);
		for (size_t k = l->n; k > 0; k--) {
			const struct kt_opt_pair *p = &l->pairs[k - 1];
			if (p->option == KT_NIL || c->slots[p->option])
				continue;
			c->slots[p->option] = p;
			s->p[s->n++] = p;
		}
		set_slots(c, s, false);
	}
}

static void set_all(struct check *c, size_t row, bool on)
{
	const struct kt_opt_list *l = &c->lists.p[row];

	for (size_t i = 0; i < l->n_uses; i++)
		set_slots(c, &c->sets[l->uses[i]], on);
	set_slots(c, &c->sets[row], on);
}

/* The first option of a condition that is set: there it is mended. */
struct place {
	struct check *c;
	const struct kt_opt_pair *at;
};

static void see_place(void *ctx, const struct kt_node *leaf)
{
	struct place *p = ctx;
	const struct subject *s = &p->c->subjects[leaf - p->c->kb->nodes];

	if (!p->at && (s->about == VALUE || s->about == FORM))
		p->at = p->c->slots[s->option];
}

static void judge(struct check *c, size_t row)
{
	const struct kt_kb *kb = c->kb;
	const struct kt_opt_list *l = &c->lists.p[row];

	c->list = l;
	set_all(c, row, true);
	for (uint32_t i = 0; i < kb->n_option_faults; i++) {
		const struct kt_option_fault *fault = &kb->option_faults[i];
		struct place p = {.c = c};
		if (kt_cond_eval(kb, fault->cond, value_of, c) != KT_TRUE)
			continue;
		kt_cond_walk(kb, fault->cond, see_place, &p);
		tell(c, (struct kt_option_finding){.at = p.at ? p.at->at : l->at,
						   .warning = fault->warning,
						   .id = kt_kb_text(kb, fault->id),
						   .option = p.at ? c->names[p.at->option] : KT_NONE,
						   .text = fill(c, kt_kb_text(kb, fault->text)),
						   .cause = kt_kb_text(kb, fault->cause)});
	}
	set_all(c, row, false);
}

static void check_names(struct check *c, const struct kt_opt_list *l, size_t own, bool in_chain)
{
	bool most = own * 3 >= l->n * 2;

	for (size_t i = 0; i < l->n; i++) {
		if (l->pairs[i].option == KT_NIL)
			check_name(c, &l->pairs[i], in_chain, in_chain || most);
		else
			check_side(c, l, &l->pairs[i]);
	}
}

/* A map that no chain takes in: one name alone among others may mean something else. */
static bool is_list(const struct kt_opt_list *l, size_t own)
{
	return own > 1 || (own == 1 && l->n <= 2);
}

static void check_lists(struct check *c, struct kt_option_findings *out)
{
	size_t n = c->lists.n;
	size_t *own = KT_NEW_N(c->a, size_t, n + 1);
	bool *ours = KT_NEW_N(c->a, bool, n + 1), *used = KT_NEW_N(c->a, bool, n + 1);

	find_sets(c);
	for (size_t i = 0; i < n; i++)
		own[i] = count_own(c->kb, &c->lists.p[i]);
	for (size_t i = 0; i < n; i++) {
		const struct kt_opt_list *l = &c->lists.p[i];
		ours[i] = l->chain ? is_ours(c, l, own, i) : !l->used && is_list(l, own[i]);
		for (size_t k = 0; k < l->n_uses && ours[i]; k++)
			used[l->uses[k]] = true;
		if (!ours[i])
			continue;
		judge(c, i);
		out->lists++;
	}
	for (size_t i = 0; i < n; i++)
		if (ours[i] || used[i]) {
			check_names(c, &c->lists.p[i], own[i], used[i] || c->lists.p[i].chain);
			out->options += c->lists.p[i].n;
		}
}

/* ---- order and places ---- */

static int by_place(const void *p, const void *q)
{
	const struct kt_option_finding *a = p, *b = q;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	if (a->warning != b->warning)
		return a->warning ? 1 : -1;
	int ids = kt_str_cmp(a->id, b->id);
	return ids ? ids : kt_str_cmp(a->text, b->text);
}

/* A map that several chains take in is judged with each of them. */
static void put_in_order(struct check *c, struct kt_str text, struct kt_option_findings *out)
{
	uint32_t line = 1, column = 1;
	size_t at = 0;

	if (c->n_found)
		qsort(c->found, c->n_found, sizeof *c->found, by_place);
	out->p = KT_NEW_N(c->a, struct kt_option_finding, c->n_found + 1);
	for (size_t i = 0; i < c->n_found; i++) {
		if (i && by_place(&c->found[i], &c->found[i - 1]) == 0)
			continue;
		for (; at < c->found[i].at && at < text.len; at++) {
			column = text.p[at] == '\n' ? 1
						    : column + (((unsigned char)text.p[at] & 0xc0) != 0x80);
			line += text.p[at] == '\n';
		}
		out->p[out->n] = c->found[i];
		out->p[out->n].line = line;
		out->p[out->n++].column = column;
	}
}

void kt_options_check(const struct kt_kb *kb, struct kt_str text, struct kt_arena *a,
		      struct kt_option_findings *out)
{
	struct check c = {.kb = kb, .a = a, .budget = TIMES * text.len};

	struct kt_str source;

	*out = (struct kt_option_findings){.n = 0};
	c.subjects = KT_NEW_N(a, struct subject, kb->n_nodes + 1u);
	c.slots = KT_NEW_N(a, const struct kt_opt_pair *, kb->n_options + 1u);
	c.names = KT_NEW_N(a, struct kt_str, kb->n_options + 1u);
	for (uint32_t i = 0; i < kb->n_options; i++)
		c.names[i] = kt_kb_text(kb, kb->options[i].id);
	for (uint32_t i = 0; i < kb->n_option_faults; i++)
		kt_cond_walk(kb, kb->option_faults[i].cond, note_subject, &c);
	kt_opt_read(kb, kt_opt_notebook(text, a, &source) ? source : text, a, &c.lists);
	check_lists(&c, out);
	if (!out->lists) {
		kt_opt_lists_free(&c.lists);
		kt_opt_read_lines(kb, text, &c.lists);
		check_lists(&c, out);
	}
	put_in_order(&c, text, out);
	kt_opt_lists_free(&c.lists);
	kt_free(c.found);
}
