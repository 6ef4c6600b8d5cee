#include "input/reading.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/map.h"
#include "input/reader.h"
#include "input/segment.h"

#include "base/banned.h"

#define AHEAD (1u << 20) /* of a window behind its segment: enough for the record that reaches over */

static struct kt_input *add_row(struct kt_inputs *in, struct kt_str name)
{
	struct kt_input *row = &KT_PUSH(in->list, in->n, in->cap);

	*row = (struct kt_input){.name = kt_arena_str(&in->arena, name), .complete = true, .opened = true};
	return row;
}

void kt_reading_begin(struct kt_reading *r, struct kt_inputs *in, struct kt_str name, bool part,
		      kt_record_fn fn, void *ctx)
{
	*r = (struct kt_reading){.inputs = in,
				 .input = add_row(in, name),
				 .part = part,
				 .until = UINT64_MAX,
				 .end = UINT64_MAX};
	kt_sweep_init(&r->sweep, in, fn, ctx);
	kt_sweep_begin(&r->sweep, r->input, (uint32_t)(in->n - 1), 0);
	if (!in->sieve)
		return;
	in->sieve->restart(in->sieve->ctx, !part);
	r->until = in->limits.segment;
}

void kt_reading_problem(struct kt_reading *r, const char *fmt, ...)
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

void kt_read_refuse(struct kt_inputs *in, struct kt_str name, const char *fmt, ...)
{
	struct kt_reading r = {.inputs = in, .input = add_row(in, name)};
	struct kt_buf b = KT_BUF(KT_BUF_NAME);
	va_list ap;

	va_start(ap, fmt);
	kt_buf_vfmt(&b, fmt, ap);
	va_end(ap);
	r.input->opened = false;
	kt_reading_problem(&r, KT_FMT, KT_ARG(kt_buf_view(&b)));
	kt_buf_free(&b);
}

bool kt_reading_stopped(const struct kt_reading *r)
{
	return r->inputs->stop && *r->inputs->stop;
}

void kt_input_conclude(struct kt_inputs *in, struct kt_input *row)
{
	struct kt_reading r = {.inputs = in, .input = row};

	if (row->cut)
		kt_reading_problem(&r,
				   "%" PRIu64 " of its records are too long and were cut in the middle, the "
				   "first at line %" PRIu64,
				   row->cut, row->cut_line);
	if (row->events * 2 > row->records)
		row->media = KT_MEDIA_EVENTLOG;
}

void kt_reading_end(struct kt_reading *r, int rc)
{
	struct kt_input *in = r->input;

	if (rc || kt_reading_stopped(r))
		kt_reading_problem(r, "reading was stopped");
	if (r->sweep.assembler.split.truncated)
		kt_reading_problem(r, "truncated: its last event is cut off");
	in->lines = kt_sweep_lines(&r->sweep) + r->partial;
	if (!r->part)
		kt_input_conclude(r->inputs, in);
	kt_sweep_free(&r->sweep);
}

static void tell_progress(const struct kt_reading *r, uint64_t total)
{
	const struct kt_inputs *in = r->inputs;

	if (in->progress)
		in->progress(in->progress_ctx, r->input->name, r->sweep.offset, total);
}

int kt_reading_add(struct kt_reading *r, struct kt_str text, bool last, size_t *used)
{
	struct kt_sweep *w = &r->sweep;
	int rc = 0;

	*used = 0;
	for (;;) {
		size_t n;

		rc = kt_sweep_add(w, kt_str_from(text, *used), last, r->until, &n);
		*used += n;
		if (rc || w->open || w->offset < r->until || w->offset >= r->end || kt_reading_stopped(r))
			break;
		r->until = (w->offset / r->inputs->limits.segment + 1) * r->inputs->limits.segment;
		if (r->inputs->sieve)
			r->inputs->sieve->restart(r->inputs->sieve->ctx, false);
	}
	if (last && *used == text.len && text.len)
		r->partial = text.p[text.len - 1] != '\n';
	return rc;
}

/* --- streams --- */

struct stream {
	struct kt_bytes *bytes;
	char *buf;
	size_t len;
	bool end; /* nothing comes behind what is in BUF */
};

/* Fills BUF, or as much as there is. One byte more than allowed shows that there are
 * more. */
