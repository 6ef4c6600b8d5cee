/* The module ktriage-archive.so: tar and zip with libarchive, and the .Z of compress: one format at a time, each named,
 * and its own decompression only where none of our coders knows it. Read as a stream: a
 * zip's directory, which stands at its end, is not asked. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <locale.h>
#include <string.h>

#include "input/unpack/part.h"

#define IN_SIZE ((size_t)192 << 10) /* half of it holds the end of a zip */
/* libarchive drops what it decoded of a block of ours in which it finds damage. */
#define ZIP_BLOCK ((size_t)4 << 10)
#define TAR_BLOCK ((size_t)512)
#define WORDS     160

struct archived {
	struct kt_codec codec;
	struct archive *a;
	locale_t utf8; /* names are converted to that of the thread */
	enum kt_packing what;
	char *in;
	size_t at, len, block;
	bool failed; /* the source did */
	bool eof;    /* of the source */
	bool zeros;  /* its last bytes were, as those of a tar must be */
	bool hurt;   /* libarchive passed over headers that it does not understand */
	size_t headers;
	bool lost; /* libarchive must not be asked again */
	/* of the member at hand */
	const char *data; /* of the block at hand */
	size_t data_len;
	int64_t offset, data_at; /* given so far; where the block begins: holes lie between */
	bool ended;
	char words[WORDS]; /* of the trouble */
};

/* ---- bytes ---- */

static bool all_zeros(const char *p, size_t n)
{
	return n && !p[0] && !memcmp(p, p + 1, n - 1);
}

/* Reads behind what is there. */
static void refill(struct archived *s)
{
	ssize_t n = s->codec.host.read(s->codec.host.ctx, s->in + s->len, IN_SIZE - s->len);

	s->failed = n < 0;
	s->eof = n == 0;
	if (n > 0) {
		size_t last = (size_t)n < TAR_BLOCK ? (size_t)n : TAR_BLOCK;
		s->len += (size_t)n;
		s->zeros = all_zeros(s->in + s->len - last, last);
	}
}

static la_ssize_t feed(struct archive *a, void *ctx, const void **out)
{
	struct archived *s = ctx;

	if (s->at == s->len) {
		s->at = s->len = 0;
		refill(s);
	}
	if (s->failed) {
		archive_set_error(a, EIO, "reading failed");
		return -1;
	}
	size_t left = s->len - s->at, n = left < s->block ? left : s->block;
	*out = s->in + s->at;
	s->at += n;
	return (la_ssize_t)n;
}

/* ---- what went wrong ---- */

static const char *keep_words(struct archived *s)
{
	const char *words = archive_error_string(s->a);
	size_t n = words ? strnlen(words, WORDS - 1) : 0;

	if (n)
		memcpy(s->words, words, n);
	s->words[n] = '\0';
	return s->words;
}

/* libarchive has no sign for these but its words. */
static struct kt_codec_trouble trouble_of(struct archived *s)
{
	const char *words = keep_words(s);

	if (s->failed)
		return (struct kt_codec_trouble){KT_FAULT_SOURCE, ""};
	if (archive_errno(s->a) == ENOMEM)
		return (struct kt_codec_trouble){KT_FAULT_MEMORY, ""};
	/* zlib's -5: it wants more; and sometimes there are no words for an end */
	if (strstr(words, "runcated") || strstr(words, "failed (-5)") || (!*words && s->eof))
		return (struct kt_codec_trouble){KT_FAULT_TRUNCATED, ""};
	if (strstr(words, "CRC"))
		return (struct kt_codec_trouble){KT_FAULT_CHECKSUM, ""};
	if (strstr(words, "ncrypt"))
		return (struct kt_codec_trouble){KT_FAULT_ENCRYPTED, ""};
	return (struct kt_codec_trouble){KT_FAULT_DAMAGED, words};
}

/* ---- members ---- */

static bool has_text(struct archived *s, struct archive_entry *e)
{
	return s->what == KT_PACK_COMPRESS ||
	       (archive_entry_filetype(e) == AE_IFREG && !archive_entry_hardlink(e));
}

/* Some methods of zip ask for as much memory as the file likes: only the two that
 * everyone uses are read. The format's name is all that tells it: "ZIP 2.0 (deflation)". */
