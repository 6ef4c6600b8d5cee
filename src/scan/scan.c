#include "scan/scan.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "scan/lane.h"
#include "scan/pool.h"

#include "base/banned.h"

#define THREADS_MAX 64

struct kt_scan {
	const struct kt_kb *kb;
	struct kt_scan_options options;
	struct kt_filter *filter;
	struct kt_inputs in;
	struct kt_lane *lane; /* the first is the calling thread's */
	size_t n_lanes;       /* made so far */
	size_t threads;
};

static size_t count_threads(unsigned wanted)
{
	long n = wanted ? (long)wanted : sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > THREADS_MAX ? THREADS_MAX : (size_t)n;
}

struct kt_scan *kt_scan_new(const struct kt_kb *kb, const struct kt_headers *headers,
			    const struct kt_scan_options *options)
{
	struct kt_scan *s = kt_alloc(sizeof *s);
	size_t n;
	const struct kt_str *signs = kt_headers_signs(headers, &n);

	s->kb = kb;
	s->options = *options;
	s->filter = kt_filter_new(kb, signs, n);
	(void)kt_filter_take_path(s->filter, options->path); /* another processor's: the portable one stays */
	s->in = KT_INPUTS(headers);
	s->in.limits = options->input;
	s->in.stop = options->stop;
	s->threads = count_threads(options->threads);
	s->lane = kt_alloc_n(s->threads + 1, sizeof *s->lane);
	return s;
}

void kt_scan_free(struct kt_scan *take_s)
{
	if (!take_s)
		return;
	for (size_t i = 0; i < take_s->n_lanes; i++)
		kt_lane_free(&take_s->lane[i]);
	kt_free(take_s->lane);
	kt_filter_free(take_s->filter);
	kt_inputs_free(&take_s->in);
	kt_free(take_s);
}

/* The first N lanes. */
static struct kt_lane *lanes(struct kt_scan *s, size_t n)
{
	for (; s->n_lanes < n; s->n_lanes++)
		kt_lane_init(&s->lane[s->n_lanes], s->kb, s->filter, &s->options);
	return s->lane;
}

/* The calling thread's lane, which tells SINK. */
static struct kt_lane *begin(struct kt_scan *s, const struct kt_scan_sink *sink)
{
	struct kt_lane *home = lanes(s, 1);

	kt_lane_aim(home, sink, &s->in);
	s->in.progress = sink->progress;
	s->in.progress_ctx = sink->ctx;
	s->in.decode_ahead = s->threads > 1;
	return home;
}

static int end(struct kt_lane *home, int rc)
{
	kt_lane_restart(home);
	return rc;
}

/* --- a path --- */

static int add_path(void *ctx, const char *path)
{
	struct kt_pool_files *f = ctx;

	KT_PUSH(f->path, f->n, f->cap) = kt_strdup(kt_str_c(path));
	return 0;
}

/* The files of PATH in order; what cannot be listed is a row already. */
static int list_files(struct kt_scan *s, const char *path, struct kt_pool_files *f)
{
	s->in.file = add_path;
	int rc = kt_inputs_path(&s->in, path, NULL, f);
	s->in.file = NULL;
	return rc;
}

/* One short file, or a pipe, is read at once. */
static bool worth_threads(const struct kt_scan *s, const char *path)
{
	struct stat st;

	if (s->threads < 2 || stat(path, &st) < 0)
		return false;
	return S_ISDIR(st.st_mode) || (S_ISREG(st.st_mode) && (uint64_t)st.st_size > s->in.limits.segment);
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int scan_with_threads(struct kt_scan *s, const char *path, const struct kt_scan_sink *sink)
{
	struct kt_pool_files files = {0};
	struct kt_lane *all = lanes(s, s->threads + 1);

	int rc = list_files(s, path, &files);
	bool listed = !(s->in.stop && *s->in.stop);
	if (!rc)
		rc = kt_pool_run(&s->in, &files, &all[0], &all[1], s->threads, sink);
	if ((!listed || files.begun < files.n) && is_folder(path))
		kt_inputs_stopped(&s->in, path);
	for (size_t i = 0; i < files.n; i++)
		kt_free(files.path[i]);
	kt_free(files.path);
	return rc;
}

int kt_scan_path(struct kt_scan *s, const char *path, const struct kt_scan_sink *sink)
{
	struct kt_lane *home = begin(s, sink);

	if (worth_threads(s, path))
		return scan_with_threads(s, path, sink);
	return end(home, kt_inputs_path(&s->in, path, kt_lane_record, home));
}

int kt_scan_fd(struct kt_scan *s, int fd, struct kt_str name, const struct kt_scan_sink *sink)
{
	struct kt_lane *home = begin(s, sink);

	return end(home, kt_inputs_fd(&s->in, fd, name, kt_lane_record, home));
}

int kt_scan_text(struct kt_scan *s, struct kt_str text, struct kt_str name, const struct kt_scan_sink *sink)
{
	struct kt_lane *home = begin(s, sink);

	return end(home, kt_inputs_text(&s->in, text, name, kt_lane_record, home));
}

/* --- what was done --- */

const struct kt_input *kt_scan_inputs(const struct kt_scan *s, size_t *n)
{
	*n = s->in.n;
	return s->in.list;
}

struct kt_match_stats kt_scan_stats(const struct kt_scan *s)
{
	struct kt_match_stats sum = {0};

	for (size_t i = 0; i < s->n_lanes; i++) {
		struct kt_match_stats one = kt_matcher_stats(s->lane[i].matcher);
		sum.feeds += one.feeds;
		sum.bytes += one.bytes;
		sum.runs += one.runs;
		sum.hits += one.hits;
		sum.limits += one.limits;
		sum.compiled += one.compiled;
		sum.jitted += one.jitted;
	}
	return sum;
}

struct kt_pattern_stats kt_scan_pattern_stats(const struct kt_scan *s, uint32_t pattern)
{
	struct kt_pattern_stats sum = {0};

	for (size_t i = 0; i < s->n_lanes; i++) {
		struct kt_pattern_stats one = kt_matcher_pattern_stats(s->lane[i].matcher, pattern);
		sum.candidates += one.candidates;
		sum.runs += one.runs;
		sum.hits += one.hits;
		sum.limits += one.limits;
		sum.ns += one.ns;
	}
	return sum;
}
