#include "kusto/token.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

#include "base/banned.h"

void kt_token_drop(struct kt_token *t)
{
	if (t->p)
		explicit_bzero(t->p, KT_TOKEN_MAX + 1);
	kt_free(t->p);
	*t = (struct kt_token){0};
}

static void make_room(struct kt_token *t)
{
	t->p = kt_alloc(KT_TOKEN_MAX + 1);
	t->len = 0;
}

int kt_token_clean(struct kt_token *t, const char *source, struct kt_err *err)
{
	struct kt_str s = kt_str_trim((struct kt_str){t->p, t->len});

	if (s.len > 7 && kt_str_ieq(kt_str_sub(s, 0, 7), KT_S("Bearer ")))
		s = kt_str_trim(kt_str_from(s, 7));
	if (!s.len)
		return kt_err_set(err, KT_ERR_USAGE, "%s: there is no token in it", source);
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] <= ' ' || s.p[i] >= 0x7f)
			return kt_err_set(err, KT_ERR_USAGE, "%s: it holds something else than one token",
					  source);
	memmove(t->p, s.p, s.len);
	explicit_bzero(t->p + s.len, KT_TOKEN_MAX + 1 - s.len);
	t->len = s.len;
	return 0;
}

static int from_env(struct kt_token *t, struct kt_err *err)
{
	const char *value = getenv(KT_TOKEN_ENV);
	size_t len = value ? strlen(value) : 0;

	if (len > KT_TOKEN_MAX)
		return kt_err_set(err, KT_ERR_USAGE, KT_TOKEN_ENV ": longer than a token can be");
	if (len)
		memcpy(t->p, value, len);
	t->len = len;
	return kt_token_clean(t, KT_TOKEN_ENV, err);
}

/* Reads to the end, or to the end of the line: the rest of stdin may be a log. */
static int read_fd(int fd, bool line, struct kt_token *t, const char *source, struct kt_err *err)
{
	ssize_t n = 1;

	while (t->len < KT_TOKEN_MAX && n > 0) {
		n = kt_read(fd, t->p + t->len, line ? 1 : KT_TOKEN_MAX - t->len);
		if (n < 0)
			return kt_err_set(err, KT_ERR_USAGE, "%s: cannot be read: %s", source,
					  strerror(errno));
		t->len += (size_t)n;
		if (line && n && t->p[t->len - 1] == '\n')
			break;
	}
	if (t->len == KT_TOKEN_MAX)
		return kt_err_set(err, KT_ERR_USAGE, "%s: longer than a token can be", source);
	return kt_token_clean(t, source, err);
}

static int check_file(int fd, const char *path, struct kt_err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return kt_err_set(err, KT_ERR_USAGE, "%s: a token is kept in a regular file", path);
	if (st.st_mode & 077)
		return kt_err_set(err, KT_ERR_USAGE, "%s: others may read it (mode %03o); chmod 600 it", path,
				  (unsigned)(st.st_mode & 0777));
	return 0;
}

static int from_file(struct kt_str path, struct kt_token *t, struct kt_err *err)
{
	char *name = kt_strdup(path);
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int rc = -1;

	if (fd < 0)
		kt_err_set(err, KT_ERR_USAGE, "%s: %s", name, strerror(errno));
	else if (check_file(fd, name, err) == 0)
		rc = read_fd(fd, false, t, name, err);
	if (fd >= 0)
		close(fd);
	kt_free(name);
	return rc;
}

int kt_token_get(const struct kt_auth *auth, struct kt_str resource, const struct kt_cancel *cancel,
		 struct kt_token *out, struct kt_err *err)
{
	int rc = -1;

	make_room(out);
	switch (auth->method) {
	case KT_AUTH_ENV: rc = from_env(out, err); break;
	case KT_AUTH_FILE: rc = from_file(auth->path, out, err); break;
	case KT_AUTH_STDIN: rc = read_fd(STDIN_FILENO, true, out, "stdin", err); break;
	case KT_AUTH_AZ: rc = kt_token_az(resource, cancel, out, err); break;
	default: rc = kt_err_set(err, KT_ERR_INTERNAL, "no token is wanted"); break;
	}
	if (rc < 0)
		kt_token_drop(out);
	return rc;
}

int kt_auth_parse(struct kt_str text, struct kt_auth *out, struct kt_err *err)
{
	static const struct kt_str words[] = {
#define X(id, word) {word, sizeof word - 1},
		KT_AUTHS(X)
#undef X
	};
	size_t colon = kt_str_chr(text, ':', 0);
	struct kt_str word = kt_str_sub(text, 0, colon);

	*out = (struct kt_auth){.method = KT_AUTH_DEFAULT};
	for (size_t i = 0; i < KT_LEN(words); i++) {
		if (!kt_str_eq(word, words[i]))
			continue;
		out->method = (enum kt_auth_method)i;
		out->path = colon == KT_NPOS ? KT_NONE : kt_str_from(text, colon + 1);
		if ((out->method == KT_AUTH_FILE) == (out->path.len > 0))
			return 0;
		return kt_err_set(err, KT_ERR_USAGE,
				  out->method == KT_AUTH_FILE ? "write file:PATH"
							      : "only file: takes a path");
	}
	struct kt_str near = kt_str_nearest(word, words, KT_LEN(words));
	return kt_err_set(err, KT_ERR_USAGE,
			  "no way to sign in '" KT_FMT "'; %s" KT_FMT "%s"
			  "there are default, none, env, file:PATH, stdin and az",
			  KT_ARG(kt_str_sub(word, 0, 40)), near.len ? "did you mean '" : "", KT_ARG(near),
			  near.len ? "'? " : "");
}
