#include "rules/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "rules/hash.h"

#include "base/banned.h"

static const char *const data_files[] = {"guard.tsv", "headers.tsv", "trusted.tsv"};

struct names {
	struct kt_str *at;
	size_t n, cap;
};

static int by_name(const void *a, const void *b)
{
	return kt_str_cmp(*(const struct kt_str *)a, *(const struct kt_str *)b);
}

/* Names in a folder that end with SUFFIX and are not hidden, sorted: all or an error. */
static int list(const char *path, struct kt_str suffix, struct kt_arena *a, struct names *out,
		struct kt_err *err)
{
	DIR *dir = opendir(path);
	const struct dirent *e;

	*out = (struct names){0};
	if (!dir)
		return kt_err_set(err, KT_ERR_INPUT, "%s: %s", path, strerror(errno));
	for (errno = 0; (e = readdir(dir)) && out->n <= KT_RULES_FILES_MAX; errno = 0) {
		struct kt_str name = kt_str_c(e->d_name);
		if (name.p[0] != '.' && kt_str_ends(name, suffix))
			KT_PUSH(out->at, out->n, out->cap) = kt_arena_str(a, name);
	}
	int why = e ? 0 : errno;
	closedir(dir);
	if (why)
		return kt_err_set(err, KT_ERR_INPUT, "%s: %s", path, strerror(why));
	if (out->n > KT_RULES_FILES_MAX)
		return kt_err_set(err, KT_ERR_LIMIT, "%s: more than %d files", path, KT_RULES_FILES_MAX);
	if (out->n)
		qsort(out->at, out->n, sizeof *out->at, by_name);
	return 0;
}

struct collector {
	struct kt_arena *a;
	const char *dir;
	struct kt_source *at;
	size_t n, cap;
	struct kt_err *err;
};

static void add(struct collector *c, struct kt_str path, struct kt_str name, struct kt_str text)
{
	KT_PUSH(c->at, c->n, c->cap) = (struct kt_source){
		.path = path, .name = name, .text = text, .order = (uint32_t)c->n};
}

/* Straight into the arena: reading all files is most of the time of opening an image. */
static int read_fd(struct collector *c, int fd, struct kt_str path, struct kt_str name)
{
	struct stat st;
	ssize_t n = 1;
	size_t have = 0;

	if (fstat(fd, &st) < 0)
		return kt_err_set(c->err, KT_ERR_INPUT, KT_FMT ": %s", KT_ARG(path), strerror(errno));
	if (!S_ISREG(st.st_mode))
		return kt_err_set(c->err, KT_ERR_INPUT, KT_FMT ": is no file", KT_ARG(path));
	if (st.st_size < 0 || st.st_size > KT_YAML_MAX)
		return kt_err_set(c->err, KT_ERR_LIMIT, KT_FMT ": longer than %u bytes", KT_ARG(path),
				  KT_YAML_MAX);
	size_t want = (size_t)st.st_size;
	char *text = kt_arena_alloc(c->a, want + 1);
	while (have < want && (n = kt_read(fd, text + have, want - have)) > 0)
		have += (size_t)n;
	if (n < 0)
		return kt_err_set(c->err, KT_ERR_INPUT, KT_FMT ": cannot be read: %s", KT_ARG(path),
				  strerror(errno));
	add(c, path, name, (struct kt_str){text, have});
	return 0;
}

