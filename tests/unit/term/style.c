#include <criterion/criterion.h>
#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <unistd.h>

#include "term/style.h"

static const struct kt_style bare = {.color = false, .width = 30};
static const struct kt_style coloured = {.color = true, .width = 30};

static int a_terminal(unsigned short columns)
{
	struct winsize w = {.ws_col = columns, .ws_row = 24};
	int master, slave;

	cr_assert(openpty(&master, &slave, NULL, NULL, &w) == 0);
	return slave;
}

static void clean_env(void)
{
	unsetenv("NO_COLOR");
	unsetenv("CLICOLOR");
	unsetenv("CLICOLOR_FORCE");
	setenv("TERM", "xterm", 1);
}

Test(style, colour_is_decided_by_option_then_environment_then_terminal)
{
	int tty = a_terminal(80), null = open("/dev/null", O_WRONLY);

	clean_env();
	cr_assert(kt_color_on(KT_COLOR_AUTO, tty));
	cr_assert(!kt_color_on(KT_COLOR_AUTO, null));
	cr_assert(kt_color_on(KT_COLOR_ALWAYS, null));
	cr_assert(!kt_color_on(KT_COLOR_NEVER, tty));
	setenv("TERM", "dumb", 1);
	cr_assert(!kt_color_on(KT_COLOR_AUTO, tty));
	unsetenv("TERM");
	cr_assert(!kt_color_on(KT_COLOR_AUTO, tty));
	clean_env();
	setenv("CLICOLOR", "0", 1);
	cr_assert(!kt_color_on(KT_COLOR_AUTO, tty));
	setenv("CLICOLOR_FORCE", "0", 1);
	cr_assert(!kt_color_on(KT_COLOR_AUTO, null));
	setenv("CLICOLOR_FORCE", "1", 1);
	cr_assert(kt_color_on(KT_COLOR_AUTO, null));
	setenv("NO_COLOR", "1", 1);
	cr_assert(!kt_color_on(KT_COLOR_AUTO, tty));
	cr_assert(kt_color_on(KT_COLOR_ALWAYS, tty));
	setenv("NO_COLOR", "", 1);
	cr_assert(kt_color_on(KT_COLOR_AUTO, null));
}

Test(style, words_of_the_option)
{
	enum kt_color c = KT_COLOR_AUTO;

	cr_assert(kt_color_parse(KT_S("never"), &c) && c == KT_COLOR_NEVER);
	cr_assert(!kt_color_parse(KT_S("nev"), &c));
}

Test(style, width_of_terminal_then_columns_then_80)
{
	setenv("COLUMNS", "132", 1);
	cr_assert(kt_term_width(a_terminal(64)) == 64);
	int null = open("/dev/null", O_WRONLY);
	cr_assert(kt_term_width(null) == 132);
	setenv("COLUMNS", "x", 1);
	cr_assert(kt_term_width(null) == 80);
	setenv("COLUMNS", "3", 1);
	cr_assert(kt_term_width(null) == 20);
}

Test(style, paint_escapes_and_colours)
{
	struct kt_buf b = KT_BUF(1000);

	kt_paint(&b, &coloured, KT_PAINT_GOOD, KT_S("ok\033[0m"));
	cr_assert_str_eq(kt_buf_c(&b), "\033[1;32mok\\x1b[0m\033[0m");
	kt_buf_clear(&b);
	kt_paint(&b, &bare, KT_PAINT_GOOD, KT_S("ok"));
	cr_assert_str_eq(kt_buf_c(&b), "ok");
	kt_buf_free(&b);
}

Test(style, width_counts_columns)
{
	cr_assert(kt_width(KT_S("caf\u00e9")) == 4);
	cr_assert(kt_width(KT_S("e\u0301")) == 1);
	cr_assert(kt_width(KT_S("日本")) == 4);
	cr_assert(kt_width(KT_S("\033")) == 4);
}

Test(style, pad_and_cut)
{
	struct kt_buf b = KT_BUF(1000);

	kt_pad(&b, KT_S("ab"), 4);
	kt_pad_left(&b, KT_S("12"), 4);
	kt_pad(&b, KT_S("abcdef"), 4);
	kt_pad(&b, KT_S("日本語"), 4); /* only one fits beside the mark */
	cr_assert_str_eq(kt_buf_c(&b), "ab    12abc…日… ");
	kt_buf_free(&b);
}

#define WRAP(text, col, indent, want)                                             \
	do {                                                                      \
		struct kt_buf b_ = KT_BUF(4096);                                  \
		kt_wrap(&b_, &bare, KT_PAINT_PLAIN, KT_S(text), (col), (indent)); \
		cr_assert_str_eq(kt_buf_c(&b_), (want));                          \
		kt_buf_free(&b_);                                                 \
	} while (0)

Test(wrap, hangs_at_the_indent)
{
	WRAP("the driver gave up waiting for polling and moving", 12, 12,
	     "the driver gave up\n            waiting for\n            polling and moving");
	WRAP("text", 3, 12, "         text");
	WRAP("", 0, 0, "");
}

Test(wrap, line_is_filled_to_the_last_column)
{
	WRAP("aaaaaaaaa bbbbbbbbb cccccccccc d", 0, 0, "aaaaaaaaa bbbbbbbbb cccccccccc\nd");
	WRAP("aaaaaaaaa bbbbbbbbb ccccccccccc d", 0, 0, "aaaaaaaaa bbbbbbbbb\nccccccccccc d");
}

Test(wrap, names_are_never_torn)
{
	WRAP("see write.finalize-await-timeout/and-more-of-it now", 0, 2,
	     "  see\n  write.finalize-await-timeout/and-more-of-it\n  now");
}

Test(wrap, line_feeds_and_leading_blanks_stay)
{
	WRAP("one\n\n  two\n", 0, 0, "one\n\n  two");
	WRAP("one\r\n\tat two", 0, 2, "  one\n      at two");
}

Test(wrap, ideographs_break_where_unicode_allows)
{
	WRAP("日本語日本語日本語日本語日本語日本語", 0, 0, "日本語日本語日本語日本語日本語\n日本語");
}

Test(wrap, foreign_bytes_are_escaped)
{
	WRAP("a\033[2Jb\u202e", 0, 0, "a\\x1b[2Jb\\u202e");
}
