/* The table of ktriage-unpack.so. */
#include "input/unpack/part.h"

#ifdef KT_ISAL
#define FAST_GZIP      (&kt_coder_isal)
#define FAST_GZIP_NAME "isa-l"
#else
#define FAST_GZIP      (&kt_coder_zlib)
#define FAST_GZIP_NAME "zlib"
#endif

static struct kt_codec *module_open(enum kt_packing what, const struct kt_codec_host *host)
{
	switch (what) {
	case KT_PACK_GZIP: return kt_stream_open(host->portable ? &kt_coder_zlib : FAST_GZIP, host);
	case KT_PACK_ZSTD: return kt_stream_open(&kt_coder_zstd, host);
	case KT_PACK_XZ: return kt_stream_open(&kt_coder_xz, host);
	case KT_PACK_LZ4: return kt_stream_open(&kt_coder_lz4, host);
	case KT_PACK_LZ4BLOCK: return kt_stream_open(&kt_coder_lz4block, host);
	case KT_PACK_BZIP2: return kt_stream_open(&kt_coder_bzip2, host);
	default: return NULL;
	}
}

const struct kt_codec_ops kt_unpack_module = {
	.abi = KT_UNPACK_ABI,
	.gzip = FAST_GZIP_NAME,
	.open = module_open,
	.next = kt_codec_next,
	.read = kt_codec_read,
	.trouble = kt_codec_trouble,
	.close = kt_codec_close,
};
