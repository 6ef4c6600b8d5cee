/* Gives a fuzz target the files of a folder without a fuzzer: each as it is, cut
 * at several places, and changed in a few ways that depend on its bytes alone. */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"

#define CUTS    16
#define CHANGES 48
#define LONGEST (16u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned long runs;

/* On a copy of exactly that size: a sanitizer sees a read behind it. */
static void run(const char *p, size_t n)
{
	uint8_t *copy = kt_alloc(n ? n : 1);

	if (n)
		memcpy(copy, p, n);
	LLVMFuzzerTestOneInput(copy, n);
	kt_free(copy);
	runs++;
}

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* A byte set, a piece removed, or a piece doubled. */
static size_t change(char *p, size_t n, size_t room, uint64_t *state)
{
	size_t at = (size_t)(next(state) % n), len = (size_t)(next(state) % 9) + 1;

	if (len > n - at)
		len = n - at;
	switch (next(state) % 3) {
	case 0: p[at] = (char)next(state); return n;
	case 1: memmove(p + at, p + at + len, n - at - len); return n - len;
	default:
		if (n + len > room)
			return n;
		memmove(p + at + len, p + at, n - at);
		return n + len;
	}
}

static void replay(struct kt_str text)
{
	uint64_t state = kt_str_hash(text, KT_HASH_SEED) | 1;
	size_t room = text.len + 64;
	char *p = kt_alloc(room);

	run(text.p, text.len);
	for (unsigned i = 0; i < CUTS; i++)
		run(text.p, text.len * i / CUTS);
	for (unsigned i = 0; i < CHANGES && text.len; i++) {
		size_t n = text.len;
		memcpy(p, text.p, n);
		for (unsigned k = 0; k <= i / 8 && n; k++)
			n = change(p, n, room, &state);
		run(p, n);
	}
	kt_free(p);
}

static int visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

int main(int argc, char **argv)
{
	struct dirent **names = NULL;
	struct kt_buf path = KT_BUF(KT_BUF_NAME), text = KT_BUF(LONGEST);
	struct kt_err err = {0};
	int n = argc == 2 ? scandir(argv[1], &names, visible, alphasort) : -1;
	int rc = n > 0 ? 0 : 1;

	if (n <= 0)
		fprintf(stderr, "usage: %s FOLDER (with files in it)\n", argv[0]);
	for (int i = 0; i < n; i++) {
		kt_buf_clear(&path);
		kt_buf_clear(&text);
		kt_buf_fmt(&path, "%s/%s", argv[1], names[i]->d_name);
		if (rc == 0 && kt_file_read(kt_buf_c(&path), &text, &err) == 0)
			replay(kt_buf_view(&text));
		else
			rc = 1;
		free(names[i]);
	}
	free(names);
	if (err.text[0])
		fprintf(stderr, "%s\n", err.text);
	printf("%lu runs of %d files\n", runs, n);
	kt_buf_free(&path);
	kt_buf_free(&text);
	return rc;
}
