/* Threads that do a piece of work for another one. */
#ifndef KT_BASE_THREAD_H
#define KT_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts WORK in a thread that gets no signals: they are for the one that began. False
 * when there are too many threads. */
bool kt_thread_start(pthread_t *t, void *(*work)(void *ctx), void *ctx);

#endif
