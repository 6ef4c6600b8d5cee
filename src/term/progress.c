#include "term/progress.h"

#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "term/style.h"

#include "base/banned.h"

#define QUIET_MS 1000
#define EVERY_MS 100

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static unsigned percent(uint64_t done, uint64_t total)
{
	return (unsigned)(total >= 100 ? done / (total / 100) : done * 100 / total);
}

static void amount(struct kt_buf *out, uint64_t done, uint64_t total)
{
	if (total && done <= total)
		kt_buf_fmt(out, "  %u %%", percent(done, total));
	else if (done >= 1u << 20)
		kt_buf_fmt(out, "  %" PRIu64 " MB", done >> 20);
	else if (done)
		kt_buf_fmt(out, "  %" PRIu64 " kB", done >> 10);
}

void kt_progress_text(struct kt_buf *out, struct kt_str what, uint64_t done, uint64_t total, int64_t ms,
		      unsigned width)
{
	struct kt_buf tail = KT_BUF(KT_BUF_NAME);

	amount(&tail, done, total);
	kt_buf_fmt(&tail, "  %" PRId64 " s  (^C stops it)", ms / 1000);
	unsigned room = width > tail.len + 8 ? width - (unsigned)tail.len : 8;
	unsigned need = kt_width(what);
	kt_pad(out, what, need < room ? need : room);
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

void kt_progress_tick(struct kt_progress *p, struct kt_str what, uint64_t done, uint64_t total)
{
	if (p->off)
		return;
	int64_t now = now_ms();
	if (!p->started_ms) {
		p->started_ms = now;
		p->off = !isatty(STDERR_FILENO);
	}
	if (now - p->started_ms < QUIET_MS || now - p->shown_ms < EVERY_MS)
		return;
	p->shown_ms = now;
	struct kt_buf text = KT_BUF(KT_BUF_NAME);
	kt_progress_text(&text, what, done, total, now - p->started_ms, kt_term_width(STDERR_FILENO) - 1);
	rewrite(p, kt_buf_view(&text));
	kt_buf_free(&text);
}

void kt_progress_end(struct kt_progress *p)
{
	if (p->columns)
		rewrite(p, KT_NONE);
	*p = (struct kt_progress){0};
}
