#include "base/map.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"

#include "base/banned.h"

static _Thread_local struct kt_map *window; /* of this thread, while it is open */
static struct sigaction before;

/* The part of the window from AT on is no file any more. */
static bool fill_with_zeros(struct kt_map *m, const char *at)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *from = m->base + (size_t)(at - m->base) / page * page;
	size_t size = m->size - (size_t)(from - m->base);

	m->torn = 1;
	return mmap(from, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == from;
}

/* Only calls that are made straight to the kernel. */
static void on_bus_error(int sig, siginfo_t *info, void *context)
{
	struct kt_map *m = window;
	const char *at = info->si_addr;

	(void)context;
	if (m && at >= m->base && at < m->base + m->size && fill_with_zeros(m, at))
		return;
	sigaction(sig, &before, NULL); /* not ours: the instruction faults again, and ends as ever */
}

static void install(void)
{
	struct sigaction on = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};

	sigaction(SIGBUS, &on, &before);
}

int kt_map_open(struct kt_map *m, int fd, uint64_t offset, size_t len)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	size_t page = (size_t)sysconf(_SC_PAGESIZE), ahead = offset % page;

	*m = (struct kt_map){0};
	if (kt_fault_read()) {
		errno = EIO;
		return -1;
	}
	pthread_once(&once, install);
	void *base = mmap(NULL, ahead + len, PROT_READ, MAP_PRIVATE, fd, (off_t)(offset - ahead));
	if (base == MAP_FAILED)
		return -1;
	m->base = base;
	m->size = ahead + len;
	m->text = (struct kt_str){m->base + ahead, len};
	window = m;
	return 0;
}

void kt_map_close(struct kt_map *m)
{
	window = NULL;
	munmap(m->base, m->size);
	*m = (struct kt_map){.torn = m->torn};
}
