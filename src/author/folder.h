/* Names in a folder. */
#ifndef KT_AUTHOR_FOLDER_H
#define KT_AUTHOR_FOLDER_H

#include "base/arena.h"
#include "base/err.h"

struct kt_names {
	struct kt_str *at;
	size_t n, cap;
};

/* Those that are not hidden, sorted by bytes; text in A. Class INPUT. */
KT_MUST_CHECK int kt_folder_list(const char *path, struct kt_arena *a, struct kt_names *out,
				 struct kt_err *err);
void kt_names_free(struct kt_names *names);
bool kt_folder_is(const char *path);

#endif
