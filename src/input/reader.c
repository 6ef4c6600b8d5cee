#include "input/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "input/ahead.h"
#include "input/decode.h"
#include "input/reading.h"
#include "input/unpack.h"

#include "base/banned.h"

/* --- the kind of input --- */

/* The first bytes of an input, read ahead. */
struct head {
	char bytes[KT_SNIFF];
	size_t len;
	bool failed; /* behind them; reading on says why */
	struct kt_sniffed kind;
};

static struct kt_str head_text(const struct head *h)
{
	return (struct kt_str){h->bytes, h->len};
}

static void read_head(struct head *h, struct kt_bytes *b)
{
	struct kt_err err = {0};
	ssize_t n = 1;

	h->len = 0;
	while (h->len < KT_SNIFF && n > 0) {
		n = b->read(b, h->bytes + h->len, KT_SNIFF - h->len, &err);
		h->len += n > 0 ? (size_t)n : 0;
	}
	h->failed = n < 0;
	h->kind = kt_sniff(head_text(h));
}

/* What cannot be read as text, or NULL. */
static const char *why_not_text(const struct kt_sniffed *kind)
{
	if (kind->encoding == KT_ENC_OTHER)
		return "in UTF-32: convert it to UTF-8 first";
	return kind->binary ? "binary, not text" : NULL;
}

/* --- text --- */

static int read_utf16(struct kt_reading *r, struct kt_bytes *from, bool big)
{
	struct kt_bytes_utf16 *u = kt_alloc(sizeof *u);
	int rc = kt_reading_stream(r, kt_bytes_of_utf16(u, from, big));

	r->input->bytes = u->taken;
	if (kt_utf16_open(&u->state))
		kt_reading_problem(r, "truncated: ends in the middle of a character");
	kt_bytes_utf16_free(u);
	kt_free(u);
	return rc;
}

/* FD not negative: the file may be read in windows. */
static int read_text(struct kt_inputs *in, struct kt_str name, const struct head *h, struct kt_bytes *b,
		     int fd, kt_record_fn fn, void *ctx)
{
	const struct kt_sniffed *kind = &h->kind;
	struct kt_bytes_ahead ahead;
	struct kt_reading r;
	int rc = 0;

	kt_reading_begin(&r, in, name, false, fn, ctx);
	b = kt_bytes_with_head(&ahead, kt_str_from(head_text(h), kind->bom), b);
	r.input->opened = !why_not_text(kind);
	if (!r.input->opened) {
		kt_reading_problem(&r, "%s", why_not_text(kind));
	} else if (kind->encoding != KT_ENC_BYTES) {
		rc = read_utf16(&r, b, kind->encoding == KT_ENC_UTF16BE);
		r.input->bytes += kind->bom;
	} else {
		r.input->bytes = kind->bom;
		kt_sweep_begin(&r.sweep, r.input, (uint32_t)(in->n - 1), kind->bom);
		rc = fd >= 0 && !h->failed ? kt_reading_windows(&r, fd, UINT64_MAX)
					   : kt_reading_stream(&r, b);
	}
	kt_reading_end(&r, rc);
	return rc;
}

/* --- what is packed --- */

static struct kt_str member_name(struct kt_inputs *in, struct kt_str name, struct kt_str member)
{
	return member.len ? kt_arena_fmt(&in->arena, KT_FMT "!" KT_FMT, KT_ARG(name), KT_ARG(member)) : name;
}

static int read_member(struct kt_inputs *in, struct kt_str name, struct kt_unpack *u,
		       const struct kt_member *m, kt_record_fn fn, void *ctx)
{
	struct kt_bytes *b = kt_unpack_bytes(u);
	struct head *h = kt_alloc(sizeof *h);
	int rc = 0;

	name = member_name(in, name, m->name);
	if (m->problem.len) {
		kt_read_refuse(in, name, KT_FMT, KT_ARG(m->problem));
	} else {
		struct kt_ahead *ahead = in->decode_ahead ? kt_ahead_open(b) : NULL;
		b = ahead ? kt_ahead_bytes(ahead) : b;
		read_head(h, b);
		rc = read_text(in, name, h, b, -1, fn, ctx);
		kt_ahead_close(ahead);
	}
	kt_free(h);
	return rc;
}

static struct kt_unpack *unpack(struct kt_inputs *in, struct kt_bytes *b, struct kt_err *err)
{
	struct kt_unpack_limits limits = KT_UNPACK_LIMITS;

	if (in->limits.max_files < limits.max_members)
		limits.max_members = in->limits.max_files;
	return kt_unpack_open(b, &limits, err);
}

/* The members of what B gives. Damage that a member's row tells already is not told
 * again. */
static int read_members(struct kt_inputs *in, struct kt_str name, struct kt_unpack *u, kt_record_fn fn,
			void *ctx)
{
	size_t before = in->n;
	struct kt_member m;
	struct kt_err err = {0};
	int rc = 0, more;

	while ((more = kt_unpack_next(u, &m, &err)) > 0 && !rc && !(in->stop && *in->stop))
		rc = read_member(in, name, u, &m, fn, ctx);
	if (more < 0 && (in->n == before || !kt_str_eq_c(in->list[in->n - 1].problem, err.text)))
		kt_read_refuse(in, name, "%s", err.text);
	else if (in->n == before && !rc)
		kt_read_refuse(in, name, "an archive without files");
	return rc;
}

static int read_packed(struct kt_inputs *in, struct kt_str name, struct kt_bytes *b, kt_record_fn fn,
		       void *ctx)
{
	struct kt_err err = {0};
	struct kt_unpack *u = unpack(in, b, &err);
	int rc = 0;

	if (u)
		rc = read_members(in, name, u, fn, ctx);
	else
		kt_read_refuse(in, name, "%s", err.text);
	kt_unpack_close(u);
	return rc;
}

/* --- all of it --- */

static int read_any(struct kt_inputs *in, struct kt_str name, struct kt_bytes *b, int fd, kt_record_fn fn,
		    void *ctx)
{
	struct head *h = kt_alloc(sizeof *h);
	struct kt_bytes_ahead ahead;
	int rc;

	read_head(h, b);
	if (h->kind.packed)
		rc = read_packed(in, name, kt_bytes_with_head(&ahead, head_text(h), b), fn, ctx);
	else
		rc = read_text(in, name, h, b, fd, fn, ctx);
	kt_free(h);
	return rc;
}

int kt_read_bytes(struct kt_inputs *in, struct kt_str name, struct kt_bytes *b, kt_record_fn fn, void *ctx)
{
	return read_any(in, name, b, -1, fn, ctx);
}

static bool may_have_windows(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size >= KT_READ_WINDOWED;
}

/* A pipe without a writer must not make us wait here, where no signal is seen. */
int kt_read_open(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

int kt_read_file(struct kt_inputs *in, const char *path, kt_record_fn fn, void *ctx)
{
	struct kt_bytes_fd bytes;
	int fd = kt_read_open(path);

	if (fd < 0) {
		kt_read_refuse(in, kt_str_c(path), "cannot be opened: %s", strerror(errno));
		return 0;
	}
	struct kt_bytes *b = kt_bytes_of_fd(&bytes, fd, in->stop);
	int rc = read_any(in, kt_str_c(path), b, may_have_windows(fd) ? fd : -1, fn, ctx);
	close(fd);
	return rc;
}
