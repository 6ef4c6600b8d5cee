/* Text that grows without bound and is kept to its head and its tail.
 *
 * All bytes are kept up to head_max + tail_max (and a little more); beyond, the
 * middle goes. Inside the module only.
 */
#ifndef KT_INPUT_CUT_H
#define KT_INPUT_CUT_H

#include "base/str.h"

struct kt_cut {
	char *p;
	size_t head_max, tail_max;
	size_t len;                      /* bytes in p */
	size_t split;                    /* where the gap is, once something was dropped */
	uint64_t dropped, dropped_lines; /* bytes, and '\n' among them */
};

/* Text with a hole: HEAD, DROPPED bytes, TAIL. DROPPED 0: TAIL is empty. */
struct kt_cut_view {
	struct kt_str head, tail;
	uint64_t dropped;
};

void kt_cut_init(struct kt_cut *c, size_t head_max, size_t tail_max);
void kt_cut_free(struct kt_cut *c);
void kt_cut_clear(struct kt_cut *c);

void kt_cut_add(struct kt_cut *c, struct kt_str s);
/* A piece of a line: of several NULs one is kept, as a hole of a file may have
 * gigabytes of them. */
void kt_cut_add_line(struct kt_cut *c, struct kt_str s);
/* N line ends. */
void kt_cut_add_ends(struct kt_cut *c, uint64_t n);
void kt_cut_add_view(struct kt_cut *c, const struct kt_cut_view *v);
struct kt_cut_view kt_cut_view(const struct kt_cut *c);

/* The text in one piece. Where something was dropped, a marker line stands at
 * *AT, *LEN bytes long; broken words and lines beside it go too. Only
 * kt_cut_clear may follow. */
struct kt_str kt_cut_text(struct kt_cut *c, size_t *at, size_t *len);

#endif
