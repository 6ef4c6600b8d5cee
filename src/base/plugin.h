/* Modules of the program that are loaded when they are needed first: what hangs on
 * large libraries takes longer to load than all the rest, and most runs need none.
 */
#ifndef KT_BASE_PLUGIN_H
#define KT_BASE_PLUGIN_H

#include "base/buf.h"

/* The table SYMBOL of the module FILE, a struct whose first member is an unsigned
 * that must be ABI. PATH names the file; when it is empty: beside the executable,
 * else where it was installed (builds with tests: else where it was built). The
 * module stays loaded until the program ends. NULL: WHY tells what stood in each
 * place. */
const void *kt_plugin(struct kt_str path, const char *file, const char *symbol, unsigned abi,
		      struct kt_buf *why);

#endif
