#include "term/style.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <uniwidth.h>

#include "base/utf8.h"
#include "term/escape.h"

#include "base/banned.h"

#define WIDTH_DEFAULT 80u
#define WIDTH_LEAST   20u
#define WIDTH_MOST    1000u

bool kt_color_parse(struct kt_str word, enum kt_color *out)
{
	static const char *const words[] = {
#define X(id, w) w,
		KT_COLORS(X)
#undef X
	};

	for (size_t i = 0; i < KT_LEN(words); i++) {
		if (kt_str_eq_c(word, words[i])) {
			*out = (enum kt_color)i;
			return true;
		}
	}
	return false;
}

static bool set(const char *name)
{
	const char *v = getenv(name);

	return v && *v;
}

static bool is(const char *name, const char *value)
{
	const char *v = getenv(name);

	return v && strcmp(v, value) == 0;
}

bool kt_color_on(enum kt_color opt, int fd)
{
	if (opt != KT_COLOR_AUTO)
		return opt == KT_COLOR_ALWAYS;
	if (set("NO_COLOR"))
		return false;
	if (set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0"))
		return true;
	if (is("CLICOLOR", "0"))
		return false;
	return isatty(fd) && set("TERM") && !is("TERM", "dumb");
}

static unsigned clamp(uint64_t n)
{
	return n < WIDTH_LEAST ? WIDTH_LEAST : n > WIDTH_MOST ? WIDTH_MOST : (unsigned)n;
}

unsigned kt_term_width(int fd)
{
	struct winsize w = {0};
	uint64_t n;

	if (ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_col)
		return clamp(w.ws_col);
	if (kt_str_uint(kt_str_c(getenv("COLUMNS")), WIDTH_MOST, &n) && n)
		return clamp(n);
	return WIDTH_DEFAULT;
}

unsigned kt_term_height(int fd)
{
	struct winsize w = {0};

	return ioctl(fd, TIOCGWINSZ, &w) == 0 ? w.ws_row : 0;
}

/* The first of the locale's variables that is set names no UTF-8. */
static bool ascii_locale(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < KT_LEN(names); i++) {
		struct kt_str v = kt_str_c(getenv(names[i]));
		size_t dot = kt_str_chr(v, '.', 0);
		struct kt_str code = dot == KT_NPOS ? KT_NONE : kt_str_from(v, dot + 1);
		if (v.len)
			return !kt_str_ieq(kt_str_sub(code, 0, 5), KT_S("UTF-8")) &&
			       !kt_str_ieq(kt_str_sub(code, 0, 4), KT_S("utf8"));
	}
	return true;
}

void kt_style_init(struct kt_style *st, enum kt_color opt, int fd)
{
	st->color = kt_color_on(opt, fd);
	st->width = kt_term_width(fd);
	st->ascii = ascii_locale();
}

static const char *sgr(enum kt_paint paint)
{
	static const char *const codes[] = {
#define X(id, s) s,
		KT_PAINTS(X)
#undef X
	};

	return codes[paint];
}

static void paint_on(struct kt_buf *out, const struct kt_style *st, enum kt_paint paint)
{
	if (st->color && paint != KT_PAINT_PLAIN)
		kt_buf_fmt(out, "\033[%sm", sgr(paint));
}

static void paint_off(struct kt_buf *out, const struct kt_style *st, enum kt_paint paint)
{
	if (st->color && paint != KT_PAINT_PLAIN)
		kt_buf_str(out, "\033[0m");
}

void kt_paint(struct kt_buf *out, const struct kt_style *st, enum kt_paint paint, struct kt_str s)
{
	if (!s.len)
		return;
	paint_on(out, st, paint);
	kt_escape(out, s, KT_ESC_LINE);
	paint_off(out, st, paint);
}

void kt_paint_text(struct kt_buf *out, const struct kt_style *st, enum kt_paint paint, struct kt_str s)
{
	paint_on(out, st, paint);
	kt_escape(out, s, KT_ESC_TEXT);
	paint_off(out, st, paint);
}

void kt_blanks(struct kt_buf *out, unsigned n)
{
	kt_buf_fmt(out, "%*s", (int)n, "");
}

/* Columns of text that is escaped already. */
static unsigned columns(struct kt_str safe)
{
	unsigned n = 0;

	for (size_t at = 0; at < safe.len;) {
		uint32_t c;
		at += kt_utf8_next(safe, at, &c);
		int w = c < 0x7f ? 1 : uc_width(c, "UTF-8");
		n += w > 0 ? (unsigned)w : 0;
	}
	return n;
}

unsigned kt_width(struct kt_str s)
{
	struct kt_buf safe = KT_BUF(KT_BUF_TEXT);

	kt_escape(&safe, s, KT_ESC_LINE);
	unsigned n = columns(kt_buf_view(&safe));
	kt_buf_free(&safe);
	return n;
}

/* Length in bytes of the longest start of SAFE that fits into WIDTH columns. */
static size_t fitting(struct kt_str safe, unsigned width)
{
	unsigned used = 0;
	size_t at = 0;

	while (at < safe.len) {
		uint32_t c;
		size_t n = kt_utf8_next(safe, at, &c);
		used += columns(kt_str_sub(safe, at, n));
		if (used > width)
			break;
		at += n;
	}
	return at;
}

static void pad(struct kt_buf *out, struct kt_str s, unsigned width, bool left)
{
	struct kt_buf safe = KT_BUF(KT_BUF_TEXT);

	kt_escape(&safe, s, KT_ESC_LINE);
	if (columns(kt_buf_view(&safe)) > width) {
		kt_buf_cut(&safe, fitting(kt_buf_view(&safe), width ? width - 1 : 0));
		kt_buf_str(&safe, width ? "\u2026" : "");
	}
	unsigned rest = width - columns(kt_buf_view(&safe));
	if (left)
		kt_blanks(out, rest);
	kt_buf_add(out, kt_buf_view(&safe));
	if (!left)
		kt_blanks(out, rest);
	kt_buf_free(&safe);
}

void kt_pad(struct kt_buf *out, struct kt_str s, unsigned width)
{
	pad(out, s, width, false);
}

void kt_pad_left(struct kt_buf *out, struct kt_str s, unsigned width)
{
	pad(out, s, width, true);
}
