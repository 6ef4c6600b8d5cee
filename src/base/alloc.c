#include "base/alloc.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/banned.h"

#define EXIT_INTERNAL 70

static _Noreturn void out_of_memory(void)
{
	static const char text[] = "ktriage: out of memory\n";

	if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
		_exit(EXIT_INTERNAL);
	_exit(EXIT_INTERNAL);
}

#ifdef KT_FAULTS
/* True at the call whose number the environment names; one counter per kind. */
static int must_fail(const char *name, long *left)
{
	if (*left == 0) {
		const char *text = getenv(name);
		*left = text ? strtol(text, NULL, 10) : -1;
	}
	return *left > 0 && --*left == 0 ? (*left = -1, 1) : 0;
}
static int alloc_must_fail(void)
{
	static long left;
	return must_fail("KT_FAIL_ALLOC", &left);
}
static int read_must_fail(void)
{
	static long left;
	return must_fail("KT_FAIL_READ", &left);
}
static int write_must_fail(void)
{
	static long left;
	return must_fail("KT_FAIL_WRITE", &left);
}
#else
static int alloc_must_fail(void) { return 0; }
static int read_must_fail(void) { return 0; }
static int write_must_fail(void) { return 0; }
#endif

void *kt_alloc(size_t size)
{
	void *p = alloc_must_fail() ? NULL : calloc(1, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

static size_t product(size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		out_of_memory();
	return n * size;
}

void *kt_alloc_n(size_t n, size_t size)
{
	return kt_alloc(product(n, size));
}

void *kt_realloc(void *take_p, size_t n, size_t size)
{
	size_t want = product(n, size);
	void *p = alloc_must_fail() ? NULL : realloc(take_p, want ? want : 1);

	if (!p)
		out_of_memory();
	return p;
}

char *kt_strdup(struct kt_str s)
{
	char *p = kt_alloc(s.len + 1);

	if (s.len)
		memcpy(p, s.p, s.len);
	return p;
}

void kt_free(void *take_p)
{
	free(take_p);
}

void *kt_grow(void *take_p, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return take_p;
	*cap = *cap ? *cap * 2 : 8;
	return kt_realloc(take_p, *cap, size);
}

ssize_t kt_read(int fd, void *buf, size_t len)
{
	ssize_t n;

	if (read_must_fail()) {
		errno = EIO;
		return -1;
	}
	do
		n = read(fd, buf, len);
	while (n < 0 && errno == EINTR);
	return n;
}

int kt_write_all(int fd, const void *buf, size_t len)
{
	const char *p = buf;

	if (write_must_fail()) {
		errno = EIO;
		return -1;
	}
	while (len) {
		ssize_t n = write(fd, p, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}
