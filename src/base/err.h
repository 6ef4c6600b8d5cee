/* What went wrong, owned by the caller.
 *
 * The first error wins: kt_err_set on an error that is set changes nothing, so a
 * low layer names the cause and the layers above may add without harm. Nothing
 * is allocated here.
 *
 * Text: low case, the fault first, the subject quoted, then what to do.
 *
 *     if (kt_file_read(path, &text, err) < 0)
 *             goto out;                // err says "driver.log: no such file"
 */
#ifndef KT_BASE_ERR_H
#define KT_BASE_ERR_H

#include "base/str.h"

/* Class of an error; the command line turns it into an exit status. */
#define KT_ERR_CLASSES(X)                                                   \
	X(NONE, "none")                                                     \
	X(USAGE, "usage")         /* the person's words are off */          \
	X(RULES, "rules")         /* a rule file is wrong */                \
	X(INPUT, "input")         /* an input cannot be read */             \
	X(OUTPUT, "output")       /* the answer cannot be written */        \
	X(REFUSED, "refused")     /* the guard or the trust list says no */ \
	X(CLUSTER, "cluster")     /* not reached, failed, or lied */        \
	X(CANCELLED, "cancelled") /* ^C or a deadline */                    \
	X(LIMIT, "limit")         /* too large, too deep, too long */       \
	X(INTERNAL, "internal")

enum kt_err_class {
#define X(id, word) KT_ERR_##id,
	KT_ERR_CLASSES(X)
#undef X
};

struct kt_err {
	enum kt_err_class cls;
	char text[640]; /* NUL-terminated, cut at a character with "..." */
};

#define KT_MUST_CHECK __attribute__((warn_unused_result))

/* Sets the error unless one is set. Returns -1, for `return kt_err_set(...)`.
 * ERR may be NULL. */
int kt_err_set(struct kt_err *err, enum kt_err_class cls, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Puts text in front of a set error: "rules/x.yaml: " + what was there. */
int kt_err_prefix(struct kt_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void kt_err_clear(struct kt_err *err);
const char *kt_err_class_word(enum kt_err_class cls);

#endif
