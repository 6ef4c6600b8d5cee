/* Being told to stop, while waiting for something else. */
#ifndef KT_KUSTO_CANCEL_H
#define KT_KUSTO_CANCEL_H

#include <stdbool.h>
#include <stdint.h>

struct kt_cancel {
	bool (*fn)(void *ctx); /* may be NULL */
	void *ctx;
	int fd; /* -1: none */
};

int64_t kt_now_ms(void); /* of a clock that only goes forward */

/* True if cancelled. */
bool kt_cancelled(const struct kt_cancel *c);
/* Waits; true if cancelled meanwhile. */
bool kt_cancel_sleep(const struct kt_cancel *c, int64_t ms);

#endif
