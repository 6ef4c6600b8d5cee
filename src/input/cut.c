#include "input/cut.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/count.h"

#include "base/banned.h"

#define MARKER    64   /* bytes of the longest marker line */
#define LOOK_LINE 4096 /* how far from the gap a line end is looked for */
#define LOOK_WORD 256  /* and a blank */

static size_t capacity(const struct kt_cut *c)
{
	return c->head_max + 2 * c->tail_max;
}

void kt_cut_init(struct kt_cut *c, size_t head_max, size_t tail_max)
{
	*c = (struct kt_cut){.head_max = head_max, .tail_max = tail_max, .split = head_max};
	c->p = kt_alloc(capacity(c) + MARKER);
}

void kt_cut_free(struct kt_cut *c)
{
	kt_free(c->p);
	*c = (struct kt_cut){0};
}

void kt_cut_clear(struct kt_cut *c)
{
	c->len = 0;
	c->split = c->head_max;
	c->dropped = c->dropped_lines = 0;
}

static void note_dropped(struct kt_cut *c, struct kt_str s)
{
	c->dropped += s.len;
	c->dropped_lines += kt_count_byte(s.p, s.len, '\n');
}

/* Drops N bytes at the gap. */
static void drop(struct kt_cut *c, size_t n)
{
	note_dropped(c, (struct kt_str){c->p + c->split, n});
	memmove(c->p + c->split, c->p + c->split + n, c->len - c->split - n);
	c->len -= n;
}

static void append(struct kt_cut *c, struct kt_str s)
{
	if (s.len)
		memcpy(c->p + c->len, s.p, s.len);
	c->len += s.len;
}

void kt_cut_add(struct kt_cut *c, struct kt_str s)
{
	if (c->len < c->split && !c->dropped) {
		size_t n = c->split - c->len;
		append(c, kt_str_sub(s, 0, n));
		s = kt_str_from(s, n);
	}
	if (!s.len)
		return;
	size_t zone = c->len - c->split;
	if (s.len <= 2 * c->tail_max - zone) {
		append(c, s);
	} else if (s.len >= c->tail_max) {
		drop(c, zone);
		note_dropped(c, kt_str_sub(s, 0, s.len - c->tail_max));
		append(c, kt_str_from(s, s.len - c->tail_max));
	} else {
		drop(c, zone + s.len - c->tail_max);
		append(c, s);
	}
}

static struct kt_str without_nuls(struct kt_str s)
{
	const size_t stride = 4096; /* a hole of a file is all NULs */

	while (s.len > stride && !s.p[0] && memcmp(s.p, s.p + 1, stride) == 0)
		s = kt_str_from(s, stride);
	while (s.len && !s.p[0])
		s = kt_str_from(s, 1);
	return s;
}

void kt_cut_add_line(struct kt_cut *c, struct kt_str s)
{
	if (c->len && c->p[c->len - 1] == '\0')
		s = without_nuls(s);
	while (s.len) {
		size_t nul = kt_str_chr(s, '\0', 0);
		size_t n = nul == KT_NPOS ? s.len : nul + 1;
		kt_cut_add(c, kt_str_sub(s, 0, n));
		s = kt_str_from(s, n);
		if (nul != KT_NPOS)
			s = without_nuls(s);
	}
}

void kt_cut_add_ends(struct kt_cut *c, uint64_t n)
{
	static const char ends[] = "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n";

	while (n) {
		struct kt_str some = {ends, n < sizeof ends - 1 ? (size_t)n : sizeof ends - 1};
		kt_cut_add(c, some);
		n -= some.len;
	}
}

void kt_cut_add_view(struct kt_cut *c, const struct kt_cut_view *v)
{
	kt_cut_add(c, v->head);
	if (!v->dropped)
		return;
	if (c->len < c->split)
		c->split = c->len;
	drop(c, c->len - c->split);
	c->dropped += v->dropped;
	kt_cut_add(c, v->tail);
}

struct kt_cut_view kt_cut_view(const struct kt_cut *c)
{
	if (!c->dropped)
		return (struct kt_cut_view){.head = {c->p, c->len}};
	return (struct kt_cut_view){{c->p, c->split}, {c->p + c->split, c->len - c->split}, c->dropped};
}

/* Length of S without the line or word that the gap has broken. */
static size_t whole_head(struct kt_str s)
{
	for (size_t n = 0; n < LOOK_LINE && n < s.len; n++)
		if (s.p[s.len - 1 - n] == '\n')
			return s.len - 1 - n;
	for (size_t n = 0; n < LOOK_WORD && n < s.len; n++)
		if (s.p[s.len - 1 - n] == ' ')
			return s.len - 1 - n;
	return s.len;
}

static size_t broken_tail(struct kt_str s)
{
	for (size_t n = 0; n < LOOK_LINE && n < s.len; n++)
		if (s.p[n] == '\n')
			return n + 1;
	for (size_t n = 0; n < LOOK_WORD && n < s.len; n++)
		if (s.p[n] == ' ')
			return n + 1;
	return 0;
}

struct kt_str kt_cut_text(struct kt_cut *c, size_t *at, size_t *len)
{
	char marker[MARKER];

	*at = *len = 0;
	if (!c->dropped)
		return (struct kt_str){c->p, c->len};
	size_t head = whole_head((struct kt_str){c->p, c->split});
	size_t more = c->split - head;
	c->split = head;
	drop(c, more);
	drop(c, broken_tail((struct kt_str){c->p + c->split, c->len - c->split}));
	int n = snprintf(marker, sizeof marker, "\n[%" PRIu64 " bytes left out]\n", c->dropped);
	memmove(c->p + c->split + n, c->p + c->split, c->len - c->split);
	memcpy(c->p + c->split, marker, (size_t)n);
	c->len += (size_t)n;
	*at = c->split;
	*len = (size_t)n;
	return (struct kt_str){c->p, c->len};
}
