#include "term/pastes.h"

#include "base/alloc.h"
#include "term/escape.h"

#include "base/banned.h"

#define SHORT 400u /* bytes that may stand in the line */

void kt_paste_unify(struct kt_buf *text)
{
	size_t n = 0;

	for (size_t i = 0; i < text->len; i++) {
		char c = text->p[i];
		if (c == '\r' && i + 1 < text->len && text->p[i + 1] == '\n')
			continue;
		text->p[n++] = c == '\r' ? '\n' : c;
	}
	kt_buf_cut(text, n);
}

bool kt_paste_is_short(struct kt_str text)
{
	return text.len <= SHORT && kt_escape_clean(text);
}

static size_t count_lines(struct kt_str text)
{
	size_t n = 1;

	for (size_t at = 0; (at = kt_str_chr(text, '\n', at)) != KT_NPOS; at++)
		n++;
	return n;
}

struct kt_str kt_pastes_hold(struct kt_pastes *p, struct kt_buf take_text)
{
	struct kt_paste paste = {.text = take_text, .holder = KT_BUF(KT_BUF_NAME), .cut = take_text.full};

	while (paste.text.len && paste.text.p[paste.text.len - 1] == '\n')
		kt_buf_cut(&paste.text, paste.text.len - 1);
	paste.lines = count_lines(kt_buf_view(&paste.text));
	kt_buf_fmt(&paste.holder, "[pasted %zu line%s", paste.lines, paste.lines == 1 ? "" : "s");
	if (paste.cut)
		kt_buf_fmt(&paste.holder, ", cut at %u MB", KT_EDIT_PASTE_MAX >> 20);
	if (p->n)
		kt_buf_fmt(&paste.holder, ", #%zu", p->n + 1);
	kt_buf_char(&paste.holder, ']');
	KT_PUSH(p->list, p->n, p->cap) = paste;
	return kt_buf_view(&p->list[p->n - 1].holder);
}

void kt_pastes_clear(struct kt_pastes *p)
{
	for (size_t i = 0; i < p->n; i++) {
		kt_buf_free(&p->list[i].text);
		kt_buf_free(&p->list[i].holder);
	}
	kt_free(p->list);
	*p = (struct kt_pastes){0};
}

/* The paste whose place-holder stands first in LINE, or NULL. */
static const struct kt_paste *first_in(const struct kt_pastes *p, struct kt_str line, size_t *at)
{
	const struct kt_paste *first = NULL;

	*at = line.len;
	for (size_t i = 0; i < p->n; i++) {
		size_t pos = kt_str_find(line, kt_buf_view(&p->list[i].holder), 0);
		if (pos != KT_NPOS && pos < *at) {
			*at = pos;
			first = &p->list[i];
		}
	}
	return first;
}

/* Text that was typed around the place-holders. */
static void typed(struct kt_edit_input *out, struct kt_str s)
{
	if (kt_str_trim(s).len)
		out->whole = false;
	kt_buf_add(&out->text, s);
}

void kt_pastes_expand(const struct kt_pastes *p, struct kt_str line, struct kt_edit_input *out)
{
	const struct kt_paste *paste;
	size_t at;

	kt_edit_input_free(out);
	out->whole = true;
	while ((paste = first_in(p, line, &at))) {
		typed(out, kt_str_sub(line, 0, at));
		kt_buf_add(&out->text, kt_buf_view(&paste->text));
		out->pasted += paste->lines;
		out->cut |= paste->cut;
		line = kt_str_from(line, at + paste->holder.len);
	}
	typed(out, line);
	out->cut |= out->text.full;
	out->whole = out->whole && out->pasted;
}
