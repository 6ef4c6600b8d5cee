#include "kusto/module.h"

#include "base/buf.h"
#include "base/plugin.h"

#include "base/banned.h"

const struct kt_http_ops *kt_module_load(struct kt_str path, struct kt_err *err)
{
	struct kt_buf why = KT_BUF(2048);
	const struct kt_http_ops *ops = kt_plugin(path, "ktriage-http.so", KT_HTTP_SYMBOL, KT_HTTP_ABI, &why);

	if (!ops)
		kt_err_set(err, KT_ERR_INTERNAL, "the HTTP module cannot be loaded: %s", kt_buf_c(&why));
	kt_buf_free(&why);
	return ops;
}
