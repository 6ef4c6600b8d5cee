#include "base/arena.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

#include "base/banned.h"

struct kt_arena_block {
	struct kt_arena_block *before;
	size_t used, size;
	max_align_t data[];
};

#ifdef KT_ARENA_DEBUG
#define BLOCK_SIZE ((size_t)1)
#else
#define BLOCK_SIZE ((size_t)16384)
#endif

static void *block_new(struct kt_arena *a, size_t size)
{
	size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
	struct kt_arena_block *b = kt_alloc(sizeof *b + room);

	b->size = room;
	b->used = size;
	b->before = a->last;
	a->last = b;
	return b->data;
}

void *kt_arena_alloc(struct kt_arena *a, size_t size)
{
	const size_t align = sizeof(max_align_t);

	if (size > SIZE_MAX / 2)
		return kt_alloc(size); /* fails there, in one place */
#ifndef KT_ARENA_DEBUG
	size = (size + align - 1) / align * align;
	struct kt_arena_block *b = a->last;
	if (b && size <= b->size - b->used) {
		void *p = (char *)b->data + b->used;
		b->used += size;
		return p;
	}
#endif
	(void)align;
	return block_new(a, size);
}

void *kt_arena_alloc_n(struct kt_arena *a, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		return kt_alloc_n(n, size);
	return kt_arena_alloc(a, n * size);
}

struct kt_str kt_arena_str(struct kt_arena *a, struct kt_str s)
{
	char *p = kt_arena_alloc(a, s.len + 1);

	if (s.len)
		memcpy(p, s.p, s.len);
	return (struct kt_str){p, s.len};
}

struct kt_str kt_arena_fmt(struct kt_arena *a, const char *fmt, ...)
{
	va_list ap, again;

	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	size_t len = n > 0 ? (size_t)n : 0;
	char *p = kt_arena_alloc(a, len + 1);
	vsnprintf(p, len + 1, fmt, again);
	va_end(again);
	va_end(ap);
	return (struct kt_str){p, len};
}

void kt_arena_free(struct kt_arena *a)
{
	for (struct kt_arena_block *b = a->last, *before; b; b = before) {
		before = b->before;
		kt_free(b);
	}
	a->last = NULL;
}
