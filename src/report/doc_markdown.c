/* The document as Markdown (CommonMark, with the tables' and diagrams' fences that
 * GitHub, GitLab and Azure DevOps know). */
#include "report/doc.h"

#include <string.h>

#include "base/banned.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Bytes that begin a list, a heading or a line under one, where a paragraph begins. */
static bool begins_something(struct kt_str s)
{
	size_t i = 0;

	if (s.len && strchr("#-+=:", s.p[0]))
		return true;
	while (i < s.len && is_digit(s.p[i]))
		i++;
	return i && i < s.len && (s.p[i] == '.' || s.p[i] == ')');
}

static void add_escaped(struct kt_buf *out, struct kt_str s)
{
	if (begins_something(s)) {
		size_t n = is_digit(s.p[0]) ? 1 : 0;
		while (n && is_digit(s.p[n]))
			n++;
		kt_buf_add(out, kt_str_sub(s, 0, n));
		kt_buf_char(out, '\\');
		kt_buf_char(out, s.p[n]);
		s = kt_str_from(s, n + 1);
	}
	for (size_t i = 0; i < s.len; i++) {
		if (strchr("\\`*_[]<>|~&$", s.p[i]))
			kt_buf_char(out, '\\');
		kt_buf_char(out, s.p[i]);
	}
}

/* Words on one line. */
static void add_text(struct kt_buf *out, struct kt_str s)
{
	struct kt_buf clean = KT_BUF(KT_BUF_TEXT), flat = KT_BUF(KT_BUF_TEXT);
	struct kt_str text = kt_doc_clean(kt_str_trim(s), true, &clean);

	for (size_t i = 0; i < text.len; i++)
		kt_buf_char(&flat, text.p[i] == '\n' ? ' ' : text.p[i]);
	add_escaped(out, kt_buf_view(&flat));
	kt_buf_free(&clean);
	kt_buf_free(&flat);
}

/* One more backtick than stand in a row in S, at least LEAST. */
static size_t fence(struct kt_str s, size_t least)
{
	size_t run = 0, most = least - 1;

	for (size_t i = 0; i < s.len; i++) {
		run = s.p[i] == '`' ? run + 1 : 0;
		most = run > most ? run : most;
	}
	return most + 1;
}

static void add_ticks(struct kt_buf *out, size_t n)
{
	while (n--)
		kt_buf_char(out, '`');
}

static void add_span(struct kt_buf *out, struct kt_str s)
{
	struct kt_buf clean = KT_BUF(KT_BUF_TEXT);
	struct kt_str text = kt_doc_clean(s, false, &clean);
	size_t n = fence(text, 1);

	add_ticks(out, n);
	kt_buf_str(out, n > 1 ? " " : "");
	kt_buf_add(out, text);
	kt_buf_str(out, n > 1 ? " " : "");
	add_ticks(out, n);
	kt_buf_free(&clean);
}

/* Lines that stay as they are, as part of a list item. */
static void add_block(struct kt_buf *out, struct kt_str s)
{
	struct kt_buf clean = KT_BUF(KT_BUF_TEXT);
	struct kt_str rest = kt_doc_clean(s, true, &clean), line;
	size_t n = fence(rest, 3);

	kt_buf_str(out, "\n  ");
	add_ticks(out, n);
	kt_buf_str(out, "kusto\n");
	while (kt_str_cut(&rest, '\n', &line))
		kt_buf_fmt(out, "  " KT_FMT "\n", KT_ARG(line));
	kt_buf_str(out, "  ");
	add_ticks(out, n);
	kt_buf_char(out, '\n');
	kt_buf_free(&clean);
}

static void add_line(struct kt_buf *out, const struct kt_doc_line *l)
{
	kt_buf_str(out, "- ");
	if (l->target.len)
		kt_buf_fmt(out, "[`" KT_FMT "`](#" KT_FMT ")", KT_ARG(l->lead), KT_ARG(l->target));
	else if (l->lead.len) {
		kt_buf_str(out, "**");
		add_text(out, l->lead);
		kt_buf_str(out, "**");
	}
	kt_buf_str(out, l->lead.len && l->text.len ? ": " : "");
	if (l->url)
		kt_buf_fmt(out, "<" KT_FMT ">", KT_ARG(l->text));
	else
		add_text(out, l->text);
	kt_buf_char(out, '\n');
	if (l->raw.len) {
		kt_buf_str(out, "  <br>");
		add_span(out, l->raw);
		kt_buf_char(out, '\n');
	}
	if (l->code.len)
		add_block(out, l->code);
}

/* One line of words only is a paragraph, not a list. */
static bool is_plain(const struct kt_doc_part *p)
{
	return p->n == 1 && !p->lines[0].lead.len && !p->lines[0].raw.len && !p->lines[0].code.len &&
	       !p->lines[0].url;
}

static void add_entry(struct kt_buf *out, const struct kt_doc_entry *e)
{
	kt_buf_fmt(out, "\n<a id=\"" KT_FMT "\"></a>\n### ", KT_ARG(e->id));
	if (e->cause != KT_NIL) {
		add_text(out, e->id);
		kt_buf_str(out, ": ");
	}
	add_text(out, e->title);
	kt_buf_str(out, "\n");
	for (size_t i = 0; i < e->n; i++) {
		const struct kt_doc_part *p = &e->parts[i];
		kt_buf_fmt(out, "\n**%s**\n\n", p->title);
		if (is_plain(p)) {
			add_text(out, p->lines[0].text);
			kt_buf_char(out, '\n');
			continue;
		}
		for (size_t k = 0; k < p->n; k++)
			add_line(out, &p->lines[k]);
	}
}

static void add_chapter(struct kt_buf *out, const struct kt_doc_chapter *c)
{
	kt_buf_fmt(out, "\n<a id=\"" KT_FMT "\"></a>\n## ", KT_ARG(c->id));
	add_text(out, c->title);
	kt_buf_char(out, '\n');
	if (c->flow) {
		kt_buf_str(out, "\n```mermaid\n");
		kt_doc_flowchart(c->flow, out);
		kt_buf_str(out, "```\n");
	}
	kt_buf_str(out, c->n_lines ? "\n" : "");
	for (size_t i = 0; i < c->n_lines; i++)
		add_line(out, &c->lines[i]);
	for (size_t i = 0; i < c->n; i++)
		add_entry(out, &c->entries[i]);
}

static void add_contents(struct kt_buf *out, const struct kt_doc *doc)
{
	kt_buf_str(out, "\n## Contents\n\n");
	for (size_t i = 0; i < doc->n; i++) {
		const struct kt_doc_chapter *c = &doc->chapters[i];
		kt_buf_str(out, "- [");
		add_text(out, c->title);
		kt_buf_fmt(out, "](#" KT_FMT ")\n", KT_ARG(c->id));
		for (size_t k = 0; k < c->n; k++) {
			kt_buf_str(out, "  - [");
			add_text(out, c->entries[k].title);
			kt_buf_fmt(out, "](#" KT_FMT ")\n", KT_ARG(c->entries[k].id));
		}
	}
}

void kt_doc_markdown(const struct kt_doc *doc, struct kt_buf *out)
{
	kt_buf_fmt(out, "# Runbook\n\nMade from the rules by `ktriage rules doc`, ktriage %s: %zu causes.\n",
		   KT_VERSION, doc->n_causes);
	add_contents(out, doc);
	for (size_t i = 0; i < doc->n; i++)
		add_chapter(out, &doc->chapters[i]);
}
