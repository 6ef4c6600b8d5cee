/* The document as one page that needs nothing else: it reads well without its script,
 * which only filters, and its policy lets no request out. Ids of its own hold a colon,
 * which no id of the rules may hold. */
#include "report/doc.h"
#include "report/doc_assets.h"

#include "base/banned.h"

static void add_char(struct kt_buf *out, char c)
{
	switch (c) {
	case '&': kt_buf_str(out, "&amp;"); break;
	case '<': kt_buf_str(out, "&lt;"); break;
	case '>': kt_buf_str(out, "&gt;"); break;
	case '"': kt_buf_str(out, "&quot;"); break;
	case '\'': kt_buf_str(out, "&#39;"); break;
	default: kt_buf_char(out, c);
	}
}

static void add_escaped(struct kt_buf *out, struct kt_str s, bool lines)
{
	struct kt_buf clean = KT_BUF(KT_BUF_TEXT);
	struct kt_str text = kt_doc_clean(kt_str_trim(s), lines, &clean);

	for (size_t i = 0; i < text.len; i++)
		add_char(out, text.p[i]);
	kt_buf_free(&clean);
}

/* Words; a line feed of the rules is a blank. */
static void add_text(struct kt_buf *out, struct kt_str s)
{
	add_escaped(out, s, true);
}

/* BEFORE, the text, BEHIND; nothing for an empty text. */
static void add_in(struct kt_buf *out, const char *before, struct kt_str s, const char *behind)
{
	if (!s.len)
		return;
	kt_buf_str(out, before);
	add_text(out, s);
	kt_buf_str(out, behind);
}

static void add_link(struct kt_buf *out, struct kt_str href, bool here)
{
	kt_buf_str(out, here ? "<a href=\"#" : "<a rel=\"noreferrer\" href=\"");
	add_text(out, href);
	kt_buf_str(out, "\">");
}

static void add_line(struct kt_buf *out, const struct kt_doc_line *l)
{
	bool link = l->target.len || l->url;

	if (link)
		add_link(out, l->target.len ? l->target : l->text, l->target.len > 0);
	add_in(out, "<span class=\"lead\">", l->lead, "</span>");
	kt_buf_str(out, l->lead.len && l->text.len ? ": " : "");
	add_text(out, l->text);
	kt_buf_str(out, link ? "</a>" : "");
	add_in(out, "<details class=\"raw\"><summary>as the rule writes it</summary><code>", l->raw,
	       "</code></details>");
	if (l->code.len)
		add_in(out, "<pre>", l->code, "</pre>");
}

/* Parts with a look of their own, by their label on a terminal. */
static const char *class_of(const struct kt_doc_part *p)
{
	static const char *const own[] = {"for", "against", "fix"};

	for (size_t i = 0; i < KT_LEN(own); i++)
		if (kt_str_eq_c(kt_str_c(p->label), own[i]))
			return own[i];
	return "part";
}

static void add_part(struct kt_buf *out, const struct kt_doc_part *p)
{
	kt_buf_fmt(out, "<div class=\"%s\"><h4>%s</h4>", class_of(p), p->title);
	if (p->n == 1) {
		kt_buf_str(out, "<div>");
		add_line(out, &p->lines[0]);
		kt_buf_str(out, "</div></div>\n");
		return;
	}
	kt_buf_str(out, "<ul>\n");
	for (size_t i = 0; i < p->n; i++) {
		kt_buf_str(out, "<li>");
		add_line(out, &p->lines[i]);
		kt_buf_str(out, "</li>\n");
	}
	kt_buf_str(out, "</ul></div>\n");
}

static void add_entry(struct kt_buf *out, const struct kt_doc_entry *e)
{
	add_in(out, "<article class=\"cause\" id=\"", e->id, "\">\n<h3>");
	add_link(out, e->id, true);
	if (e->cause != KT_NIL)
		add_in(out, "<code>", e->id, "</code> ");
	add_text(out, e->title);
	kt_buf_str(out, "</a></h3>\n<div class=\"body\">\n");
	for (size_t i = 0; i < e->n; i++)
		add_part(out, &e->parts[i]);
	kt_buf_str(out, "</div>\n</article>\n");
}

