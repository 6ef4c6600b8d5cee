/* Inputs too large to keep, and files that change while they are read. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "input/reader.h"
#include "tools.h"

#define NEEDLE "26/03/15 10:12:48 ERROR Sink: Writing to table 'end' failed\n"

struct found {
	uint64_t n, line, offset, capped, literals;
};

/* Gigabytes take too long where every byte is watched. */
#ifdef __SANITIZE_ADDRESS__
#define SLOW .disabled = true
#else
#define SLOW .disabled = false
#endif

static int on_record(void *ctx, const struct kt_record *rec, const struct kt_hit *hits, size_t n)
{
	struct found *f = ctx;

	(void)hits;
	f->n += n > 0;
	f->line = rec->line;
	f->offset = rec->offset;
	return 0;
}

static void on_capped(void *ctx, uint32_t input, uint32_t pattern, uint64_t literals)
{
	struct found *f = ctx;

	(void)pattern;
	cr_assert(input == 0);
	f->capped++;
	f->literals += literals;
}

/* --- more line ends than 31 bits count --- */

#define ENDS ((UINT64_C(1) << 31) + 5)

struct ends {
	struct kt_bytes bytes;
	uint64_t left; /* line ends */
	bool told;     /* the needle behind them */
};

static ssize_t read_ends(struct kt_bytes *b, char *to, size_t want, struct kt_err *err)
{
	struct ends *e = (struct ends *)b;
	size_t n = e->left < want ? (size_t)e->left : want;

	(void)err;
	if (n) {
		memset(to, '\n', n);
		e->left -= n;
		return (ssize_t)n;
	}
	if (e->told || want < sizeof NEEDLE)
		return 0;
	e->told = true;
	memcpy(to, NEEDLE, sizeof NEEDLE - 1);
	return sizeof NEEDLE - 1;
}

static int count_record(void *ctx, const struct kt_record *rec)
{
	struct found *f = ctx;

	f->n++;
	f->line = rec->line;
	f->offset = rec->offset;
	return 0;
}

Test(big, line_numbers_beyond_31_bits, SLOW)
{
	struct tools t;
	struct ends ends = {{read_ends}, ENDS, false};
	struct found f = {0};

	tools_begin(&t);
	struct kt_inputs in = KT_INPUTS(t.headers);
	cr_assert(kt_read_bytes(&in, KT_S("x"), &ends.bytes, count_record, &f) == 0);
	cr_assert(f.n == 1 && f.line == ENDS + 1 && f.offset == ENDS, "%" PRIu64 " at %" PRIu64, f.line,
		  f.offset);
	cr_assert(in.list[0].lines == ENDS + 1 && in.list[0].bytes == ENDS + sizeof NEEDLE - 1);
	kt_inputs_free(&in);
	tools_end(&t);
}

/* --- a file of more than 32 bits --- */

static int make_file(char *path)
{
	int fd = mkstemp(path);

	cr_assert(fd >= 0);
	return fd;
}

static void write_many(int fd, const char *line, unsigned n)
{
	struct kt_buf b = KT_BUF(1u << 28);

	while (n--)
		kt_buf_str(&b, line);
	cr_assert(kt_write_all(fd, b.p, b.len) == 0);
	kt_buf_free(&b);
}

static void scan(struct tools *t, const char *path, unsigned threads, struct found *f, struct kt_input *row)
{
	struct kt_scan_options o = KT_SCAN_OPTIONS;
	struct kt_scan_sink sink = {.record = on_record, .capped = on_capped, .ctx = f};
	size_t n;

	*f = (struct found){0};
	o.threads = threads;
	struct kt_scan *s = kt_scan_new(t->kb, t->headers, &o);
	cr_assert(kt_scan_path(s, path, &sink) == 0);
	*row = kt_scan_inputs(s, &n)[0];
	cr_assert(n == 1);
	kt_scan_free(s);
}

