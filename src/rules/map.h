/* A table from text to a number: ids to row numbers.
 *
 * Keys are borrowed; the memory is the arena's. A zeroed map is empty.
 */
#ifndef KT_RULES_MAP_H
#define KT_RULES_MAP_H

#include "base/arena.h"

struct kt_map_slot {
	struct kt_str key; /* p NULL: free */
	uint32_t value;
};

struct kt_map {
	struct kt_map_slot *slots;
	size_t n, cap; /* cap is a power of two, at most half full */
};

/* Adds KEY (not empty) unless it is there; returns the value that is there now. */
uint32_t kt_map_add(struct kt_map *m, struct kt_arena *a, struct kt_str key, uint32_t value);
/* The value, or UINT32_MAX (KT_NIL). */
uint32_t kt_map_get(const struct kt_map *m, struct kt_str key);
/* The nearest key worth suggesting for WORD, or empty. */
struct kt_str kt_map_nearest(const struct kt_map *m, struct kt_str word);

#endif
