/* Memory that is given back all at once.
 *
 * What is allocated here lives until kt_arena_free. A build with KT_ARENA_DEBUG
 * gives every object its own malloc, so that the sanitizers see each bound.
 *
 *     struct kt_arena a = {0};
 *     struct kt_row *rows = KT_NEW_N(&a, struct kt_row, n);
 *     kt_arena_free(&a);
 */
#ifndef KT_BASE_ARENA_H
#define KT_BASE_ARENA_H

#include "base/str.h"

struct kt_arena_block;

struct kt_arena {
	struct kt_arena_block *last;
};

void *kt_arena_alloc(struct kt_arena *a, size_t size); /* zeroed, aligned for any type */
void *kt_arena_alloc_n(struct kt_arena *a, size_t n, size_t size);
struct kt_str kt_arena_str(struct kt_arena *a, struct kt_str s); /* copy, NUL behind it */
struct kt_str kt_arena_fmt(struct kt_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void kt_arena_free(struct kt_arena *a);

#define KT_NEW(a, type)      ((type *)kt_arena_alloc((a), sizeof(type)))
#define KT_NEW_N(a, type, n) ((type *)kt_arena_alloc_n((a), (n), sizeof(type)))

#endif
