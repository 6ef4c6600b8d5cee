#include <criterion/criterion.h>

#include "term/escape.h"

static struct kt_buf escaped(struct kt_str s, enum kt_escape how)
{
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	kt_escape(&b, s, how);
	return b;
}

#define CHECK(in, how, want)                                 \
	do {                                                 \
		struct kt_buf b_ = escaped(KT_S(in), (how)); \
		cr_assert_str_eq(kt_buf_c(&b_), (want));     \
		kt_buf_free(&b_);                            \
	} while (0)

Test(escape, harmless_text_stays)
{
	CHECK("Timed out, café 日本 ✔ \\x1b", KT_ESC_LINE, "Timed out, café 日本 ✔ \\x1b");
	CHECK("", KT_ESC_LINE, "");
}

Test(escape, controls_become_visible)
{
	CHECK("\033]0;pwned\007\033[2J", KT_ESC_LINE, "\\x1b]0;pwned\\x07\\x1b[2J");
	CHECK("a\0b\177c", KT_ESC_LINE, "a\\x00b\\x7fc");
	CHECK("x\r overwritten\b", KT_ESC_LINE, "x\\x0d overwritten\\x08");
	CHECK("\xc2\x9b"
	      "31m",
	      KT_ESC_LINE, "\\u009b31m"); /* the 8-bit CSI */
}

Test(escape, characters_that_change_the_layout_become_visible)
{
	CHECK("user\u202etxt.exe", KT_ESC_LINE, "user\\u202etxt.exe");
	CHECK("a\u2066b\u2069", KT_ESC_LINE, "a\\u2066b\\u2069");
	CHECK("a\u2028b\u2029\ufeff", KT_ESC_LINE, "a\\u2028b\\u2029\\ufeff");
	CHECK("\U000e0041", KT_ESC_LINE, "\\U000e0041");
	CHECK("\u200b\u061c\ufff9", KT_ESC_LINE, "\\u200b\\u061c\\ufff9");
}

Test(escape, bytes_that_are_no_utf8_become_visible)
{
	CHECK("\xff\xfe", KT_ESC_LINE, "\\xff\\xfe");
	CHECK("\xc0\xaf", KT_ESC_LINE, "\\xc0\\xaf");          /* overlong */
	CHECK("\xed\xa0\x80", KT_ESC_LINE, "\\xed\\xa0\\x80"); /* surrogate */
	CHECK("\xe2\x82", KT_ESC_LINE, "\\xe2\\x82");          /* cut */
	CHECK("\x9b"
	      "2J",
	      KT_ESC_LINE, "\\x9b2J"); /* C1 as a raw byte */
}

Test(escape, line_feeds_and_tabs_by_choice)
{
	CHECK("a\tb\nc", KT_ESC_LINE, "a b\\nc");
	CHECK("a\r\n\tat b\rc", KT_ESC_TEXT, "a\n    at b\\x0dc");
}

Test(escape, twice_is_once)
{
	struct kt_buf b = escaped(KT_S("\033[31m\u202e\xff\tx"), KT_ESC_LINE);
	struct kt_buf c = escaped(kt_buf_view(&b), KT_ESC_LINE);

	cr_assert(kt_str_eq(kt_buf_view(&b), kt_buf_view(&c)));
	kt_buf_free(&b);
	kt_buf_free(&c);
}

Test(escape, every_byte_and_every_format_character_is_inert)
{
	for (unsigned i = 0; i < 256; i++) {
		char byte = (char)i;
		struct kt_buf b = escaped((struct kt_str){&byte, 1}, KT_ESC_LINE);
		cr_assert(kt_escape_clean(kt_buf_view(&b)), "byte %u", i);
		cr_assert(kt_escape_clean((struct kt_str){&byte, 1}) == (i >= 0x20 && i < 0x7f));
		kt_buf_free(&b);
	}
}
