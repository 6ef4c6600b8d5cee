#include "base/map.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE ((size_t)sysconf(_SC_PAGESIZE))

static int make_file(char *path, size_t size)
{
	char *text = malloc(size);
	int fd = mkstemp(path);

	cr_assert(fd >= 0);
	memset(text, 'x', size);
	cr_assert(write(fd, text, size) == (ssize_t)size);
	free(text);
	return fd;
}

Test(map, any_offset)
{
	char path[] = "/tmp/ktriage-map-XXXXXX";
	int fd = make_file(path, 3 * PAGE);
	struct kt_map m;

	cr_assert(pwrite(fd, "here", 4, (off_t)PAGE + 7) == 4);
	cr_assert(kt_map_open(&m, fd, PAGE + 7, PAGE) == 0);
	cr_assert(m.text.len == PAGE && memcmp(m.text.p, "herexxx", 7) == 0 && !m.torn);
	kt_map_close(&m);
	cr_assert(kt_map_open(&m, -1, 0, 10) == -1);
	close(fd);
	unlink(path);
}

Test(map, what_is_gone_reads_as_zeros)
{
	char path[] = "/tmp/ktriage-map-XXXXXX";
	int fd = make_file(path, 4 * PAGE);
	struct kt_map m;
	size_t zeros = 0;

	cr_assert(kt_map_open(&m, fd, 1, 4 * PAGE - 1) == 0);
	cr_assert(ftruncate(fd, (off_t)PAGE) == 0);
	for (size_t i = 0; i < m.text.len; i++)
		zeros += m.text.p[i] == '\0';
	cr_assert(zeros == 3 * PAGE && m.torn && m.text.p[0] == 'x');
	kt_map_close(&m);
	cr_assert(m.torn);
	close(fd);
	unlink(path);
}

/* The sanitizer has a handler of its own, which reports it. */
#ifdef __SANITIZE_ADDRESS__
#define WATCHED true
#else
#define WATCHED false
#endif

Test(map, other_bus_errors_end_the_program, .signal = SIGBUS, .disabled = WATCHED)
{
	char path[] = "/tmp/ktriage-map-XXXXXX";
	int fd = make_file(path, PAGE);
	struct kt_map m;

	cr_assert(kt_map_open(&m, fd, 0, PAGE) == 0);
	unlink(path);
	raise(SIGBUS);
	raise(SIGBUS);
}
