/* gzip with ISA-L, twice as fast as zlib on x86-64 and arm64; where it was found when
 * the build was configured. */
#ifdef KT_ISAL

#include <isa-l/igzip_lib.h>
#include <limits.h>

#include "input/unpack/part.h"

struct state {
	struct inflate_state z;
	const struct kt_codec_host *host;
};

static void *isal_make(const struct kt_codec_host *host)
{
	struct state *s = host->alloc(sizeof *s);

	s->host = host;
	return s;
}

static void isal_end(void *take_state)
{
	((struct state *)take_state)->host->free(take_state);
}

static bool isal_begin(void *state)
{
	struct inflate_state *z = &((struct state *)state)->z;

	isal_inflate_init(z);
	z->crc_flag = ISAL_GZIP; /* header, checksum and length are its business */
	return true;
}

static const char *words_of(int rc)
{
	switch (rc) {
	case ISAL_INVALID_BLOCK: return "invalid block";
	case ISAL_INVALID_SYMBOL: return "invalid code";
	case ISAL_INVALID_LOOKBACK: return "invalid distance too far back";
	case ISAL_INVALID_WRAPPER: return "invalid header";
	case ISAL_UNSUPPORTED_METHOD: return "unknown compression method";
	default: return NULL;
	}
}

static uint32_t at_most(size_t n)
{
	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static enum kt_step isal_step(void *state, struct kt_piece *p, struct kt_codec_trouble *t)
{
	struct inflate_state *z = &((struct state *)state)->z;
	uint32_t in = at_most(p->in_len), out = at_most(p->out_len);

	z->next_in = (uint8_t *)(uintptr_t)p->in;
	z->avail_in = in;
	z->next_out = p->out;
	z->avail_out = out;
	int rc = isal_inflate(z);
	p->in += in - z->avail_in;
	p->in_len -= in - z->avail_in;
	p->out += out - z->avail_out;
	p->out_len -= out - z->avail_out;
	if (rc < 0)
		return kt_step_fault(t, rc == ISAL_INCORRECT_CHECKSUM ? KT_FAULT_CHECKSUM : KT_FAULT_DAMAGED,
				     words_of(rc));
	return z->block_state == ISAL_BLOCK_FINISH ? KT_STEP_FRAME : KT_STEP_ON;
}

const struct kt_coder kt_coder_isal = {kt_starts_gzip, isal_make, isal_begin, isal_step, isal_end};

#else
typedef int kt_no_isal; /* ISO C wants something in a file */
#endif
