#include "scan/pool.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "scan/unit.h"

#include "base/banned.h"

#define AHEAD   4  /* units for each thread that are begun before their turn */
#define LOOK_MS 20 /* between two looks at ^C */

/* One file: where the next segment to be told of must start, and its row. */
struct file {
	int fd;        /* of segments; -1: it is one unit */
	uint64_t size; /* when it was opened */
	uint64_t told; /* segments: as far as they were told */
	uint32_t row;
	bool begun; /* it has its row */
};

struct pool {
	struct kt_inputs *in; /* of the caller */
	const struct kt_pool_files *files;
	struct kt_lane *home;
	const struct kt_scan_sink *sink;
	struct file *file;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	volatile sig_atomic_t stop; /* for the readers of the threads */
	struct kt_inputs proto;     /* theirs */
	struct kt_unit *ring;
	size_t n_ring;
	/* under the lock: */
	size_t begun, told; /* units */
	size_t next_file;
	uint64_t next_begin;  /* in it */
	uint64_t done, total; /* bytes */
};

/* --- units --- */

static struct kt_unit *unit_at(struct pool *p, size_t i)
{
	return &p->ring[i % p->n_ring];
}

/* A segment, and the next place. The last one goes on for as long as the file grows. */
static void take_segment(struct pool *p, struct kt_unit *u)
{
	const struct file *f = &p->file[p->next_file];
	uint64_t begin = p->next_begin, end = begin + p->in->limits.segment;

	u->last = end >= f->size;
	u->seg = (struct kt_segment){.fd = f->fd, .begin = begin, .end = u->last ? UINT64_MAX : end};
	p->next_begin = u->last ? 0 : end;
}

/* The next unit of the next file. */
static void take_next(struct pool *p, struct kt_unit *u)
{
	struct file *f = &p->file[p->next_file];
	const char *path = p->files->path[p->next_file];

	if (!p->next_begin)
		f->fd = kt_segment_open(p->in, path, &f->size);
	kt_unit_begin(u, &p->proto, &p->lock, &p->changed);
	u->file = p->next_file;
	u->path = path;
	u->whole = u->last = f->fd < 0;
	if (!u->whole)
		take_segment(p, u);
	p->next_file += u->last;
}

static bool over(const struct pool *p)
{
	return p->stop || p->next_file == p->files->n;
}

/* NULL: there is nothing left to do. */
static struct kt_unit *begin_unit(struct pool *p)
{
	struct kt_unit *u = NULL;

	pthread_mutex_lock(&p->lock);
	while (!over(p) && p->begun - p->told >= p->n_ring)
		pthread_cond_wait(&p->changed, &p->lock);
	if (!over(p)) {
		u = unit_at(p, p->begun);
		take_next(p, u);
		p->begun++;
		pthread_cond_broadcast(&p->changed);
	}
	pthread_mutex_unlock(&p->lock);
	return u;
}

static void end_unit(struct pool *p, struct kt_unit *u)
{
	pthread_mutex_lock(&p->lock);
	u->done = u->started = true;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

struct worker {
	struct pool *pool;
	struct kt_lane *lane;
	pthread_t thread;
	bool runs;
};

static void *work(void *ctx)
{
	struct worker *w = ctx;
	size_t file = SIZE_MAX;
	struct kt_unit *u;

	while ((u = begin_unit(w->pool)) != NULL) {
		if (u->file != file) /* its time budgets are of a file */
			kt_matcher_restart(w->lane->matcher);
		file = u->file;
		kt_unit_run(u, w->lane);
		end_unit(w->pool, u);
	}
	return NULL;
}

/* --- telling --- */

static void look_at_stop(struct pool *p)
{
	if (!p->stop && p->in->stop && *p->in->stop) {
		p->stop = 1;
		pthread_cond_broadcast(&p->changed);
	}
}

/* Waits for a change, but not for long. Under the lock. */
static void wait_a_little(struct pool *p)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_nsec += LOOK_MS * 1000000L;
	t.tv_sec += t.tv_nsec / 1000000000L;
	t.tv_nsec %= 1000000000L;
	pthread_cond_timedwait(&p->changed, &p->lock, &t);
	look_at_stop(p);
}

/* What is read of all files; *TOTAL is 0 once unpacked bytes are among it. */
static uint64_t bytes_done(struct pool *p, uint64_t *total)
{
	uint64_t n = p->done;

	for (size_t i = p->told; i < p->begun; i++) {
		const struct kt_unit *u = &p->ring[i % p->n_ring];
		n += atomic_load(&u->bytes);
		if (atomic_load(&u->endless))
			p->total = 0;
	}
	*total = p->total;
	return n;
}

/* Rows up to ROW of the caller's inputs, named when their turn comes. */
static struct kt_input *row_at(struct kt_inputs *in, size_t row)
{
	while (in->n <= row) {
		struct kt_input *new = &KT_PUSH(in->list, in->n, in->cap);
		*new = (struct kt_input){.complete = true, .opened = true};
	}
	return &in->list[row];
}

