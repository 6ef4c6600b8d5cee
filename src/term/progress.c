#include "term/progress.h"

#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "term/style.h"

#include "base/banned.h"

#define QUIET_MS 1000
#define EVERY_MS 100
#define RATE_MS  300 /* of less a rate says little */

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

#define KB UINT64_C(1000)
#define MB (1000 * KB)
#define GB (1000 * MB)

/* N bytes in the unit of OF bytes, without it. */
static void in_unit_of(struct kt_buf *out, uint64_t n, uint64_t of)
{
	if (of >= GB)
		kt_buf_fixed(out, (int64_t)(n / (GB / 10)), 1);
	else
		kt_buf_fmt(out, "%" PRIu64, n / (of >= MB ? MB : KB));
}

static const char *unit_of(uint64_t n)
{
	return n >= GB ? "GB" : n >= MB ? "MB" : "kB";
}

static void amount(struct kt_buf *out, const struct kt_progress_line *line)
{
	bool known = line->total && line->done <= line->total;
	uint64_t of = known ? line->total : line->done;

	if (!of)
		return;
	kt_buf_str(out, "  ");
	in_unit_of(out, line->done, of);
	if (known) {
		kt_buf_str(out, " of ");
		in_unit_of(out, of, of);
	}
	kt_buf_fmt(out, " %s", unit_of(of));
}

static void duration(struct kt_buf *out, uint64_t s)
{
	if (s < 100)
		kt_buf_fmt(out, "%" PRIu64 " s", s);
	else if (s < 100 * 60)
		kt_buf_fmt(out, "%" PRIu64 " min", (s + 30) / 60);
	else
		kt_buf_fmt(out, "%" PRIu64 " h", (s + 1800) / 3600);
}

/* What is left where it can be told, else what has passed. */
static void times(struct kt_buf *out, const struct kt_progress_line *line)
{
	if (line->done && line->rate) {
		kt_buf_str(out, "  ");
		in_unit_of(out, line->rate, line->rate);
		kt_buf_fmt(out, " %s/s", unit_of(line->rate));
	}
	kt_buf_str(out, "  ");
	if (line->total && line->done <= line->total && line->rate) {
		duration(out, (line->total - line->done + line->rate - 1) / line->rate);
		kt_buf_str(out, " left");
	} else {
		duration(out, (uint64_t)line->ms / 1000);
	}
}

void kt_progress_text(struct kt_buf *out, const struct kt_progress_line *line, unsigned width)
{
	struct kt_buf tail = KT_BUF(KT_BUF_NAME);

	amount(&tail, line);
	times(&tail, line);
	kt_buf_str(&tail, "  (^C stops it)");
	unsigned room = width > tail.len + 8 ? width - (unsigned)tail.len : 8;
	unsigned need = kt_width(line->what);
	kt_pad(out, line->what, need < room ? need : room);
	kt_buf_add(out, kt_buf_view(&tail));
	kt_buf_free(&tail);
}

static void rewrite(struct kt_progress *p, struct kt_str text)
{
	struct kt_buf out = KT_BUF(KT_BUF_NAME);
	unsigned columns = kt_width(text);

	kt_buf_char(&out, '\r');
	kt_buf_add(&out, text);
	/* Blanks over what stood there: works on every terminal. */
	if (columns < p->columns)
		kt_blanks(&out, p->columns - columns);
	kt_buf_char(&out, '\r');
	p->columns = columns;
	if (kt_write_all(STDERR_FILENO, out.p, out.len) < 0)
		p->off = true;
	kt_buf_free(&out);
}

static void take_amounts(struct kt_progress *p, int64_t now, uint64_t done, uint64_t total)
{
	if (!p->base_ms || done < p->done || total != p->total) {
		p->base_ms = now;
		p->base = done;
	}
	p->done = done;
	p->total = total;
}

static uint64_t rate(const struct kt_progress *p, int64_t now)
{
	uint64_t ms = (uint64_t)(now - p->base_ms), bytes = p->done - p->base;

	if (ms < RATE_MS)
		return 0;
	return bytes > UINT64_MAX / 1000 ? bytes / ms * 1000 : bytes * 1000 / ms;
}

static void show(struct kt_progress *p, struct kt_str what, int64_t now)
{
	struct kt_buf text = KT_BUF(KT_BUF_NAME);
	struct kt_progress_line line = {.what = what,
					.done = p->done,
					.total = p->total,
					.rate = rate(p, now),
					.ms = now - p->started_ms};

	kt_progress_text(&text, &line, kt_term_width(STDERR_FILENO) - 1);
	rewrite(p, kt_buf_view(&text));
	kt_buf_free(&text);
	p->shown_ms = now;
}

void kt_progress_tick(struct kt_progress *p, struct kt_str what, uint64_t done, uint64_t total)
{
	if (p->off)
		return;
	int64_t now = now_ms();
	if (!p->started_ms) {
		p->started_ms = now;
		p->off = !isatty(STDERR_FILENO);
	}
	if (done || total)
		take_amounts(p, now, done, total);
	else if (p->base_ms)
		return;
	if (now - p->started_ms >= QUIET_MS && now - p->shown_ms >= EVERY_MS)
		show(p, what, now);
}

void kt_progress_end(struct kt_progress *p)
{
	if (p->columns)
		rewrite(p, KT_NONE);
	*p = (struct kt_progress){0};
}
