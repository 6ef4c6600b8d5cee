#include "product.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "scan/scan.h"

#include "base/banned.h"

static int on_record(void *ctx, const struct kt_record *rec, const struct kt_hit *hits, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hits_add(ctx, rec, &hits[i]);
	return 0;
}

static void on_limit(void *ctx, uint32_t input, uint64_t line, uint32_t pattern, enum kt_inconclusive why)
{
	struct hits *out = ctx;

	(void)input;
	(void)line;
	if (why != KT_INCONCLUSIVE_HITS)
		out->limits[pattern]++;
}

bool product_has_avx2(void)
{
#ifdef __x86_64__
	return __builtin_cpu_supports("avx2");
#else
	return false;
#endif
}

/* --- a pipe that gives CHUNK bytes at once --- */

#define WHOLE (80 << 10) /* what is sampled in any case comes in large pieces */

struct feeder {
	int in, out; /* of the pipe */
	const char *path;
	size_t chunk;
};

/* Waits until all that was written is read. */
static void drained(const struct feeder *f)
{
	int left = 0;

	while (ioctl(f->in, FIONREAD, &left) == 0 && left > 0)
		sched_yield();
}

static void *feed(void *ctx)
{
	struct feeder *f = ctx;
	FILE *file = fopen(f->path, "r");
	char *piece = kt_alloc(f->chunk + WHOLE);
	size_t n = file ? fread(piece, 1, WHOLE, file) : 0;

	while (n && kt_write_all(f->out, piece, n) == 0) {
		drained(f);
		n = fread(piece, 1, f->chunk, file);
	}
	close(f->out);
	kt_free(piece);
	if (file)
		fclose(file);
	return NULL;
}

static int scan_chunks(struct kt_scan *scan, const char *path, size_t chunk, const struct kt_scan_sink *sink)
{
	int ends[2];
	pthread_t thread;

	if (pipe(ends) != 0)
		return -1;
	struct feeder f = {ends[0], ends[1], path, chunk};
	if (pthread_create(&thread, NULL, feed, &f) != 0)
		return -1;
	int rc = kt_scan_fd(scan, ends[0], kt_str_c(path), sink);
	pthread_join(thread, NULL);
	close(ends[0]);
	return rc;
}

bool product_scan(const struct kt_kb *kb, const struct kt_headers *headers, const char *path,
		  const struct way *way, struct hits *out)
{
	struct kt_scan_options options = KT_SCAN_OPTIONS;
	struct kt_scan_sink sink = {.record = on_record, .limit = on_limit, .ctx = out};
	size_t n;

	options.threads = way->threads;
	options.cap = 0;
	options.path = way->portable ? KT_FILTER_PORTABLE : KT_FILTER_AUTO;
	if (way->segment)
		options.input.segment = way->segment;
	struct kt_scan *scan = kt_scan_new(kb, headers, &options);
	int rc = way->chunk ? scan_chunks(scan, path, way->chunk, &sink) : kt_scan_path(scan, path, &sink);
	const struct kt_input *in = kt_scan_inputs(scan, &n);
	bool read = rc == 0 && hits_all_read(in, n, "scan");
	kt_scan_free(scan);
	return read;
}
