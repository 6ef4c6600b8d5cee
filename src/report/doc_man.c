/* The document as a manual page (mdoc). */
#include "report/doc.h"

#include <string.h>

#include "base/banned.h"

static void add_char(struct kt_buf *out, char c)
{
	switch (c) {
	case '\\': kt_buf_str(out, "\\e"); break;
	case '-': kt_buf_str(out, "\\-"); break;
	case '"': kt_buf_str(out, "\\(dq"); break;
	case '`': kt_buf_str(out, "\\(ga"); break;
	case '\'': kt_buf_str(out, "\\(aq"); break;
	case '^': kt_buf_str(out, "\\(ha"); break;
	case '~': kt_buf_str(out, "\\(ti"); break;
	default: kt_buf_char(out, c);
	}
}

static void add_bytes(struct kt_buf *out, struct kt_str s)
{
	for (size_t i = 0; i < s.len; i++)
		add_char(out, s.p[i]);
}

static bool ends_sentence(struct kt_str word)
{
	return word.len > 2 && strchr(".!?", word.p[word.len - 1]) && word.p[word.len - 2] != '.';
}

/* Words as lines of text, a sentence on each, as mdoc wants it. */
static void add_text(struct kt_buf *out, struct kt_str s)
{
	struct kt_buf clean = KT_BUF(KT_BUF_TEXT);
	struct kt_str rest = kt_doc_clean(kt_str_trim(s), true, &clean), word;
	bool fresh = true;

	for (size_t i = 0; i < clean.len; i++)
		clean.p[i] = clean.p[i] == '\n' ? ' ' : clean.p[i];
	while (kt_str_cut(&rest, ' ', &word)) {
		if (!word.len)
			continue;
		kt_buf_str(out, fresh ? "" : " ");
		kt_buf_str(out, fresh && (word.p[0] == '.' || word.p[0] == '\'') ? "\\&" : "");
		add_bytes(out, word);
		fresh = ends_sentence(word);
		kt_buf_str(out, fresh ? "\n" : "");
	}
	kt_buf_str(out, fresh ? "" : "\n");
	kt_buf_free(&clean);
}

/* Words behind a macro: none of them must be taken for a macro or a mark. */
static void add_args(struct kt_buf *out, struct kt_str s)
{
	struct kt_buf clean = KT_BUF(KT_BUF_TEXT);
	struct kt_str rest = kt_doc_clean(kt_str_trim(s), false, &clean), word;

	while (kt_str_cut(&rest, ' ', &word)) {
		if (!word.len)
			continue;
		kt_buf_str(out, word.len <= 3 ? " \\&" : " ");
		add_bytes(out, word);
	}
	kt_buf_free(&clean);
}

static void add_block(struct kt_buf *out, struct kt_str s)
{
	struct kt_buf clean = KT_BUF(KT_BUF_TEXT);
	struct kt_str rest = kt_doc_clean(s, true, &clean), line;

	kt_buf_str(out, ".Bd -literal -offset indent -compact\n");
	while (kt_str_cut(&rest, '\n', &line)) {
		while (line.len && line.p[line.len - 1] == ' ')
			line.len--;
		kt_buf_str(out, line.len && (line.p[0] == '.' || line.p[0] == '\'') ? "\\&" : "");
		add_bytes(out, line);
		kt_buf_str(out, line.len ? "\n" : "\\&\n");
	}
	kt_buf_str(out, ".Ed\n");
	kt_buf_free(&clean);
}

static void add_line(struct kt_buf *out, const struct kt_doc_line *l)
{
	kt_buf_str(out, ".It");
	if (l->target.len) {
		kt_buf_str(out, "\n.Sx");
		add_args(out, l->target);
	} else if (l->lead.len) {
		kt_buf_str(out, "\n.Sy");
		add_args(out, l->lead);
	}
	kt_buf_char(out, '\n');
	add_text(out, l->text);
	if (l->raw.len)
		add_block(out, l->raw);
	if (l->code.len)
		add_block(out, l->code);
}

static void add_list(struct kt_buf *out, const struct kt_doc_line *lines, size_t n)
{
	kt_buf_str(out, ".Bl -bullet -compact\n");
	for (size_t i = 0; i < n; i++)
		add_line(out, &lines[i]);
	kt_buf_str(out, ".El\n");
}

static void add_entry(struct kt_buf *out, const struct kt_doc_entry *e)
{
	kt_buf_str(out, ".Ss");
	add_args(out, e->cause == KT_NIL ? e->title : e->id);
	kt_buf_char(out, '\n');
	if (e->cause != KT_NIL)
		add_text(out, e->title);
	for (size_t i = 0; i < e->n; i++) {
		kt_buf_fmt(out, "%s.Em", i || e->cause != KT_NIL ? ".Pp\n" : "");
		add_args(out, kt_str_c(e->parts[i].title));
		kt_buf_char(out, '\n');
		add_list(out, e->parts[i].lines, e->parts[i].n);
	}
}

static void add_steps(struct kt_buf *out, const struct kt_doc_step *s)
{
	kt_buf_str(out, ".Bl -bullet -compact\n");
	for (const struct kt_doc_step *c = s->first; c; c = c->next) {
		kt_buf_str(out, ".It\n");
		if (c->edge.len) {
			kt_buf_str(out, ".Sy");
			add_args(out, c->edge);
			kt_buf_str(out, "\n");
		}
		if (c->id.len) {
			kt_buf_str(out, ".Sx");
			add_args(out, c->id);
			kt_buf_str(out, "\n");
		} else {
			add_text(out, c->text);
		}
		if (c->first)
			add_steps(out, c);
	}
	kt_buf_str(out, ".El\n");
}

static void add_chapter(struct kt_buf *out, const struct kt_doc_chapter *c)
{
	kt_buf_str(out, ".Sh");
	add_args(out, c->title);
	kt_buf_char(out, '\n');
	if (c->flow && c->flow->first)
		add_steps(out, c->flow);
	if (c->n_lines)
		add_list(out, c->lines, c->n_lines);
	for (size_t i = 0; i < c->n; i++)
		add_entry(out, &c->entries[i]);
}

void kt_doc_man(const struct kt_doc *doc, struct kt_buf *out)
{
	kt_buf_str(out, ".\\\" Made by \"ktriage rules doc --format man\"; do not edit.\n"
			".Dd December 1, 2026\n.Dt KTRIAGE-RUNBOOK 7\n.Os\n.Sh NAME\n.Nm ktriage-runbook\n"
			".Nd what the rules say of each cause\n.Sh DESCRIPTION\n");
	kt_buf_fmt(out, "Made from the rules by\n.Ql ktriage rules doc ,\nktriage %s: %zu causes.\n",
		   KT_VERSION, doc->n_causes);
	for (size_t i = 0; i < doc->n; i++)
		add_chapter(out, &doc->chapters[i]);
}
