#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/count.h"

static size_t slow(const char *p, size_t n, char c)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		found += p[i] == c;
	return found;
}

static void check(const char *p, size_t n, char c)
{
	size_t want = slow(p, n, c);

	cr_assert(kt_count_byte(p, n, c) == want, "%zu bytes", n);
	cr_assert(kt_count_byte_portable(p, n, c) == want, "%zu bytes", n);
}

/* The text ends where the memory does. */
Test(count, every_length_and_alignment)
{
	for (size_t n = 0; n < 600; n++) {
		char *p = kt_alloc(n + 1);
		for (size_t i = 0; i <= n; i++)
			p[i] = (char)(i * 7 % 5 ? 'x' : '\n');
		for (size_t at = 0; at < 40 && at <= n; at++)
			check(p + at, n + 1 - at, '\n');
		kt_free(p);
	}
}

/* More than 255 in one lane: the lanes of eight bits must be emptied in time. */
Test(count, nothing_but_it_for_long)
{
	size_t n = (1 << 17) + 77;
	char *p = kt_alloc(n);

	memset(p, 0xff, n);
	check(p, n, (char)0xff);
	check(p, n, 0);
	for (size_t i = 0; i < n; i += 32)
		p[i] = '\n';
	check(p, n, '\n');
	kt_free(p);
}

Test(count, of_nothing)
{
	cr_assert(kt_count_byte(NULL, 0, '\n') == 0 && kt_count_byte_portable(NULL, 0, '\n') == 0);
}
