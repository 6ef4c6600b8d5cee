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
	int64_t base_ms;              /* when BASE bytes of the piece of work in hand were done */
	uint64_t base, done, total;   /* of it */
	unsigned columns;             /* of the line that stands on the screen */
	bool off;                     /* stderr is no terminal */
};

/* WHAT is foreign text. DONE of TOTAL bytes; TOTAL 0: not known, DONE 0 too: only WHAT
 * and the seconds are shown, unless bytes were told before. Another TOTAL, or less that is done, is another piece
 * of work: its rate is its own. */
void kt_progress_tick(struct kt_progress *p, struct kt_str what, uint64_t done, uint64_t total);
void kt_progress_end(struct kt_progress *p);

struct kt_progress_line {
	struct kt_str what;
	uint64_t done, total; /* bytes, as above */
	uint64_t rate;        /* bytes in a second; 0: not known */
	int64_t ms;           /* of work so far */
};

/* The text of the line, for WIDTH columns: "driver.log  0.4 of 2.1 GB  850 MB/s  2 s left
 * (^C stops it)". */
void kt_progress_text(struct kt_buf *out, const struct kt_progress_line *line, unsigned width);

#endif
