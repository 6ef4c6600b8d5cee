/* A module that is not there, or is another's, is named with the place. */
#include <criterion/criterion.h>

#include "base/plugin.h"

static void expect_none(struct kt_str path, const char *file, const char *symbol, unsigned abi,
			const char *why)
{
	struct kt_buf b = KT_BUF(4096);

	cr_expect_null(kt_plugin(path, file, symbol, abi, &b));
	cr_expect(kt_str_find(kt_buf_view(&b), kt_str_c(why), 0) != KT_NPOS, "%s", kt_buf_c(&b));
	kt_buf_free(&b);
}

Test(plugin, what_cannot_be_loaded_is_named)
{
	expect_none(KT_S("/nowhere/x.so"), "x.so", "table", 1, "/nowhere/x.so");
	expect_none(KT_NONE, "ktriage-none.so", "table", 1, KT_MODULES_INSTALLED "/ktriage-none.so");
	expect_none(KT_S("x.so"), "x.so", "table", 1, "no path"); /* never by the loader's search */
}
