/* One shape of the header table: compiled and matched. The language is described
 * in headers.h. Inside the module only. */
#ifndef KT_INPUT_SHAPE_H
#define KT_INPUT_SHAPE_H

#include "base/arena.h"
#include "input/headers.h"

#define KT_SHAPE_LEVELS 16
#define KT_SHAPE_THREAD 512 /* bytes a <thread> may have */

struct kt_levels {
	struct kt_str word[KT_SHAPE_LEVELS];
	size_t n;
};

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
	KT_SC_MESSAGE
};
enum kt_shape_rep { KT_SR_ONE, KT_SR_OPT, KT_SR_PLUS, KT_SR_STAR };

struct kt_shape_op {
	uint8_t code, rep;     /* enums above; rep of SET and GROUP (ONE or OPT) */
	uint8_t field;         /* FIELD, FIELD_END */
	uint16_t next;         /* GROUP: its GROUP_END; ALT: the next ALT or the GROUP_END */
	unsigned char set[32]; /* SET, LOGGER: bit per byte */
};

struct kt_shape {
	const struct kt_shape_op *ops;
	size_t n;
};

KT_MUST_CHECK int kt_shape_compile(struct kt_arena *a, struct kt_str text, struct kt_shape *out,
				   struct kt_err *err);

/* Matches at the start of LINE; fills FIELD (which the caller cleared) and *LEN. */
bool kt_shape_match(const struct kt_shape *s, const struct kt_levels *levels, struct kt_str line,
		    struct kt_str field[KT_FIELDS], size_t *len);

/* Sets FIRST[c] for every byte with which a matching line can begin. */
void kt_shape_first(const struct kt_shape *s, const struct kt_levels *levels, bool first[256]);

/* KT_FIELDS when there is no such field. */
enum kt_field kt_field_of(struct kt_str name);

#endif
