#include "base/alloc.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
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
static struct fault {
	const char *name;
	atomic_long at; /* the call to fail; 0: not asked yet, -1: none */
	atomic_long calls;
} faults[] = {{"KT_FAIL_ALLOC", 0, 0}, {"KT_FAIL_READ", 0, 0}, {"KT_FAIL_WRITE", 0, 0}};

/* Tests learn from KT_FAULT_COUNTS=FILE how many calls of each kind a run makes. */
__attribute__((destructor)) static void tell_counts(void)
{
	const char *path = getenv("KT_FAULT_COUNTS");
	FILE *f = path ? fopen(path, "we") : NULL;

	if (!f)
		return;
	fprintf(f, "%ld %ld %ld\n", faults[0].calls, faults[1].calls, faults[2].calls);
	fclose(f);
}

/* True at the call whose number the environment names; one counter per kind. */
static int must_fail(struct fault *f)
{
	if (f->at == 0) {
		const char *text = getenv(f->name);
		f->at = text ? strtol(text, NULL, 10) : -1;
	}
	return atomic_fetch_add(&f->calls, 1) + 1 == f->at;
}
static int alloc_must_fail(void)
{
	return must_fail(&faults[0]);
}
bool kt_fault_read(void)
{
	return must_fail(&faults[1]);
}
static int write_must_fail(void)
{
	return must_fail(&faults[2]);
}
#else
static int alloc_must_fail(void)
{
	return 0;
}
bool kt_fault_read(void)
{
	return false;
}
static int write_must_fail(void)
{
	return 0;
}
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

	if (kt_fault_read()) {
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
		/* As on a full disk: some of it arrives. */
		errno = write(fd, p, len / 2) < 0 ? errno : ENOSPC;
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
