/* What the rules say of one cause, part by part. */
#include "report/condition.h"
#include "report/doc.h"

#include "base/banned.h"

static void add_what(struct kt_doc *doc, struct kt_doc_entry *e, const struct kt_cause *c)
{
	struct kt_doc_part *p = kt_doc_new_part(doc, e, "What happens", "what");

	kt_doc_new_line(doc, p, kt_kb_text(doc->kb, c->explain));
	if (c->carrier)
		kt_doc_new_line(doc, p, KT_S("Only a wrapper: it yields to the cause of what it wraps."));
	if (c->prior != KT_PRIOR_UNCOMMON)
		kt_doc_new_line(doc, p,
				c->prior == KT_PRIOR_COMMON ? KT_S("A common cause.")
							    : KT_S("A rare cause."));
}

/* Each part that is joined by "and" is a line. */
static void add_conjuncts(struct kt_doc *doc, struct kt_doc_part *p, uint32_t node)
{
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	if (doc->kb->nodes[node].op == KT_OP_AND) {
		add_conjuncts(doc, p, doc->kb->nodes[node].left);
		add_conjuncts(doc, p, doc->kb->nodes[node].right);
		return;
	}
	kt_condition_words(doc->kb, node, &b);
	kt_doc_new_line(doc, p, kt_doc_keep(doc, &b));
}

static void add_gate(struct kt_doc *doc, struct kt_doc_entry *e, const struct kt_cause *c)
{
	if (c->gate == KT_NIL)
		return;
	struct kt_doc_part *p = kt_doc_new_part(doc, e, "When it applies", "only when");
	add_conjuncts(doc, p, c->gate);
	p->lines[p->n - 1].raw = kt_kb_text(doc->kb, c->gate_text);
}

static const struct kt_item *item_of(const struct kt_doc *doc, const struct kt_evidence *e)
{
	return &doc->kb->items[e->item];
}

/* What is seen, in words, and the author's note. */
static struct kt_str seen(struct kt_doc *doc, const struct kt_evidence *e)
{
	const struct kt_item *item = item_of(doc, e);
	struct kt_buf b = KT_BUF(KT_BUF_TEXT), words = KT_BUF(KT_BUF_TEXT);

	kt_item_words(doc->kb, item, &words);
	if (item->kind == KT_ITEM_LOG)
		kt_buf_str(&b, words.len ? "the log says " : "the log matches the pattern below");
	else if (item->kind == KT_ITEM_SHOW)
		kt_buf_fmt(&b, "the check " KT_FMT " shows: ",
			   KT_ARG(kt_kb_text(doc->kb, doc->kb->checks[item->check].id)));
	else
		kt_buf_str(&b, "it is known that ");
	kt_buf_add(&b, kt_buf_view(&words));
	if (e->note.len)
		kt_buf_fmt(&b, " (" KT_FMT ")", KT_ARG(kt_str_trim(kt_kb_text(doc->kb, e->note))));
	kt_buf_free(&words);
	return kt_doc_keep(doc, &b);
}

static void add_seen(struct kt_doc *doc, struct kt_doc_part *p, const struct kt_evidence *e,
		     enum kt_weight weight, bool absent)
{
	struct kt_str text = seen(doc, e);

	if (absent)
		text = kt_arena_fmt(&doc->arena, "not seen in a source that was read to its end: " KT_FMT,
				    KT_ARG(text));
	struct kt_doc_line *l = kt_doc_new_line(doc, p, text);
	l->lead = kt_str_c(kt_weight_word(weight));
	if (item_of(doc, e)->kind != KT_ITEM_ASK)
		l->raw = kt_str_trim(kt_kb_text(doc->kb, item_of(doc, e)->text));
}

static bool speaks_for(enum kt_weight w)
{
	return kt_weight_ddb(w) >= 0;
}

