/* A pass over a file that counts its lines: what the speed of memory is here.
 *
 *     bench_lines FILE
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/banned.h"

#define WINDOW ((off_t)(16 << 20))

static uint64_t lines_of(const char *p, size_t n)
{
	uint64_t lines = 0;

	for (const char *end = p + n, *at; (at = memchr(p, '\n', (size_t)(end - p))); p = at + 1)
		lines++;
	return lines;
}

int main(int argc, char **argv)
{
	struct stat st;
	uint64_t lines = 0;
	int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;

	if (fd < 0 || fstat(fd, &st) != 0) {
		perror("bench_lines");
		return 1;
	}
	for (off_t at = 0; at < st.st_size; at += WINDOW) {
		size_t n = (size_t)(st.st_size - at < WINDOW ? st.st_size - at : WINDOW);
		char *p = mmap(NULL, n, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, at);
		if (p == MAP_FAILED) {
			perror("bench_lines");
			return 1;
		}
		lines += lines_of(p, n);
		munmap(p, n);
	}
	printf("%" PRIu64 "\n", lines);
	return 0;
}
