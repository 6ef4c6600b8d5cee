/* The compiled image: a header, the tables as they lie in memory, the pool.
 *
 * Everything in it is checked before it is used: magic, byte order, program and row
 * sizes, key, length, checksum, then kt_kb_check over every row. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "rules/hash.h"
#include "rules/load.h"

#include "base/banned.h"

#define FORMAT          1u
#define BYTE_ORDER_MARK 0x01020304u
#define IMAGE_MAX       (256u << 20)

static const char magic[8] = "KTIMAGE";

enum table {
#define X(name, type) TABLE_##name,
	KT_TABLES(X)
#undef X
		N_TABLES
};

struct header {
	char magic[8];
	uint32_t order, format;
	uint64_t layout, key, sum, len, pool_len;
	uint32_t n[N_TABLES];
	uint32_t zero[N_TABLES & 1 ? 1 : 2]; /* to a multiple of eight, without holes */
};
_Static_assert(sizeof(struct header) % 8 == 0, "tables begin at a multiple of eight");

static uint64_t padded(uint64_t n)
{
	return (n + 7) & ~UINT64_C(7);
}

/* Over the whole image but for the field that holds it. */
static uint64_t sum_of(const struct header *h, struct kt_str behind)
{
	struct header copy = *h;

	copy.sum = 0;
	return kt_rules_hash(behind,
			     kt_rules_hash((struct kt_str){(const char *)&copy, sizeof copy}, FORMAT));
}

static void put(struct kt_buf *out, const void *p, uint64_t len)
{
	static const char zeros[8];

	kt_buf_add(out, (struct kt_str){p, (size_t)len});
	kt_buf_add(out, (struct kt_str){zeros, (size_t)(padded(len) - len)});
}

static void build_image(const struct kt_kb *kb, uint64_t key, struct kt_buf *out)
{
	struct header h = {.order = BYTE_ORDER_MARK,
			   .format = FORMAT,
			   .layout = kt_rules_layout(),
			   .key = key,
			   .pool_len = kb->pool.len};
	size_t i = 0;

	memcpy(h.magic, magic, sizeof magic);
#define X(name, type) h.n[i++] = kb->n_##name;
	KT_TABLES(X)
#undef X
	put(out, &h, sizeof h);
#define X(name, type) put(out, kb->name, (uint64_t)kb->n_##name * sizeof(type));
	KT_TABLES(X)
#undef X
	put(out, kb->pool.p, kb->pool.len);
	if (out->full)
		return;
	h.len = out->len;
	h.sum = sum_of(&h, kt_str_from(kt_buf_view(out), sizeof h));
	memcpy(out->p, &h, sizeof h);
}

int kt_rules_image_write(const struct kt_rules *rules, const char *path, struct kt_err *err)
{
	struct kt_buf image = KT_BUF(IMAGE_MAX);
	int rc;

	build_image(rules->kb, rules->key, &image);
	if (image.full)
		rc = kt_err_set(err, KT_ERR_LIMIT, "%s: the image is too large", path);
	else
		rc = kt_file_replace(path, kt_buf_view(&image), err);
	/* An image that was installed is for everybody; nothing in it is secret. */
	if (rc == 0 && chmod(path, 0644) < 0)
		rc = kt_err_set(err, KT_ERR_OUTPUT, "%s: %s", path, strerror(errno));
	kt_buf_free(&image);
	return rc;
}

void kt_rules_image_seal(char *bytes, size_t len)
{
	struct header h;

	if (len < sizeof h)
		return;
	memcpy(&h, bytes, sizeof h);
	h.sum = sum_of(&h, (struct kt_str){bytes + sizeof h, len - sizeof h});
	memcpy(bytes, &h, sizeof h);
}

/* ---- reading ---- */

