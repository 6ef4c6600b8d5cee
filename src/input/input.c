#include "input/input.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "input/order.h"
#include "input/reader.h"

#include "base/banned.h"

struct identity {
	dev_t dev;
	ino_t ino;
	bool used;
};

/* A walk through a folder and its folders. */
struct walk {
	struct kt_inputs *in;
	kt_record_fn fn;
	void *ctx;
	struct kt_buf path;    /* of the place at hand */
	struct identity *seen; /* open addressing, power of two */
	size_t n_seen, cap_seen;
	uint32_t n;     /* files, folders and what cannot be opened */
	uint32_t files; /* regular ones */
	bool full;      /* the limit was met and said */
	bool cut;       /* stopped before its end */
};

static struct identity *slot_of(const struct walk *w, const struct stat *st)
{
	uint64_t both[] = {st->st_dev, st->st_ino};
	size_t i = kt_str_hash((struct kt_str){(const char *)both, sizeof both}, KT_HASH_SEED);

	while (w->seen[i & (w->cap_seen - 1)].used && (w->seen[i & (w->cap_seen - 1)].dev != st->st_dev ||
						       w->seen[i & (w->cap_seen - 1)].ino != st->st_ino))
		i++;
	return &w->seen[i & (w->cap_seen - 1)];
}

static void make_room(struct walk *w)
{
	struct identity *old = w->seen;
	size_t cap = w->cap_seen;

	w->cap_seen = cap ? cap * 2 : 256;
	w->seen = kt_alloc_n(w->cap_seen, sizeof *w->seen);
	for (size_t i = 0; i < cap; i++)
		if (old[i].used)
			*slot_of(w, &(struct stat){.st_dev = old[i].dev, .st_ino = old[i].ino}) = old[i];
	kt_free(old);
}

static bool seen_before(struct walk *w, const struct stat *st)
{
	if (w->n_seen * 2 >= w->cap_seen)
		make_room(w);
	struct identity *slot = slot_of(w, st);
	if (slot->used)
		return true;
	*slot = (struct identity){st->st_dev, st->st_ino, true};
	w->n_seen++;
	return false;
}

static int visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

static int walk_folder(struct walk *w, uint32_t depth);

static int take_file(struct kt_inputs *in, const char *path, kt_record_fn fn, void *ctx)
{
	return in->file ? in->file(ctx, path) : kt_read_file(in, path, fn, ctx);
}

/* False: enough was read of this folder, and that was said. */
static bool count(struct walk *w)
{
	if (w->n++ < w->in->limits.max_files)
		return true;
	if (!w->full)
		kt_read_refuse(
			w->in, kt_buf_view(&w->path),
			"not read, as are all behind it: the folder holds more than %u files and folders",
			w->in->limits.max_files);
	w->full = true;
	return false;
}

static int walk_entry(struct walk *w, uint32_t depth)
{
	struct stat st;

	if (stat(kt_buf_c(&w->path), &st) < 0) {
		int why = errno;
		if (count(w))
			kt_read_refuse(w->in, kt_buf_view(&w->path), "cannot be opened: %s", strerror(why));
		return 0;
	}
	if ((!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode)) || seen_before(w, &st) || !count(w))
		return 0;
	if (S_ISDIR(st.st_mode))
		return walk_folder(w, depth + 1);
	w->files++;
	return take_file(w->in, kt_buf_c(&w->path), w->fn, w->ctx);
}

/* By RC or ^C, before what comes next; or there is enough. */
static bool stopped(struct walk *w, int rc)
{
	w->cut |= rc || (w->in->stop && *w->in->stop);
	return w->full || w->cut;
}

static int walk_names(struct walk *w, const struct kt_str *names, size_t n, uint32_t depth)
{
	size_t len = w->path.len;
	int rc = 0;

	for (size_t i = 0; i < n && !stopped(w, rc); i++) {
		if (!kt_str_ends(kt_buf_view(&w->path), KT_S("/")))
			kt_buf_char(&w->path, '/');
		kt_buf_add(&w->path, names[i]);
		if (!w->path.full)
			rc = walk_entry(w, depth);
		else
			kt_read_refuse(w->in, kt_buf_view(&w->path), "a path in it is too long");
		kt_buf_cut(&w->path, len);
		w->path.full = false;
	}
	return rc;
}

static int walk_found(struct walk *w, struct dirent **found, size_t n, uint32_t depth)
{
	struct kt_str *names = kt_alloc_n(n + 1, sizeof *names);

	for (size_t i = 0; i < n; i++)
		names[i] = kt_str_c(found[i]->d_name);
	kt_order_names(names, n);
	int rc = walk_names(w, names, n, depth);
	kt_free(names);
	return rc;
}

static int walk_folder(struct walk *w, uint32_t depth)
{
	struct dirent **found = NULL;

	if (depth > w->in->limits.max_depth) {
		kt_read_refuse(w->in, kt_buf_view(&w->path), "not read: folders in folders deeper than %u",
			       w->in->limits.max_depth);
		return 0;
	}
	int n = scandir(kt_buf_c(&w->path), &found, visible, NULL);
	if (n < 0) {
		kt_read_refuse(w->in, kt_buf_view(&w->path), "cannot be listed: %s", strerror(errno));
		return 0;
	}
	int rc = walk_found(w, found, (size_t)n, depth);
	for (int i = 0; i < n; i++)
		free(found[i]); /* scandir's, not ours */
	free(found);
	return rc;
}

static int walk(struct kt_inputs *in, const char *path, const struct stat *st, kt_record_fn fn, void *ctx)
{
	struct walk w = {.in = in, .fn = fn, .ctx = ctx, .path = KT_BUF(KT_BUF_NAME)};
	size_t before = in->n;

	kt_buf_str(&w.path, path);
	seen_before(&w, st);
	int rc = walk_folder(&w, 0);
	if (w.cut && !in->file)
		kt_inputs_stopped(in, path);
	else if (in->n == before && !w.files && !w.cut)
		kt_read_refuse(in, kt_str_c(path), "a folder without files");
	kt_free(w.seen);
	kt_buf_free(&w.path);
	return rc;
}

int kt_inputs_path(struct kt_inputs *in, const char *path, kt_record_fn fn, void *ctx)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return walk(in, path, &st, fn, ctx);
	return take_file(in, path, fn, ctx);
}

int kt_inputs_fd(struct kt_inputs *in, int fd, struct kt_str name, kt_record_fn fn, void *ctx)
{
	struct kt_bytes_fd b;

	return kt_read_bytes(in, name, kt_bytes_of_fd(&b, fd, in->stop), fn, ctx);
}

int kt_inputs_text(struct kt_inputs *in, struct kt_str text, struct kt_str name, kt_record_fn fn, void *ctx)
{
	struct kt_bytes_text b;

	return kt_read_bytes(in, name, kt_bytes_of_text(&b, text), fn, ctx);
}

void kt_inputs_stopped(struct kt_inputs *in, const char *folder)
{
	kt_read_refuse(in, kt_str_c(folder), "reading was stopped: not all of its files were read");
}

void kt_inputs_free(struct kt_inputs *in)
{
	kt_free(in->list);
	kt_arena_free(&in->arena);
	in->list = NULL;
	in->n = in->cap = 0;
}