Test(big, offsets_beyond_32_bits, SLOW)
{
	char path[] = "/tmp/ktriage-sparse-XXXXXX";
	const off_t far = (INT64_C(1) << 32) + 12345;
	struct kt_input row;
	struct tools t;
	struct found f;

	tools_begin(&t);
	int fd = make_file(path);
	write_many(fd, NEEDLE, 100); /* a file that begins with a hole is no text */
	cr_assert(lseek(fd, far - 1, SEEK_SET) == far - 1 &&
		  kt_write_all(fd, "\n" NEEDLE, sizeof NEEDLE) == 0);
	scan(&t, path, 2, &f, &row);
	cr_assert(f.n == 101 && f.line == 102 && f.offset == (uint64_t)far, "%" PRIu64 " at %" PRIu64, f.line,
		  f.offset);
	cr_assert(row.lines == 102 && row.bytes == (uint64_t)far + sizeof NEEDLE - 1);
	close(fd);
	unlink(path);
	tools_end(&t);
}

/* --- the cap --- */

Test(big, beyond_the_cap_literals_are_counted)
{
	static const char dull[] = "26/03/15 10:12:48 ERROR Q: java.util.NoSuchElementException: None.get\n";
	char path[] = "/tmp/ktriage-cap-XXXXXX";
	struct kt_input row;
	struct tools t;
	struct found f;

	tools_begin(&t);
	int fd = make_file(path);
	write_many(fd, dull, 5000);
	scan(&t, path, 1, &f, &row);
	/* what lies in the sample is assembled in any case */
	cr_assert(f.n >= KT_SCAN_CAP && f.n < 1200, "%" PRIu64, f.n);
	/* the last record, too, though its literal was counted */
	cr_assert(f.capped == 1 && f.n + f.literals == 5001, "%" PRIu64 " + %" PRIu64, f.n, f.literals);
	/* a pattern that teaches says something else each time */
	write_many(fd, NEEDLE, 3000);
	scan(&t, path, 1, &f, &row);
	cr_assert(f.n >= KT_SCAN_CAP + 3000, "%" PRIu64, f.n);
	/* the numbers are the same for any number of threads */
	write_many(fd, dull, 700000);
	struct found one, many;
	scan(&t, path, 1, &one, &row);
	scan(&t, path, 3, &many, &row);
	cr_assert(row.complete && one.n == many.n && one.literals == many.literals &&
		  one.capped == many.capped);
	cr_assert(one.capped >= 3 && one.n < 10000, "%" PRIu64, one.n);
	close(fd);
	unlink(path);
	tools_end(&t);
}

/* --- files that change --- */

struct change {
	struct found found;
	int fd;
	off_t to; /* its new length */
};

static int change_it(void *ctx, const struct kt_record *rec, const struct kt_hit *hits, size_t n)
{
	struct change *c = ctx;

	if (!c->found.n)
		cr_assert(ftruncate(c->fd, c->to) == 0);
	return on_record(&c->found, rec, hits, n);
}

static struct kt_input change_while_read(struct tools *t, off_t to, unsigned threads, struct change *c)
{
	char path[] = "/tmp/ktriage-change-XXXXXX";
	struct kt_scan_options o = KT_SCAN_OPTIONS;
	size_t n;

	*c = (struct change){.fd = make_file(path), .to = to};
	o.threads = threads;
	write_many(c->fd, NEEDLE, 400000);
	struct kt_scan *s = kt_scan_new(t->kb, t->headers, &o);
	struct kt_scan_sink sink = {.record = change_it, .ctx = c};
	cr_assert(kt_scan_path(s, path, &sink) == 0);
	struct kt_input row = kt_scan_inputs(s, &n)[0];
	cr_assert(n == 1 && (row.complete || row.problem.len));
	row.problem = row.problem.len ? KT_S("some") : KT_NONE;
	kt_scan_free(s);
	close(c->fd);
	unlink(path);
	return row;
}

Test(big, files_that_shrink_or_grow)
{
	struct change c;
	struct tools t;

	tools_begin(&t);
	for (unsigned threads = 1; threads <= 3; threads++) {
		struct kt_input row = change_while_read(&t, 40960, threads, &c);
		cr_assert(!row.complete && c.found.n >= 40960 / sizeof NEEDLE, "%u threads", threads);
	}
	struct kt_input row = change_while_read(&t, 60000000, 1, &c);
	cr_assert(row.complete && row.bytes == 60000000 && c.found.n == 400000);
	tools_end(&t);
}

/* --- without end --- */

