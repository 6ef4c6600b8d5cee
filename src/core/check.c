/* Is a knowledge base of foreign bytes safe to read? */
#include "base/alloc.h"
#include "core/kb.h"

#include "base/banned.h"

#define ENUM_MAX(X_LIST) (0 X_LIST(COUNT_ONE))
#define COUNT_ONE(...)   +1

struct checker {
	const struct kt_kb *kb;
	const char *table;
	uint32_t row;
	bool bad;
	const char *what; /* the first thing that is wrong */
	/* of each node: size as a tree, and what its leaves are over */
	uint32_t *size;
	unsigned char *over;
};

enum { OVER_FACTS = 1, OVER_COLUMNS = 2 };

static void must(struct checker *c, bool good, const char *what)
{
	if (good || c->bad)
		return;
	c->bad = true;
	c->what = what;
}

static void ref(struct checker *c, struct kt_ref r)
{
	must(c, r.off <= c->kb->pool.len && r.len <= c->kb->pool.len - r.off, "text");
}

static void span(struct checker *c, struct kt_span s, uint32_t n, const char *what)
{
	must(c, s.at <= n && s.n <= n - s.at, what);
}

static void row_of(struct checker *c, uint32_t i, uint32_t n, const char *what)
{
	must(c, i < n, what);
}

static void row_or_nil(struct checker *c, uint32_t i, uint32_t n, const char *what)
{
	must(c, i == KT_NIL || i < n, what);
}

static void below(struct checker *c, uint32_t v, uint32_t limit, const char *what)
{
	must(c, v < limit, what);
}

/* A condition whose leaves are all of one kind; NIL is one too. */
static void cond(struct checker *c, uint32_t node, unsigned over, const char *what)
{
	if (node == KT_NIL)
		return;
	row_of(c, node, c->kb->n_nodes, what);
	if (!c->bad)
		must(c, c->over[node] == over, what);
}

static void branch(struct checker *c, const struct kt_node *n, uint32_t i)
{
	bool two = n->op != KT_OP_NOT;

	row_of(c, n->left, i, "order of nodes");
	if (two)
		row_of(c, n->right, i, "order of nodes");
	else
		must(c, n->right == KT_NIL, "right side of not");
	if (c->bad)
		return;
	c->size[i] = 1 + c->size[n->left] + (two ? c->size[n->right] : 0);
	c->over[i] = c->over[n->left] | (two ? c->over[n->right] : 0);
	must(c, c->size[i] <= KT_COND_MAX, "size of a condition");
}

static void leaf(struct checker *c, const struct kt_node *n, uint32_t i)
{
	row_or_nil(c, n->fact, c->kb->n_facts, "fact");
	span(c, n->values, c->kb->n_strings, "values");
	must(c, n->op == KT_OP_IN ? n->values.n > 0 : n->values.n == 1, "number of values");
	must(c, n->op < KT_OP_IEQ || n->fact == KT_NIL, "operator over a fact");
	c->size[i] = 1;
	c->over[i] = n->fact == KT_NIL ? OVER_COLUMNS : OVER_FACTS;
}

static void check_packs(struct checker *c, const struct kt_pack *p)
{
	ref(c, p->id);
	ref(c, p->version);
	ref(c, p->title);
	must(c, p->n_causes <= c->kb->n_causes, "number of causes");
}

static void check_files(struct checker *c, const struct kt_datafile *f)
{
	ref(c, f->name);
	ref(c, f->text);
}

static void check_strings(struct checker *c, const struct kt_ref *r)
{
	ref(c, *r);
}

static void check_fact_refs(struct checker *c, const uint32_t *fact)
{
	row_of(c, *fact, c->kb->n_facts, "fact");
}

static void check_nodes(struct checker *c, const struct kt_node *n)
{
	ref(c, n->name);
	below(c, n->op, KT_OP_STARTS + 1, "operator");
	if (n->op <= KT_OP_NOT)
		branch(c, n, c->row);
	else
		leaf(c, n, c->row);
}

static void check_patterns(struct checker *c, const struct kt_pattern *p)
{
	ref(c, p->text);
	span(c, p->literals, c->kb->n_strings, "literals");
	below(c, p->fold, 2, "flag");
}

