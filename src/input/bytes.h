/* Bytes that come one after the other, once: a file, a pipe, a text in memory,
 * what an unpacker makes of one of them.
 *
 *     struct kt_bytes_fd f;
 *     struct kt_bytes *b = kt_bytes_of_fd(&f, fd, &stop);
 *     while ((n = b->read(b, chunk, sizeof chunk, &err)) > 0) ...
 */
#ifndef KT_INPUT_BYTES_H
#define KT_INPUT_BYTES_H

#include <signal.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/str.h"

struct kt_bytes {
	/* Up to WANT (at least 1) bytes to TO: how many; 0: the end; -1: failed or
	 * stopped, ERR says why (class CANCELLED when stopped). What was given before
	 * stays good, and a further call gives the same answer. */
	ssize_t (*read)(struct kt_bytes *b, char *to, size_t want, struct kt_err *err);
};

struct kt_bytes_fd {
	struct kt_bytes bytes;
	int fd;                            /* borrowed */
	const volatile sig_atomic_t *stop; /* may be NULL */
	int error;                         /* errno of a read that failed: it is not tried again */
};

/* Waits for data of pipes and terminals, looking at STOP meanwhile. */
struct kt_bytes *kt_bytes_of_fd(struct kt_bytes_fd *f, int fd, const volatile sig_atomic_t *stop);

struct kt_bytes_text {
	struct kt_bytes bytes;
	struct kt_str left;
};
struct kt_bytes *kt_bytes_of_text(struct kt_bytes_text *t, struct kt_str text);

/* HEAD, which was read from REST already, and then REST. */
struct kt_bytes_ahead {
	struct kt_bytes bytes;
	struct kt_str head;
	struct kt_bytes *rest;
};
struct kt_bytes *kt_bytes_with_head(struct kt_bytes_ahead *a, struct kt_str head, struct kt_bytes *rest);

#endif
