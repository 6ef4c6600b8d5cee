#include "base/buf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

#include "base/banned.h"

void kt_buf_free(struct kt_buf *b)
{
	kt_free(b->p);
	*b = KT_BUF(b->max);
}

void kt_buf_clear(struct kt_buf *b)
{
	b->len = 0;
	b->full = false;
	if (b->p)
		b->p[0] = '\0';
}

/* Makes room for N more bytes and the NUL; false at the ceiling. */
static bool reserve(struct kt_buf *b, size_t n)
{
	if (n > b->max - b->len) {
		b->full = true;
		return false;
	}
	if (b->full)
		return false;
	size_t want = b->len + n + 1;
	if (want > b->cap) {
		size_t cap = b->cap ? b->cap : 64;
		while (cap < want)
			cap *= 2;
		b->p = kt_realloc(b->p, cap, 1);
		b->cap = cap;
	}
	return true;
}

void kt_buf_add(struct kt_buf *b, struct kt_str s)
{
	if (!reserve(b, s.len))
		return;
	if (s.len)
		memcpy(b->p + b->len, s.p, s.len);
	b->len += s.len;
	b->p[b->len] = '\0';
}

void kt_buf_str(struct kt_buf *b, const char *c)
{
	kt_buf_add(b, kt_str_c(c));
}

void kt_buf_char(struct kt_buf *b, char c)
{
	kt_buf_add(b, (struct kt_str){&c, 1});
}

void kt_buf_vfmt(struct kt_buf *b, const char *fmt, va_list ap)
{
	va_list again;

	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	if (n >= 0 && reserve(b, (size_t)n)) {
		vsnprintf(b->p + b->len, (size_t)n + 1, fmt, again);
		b->len += (size_t)n;
	}
	va_end(again);
}

void kt_buf_fmt(struct kt_buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	kt_buf_vfmt(b, fmt, ap);
	va_end(ap);
}

void kt_buf_fixed(struct kt_buf *b, int64_t v, unsigned decimals)
{
	uint64_t u = v < 0 ? -(uint64_t)v : (uint64_t)v, unit = 1;

	for (unsigned i = 0; i < decimals; i++)
		unit *= 10;
	kt_buf_fmt(b, "%s%" PRIu64, v < 0 ? "-" : "", u / unit);
	if (decimals)
		kt_buf_fmt(b, ".%0*" PRIu64, (int)decimals, u % unit);
}

void kt_buf_cut(struct kt_buf *b, size_t len)
{
	if (len >= b->len)
		return;
	b->len = len;
	b->p[len] = '\0';
}

void kt_buf_drop(struct kt_buf *b, size_t n)
{
	if (n > b->len)
		n = b->len;
	if (!n)
		return;
	memmove(b->p, b->p + n, b->len - n + 1);
	b->len -= n;
}

struct kt_str kt_buf_view(const struct kt_buf *b)
{
	return (struct kt_str){b->p, b->len};
}

const char *kt_buf_c(const struct kt_buf *b)
{
	return b->p ? b->p : "";
}