/* --- flow, questions, contents --- */

static void add_steps(struct kt_buf *out, const struct kt_doc_step *s)
{
	kt_buf_str(out, "<ul>\n");
	for (const struct kt_doc_step *c = s->first; c; c = c->next) {
		kt_buf_str(out, "<li>");
		add_in(out, "<span class=\"edge\">", c->edge, "</span> &rarr; ");
		if (c->id.len)
			add_link(out, c->id, true);
		add_text(out, c->text);
		kt_buf_str(out, c->id.len ? "</a>" : "");
		if (c->first)
			add_steps(out, c);
		kt_buf_str(out, "</li>\n");
	}
	kt_buf_str(out, "</ul>\n");
}

static void add_chapter(struct kt_buf *out, const struct kt_doc_chapter *c)
{
	add_in(out, "<section class=\"chapter\" id=\"", c->id, "\">\n<h2>");
	add_text(out, c->title);
	kt_buf_str(out, "</h2>\n");
	if (c->flow && c->flow->first) {
		kt_buf_str(out, "<details class=\"flow\" open><summary>Which one is it?</summary>\n");
		add_steps(out, c->flow);
		kt_buf_str(out, "</details>\n");
	}
	kt_buf_str(out, c->n_lines ? "<ul>\n" : "");
	for (size_t i = 0; i < c->n_lines; i++) {
		kt_buf_str(out, "<li>");
		add_line(out, &c->lines[i]);
		kt_buf_str(out, "</li>\n");
	}
	kt_buf_str(out, c->n_lines ? "</ul>\n" : "");
	for (size_t i = 0; i < c->n; i++)
		add_entry(out, &c->entries[i]);
	kt_buf_str(out, "</section>\n");
}

static void add_choices(struct kt_buf *out, const struct kt_doc *doc, uint32_t fact)
{
	const struct kt_kb *kb = doc->kb;
	const struct kt_fact *f = &kb->facts[fact];

	add_in(out, "<fieldset><legend>", kt_kb_text(kb, f->ask), "</legend><div class=\"choices\">\n");
	for (uint32_t i = 0; i < f->choices.n; i++) {
		const struct kt_choice *c = &kb->choices[f->choices.at + i];
		struct kt_str value = kt_kb_text(kb, c->value), text = kt_kb_text(kb, c->text);
		if (kt_str_eq_c(value, "not-set")) /* may mean any value: it leaves nothing out */
			continue;
		add_in(out, "<button type=\"button\" aria-pressed=\"false\" data-fact=\"",
		       kt_kb_text(kb, f->id), "\"");
		add_in(out, " data-value=\"", value, "\">");
		add_text(out, text.len ? text : value);
		kt_buf_str(out, "</button>\n");
	}
	kt_buf_str(out, "</div></fieldset>\n");
}

/* How many conditions speak of FACT; it must be one that everybody is asked. */
static unsigned spoken_of(const struct kt_kb *kb, uint32_t fact, enum kt_step step)
{
	const struct kt_fact *f = &kb->facts[fact];
	unsigned n = 0;

	if (f->step != (uint32_t)step || f->type != KT_FACT_CHOICE || !f->ask.len || f->when != KT_NIL)
		return 0;
	for (uint32_t i = 0; i < kb->n_nodes; i++)
		n += kb->nodes[i].fact == fact && kb->nodes[i].op >= KT_OP_EQ;
	return n;
}

static void add_question(struct kt_buf *out, const struct kt_doc *doc, enum kt_step step)
{
	uint32_t best = KT_NIL;
	unsigned most = 0;

	for (uint32_t i = 0; i < doc->kb->n_facts; i++) {
		unsigned n = spoken_of(doc->kb, i, step);
		if (n > most) {
			most = n;
			best = i;
		}
	}
	if (best != KT_NIL)
		add_choices(out, doc, best);
}

