/* A scan against the plain way: every record to every pattern. Made-up inputs are put
 * together of pieces that make reading hard. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "tools.h"

/* What a log is made of; %u: a number. Most of it looks like a needle somewhere. */
static const char *const pieces[] = {
	"26/03/15 10:12:48 INFO X: nothing to see here, block %u\n",
	"26/03/15 10:12:48 INFO X: nothing to see here, block %u\r\n",
	"26/03/15 10:12:48 ERROR Sink: Writing to table 't%u' failed\n",
	"26/03/15 10:12:48 ERROR Sink: Writing to table 'crlf%u' failed\r\n",
	"2026-03-15 10:12:48,123 WARN Http [thread-%u]: request 12 was throttled (code 429)\n",
	"2026-03-15 10:12:48,123 WARN Http [thread-%u]: Operation Timed Out after 30 seconds\n",
	"java.util.NoSuchElementException: None.get\n\tat scala.None$.get(Option.scala:%u)\n"
	"\tat com.example.Needle.run(Needle.java:7)\n",
	"Caused by: org.example.Broken%u: it is\n\tat a.B.c(D.java:1)\n\t... 12 more\n",
	"26/03/15 10:12:48 INFO X: ends the first line\r\nand begins the second %u\n",
	"26/03/15 10:12:48 INFO X: \033[31mWriting to \033[0mtable 'colour%u' failed\n",
	"\033[32m26/03/15 10:12:48\033[0m ERROR Sink: Writing to table 'green%u' failed\n",
	"\033[32m26/03/15 10:12:48\033[0m INFO Sink: colours of block %u\033]no end\n",
	"2026-03-15T10:12:48.123456789Z stdout P 26/03/15 10:12:48 ERROR X: split over %u two lines of\n"
	"2026-03-15T10:12:48.123456789Z stdout F  the collector\n",
	"2026-03-15T10:12:48.123456789Z stdout P 26/03/15 10:12:48 ERROR X: split over two li\n"
	"2026-03-15T10:12:48.123456789Z stdout F nes of the collector %u\n",
	"2026-03-15T10:12:48.123456789Z stderr F 26/03/15 10:12:48 ERROR X: the last word of it\n",
	"{\"ts\":\"2026-03-15T10:12:48.123Z\",\"level\":\"ERROR\",\"logger\":\"L\",\"msg\":\"Writing to "
	"table 'json%u' "
	"failed\"}\n",
	"{\"log\":\"26/03/15 10:12:48 ERROR Sink: Writing to table 'docker%u' "
	"failed\\n\",\"stream\":\"stdout\"}\n",
	"{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":%u,\"x\":\"Caused by: org.example.Event\"}\n",
	"{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":%u,\"x\":\"line\\nCaused by: "
	"org.example.Escaped\\n\"}\n",
	"{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":%u,\"x\":{\"code\":\"General_BadRequest\"}}\n",
	"{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":%u,\"x\":\"it says \\\"hello\\\" to the sink\"}\n",
	"{\"ts\":\"2026-03-15\",\"level\":\"ERROR\",\"logger\":\"JsonLogger\",\"msg\":\"composed message "
	"%u\"}\n",
	"\n\n\n",
	"prose without a header, request %u throttled (code 503)\n",
	"Container: container_1_%u on host_1\nLogType:stderr\n",
	"26/03/15 10:12:48 ERROR AM: diagnostics\nLast 4096 bytes of stderr :\n"
	"26/03/15 10:12:48 ERROR X: Writing to table 'quoted%u' failed\n26/03/15 10:12:49 INFO X: and\n",
	"[2026-03-15 10:12:48.123]Container exited %u\n",
	"Traceback (most recent call last):\n  File \"a.py\", line %u, in f\n    g()\nValueError: operation "
	"timed out after "
	"3 seconds\n",
	"\tat com.example.Needle.run(Needle.java:%u)\n",
	"26/03/15 10:12:48 INFO X: \\u0057riting to table 'not%u' failed\n",
	"[Stage 1:>  (%u + 4) / 8]\r26/03/15 10:12:48 INFO X: the last word of it\r\n",
	"26/03/15 10:12:48 INFO X: nul \001 bytes \377 Writing to table 'bytes%u' failed\n",
};

static uint64_t state;

static uint32_t draw(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % n;
}

