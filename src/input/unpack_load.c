#include <pthread.h>

#include "base/plugin.h"
#include "input/unpack_layer.h"

#include "base/banned.h"

static struct module {
	const char *file, *symbol;
	pthread_mutex_t lock;
	const struct kt_codec_ops *ops;
} modules[] = {
	{"ktriage-unpack.so", "kt_unpack_module", PTHREAD_MUTEX_INITIALIZER, NULL},
	{"ktriage-archive.so", "kt_archive_module", PTHREAD_MUTEX_INITIALIZER, NULL},
};

const struct kt_codec_ops *kt_unpack_ops(enum kt_packing what, struct kt_err *err)
{
	struct module *m = &modules[kt_packing_is_archive(what) || what == KT_PACK_COMPRESS];
	struct kt_buf why = KT_BUF(2048);
	const struct kt_codec_ops *ops;

	pthread_mutex_lock(&m->lock);
	if (!m->ops)
		m->ops = kt_plugin(KT_NONE, m->file, m->symbol, KT_UNPACK_ABI, &why);
	ops = m->ops;
	pthread_mutex_unlock(&m->lock);
	if (!ops)
		kt_err_set(err, KT_ERR_INTERNAL, "compressed, and %s cannot be loaded: unpack it first; %s",
			   m->file, kt_buf_c(&why));
	kt_buf_free(&why);
	return ops;
}
