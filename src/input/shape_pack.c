/* Shapes made faster to match. */
#include "input/shape.h"

#include <string.h>

#include "base/banned.h"

static bool is_digits(const struct kt_shape_op *op)
{
	static const unsigned char digits[32] = {['0' >> 3] = 0xff, ['8' >> 3] = 0x03};

	return memcmp(op->set, digits, sizeof digits) == 0;
}

static bool packable(const struct kt_shape_op *op)
{
	return op->code == KT_SC_SET && op->rep == KT_SR_ONE && (op->byte >= 0 || is_digits(op));
}

/* N ops as one. Its words are made byte by byte, so that they fit eight bytes of a
 * line on any machine. */
static struct kt_shape_op pack(const struct kt_shape_op *ops, size_t n)
{
	struct kt_shape_op run = {.code = KT_SC_RUN, .field = (uint8_t)n, .byte = -1};
	unsigned char mask[8] = {0}, want[8] = {0}, high[8] = {0}, six[8] = {0};

	for (size_t i = 0; i < n; i++) {
		bool digit = ops[i].byte < 0;
		mask[i] = digit ? 0xf0 : 0xff;
		want[i] = digit ? 0x30 : (unsigned char)ops[i].byte;
		high[i] = digit ? 0xf0 : 0;
		six[i] = digit ? 6 : 0;
	}
	memcpy(&run.run.mask, mask, sizeof mask);
	memcpy(&run.run.want, want, sizeof want);
	memcpy(&run.run.high, high, sizeof high);
	memcpy(&run.run.six, six, sizeof six);
	return run;
}

/* Ops that only say where something stands. */
static bool takes_nothing(const struct kt_shape_op *op)
{
	return op->code == KT_SC_FIELD || op->code == KT_SC_FIELD_END;
}

static void note_starts(struct kt_shape *s, unsigned most)
{
	struct kt_shape_op first[8 * KT_SHAPE_STARTS];
	size_t n = 0;

	for (size_t i = 0; i < s->n && n < 8u * most && (takes_nothing(&s->ops[i]) || packable(&s->ops[i]));
	     i++)
		if (!takes_nothing(&s->ops[i]))
			first[n++] = s->ops[i];
	s->n_starts = (unsigned)(n + 7) / 8;
	for (unsigned k = 0; k < s->n_starts; k++)
		s->start[k] = pack(first + 8 * k, n - 8 * k < 8 ? n - 8 * k : 8).run;
}

static void simplify(struct kt_shape_op *op)
{
	if (op->code != KT_SC_SET || op->byte < 0)
		return;
	if (op->rep == KT_SR_ONE)
		op->code = KT_SC_BYTE;
	else if (op->rep == KT_SR_PLUS)
		op->code = KT_SC_BYTES;
}

/* A group of one alternative. */
static void note_group(struct kt_shape_op *group)
{
	const struct kt_shape_op *first = &group[2];

	if (group[1].next == group->next && first->code == KT_SC_SET &&
	    (first->rep == KT_SR_ONE || first->rep == KT_SR_PLUS))
		group->byte = first->byte;
}

void kt_shape_pack(struct kt_arena *a, struct kt_shape *s, unsigned starts)
{
	struct kt_shape_op *ops = KT_NEW_N(a, struct kt_shape_op, s->n);
	size_t n = 0, len;

	note_starts(s, starts);
	for (size_t i = 0; i < s->n; i += len) {
		const struct kt_shape_op *from = &s->ops[i];
		bool behind_thread = i && from[-1].code == KT_SC_THREAD; /* is searched for */
		for (len = 0; !behind_thread && len < 8 && i + len < s->n && packable(&from[len]); len++)
			;
		if (len > 1) {
			ops[n++] = pack(from, len);
			continue;
		}
		len = from->code == KT_SC_GROUP ? from->next + 1u - i : 1;
		for (size_t k = 0; k < len; k++) {
			ops[n + k] = from[k];
			ops[n + k].next = (uint16_t)(from[k].next - (i - n));
		}
		if (len == 1)
			simplify(&ops[n]);
		else
			note_group(&ops[n]);
		n += len;
	}
	s->ops = ops;
	s->n = n;
}

static bool same(const struct kt_shape_op *a, const struct kt_shape_op *b)
{
	return a->code == b->code && a->rep == b->rep && a->field == b->field &&
	       (a->code < KT_SC_GROUP || a->code > KT_SC_GROUP_END || a->next == b->next) &&
	       memcmp(a->set, b->set, sizeof a->set) == 0;
}

size_t kt_shape_shared(const struct kt_shape *a, const struct kt_shape *b)
{
	size_t n = a->n < b->n ? a->n : b->n, i = 0, group = KT_NPOS;

	for (; i < n && a->ops[i].code != KT_SC_THREAD && same(&a->ops[i], &b->ops[i]); i++) {
		if (a->ops[i].code == KT_SC_GROUP)
			group = i;
		else if (a->ops[i].code == KT_SC_GROUP_END)
			group = KT_NPOS;
	}
	if (group != KT_NPOS)
		i = group;
	return i < a->n && i < b->n ? i : 0;
}
