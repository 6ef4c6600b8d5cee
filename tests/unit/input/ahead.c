/* A thread that reads ahead changes nothing of what is read. */
#include "input/ahead.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* LEFT bytes of a pattern, then the end or an error. */
struct source {
	struct kt_bytes bytes;
	uint64_t at, left;
	bool fails;
};

static char byte_at(uint64_t at)
{
	return (char)(at * 2654435761u >> 13);
}

static ssize_t read_source(struct kt_bytes *b, char *to, size_t want, struct kt_err *err)
{
	struct source *s = (struct source *)b;
	size_t n = 1 + s->at % 70001;

	n = n < want ? n : want;
	n = n < s->left ? n : (size_t)s->left;
	for (size_t i = 0; i < n; i++)
		to[i] = byte_at(s->at + i);
	s->at += n;
	s->left -= n;
	if (!n && s->fails)
		return kt_err_set(err, KT_ERR_INPUT, "broken");
	return (ssize_t)n;
}

static void read_all(uint64_t size, size_t want, bool fails)
{
	struct source s = {{read_source}, 0, size, fails};
	struct kt_ahead *a = kt_ahead_open(&s.bytes);
	struct kt_bytes *b = kt_ahead_bytes(a);
	struct kt_err err = {0};
	char *to = malloc(want);
	uint64_t at = 0;
	ssize_t n;

	while ((n = b->read(b, to, want, &err)) > 0)
		for (ssize_t i = 0; i < n; i++, at++)
			cr_assert(to[i] == byte_at(at), "byte %llu", (unsigned long long)at);
	cr_assert(at == size && n == (fails ? -1 : 0));
	cr_assert(b->read(b, to, want, &err) == n, "a further call says the same");
	cr_assert(!fails || strcmp(err.text, "broken") == 0);
	kt_ahead_close(a);
	free(to);
}

Test(ahead, gives_the_same_bytes)
{
	static const uint64_t sizes[] = {0, 1, 262143, 262144, 262145, 3000000};
	static const size_t wants[] = {1000, 65536, 1 << 20};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (size_t k = 0; k < sizeof wants / sizeof *wants; k++) {
			read_all(sizes[i], wants[k], false);
			read_all(sizes[i], wants[k], true);
		}
}

Test(ahead, may_be_closed_before_its_end)
{
	for (uint64_t taken = 0; taken < 5; taken++) {
		struct source s = {{read_source}, 0, 50000000, false};
		struct kt_ahead *a = kt_ahead_open(&s.bytes);
		struct kt_err err = {0};
		char to[4096];
		for (uint64_t i = 0; i < taken * 100; i++)
			cr_assert(kt_ahead_bytes(a)->read(kt_ahead_bytes(a), to, sizeof to, &err) > 0);
		kt_ahead_close(a);
		cr_assert(s.at < 5000000, "it goes no further than there is room");
	}
	kt_ahead_close(NULL);
}
