/* The gzip format without compression: enough to see that an answer is unpacked. */
#ifndef TESTS_SERVER_GZIP_H
#define TESTS_SERVER_GZIP_H

#include "base/buf.h"

static inline uint32_t gzip_crc(struct kt_str s)
{
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < s.len; i++) {
		crc ^= (unsigned char)s.p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

static inline void gzip_le(struct kt_buf *out, uint32_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		kt_buf_char(out, (char)(v >> (8 * i) & 0xff));
}

static inline void gzip_stored(struct kt_str s, struct kt_buf *out)
{
	size_t at = 0;

	kt_buf_add(out, KT_S("\x1f\x8b\x08\0\0\0\0\0\0\xff"));
	do {
		size_t n = s.len - at < 65535 ? s.len - at : 65535;
		kt_buf_char(out, at + n == s.len);
		gzip_le(out, (uint32_t)n, 2);
		gzip_le(out, ~(uint32_t)n & 0xffff, 2);
		kt_buf_add(out, kt_str_sub(s, at, n));
		at += n;
	} while (at < s.len);
	gzip_le(out, gzip_crc(s), 4);
	gzip_le(out, (uint32_t)s.len, 4);
}

#endif