static const char *fault_of_header(const struct header *h, size_t len, uint64_t key)
{
	if (memcmp(h->magic, magic, sizeof magic) != 0)
		return "is no rule image";
	if (h->order != BYTE_ORDER_MARK || h->format != FORMAT || h->layout != kt_rules_layout())
		return "is the image of another program";
	if (h->key != key)
		return "is stale";
	if (h->len != len)
		return "is cut short or too long";
	return NULL;
}

/* Points the tables of KB into the bytes behind the header; false when they do not
 * fill them exactly. No sum can overflow: rows are 32-bit numbers of small sizes. */
static bool lay_out(const struct header *h, const char *p, uint64_t len, struct kt_kb *kb)
{
	uint64_t at = 0;
	size_t i = 0;

#define X(table, type)                                            \
	if (at <= len)                                            \
		kb->table = (const type *)(const void *)(p + at); \
	kb->n_##table = h->n[i++];                                \
	at += padded((uint64_t)kb->n_##table * sizeof(type));
	KT_TABLES(X)
#undef X
	if (at > len || h->pool_len > len || at + padded(h->pool_len) != len)
		return false;
	kb->pool = (struct kt_str){p + at, (size_t)h->pool_len};
	return true;
}

/* BYTES are aligned and stay. */
static int view_image(struct kt_str bytes, uint64_t key, struct kt_kb *kb, struct kt_err *err)
{
	struct header h;

	if (bytes.len < sizeof h)
		return kt_err_set(err, KT_ERR_RULES, "is cut short");
	memcpy(&h, bytes.p, sizeof h);
	const char *fault = fault_of_header(&h, bytes.len, key);
	struct kt_str behind = kt_str_from(bytes, sizeof h);
	if (!fault && h.sum != sum_of(&h, behind))
		fault = "is damaged";
	if (!fault && !lay_out(&h, behind.p, behind.len, kb))
		fault = "is damaged";
	if (fault)
		return kt_err_set(err, KT_ERR_RULES, "%s", fault);
	return kt_kb_check(kb, err);
}

/* Owns BYTES, which kt_alloc gave. */
static int take_image(void *take_bytes, size_t len, uint64_t key, struct kt_rules **out, struct kt_err *err)
{
	struct kt_rules *r = kt_alloc(sizeof *r);

	r->image = take_bytes;
	r->key = key;
	r->from_image = true;
	if (view_image((struct kt_str){take_bytes, len}, key, &r->view, err) < 0) {
		kt_rules_free(r);
		return -1;
	}
	r->kb = &r->view;
	*out = r;
	return 0;
}

int kt_rules_image_parse(struct kt_str bytes, uint64_t key, struct kt_rules **out, struct kt_err *err)
{
	char *copy = kt_alloc(bytes.len + 1);

	*out = NULL;
	if (bytes.len)
		memcpy(copy, bytes.p, bytes.len);
	return take_image(copy, bytes.len, key, out, err);
}

static int read_fd(int fd, uint64_t key, struct kt_rules **out, struct kt_err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size < 0 || st.st_size > IMAGE_MAX)
		return kt_err_set(err, KT_ERR_RULES, "is no rule image");
	/* Others could have made it say anything: which hosts are trusted, for one. */
	if (st.st_uid != geteuid() && st.st_uid != 0)
		return kt_err_set(err, KT_ERR_RULES, "belongs to somebody else");
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return kt_err_set(err, KT_ERR_RULES, "can be written by others");
	size_t want = (size_t)st.st_size, have = 0;
	char *bytes = kt_alloc(want + 1);
	ssize_t n = 1;
	while (have < want && (n = kt_read(fd, bytes + have, want - have)) > 0)
		have += (size_t)n;
	return take_image(bytes, have, key, out, err);
}

int kt_rules_image_read(const char *path, uint64_t key, struct kt_rules **out, struct kt_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	*out = NULL;
	if (fd < 0)
		return kt_err_set(err, KT_ERR_INPUT, "%s: %s", path, strerror(errno));
	int rc = read_fd(fd, key, out, err);
	close(fd);
	return rc < 0 ? kt_err_prefix(err, "%s ", path) : 0;
}
