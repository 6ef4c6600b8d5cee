#include "kusto/cancel.h"

#include <poll.h>
#include <time.h>

#include "base/banned.h"

#define SLICE_MS 50 /* how often the callback is asked */

int64_t kt_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool readable(int fd, int64_t ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return poll(&p, fd >= 0, (int)ms) > 0;
}

bool kt_cancelled(const struct kt_cancel *c)
{
	return (c->fn && c->fn(c->ctx)) || (c->fd >= 0 && readable(c->fd, 0));
}

bool kt_cancel_sleep(const struct kt_cancel *c, int64_t ms)
{
	int64_t end = kt_now_ms() + ms, left;

	while ((left = end - kt_now_ms()) > 0) {
		if (readable(c->fd, left < SLICE_MS ? left : SLICE_MS) || kt_cancelled(c))
			return true;
	}
	return kt_cancelled(c);
}