static int read_one(struct collector *c, struct kt_str name)
{
	struct kt_str path = kt_arena_fmt(c->a, "%s/" KT_FMT, c->dir, KT_ARG(name));
	int fd = open(path.p, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return kt_err_set(c->err, KT_ERR_INPUT, KT_FMT ": %s", KT_ARG(path), strerror(errno));
	int rc = read_fd(c, fd, path, name);
	close(fd);
	return rc;
}

/* One that is not there is fine; one that cannot be read is not. */
static int read_data(struct collector *c)
{
	for (size_t i = 0; i < KT_LEN(data_files); i++) {
		struct kt_str path = kt_arena_fmt(c->a, "%s/%s", c->dir, data_files[i]);
		if (access(path.p, F_OK) < 0 && errno == ENOENT)
			continue;
		if (read_one(c, kt_str_c(data_files[i])) < 0)
			return -1;
	}
	return 0;
}

/* A file in place of a pack's folder is somebody's note: skipped. */
static int read_pack(struct collector *c, struct kt_str pack)
{
	struct kt_str path = kt_arena_fmt(c->a, "%s/packs/" KT_FMT, c->dir, KT_ARG(pack));
	struct names files = {0};
	struct stat st;

	if (stat(path.p, &st) == 0 && !S_ISDIR(st.st_mode))
		return 0;
	int rc = list(path.p, KT_S(".yaml"), c->a, &files, c->err);
	for (size_t i = 0; i < files.n && rc == 0; i++)
		rc = read_one(
			c, kt_arena_fmt(c->a, "packs/" KT_FMT "/" KT_FMT, KT_ARG(pack), KT_ARG(files.at[i])));
	kt_free(files.at);
	return rc;
}

/* While the program is being developed its version stays and its regex analysis does
 * not: an image counts for the very same program file only. */
static uint64_t program_key(void)
{
	uint64_t key = kt_rules_layout();
#ifdef KT_FAULTS
	struct stat st;
	if (stat("/proc/self/exe", &st) == 0) {
		int64_t file[] = {st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec};
		key = kt_rules_hash((struct kt_str){(const char *)file, sizeof file}, key);
	}
#endif
	return key;
}

static uint64_t key_of(const struct kt_source *at, size_t n)
{
	uint64_t key = program_key();

	for (size_t i = 0; i < n; i++) {
		key = kt_rules_hash(at[i].name, key);
		key = kt_rules_hash(at[i].text, key);
	}
	return key;
}

static void finish(struct collector *c, struct kt_rule_files *out)
{
	out->n = c->n;
	out->at = KT_NEW_N(c->a, struct kt_source, c->n + 1);
	if (c->n)
		memcpy(out->at, c->at, c->n * sizeof *c->at);
	out->key = key_of(out->at, out->n);
	kt_free(c->at);
}

int kt_rule_files_read(const char *dir, struct kt_arena *a, struct kt_rule_files *out, struct kt_err *err)
{
	struct collector c = {.a = a, .dir = dir, .err = err};
	struct kt_str packs_dir = kt_arena_fmt(a, "%s/packs", dir);
	struct names packs;
	int rc = list(packs_dir.p, KT_NONE, a, &packs, err);

	if (rc == 0)
		rc = read_data(&c);
	size_t n_data = c.n;
	for (size_t i = 0; i < packs.n && rc == 0; i++)
		rc = read_pack(&c, packs.at[i]);
	if (rc == 0 && c.n == n_data)
		rc = kt_err_set(err, KT_ERR_INPUT, "%s: no rule files (packs/<pack>/<name>.yaml)", dir);
	kt_free(packs.at);
	finish(&c, out);
	return rc;
}

void kt_rule_files_of(const struct kt_rules_text *texts, size_t n, struct kt_arena *a,
		      struct kt_rule_files *out)
{
	struct collector c = {.a = a};

	for (size_t i = 0; i < n; i++) {
		struct kt_str name = kt_arena_str(a, texts[i].name);
		add(&c, name, name, kt_arena_str(a, texts[i].text));
	}
	finish(&c, out);
}

bool kt_source_is_data(const struct kt_source *src)
{
	for (size_t i = 0; i < KT_LEN(data_files); i++)
		if (kt_str_eq_c(src->name, data_files[i]))
			return true;
	return false;
}

bool kt_source_is_head(const struct kt_source *src)
{
	return kt_str_ends(src->name, KT_S("/pack.yaml"));
}

struct kt_str kt_source_pack(const struct kt_source *src)
{
	struct kt_str rest = src->name, piece;

	if (!kt_str_cut(&rest, '/', &piece)) /* packs */
		return KT_NONE;
	return kt_str_cut(&rest, '/', &piece) ? piece : KT_NONE;
}

uint64_t kt_rules_layout(void)
{
	static const uint64_t sizes[] = {
#define X(name, type) sizeof(type),
		KT_TABLES(X)
#undef X
	};
	uint64_t h = kt_rules_hash(KT_S(KT_VERSION), KT_HASH_SEED);

	return kt_rules_hash((struct kt_str){(const char *)sizes, sizeof sizes}, h);
}
