#include "unpack_make.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <zstd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/utf8.h"

/* ---- packing ---- */

/* libarchive's writer needs to know what the bytes of names mean; its readers must not. */
static locale_t utf8, locale_before;

static la_ssize_t add(struct archive *a, void *ctx, const void *p, size_t n)
{
	(void)a;
	kt_buf_add(ctx, (struct kt_str){p, n});
	return (la_ssize_t)n;
}

void make_begin(struct make *m, int format, int filter, struct kt_buf *out)
{
	utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	locale_before = uselocale(utf8);
	*m = (struct make){archive_write_new(), out};
	cr_assert(archive_write_set_format(m->a, format) == ARCHIVE_OK, "%s", archive_error_string(m->a));
	cr_assert(archive_write_add_filter(m->a, filter) == ARCHIVE_OK, "%s", archive_error_string(m->a));
	archive_write_set_bytes_per_block(m->a, 0);
	cr_assert(archive_write_open(m->a, out, NULL, add, NULL) == ARCHIVE_OK, "%s",
		  archive_error_string(m->a));
}

static void put(struct make *m, struct archive_entry *e, struct kt_str text)
{
	archive_entry_set_perm(e, 0644);
	archive_entry_set_mtime(e, 1792034107, 0);
	int rc = archive_write_header(m->a, e);
	cr_assert(rc == ARCHIVE_OK || rc == ARCHIVE_WARN, "%s", archive_error_string(m->a));
	if (text.len)
		cr_assert(archive_write_data(m->a, text.p, text.len) == (la_ssize_t)text.len, "%s",
			  archive_error_string(m->a));
	archive_entry_free(e);
}

void make_file(struct make *m, const char *name, struct kt_str text)
{
	struct archive_entry *e = archive_entry_new();

	archive_entry_copy_pathname(e, name);
	archive_entry_set_filetype(e, AE_IFREG);
	archive_entry_set_size(e, (la_int64_t)text.len);
	put(m, e, text);
}

void make_other(struct make *m, const char *name, unsigned type, const char *link)
{
	struct archive_entry *e = archive_entry_new();

	archive_entry_copy_pathname(e, name);
	archive_entry_set_filetype(e, type);
	archive_entry_set_size(e, 0);
	if (type == AE_IFLNK)
		archive_entry_copy_symlink(e, link);
	else if (link)
		archive_entry_copy_hardlink(e, link);
	put(m, e, KT_NONE);
}

void make_end(struct make *m)
{
	cr_assert(archive_write_close(m->a) == ARCHIVE_OK, "%s", archive_error_string(m->a));
	archive_write_free(m->a);
	uselocale(locale_before);
	freelocale(utf8);
	cr_assert(!m->out->full);
}

void make_stream(int filter, struct kt_str text, struct kt_buf *out)
{
	static const struct kt_str empty_lz4 = {"\x04\x22\x4d\x18\x64\x40\xa7\0\0\0\0\x05\x5d\xcc\x02", 15};
	struct make m;

	if (filter == ARCHIVE_FILTER_LZ4 && !text.len) { /* libarchive 3.6 crashes */
		kt_buf_add(out, empty_lz4);
		return;
	}
	make_begin(&m, ARCHIVE_FORMAT_RAW, filter, out);
	make_file(&m, "x", text);
	make_end(&m);
}

void make_zstd(struct kt_str text, int window_log, struct kt_buf *out)
{
	size_t room = ZSTD_compressBound(text.len);
	char *p = kt_alloc(room);
	ZSTD_CCtx *c = ZSTD_createCCtx();
	ZSTD_inBuffer in = {text.p, text.len, 0};
	ZSTD_outBuffer to = {p, room, 0};

	ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, window_log);
	ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
	/* In two calls: a frame whose length is known may have another window. */
	ZSTD_compressStream2(c, &to, &in, ZSTD_e_continue);
	cr_assert(ZSTD_compressStream2(c, &to, &in, ZSTD_e_end) == 0);
	kt_buf_add(out, (struct kt_str){p, to.pos});
	ZSTD_freeCCtx(c);
	kt_free(p);
}

void make_read(const char *name, struct kt_buf *out)
{
	struct kt_err err = {0};
	char path[1024];

	snprintf(path, sizeof path, "%s/packed/%s", KT_TEST_DATA, name);
	cr_assert(kt_file_read(path, out, &err) == 0, "%s", err.text);
}

void make_log(size_t lines, struct kt_buf *out)
{
	uint32_t x = 1;

	for (size_t i = 0; i < lines; i++) {
		x = x * 1664525u + 1013904223u;
		kt_buf_fmt(out, "26/10/15 03:14:%02zu INFO Task %u finished in %u ms\n", i % 60, x >> 8,
			   x >> 20);
	}
}

