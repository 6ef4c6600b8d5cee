#include "kusto/module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"

#include "base/banned.h"

#define FILE_NAME "ktriage-http.so"

/* FOLDER: relative to the program's, with its slash. */
static void beside_program(const char *folder, struct kt_buf *out)
{
	char path[KT_BUF_NAME];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	char *slash;

	path[n > 0 ? n : 0] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return;
	slash[1] = '\0';
	kt_buf_fmt(out, "%s%s" FILE_NAME, path, folder);
}

static const struct kt_http_ops *try_path(const char *path, struct kt_buf *why)
{
	void *so = *path == '/' || strchr(path, '/') ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	const struct kt_http_ops *ops = so ? dlsym(so, KT_HTTP_SYMBOL) : NULL;

	if (ops && ops->abi == KT_HTTP_ABI)
		return ops;
	if (why->len)
		kt_buf_str(why, "; ");
	if (!so) {
		const char *error = dlerror();
		kt_buf_str(why, error ? error : "no path");
	} else {
		kt_buf_fmt(why, "%s is of another version", path);
		dlclose(so);
	}
	return NULL;
}

const struct kt_http_ops *kt_module_load(struct kt_str path, struct kt_err *err)
{
	struct kt_buf p = KT_BUF(KT_BUF_NAME), why = KT_BUF(2048);
	const struct kt_http_ops *ops;

	if (path.len)
		kt_buf_add(&p, path);
	else
		beside_program("", &p);
	ops = try_path(kt_buf_c(&p), &why);
	if (!ops && !path.len) {
		kt_buf_clear(&p);
		beside_program(KT_MODULES_RELATIVE, &p);
		ops = try_path(kt_buf_c(&p), &why);
	}
	if (!ops && !path.len)
		ops = try_path(KT_MODULES_INSTALLED "/" FILE_NAME, &why);
	if (!ops)
		kt_err_set(err, KT_ERR_INTERNAL, "the HTTP module cannot be loaded: %s", kt_buf_c(&why));
	kt_buf_free(&p);
	kt_buf_free(&why);
	return ops;
}
