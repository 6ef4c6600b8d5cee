#include "report/doc.h"

#include <string.h>

#include "term/escape.h"

#include "base/banned.h"

const struct kt_doc_format kt_doc_formats[] = {
	{"markdown", kt_doc_markdown},
	{"html", kt_doc_html},
	{"man", kt_doc_man},
	{"mermaid", kt_doc_mermaid},
};
const size_t kt_n_doc_formats = KT_LEN(kt_doc_formats);

const struct kt_doc_format *kt_doc_format(struct kt_str name)
{
	for (size_t i = 0; i < kt_n_doc_formats; i++)
		if (!name.len || kt_str_eq_c(name, kt_doc_formats[i].name))
			return &kt_doc_formats[i];
	return NULL;
}

/* --- building blocks --- */

struct kt_str kt_doc_keep(struct kt_doc *doc, struct kt_buf *take_text)
{
	struct kt_str s = kt_arena_str(&doc->arena, kt_buf_view(take_text));

	kt_buf_free(take_text);
	return s;
}

void *kt_doc_grow(struct kt_arena *a, void *items, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return items;
	*cap = *cap ? *cap * 2 : 4;
	void *more = kt_arena_alloc_n(a, *cap, size);
	if (n)
		memcpy(more, items, n * size);
	return more;
}

#define GROW(doc, array, n, cap) \
	((array) = kt_doc_grow(&(doc)->arena, (array), (n), &(cap), sizeof *(array)), &(array)[(n)++])

static struct kt_doc_chapter *new_chapter(struct kt_doc *doc, struct kt_str id, struct kt_str title)
{
	struct kt_doc_chapter *c = GROW(doc, doc->chapters, doc->n, doc->cap);

	c->id = id;
	c->title = title;
	return c;
}

struct kt_doc_entry *kt_doc_new_entry(struct kt_doc *doc, struct kt_doc_chapter *c, struct kt_str id,
				      struct kt_str title)
{
	struct kt_doc_entry *e = GROW(doc, c->entries, c->n, c->cap);

	e->id = id;
	e->title = title;
	e->cause = KT_NIL;
	return e;
}

struct kt_doc_part *kt_doc_new_part(struct kt_doc *doc, struct kt_doc_entry *e, const char *title,
				    const char *label)
{
	struct kt_doc_part *p = GROW(doc, e->parts, e->n, e->cap);

	p->title = title;
	p->label = label;
	return p;
}

struct kt_doc_line *kt_doc_new_line(struct kt_doc *doc, struct kt_doc_part *p, struct kt_str text)
{
	struct kt_doc_line *l = GROW(doc, p->lines, p->n, p->cap);

	l->text = kt_str_trim(text);
	return l;
}

void kt_doc_add_text(struct kt_doc *doc, struct kt_doc_entry *e, const char *title, const char *label,
		     struct kt_str text)
{
	if (text.len)
		kt_doc_new_line(doc, kt_doc_new_part(doc, e, title, label), text);
}

void kt_doc_add_list(struct kt_doc *doc, struct kt_doc_entry *e, const char *title, const char *label,
		     struct kt_span span)
{
	struct kt_doc_part *p = span.n ? kt_doc_new_part(doc, e, title, label) : NULL;

	for (uint32_t i = 0; i < span.n; i++) {
		struct kt_str s = kt_kb_text(doc->kb, doc->kb->strings[span.at + i]);
		kt_doc_new_line(doc, p, s)->url = kt_doc_is_url(s);
	}
}

struct kt_str kt_doc_clean(struct kt_str s, bool lines, struct kt_buf *clean)
{
	kt_buf_clear(clean);
	kt_escape(clean, s, lines ? KT_ESC_TEXT : KT_ESC_LINE);
	return kt_buf_view(clean);
}

bool kt_doc_is_url(struct kt_str s)
{
	if (!kt_str_starts(s, KT_S("https://")) && !kt_str_starts(s, KT_S("http://")))
		return false;
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] <= ' ' || s.p[i] > '~' || strchr("\"'<>\\`{}|^", s.p[i]))
			return false;
	return true;
}

/* --- the walk --- */

static bool is_area(const struct kt_doc_chapter *c, struct kt_str area)
{
	return kt_str_eq(kt_str_from(c->id, sizeof "area:" - 1), area);
}

static struct kt_doc_chapter *area_of(struct kt_doc *doc, const struct kt_cause *cause)
{
	struct kt_str area = kt_kb_text(doc->kb, cause->area);

	for (size_t i = 0; i < doc->n; i++)
		if (is_area(&doc->chapters[i], area))
			return &doc->chapters[i];
	return new_chapter(doc, kt_arena_fmt(&doc->arena, "area:" KT_FMT, KT_ARG(area)), area);
}

static struct kt_doc_line *chapter_line(struct kt_doc *doc, struct kt_doc_chapter *c, struct kt_ref text)
{
	struct kt_doc_line *l = GROW(doc, c->lines, c->n_lines, c->cap_lines);

	l->text = kt_str_trim(kt_kb_text(doc->kb, text));
	return l;
}