/* ---- unpacking ---- */

static ssize_t read_dribble(struct kt_bytes *b, char *to, size_t want, struct kt_err *err)
{
	struct dribble *d = (struct dribble *)b;
	size_t n = d->at_once && d->at_once < want ? d->at_once : want;

	d->reads++;
	if (!d->fail_at)
		return kt_err_set(err, KT_ERR_CANCELLED, "the source was stopped");
	n = n < d->fail_at ? n : d->fail_at;
	n = n < d->left.len ? n : d->left.len;
	if (n)
		memcpy(to, d->left.p, n);
	d->left = kt_str_from(d->left, n);
	d->fail_at -= d->fail_at == SIZE_MAX ? 0 : n;
	return (ssize_t)n;
}

struct kt_bytes *dribble(struct dribble *d, struct kt_str text, size_t at_once)
{
	*d = (struct dribble){{read_dribble}, text, at_once, SIZE_MAX, 0};
	return &d->bytes;
}

static bool is_utf8(struct kt_str s)
{
	uint32_t c;

	for (size_t at = 0; at < s.len;) {
		at += kt_utf8_next(s, at, &c);
		if (c == KT_UTF8_BAD)
			return false;
	}
	return true;
}

static void add_error(struct unpacked *u, const char *text)
{
	kt_buf_fmt(&u->out, "!%s\n", text);
	kt_buf_fmt(&u->errors, "%s\n", text);
}

static void read_member(struct unpacked *u, struct kt_unpack *from)
{
	struct kt_err err = {0}, again = {0};
	size_t before = u->text.len;
	char *chunk = kt_alloc(u->chunk);
	ssize_t n;

	while ((n = kt_unpack_read(from, chunk, u->chunk, &err)) > 0) {
		cr_assert((size_t)n <= u->chunk);
		kt_buf_add(&u->text, (struct kt_str){chunk, (size_t)n});
	}
	kt_buf_fmt(&u->out, "%zu\n", u->text.len - before);
	kt_buf_add(&u->out, kt_str_from(kt_buf_view(&u->text), before));
	if (n < 0) {
		add_error(u, err.text);
		cr_assert(kt_unpack_read(from, chunk, u->chunk, &again) == -1);
		cr_assert(strcmp(again.text, err.text) == 0 && again.cls == err.cls, "%s, then %s", err.text,
			  again.text);
	} else {
		cr_assert(err.cls == KT_ERR_NONE && kt_unpack_read(from, chunk, u->chunk, &err) == 0);
	}
	kt_free(chunk);
}

static void read_members(struct unpacked *u, struct kt_unpack *from)
{
	struct kt_err err = {0}, again = {0};
	struct kt_member m;
	int rc;

	while ((rc = kt_unpack_next(from, &m, &err)) == 1) {
		u->members++;
		cr_assert(is_utf8(m.name) && m.name.len <= KT_BUF_NAME);
		kt_buf_fmt(&u->out, "<" KT_FMT "> ", KT_ARG(m.name));
		if (m.problem.len) {
			char c;
			cr_assert(kt_unpack_read(from, &c, 1, &err) == 0);
			kt_buf_fmt(&u->out, "!" KT_FMT "\n", KT_ARG(m.problem));
			kt_buf_fmt(&u->errors, KT_FMT "\n", KT_ARG(m.problem));
		} else {
			read_member(u, from);
		}
	}
	cr_assert((rc == 0) == (err.cls == KT_ERR_NONE));
	cr_assert(kt_unpack_next(from, &m, &again) == rc && strcmp(again.text, err.text) == 0);
	if (rc < 0)
		add_error(u, err.text);
}

void unpack_all(struct unpacked *u, struct kt_str packed)
{
	struct dribble d;
	struct kt_err err = {0};

	dribble(&d, packed, u->at_once);
	d.fail_at = u->fail_at;
	struct kt_unpack *from = kt_unpack_open(&d.bytes, &u->limits, &err);
	kt_buf_clear(&u->out);
	kt_buf_clear(&u->text);
	kt_buf_clear(&u->errors);
	u->members = 0;
	cr_assert((from != NULL) == (err.cls == KT_ERR_NONE));
	if (from)
		read_members(u, from);
	else
		add_error(u, err.text);
	kt_unpack_close(from);
	u->reads = d.reads;
	cr_assert(!u->out.full);
}

void unpacked_free(struct unpacked *u)
{
	kt_buf_free(&u->out);
	kt_buf_free(&u->text);
	kt_buf_free(&u->errors);
}