static void name_row(struct kt_inputs *in, struct kt_input *row, struct kt_str name)
{
	if (!row->name.len)
		row->name = kt_arena_str(&in->arena, name);
}

/* Where the unit's news stand among the caller's rows and lines. */
struct base {
	size_t row;
	uint64_t lines;
};

static int tell(struct pool *p, const struct kt_news *news, const struct base *base)
{
	const struct kt_scan_sink *sink = p->sink;
	uint32_t input = (uint32_t)(base->row + news->input);
	struct kt_record rec = news->rec;

	name_row(p->in, row_at(p->in, input), news->name);
	rec.input = input;
	rec.line += base->lines;
	switch (news->kind) {
	case KT_NEWS_RECORD: return sink->record(sink->ctx, &rec, news->hits, news->n);
	case KT_NEWS_LIMIT:
		if (sink->limit)
			sink->limit(sink->ctx, input, news->line + base->lines, news->pattern, news->why);
		break;
	case KT_NEWS_CAPPED:
		if (sink->capped)
			sink->capped(sink->ctx, input, news->pattern, news->literals);
		break;
	}
	return 0;
}

/* Takes what waits; waits for it as long as the unit is not done. NULL: no more. */
static struct kt_news *take_news(struct pool *p, struct kt_unit *u)
{
	pthread_mutex_lock(&p->lock);
	while (!u->first && !u->done) {
		wait_a_little(p);
		if (p->sink->progress && !u->first && !u->done) {
			uint64_t total, done = bytes_done(p, &total);
			pthread_mutex_unlock(&p->lock);
			p->sink->progress(p->sink->ctx, kt_str_c(u->path), done, total);
			pthread_mutex_lock(&p->lock);
		}
	}
	struct kt_news *first = u->first;
	u->first = NULL;
	u->end = &u->first;
	u->waiting = 0;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
	return first;
}

static void cancel(struct pool *p, struct kt_unit *u)
{
	pthread_mutex_lock(&p->lock);
	u->cancelled = true;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

/* Tells of U until it is done. RC not 0: only throws away. */
static int tell_unit(struct pool *p, struct kt_unit *u, const struct base *base, int rc)
{
	struct kt_news *news;

	if (rc)
		cancel(p, u);
	while ((news = take_news(p, u)) != NULL)
		while (news) {
			struct kt_news *next = news->next;
			if (!rc && (rc = tell(p, news, base)) != 0)
				cancel(p, u);
			kt_news_free(news);
			news = next;
		}
	return rc;
}

/* --- whole files --- */

static void copy_row(struct kt_inputs *in, struct kt_input *to, const struct kt_input *from)
{
	struct kt_str name = to->name;

	*to = *from;
	to->name = name;
	name_row(in, to, from->name);
	to->problem = from->problem.len ? kt_arena_str(&in->arena, from->problem) : KT_NONE;
}

static int tell_whole(struct pool *p, struct kt_unit *u)
{
	struct base base = {.row = p->in->n};
	int rc = tell_unit(p, u, &base, 0);

	for (size_t i = 0; i < u->in.n; i++)
		copy_row(p->in, row_at(p->in, base.row + i), &u->in.list[i]);
	return rc;
}

/* --- segments --- */

/* FROM is the next part of TO. */
static void add_part(struct kt_inputs *in, struct kt_input *to, const struct kt_input *from)
{
	if (from->cut && !to->cut)
		to->cut_line = to->lines + from->cut_line;
	to->cut += from->cut;
	to->bytes += from->bytes;
	to->lines += from->lines;
	to->records += from->records;
	to->events += from->events;
	to->headed += from->headed;
	to->complete &= from->complete;
	if (from->problem.len && !to->problem.len)
		to->problem = kt_arena_str(&in->arena, from->problem);
}

static void wait_for_start(struct pool *p, struct kt_unit *u)
{
	pthread_mutex_lock(&p->lock);
	while (!u->started)
		wait_a_little(p);
	pthread_mutex_unlock(&p->lock);
}

/* Reads a segment again on the calling thread, from where the one before ended. */
static int read_again(struct pool *p, const struct kt_unit *u, struct file *f)
{
	struct base base = {f->row, row_at(p->in, f->row)->lines};
	struct kt_unit again;
	struct kt_news *news;
	int rc = 0;

	kt_unit_begin(&again, &p->proto, &p->lock, &p->changed);
	again.path = u->path;
	again.seg = (struct kt_segment){.fd = f->fd, .begin = f->told, .end = u->seg.end};
	again.unbounded = true;
	kt_unit_run(&again, p->home);
	while ((news = again.first) != NULL) {
		again.first = news->next;
		if (!rc)
			rc = tell(p, news, &base);
		kt_news_free(news);
	}
	if (again.seg.start != KT_NO_START)
		f->told = again.seg.stop;
	add_part(p->in, row_at(p->in, f->row), &again.in.list[0]);
	kt_unit_free(&again);
	return rc;
}

static int tell_segment(struct pool *p, struct kt_unit *u)
{
	struct file *f = &p->file[u->file];
	int rc = 0;

	if (!u->seg.begin) {
		f->row = (uint32_t)p->in->n;
		f->begun = true;
		name_row(p->in, row_at(p->in, f->row), kt_str_c(u->path));
	}
	wait_for_start(p, u);
	bool follows = u->seg.start == f->told;
	struct base base = {f->row, row_at(p->in, f->row)->lines};
	rc = tell_unit(p, u, &base, !follows);
	if (follows) {
		f->told = u->seg.stop;
		add_part(p->in, row_at(p->in, f->row), &u->in.list[0]);
	} else {
		rc = f->told < u->seg.end && !p->stop ? read_again(p, u, f) : 0;
	}
	if (u->last && (follows || !p->stop)) { /* else it stays, for stop_file */
		kt_input_conclude(p->in, row_at(p->in, f->row));
		close(f->fd);
		f->fd = -1;
	}
	return rc;
}

/* --- all of it --- */

/* The unit whose turn it is; NULL: there are no more. */
static struct kt_unit *next_unit(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	while (p->begun == p->told && !over(p))
		wait_a_little(p);
	bool any = p->begun > p->told;
	pthread_mutex_unlock(&p->lock);
	return any ? unit_at(p, p->told) : NULL;
}

static void forget_unit(struct pool *p, struct kt_unit *u)
{
	pthread_mutex_lock(&p->lock);
	p->done += atomic_load(&u->bytes);
	kt_unit_free(u);
	p->told++;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

static void stop_all(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	p->stop = 1;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

static int tell_all(struct pool *p)
{
	struct kt_unit *u;
	int rc = 0;

	while ((u = next_unit(p)) != NULL) {
		if (rc)
			(void)tell_unit(p, u, &(struct base){0}, rc);
		else
			rc = u->whole ? tell_whole(p, u) : tell_segment(p, u);
		forget_unit(p, u);
		if (rc)
			stop_all(p);
	}
	return rc;
}

static uint64_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
}

static void init(struct pool *p, size_t n)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&p->changed, &attr);
	pthread_condattr_destroy(&attr);
	pthread_mutex_init(&p->lock, NULL);
	p->proto = KT_INPUTS(p->in->headers);
	p->proto.limits = p->in->limits;
	p->proto.stop = &p->stop;
	p->proto.decode_ahead = p->files->n == 1;
	p->n_ring = n * AHEAD;
	p->ring = kt_alloc_n(p->n_ring, sizeof *p->ring);
	p->file = kt_alloc_n(p->files->n, sizeof *p->file);
	for (size_t i = 0; i < p->files->n; i++) {
		p->file[i].fd = -1;
		p->total += size_of(p->files->path[i]);
	}
}

