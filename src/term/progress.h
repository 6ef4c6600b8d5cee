/* One line on stderr that tells how far work has come.
 *
 * Nothing is shown in the first second, nor when stderr is no terminal. The line
 * is rewritten at most ten times a second and taken away at the end.
 *
 *     struct kt_progress p = {0};
 *     while (...) kt_progress_tick(&p, KT_S("driver.log"), done, total);
 *     kt_progress_end(&p);
 */
#ifndef KT_TERM_PROGRESS_H
#define KT_TERM_PROGRESS_H

#include "base/buf.h"

struct kt_progress {
	int64_t started_ms, shown_ms; /* monotonic; 0: not yet */
	unsigned columns;             /* of the line that stands on the screen */
	bool off;                     /* stderr is no terminal */
};

/* WHAT is foreign text. DONE of TOTAL bytes (or rows); TOTAL 0: not known, DONE 0
 * too: only WHAT and the seconds are shown. */
void kt_progress_tick(struct kt_progress *p, struct kt_str what, uint64_t done, uint64_t total);
void kt_progress_end(struct kt_progress *p);

/* The text of the line, for WIDTH columns, after MS milliseconds of work. */
void kt_progress_text(struct kt_buf *out, struct kt_str what, uint64_t done, uint64_t total, int64_t ms,
		      unsigned width);

#endif
