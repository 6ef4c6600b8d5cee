/* lz4, the frame format of the lz4 program. */
#include <lz4frame.h>
#include <string.h>

#include "input/unpack/part.h"

struct state {
	LZ4F_dctx *z;
	const struct kt_codec_host *host;
};

static bool lz4_starts(const unsigned char *p, size_t n)
{
	return kt_starts_with(p, n, "\x04\x22\x4d\x18", 4) || kt_starts_skippable(p, n);
}

static void *lz4_make(const struct kt_codec_host *host)
{
	struct state *s = host->alloc(sizeof *s);

	s->host = host;
	if (!LZ4F_isError(LZ4F_createDecompressionContext(&s->z, LZ4F_VERSION)))
		return s;
	host->free(s);
	return NULL;
}

static bool lz4_begin(void *state)
{
	LZ4F_resetDecompressionContext(((struct state *)state)->z);
	return true;
}

/* liblz4 keeps the codes of its errors to itself: only their names can be asked for. */
static enum kt_step fault_of(size_t rc, struct kt_codec_trouble *t)
{
	const char *name = LZ4F_getErrorName(rc);
	bool memory = !strcmp(name, "ERROR_allocation_failed");
	/* headerChecksum_invalid is one of any damage to the header */
	bool sum = !strcmp(name, "ERROR_contentChecksum_invalid") ||
		   !strcmp(name, "ERROR_blockChecksum_invalid");

	if (memory)
		return kt_step_fault(t, KT_FAULT_MEMORY, NULL);
	return kt_step_fault(t, sum ? KT_FAULT_CHECKSUM : KT_FAULT_DAMAGED, NULL);
}

static enum kt_step lz4_step(void *state, struct kt_piece *p, struct kt_codec_trouble *t)
{
	size_t in = p->in_len, out = p->out_len;
	size_t rc = LZ4F_decompress(((struct state *)state)->z, p->out, &out, p->in, &in, NULL);

	if (LZ4F_isError(rc))
		return fault_of(rc, t);
	p->in += in;
	p->in_len -= in;
	p->out += out;
	p->out_len -= out;
	return rc ? KT_STEP_ON : KT_STEP_FRAME;
}

static void lz4_end(void *take_state)
{
	struct state *s = take_state;

	LZ4F_freeDecompressionContext(s->z);
	s->host->free(s);
}

const struct kt_coder kt_coder_lz4 = {lz4_starts, lz4_make, lz4_begin, lz4_step, lz4_end};
