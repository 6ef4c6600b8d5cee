/* zstd: what Spark writes its event logs with. */
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "input/unpack/part.h"

struct state {
	ZSTD_DCtx *z;
	const struct kt_codec_host *host;
};

static bool zstd_starts(const unsigned char *p, size_t n)
{
	return kt_starts_with(p, n, "\x28\xb5\x2f\xfd", 4) || kt_starts_skippable(p, n);
}

static void zstd_end(void *take_state)
{
	struct state *s = take_state;

	ZSTD_freeDCtx(s->z);
	s->host->free(s);
}

static int log_of(uint64_t window)
{
	int log = 10;

	while (log < 31 && UINT64_C(2) << log <= window)
		log++;
	return log;
}

static void *zstd_make(const struct kt_codec_host *host)
{
	struct state *s = host->alloc(sizeof *s);
	size_t rc = 0;

	s->host = host;
	s->z = ZSTD_createDCtx();
	if (s->z)
		rc = ZSTD_DCtx_setParameter(s->z, ZSTD_d_windowLogMax, log_of(host->max_window));
	if (s->z && !ZSTD_isError(rc))
		return s;
	zstd_end(s);
	return NULL;
}

static bool zstd_begin(void *state)
{
	return !ZSTD_isError(ZSTD_DCtx_reset(((struct state *)state)->z, ZSTD_reset_session_only));
}

static enum kt_step fault_of(size_t rc, struct kt_codec_trouble *t)
{
	switch (ZSTD_getErrorCode(rc)) {
	case ZSTD_error_frameParameter_windowTooLarge: return kt_step_fault(t, KT_FAULT_WINDOW, NULL);
	case ZSTD_error_checksum_wrong: return kt_step_fault(t, KT_FAULT_CHECKSUM, NULL);
	case ZSTD_error_memory_allocation: return kt_step_fault(t, KT_FAULT_MEMORY, NULL);
	case ZSTD_error_dictionary_wrong: return kt_step_fault(t, KT_FAULT_METHOD, "with a dictionary");
	default: return kt_step_fault(t, KT_FAULT_DAMAGED, ZSTD_getErrorName(rc));
	}
}

static enum kt_step zstd_step(void *state, struct kt_piece *p, struct kt_codec_trouble *t)
{
	ZSTD_inBuffer in = {p->in, p->in_len, 0};
	ZSTD_outBuffer out = {p->out, p->out_len, 0};
	size_t rc = ZSTD_decompressStream(((struct state *)state)->z, &out, &in);

	p->in += in.pos;
	p->in_len -= in.pos;
	p->out += out.pos;
	p->out_len -= out.pos;
	if (ZSTD_isError(rc))
		return fault_of(rc, t);
	return rc ? KT_STEP_ON : KT_STEP_FRAME;
}

const struct kt_coder kt_coder_zstd = {zstd_starts, zstd_make, zstd_begin, zstd_step, zstd_end};
