/* UTF-16 in pieces → UTF-8. Inside the module only. */
#ifndef KT_INPUT_UTF16_H
#define KT_INPUT_UTF16_H

#include "base/buf.h"

struct kt_utf16 {
	bool big; /* high byte first */
	bool odd; /* a first byte waits for its second */
	unsigned char byte;
	uint32_t high; /* a high surrogate waits for the low one */
};

/* Adds the characters of BYTES to OUT; broken pairs become U+FFFD. */
void kt_utf16_add(struct kt_utf16 *u, struct kt_str bytes, struct kt_buf *out);

/* True when something waits for more: the input was cut in a character. */
bool kt_utf16_open(const struct kt_utf16 *u);

#endif
