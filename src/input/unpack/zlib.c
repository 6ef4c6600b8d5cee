/* gzip with zlib: everywhere. */
#include <limits.h>
#include <string.h>
#include <zlib.h>

#include "input/unpack/part.h"

#define GZIP_ONLY (16 + 15) /* window bits: a gzip header, 32 KiB */

struct state {
	z_stream z;
	const struct kt_codec_host *host;
};

static void *take(void *host, unsigned n, unsigned size)
{
	return kt_codec_alloc(host, n, size);
}

static void give_back(void *host, void *p)
{
	((const struct kt_codec_host *)host)->free(p);
}

static void zlib_end(void *take_state)
{
	struct state *s = take_state;

	inflateEnd(&s->z);
	s->host->free(s);
}

static void *zlib_make(const struct kt_codec_host *host)
{
	struct state *s = host->alloc(sizeof *s);

	s->host = host;
	s->z = (z_stream){.zalloc = take, .zfree = give_back, .opaque = (void *)(uintptr_t)host};
	if (inflateInit2(&s->z, GZIP_ONLY) == Z_OK)
		return s;
	host->free(s);
	return NULL;
}

static bool zlib_begin(void *state)
{
	return inflateReset(&((struct state *)state)->z) == Z_OK;
}

static unsigned at_most(size_t n)
{
	return n < UINT_MAX ? (unsigned)n : UINT_MAX;
}

static enum kt_step zlib_step(void *state, struct kt_piece *p, struct kt_codec_trouble *t)
{
	z_stream *z = &((struct state *)state)->z;
	unsigned in = at_most(p->in_len), out = at_most(p->out_len);

	z->next_in = (unsigned char *)(uintptr_t)p->in;
	z->avail_in = in;
	z->next_out = p->out;
	z->avail_out = out;
	int rc = inflate(z, Z_NO_FLUSH);
	p->in += in - z->avail_in;
	p->in_len -= in - z->avail_in;
	p->out += out - z->avail_out;
	p->out_len -= out - z->avail_out;
	if (rc == Z_STREAM_END)
		return KT_STEP_FRAME;
	if (rc == Z_OK || rc == Z_BUF_ERROR)
		return KT_STEP_ON;
	if (rc == Z_MEM_ERROR)
		return kt_step_fault(t, KT_FAULT_MEMORY, NULL);
	/* zlib has no other sign for these two. */
	bool sum = z->msg &&
		   (!strcmp(z->msg, "incorrect data check") || !strcmp(z->msg, "incorrect length check"));
	return kt_step_fault(t, sum ? KT_FAULT_CHECKSUM : KT_FAULT_DAMAGED, sum ? NULL : z->msg);
}

const struct kt_coder kt_coder_zlib = {kt_starts_gzip, zlib_make, zlib_begin, zlib_step, zlib_end};
