/* Packs texts, and unpacks them again for comparison. */
#ifndef TEST_INPUT_UNPACK_MAKE_H
#define TEST_INPUT_UNPACK_MAKE_H

#include <archive.h>
#include <archive_entry.h>

#include "base/buf.h"
#include "input/unpack.h"

#define MAKE_MAX ((size_t)256 << 20)

/* TEXT through one of libarchive's filters (ARCHIVE_FILTER_GZIP ...), as one stream. */
void make_stream(int filter, struct kt_str text, struct kt_buf *out);
/* A frame with zstd's own library, with a window of 1 << WINDOW_LOG. */
void make_zstd(struct kt_str text, int window_log, struct kt_buf *out);

/* An archive under way: a format and one filter, which may be ARCHIVE_FILTER_NONE. */
struct make {
	struct archive *a;
	struct kt_buf *out;
};
void make_begin(struct make *m, int format, int filter, struct kt_buf *out);
void make_file(struct make *m, const char *name, struct kt_str text);
/* TYPE: AE_IFDIR, AE_IFLNK, AE_IFIFO, ...; AE_IFREG with LINK: a hard link. */
void make_other(struct make *m, const char *name, unsigned type, const char *link);
void make_end(struct make *m);

/* A file of tests/data/packed. */
void make_read(const char *name, struct kt_buf *out);
/* Some hundred lines that do not compress to nothing. */
void make_log(size_t lines, struct kt_buf *out);

/* Bytes that come WANT at a time at most (0: as asked), and fail behind FAIL_AT. */
struct dribble {
	struct kt_bytes bytes;
	struct kt_str left;
	size_t at_once;
	size_t fail_at; /* SIZE_MAX: not */
	uint64_t reads;
};
struct kt_bytes *dribble(struct dribble *d, struct kt_str text, size_t at_once);

/* All that is in PACKED, written out: per member "<name> length\n" and its text, then
 * "!error\n" if reading ended so; or "<name> !problem\n"; "!error\n" at the end for
 * that of the whole. */
struct unpacked {
	struct kt_unpack_limits limits;
	size_t at_once; /* of the source */
	size_t chunk;   /* bytes asked for at a time */
	size_t fail_at;
	struct kt_buf out;
	struct kt_buf text;   /* of all members */
	struct kt_buf errors; /* and problems, a line each */
	size_t members;
	uint64_t reads;
};
#define UNPACKED                                       \
	((struct unpacked){.limits = KT_UNPACK_LIMITS, \
			   .chunk = 8192,              \
			   .fail_at = SIZE_MAX,        \
			   .out = KT_BUF(MAKE_MAX),    \
			   .text = KT_BUF(MAKE_MAX),   \
			   .errors = KT_BUF(1 << 20)})
void unpack_all(struct unpacked *u, struct kt_str packed);
void unpacked_free(struct unpacked *u);

#endif
