/* Bytes that a thread of its own reads ahead, so that unpacking and searching go on at
 * the same time. Inside the module only. */
#ifndef KT_INPUT_AHEAD_H
#define KT_INPUT_AHEAD_H

#include "input/bytes.h"

struct kt_ahead;

/* FROM is that thread's until kt_ahead_close. NULL: there are too many threads. */
struct kt_ahead *kt_ahead_open(struct kt_bytes *from);

/* The same bytes. They live as long as A. */
struct kt_bytes *kt_ahead_bytes(struct kt_ahead *a);

/* Waits until FROM has given what it was asked for last. */
void kt_ahead_close(struct kt_ahead *take_a);

#endif
