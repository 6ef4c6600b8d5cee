#include "base/thread.h"

#include <signal.h>

#include "base/banned.h"

/* What its own instructions cause stays: a file that shrinks is a SIGBUS. */
bool kt_thread_start(pthread_t *t, void *(*work)(void *ctx), void *ctx)
{
	sigset_t all, before;

	sigfillset(&all);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGFPE);
	sigdelset(&all, SIGILL);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	bool started = pthread_create(t, NULL, work, ctx) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}
