/* Wrapping, by the line breaking rules of Unicode as far as we want them. */
#include <stdlib.h>
#include <unilbrk.h>

#include "base/alloc.h"
#include "term/escape.h"
#include "term/style.h"

#include "base/banned.h"

struct wrap {
	struct kt_buf *out;
	unsigned width, indent;
	unsigned col;     /* columns of the line so far */
	unsigned pending; /* blanks before the next word, not written yet */
	bool fresh;       /* nothing but the indent stands on this line */
};

static void new_line(struct wrap *w)
{
	kt_buf_char(w->out, '\n');
	w->col = 0;
	w->pending = w->indent;
	w->fresh = true;
}

/* WORD holds no break; TAIL blanks follow it. */
static void put_word(struct wrap *w, struct kt_str word, unsigned tail)
{
	unsigned n = kt_width(word);

	if (!w->fresh && w->col + w->pending + n > w->width)
		new_line(w);
	if (n) {
		kt_blanks(w->out, w->pending);
		kt_buf_add(w->out, word);
		w->col += w->pending + n;
		w->pending = 0;
		w->fresh = false;
	}
	w->pending += tail;
}

/* A hyphen or slash inside a name is no place to break: only blanks are, and
 * text beyond ASCII, where Unicode allows it. */
static bool breaks_at(struct kt_str s, size_t at, const char *possible)
{
	unsigned char before = (unsigned char)s.p[at - 1];

	return before == ' ' || (possible[at] == UC_BREAK_POSSIBLE && before >= 0x80);
}

static void put_line(struct wrap *w, struct kt_str line)
{
	if (!line.len)
		return;
	char *possible = kt_alloc(line.len);
	u8_possible_linebreaks((const uint8_t *)line.p, line.len, "UTF-8", possible);
	for (size_t start = 0, at = 1; at <= line.len; at++) {
		if (at < line.len && !breaks_at(line, at, possible))
			continue;
		struct kt_str word = kt_str_sub(line, start, at - start);
		size_t n = word.len;
		while (n && word.p[n - 1] == ' ')
			n--;
		put_word(w, kt_str_sub(word, 0, n), (unsigned)(word.len - n));
		start = at;
	}
	kt_free(possible);
}

static void put_text(struct wrap *w, struct kt_str safe)
{
	struct kt_str line;

	for (bool first = true; kt_str_cut(&safe, '\n', &line); first = false) {
		if (!first)
			new_line(w);
		put_line(w, line);
	}
}

void kt_wrap(struct kt_buf *out, const struct kt_style *st, enum kt_paint paint, struct kt_str s,
	     unsigned col, unsigned indent)
{
	struct kt_buf safe = KT_BUF(KT_BUF_TEXT), text = KT_BUF(KT_BUF_TEXT);
	struct wrap w = {.out = &text, .width = st->width, .indent = indent, .col = col};

	/* A word that stands at or before the indent has nowhere better to go. */
	w.fresh = col <= indent;
	w.pending = col < indent ? indent - col : 0;
	while (s.len && s.p[s.len - 1] == '\n')
		s.len--;
	kt_escape(&safe, s, KT_ESC_TEXT);
	put_text(&w, kt_buf_view(&safe));
	/* The blanks before it need no colour. */
	size_t lead = 0;
	while (lead < text.len && text.p[lead] == ' ')
		lead++;
	kt_buf_add(out, kt_str_sub(kt_buf_view(&text), 0, lead));
	kt_paint_text(out, st, paint, kt_str_from(kt_buf_view(&text), lead));
	kt_buf_free(&text);
	kt_buf_free(&safe);
}
