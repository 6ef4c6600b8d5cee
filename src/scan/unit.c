#include "scan/unit.h"

#include "base/banned.h"

/* --- news --- */

/* Waits while too much waits already. Not 0: nobody wants it. */
static int post(struct kt_unit *u, struct kt_news *news)
{
	pthread_mutex_lock(u->lock);
	if (!u->first) /* else it was said already; to say it for each costs more than finding it */
		pthread_cond_broadcast(u->changed);
	*u->end = news;
	u->end = &news->next;
	u->waiting += news->size;
	while (u->waiting > KT_UNIT_WAITING && !u->cancelled && !u->unbounded)
		pthread_cond_wait(u->changed, u->lock);
	int rc = u->cancelled;
	pthread_mutex_unlock(u->lock);
	return rc;
}

static int on_record(void *ctx, const struct kt_record *rec, const struct kt_hit *hits, size_t n)
{
	struct kt_unit *u = ctx;
	struct kt_news *news = kt_news_of_record(rec, hits, n);

	news->name = u->in.list[rec->input].name;
	return post(u, news);
}

static void on_limit(void *ctx, uint32_t input, uint64_t line, uint32_t pattern, enum kt_inconclusive why)
{
	struct kt_unit *u = ctx;
	struct kt_news *news = kt_news_of_limit(input, line, pattern, why);

	news->name = u->in.list[input].name;
	(void)post(u, news);
}

static void on_capped(void *ctx, uint32_t input, uint32_t pattern, uint64_t literals)
{
	struct kt_unit *u = ctx;
	struct kt_news *news = kt_news_of_cap(input, pattern, literals);

	news->name = u->in.list[input].name;
	(void)post(u, news);
}

static void on_progress(void *ctx, struct kt_str name, uint64_t done, uint64_t total)
{
	struct kt_unit *u = ctx;

	(void)name;
	if (!total)
		atomic_store(&u->endless, true);
	atomic_store(&u->bytes, done > u->seg.begin ? done - u->seg.begin : 0);
}

/* --- the unit --- */

void kt_unit_begin(struct kt_unit *u, const struct kt_inputs *in, pthread_mutex_t *lock,
		   pthread_cond_t *changed)
{
	*u = (struct kt_unit){.in = *in, .lock = lock, .changed = changed};
	u->end = &u->first;
	u->in.progress = on_progress;
	u->in.progress_ctx = u;
	u->sink = (struct kt_scan_sink){on_record, on_limit, on_capped, NULL, u};
}

void kt_unit_free(struct kt_unit *u)
{
	while (u->first) {
		struct kt_news *next = u->first->next;
		kt_news_free(u->first);
		u->first = next;
	}
	kt_inputs_free(&u->in);
}

static int on_started(void *ctx)
{
	struct kt_lane *lane = ctx;
	struct kt_unit *u = lane->sink->ctx;

	pthread_mutex_lock(u->lock);
	u->started = true;
	int rc = u->cancelled;
	pthread_cond_broadcast(u->changed);
	pthread_mutex_unlock(u->lock);
	return rc;
}

void kt_unit_run(struct kt_unit *u, struct kt_lane *lane)
{
	int rc;

	kt_lane_aim(lane, &u->sink, &u->in);
	if (u->whole) {
		rc = kt_inputs_path(&u->in, u->path, kt_lane_record, lane);
	} else {
		u->seg.started = on_started;
		rc = kt_read_segment(&u->in, kt_str_c(u->path), &u->seg, kt_lane_record, lane);
	}
	(void)rc; /* not 0 only when it is cancelled */
	kt_lane_restart(lane);
}
