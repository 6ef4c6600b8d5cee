#include "base/utf8.h"

#include "base/banned.h"

static unsigned lead_len(unsigned char b)
{
	return b < 0x80                ? 1
	       : b >= 0xc2 && b < 0xe0 ? 2
	       : b >= 0xe0 && b < 0xf0 ? 3
	       : b >= 0xf0 && b < 0xf5 ? 4
				       : 0;
}

size_t kt_utf8_next(struct kt_str s, size_t at, uint32_t *c)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char b = (unsigned char)s.p[at];
	unsigned n = lead_len(b);

	*c = KT_UTF8_BAD;
	if (n == 0 || n > s.len - at)
		return 1;
	uint32_t v = n == 1 ? b : b & (0x7fu >> n);
	for (unsigned i = 1; i < n; i++) {
		unsigned char x = (unsigned char)s.p[at + i];
		if ((x & 0xc0) != 0x80)
			return 1;
		v = v << 6 | (x & 0x3f);
	}
	if (v < least[n] || v > 0x10ffff || (v >= 0xd800 && v < 0xe000))
		return 1;
	*c = v;
	return n;
}

void kt_utf8_encode(uint32_t c, char out[4], size_t *len)
{
	if (c < 0x80) {
		out[0] = (char)c;
		*len = 1;
	} else if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		*len = 2;
	} else if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		*len = 3;
	} else {
		out[0] = (char)(0xf0 | c >> 18);
		out[1] = (char)(0x80 | (c >> 12 & 0x3f));
		out[2] = (char)(0x80 | (c >> 6 & 0x3f));
		out[3] = (char)(0x80 | (c & 0x3f));
		*len = 4;
	}
}

bool kt_utf8_is_format(uint32_t c)
{
	return c == 0x061c || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xe0000 && c <= 0xe007f);
}
