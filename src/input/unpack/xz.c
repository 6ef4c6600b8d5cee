/* xz with liblzma. Not through libarchive, which would let a file of a few bytes ask for
 * a window of 1 GiB. */
#include <lzma.h>

#include "input/unpack/part.h"

#define BESIDE_WINDOW (4u << 20) /* what the decoder needs besides */

struct state {
	lzma_stream z;
	lzma_allocator allocator;
	const struct kt_codec_host *host;
};

static void *take(void *host, size_t n, size_t size)
{
	return kt_codec_alloc(host, n, size);
}

static void give_back(void *host, void *p)
{
	((const struct kt_codec_host *)host)->free(p);
}

static bool xz_starts(const unsigned char *p, size_t n)
{
	return kt_starts_with(p, n, "\xfd\x37zXZ\0", 6);
}

static void *xz_make(const struct kt_codec_host *host)
{
	struct state *s = host->alloc(sizeof *s);

	s->host = host;
	s->allocator = (lzma_allocator){take, give_back, (void *)(uintptr_t)host};
	s->z = (lzma_stream)LZMA_STREAM_INIT;
	s->z.allocator = &s->allocator;
	return s;
}

static bool xz_begin(void *state)
{
	struct state *s = state;

	return lzma_stream_decoder(&s->z, s->host->max_window + BESIDE_WINDOW, 0) == LZMA_OK;
}

static enum kt_step fault_of(lzma_ret rc, struct kt_codec_trouble *t)
{
	switch (rc) {
	case LZMA_MEMLIMIT_ERROR: return kt_step_fault(t, KT_FAULT_WINDOW, NULL);
	case LZMA_MEM_ERROR: return kt_step_fault(t, KT_FAULT_MEMORY, NULL);
	case LZMA_OPTIONS_ERROR: return kt_step_fault(t, KT_FAULT_METHOD, "with a filter of its own");
	default: return kt_step_fault(t, KT_FAULT_DAMAGED, NULL);
	}
}

static enum kt_step xz_step(void *state, struct kt_piece *p, struct kt_codec_trouble *t)
{
	lzma_stream *z = &((struct state *)state)->z;

	z->next_in = p->in;
	z->avail_in = p->in_len;
	z->next_out = p->out;
	z->avail_out = p->out_len;
	lzma_ret rc = lzma_code(z, LZMA_RUN);
	p->in = z->next_in;
	p->in_len = z->avail_in;
	p->out = z->next_out;
	p->out_len = z->avail_out;
	if (rc == LZMA_STREAM_END)
		return KT_STEP_FRAME;
	return rc == LZMA_OK || rc == LZMA_BUF_ERROR ? KT_STEP_ON : fault_of(rc, t);
}

static void xz_end(void *take_state)
{
	struct state *s = take_state;

	lzma_end(&s->z);
	s->host->free(s);
}

const struct kt_coder kt_coder_xz = {xz_starts, xz_make, xz_begin, xz_step, xz_end};
