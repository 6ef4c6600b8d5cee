/* How text looks: colour, width, wrapping.
 *
 * Every function that adds text escapes it first (term/escape.h), so whatever goes
 * through here is safe on a terminal.
 *
 *     struct kt_style st;
 *     kt_style_init(&st, KT_COLOR_AUTO, STDOUT_FILENO);
 *     kt_paint(&out, &st, KT_PAINT_GOOD, KT_S("CONFIRMED"));
 *     kt_wrap(&out, &st, KT_PAINT_PLAIN, text, 12, 12);
 */
#ifndef KT_TERM_STYLE_H
#define KT_TERM_STYLE_H

#include "base/buf.h"

/* Value of --color. */
#define KT_COLORS(X) X(AUTO, "auto") X(ALWAYS, "always") X(NEVER, "never")
enum kt_color {
#define X(id, word) KT_COLOR_##id,
	KT_COLORS(X)
#undef X
};

bool kt_color_parse(struct kt_str word, enum kt_color *out);

/* --color decides; with auto NO_COLOR (not empty) says no, CLICOLOR_FORCE (not
 * empty, not 0) yes, CLICOLOR=0 no; else a terminal whose TERM is neither empty
 * nor dumb. Sources: no-color.org, bixense.com/clicolors. */
bool kt_color_on(enum kt_color opt, int fd);

/* Columns of the terminal at FD, else of $COLUMNS, else 80; 20 at least. */
unsigned kt_term_width(int fd);
/* Lines of the terminal at FD, else 0. */
unsigned kt_term_height(int fd);

struct kt_style {
	bool color;
	unsigned width; /* columns */
	bool ascii;     /* the locale knows no other characters */
};

void kt_style_init(struct kt_style *st, enum kt_color opt, int fd);

/* What a piece of text is; the 16 colours that every terminal has. */
#define KT_PAINTS(X)                                     \
	X(PLAIN, "")                                     \
	X(HEAD, "1")    /* a heading, a name */          \
	X(DIM, "2")     /* sources, what matters less */ \
	X(GOOD, "1;32") /* CONFIRMED, mended, safe */    \
	X(WARN, "1;33") /* LIKELY, AMBIGUOUS, unsafe */  \
	X(BAD, "1;31")  /* NOT KNOWN, failed, refused */ \
	X(CODE, "36")   /* a command to copy */
enum kt_paint {
#define X(id, sgr) KT_PAINT_##id,
	KT_PAINTS(X)
#undef X
};

/* Adds S, escaped to one line, in the colour of PAINT. */
void kt_paint(struct kt_buf *out, const struct kt_style *st, enum kt_paint paint, struct kt_str s);
/* The same, and line feeds stay. */
void kt_paint_text(struct kt_buf *out, const struct kt_style *st, enum kt_paint paint, struct kt_str s);

/* Columns that S takes on a terminal once it is escaped to one line. */
unsigned kt_width(struct kt_str s);

/* Adds S escaped and padded with blanks to WIDTH columns, or cut with "…". */
void kt_pad(struct kt_buf *out, struct kt_str s, unsigned width);
void kt_pad_left(struct kt_buf *out, struct kt_str s, unsigned width);

/* Adds S wrapped at the style's width. The line at the end of OUT is taken to be
 * COL columns long already and is padded to INDENT; further lines start with
 * INDENT blanks. Line feeds in S stay. Breaks between words and between ideographs only: a name, a URL or a
 * command is never torn. Adds no line feed at the end. */
void kt_wrap(struct kt_buf *out, const struct kt_style *st, enum kt_paint paint, struct kt_str s,
	     unsigned col, unsigned indent);

/* N blanks. */
void kt_blanks(struct kt_buf *out, unsigned n);

#endif
