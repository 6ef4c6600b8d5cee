#include "author/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"

#include "base/banned.h"

static int by_bytes(const void *a, const void *b)
{
	return kt_str_cmp(*(const struct kt_str *)a, *(const struct kt_str *)b);
}

int kt_folder_list(const char *path, struct kt_arena *a, struct kt_names *out, struct kt_err *err)
{
	DIR *dir = opendir(path);
	const struct dirent *e;

	*out = (struct kt_names){0};
	if (!dir)
		return kt_err_set(err, KT_ERR_INPUT, "%s: %s", path, strerror(errno));
	while ((e = readdir(dir)))
		if (e->d_name[0] != '.')
			KT_PUSH(out->at, out->n, out->cap) = kt_arena_str(a, kt_str_c(e->d_name));
	closedir(dir);
	if (out->n)
		qsort(out->at, out->n, sizeof *out->at, by_bytes);
	return 0;
}

void kt_names_free(struct kt_names *names)
{
	kt_free(names->at);
	*names = (struct kt_names){0};
}

bool kt_folder_is(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}
