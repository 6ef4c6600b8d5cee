/* Pastes held aside while their place-holders stand in the line. */
#ifndef KT_TERM_PASTES_H
#define KT_TERM_PASTES_H

#include "term/lineedit.h"

struct kt_paste {
	struct kt_buf text;
	struct kt_buf holder; /* "[pasted 213 lines]" */
	size_t lines;
	bool cut;
};

struct kt_pastes {
	struct kt_paste *list;
	size_t n, cap;
};

/* Holds TEXT; the place-holder lives until kt_pastes_clear. */
struct kt_str kt_pastes_hold(struct kt_pastes *p, struct kt_buf take_text);
void kt_pastes_clear(struct kt_pastes *p);
/* LINE with the place-holders replaced. One that was edited away is left out. */
void kt_pastes_expand(const struct kt_pastes *p, struct kt_str line, struct kt_edit_input *out);

/* Carriage returns, alone or before a line feed, to line feeds, in place. */
void kt_paste_unify(struct kt_buf *text);
/* Short, one line, nothing a terminal would act on: may stand in the line itself. */
bool kt_paste_is_short(struct kt_str text);

#endif
