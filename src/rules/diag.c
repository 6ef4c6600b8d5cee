#include "rules/diag.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/utf8.h"

#include "base/banned.h"

#define EXCERPT_CHARS 100u
#define TEXT_MAX      2000u

static size_t skip_chars(struct kt_str s, size_t at, uint32_t n)
{
	uint32_t c;

	while (n-- && at < s.len)
		at += kt_utf8_next(s, at, &c);
	return at;
}

static uint32_t count_chars(struct kt_str s)
{
	uint32_t n = 0, c;

	for (size_t at = 0; at < s.len; n++)
		at += kt_utf8_next(s, at, &c);
	return n;
}

static size_t line_start(struct kt_str text, uint32_t line)
{
	size_t at = 0;

	for (uint32_t i = 1; i < line; i++) {
		size_t nl = kt_str_chr(text, '\n', at);
		if (nl == KT_NPOS)
			return text.len;
		at = nl + 1;
	}
	return at;
}

static struct kt_str line_at(struct kt_str text, size_t start)
{
	size_t end = kt_str_chr(text, '\n', start);
	struct kt_str line = kt_str_sub(text, start, (end == KT_NPOS ? text.len : end) - start);

	if (line.len && line.p[line.len - 1] == '\r')
		line.len--;
	return line;
}

size_t kt_place_offset(struct kt_place at)
{
	struct kt_str text = at.src->text;
	size_t start = line_start(text, at.line);
	struct kt_str line = line_at(text, start);

	return start + skip_chars(line, 0, at.col ? at.col - 1 : 0);
}

struct kt_place kt_place_of(const struct kt_source *src, size_t offset)
{
	struct kt_place at = {src, 1, 1};
	size_t start = 0, nl;

	while ((nl = kt_str_chr(src->text, '\n', start)) != KT_NPOS && nl < offset) {
		start = nl + 1;
		at.line++;
	}
	at.col = 1 + count_chars(kt_str_sub(src->text, start, offset - start));
	return at;
}

/* Copy that can be shown: what is no plain character becomes a blank or '?'. */
static struct kt_str clean(struct kt_arena *a, struct kt_str s)
{
	struct kt_buf out = KT_BUF(TEXT_MAX);
	uint32_t c;

	for (size_t at = 0; at < s.len;) {
		size_t len = kt_utf8_next(s, at, &c);
		if (c == '\t' || c == '\n' || c == '\r')
			kt_buf_char(&out, ' ');
		else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == KT_UTF8_BAD || kt_utf8_is_format(c))
			kt_buf_char(&out, '?');
		else
			kt_buf_add(&out, kt_str_sub(s, at, len));
		at += len;
	}
	struct kt_str copy = kt_arena_str(a, kt_buf_view(&out));
	kt_buf_free(&out);
	return copy;
}

/* The part of the line around the column. */
static void cut_excerpt(struct kt_diags *d, struct kt_diag *diag, struct kt_str text)
{
	struct kt_str line = line_at(text, line_start(text, diag->line));
	uint32_t col = diag->col ? diag->col - 1 : 0;
	uint32_t from = col > EXCERPT_CHARS - 30 ? col - (EXCERPT_CHARS - 30) : 0;
	size_t start = skip_chars(line, 0, from);
	size_t end = skip_chars(line, start, EXCERPT_CHARS);

	diag->excerpt = clean(&d->arena, kt_str_sub(line, start, end - start));
	uint32_t have = count_chars(diag->excerpt);
	diag->caret = col - from < have ? col - from : have;
}

void kt_diags_add(struct kt_diags *d, enum kt_diag_kind kind, struct kt_place at, const char *hint,
		  const char *fmt, ...)
{
	*(kind == KT_DIAG_ERROR ? &d->n_errors : kind == KT_DIAG_WARNING ? &d->n_warnings : &d->n_infos) += 1;
	if (d->n >= KT_DIAGS_MAX)
		return;

	struct kt_diag diag = {.kind = kind, .line = at.line, .col = at.col};
	struct kt_buf text = KT_BUF(TEXT_MAX);
	va_list ap;
	va_start(ap, fmt);
	kt_buf_vfmt(&text, fmt, ap);
	va_end(ap);
	if (text.full) {
		kt_buf_clear(&text);
		kt_buf_str(&text, "an error whose text is too long to show");
	}
	diag.text = clean(&d->arena, kt_buf_view(&text));
	kt_buf_free(&text);
	diag.hint = hint ? clean(&d->arena, kt_str_c(hint)) : KT_NONE;
	if (at.src) {
		diag.order = at.src->order;
		diag.file = clean(&d->arena, at.src->path);
		if (at.line)
			cut_excerpt(d, &diag, at.src->text);
	}
	KT_PUSH(d->at, d->n, d->cap) = diag;
}

static int compare(const void *pa, const void *pb)
{
	const struct kt_diag *a = pa, *b = pb;
	int by_file = (a->order > b->order) - (a->order < b->order);

	if (by_file)
		return by_file;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->col != b->col)
		return a->col < b->col ? -1 : 1;
	return kt_str_cmp(a->text, b->text);
}

void kt_diags_sort(struct kt_diags *d)
{
	if (d->n)
		qsort(d->at, d->n, sizeof *d->at, compare);
}

static void format_one(const struct kt_diag *g, struct kt_buf *out)
{
	static const char *const words[] = {"error", "warning", "info"};
	if (g->file.len)
		kt_buf_fmt(out, KT_FMT ":", KT_ARG(g->file));
	if (g->line)
		kt_buf_fmt(out, "%u:%u:", g->line, g->col);
	kt_buf_fmt(out, "%s%s: " KT_FMT "\n", g->file.len ? " " : "", words[g->kind], KT_ARG(g->text));
	if (g->excerpt.len)
		kt_buf_fmt(out, "%6u | " KT_FMT "\n       | %*s^\n", g->line, KT_ARG(g->excerpt),
			   (int)g->caret, "");
	if (g->hint.len)
		kt_buf_fmt(out, "  hint: " KT_FMT "\n", KT_ARG(g->hint));
}

void kt_diags_format(const struct kt_diags *d, struct kt_buf *out)
{
	for (size_t i = 0; i < d->n; i++)
		format_one(&d->at[i], out);
	size_t all = d->n_errors + d->n_warnings + d->n_infos;
	if (all > d->n)
		kt_buf_fmt(out, "and %zu more that are not shown\n", all - d->n);
}

void kt_diags_free(struct kt_diags *d)
{
	kt_arena_free(&d->arena);
	kt_free(d->at);
	*d = (struct kt_diags){0};
}
