/* The decision flow of an area, from the rules alone: the questions that the causes'
 * conditions need, the one that divides them best first; then, among causes that no
 * question divides, the text, row or answer that speaks loudest for each. */
#include "report/condition.h"
#include "report/doc.h"

#include "base/banned.h"

#define NEEDS 12  /* conditions of one cause that are looked at */
#define DEEP  5   /* questions one behind the other */
#define LABEL 100 /* bytes of a text on an edge */

struct flow {
	struct kt_doc *doc;
	uint32_t asked[DEEP]; /* facts */
	size_t n_asked;
};

/* Causes that are still together. */
struct group {
	uint32_t *causes;
	size_t n;
};

static struct kt_doc_step *add_step(struct flow *f, struct kt_doc_step *parent, enum kt_doc_step_kind kind,
				    struct kt_str edge, struct kt_str text)
{
	struct kt_doc_step *s = KT_NEW(&f->doc->arena, struct kt_doc_step);

	*s = (struct kt_doc_step){.kind = kind, .edge = edge, .text = text};
	if (parent->last)
		parent->last->next = s;
	else
		parent->first = s;
	parent->last = s;
	return s;
}

static void add_cause(struct flow *f, struct kt_doc_step *parent, struct kt_str edge, uint32_t cause)
{
	const struct kt_kb *kb = f->doc->kb;
	struct kt_doc_step *s = add_step(f, parent, KT_DOC_CAUSE, edge,
					 kt_kb_text(kb, kb->causes[cause].title));

	s->id = kt_kb_text(kb, kb->causes[cause].id);
}

/* --- questions --- */

/* What CAUSE needs of FACT; false: nothing that is plain. */
static bool needed(const struct flow *f, uint32_t cause, uint32_t fact, struct kt_span *values)
{
	struct kt_needed all[NEEDS];
	size_t n = kt_condition_needed(f->doc->kb, f->doc->kb->causes[cause].gate, all, NEEDS);

	for (size_t i = 0; i < n; i++)
		if (all[i].fact == fact) {
			*values = all[i].values;
			return true;
		}
	return false;
}

static bool same_values(const struct kt_kb *kb, struct kt_span x, struct kt_span y)
{
	if (x.n != y.n)
		return false;
	for (uint32_t i = 0; i < x.n; i++)
		if (!kt_str_eq(kt_kb_text(kb, kb->strings[x.at + i]), kt_kb_text(kb, kb->strings[y.at + i])))
			return false;
	return true;
}

static bool was_asked(const struct flow *f, uint32_t fact)
{
	for (size_t i = 0; i < f->n_asked; i++)
		if (f->asked[i] == fact)
			return true;
	return false;
}

/* How many causes of the group need FACT. Nothing is gained below the first question
 * where all of them need the same. */
static size_t worth(const struct flow *f, const struct group *g, uint32_t fact)
{
	struct kt_span first = {0, 0}, values;
	size_t n = 0;
	bool differ = false;

	for (size_t i = 0; i < g->n; i++) {
		if (!needed(f, g->causes[i], fact, &values))
			continue;
		differ |= n && !same_values(f->doc->kb, first, values);
		first = n++ ? first : values;
	}
	return n > 1 && (differ || n < g->n || !f->n_asked) ? n : 0;
}

/* Of equal ones that which the authors ask earlier. */
static bool is_earlier(const struct kt_fact *x, const struct kt_fact *y)
{
	uint32_t px = x->pin ? x->pin : 10, py = y->pin ? y->pin : 10;

	if (px != py)
		return px < py;
	return x->step != y->step ? x->step < y->step : x->order < y->order;
}

static uint32_t best_question(const struct flow *f, const struct group *g)
{
	const struct kt_kb *kb = f->doc->kb;
	uint32_t best = KT_NIL;
	size_t most = 0;

	for (uint32_t i = 0; i < kb->n_facts && f->n_asked < DEEP; i++) {
		size_t n = kb->facts[i].ask.len && !was_asked(f, i) ? worth(f, g, i) : 0;
		if (n && (n > most || (n == most && is_earlier(&kb->facts[i], &kb->facts[best])))) {
			best = i;
			most = n;
		}
	}
	return best;
}

static struct kt_str values_label(struct flow *f, struct kt_span values)
{
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	for (uint32_t i = 0; i < values.n; i++)
		kt_buf_fmt(&b, "%s" KT_FMT, i ? " or " : "",
			   KT_ARG(kt_kb_text(f->doc->kb, f->doc->kb->strings[values.at + i])));
	return kt_doc_keep(f->doc, &b);
}

static void grow(struct flow *f, struct kt_doc_step *at, struct kt_str edge, struct group *g);

/* Those of G that need VALUES of FACT (NULL: nothing of it) go into one branch. */
static void branch(struct flow *f, struct kt_doc_step *at, struct group *g, uint32_t fact,
		   const struct kt_span *values)
{
	struct group part = {KT_NEW_N(&f->doc->arena, uint32_t, g->n), 0};
	size_t left = 0;

	for (size_t i = 0; i < g->n; i++) {
		struct kt_span v;
		bool needs = needed(f, g->causes[i], fact, &v);
		if (values ? needs && same_values(f->doc->kb, v, *values) : !needs)
			part.causes[part.n++] = g->causes[i];
		else
			g->causes[left++] = g->causes[i];
	}
	g->n = left;
	if (part.n)
		grow(f, at, values ? values_label(f, *values) : KT_S("whatever it is"), &part);
}

