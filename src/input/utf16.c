#include "input/utf16.h"

#include "base/utf8.h"

#include "base/banned.h"

#define REPLACEMENT 0xFFFDu

static void put(uint32_t c, struct kt_buf *out)
{
	char utf8[4];
	size_t len;

	kt_utf8_encode(c, utf8, &len);
	kt_buf_add(out, (struct kt_str){utf8, len});
}

static void unit(struct kt_utf16 *u, uint32_t c, struct kt_buf *out)
{
	bool low = c >= 0xDC00 && c < 0xE000;

	if (u->high && low) {
		put(0x10000 + ((u->high - 0xD800) << 10) + (c - 0xDC00), out);
		u->high = 0;
		return;
	}
	if (u->high)
		put(REPLACEMENT, out);
	u->high = c >= 0xD800 && c < 0xDC00 ? c : 0;
	if (!u->high)
		put(low ? REPLACEMENT : c, out);
}

void kt_utf16_add(struct kt_utf16 *u, struct kt_str bytes, struct kt_buf *out)
{
	for (size_t i = 0; i < bytes.len; i++) {
		unsigned char b = (unsigned char)bytes.p[i];
		if (u->odd)
			unit(u, u->big ? (uint32_t)u->byte << 8 | b : (uint32_t)b << 8 | u->byte, out);
		u->odd = !u->odd;
		u->byte = b;
	}
}

bool kt_utf16_open(const struct kt_utf16 *u)
{
	return u->odd || u->high;
}
