#include "input/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "input/sniff.h"
#include "input/split.h"
#include "input/utf16.h"

#include "base/banned.h"

#define LOOK_MS 250  /* between two looks at ^C */
#define SNIFF   4096 /* bytes wanted before the kind of input is decided */

enum status { READ_MORE, READ_END, READ_FAILED, READ_STOPPED };

struct reader {
	struct kt_inputs *inputs;
	struct kt_input *input;
	struct kt_str text; /* what is left of a text in memory */
	int fd;
	char *chunk;
	size_t len; /* bytes in it */
	bool over;  /* the byte limit was met */
	int error;  /* errno of a failed read */
	struct kt_split split;
	struct kt_cut line; /* a line that began in an earlier chunk */
	bool line_open;
	uint64_t line_offset, offset; /* of that line; of the next byte */
	struct kt_sniffed kind;
	struct kt_utf16 utf16;
	struct kt_buf utf8;
};

/* --- bytes --- */

static bool stopped(const struct reader *r)
{
	return r->inputs->stop && *r->inputs->stop;
}

/* Waits until there is something to read; regular files are always ready. A signal
 * that comes just before waiting is seen at the next look. */
static bool wait_for(const struct reader *r)
{
	struct pollfd p = {.fd = r->fd, .events = POLLIN};
	int n = 0;

	while (!stopped(r) && (n == 0 || (n < 0 && errno == EINTR)))
		n = poll(&p, 1, LOOK_MS);
	return !stopped(r);
}

static ssize_t read_some(struct reader *r, char *to, size_t want)
{
	if (r->fd >= 0) {
		ssize_t n = kt_read(r->fd, to, want);
		while (n < 0 && errno == EAGAIN && wait_for(r))
			n = kt_read(r->fd, to, want);
		return n;
	}
	struct kt_str piece = kt_str_sub(r->text, 0, want);
	if (piece.len)
		memcpy(to, piece.p, piece.len);
	r->text = kt_str_from(r->text, piece.len);
	return (ssize_t)piece.len;
}

/* Adds bytes to the chunk; one more than allowed shows that there are more. */
static enum status fill(struct reader *r)
{
	uint64_t left = r->inputs->limits.max_bytes - r->input->bytes;
	size_t want = KT_INPUT_CHUNK - r->len;

	if (r->over)
		return READ_END;
	if (stopped(r) || (r->fd >= 0 && !wait_for(r)))
		return READ_STOPPED;
	if (left < want)
		want = (size_t)left + 1;
	ssize_t n = read_some(r, r->chunk + r->len, want);
	if (n < 0) {
		r->error = errno;
		return READ_FAILED;
	}
	r->over = (uint64_t)n > left;
	size_t got = (size_t)n - r->over;
	r->len += got;
	r->input->bytes += got;
	return n ? READ_MORE : READ_END;
}

/* --- lines --- */

static int give_line(struct reader *r, const struct kt_cut_view *line, uint64_t offset)
{
	r->input->lines++;
	return kt_split_line(&r->split, line, offset);
}

static void keep_line(struct reader *r, struct kt_str s, uint64_t offset)
{
	if (!r->line_open) {
		kt_cut_clear(&r->line);
		r->line_offset = offset;
		r->line_open = true;
	}
	kt_cut_add(&r->line, s);
}

static int finish_line(struct reader *r)
{
	struct kt_cut_view v = kt_cut_view(&r->line);

	r->line_open = false;
	return give_line(r, &v, r->line_offset);
}

/* Lines of TEXT, which is the input from OFFSET on. */
static int split_text(struct reader *r, struct kt_str text, uint64_t offset)
{
	size_t at = 0, end;
	int rc = 0;

	while (!rc && (end = kt_str_chr(text, '\n', at)) != KT_NPOS) {
		struct kt_str s = kt_str_sub(text, at, end - at);
		if (r->line_open || s.len > r->line.head_max + r->line.tail_max) {
			keep_line(r, s, offset + at);
			rc = finish_line(r);
		} else {
			rc = give_line(r, &(struct kt_cut_view){.head = s}, offset + at);
		}
		at = end + 1;
	}
	if (!rc && at < text.len)
		keep_line(r, kt_str_from(text, at), offset + at);
	return rc;
}

static int use_chunk(struct reader *r)
{
	struct kt_str text = {r->chunk, r->len};
	uint64_t offset = r->offset;

	r->offset += r->len;
	r->len = 0;
	if (r->kind.encoding == KT_ENC_BYTES)
		return split_text(r, text, offset);
	kt_buf_clear(&r->utf8);
	kt_utf16_add(&r->utf16, text, &r->utf8);
	return split_text(r, kt_buf_view(&r->utf8), offset);
}

/* --- the kind of input --- */

