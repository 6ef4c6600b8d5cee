/* Texts that stand in every line a shape matches. */
#include "input/shape.h"

#include <string.h>

#include "base/banned.h"

/* The byte that the op stands for, or -1: it is no single one. */
static int only_byte(const struct kt_shape_op *op)
{
	return op->code == KT_SC_SET && op->rep == KT_SR_ONE ? op->byte : -1;
}

static bool takes_nothing(const struct kt_shape_op *op)
{
	return op->code == KT_SC_FIELD || op->code == KT_SC_FIELD_END;
}

/* The bytes fixed from op FROM on; *END: the op behind them. */
static struct kt_str run_from(const struct kt_shape *s, struct kt_arena *a, size_t from, size_t *end)
{
	char *text = kt_arena_alloc(a, s->n + 1);
	size_t n = 0, i = from;

	for (; i < s->n && (takes_nothing(&s->ops[i]) || only_byte(&s->ops[i]) >= 0); i++)
		if (!takes_nothing(&s->ops[i]))
			text[n++] = (char)only_byte(&s->ops[i]);
	*end = i;
	return (struct kt_str){text, n};
}

struct kt_str kt_shape_leading(const struct kt_shape *s, struct kt_arena *a)
{
	size_t end;

	return run_from(s, a, 0, &end);
}

struct kt_str kt_shape_longest(const struct kt_shape *s, struct kt_arena *a)
{
	struct kt_str best = KT_NONE;
	size_t i = 0, end;

	while (i < s->n) {
		struct kt_str run = run_from(s, a, i, &end);
		if (run.len > best.len)
			best = run;
		if (s->ops[i].code == KT_SC_GROUP)
			end = s->ops[i].next;
		i = end == i ? i + 1 : end;
	}
	return best;
}

/* --- what stands before a field --- */

struct texts {
	struct kt_arena *arena;
	struct kt_str *list; /* KT_SHAPE_TEXTS */
	size_t n;
};

struct kt_str kt_shape_join(struct kt_arena *a, struct kt_str x, struct kt_str y)
{
	char *text = kt_arena_alloc(a, x.len + y.len + 1);

	if (x.len)
		memcpy(text, x.p, x.len);
	if (y.len)
		memcpy(text + x.len, y.p, y.len);
	return (struct kt_str){text, x.len + y.len};
}

static void put_before(struct texts *t, struct kt_str piece, const struct kt_str *old, size_t n)
{
	for (size_t i = 0; i < n; i++)
		t->list[t->n++] = kt_shape_join(t->arena, piece, old[i]);
}

/* Each alternative before each text. False: not all of them are fixed, or too many. */
static bool group_before(struct texts *t, const struct kt_shape *s, size_t group)
{
	const struct kt_shape_op *ops = s->ops;
	struct kt_str old[KT_SHAPE_TEXTS], piece[KT_SHAPE_TEXTS];
	size_t n = t->n, n_pieces = 0, end;

	for (size_t alt = group + 1; ops[alt].code == KT_SC_ALT; alt = ops[alt].next) {
		if (n_pieces == KT_SHAPE_TEXTS)
			return false;
		piece[n_pieces++] = run_from(s, t->arena, alt + 1, &end);
		if (end != ops[alt].next)
			return false;
	}
	if (ops[group].rep != KT_SR_ONE || n * n_pieces > KT_SHAPE_TEXTS)
		return false;
	memcpy(old, t->list, n * sizeof *old);
	t->n = 0;
	for (size_t i = 0; i < n_pieces; i++)
		put_before(t, piece[i], old, n);
	return true;
}

static bool byte_before(struct texts *t, const struct kt_shape_op *op)
{
	int c = only_byte(op);
	char byte = (char)c;
	struct kt_str old[KT_SHAPE_TEXTS];
	size_t n = t->n;

	if (c < 0)
		return takes_nothing(op);
	memcpy(old, t->list, n * sizeof *old);
	t->n = 0;
	put_before(t, (struct kt_str){&byte, 1}, old, n);
	return true;
}

size_t kt_shape_before(const struct kt_shape *s, struct kt_arena *a, enum kt_field f, struct kt_str *out)
{
	struct texts t = {a, out, 1};
	size_t at = 0;
	bool more = true;

	while (at < s->n && !(s->ops[at].code == KT_SC_FIELD && s->ops[at].field == f))
		at++;
	if (at == s->n)
		return 0;
	out[0] = KT_NONE;
	while (more && at--) {
		if (s->ops[at].code != KT_SC_GROUP_END) {
			more = byte_before(&t, &s->ops[at]);
			continue;
		}
		while (s->ops[at].code != KT_SC_GROUP)
			at--;
		more = group_before(&t, s, at);
	}
	return t.n;
}
