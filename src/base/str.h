/* Byte strings that borrow.
 *
 * A struct kt_str is a pointer and a length in bytes. It owns nothing, need not
 * end in NUL and may hold any byte. {NULL, 0} is the empty string.
 *
 *     struct kt_str s = KT_S("requestId");
 *     printf(KT_FMT "\n", KT_ARG(s));
 */
#ifndef KT_BASE_STR_H
#define KT_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kt_str {
	const char *p;
	size_t len;
};

#define KT_S(lit) ((struct kt_str){(lit), sizeof(lit) - 1})
#define KT_NONE   ((struct kt_str){NULL, 0})
#define KT_FMT    "%.*s"
#define KT_ARG(s) ((int)(s).len), ((s).p ? (s).p : "")

/* Not found, for the functions that return a position. */
#define KT_NPOS SIZE_MAX

#define KT_LEN(a) (sizeof(a) / sizeof(*(a)))

struct kt_str kt_str_c(const char *c);                            /* from a C string; NULL is empty */
struct kt_str kt_str_sub(struct kt_str s, size_t at, size_t len); /* clipped to s */
struct kt_str kt_str_from(struct kt_str s, size_t at);
struct kt_str kt_str_trim(struct kt_str s); /* ASCII blanks off both ends */

bool kt_str_eq(struct kt_str a, struct kt_str b);
bool kt_str_eq_c(struct kt_str a, const char *c);
bool kt_str_ieq(struct kt_str a, struct kt_str b); /* ASCII case folded */
int kt_str_cmp(struct kt_str a, struct kt_str b);  /* bytes, then length */
bool kt_str_starts(struct kt_str s, struct kt_str prefix);
bool kt_str_ends(struct kt_str s, struct kt_str suffix);

/* First position of NEEDLE at or after FROM, or KT_NPOS. */
size_t kt_str_find(struct kt_str s, struct kt_str needle, size_t from);
size_t kt_str_ifind(struct kt_str s, struct kt_str needle, size_t from);
size_t kt_str_chr(struct kt_str s, char c, size_t from);

/* Cuts the next piece up to SEP off *REST; false when nothing is left. */
bool kt_str_cut(struct kt_str *rest, char sep, struct kt_str *piece);

/* Whole decimal number without sign, at most MAX; false when it is none. */
bool kt_str_uint(struct kt_str s, uint64_t max, uint64_t *out);

/* Optimal-string-alignment distance (a swap of neighbours counts one), ASCII
 * case folded, cut off at LIMIT + 1. */
unsigned kt_str_distance(struct kt_str a, struct kt_str b, unsigned limit);

/* 64-bit FNV-1a; pass the last result as SEED to hash in pieces, or KT_HASH_SEED. */
#define KT_HASH_SEED UINT64_C(0xcbf29ce484222325)
uint64_t kt_str_hash(struct kt_str s, uint64_t seed);

/* The word of WORDS (N of them) nearest to S, or empty when none is near enough
 * to be worth suggesting (a third of its letters, at most three). */
struct kt_str kt_str_nearest(struct kt_str s, const struct kt_str *words, size_t n);

#endif