static void add_piece(struct kt_buf *b, size_t which)
{
	struct kt_str p = kt_str_c(pieces[which]);
	size_t at = kt_str_find(p, KT_S("%u"), 0);

	if (at == KT_NPOS) {
		kt_buf_add(b, p);
		return;
	}
	kt_buf_add(b, kt_str_sub(p, 0, at));
	kt_buf_fmt(b, "%u", draw(1000));
	kt_buf_add(b, kt_str_from(p, at + 2));
}

static void add_many(struct kt_buf *b, const char *text, size_t bytes)
{
	for (size_t end = b->len + bytes; b->len < end;)
		kt_buf_str(b, text);
}

/* Mostly quiet lines, as logs are; sometimes a stretch of one kind, or a very long
 * record or line. */
static void make_log(struct kt_buf *b, uint64_t seed, size_t bytes)
{
	state = seed;
	kt_buf_clear(b);
	while (b->len < bytes) {
		uint32_t kind = draw(1000);
		size_t which = draw(KT_LEN(pieces));
		if (kind < 900)
			add_piece(b, 0);
		else if (kind < 985)
			add_piece(b, which);
		else if (kind < 998)
			for (uint32_t n = draw(200); n; n--)
				add_piece(b, which);
		else if (kind == 998)
			add_many(b, "\tat a.very.Long(Trace.java:12)\n", draw(600) * 1000);
		else
			add_many(b, "one long line, ", draw(600) * 1000);
	}
	if (draw(2))
		kt_buf_str(b, "26/03/15 10:12:48 ERROR Sink: Writing to table 'end' failed");
}

/* --- both ways --- */

struct both {
	struct tools tools;
	struct kt_buf want, got; /* a line for each hit */
	struct kt_matcher *m;
	const struct kt_record *rec;
	struct kt_buf *out;
};

static void setup(struct both *b)
{
	*b = (struct both){.want = KT_BUF(1u << 28), .got = KT_BUF(1u << 28)};
	tools_begin(&b->tools);
}

static void teardown(struct both *b)
{
	tools_end(&b->tools);
	kt_buf_free(&b->want);
	kt_buf_free(&b->got);
}

static int put_hit(void *ctx, const struct kt_hit *hit)
{
	struct both *b = ctx;

	kt_buf_fmt(b->out, "%" PRIu64 "+%" PRIu64 "@%" PRIu64 " %u %" PRIu64 "-%" PRIu64 " line %" PRIu64,
		   b->rec->line, b->rec->lines, b->rec->offset, hit->pattern, hit->start, hit->end,
		   kt_record_line_at(b->rec, (size_t)hit->start));
	for (size_t i = 0; i < hit->n_caps; i++)
		kt_buf_fmt(b->out, " " KT_FMT "=" KT_FMT, KT_ARG(hit->caps[i].name),
			   KT_ARG(hit->caps[i].text));
	kt_buf_fmt(b->out, " " KT_FMT "|" KT_FMT "\n", KT_ARG(b->rec->header), KT_ARG(b->rec->thread));
	return 0;
}

static int plain_record(void *ctx, const struct kt_record *rec)
{
	struct both *b = ctx;

	b->rec = rec;
	return kt_match_feed(b->m, rec->text, 0, put_hit, b);
}

/* What the scan must find, and the row of the input. */
static struct kt_input plain(struct both *b, struct kt_str text)
{
	struct kt_match_limits limits = KT_MATCH_LIMITS;
	struct kt_inputs in = KT_INPUTS(b->tools.headers);

	limits.prefilter = false;
	b->m = kt_matcher_new(b->tools.kb, &limits);
	b->out = &b->want;
	kt_buf_clear(b->out);
	cr_assert(kt_inputs_text(&in, text, KT_S("x"), plain_record, b) == 0);
	kt_matcher_free(b->m);
	struct kt_input row = in.list[0];
	kt_inputs_free(&in);
	return row;
}

static int scan_record(void *ctx, const struct kt_record *rec, const struct kt_hit *hits, size_t n)
{
	struct both *b = ctx;

	b->rec = rec;
	cr_assert(n > 0 && rec->input == 0);
	for (size_t i = 0; i < n; i++)
		put_hit(b, &hits[i]);
	return 0;
}

