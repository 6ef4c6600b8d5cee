/* The flows as flowcharts for Mermaid. Ids are ours (n0, n1, …); texts stand in quotes
 * with every byte that means something written as an entity.
 * Source: mermaid.js.org/syntax/flowchart.html, "Entity codes to escape characters". */
#include "report/doc.h"

#include <string.h>

#include "base/banned.h"

static void add_text(struct kt_buf *out, struct kt_str s)
{
	struct kt_buf clean = KT_BUF(KT_BUF_TEXT);
	struct kt_str text = kt_doc_clean(s, false, &clean);

	for (size_t i = 0; i < text.len; i++) {
		char c = text.p[i];
		if (strchr("\"#<>&`|\\[](){};*_~", c))
			kt_buf_fmt(out, "#%d;", c);
		else
			kt_buf_char(out, c);
	}
	kt_buf_free(&clean);
}

/* Shapes by kind of step: box with round ends, rhombus, … */
static const struct {
	const char *open, *close;
} shapes[] = {
	[KT_DOC_AREA] = {"([\"", "\"])"},  [KT_DOC_ASK] = {"{{\"", "\"}}"}, [KT_DOC_TEXTS] = {"[/\"", "\"/]"},
	[KT_DOC_CHECK] = {"[(\"", "\")]"}, [KT_DOC_CAUSE] = {"[\"", "\"]"},
};

static void add_steps(const struct kt_doc_step *s, unsigned *next, unsigned parent, struct kt_buf *out)
{
	unsigned id = (*next)++;

	kt_buf_fmt(out, "  n%u%s", id, shapes[s->kind].open);
	if (s->id.len) {
		kt_buf_str(out, "<b>");
		add_text(out, s->id);
		kt_buf_str(out, "</b><br>");
	}
	add_text(out, s->text);
	kt_buf_fmt(out, "%s\n", shapes[s->kind].close);
	if (id) {
		kt_buf_fmt(out, "  n%u -->", parent);
		if (s->edge.len) {
			kt_buf_str(out, "|\"");
			add_text(out, s->edge);
			kt_buf_str(out, "\"|");
		}
		kt_buf_fmt(out, " n%u\n", id);
	}
	for (const struct kt_doc_step *c = s->first; c; c = c->next)
		add_steps(c, next, id, out);
}

void kt_doc_flowchart(const struct kt_doc_step *flow, struct kt_buf *out)
{
	unsigned next = 0;

	kt_buf_str(out, "flowchart LR\n");
	add_steps(flow, &next, 0, out);
}

void kt_doc_mermaid(const struct kt_doc *doc, struct kt_buf *out)
{
	bool some = false;

	for (size_t i = 0; i < doc->n; i++) {
		if (!doc->chapters[i].flow)
			continue;
		kt_buf_str(out, some ? "\n%% " : "%% ");
		add_text(out, doc->chapters[i].title);
		kt_buf_char(out, '\n');
		kt_doc_flowchart(doc->chapters[i].flow, out);
		some = true;
	}
}
