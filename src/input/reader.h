/* One source of bytes, read to its end. Inside the module only. */
#ifndef KT_INPUT_READER_H
#define KT_INPUT_READER_H

#include "input/input.h"

struct kt_source {
	struct kt_str name;
	int fd; /* -1: TEXT is the source */
	struct kt_str text;
};

/* Adds a row for SRC and reads it; returns 0 or what FN returned. */
int kt_read_source(struct kt_inputs *in, const struct kt_source *src, kt_record_fn fn, void *ctx);

/* Adds a row that was not read, with its problem. */
void kt_read_refuse(struct kt_inputs *in, struct kt_str name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Opens PATH, which is no folder, and reads it. */
int kt_read_file(struct kt_inputs *in, const char *path, kt_record_fn fn, void *ctx);

#endif