static void divide(struct flow *f, struct kt_doc_step *at, struct kt_str edge, struct group *g, uint32_t fact)
{
	const struct kt_kb *kb = f->doc->kb;
	struct kt_doc_step *ask = add_step(f, at, KT_DOC_ASK, edge, kt_kb_text(kb, kb->facts[fact].ask));
	struct group rest = {KT_NEW_N(&f->doc->arena, uint32_t, g->n), g->n};

	for (size_t i = 0; i < g->n; i++)
		rest.causes[i] = g->causes[i];
	f->asked[f->n_asked++] = fact;
	for (size_t i = 0; i < g->n; i++) {
		struct kt_span values;
		if (needed(f, g->causes[i], fact, &values))
			branch(f, ask, &rest, fact, &values);
	}
	branch(f, ask, &rest, fact, NULL);
	f->n_asked--;
}

/* --- what is seen --- */

/* The evidence that speaks loudest for CAUSE among items of KIND, or KT_NIL. */
static uint32_t loudest(const struct flow *f, uint32_t cause, enum kt_item_kind kind)
{
	const struct kt_kb *kb = f->doc->kb;
	struct kt_span span = kb->causes[cause].evidence;
	uint32_t best = KT_NIL;
	int most = 0;

	for (uint32_t i = span.at; i < span.at + span.n; i++) {
		int ddb = kt_weight_ddb((enum kt_weight)kb->evidence[i].weight);
		if (kb->items[kb->evidence[i].item].kind == (uint32_t)kind && ddb > most) {
			most = ddb;
			best = i;
		}
	}
	return best;
}

static struct kt_str log_label(struct flow *f, const struct kt_evidence *e)
{
	const struct kt_kb *kb = f->doc->kb;
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	if (!kt_pattern_label(kt_kb_text(kb, kb->patterns[kb->items[e->item].pattern].text), LABEL, &b))
		kt_add_cut(&b, kt_kb_text(kb, e->note.len ? e->note : kb->items[e->item].text), LABEL);
	return kt_doc_keep(f->doc, &b);
}

static struct kt_str item_label(struct flow *f, const struct kt_item *item)
{
	struct kt_buf b = KT_BUF(KT_BUF_TEXT), whole = KT_BUF(KT_BUF_TEXT);

	kt_item_words(f->doc->kb, item, &whole);
	kt_add_cut(&b, kt_buf_view(&whole), LABEL);
	kt_buf_free(&whole);
	return kt_doc_keep(f->doc, &b);
}

/* The step under AT that asks the same, or a new one. */
static struct kt_doc_step *same_step(struct flow *f, struct kt_doc_step *at, enum kt_doc_step_kind kind,
				     struct kt_str text)
{
	for (struct kt_doc_step *s = at->first; s; s = s->next)
		if (s->kind == kind && kt_str_eq(s->text, text))
			return s;
	return add_step(f, at, kind, KT_NONE, text);
}

static void add_seen(struct flow *f, struct kt_doc_step *at, uint32_t cause)
{
	const struct kt_kb *kb = f->doc->kb;
	uint32_t log = loudest(f, cause, KT_ITEM_LOG), show = loudest(f, cause, KT_ITEM_SHOW);
	uint32_t ask = loudest(f, cause, KT_ITEM_ASK);
	struct kt_doc_step *s = at;
	struct kt_str edge = KT_NONE;

	if (log != KT_NIL) {
		s = same_step(f, at, KT_DOC_TEXTS, KT_S("Which of these does the log say?"));
		edge = log_label(f, &kb->evidence[log]);
	} else if (show != KT_NIL) {
		const struct kt_item *item = &kb->items[kb->evidence[show].item];
		s = same_step(f, at, KT_DOC_CHECK, kt_kb_text(kb, kb->checks[item->check].title));
		edge = item_label(f, item);
	} else if (ask != KT_NIL) {
		const struct kt_item *item = &kb->items[kb->evidence[ask].item];
		struct kt_str question = kt_kb_text(kb, kb->facts[item->fact].ask);
		s = question.len ? same_step(f, at, KT_DOC_ASK, question) : at;
		edge = item_label(f, item);
	}
	add_cause(f, s, edge, cause);
}

static void list(struct flow *f, struct kt_doc_step *at, struct kt_str edge, const struct group *g)
{
	struct kt_doc_step fork = {.first = NULL};

	for (size_t i = 0; i < g->n; i++)
		add_seen(f, &fork, g->causes[i]);
	/* A fork of one branch is none: the answer leads to what it holds. */
	for (struct kt_doc_step *s = fork.first; s; s = s->next)
		s->edge = edge.len ? edge : s->edge;
	if (at->last)
		at->last->next = fork.first;
	else
		at->first = fork.first;
	at->last = fork.last;
}

static void grow(struct flow *f, struct kt_doc_step *at, struct kt_str edge, struct group *g)
{
	uint32_t fact = g->n > 1 ? best_question(f, g) : KT_NIL;

	if (fact != KT_NIL)
		divide(f, at, edge, g, fact);
	else
		list(f, at, edge, g);
}

struct kt_doc_step *kt_doc_flow(struct kt_doc *doc, const struct kt_doc_chapter *chapter)
{
	struct flow f = {.doc = doc};
	struct group g = {KT_NEW_N(&doc->arena, uint32_t, chapter->n + 1), 0};
	struct kt_doc_step *top = KT_NEW(&doc->arena, struct kt_doc_step);

	*top = (struct kt_doc_step){.kind = KT_DOC_AREA, .text = chapter->title};
	for (size_t i = 0; i < chapter->n; i++)
		if (chapter->entries[i].cause != KT_NIL)
			g.causes[g.n++] = chapter->entries[i].cause;
	grow(&f, top, KT_NONE, &g);
	return top;
}
