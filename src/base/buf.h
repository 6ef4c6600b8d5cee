/* A byte buffer that grows up to a ceiling.
 *
 * Invariants: len <= max; p[len] is NUL once anything was added, so p serves as
 * a C string when the content holds no NUL. Adding past the ceiling adds nothing
 * and sets `full`, which stays set until kt_buf_clear: a writer may add many
 * pieces and ask once at the end.
 *
 *     struct kt_buf b = KT_BUF(4096);
 *     kt_buf_fmt(&b, "%s:%u", name, line);
 *     if (b.full) ...
 *     kt_buf_free(&b);
 */
#ifndef KT_BASE_BUF_H
#define KT_BASE_BUF_H

#include <stdarg.h>

#include "base/str.h"

struct kt_buf {
	char *p;
	size_t len, cap, max; /* bytes */
	bool full;
};

#define KT_BUF(ceiling) ((struct kt_buf){.max = (ceiling)})
#define KT_BUF_NAME     4096u       /* a path, a name, one line of ours */
#define KT_BUF_TEXT     (16u << 20) /* a whole answer */

void kt_buf_free(struct kt_buf *b);  /* empties and releases; the ceiling stays */
void kt_buf_clear(struct kt_buf *b); /* empties, keeps the memory */
void kt_buf_add(struct kt_buf *b, struct kt_str s);
void kt_buf_str(struct kt_buf *b, const char *c);
void kt_buf_char(struct kt_buf *b, char c);
void kt_buf_fmt(struct kt_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void kt_buf_vfmt(struct kt_buf *b, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
/* V * 10^-DECIMALS with all decimals: (-45, 1) is -4.5. */
void kt_buf_fixed(struct kt_buf *b, int64_t v, unsigned decimals);
void kt_buf_cut(struct kt_buf *b, size_t len); /* shortens to LEN */
void kt_buf_drop(struct kt_buf *b, size_t n);  /* removes the first N bytes */
struct kt_str kt_buf_view(const struct kt_buf *b);
const char *kt_buf_c(const struct kt_buf *b); /* never NULL */

#endif