static void same(struct both *b, const struct kt_scan *s, const struct kt_input *want, const char *how,
		 uint64_t seed)
{
	size_t n;
	const struct kt_input *in = kt_scan_inputs(s, &n);
	struct kt_str w = kt_buf_view(&b->want), g = kt_buf_view(&b->got), lw, lg;

	while (kt_str_cut(&w, '\n', &lw) | kt_str_cut(&g, '\n', &lg))
		cr_assert(kt_str_eq(lw, lg), "%s, seed %" PRIu64 ":\nwanted " KT_FMT "\nfound  " KT_FMT, how,
			  seed, KT_ARG(lw), KT_ARG(lg));
	cr_assert(n == 1 && in->lines == want->lines && in->bytes == want->bytes, "%s, seed %" PRIu64, how,
		  seed);
	cr_assert(in->complete == want->complete && in->cut == want->cut && in->cut_line == want->cut_line,
		  "%s, seed %" PRIu64 ": cut %" PRIu64 " at %" PRIu64 ", not %" PRIu64 " at %" PRIu64, how,
		  seed, in->cut, in->cut_line, want->cut, want->cut_line);
	cr_assert(!in->headed == !want->headed);
}

static struct kt_scan *begin_scan(struct both *b, unsigned threads, uint64_t segment)
{
	struct kt_scan_options o = KT_SCAN_OPTIONS;

	o.threads = threads;
	o.cap = 0;
	o.input.segment = segment;
	b->out = &b->got;
	kt_buf_clear(b->out);
	return kt_scan_new(b->tools.kb, b->tools.headers, &o);
}

/* The text once, and a pipe that gives it in pieces. */
static void scan_streams(struct both *b, struct kt_str text, const struct kt_input *want, uint64_t seed)
{
	struct kt_scan_sink sink = {.record = scan_record, .ctx = b};
	struct kt_scan *s = begin_scan(b, 1, 1u << 20);
	int fds[2];

	cr_assert(kt_scan_text(s, text, KT_S("x"), &sink) == 0);
	same(b, s, want, "text", seed);
	kt_scan_free(s);
	s = begin_scan(b, 1, 100000);
	cr_assert(pipe(fds) == 0);
	if (fork() == 0) {
		for (size_t at = 0; at < text.len;) {
			size_t len = 1 + (at * 2654435761u >> 7) % 9000;
			at += (size_t)write(fds[1], text.p + at, at + len < text.len ? len : text.len - at);
		}
		_exit(0);
	}
	close(fds[1]);
	cr_assert(kt_scan_fd(s, fds[0], KT_S("x"), &sink) == 0);
	close(fds[0]);
	same(b, s, want, "pipe", seed);
	kt_scan_free(s);
}

/* The file with several numbers of threads and lengths of segments. */
static void scan_file(struct both *b, const char *path, const struct kt_input *want, uint64_t seed)
{
	static const uint64_t segments[] = {1u << 16, 100003, 1u << 19, 16u << 20};
	struct kt_scan_sink sink = {.record = scan_record, .ctx = b};

	for (unsigned threads = 1; threads <= 3; threads++)
		for (size_t k = 0; k < KT_LEN(segments); k++) {
			struct kt_scan *s = begin_scan(b, threads, segments[k]);
			char how[64];
			snprintf(how, sizeof how, "file, %u threads, segment %" PRIu64, threads, segments[k]);
			cr_assert(kt_scan_path(s, path, &sink) == 0);
			same(b, s, want, how, seed);
			kt_scan_free(s);
		}
}

Test(scan, finds_what_the_plain_way_finds)
{
	char path[] = "/tmp/ktriage-scan-XXXXXX";
	struct kt_buf log = KT_BUF(1u << 26);
	uint64_t hits = 0;
	struct both b;

	setup(&b);
	int fd = mkstemp(path);
	cr_assert(fd >= 0);
	for (uint64_t seed = 1; seed <= 12; seed++) {
		make_log(&log, seed, 100000 * seed * seed % 2900000 + 5000);
		struct kt_input want = plain(&b, kt_buf_view(&log));
		hits += b.want.len;
		scan_streams(&b, kt_buf_view(&log), &want, seed);
		cr_assert(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0);
		cr_assert(kt_write_all(fd, log.p, log.len) == 0);
		scan_file(&b, path, &want, seed);
	}
	cr_assert(hits > 100000, "the logs hold too little");
	close(fd);
	unlink(path);
	kt_buf_free(&log);
	teardown(&b);
}
