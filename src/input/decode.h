/* UTF-16 bytes as UTF-8 bytes. Inside the module only. */
#ifndef KT_INPUT_DECODE_H
#define KT_INPUT_DECODE_H

#include "input/bytes.h"
#include "input/utf16.h"

#define KT_DECODE_CHUNK (16u << 10)

struct kt_bytes_utf16 {
	struct kt_bytes bytes;
	struct kt_bytes *from;
	struct kt_utf16 state;
	struct kt_buf out; /* of the last chunk: */
	size_t given;
	uint64_t taken; /* bytes of UTF-16 */
	char chunk[KT_DECODE_CHUNK];
};

/* BIG: the high byte comes first. To be freed. */
struct kt_bytes *kt_bytes_of_utf16(struct kt_bytes_utf16 *u, struct kt_bytes *from, bool big);
void kt_bytes_utf16_free(struct kt_bytes_utf16 *u);

#endif
