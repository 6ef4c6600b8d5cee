#include "input/segment.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/map.h"
#include "input/reader.h"
#include "input/reading.h"

#include "base/banned.h"

#define LOOK (1u << 20) /* bytes of a window in which the start is looked for */

static bool is_text(int fd)
{
	char head[KT_SNIFF];
	ssize_t n = pread(fd, head, sizeof head, 0);
	struct kt_sniffed kind = kt_sniff((struct kt_str){head, n > 0 ? (size_t)n : 0});

	return n > 0 && !kind.packed && !kind.binary && kind.encoding == KT_ENC_BYTES && !kind.bom;
}

int kt_segment_open(const struct kt_inputs *in, const char *path, uint64_t *size)
{
	struct stat st;
	int fd = kt_read_open(path);

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size > in->limits.segment &&
	    (uint64_t)st.st_size > KT_READ_WINDOWED && is_text(fd)) {
		*size = (uint64_t)st.st_size;
		return fd;
	}
	close(fd);
	return -1;
}

/* The start in [AT, END), where AT is the byte before a place at which it may be. */
static uint64_t find_start(struct kt_reading *r, int fd, uint64_t at, uint64_t end)
{
	struct kt_map m;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return KT_NO_START;
	uint64_t size = (uint64_t)st.st_size;
	while (at + 1 < end && at < size) {
		size_t len = (size_t)(size - at < LOOK ? size - at : LOOK);
		if (kt_map_open(&m, fd, at, len) < 0) {
			kt_reading_problem(r, "cannot be read: %s", strerror(errno));
			return KT_NO_START;
		}
		kt_sweep_begin(&r->sweep, r->input, (uint32_t)(r->inputs->n - 1), at);
		size_t found = kt_sweep_find(&r->sweep, m.text, at + 1);
		const char *line = memrchr(m.text.p, '\n', len);
		size_t step = line && line > m.text.p ? (size_t)(line - m.text.p) : len;
		kt_map_close(&m);
		if (found != KT_NPOS)
			return at + found < end ? at + found : KT_NO_START;
		at += step;
	}
	return KT_NO_START;
}

int kt_read_segment(struct kt_inputs *in, struct kt_str name, struct kt_segment *seg, kt_record_fn fn,
		    void *ctx)
{
	struct kt_reading r;
	int rc = 0;

	kt_reading_begin(&r, in, name, true, fn, ctx);
	seg->start = seg->begin ? find_start(&r, seg->fd, seg->begin - 1, seg->end) : 0;
	if (seg->started)
		rc = seg->started(ctx);
	if (!rc && seg->start != KT_NO_START) {
		kt_sweep_begin(&r.sweep, r.input, (uint32_t)(in->n - 1), seg->start);
		r.until = seg->end;
		rc = kt_reading_windows(&r, seg->fd, seg->end);
	}
	seg->stop = r.sweep.offset;
	kt_reading_end(&r, rc);
	return rc;
}