/* What a person can say before anything is read: what is seen, then what was done. */
static void add_symptoms(struct kt_buf *out, const struct kt_doc *doc)
{
	add_question(out, doc, KT_STEP_SURFACE);
	add_question(out, doc, KT_STEP_CLASSIFY);
}

static void add_head(struct kt_buf *out, const struct kt_doc *doc)
{
	kt_buf_str(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
			"script-src '" kt_doc_js_HASH "'; style-src '" kt_doc_css_HASH "'; "
			"base-uri 'none'; form-action 'none'\">\n"
			"<meta name=\"referrer\" content=\"no-referrer\">\n"
			"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
			"<title>ktriage runbook</title>\n<style>");
	kt_buf_add(out, (struct kt_str){kt_doc_css, sizeof kt_doc_css});
	kt_buf_str(out, "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#ui:causes\">To the causes</a>\n"
			"<header>\n<h1>Runbook</h1>\n");
	kt_buf_fmt(out,
		   "<p class=\"dim\">%zu causes, made from the rules by ktriage %s. Works without a network. "
		   "It shows what the rules say and gives no verdict.</p>\n",
		   doc->n_causes, KT_VERSION);
	kt_buf_str(
		out,
		"<div id=\"ui:tools\" class=\"find\" role=\"search\" hidden>\n"
		"<label for=\"ui:find\">Words, an id, an error code, or a pasted error</label>\n"
		"<textarea id=\"ui:find\" rows=\"2\" spellcheck=\"false\" autocomplete=\"off\" "
		"aria-describedby=\"ui:keys\" aria-controls=\"ui:hits\"></textarea>\n"
		"<p id=\"ui:keys\" class=\"dim\"><kbd>/</kbd> search, <kbd>&darr;</kbd> <kbd>&uarr;</kbd> or "
		"<kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> open, <kbd>Esc</kbd> clear</p>\n");
	add_symptoms(out, doc);
	kt_buf_str(out,
		   "<p id=\"ui:count\" class=\"count\" role=\"status\" aria-live=\"polite\"></p>\n</div>\n");
}

static void add_contents(struct kt_buf *out, const struct kt_doc *doc)
{
	kt_buf_str(out, "<nav aria-label=\"Areas\">\n<ul class=\"areas\">\n");
	for (size_t i = 0; i < doc->n; i++) {
		kt_buf_str(out, "<li>");
		add_link(out, doc->chapters[i].id, true);
		add_text(out, doc->chapters[i].title);
		kt_buf_str(out, "</a>");
		if (doc->chapters[i].n)
			kt_buf_fmt(out, " <span class=\"dim\">%zu</span>", doc->chapters[i].n);
		kt_buf_str(out, "</li>\n");
	}
	kt_buf_str(out, "</ul>\n</nav>\n</header>\n");
}

void kt_doc_html(const struct kt_doc *doc, struct kt_buf *out)
{
	add_head(out, doc);
	add_contents(out, doc);
	kt_buf_str(out, "<main id=\"ui:causes\">\n<section class=\"chapter hits\" id=\"ui:hits\" "
			"aria-label=\"Found\" hidden>\n"
			"<h2>Found</h2>\n<div id=\"ui:list\"></div>\n</section>\n");
	for (size_t i = 0; i < doc->n; i++)
		add_chapter(out, &doc->chapters[i]);
	kt_buf_str(out, "</main>\n<footer class=\"dim\">Evidence is no verdict: "
			"<code>ktriage diagnose FILE</code> weighs all of it.</footer>\n"
			"<script type=\"application/json\" id=\"ui:data\">");
	kt_doc_data(doc, out);
	kt_buf_str(out, "</script>\n<script>");
	kt_buf_add(out, (struct kt_str){kt_doc_js, sizeof kt_doc_js});
	kt_buf_str(out, "</script>\n</body>\n</html>\n");
}