Test(big, a_device_without_end)
{
	struct kt_scan_options o = KT_SCAN_OPTIONS;
	struct found f = {0};
	struct kt_scan_sink sink = {.record = on_record, .ctx = &f};
	struct tools t;
	size_t n;

	tools_begin(&t);
	o.input.max_bytes = 50u << 20;
	struct kt_scan *s = kt_scan_new(t.kb, t.headers, &o);
	cr_assert(kt_scan_path(s, "/dev/zero", &sink) == 0);
	cr_assert(!kt_scan_inputs(s, &n)[0].complete && f.n == 0);
	kt_scan_free(s);
	tools_end(&t);
}

static volatile sig_atomic_t stop;

static int stop_it(void *ctx, const struct kt_record *rec, const struct kt_hit *hits, size_t n)
{
	stop = 1;
	return on_record(ctx, rec, hits, n);
}

/* The first record that is told of stops it. */
static struct kt_scan *scan_until_stop(const struct tools *t, struct kt_scan_options *o, const char *path,
				       struct found *f)
{
	struct kt_scan_sink sink = {.record = stop_it, .ctx = f};

	stop = 0;
	*f = (struct found){0};
	o->stop = &stop;
	struct kt_scan *s = kt_scan_new(t->kb, t->headers, o);
	cr_assert(kt_scan_path(s, path, &sink) == 0);
	return s;
}

Test(big, what_was_found_before_a_stop_was_told)
{
	char path[] = "/tmp/ktriage-stop-XXXXXX";
	struct kt_scan_options o = KT_SCAN_OPTIONS;
	struct found f;
	struct tools t;
	size_t n;

	tools_begin(&t);
	int fd = make_file(path);
	write_many(fd, NEEDLE, 600000);
	for (unsigned threads = 1; threads <= 3; threads++) {
		o.threads = threads;
		struct kt_scan *s = scan_until_stop(&t, &o, path, &f);
		const struct kt_input *row = kt_scan_inputs(s, &n);
		cr_assert(n == 1 && !row->complete && kt_str_eq_c(row->problem, "reading was stopped"));
		cr_assert(f.n > 0 && f.n < 600000 && row->bytes < 36000000);
		kt_scan_free(s);
	}
	close(fd);
	unlink(path);
	tools_end(&t);
}

static int refuse_it(void *ctx, const struct kt_record *rec, const struct kt_hit *hits, size_t n)
{
	(void)ctx, (void)rec, (void)hits, (void)n;
	return 7;
}

/* Nothing says of a file that was not begun that it is missing but the folder's row. */
Test(big, a_folder_of_which_reading_was_stopped_says_so)
{
	char path[] = "/tmp/ktriage-stop-XXXXXX", name[64];
	struct kt_scan_options o = KT_SCAN_OPTIONS;
	struct found f;
	struct kt_scan_sink sink = {.record = refuse_it};
	struct tools t;
	size_t n;

	tools_begin(&t);
	cr_assert(mkdtemp(path));
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof name, "%s/%02d.log", path, i);
		int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		cr_assert(fd >= 0);
		write_many(fd, NEEDLE, 2000);
		close(fd);
	}
	for (unsigned threads = 1; threads <= 3; threads++) {
		o.threads = threads;
		struct kt_scan *s = scan_until_stop(&t, &o, path, &f);
		const struct kt_input *row = kt_scan_inputs(s, &n);
		cr_assert(n > 1 && n < 100 && kt_str_eq_c(row[n - 1].name, path));
		cr_assert(!row[n - 1].complete && !row[n - 1].opened && row[n - 1].problem.len);
		kt_scan_free(s);
	}
	for (unsigned threads = 1; threads <= 3; threads++) {
		stop = 0;
		o.threads = threads;
		struct kt_scan *s = kt_scan_new(t.kb, t.headers, &o);
		cr_assert(kt_scan_path(s, path, &sink) == 7);
		const struct kt_input *row = kt_scan_inputs(s, &n);
		cr_assert(n > 1 && n < 100 && kt_str_eq_c(row[n - 1].name, path));
		cr_assert(!row[n - 1].complete && !row[n - 1].opened && row[n - 1].problem.len);
		kt_scan_free(s);
	}
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof name, "%s/%02d.log", path, i);
		unlink(name);
	}
	rmdir(path);
	tools_end(&t);
}
