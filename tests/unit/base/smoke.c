#include <criterion/criterion.h>

#include "base/buf.h"
#include "base/err.h"

Test(buf, ceiling_is_kept_and_reported)
{
	struct kt_buf b = KT_BUF(5);

	kt_buf_str(&b, "abc");
	kt_buf_str(&b, "defg");
	cr_assert(b.full);
	cr_assert(kt_str_eq(kt_buf_view(&b), KT_S("abc")));
	kt_buf_clear(&b);
	kt_buf_str(&b, "abcde");
	cr_assert(!b.full && b.len == 5);
	kt_buf_free(&b);
}

Test(buf, fixed_point)
{
	struct kt_buf b = KT_BUF(100);

	kt_buf_fixed(&b, -45, 1);
	kt_buf_char(&b, ' ');
	kt_buf_fixed(&b, 7, 3);
	cr_assert_str_eq(kt_buf_c(&b), "-4.5 0.007");
	kt_buf_free(&b);
}

Test(err, first_error_wins_and_long_text_is_cut)
{
	struct kt_err err = {0};

	cr_assert(kt_err_set(&err, KT_ERR_INPUT, "%0700d", 1) == -1);
	cr_assert(kt_err_set(&err, KT_ERR_LIMIT, "second") == -1);
	cr_assert(err.cls == KT_ERR_INPUT);
	cr_assert_str_eq(err.text + sizeof err.text - 4, "...");
}
