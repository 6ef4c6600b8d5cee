/* The parts of the modules: each codec begins with a struct kt_codec. Inside them
 * only. */
#ifndef KT_INPUT_UNPACK_PART_H
#define KT_INPUT_UNPACK_PART_H

#include "input/unpack/codec.h"

struct kt_codec {
	const struct kt_codec_vt *vt;
	struct kt_codec_host host;
	struct kt_codec_trouble trouble;
};

struct kt_codec_vt {
	int (*next)(struct kt_codec *c, struct kt_codec_member *m);
	ssize_t (*read)(struct kt_codec *c, char *to, size_t want);
	void (*close)(struct kt_codec *take_c);
};

/* For the allocation hooks of libraries: N * SIZE, or NULL when that is no size. */
void *kt_codec_alloc(const struct kt_codec_host *host, size_t n, size_t size);

/* For the tables. */
int kt_codec_next(struct kt_codec *c, struct kt_codec_member *m);
ssize_t kt_codec_read(struct kt_codec *c, char *to, size_t want);
struct kt_codec_trouble kt_codec_trouble(const struct kt_codec *c);
void kt_codec_close(struct kt_codec *take_c);

/* ---- one compressed stream ---- */

/* Bytes to decode and room for what comes out; a step moves both. */
struct kt_piece {
	const unsigned char *in;
	size_t in_len;
	unsigned char *out;
	size_t out_len;
};

enum kt_step { KT_STEP_ON, KT_STEP_FRAME, /* its end was reached */ KT_STEP_FAULT };

/* A way to compress. A stream is one or more frames, one behind the other. */
struct kt_coder {
	bool (*starts)(const unsigned char *p, size_t n); /* does a frame begin so? */
	void *(*make)(const struct kt_codec_host *host);  /* HOST stays; NULL: no memory */
	bool (*begin)(void *state);                       /* a frame; false: no memory */
	enum kt_step (*step)(void *state, struct kt_piece *p, struct kt_codec_trouble *t);
	void (*end)(void *take_state);
};

extern const struct kt_coder kt_coder_zlib, kt_coder_zstd, kt_coder_xz, kt_coder_bzip2, kt_coder_lz4,
	kt_coder_lz4block;
#ifdef KT_ISAL
extern const struct kt_coder kt_coder_isal;
#endif

struct kt_codec *kt_stream_open(const struct kt_coder *coder, const struct kt_codec_host *host);

/* Is it a frame of bytes that decoders pass over? zstd and lz4 share these. */
bool kt_starts_skippable(const unsigned char *p, size_t n);
bool kt_starts_with(const unsigned char *p, size_t n, const char *magic, size_t len);
bool kt_starts_gzip(const unsigned char *p, size_t n);

static inline enum kt_step kt_step_fault(struct kt_codec_trouble *t, enum kt_codec_fault fault,
					 const char *detail)
{
	*t = (struct kt_codec_trouble){fault, detail ? detail : ""};
	return KT_STEP_FAULT;
}

#endif
