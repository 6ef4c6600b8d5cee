/* The knowledge base as a document: one walk over the rules, one small writer for
 * each format.
 *
 *     struct kt_doc doc;
 *     if (kt_doc_build(kb, KT_NONE, &doc))
 *             kt_doc_format(KT_S("html"))->write(&doc, &out);
 *     kt_doc_free(&doc);
 *
 * A document is chapters (one for each area, then questions, what to collect, closing
 * rules, options), a chapter is entries (one for each cause), an entry is parts (fix,
 * evidence, …), a part is lines. Texts are the rules' own, still to be escaped by the
 * writer: kt_doc_clean makes them inert, then the format's own escape follows. Same
 * rules, same bytes.
 */
#ifndef KT_REPORT_DOC_H
#define KT_REPORT_DOC_H

#include "base/arena.h"
#include "base/buf.h"
#include "core/kb.h"

struct kt_doc_line {
	struct kt_str lead;   /* what stands before the text, one word or some: "strong" */
	struct kt_str text;   /* words of a person */
	struct kt_str code;   /* a command, kept as it is written */
	struct kt_str raw;    /* what the rule says verbatim: a regex, a condition */
	struct kt_str target; /* id of the entry that it points to */
	bool url;             /* the text is a web address */
};

struct kt_doc_part {
	const char *title; /* "What speaks for it" */
	const char *label; /* the same on a terminal: "for" */
	struct kt_doc_line *lines;
	size_t n, cap;
};

struct kt_doc_entry {
	struct kt_str id, title;
	struct kt_doc_part *parts;
	size_t n, cap;
	uint32_t cause; /* row, or KT_NIL */
};

enum kt_doc_step_kind { KT_DOC_AREA, KT_DOC_ASK, KT_DOC_TEXTS, KT_DOC_CHECK, KT_DOC_CAUSE };

/* A step of a decision flow, with the answer that leads to it. */
struct kt_doc_step {
	enum kt_doc_step_kind kind;
	struct kt_str edge; /* answer, text or predicate; may be empty */
	struct kt_str text; /* question, check, or title of the cause */
	struct kt_str id;   /* of the cause, else empty */
	struct kt_doc_step *first, *last, *next;
};

struct kt_doc_chapter {
	struct kt_str id, title;
	struct kt_doc_step *flow; /* NULL: none */
	struct kt_doc_line *lines;
	size_t n_lines, cap_lines;
	struct kt_doc_entry *entries;
	size_t n, cap;
};

struct kt_doc {
	const struct kt_kb *kb;
	struct kt_str area; /* the only one that it is about; empty: all */
	struct kt_arena arena;
	struct kt_doc_chapter *chapters;
	size_t n, cap;
	size_t n_causes;
};

/* AREA empty: all of them. False when there is no such area; free it all the same. */
bool kt_doc_build(const struct kt_kb *kb, struct kt_str area, struct kt_doc *out);
/* One entry in one chapter: all of one cause, of one option. */
void kt_doc_build_cause(const struct kt_kb *kb, uint32_t cause, struct kt_doc *out);
void kt_doc_build_option(const struct kt_kb *kb, uint32_t option, struct kt_doc *out);
void kt_doc_free(struct kt_doc *doc);

struct kt_doc_format {
	const char *name;
	void (*write)(const struct kt_doc *doc, struct kt_buf *out);
};
extern const struct kt_doc_format kt_doc_formats[];
extern const size_t kt_n_doc_formats;
const struct kt_doc_format *kt_doc_format(struct kt_str name); /* NULL: there is none; empty: the first */

/* ---- inside doc*.c ---- */

/* An entry for CAUSE, with all that the rules say of it. */
void kt_doc_add_cause(struct kt_doc *doc, struct kt_doc_chapter *chapter, uint32_t cause);
struct kt_doc_step *kt_doc_flow(struct kt_doc *doc, const struct kt_doc_chapter *chapter);

/* What the buffer holds, moved into the document. */
struct kt_str kt_doc_keep(struct kt_doc *doc, struct kt_buf *take_text);
struct kt_doc_entry *kt_doc_new_entry(struct kt_doc *doc, struct kt_doc_chapter *c, struct kt_str id,
				      struct kt_str title);
struct kt_doc_part *kt_doc_new_part(struct kt_doc *doc, struct kt_doc_entry *e, const char *title,
				    const char *label);
struct kt_doc_line *kt_doc_new_line(struct kt_doc *doc, struct kt_doc_part *p, struct kt_str text);
/* A part of one line, if TEXT says something. */
void kt_doc_add_text(struct kt_doc *doc, struct kt_doc_entry *e, const char *title, const char *label,
		     struct kt_str text);
/* A part of one line for each row of SPAN. */
void kt_doc_add_list(struct kt_doc *doc, struct kt_doc_entry *e, const char *title, const char *label,
		     struct kt_span span);
/* Room for one more in an array of the arena. */
void *kt_doc_grow(struct kt_arena *a, void *items, size_t n, size_t *cap, size_t size);

/* S as one line (or with its line feeds), inert on a terminal; CLEAN is emptied first. */
struct kt_str kt_doc_clean(struct kt_str s, bool lines, struct kt_buf *clean);
bool kt_doc_is_url(struct kt_str s); /* http or https, without a byte that would end it */

void kt_doc_markdown(const struct kt_doc *doc, struct kt_buf *out);
void kt_doc_html(const struct kt_doc *doc, struct kt_buf *out);
void kt_doc_man(const struct kt_doc *doc, struct kt_buf *out);
void kt_doc_mermaid(const struct kt_doc *doc, struct kt_buf *out);
/* One flow as a flowchart, its lines without fence. */
void kt_doc_flowchart(const struct kt_doc_step *flow, struct kt_buf *out);
/* What the page's script needs of the causes, as JSON that may stand in a script element. */
void kt_doc_data(const struct kt_doc *doc, struct kt_buf *out);

#endif