static void add_evidence(struct kt_doc *doc, struct kt_doc_entry *entry, const struct kt_cause *c, bool pro)
{
	struct kt_doc_part *p = NULL;
	const char *title = pro ? "What speaks for it" : "What speaks against it";

	for (uint32_t i = 0; i < c->evidence.n; i++) {
		const struct kt_evidence *e = &doc->kb->evidence[c->evidence.at + i];
		bool seen_here = e->weight != KT_W_NONE && speaks_for((enum kt_weight)e->weight) == pro;
		bool absent_here = e->absent != KT_W_NONE && speaks_for((enum kt_weight)e->absent) == pro;
		if (!p && (seen_here || absent_here))
			p = kt_doc_new_part(doc, entry, title, pro ? "for" : "against");
		if (seen_here)
			add_seen(doc, p, e, (enum kt_weight)e->weight, false);
		if (absent_here)
			add_seen(doc, p, e, (enum kt_weight)e->absent, true);
	}
}

/* --- how to confirm --- */

static struct kt_str check_lead(struct kt_doc *doc, const struct kt_check *c)
{
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	kt_buf_fmt(&b, "%s", c->endpoint == KT_INGEST ? "at the ingest endpoint" : "at the engine");
	if (c->permission.len)
		kt_buf_fmt(&b, ", needs " KT_FMT, KT_ARG(kt_kb_text(doc->kb, c->permission)));
	if (c->retention_s >= 86400)
		kt_buf_fmt(&b, ", kept for %u days", c->retention_s / 86400);
	if (c->cost_s)
		kt_buf_fmt(&b, ", %u s", c->cost_s);
	return kt_doc_keep(doc, &b);
}

static void add_check(struct kt_doc *doc, struct kt_doc_part *p, uint32_t check)
{
	const struct kt_check *c = &doc->kb->checks[check];
	struct kt_str command = kt_str_trim(kt_kb_text(doc->kb, c->command));

	for (size_t i = 0; i < p->n; i++)
		if (p->lines[i].code.len && kt_str_eq(p->lines[i].code, command))
			return;
	if (!command.len)
		return;
	struct kt_doc_line *l = kt_doc_new_line(doc, p,
						kt_arena_fmt(&doc->arena, KT_FMT ": " KT_FMT " (" KT_FMT ")",
							     KT_ARG(kt_kb_text(doc->kb, c->id)),
							     KT_ARG(kt_kb_text(doc->kb, c->title)),
							     KT_ARG(check_lead(doc, c))));
	l->lead = KT_S("run");
	l->code = command;
}

static void add_question(struct kt_doc *doc, struct kt_doc_part *p, uint32_t fact)
{
	const struct kt_fact *f = &doc->kb->facts[fact];
	struct kt_str ask = kt_kb_text(doc->kb, f->ask);

	if (!ask.len)
		return;
	struct kt_str text = kt_arena_fmt(&doc->arena, KT_FMT " (" KT_FMT ")", KT_ARG(ask),
					  KT_ARG(kt_kb_text(doc->kb, f->id)));
	for (size_t i = 0; i < p->n; i++)
		if (kt_str_eq(p->lines[i].text, text))
			return;
	kt_doc_new_line(doc, p, text)->lead = KT_S("ask");
}

static void add_gate_questions(struct kt_doc *doc, struct kt_doc_part *p, uint32_t node)
{
	const struct kt_node *n = node == KT_NIL ? NULL : &doc->kb->nodes[node];

	if (!n)
		return;
	if (n->op <= KT_OP_NOT) {
		add_gate_questions(doc, p, n->left);
		add_gate_questions(doc, p, n->op == KT_OP_NOT ? KT_NIL : n->right);
	} else if (n->fact != KT_NIL) {
		add_question(doc, p, n->fact);
	}
}

static void add_confirm(struct kt_doc *doc, struct kt_doc_entry *entry, const struct kt_cause *c)
{
	struct kt_doc_part *p = kt_doc_new_part(doc, entry, "How to confirm it", "confirm");

	if (c->would_confirm.len)
		kt_doc_new_line(doc, p, kt_kb_text(doc->kb, c->would_confirm));
	for (uint32_t i = 0; i < c->evidence.n; i++) {
		const struct kt_item *item = item_of(doc, &doc->kb->evidence[c->evidence.at + i]);
		if (item->kind == KT_ITEM_SHOW)
			add_check(doc, p, item->check);
	}
	add_gate_questions(doc, p, c->gate);
	for (uint32_t i = 0; i < c->evidence.n; i++) {
		const struct kt_item *item = item_of(doc, &doc->kb->evidence[c->evidence.at + i]);
		if (item->kind == KT_ITEM_ASK)
			add_question(doc, p, item->fact);
	}
	if (!p->n)
		entry->n--;
}