static struct kt_codec_trouble unread(struct archived *s, struct archive_entry *e)
{
	const char *format = archive_format_name(s->a);
	const char *method = format ? strchr(format, '(') : NULL;

	if (archive_entry_is_encrypted(e))
		return (struct kt_codec_trouble){KT_FAULT_ENCRYPTED, ""};
	if (s->what != KT_PACK_ZIP || !method || !strcmp(method, "(deflation)") ||
	    !strcmp(method, "(uncompressed)"))
		return (struct kt_codec_trouble){KT_FAULT_NONE, ""};
	size_t n = strcspn(method + 1, ")");
	n = n < WORDS - 1 ? n : WORDS - 1;
	memcpy(s->words, method + 1, n);
	s->words[n] = '\0';
	return (struct kt_codec_trouble){KT_FAULT_METHOD, s->words};
}

static const char *name_of(struct archived *s, struct archive_entry *e)
{
	const char *name = s->what == KT_PACK_COMPRESS ? "" : archive_entry_pathname_utf8(e);

	if (!name)
		name = archive_entry_pathname(e);
	return name ? name : "";
}

static int say(struct archived *s, enum kt_codec_fault fault, const char *detail)
{
	s->codec.trouble = (struct kt_codec_trouble){s->failed ? KT_FAULT_SOURCE : fault, detail};
	s->lost = true;
	return -1;
}

static uint32_t le16(const char *p)
{
	return (uint32_t)(unsigned char)p[0] | (uint32_t)(unsigned char)p[1] << 8;
}

/* How many members the directory's end says there are; 0xffff: many; -1: no such end.
 * It is the last 22 bytes, or 65,535 bytes of a remark stand behind it. */
static int32_t members_said(struct archived *s)
{
	while (!s->eof && !s->failed) {
		size_t drop = s->len > IN_SIZE / 2 ? s->len - IN_SIZE / 2 : 0;
		memmove(s->in, s->in + drop, s->len - drop);
		s->len -= drop;
		refill(s);
	}
	for (size_t at = s->len; at >= 22; at--) {
		const char *p = s->in + at - 22;
		if (!memcmp(p, "PK\5\6", 4) && at + le16(p + 20) <= s->len)
			return (int32_t)le16(p + 10);
	}
	return -1;
}

/* libarchive looks for the next header, and for the end, and is content with what it
 * finds: what must stand there tells whether something is missing. And what a tar is
 * packed in has its checksum behind the tar's end. */
static int at_end(struct archived *s)
{
	bool marked = !s->eof || s->zeros;

	while (s->what == KT_PACK_TAR && !s->eof && !s->failed) {
		s->len = 0;
		refill(s);
	}
	if (s->what == KT_PACK_TAR && (s->failed || !marked))
		return say(s, KT_FAULT_TRUNCATED, "");
	if (s->what == KT_PACK_ZIP) {
		int32_t n = members_said(s);
		if (n < 0 || s->failed)
			return say(s, KT_FAULT_TRUNCATED, "");
		s->hurt |= n != 0xffff && (size_t)n != s->headers;
	}
	return s->hurt ? say(s, KT_FAULT_DAMAGED, "some of its members were not found") : 0;
}

static int next_entry(struct archived *s, struct kt_codec_member *m)
{
	struct archive_entry *e;
	int rc;

	do {
		rc = archive_read_next_header(s->a, &e);
		s->hurt |= rc == ARCHIVE_RETRY;
		s->headers += rc == ARCHIVE_OK || rc == ARCHIVE_WARN;
	} while (rc == ARCHIVE_RETRY || ((rc == ARCHIVE_OK || rc == ARCHIVE_WARN) && !has_text(s, e)));
	if (rc == ARCHIVE_EOF)
		return at_end(s);
	if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN) {
		struct kt_codec_trouble t = trouble_of(s);
		return say(s, t.fault, t.detail);
	}
	if (s->what == KT_PACK_COMPRESS && archive_filter_code(s->a, 0) != ARCHIVE_FILTER_COMPRESS)
		return say(s, KT_FAULT_DAMAGED, "invalid header");
	m->name = name_of(s, e);
	m->unsized = !archive_entry_size_is_set(e);
	m->trouble = unread(s, e);
	s->ended = m->trouble.fault != KT_FAULT_NONE;
	return 1;
}

