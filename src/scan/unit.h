/* A file, or a segment of one, that one thread reads; what it finds waits here until
 * its turn to be told. Inside the module only. */
#ifndef KT_SCAN_UNIT_H
#define KT_SCAN_UNIT_H

#include <pthread.h>
#include <stdatomic.h>

#include "input/segment.h"
#include "scan/lane.h"
#include "scan/news.h"

struct kt_unit {
	size_t file;
	const char *path;
	bool whole; /* the file; else SEG of it */
	bool last;  /* of the file */
	struct kt_segment seg;
	struct kt_inputs in;      /* its rows */
	struct kt_scan_sink sink; /* that takes its news */
	_Atomic uint64_t bytes;   /* read so far */
	atomic_bool endless;      /* they are not bytes of the file: it is packed, or a pipe */
	/* under the lock: */
	pthread_mutex_t *lock;
	pthread_cond_t *changed;
	struct kt_news *first, **end;
	size_t waiting; /* bytes of news */
	bool started;   /* seg.start is known */
	bool done;
	bool cancelled; /* nobody wants its news */
	bool unbounded; /* the thread that runs it also takes its news */
};

#define KT_UNIT_WAITING (2u << 20) /* bytes of news at which its thread waits */

/* IN: the limits, headers and `stop` of its own. */
void kt_unit_begin(struct kt_unit *u, const struct kt_inputs *in, pthread_mutex_t *lock,
		   pthread_cond_t *changed);
void kt_unit_free(struct kt_unit *u);

/* Reads it with LANE. */
void kt_unit_run(struct kt_unit *u, struct kt_lane *lane);

#endif