static void check_markers(struct checker *c, const struct kt_marker *m)
{
	below(c, m->role, KT_ROLE_NOISE + 1, "role");
	row_of(c, m->pattern, c->kb->n_patterns, "pattern");
}

static void check_frames(struct checker *c, const struct kt_ref *r)
{
	ref(c, *r);
}

static void check_facts(struct checker *c, const struct kt_fact *f)
{
	const struct kt_kb *kb = c->kb;

	ref(c, f->id);
	ref(c, f->ask);
	ref(c, f->why);
	below(c, f->type, ENUM_MAX(KT_FACT_TYPES), "type");
	below(c, f->scope, KT_SCOPE_OPERATION + 1, "scope");
	below(c, f->step, ENUM_MAX(KT_STEPS), "step");
	below(c, f->clean, KT_CLEAN_LOWER + 1, "clean");
	below(c, f->complaint, 2, "flag");
	below(c, f->avail_pm, 1001, "availability");
	cond(c, f->when, OVER_FACTS, "when");
	row_or_nil(c, f->needs, kb->n_facts, "needs");
	span(c, f->choices, kb->n_choices, "choices");
	span(c, f->defaults, kb->n_defaults, "defaults");
}

static void check_choices(struct checker *c, const struct kt_choice *v)
{
	ref(c, v->value);
	ref(c, v->text);
}

static void check_defaults(struct checker *c, const struct kt_default *d)
{
	ref(c, d->value);
	cond(c, d->when, OVER_FACTS, "when");
}

static void check_learns(struct checker *c, const struct kt_learn *l)
{
	ref(c, l->value);
	row_of(c, l->fact, c->kb->n_facts, "fact");
	if (l->item == KT_NIL)
		row_of(c, l->pattern, c->kb->n_patterns, "pattern");
	else
		row_of(c, l->item, c->kb->n_items, "item");
}

static void check_checks(struct checker *c, const struct kt_check *k)
{
	ref(c, k->id);
	ref(c, k->title);
	ref(c, k->command);
	ref(c, k->permission);
	below(c, k->kind, KT_CHECK_SCAN + 1, "kind");
	below(c, k->endpoint, KT_INGEST + 1, "endpoint");
	below(c, k->avail_pm, 1001, "availability");
	below(c, k->silent, 2, "flag");
	below(c, k->automatic, 2, "flag");
	span(c, k->needs, c->kb->n_fact_refs, "needs");
	span(c, k->columns, c->kb->n_strings, "columns");
}

static void check_items(struct checker *c, const struct kt_item *it)
{
	const struct kt_kb *kb = c->kb;
	bool log = it->kind == KT_ITEM_LOG, show = it->kind == KT_ITEM_SHOW;
	bool ask = it->kind == KT_ITEM_ASK;

	ref(c, it->text);
	below(c, it->kind, KT_ITEM_ASK + 1, "kind");
	below(c, it->mode, KT_ROWS_COUNT + 1, "mode");
	must(c, log ? it->pattern < kb->n_patterns : it->pattern == KT_NIL, "pattern");
	must(c, ask ? it->fact < kb->n_facts : it->fact == KT_NIL, "fact");
	must(c, it->check < kb->n_checks || (!show && it->check == KT_NIL), "check");
	if (!c->bad && it->check != KT_NIL)
		must(c, (kb->checks[it->check].kind == KT_CHECK_SCAN) == log, "kind of check");
	cond(c, it->cond, ask ? OVER_FACTS : OVER_COLUMNS, "condition");
	must(c, !ask || it->cond != KT_NIL, "condition");
}

static void check_evidence(struct checker *c, const struct kt_evidence *e)
{
	ref(c, e->group);
	ref(c, e->note);
	row_of(c, e->item, c->kb->n_items, "item");
	below(c, e->weight, ENUM_MAX(KT_WEIGHTS), "weight");
	below(c, e->absent, ENUM_MAX(KT_WEIGHTS), "weight of absence");
}

