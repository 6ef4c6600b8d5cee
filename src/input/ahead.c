#include "input/ahead.h"

#include <string.h>

#include "base/alloc.h"
#include "base/thread.h"

#include "base/banned.h"

#define PIECES 4
#define PIECE  (256u << 10)

struct piece {
	char *bytes;
	size_t len;
};

struct kt_ahead {
	struct kt_bytes bytes;
	struct kt_bytes *from;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct piece piece[PIECES];
	size_t given;      /* of the first full piece */
	struct kt_err err; /* of FROM, once `end` is -1 */
	/* under the lock: */
	size_t full, used; /* pieces: filled, and done with */
	int end;           /* 1: more comes; 0, -1: what FROM said last */
	bool closed;
};

/* A free piece; NULL: no more is wanted. */
static struct piece *wait_for_room(struct kt_ahead *a)
{
	pthread_mutex_lock(&a->lock);
	while (a->full - a->used == PIECES && !a->closed)
		pthread_cond_wait(&a->changed, &a->lock);
	struct piece *p = a->closed ? NULL : &a->piece[a->full % PIECES];
	pthread_mutex_unlock(&a->lock);
	return p;
}

static void give(struct kt_ahead *a, ssize_t last)
{
	pthread_mutex_lock(&a->lock);
	a->full++;
	if (last <= 0)
		a->end = last < 0 ? -1 : 0;
	pthread_cond_signal(&a->changed);
	pthread_mutex_unlock(&a->lock);
}

/* Fills P as far as FROM gives; what it said last. */
static ssize_t fill(struct kt_ahead *a, struct piece *p)
{
	ssize_t n = 1;

	p->len = 0;
	while (p->len < PIECE && n > 0) {
		n = a->from->read(a->from, p->bytes + p->len, PIECE - p->len, &a->err);
		p->len += n > 0 ? (size_t)n : 0;
	}
	return n;
}

static void *work(void *ctx)
{
	struct kt_ahead *a = ctx;
	struct piece *p;
	ssize_t last = 1;

	while (last > 0 && (p = wait_for_room(a)) != NULL) {
		last = fill(a, p);
		give(a, last);
	}
	return NULL;
}

/* The first piece that is not done with; NULL: there are no more. */
static const struct piece *wait_for_piece(struct kt_ahead *a)
{
	pthread_mutex_lock(&a->lock);
	while (a->full == a->used && a->end > 0)
		pthread_cond_wait(&a->changed, &a->lock);
	const struct piece *p = a->full == a->used ? NULL : &a->piece[a->used % PIECES];
	pthread_mutex_unlock(&a->lock);
	return p;
}

static void done_with_piece(struct kt_ahead *a)
{
	pthread_mutex_lock(&a->lock);
	a->used++;
	pthread_cond_signal(&a->changed);
	pthread_mutex_unlock(&a->lock);
	a->given = 0;
}

static ssize_t read_ahead(struct kt_bytes *b, char *to, size_t want, struct kt_err *err)
{
	struct kt_ahead *a = (struct kt_ahead *)b;
	const struct piece *p;

	while ((p = wait_for_piece(a)) != NULL) {
		size_t n = p->len - a->given < want ? p->len - a->given : want;
		if (n) {
			memcpy(to, p->bytes + a->given, n);
			a->given += n;
		}
		if (a->given == p->len)
			done_with_piece(a);
		if (n)
			return (ssize_t)n;
	}
	if (a->end < 0)
		*err = a->err;
	return a->end;
}

struct kt_ahead *kt_ahead_open(struct kt_bytes *from)
{
	struct kt_ahead *a = kt_alloc(sizeof *a);

	a->bytes = (struct kt_bytes){read_ahead};
	a->from = from;
	a->end = 1;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->changed, NULL);
	for (size_t i = 0; i < PIECES; i++)
		a->piece[i].bytes = kt_alloc(PIECE);
	if (kt_thread_start(&a->thread, work, a))
		return a;
	a->from = NULL;
	kt_ahead_close(a);
	return NULL;
}

struct kt_bytes *kt_ahead_bytes(struct kt_ahead *a)
{
	return &a->bytes;
}

void kt_ahead_close(struct kt_ahead *take_a)
{
	if (!take_a)
		return;
	pthread_mutex_lock(&take_a->lock);
	take_a->closed = true;
	pthread_cond_signal(&take_a->changed);
	pthread_mutex_unlock(&take_a->lock);
	if (take_a->from)
		pthread_join(take_a->thread, NULL);
	for (size_t i = 0; i < PIECES; i++)
		kt_free(take_a->piece[i].bytes);
	pthread_mutex_destroy(&take_a->lock);
	pthread_cond_destroy(&take_a->changed);
	kt_free(take_a);
}