static void problem(struct reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void problem(struct reader *r, const char *fmt, ...)
{
	struct kt_buf b = KT_BUF(KT_BUF_NAME);
	va_list ap;

	va_start(ap, fmt);
	kt_buf_vfmt(&b, fmt, ap);
	va_end(ap);
	if (!r->input->problem.len)
		r->input->problem = kt_arena_str(&r->inputs->arena, kt_buf_view(&b));
	r->input->complete = false;
	kt_buf_free(&b);
}

/* False: it is nothing that can be read as text. */
static bool know_kind(struct reader *r)
{
	struct kt_str head = {r->chunk, r->len};

	r->kind = kt_sniff(head);
	if (r->kind.packed)
		problem(r, "compressed (%s): unpack it first", r->kind.packed);
	else if (r->kind.encoding == KT_ENC_OTHER)
		problem(r, "in UTF-32: convert it to UTF-8 first");
	else if (r->kind.binary)
		problem(r, "binary, not text");
	else
		r->input->opened = true;
	r->utf16.big = r->kind.encoding == KT_ENC_UTF16BE;
	r->offset = r->kind.bom;
	r->len -= r->kind.bom;
	memmove(r->chunk, r->chunk + r->kind.bom, r->len);
	return r->input->opened;
}

static void say_status(struct reader *r, enum status status)
{
	struct kt_input *in = r->input;

	if (status == READ_STOPPED)
		problem(r, "reading was stopped");
	if (status == READ_FAILED)
		problem(r, "cannot be read: %s", strerror(r->error));
	if (r->over)
		problem(r, "longer than %" PRIu64 " bytes: the rest was not read",
			r->inputs->limits.max_bytes);
	if (kt_utf16_open(&r->utf16))
		problem(r, "truncated: ends in the middle of a character");
	if (r->split.truncated)
		problem(r, "truncated: its last event is cut off");
	if (in->cut)
		problem(r,
			"%" PRIu64
			" of its records are too long and were cut in the middle, the first at line %" PRIu64,
			in->cut, in->cut_line);
}

/* --- all of it --- */

static int read_all(struct reader *r)
{
	enum status status = READ_MORE;
	int rc = 0;

	while (status == READ_MORE && r->len < SNIFF)
		status = fill(r);
	if (!know_kind(r))
		return 0;
	while (!rc) {
		rc = use_chunk(r);
		if (rc || status != READ_MORE)
			break;
		status = fill(r);
	}
	if (!rc && r->line_open)
		rc = finish_line(r);
	if (!rc)
		rc = kt_split_end(&r->split);
	say_status(r, rc ? READ_STOPPED : status);
	return rc;
}

static struct kt_input *add_row(struct kt_inputs *in, struct kt_str name)
{
	struct kt_input *row = &KT_PUSH(in->list, in->n, in->cap);

	*row = (struct kt_input){.name = kt_arena_str(&in->arena, name)};
	return row;
}

int kt_read_source(struct kt_inputs *in, const struct kt_source *src, kt_record_fn fn, void *ctx)
{
	const struct kt_input_limits *l = &in->limits;
	struct reader r = {.inputs = in,
			   .input = add_row(in, src->name),
			   .text = src->text,
			   .fd = src->fd,
			   .chunk = kt_alloc(KT_INPUT_CHUNK),
			   .utf8 = KT_BUF(2 * KT_INPUT_CHUNK)};

	r.input->complete = true;
	kt_cut_init(&r.line, l->head, l->tail);
	kt_split_init(&r.split, in->headers, l, fn, ctx);
	kt_split_begin(&r.split, r.input, (uint32_t)(in->n - 1), 0);
	int rc = read_all(&r);
	if (r.input->events * 2 > r.input->records)
		r.input->media = KT_MEDIA_EVENTLOG;
	kt_split_free(&r.split);
	kt_cut_free(&r.line);
	kt_buf_free(&r.utf8);
	kt_free(r.chunk);
	return rc;
}

void kt_read_refuse(struct kt_inputs *in, struct kt_str name, const char *fmt, ...)
{
	struct kt_buf b = KT_BUF(KT_BUF_NAME);
	va_list ap;

	va_start(ap, fmt);
	kt_buf_vfmt(&b, fmt, ap);
	va_end(ap);
	add_row(in, name)->problem = kt_arena_str(&in->arena, kt_buf_view(&b));
	kt_buf_free(&b);
}

int kt_read_file(struct kt_inputs *in, const char *path, kt_record_fn fn, void *ctx)
{
	/* A pipe without a writer must not make us wait here, where no signal is seen. */
	struct kt_source src = {.name = kt_str_c(path),
				.fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)};

	if (src.fd < 0) {
		kt_read_refuse(in, src.name, "cannot be opened: %s", strerror(errno));
		return 0;
	}
	int rc = kt_read_source(in, &src, fn, ctx);
	close(src.fd);
	return rc;
}