static void cause_texts(struct checker *c, const struct kt_cause *x)
{
	const struct kt_ref refs[] = {
		x->id,       x->area,         x->title,       x->explain,       x->fix_id, x->fix_text,
		x->tradeoff, x->rerun_reason, x->verify_text, x->would_confirm, x->file,   x->gate_text,
	};
	const struct kt_span lists[] = {x->refs, x->look_alikes, x->twins, x->seeds};

	for (size_t i = 0; i < KT_LEN(refs); i++)
		ref(c, refs[i]);
	for (size_t i = 0; i < KT_LEN(lists); i++)
		span(c, lists[i], c->kb->n_strings, "list of texts");
}

static void check_causes(struct checker *c, const struct kt_cause *x)
{
	const struct kt_kb *kb = c->kb;

	cause_texts(c, x);
	below(c, x->prior, ENUM_MAX(KT_PRIORS), "prior");
	below(c, x->carrier, 2, "flag");
	below(c, x->rerun, ENUM_MAX(KT_RERUNS), "rerun");
	cond(c, x->gate, OVER_FACTS, "gate");
	row_or_nil(c, x->verify_item, kb->n_items, "verify");
	if (!c->bad && x->verify_item != KT_NIL)
		must(c, kb->items[x->verify_item].kind == KT_ITEM_SHOW, "verify");
	row_or_nil(c, x->pack, kb->n_packs, "pack");
	span(c, x->evidence, kb->n_evidence, "evidence");
}

static void check_options(struct checker *c, const struct kt_option *o)
{
	const struct kt_ref refs[] = {o->id,    o->scope,  o->def,     o->allowed,
				      o->since, o->impact, o->mistake, o->constant};

	for (size_t i = 0; i < KT_LEN(refs); i++)
		ref(c, refs[i]);
	span(c, o->wrong, c->kb->n_choices, "wrong names");
	span(c, o->refs, c->kb->n_strings, "references");
}

static void check_words(struct checker *c, const struct kt_word *w)
{
	below(c, w->kind, KT_WORD_FOREIGN + 1, "kind");
	ref(c, w->text);
}

static void check_option_faults(struct checker *c, const struct kt_option_fault *f)
{
	ref(c, f->id);
	ref(c, f->text);
	ref(c, f->cause);
	below(c, f->warning, 2, "flag");
	cond(c, f->cond, OVER_COLUMNS, "condition");
	must(c, f->cond != KT_NIL, "condition");
	span(c, f->refs, c->kb->n_strings, "references");
}

static void check_notes(struct checker *c, const struct kt_note *n)
{
	ref(c, n->id);
	ref(c, n->text);
	below(c, n->kind, KT_NOTE_ADVICE + 1, "kind");
	cond(c, n->cond, OVER_FACTS, "condition");
	row_or_nil(c, n->check, c->kb->n_checks, "check");
	span(c, n->refs, c->kb->n_strings, "references");
}

/* An evidence row belongs to one cause: else a small image could make the work
 * grow with the product of two tables. */
static void evidence_once(struct checker *c)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < c->kb->n_causes && !c->bad; i++)
		sum += c->kb->causes[i].evidence.n;
	must(c, sum <= c->kb->n_evidence, "evidence of two causes");
}

static void check_tables(struct checker *c)
{
	const struct kt_kb *kb = c->kb;

	/* Nodes first: the others ask what a condition is over. */
	c->table = "nodes";
	for (c->row = 0; c->row < kb->n_nodes && !c->bad; c->row++)
		check_nodes(c, &kb->nodes[c->row]);
#define X(name, type)                                                \
	if (c->bad)                                                  \
		return;                                              \
	c->table = #name;                                            \
	for (c->row = 0; c->row < kb->n_##name && !c->bad; c->row++) \
		check_##name(c, &kb->name[c->row]);
	KT_TABLES(X)
#undef X
	if (!c->bad)
		evidence_once(c);
}

int kt_kb_check(const struct kt_kb *kb, struct kt_err *err)
{
	struct checker c = {.kb = kb};

	c.size = kt_alloc_n(kb->n_nodes, sizeof *c.size);
	c.over = kt_alloc_n(kb->n_nodes, sizeof *c.over);
	check_tables(&c);
	kt_free(c.size);
	kt_free(c.over);
	if (!c.bad)
		return 0;
	/* The loop has stepped on by one. */
	return kt_err_set(err, KT_ERR_RULES, "damaged knowledge base: %s, row %u: %s", c.table,
			  c.row ? c.row - 1 : 0, c.what);
}