static void add_questions(struct kt_doc *doc)
{
	struct kt_doc_chapter *c = new_chapter(doc, KT_S("part:questions"), KT_S("Questions, step by step"));

	for (int step = KT_STEP_CLASSIFY; step <= KT_STEP_RESOLVE; step++)
		for (uint32_t f = 0; f < doc->kb->n_facts; f++) {
			const struct kt_fact *fact = &doc->kb->facts[f];
			if (fact->step != (uint32_t)step || !fact->ask.len)
				continue;
			struct kt_doc_line *l = chapter_line(doc, c, fact->ask);
			l->lead = kt_str_c(kt_step_word((enum kt_step)step));
			l->raw = kt_kb_text(doc->kb, fact->id);
		}
}

static void add_notes(struct kt_doc *doc, enum kt_note_kind kind, struct kt_str id, struct kt_str title)
{
	struct kt_doc_chapter *c = NULL;

	for (uint32_t i = 0; i < doc->kb->n_notes; i++) {
		const struct kt_note *n = &doc->kb->notes[i];
		if (n->kind != (uint32_t)kind)
			continue;
		c = c ? c : new_chapter(doc, id, title);
		struct kt_doc_line *l = chapter_line(doc, c, n->text);
		if (n->check != KT_NIL)
			l->code = kt_str_trim(kt_kb_text(doc->kb, doc->kb->checks[n->check].command));
	}
}

static void add_wrong(struct kt_doc *doc, struct kt_doc_entry *e, struct kt_span wrong)
{
	struct kt_doc_part *p = wrong.n ? kt_doc_new_part(doc, e, "Names that nothing reads", "not") : NULL;

	for (uint32_t i = 0; i < wrong.n; i++) {
		const struct kt_choice *w = &doc->kb->choices[wrong.at + i];
		kt_doc_new_line(doc, p, kt_kb_text(doc->kb, w->text))->lead = kt_kb_text(doc->kb, w->value);
	}
}

static void add_option(struct kt_doc *doc, struct kt_doc_chapter *c, const struct kt_option *o)
{
	const struct kt_kb *kb = doc->kb;
	struct kt_str name = kt_kb_text(kb, o->id);
	struct kt_str id = kt_arena_fmt(&doc->arena, "option:" KT_FMT, KT_ARG(name));
	struct kt_str title = kt_arena_fmt(&doc->arena, KT_FMT " (" KT_FMT ")", KT_ARG(name),
					   KT_ARG(kt_kb_text(kb, o->scope)));
	struct kt_doc_entry *e = kt_doc_new_entry(doc, c, id, title);

	kt_doc_add_text(doc, e, "Default", "default", kt_kb_text(kb, o->def));
	kt_doc_add_text(doc, e, "Allowed", "allowed", kt_kb_text(kb, o->allowed));
	kt_doc_add_text(doc, e, "Constant", "constant", kt_kb_text(kb, o->constant));
	kt_doc_add_text(doc, e, "Since", "since", kt_kb_text(kb, o->since));
	kt_doc_add_text(doc, e, "Effect", "effect", kt_kb_text(kb, o->impact));
	kt_doc_add_text(doc, e, "Usual mistake", "mistakes", kt_kb_text(kb, o->mistake));
	add_wrong(doc, e, o->wrong);
	kt_doc_add_list(doc, e, "References", "see", o->refs);
}

static void add_options(struct kt_doc *doc)
{
	struct kt_doc_chapter *c = doc->kb->n_options ? new_chapter(doc, KT_S("part:options"),
								    KT_S("Configuration reference"))
						      : NULL;

	for (uint32_t i = 0; i < doc->kb->n_options; i++)
		add_option(doc, c, &doc->kb->options[i]);
}

bool kt_doc_build(const struct kt_kb *kb, struct kt_str area, struct kt_doc *out)
{
	*out = (struct kt_doc){.kb = kb, .area = area};
	for (uint32_t i = 0; i < kb->n_causes; i++) {
		if (area.len && !kt_str_eq(kt_kb_text(kb, kb->causes[i].area), area))
			continue;
		kt_doc_add_cause(out, area_of(out, &kb->causes[i]), i);
		out->n_causes++;
	}
	for (size_t i = 0; i < out->n; i++)
		out->chapters[i].flow = kt_doc_flow(out, &out->chapters[i]);
	if (area.len)
		return out->n > 0;
	add_questions(out);
	add_notes(out, KT_NOTE_COLLECT, KT_S("part:collect"), KT_S("What to collect"));
	add_notes(out, KT_NOTE_ADVICE, KT_S("part:advice"), KT_S("Closing rules"));
	add_options(out);
	return true;
}

void kt_doc_build_cause(const struct kt_kb *kb, uint32_t cause, struct kt_doc *out)
{
	*out = (struct kt_doc){.kb = kb};
	kt_doc_add_cause(out, new_chapter(out, KT_NONE, KT_NONE), cause);
}

void kt_doc_build_option(const struct kt_kb *kb, uint32_t option, struct kt_doc *out)
{
	*out = (struct kt_doc){.kb = kb};
	add_option(out, new_chapter(out, KT_NONE, KT_NONE), &kb->options[option]);
}

void kt_doc_free(struct kt_doc *doc)
{
	kt_arena_free(&doc->arena);
	*doc = (struct kt_doc){.kb = NULL};
}
