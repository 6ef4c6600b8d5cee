/* What Tab offers. */
#include <dirent.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "term/escape.h"
#include "term/lineedit.h"

#include "base/banned.h"

void kt_edit_offer(struct kt_edit_words *out, struct kt_str word)
{
	if (kt_str_starts(word, out->typed) && kt_escape_clean(word))
		KT_PUSH(out->list, out->n, out->cap) = kt_arena_str(&out->arena, word);
}

/* "a/b/c" is folder "a/b/" and start "c". */
static size_t folder_len(struct kt_str path)
{
	size_t n = path.len;

	while (n && path.p[n - 1] != '/')
		n--;
	return n;
}

static void offer_file(struct kt_edit_words *out, struct kt_str folder, const char *name)
{
	struct kt_str start = kt_str_from(out->typed, folder.len);

	/* Hidden files only when asked for. */
	if (name[0] == '.' && !(start.len && start.p[0] == '.'))
		return;
	kt_edit_offer(out, kt_arena_fmt(&out->arena, KT_FMT "%s", KT_ARG(folder), name));
}

void kt_edit_offer_files(struct kt_edit_words *out)
{
	struct kt_str folder = kt_str_sub(out->typed, 0, folder_len(out->typed));
	struct kt_str path = folder.len ? kt_arena_str(&out->arena, folder) : KT_S(".");
	const char *home = getenv("HOME");

	if (home && kt_str_starts(folder, KT_S("~/")))
		path = kt_arena_fmt(&out->arena, "%s" KT_FMT, home, KT_ARG(kt_str_from(folder, 1)));
	DIR *d = opendir(path.p);

	out->files = true;
	if (!d)
		return;
	for (struct dirent *f; (f = readdir(d));)
		offer_file(out, folder, f->d_name);
	closedir(d);
}
