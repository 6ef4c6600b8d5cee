/* Replays saved inputs through a fuzz target, without a fuzzer. Each is copied into
 * memory of its own length, so that the sanitizers see a step over its end. */
#include <dirent.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/file.h"

#define INPUT_MAX (16u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
	struct kt_buf text = KT_BUF(INPUT_MAX);
	struct kt_err err = {0};
	int rc = kt_file_read(path, &text, &err);

	if (rc < 0) {
		fprintf(stderr, "%s\n", err.text);
	} else {
		uint8_t *copy = kt_alloc_n(text.len ? text.len : 1, 1);
		for (size_t i = 0; i < text.len; i++)
			copy[i] = (uint8_t)text.p[i];
		LLVMFuzzerTestOneInput(copy, text.len);
		kt_free(copy);
	}
	kt_buf_free(&text);
	return rc;
}

static int replay_folder(const char *folder, unsigned *n)
{
	DIR *dir = opendir(folder);
	const struct dirent *e;
	struct kt_buf path = KT_BUF(KT_BUF_NAME);
	int rc = 0;

	if (!dir) {
		fprintf(stderr, "%s: no saved inputs\n", folder);
		return -1;
	}
	while (rc == 0 && (e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		kt_buf_clear(&path);
		kt_buf_fmt(&path, "%s/%s", folder, e->d_name);
		rc = replay(kt_buf_c(&path));
		(*n)++;
	}
	closedir(dir);
	kt_buf_free(&path);
	return rc;
}

int main(int argc, char **argv)
{
	unsigned n = 0;

	if (argc != 2 || replay_folder(argv[1], &n) < 0)
		return 1;
	printf("%u inputs\n", n);
	return n ? 0 : 1;
}
