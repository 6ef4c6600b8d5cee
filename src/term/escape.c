#include "term/escape.h"

#include "base/utf8.h"

#include "base/banned.h"

/* Printable ASCII: what nearly all text consists of. */
static bool plain(unsigned char b)
{
	return b >= 0x20 && b < 0x7f;
}

static size_t plain_run(struct kt_str s, size_t at)
{
	size_t end = at;

	while (end < s.len && plain((unsigned char)s.p[end]))
		end++;
	return end - at;
}

/* Interlinear annotation hides text like the marks that base names. */
static bool hides(uint32_t c)
{
	return kt_utf8_is_format(c) || (c >= 0xfff9 && c <= 0xfffb);
}

static void blank(struct kt_buf *out, uint32_t c, enum kt_escape how)
{
	if (c == '\t')
		kt_buf_str(out, how == KT_ESC_TEXT ? "    " : " ");
	else if (how == KT_ESC_TEXT)
		kt_buf_char(out, '\n');
	else
		kt_buf_str(out, "\\n");
}

static void visible(struct kt_buf *out, uint32_t c)
{
	if (c < 0x80)
		kt_buf_fmt(out, "\\x%02x", c);
	else if (c < 0x10000)
		kt_buf_fmt(out, "\\u%04x", c);
	else
		kt_buf_fmt(out, "\\U%08x", c);
}

static bool crlf(struct kt_str s, size_t at)
{
	return s.p[at] == '\r' && at + 1 < s.len && s.p[at + 1] == '\n';
}

/* Escapes the one character at AT; returns its length in S. */
static size_t one(struct kt_buf *out, struct kt_str s, size_t at, enum kt_escape how)
{
	uint32_t c;
	size_t n = kt_utf8_next(s, at, &c);

	if (how == KT_ESC_TEXT && crlf(s, at))
		return n;
	if (c == KT_UTF8_BAD)
		kt_buf_fmt(out, "\\x%02x", (unsigned char)s.p[at]);
	else if (c == '\t' || c == '\n')
		blank(out, c, how);
	else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || hides(c))
		visible(out, c);
	else
		kt_buf_add(out, kt_str_sub(s, at, n));
	return n;
}

void kt_escape(struct kt_buf *out, struct kt_str s, enum kt_escape how)
{
	for (size_t at = 0; at < s.len && !out->full;) {
		size_t n = plain_run(s, at);
		kt_buf_add(out, kt_str_sub(s, at, n));
		at += n;
		if (at < s.len)
			at += one(out, s, at, how);
	}
}

bool kt_escape_clean(struct kt_str s)
{
	for (size_t at = plain_run(s, 0); at < s.len; at += plain_run(s, at)) {
		uint32_t c;
		size_t n = kt_utf8_next(s, at, &c);
		if (c == KT_UTF8_BAD || c < 0x20 || (c >= 0x7f && c < 0xa0) || hides(c))
			return false;
		at += n;
	}
	return true;
}
