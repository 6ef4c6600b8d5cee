/* bzip2. Not through libarchive, which drops what came before a damage. */
#include <bzlib.h>
#include <limits.h>

#include "input/unpack/part.h"

struct state {
	bz_stream z;
	bool open;
	const struct kt_codec_host *host;
};

static void *take(void *host, int n, int size)
{
	return n < 0 || size < 0 ? NULL : kt_codec_alloc(host, (size_t)n, (size_t)size);
}

static void give_back(void *host, void *p)
{
	if (p)
		((const struct kt_codec_host *)host)->free(p);
}

static bool bzip2_starts(const unsigned char *p, size_t n)
{
	return kt_starts_with(p, n, "BZh", 3);
}

static void *bzip2_make(const struct kt_codec_host *host)
{
	struct state *s = host->alloc(sizeof *s);

	s->host = host;
	return s;
}

static bool bzip2_begin(void *state)
{
	struct state *s = state;

	if (s->open)
		BZ2_bzDecompressEnd(&s->z);
	s->z = (bz_stream){.bzalloc = take, .bzfree = give_back, .opaque = (void *)(uintptr_t)s->host};
	s->open = BZ2_bzDecompressInit(&s->z, 0, 0) == BZ_OK;
	return s->open;
}

static unsigned at_most(size_t n)
{
	return n < UINT_MAX ? (unsigned)n : UINT_MAX;
}

static enum kt_step bzip2_step(void *state, struct kt_piece *p, struct kt_codec_trouble *t)
{
	bz_stream *z = &((struct state *)state)->z;
	unsigned in = at_most(p->in_len), out = at_most(p->out_len);

	z->next_in = (char *)(uintptr_t)p->in;
	z->avail_in = in;
	z->next_out = (char *)p->out;
	z->avail_out = out;
	int rc = BZ2_bzDecompress(z);
	p->in += in - z->avail_in;
	p->in_len -= in - z->avail_in;
	p->out += out - z->avail_out;
	p->out_len -= out - z->avail_out;
	if (rc == BZ_STREAM_END)
		return KT_STEP_FRAME;
	if (rc == BZ_OK)
		return KT_STEP_ON;
	return kt_step_fault(t, rc == BZ_MEM_ERROR ? KT_FAULT_MEMORY : KT_FAULT_DAMAGED, NULL);
}

static void bzip2_end(void *take_state)
{
	struct state *s = take_state;

	if (s->open)
		BZ2_bzDecompressEnd(&s->z);
	s->host->free(s);
}

const struct kt_coder kt_coder_bzip2 = {bzip2_starts, bzip2_make, bzip2_begin, bzip2_step, bzip2_end};
