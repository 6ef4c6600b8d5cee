#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

#include "base/banned.h"

#define READ_SIZE 65536

static int read_fd(int fd, const char *path, struct kt_buf *out, struct kt_err *err)
{
	char *chunk = kt_alloc(READ_SIZE);
	ssize_t n;
	int rc = 0;

	while ((n = kt_read(fd, chunk, READ_SIZE)) > 0 && !out->full)
		kt_buf_add(out, (struct kt_str){chunk, (size_t)n});
	if (n < 0)
		rc = kt_err_set(err, KT_ERR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
	else if (out->full)
		rc = kt_err_set(err, KT_ERR_LIMIT, "%s: longer than %zu bytes", path, out->max);
	kt_free(chunk);
	return rc;
}

int kt_file_read(const char *path, struct kt_buf *out, struct kt_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	int rc;

	if (fd < 0)
		return kt_err_set(err, KT_ERR_INPUT, "%s: %s", path, strerror(errno));
	/* A pipe would make us wait, a device never end. */
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		rc = kt_err_set(err, KT_ERR_INPUT, "%s: is no file", path);
	else
		rc = read_fd(fd, path, out, err);
	close(fd);
	return rc;
}

static int write_fd(int fd, const char *path, struct kt_str text, struct kt_err *err)
{
	int rc = kt_write_all(fd, text.p, text.len);

	if (rc == 0)
		rc = fsync(fd);
	int why = errno;
	if (close(fd) < 0 && rc == 0) {
		rc = -1;
		why = errno;
	}
	if (rc < 0)
		return kt_err_set(err, KT_ERR_OUTPUT, "%s: cannot be written: %s", path, strerror(why));
	return 0;
}

int kt_file_replace(const char *path, struct kt_str text, struct kt_err *err)
{
	struct kt_buf temp = KT_BUF(KT_BUF_NAME);
	int rc = -1;

	kt_buf_fmt(&temp, "%s.XXXXXX", path);
	int fd = temp.full ? -1 : mkstemp(temp.p); /* mkstemp makes it 0600 */
	if (fd < 0) {
		kt_err_set(err, KT_ERR_OUTPUT, "%s: cannot be written: %s", path, strerror(errno));
		goto out;
	}
	rc = write_fd(fd, path, text, err);
	if (rc == 0 && rename(temp.p, path) < 0)
		rc = kt_err_set(err, KT_ERR_OUTPUT, "%s: cannot be replaced: %s", path, strerror(errno));
	if (rc < 0)
		unlink(temp.p);
out:
	kt_buf_free(&temp);
	return rc;
}

/* mkdir -p, 0700. */
static int make_dirs(char *path)
{
	for (char *p = path + 1;; p++) {
		char c = *p;
		if (c != '/' && c != '\0')
			continue;
		*p = '\0';
		int rc = mkdir(path, 0700);
		*p = c;
		if (rc < 0 && errno != EEXIST)
			return -1;
		if (!c)
			return 0;
	}
}

int kt_file_xdg(const char *var, const char *home_part, struct kt_buf *out, struct kt_err *err)
{
	const char *base = getenv(var);
	const char *home = getenv("HOME");
	size_t at = out->len;

	if (base && base[0] == '/')
		kt_buf_fmt(out, "%s/ktriage", base);
	else if (home && home[0] == '/')
		kt_buf_fmt(out, "%s/%s/ktriage", home, home_part);
	else
		return kt_err_set(err, KT_ERR_OUTPUT, "neither %s nor HOME names a folder", var);
	if (out->full || make_dirs(out->p + at) < 0)
		return kt_err_set(err, KT_ERR_OUTPUT, "%s: cannot be made: %s", kt_buf_c(out) + at,
				  strerror(errno));
	return 0;
}
