/* Foreign bytes made harmless and visible.
 *
 * What came from a log, a server, a rule or a paste may hold escape sequences,
 * text that runs from right to left, fake line ends. Every such byte comes out as
 * plain letters: \x1b for a control or a byte that is no UTF-8, \u202e for a
 * character that changes the layout. Text that is harmless comes out unchanged,
 * so escaping twice does no harm.
 *
 *     kt_escape(&out, KT_S("a\033[31mb"), KT_ESC_LINE);     // a\x1b[31mb
 */
#ifndef KT_TERM_ESCAPE_H
#define KT_TERM_ESCAPE_H

#include "base/buf.h"

enum kt_escape {
	KT_ESC_LINE, /* one line: a line feed is shown as \n, a tab is a blank */
	KT_ESC_TEXT, /* line feeds stay, CR LF is one; a tab is four blanks */
};

void kt_escape(struct kt_buf *out, struct kt_str s, enum kt_escape how);

/* Nothing in S would be changed by KT_ESC_LINE. */
bool kt_escape_clean(struct kt_str s);

#endif
