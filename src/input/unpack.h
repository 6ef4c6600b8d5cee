/* Compressed inputs and bundles → the texts in them, one after the other, streamed:
 * nothing is unpacked to a disk, memory does not grow with sizes that a file claims.
 *
 *     struct kt_unpack *u = kt_unpack_open(from, &KT_UNPACK_LIMITS, err);
 *     while (u && (rc = kt_unpack_next(u, &member, err)) == 1) {
 *             if (member.problem.len)
 *                     ...                     // named, not read
 *             else
 *                     while ((n = kt_unpack_read(u, chunk, sizeof chunk, err)) > 0) ...
 *     }
 *     kt_unpack_close(u);
 *
 * What a file is, its first bytes say, never its name: gzip, zstd, xz, lz4, bzip2,
 * compress and the lz4 of Java's block streams; tar and zip; a tar in any of the
 * former. Members that are such files themselves are opened in turn, up to
 * max_depth. Names are labels and never opened; they are valid UTF-8 and may hold
 * anything else, "../../etc/passwd" and escape sequences, too.
 *
 * The libraries live in two modules, ktriage-unpack.so and ktriage-archive.so, which
 * are loaded when a file needs them first. One kt_unpack is used by one thread at a time; several may be at
 * work in several threads.
 */
#ifndef KT_INPUT_UNPACK_H
#define KT_INPUT_UNPACK_H

#include "input/bytes.h"

struct kt_unpack_limits {
	uint64_t max_bytes;   /* of one member; what is behind is not read */
	uint64_t max_total;   /* that decoders may give in all, read or skipped */
	uint64_t max_window;  /* that a decoder may have to look back */
	uint32_t max_members; /* of all archives of an input */
	uint32_t max_depth;   /* 1: members that are packed again are named, not read */
	bool portable;        /* tests: zlib even where there is something faster */
};

/* Far above what a cluster's bundle holds: they end a bomb, they judge no log. */
#define KT_UNPACK_LIMITS                                              \
	((struct kt_unpack_limits){.max_bytes = UINT64_C(64) << 30,   \
				   .max_total = UINT64_C(256) << 30,  \
				   .max_window = UINT64_C(128) << 20, \
				   .max_members = 10000,              \
				   .max_depth = 2})

/* Both texts are good until the next call for a member. */
struct kt_member {
	struct kt_str name;    /* empty: all of a plain .gz; "driver/stderr"; "inner.tar.gz!x.log" */
	struct kt_str problem; /* why it cannot be read, or no further: "encrypted: ..."; else empty */
};

struct kt_unpack;

/* FROM gives the packed bytes from their start; it stays borrowed. NULL: class
 * INPUT when the bytes are not packed ("not compressed"), are packed in a way that
 * is not read ("compressed (7z): unpack it first"), or cannot be read; INTERNAL when
 * a module cannot be loaded. */
struct kt_unpack *kt_unpack_open(struct kt_bytes *from, const struct kt_unpack_limits *limits,
				 struct kt_err *err);

/* 1: a member; what was not read of the last one is passed over. 0: no more. -1: no
 * further: damaged (INPUT), a limit (LIMIT), or FROM's own error; what was given
 * stays good, a further call says the same. When kt_unpack_read met that damage before,
 * the error is the same as its. Folders, links and devices are passed over in
 * silence. */
KT_MUST_CHECK int kt_unpack_next(struct kt_unpack *u, struct kt_member *m, struct kt_err *err);

/* Of the member at hand up to WANT bytes (at least 1) to TO: how many; 0: its end, or
 * it has a problem. -1: damaged (INPUT), a limit (LIMIT), or FROM's own error; what
 * was given stays good, a further call says the same; further members may follow. */
ssize_t kt_unpack_read(struct kt_unpack *u, char *to, size_t want, struct kt_err *err);

/* The same as bytes of the member at hand. They live as long as U. */
struct kt_bytes *kt_unpack_bytes(struct kt_unpack *u);

void kt_unpack_close(struct kt_unpack *take_u); /* NULL is fine */

#endif
