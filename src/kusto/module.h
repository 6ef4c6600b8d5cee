/* Loads the HTTP module: libcurl and its libraries take longer to load than all
 * the rest of the program, and most runs ask no cluster. */
#ifndef KT_KUSTO_MODULE_H
#define KT_KUSTO_MODULE_H

#include "base/err.h"
#include "kusto/http/http.h"

/* PATH is empty: beside the executable, else where it was installed. It stays
 * loaded until the program ends. NULL: class INTERNAL, with the places looked at. */
const struct kt_http_ops *kt_module_load(struct kt_str path, struct kt_err *err);

#endif
