/* One shape of the header table: compiled and matched. The language is described
 * in headers.h. Inside the module only. */
#ifndef KT_INPUT_SHAPE_H
#define KT_INPUT_SHAPE_H

#include <string.h>

#include "base/arena.h"
#include "input/headers.h"

#define KT_SHAPE_LEVELS 16
#define KT_SHAPE_TEXTS  16  /* that may stand before a field */
#define KT_SHAPE_THREAD 512 /* bytes a <thread> may have */

/* The words, and their first eight bytes for a look at all of them at once. */
struct kt_levels {
	struct kt_str word[KT_SHAPE_LEVELS];
	uint64_t mask[KT_SHAPE_LEVELS], want[KT_SHAPE_LEVELS];
	bool first[256]; /* bytes with which one begins */
	size_t n;
};

void kt_levels_add(struct kt_levels *l, struct kt_str word); /* not empty; room is the caller's care */

enum kt_shape_code {
	KT_SC_SET,
	KT_SC_GROUP,
	KT_SC_ALT,
	KT_SC_GROUP_END,
	KT_SC_FIELD,
	KT_SC_FIELD_END,
	KT_SC_LEVEL,
	KT_SC_LOGGER,
	KT_SC_THREAD,
	KT_SC_MESSAGE,
	/* only after packing: */
	KT_SC_RUN,  /* up to eight digits and fixed bytes, looked at at once */
	KT_SC_BYTE, /* one certain byte */
	KT_SC_BYTES /* and that one at least once */
};
enum kt_shape_rep { KT_SR_ONE, KT_SR_OPT, KT_SR_PLUS, KT_SR_STAR };

/* (w & mask) == want, and ((w + six) & high) == (want & high): a digit's high half is
 * 3, and stays 3 when 6 is added. A carry comes out of what is no digit only. */
struct kt_shape_run {
	uint64_t mask, want, high, six;
};

struct kt_shape_op {
	uint8_t code, rep; /* enums above; rep of SET and GROUP (ONE or OPT) */
	uint8_t field;     /* FIELD, FIELD_END; RUN: how many bytes */
	int16_t byte;      /* SET: the only byte of it, or -1; GROUP: that all begin with, or -1 */
	uint16_t next;     /* GROUP: its GROUP_END; ALT: the next ALT or the GROUP_END */
	union {
		unsigned char set[32]; /* SET: bit per byte */
		struct kt_shape_run run;
	};
};

#define KT_SHAPE_OPS    250
#define KT_SHAPE_STARTS 3

struct kt_shape {
	const struct kt_shape_op *ops;
	size_t n;
	uint32_t fields; /* bit per field that a match sets */
	bool any_byte;   /* what stands before its message may hold ESC */
	/* packed: how a line that may match begins, eight bytes each */
	struct kt_shape_run start[KT_SHAPE_STARTS];
	unsigned n_starts;
};

/* W: the first eight bytes of a line, NULs where it is shorter. False: it is not. */
static inline bool kt_run_fits(const struct kt_shape_run *r, uint64_t w)
{
	return (w & r->mask) == r->want && ((w + r->six) & r->high) == (r->want & r->high);
}

static inline uint64_t kt_eight_bytes(const char *p, size_t len)
{
	uint64_t w = 0;

	if (len >= sizeof w)
		memcpy(&w, p, sizeof w);
	else
		memcpy(&w, p, len);
	return w;
}

KT_MUST_CHECK int kt_shape_compile(struct kt_arena *a, struct kt_str text, struct kt_shape *out,
				   struct kt_err *err);

/* Makes it faster to match; for kt_shape_match only, the functions below want it as
 * it was compiled. STARTS: at most so many; more tell earlier that a line is none, and
 * cost where it is one. */
void kt_shape_pack(struct kt_arena *a, struct kt_shape *s, unsigned starts);

/* FIRST: kt_eight_bytes of the line. False: it does not match. */
static inline bool kt_shape_may_match(const struct kt_shape *s, struct kt_str line, uint64_t first)
{
	if (!kt_run_fits(&s->start[0], first))
		return false;
	for (unsigned i = 1; i < s->n_starts; i++)
		if (line.len < 8 * i ||
		    !kt_run_fits(&s->start[i], kt_eight_bytes(line.p + 8 * i, line.len - 8 * i)))
			return false;
	return true;
}

/* How many ops of A and B are the same and come before anything that is tried more
 * than once. */
size_t kt_shape_shared(const struct kt_shape *a, const struct kt_shape *b);

/* What one attempt at a line leaves for the next shape. */
struct kt_shape_try {
	const struct kt_levels *levels;
	const char *line, *end;
	struct kt_str *field;         /* KT_FIELDS; only those of the shape that matched count */
	const char *at[KT_SHAPE_OPS]; /* where the line was at each op */
	size_t failed;                /* the op that did not match */
	const char *to;               /* end of what was matched */
	const char *message;          /* of what stands before the message, else the same */
};

/* Matches at the start of the line. SHARED: so many ops are those of the shape that
 * was tried before at this line, and did not match. */
bool kt_shape_match(const struct kt_shape *s, struct kt_shape_try *t, size_t shared);

/* Sets FIRST[c] for every byte with which a matching line can begin. */
void kt_shape_first(const struct kt_shape *s, const struct kt_levels *levels, bool first[256]);

/* --- texts that every matching line holds --- */

/* The fixed bytes it begins with. */
struct kt_str kt_shape_leading(const struct kt_shape *s, struct kt_arena *a);

/* The longest run of fixed bytes. */
struct kt_str kt_shape_longest(const struct kt_shape *s, struct kt_arena *a);

/* What stands before field F, one of the texts (at most KT_SHAPE_TEXTS, OUT's length)
 * in every line; returns their number, 0 when the shape has no such field. The first
 * F counts. */
size_t kt_shape_before(const struct kt_shape *s, struct kt_arena *a, enum kt_field f, struct kt_str *out);

/* X and Y in one, in the arena. */
struct kt_str kt_shape_join(struct kt_arena *a, struct kt_str x, struct kt_str y);

/* KT_FIELDS when there is no such field. */
enum kt_field kt_field_of(struct kt_str name);

#endif
