#include "json/write.h"

#include <inttypes.h>

#include "base/utf8.h"

#include "base/banned.h"

static void key_of(struct kt_jw *w, const char *key)
{
	if (w->depth) {
		if (w->some[w->depth - 1])
			kt_buf_char(w->out, ',');
		w->some[w->depth - 1] = true;
	}
	if (key) {
		kt_json_quote(w->out, kt_str_c(key));
		kt_buf_char(w->out, ':');
	}
}

void kt_jw_open(struct kt_jw *w, const char *key, char open)
{
	key_of(w, key);
	kt_buf_char(w->out, open);
	if (w->depth == KT_JW_DEPTH) {
		w->out->full = true; /* deeper than any of our formats: an error of the caller */
		return;
	}
	w->close[w->depth] = open == '{' ? '}' : ']';
	w->some[w->depth++] = false;
}

void kt_jw_close(struct kt_jw *w)
{
	if (w->depth)
		kt_buf_char(w->out, w->close[--w->depth]);
}

static bool must_escape(uint32_t c)
{
	return c < 0x20 || c == '"' || c == '\\' || (c >= 0x7f && c < 0xa0) || kt_utf8_is_format(c);
}

static void add_escaped(struct kt_buf *out, uint32_t c)
{
	switch (c) {
	case '"': kt_buf_str(out, "\\\""); return;
	case '\\': kt_buf_str(out, "\\\\"); return;
	case '\n': kt_buf_str(out, "\\n"); return;
	case '\r': kt_buf_str(out, "\\r"); return;
	case '\t': kt_buf_str(out, "\\t"); return;
	default: break;
	}
	if (c > 0xffff) {
		c -= 0x10000;
		kt_buf_fmt(out, "\\u%04x\\u%04x", 0xd800 + (c >> 10), 0xdc00 + (c & 0x3ff));
		return;
	}
	kt_buf_fmt(out, "\\u%04x", c);
}

void kt_json_quote(struct kt_buf *out, struct kt_str s)
{
	kt_buf_char(out, '"');
	for (size_t at = 0; at < s.len;) {
		uint32_t c;
		size_t n = kt_utf8_next(s, at, &c);
		if (c == KT_UTF8_BAD)
			kt_buf_str(out, "\xef\xbf\xbd");
		else if (must_escape(c))
			add_escaped(out, c);
		else
			kt_buf_add(out, kt_str_sub(s, at, n));
		at += n;
	}
	kt_buf_char(out, '"');
}

void kt_jw_str(struct kt_jw *w, const char *key, struct kt_str s)
{
	key_of(w, key);
	kt_json_quote(w->out, s);
}

void kt_jw_str_or_null(struct kt_jw *w, const char *key, struct kt_str s)
{
	if (s.len)
		kt_jw_str(w, key, s);
	else
		kt_jw_null(w, key);
}

void kt_jw_int(struct kt_jw *w, const char *key, int64_t v)
{
	key_of(w, key);
	kt_buf_fmt(w->out, "%" PRId64, v);
}

void kt_jw_bool(struct kt_jw *w, const char *key, bool v)
{
	key_of(w, key);
	kt_buf_str(w->out, v ? "true" : "false");
}

void kt_jw_null(struct kt_jw *w, const char *key)
{
	key_of(w, key);
	kt_buf_str(w->out, "null");
}

void kt_jw_fixed(struct kt_jw *w, const char *key, int64_t v, unsigned decimals)
{
	key_of(w, key);
	kt_buf_fixed(w->out, v, decimals);
}