static int archived_next(struct kt_codec *c, struct kt_codec_member *m)
{
	struct archived *s = (struct archived *)c;
	locale_t before = s->utf8 ? uselocale(s->utf8) : (locale_t)0;

	s->data_len = 0;
	s->offset = s->data_at = 0;
	s->ended = false;
	if (!s->lost)
		c->trouble = (struct kt_codec_trouble){KT_FAULT_NONE, ""};
	int rc = s->lost ? -1 : next_entry(s, m);
	if (s->utf8)
		uselocale(before);
	return rc;
}

/* The next block of data. What comes with a warning comes before it. */
static void next_block(struct archived *s)
{
	const void *p = NULL;
	size_t n = 0;
	la_int64_t at = s->offset;
	int rc;

	do
		rc = archive_read_data_block(s->a, &p, &n, &at);
	while (rc == ARCHIVE_RETRY);
	s->data = p;
	s->data_len = (rc == ARCHIVE_OK || rc == ARCHIVE_WARN || rc == ARCHIVE_EOF) && p ? n : 0;
	s->data_at = s->data_len || rc == ARCHIVE_EOF ? at : s->offset;
	s->ended = rc != ARCHIVE_OK;
	if (rc != ARCHIVE_OK && rc != ARCHIVE_EOF)
		s->codec.trouble = trouble_of(s);
	s->lost = s->failed;
}

/* Of a hole of a sparse file, or of the block. */
static size_t give(struct archived *s, char *to, size_t want)
{
	if (s->data_at > s->offset) {
		uint64_t hole = (uint64_t)(s->data_at - s->offset);
		size_t n = hole < want ? (size_t)hole : want;
		memset(to, 0, n);
		s->offset += (int64_t)n;
		return n;
	}
	size_t n = s->data_len < want ? s->data_len : want;
	if (!n)
		return 0;
	memcpy(to, s->data, n);
	s->data += n;
	s->data_len -= n;
	s->offset += (int64_t)n;
	s->data_at = s->offset;
	return n;
}

static ssize_t archived_read(struct kt_codec *c, char *to, size_t want)
{
	struct archived *s = (struct archived *)c;

	for (;;) {
		size_t n = give(s, to, want);
		if (n)
			return (ssize_t)n;
		if (s->ended)
			return c->trouble.fault ? -1 : 0;
		next_block(s);
	}
}

/* ---- begin and end ---- */

static void archived_close(struct kt_codec *take_c)
{
	struct archived *s = (struct archived *)take_c;
	void (*release)(void *) = take_c->host.free;

	archive_read_free(s->a);
	if (s->utf8)
		freelocale(s->utf8);
	release(s->in);
	release(s);
}

static int support(struct archived *s)
{
	switch (s->what) {
	case KT_PACK_TAR: return archive_read_support_format_tar(s->a);
	case KT_PACK_ZIP: return archive_read_support_format_zip_streamable(s->a);
	default:
		return archive_read_support_filter_compress(s->a) | archive_read_support_format_raw(s->a) |
		       archive_read_support_format_empty(s->a);
	}
}

static struct kt_codec *archive_open(enum kt_packing what, const struct kt_codec_host *host)
{
	static const struct kt_codec_vt vt = {archived_next, archived_read, archived_close};
	struct archived *s;

	if (what != KT_PACK_TAR && what != KT_PACK_ZIP && what != KT_PACK_COMPRESS)
		return NULL;
	s = host->alloc(sizeof *s);
	*s = (struct archived){.codec = {&vt, *host, {KT_FAULT_NONE, ""}}, .what = what};
	s->in = host->alloc(IN_SIZE);
	s->block = what == KT_PACK_ZIP ? ZIP_BLOCK : IN_SIZE;
	s->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	s->a = archive_read_new();
	if (!s->a || support(s) != ARCHIVE_OK)
		s->codec.trouble = (struct kt_codec_trouble){KT_FAULT_MEMORY, ""};
	else if (archive_read_open(s->a, s, NULL, feed, NULL) != ARCHIVE_OK)
		s->codec.trouble = trouble_of(s);
	s->lost = s->codec.trouble.fault != KT_FAULT_NONE;
	return &s->codec;
}

const struct kt_codec_ops kt_archive_module = {
	.abi = KT_UNPACK_ABI,
	.open = archive_open,
	.next = kt_codec_next,
	.read = kt_codec_read,
	.trouble = kt_codec_trouble,
	.close = kt_codec_close,
};
