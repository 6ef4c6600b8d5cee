#include "input/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>

#include "base/alloc.h"

#include "base/banned.h"

#define PIPE    (1 << 20)
#define LOOK_MS 40 /* between two looks at ^C, should its signal come just before waiting */

static bool stopped(const struct kt_bytes_fd *f)
{
	return f->stop && *f->stop;
}

/* Until there is something to read; regular files are always ready. */
static bool wait_for(const struct kt_bytes_fd *f)
{
	struct pollfd p = {.fd = f->fd, .events = POLLIN};
	int n = 0;

	while (!stopped(f) && (n == 0 || (n < 0 && errno == EINTR)))
		n = poll(&p, 1, LOOK_MS);
	return !stopped(f);
}

static ssize_t read_fd(struct kt_bytes *b, char *to, size_t want, struct kt_err *err)
{
	struct kt_bytes_fd *f = (struct kt_bytes_fd *)b;
	ssize_t n = -1;

	while (n < 0 && !f->error) {
		if (!wait_for(f))
			return kt_err_set(err, KT_ERR_CANCELLED, "reading was stopped");
		n = kt_read(f->fd, to, want);
		f->error = n < 0 && errno != EAGAIN ? errno : 0;
	}
	return n < 0 ? kt_err_set(err, KT_ERR_INPUT, "cannot be read: %s", strerror(f->error)) : n;
}

struct kt_bytes *kt_bytes_of_fd(struct kt_bytes_fd *f, int fd, const volatile sig_atomic_t *stop)
{
	*f = (struct kt_bytes_fd){{read_fd}, fd, stop, 0};
	(void)fcntl(fd, F_SETPIPE_SZ, PIPE); /* fewer turns between the two ends; of pipes only */
	return &f->bytes;
}

static ssize_t read_text(struct kt_bytes *b, char *to, size_t want, struct kt_err *err)
{
	struct kt_bytes_text *t = (struct kt_bytes_text *)b;
	struct kt_str piece = kt_str_sub(t->left, 0, want);

	(void)err;
	if (piece.len)
		memcpy(to, piece.p, piece.len);
	t->left = kt_str_from(t->left, piece.len);
	return (ssize_t)piece.len;
}

struct kt_bytes *kt_bytes_of_text(struct kt_bytes_text *t, struct kt_str text)
{
	*t = (struct kt_bytes_text){{read_text}, text};
	return &t->bytes;
}

static ssize_t read_ahead(struct kt_bytes *b, char *to, size_t want, struct kt_err *err)
{
	struct kt_bytes_ahead *a = (struct kt_bytes_ahead *)b;
	struct kt_str piece = kt_str_sub(a->head, 0, want);

	if (!piece.len)
		return a->rest->read(a->rest, to, want, err);
	memcpy(to, piece.p, piece.len);
	a->head = kt_str_from(a->head, piece.len);
	return (ssize_t)piece.len;
}

struct kt_bytes *kt_bytes_with_head(struct kt_bytes_ahead *a, struct kt_str head, struct kt_bytes *rest)
{
	*a = (struct kt_bytes_ahead){{read_ahead}, head, rest};
	return &a->bytes;
}
