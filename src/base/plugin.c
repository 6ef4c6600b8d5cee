#include "base/plugin.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "base/banned.h"

struct wanted {
	const char *symbol;
	unsigned abi;
	struct kt_buf *why;
};

/* FOLDER: relative to the program's, with its slash. */
static void beside_program(const char *folder, const char *file, struct kt_buf *out)
{
	char path[KT_BUF_NAME];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	char *slash;

	path[n > 0 ? n : 0] = '\0';
	slash = strrchr(path, '/');
	kt_buf_clear(out);
	if (!slash)
		return;
	slash[1] = '\0';
	kt_buf_fmt(out, "%s%s%s", path, folder, file);
}

static const void *try_path(const struct wanted *w, const char *path)
{
	void *so = strchr(path, '/') ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	const unsigned *table = so ? dlsym(so, w->symbol) : NULL;

	if (table && *table == w->abi)
		return table;
	if (w->why->len)
		kt_buf_str(w->why, "; ");
	if (!so) {
		const char *error = dlerror();
		kt_buf_str(w->why, error ? error : "no path");
	} else {
		kt_buf_fmt(w->why, "%s is of another version", path);
		dlclose(so);
	}
	return NULL;
}

static const void *try_places(const struct wanted *w, const char *file, struct kt_buf *path)
{
	static const char *const folders[] = {
		KT_MODULES_INSTALLED,
#ifdef KT_MODULES_BUILT
		KT_MODULES_BUILT,
#endif
	};
	const void *table;

	beside_program("", file, path);
	table = try_path(w, kt_buf_c(path));
	if (!table) {
		beside_program(KT_MODULES_RELATIVE, file, path);
		table = try_path(w, kt_buf_c(path));
	}
	for (size_t i = 0; i < KT_LEN(folders) && !table; i++) {
		kt_buf_clear(path);
		kt_buf_fmt(path, "%s/%s", folders[i], file);
		table = try_path(w, kt_buf_c(path));
	}
	return table;
}

const void *kt_plugin(struct kt_str path, const char *file, const char *symbol, unsigned abi,
		      struct kt_buf *why)
{
	struct wanted w = {symbol, abi, why};
	struct kt_buf p = KT_BUF(KT_BUF_NAME);
	const void *table;

	if (path.len) {
		kt_buf_add(&p, path);
		table = try_path(&w, kt_buf_c(&p));
	} else {
		table = try_places(&w, file, &p);
	}
	kt_buf_free(&p);
	return table;
}
