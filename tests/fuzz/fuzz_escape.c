/* Whatever the bytes: what comes out is inert, and escaping it again changes nothing. */
#include <stdlib.h>

#include "term/escape.h"
#include "term/style.h"

static void require(bool ok)
{
	if (!ok)
		abort();
}

static bool inert_lines(struct kt_str text)
{
	struct kt_str line;

	while (kt_str_cut(&text, '\n', &line))
		if (!kt_escape_clean(line))
			return false;
	return true;
}

static void escape_once(struct kt_str s, enum kt_escape how)
{
	struct kt_buf once = KT_BUF(KT_BUF_TEXT), twice = KT_BUF(KT_BUF_TEXT);

	kt_escape(&once, s, how);
	kt_escape(&twice, kt_buf_view(&once), how);
	require(how == KT_ESC_LINE ? kt_escape_clean(kt_buf_view(&once)) : inert_lines(kt_buf_view(&once)));
	require(kt_str_eq(kt_buf_view(&once), kt_buf_view(&twice)));
	kt_buf_free(&once);
	kt_buf_free(&twice);
}

static void wrap_it(struct kt_str s, unsigned width)
{
	struct kt_style st = {.width = width};
	struct kt_buf out = KT_BUF(KT_BUF_TEXT);

	kt_wrap(&out, &st, KT_PAINT_PLAIN, s, width % 7, width % 5);
	require(inert_lines(kt_buf_view(&out)));
	kt_buf_clear(&out);
	kt_pad(&out, s, width);
	require(kt_width(kt_buf_view(&out)) == width);
	kt_buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kt_str s = {(const char *)data, size};

	escape_once(s, KT_ESC_LINE);
	escape_once(s, KT_ESC_TEXT);
	wrap_it(s, size ? 20 + data[0] % 100u : 20);
	return 0;
}
