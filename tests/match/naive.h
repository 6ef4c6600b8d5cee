/* The reference: each pattern over each record, by PCRE2 alone, without limits,
 * without windows, without a thought of speed. */
#ifndef NAIVE_H
#define NAIVE_H

#include "hits.h"
#include "input/input.h"

struct naive;

struct naive *naive_new(const struct kt_kb *kb, const struct kt_headers *headers);
void naive_free(struct naive *take_n);

/* The hits of PATH, a file or a folder. False: not all was read, said on stderr. */
bool naive_scan(struct naive *n, const char *path, struct hits *out);

#endif
