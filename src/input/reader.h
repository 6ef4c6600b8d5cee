/* One source, read to its end. Inside the module only. */
#ifndef KT_INPUT_READER_H
#define KT_INPUT_READER_H

#include "input/bytes.h"
#include "input/input.h"

/* Adds a row that was not read, with its problem. */
void kt_read_refuse(struct kt_inputs *in, struct kt_str name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Reads B and adds a row for it, or one for each member of what is packed. */
int kt_read_bytes(struct kt_inputs *in, struct kt_str name, struct kt_bytes *b, kt_record_fn fn, void *ctx);

#define KT_READ_WINDOWED (1u << 20) /* files from this size on are read in windows */

/* Without waiting for the other end of a pipe; -1 with errno. */
int kt_read_open(const char *path);

/* Opens PATH, which is no folder, and reads it. */
int kt_read_file(struct kt_inputs *in, const char *path, kt_record_fn fn, void *ctx);

#endif
