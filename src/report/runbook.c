/* The runbook companion on a terminal: the document of report/doc.h as rows of text. */
#include "report/doc.h"
#include "report/words.h"

#include "base/banned.h"

/* The first row of a part has its label, further ones none. */
static void code_rows(const struct kt_report *r, struct kt_str code, enum kt_paint paint)
{
	struct kt_str line;

	while (kt_str_cut(&code, '\n', &line)) {
		kt_blanks(r->out, KT_TEXT_INDENT + 2);
		kt_paint(r->out, r->style, paint, line);
		kt_buf_char(r->out, '\n');
	}
}

static void line_rows(const struct kt_report *r, const char *label, const struct kt_doc_line *l)
{
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	kt_buf_fmt(&b, KT_FMT "%s" KT_FMT, KT_ARG(l->lead), l->lead.len && l->text.len ? ": " : "",
		   KT_ARG(l->text));
	kt_row(r, label, KT_PAINT_PLAIN, kt_buf_view(&b));
	if (l->raw.len)
		code_rows(r, l->raw, KT_PAINT_DIM);
	if (l->code.len)
		code_rows(r, l->code, KT_PAINT_CODE);
	kt_buf_free(&b);
}

static void entry_rows(const struct kt_report *r, const struct kt_doc_entry *e)
{
	if (e->cause == KT_NIL)
		kt_line(r, KT_PAINT_HEAD, KT_FMT, KT_ARG(e->title));
	else
		kt_line(r, KT_PAINT_HEAD, KT_FMT ": " KT_FMT, KT_ARG(e->id), KT_ARG(e->title));
	for (size_t i = 0; i < e->n; i++)
		for (size_t k = 0; k < e->parts[i].n; k++)
			line_rows(r, k ? "" : e->parts[i].label, &e->parts[i].lines[k]);
}

/* The flow as a tree, a step on each line. */
static void flow_rows(const struct kt_report *r, const struct kt_doc_step *s, unsigned depth)
{
	for (const struct kt_doc_step *c = s->first; c; c = c->next) {
		struct kt_buf b = KT_BUF(KT_BUF_TEXT);
		kt_buf_fmt(&b, KT_FMT "%s" KT_FMT, KT_ARG(c->edge), c->edge.len ? " -> " : "",
			   KT_ARG(c->id.len ? c->id : c->text));
		kt_blanks(r->out, 2 + 2 * depth);
		kt_wrap(r->out, r->style, KT_PAINT_PLAIN, kt_buf_view(&b), 2 + 2 * depth, 4 + 2 * depth);
		kt_buf_char(r->out, '\n');
		kt_buf_free(&b);
		flow_rows(r, c, depth + 1);
	}
}

static void chapter_rows(const struct kt_report *r, const struct kt_doc_chapter *c)
{
	kt_line(r, KT_PAINT_HEAD, KT_FMT, KT_ARG(c->title));
	if (c->flow)
		flow_rows(r, c->flow, 0);
	for (size_t i = 0; i < c->n_lines; i++) {
		struct kt_doc_line l = c->lines[i];
		struct kt_buf label = KT_BUF(KT_BUF_NAME);
		kt_buf_add(&label, l.lead.len ? l.lead : KT_S("-"));
		l.lead = KT_NONE;
		line_rows(r, kt_buf_c(&label), &l);
		kt_buf_free(&label);
	}
	kt_buf_char(r->out, '\n');
	for (size_t i = 0; i < c->n; i++) {
		entry_rows(r, &c->entries[i]);
		kt_buf_char(r->out, '\n');
	}
}

void kt_report_cause(const struct kt_report *r, const struct kt_kb *kb, uint32_t cause)
{
	struct kt_doc doc;

	kt_doc_build_cause(kb, cause, &doc);
	entry_rows(r, &doc.chapters[0].entries[0]);
	kt_doc_free(&doc);
}

void kt_report_option(const struct kt_report *r, const struct kt_kb *kb, uint32_t option)
{
	struct kt_doc doc;

	kt_doc_build_option(kb, option, &doc);
	entry_rows(r, &doc.chapters[0].entries[0]);
	kt_doc_free(&doc);
}

bool kt_report_wrong_option(const struct kt_report *r, const struct kt_kb *kb, uint32_t option,
			    struct kt_str name)
{
	const struct kt_option *o = &kb->options[option];

	for (uint32_t i = 0; i < o->wrong.n; i++) {
		const struct kt_choice *w = &kb->choices[o->wrong.at + i];
		if (!kt_str_ieq(kt_kb_text(kb, w->value), name))
			continue;
		kt_line(r, KT_PAINT_WARN, KT_FMT " is no option, nothing reads it: " KT_FMT,
			KT_ARG(kt_kb_text(kb, w->value)), KT_ARG(kt_str_trim(kt_kb_text(kb, w->text))));
		kt_report_option(r, kb, option);
		return true;
	}
	return false;
}

void kt_report_runbook(const struct kt_report *r, const struct kt_kb *kb, struct kt_str area)
{
	struct kt_doc doc;

	if (kt_doc_build(kb, area, &doc))
		for (size_t i = 0; i < doc.n; i++)
			chapter_rows(r, &doc.chapters[i]);
	kt_doc_free(&doc);
}