/* --- the rest --- */

static void add_rerun(struct kt_doc *doc, struct kt_doc_entry *e, const struct kt_cause *c)
{
	struct kt_doc_part *p = kt_doc_new_part(doc, e, "May the job be run again?", "re-run");

	kt_doc_new_line(doc, p, kt_kb_text(doc->kb, c->rerun_reason))->lead = kt_str_c(
		kt_rerun_word((enum kt_rerun)c->rerun));
}

static void add_verify(struct kt_doc *doc, struct kt_doc_entry *e, const struct kt_cause *c)
{
	if (!c->verify_text.len && c->verify_item == KT_NIL)
		return;
	struct kt_doc_part *p = kt_doc_new_part(doc, e, "How to see that it is mended", "verify");
	struct kt_doc_line *l = kt_doc_new_line(doc, p, kt_kb_text(doc->kb, c->verify_text));
	if (c->verify_item == KT_NIL)
		return;
	const struct kt_item *item = &doc->kb->items[c->verify_item];
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);
	kt_buf_fmt(&b, KT_FMT " Mended when ", KT_ARG(l->text));
	kt_item_words(doc->kb, item, &b);
	kt_buf_char(&b, ':');
	l->text = kt_doc_keep(doc, &b);
	l->code = kt_str_trim(kt_kb_text(doc->kb, doc->kb->checks[item->check].command));
}

/* The document has an entry for it. */
static bool is_here(const struct kt_doc *doc, uint32_t cause)
{
	return cause != KT_NIL &&
	       (!doc->area.len || kt_str_eq(kt_kb_text(doc->kb, doc->kb->causes[cause].area), doc->area));
}

static void add_links(struct kt_doc *doc, struct kt_doc_entry *e, const char *title, const char *label,
		      struct kt_span span)
{
	struct kt_doc_part *p = span.n ? kt_doc_new_part(doc, e, title, label) : NULL;

	for (uint32_t i = 0; i < span.n; i++) {
		struct kt_str id = kt_kb_text(doc->kb, doc->kb->strings[span.at + i]);
		uint32_t cause = kt_kb_cause(doc->kb, id);
		struct kt_str title_of = cause == KT_NIL ? KT_NONE
							 : kt_kb_text(doc->kb, doc->kb->causes[cause].title);
		struct kt_doc_line *l = kt_doc_new_line(doc, p, title_of);
		l->lead = id;
		l->target = is_here(doc, cause) ? id : KT_NONE;
	}
}

void kt_doc_add_cause(struct kt_doc *doc, struct kt_doc_chapter *chapter, uint32_t cause)
{
	const struct kt_kb *kb = doc->kb;
	const struct kt_cause *c = &kb->causes[cause];
	struct kt_doc_entry *e = kt_doc_new_entry(doc, chapter, kt_kb_text(kb, c->id),
						  kt_kb_text(kb, c->title));

	e->cause = cause;
	add_what(doc, e, c);
	add_gate(doc, e, c);
	add_evidence(doc, e, c, true);
	add_evidence(doc, e, c, false);
	add_confirm(doc, e, c);
	kt_doc_add_text(doc, e, "Fix", "fix", kt_kb_text(kb, c->fix_text));
	add_rerun(doc, e, c);
	kt_doc_add_text(doc, e, "What the fix costs", "cost", kt_kb_text(kb, c->tradeoff));
	add_verify(doc, e, c);
	add_links(doc, e, "Looks like", "looks like", c->look_alikes);
	add_links(doc, e, "No check tells it from", "twins", c->twins);
	kt_doc_add_list(doc, e, "References", "see", c->refs);
	kt_doc_add_text(doc, e, "Written in", "rule",
			kt_arena_fmt(&doc->arena, KT_FMT ":%u", KT_ARG(kt_kb_text(kb, c->file)), c->line));
}