static void fill(struct kt_reading *r, struct stream *s)
{
	uint64_t max = r->inputs->limits.max_bytes;

	while (!s->end && s->len < KT_SWEEP_ENOUGH) {
		struct kt_err err = {0};
		uint64_t left = max - r->input->bytes;
		size_t want = KT_SWEEP_ENOUGH - s->len;
		ssize_t n = s->bytes->read(s->bytes, s->buf + s->len, left < want ? (size_t)left + 1 : want,
					   &err);
		if (n < 0)
			kt_reading_problem(r, "%s", err.text);
		s->end = n <= 0;
		if (n > 0 && (uint64_t)n > left) {
			kt_reading_problem(r, "longer than %" PRIu64 " bytes: the rest was not read", max);
			s->end = true;
			n = (ssize_t)left;
		}
		s->len += n > 0 ? (size_t)n : 0;
		r->input->bytes += n > 0 ? (uint64_t)n : 0;
	}
}

int kt_reading_stream(struct kt_reading *r, struct kt_bytes *b)
{
	struct stream s = {.bytes = b, .buf = kt_alloc(KT_SWEEP_ENOUGH + 1)};
	size_t used;
	int rc = 0;

	do {
		fill(r, &s);
		/* What came before a stop is judged: of a slow pipe that may be all of it. */
		if (s.end)
			r->sweep.stop = NULL;
		rc = kt_reading_add(r, (struct kt_str){s.buf, s.len}, s.end, &used);
		s.len -= used;
		memmove(s.buf, s.buf + used, s.len);
		tell_progress(r, 0);
	} while (!rc && !s.end && !kt_reading_stopped(r));
	kt_free(s.buf);
	return rc;
}

/* --- windows --- */

/* How much of the file there is now, within the limit. */
static uint64_t size_now(struct kt_reading *r, int fd, bool *over)
{
	struct stat st;
	uint64_t size = fstat(fd, &st) == 0 && st.st_size > 0 ? (uint64_t)st.st_size : 0;
	uint64_t max = r->inputs->limits.max_bytes;

	*over = size > max;
	return *over ? max : size;
}

/* To the end of the segment and a little further. */
static uint64_t window_end(const struct kt_reading *r)
{
	uint64_t at = r->sweep.offset, segment = r->inputs->limits.segment;

	if (r->until <= at)
		return at + AHEAD;
	return (r->until - at < segment ? r->until : at + segment) + AHEAD;
}

/* The next window; *LAST: the file ends with it. */
static int look_at_window(struct kt_reading *r, int fd, uint64_t size, bool *last)
{
	struct kt_sweep *w = &r->sweep;
	uint64_t end = window_end(r);
	struct kt_map m = {0};
	size_t used;

	*last = end >= size;
	size_t len = (size_t)((*last ? size : end) - w->offset);
	if (kt_map_open(&m, fd, w->offset, len) < 0) {
		kt_reading_problem(r, "cannot be read: %s", strerror(errno));
		*last = true;
		return 0;
	}
	int rc = kt_reading_add(r, m.text, *last, &used);
	kt_map_close(&m);
	if (m.torn) {
		kt_reading_problem(r, "became shorter while it was read");
		*last = true;
	}
	r->input->bytes += used;
	return rc;
}

int kt_reading_windows(struct kt_reading *r, int fd, uint64_t end)
{
	struct kt_sweep *w = &r->sweep;
	bool last = false, over = false;
	size_t used;
	int rc = 0;

	r->end = end;
	while (!rc && !last && (w->open || w->offset < end) && !kt_reading_stopped(r)) {
		uint64_t size = size_now(r, fd, &over);
		if (w->offset < size)
			rc = look_at_window(r, fd, size, &last);
		else
			last = true;
		if (w->offset > size)
			kt_reading_problem(r, "became shorter while it was read");
		tell_progress(r, size);
	}
	if (!rc && last && w->open && !kt_reading_stopped(r))
		rc = kt_sweep_add(w, KT_NONE, true, r->until, &used);
	if (last && over)
		kt_reading_problem(r, "longer than %" PRIu64 " bytes: the rest was not read",
				   r->inputs->limits.max_bytes);
	return rc;
}