/* A file of which not all segments were told. */
static void stop_file(struct pool *p, struct file *f)
{
	close(f->fd);
	if (!f->begun)
		return;
	struct kt_input *row = &p->in->list[f->row];
	row->complete = false;
	if (!row->problem.len)
		row->problem = KT_S("reading was stopped");
	kt_input_conclude(p->in, row);
}

static void finish(struct pool *p)
{
	for (size_t i = 0; i < p->files->n; i++)
		if (p->file[i].fd >= 0)
			stop_file(p, &p->file[i]);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->changed);
	kt_free(p->ring);
	kt_free(p->file);
}

/* How many threads run. */
static size_t start(struct pool *p, struct worker *workers, struct kt_lane *lanes, size_t n)
{
	size_t running = 0;

	for (size_t i = 0; i < n; i++) {
		workers[i] = (struct worker){.pool = p, .lane = &lanes[i]};
		workers[i].runs = kt_thread_start(&workers[i].thread, work, &workers[i]);
		running += workers[i].runs;
	}
	return running;
}

/* Without any thread. */
static int read_alone(struct pool *p)
{
	int rc = 0;

	kt_lane_aim(p->home, p->sink, p->in);
	while (p->next_file < p->files->n && !rc && !(p->in->stop && *p->in->stop))
		rc = kt_inputs_path(p->in, p->files->path[p->next_file++], kt_lane_record, p->home);
	kt_lane_restart(p->home);
	return rc;
}

int kt_pool_run(struct kt_inputs *in, struct kt_pool_files *files, struct kt_lane *home,
		struct kt_lane *lanes, size_t n, const struct kt_scan_sink *sink)
{
	struct pool p = {.in = in, .files = files, .home = home, .sink = sink};
	struct worker *workers = kt_alloc_n(n, sizeof *workers);
	int rc;

	init(&p, n);
	rc = start(&p, workers, lanes, n) ? tell_all(&p) : read_alone(&p);
	for (size_t i = 0; i < n; i++)
		if (workers[i].runs)
			pthread_join(workers[i].thread, NULL);
	files->begun = p.next_file;
	finish(&p);
	kt_free(workers);
	return rc;
}
