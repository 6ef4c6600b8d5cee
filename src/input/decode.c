#include "input/decode.h"

#include <string.h>

#include "base/banned.h"

/* More of OUT; as read. */
static ssize_t decode_some(struct kt_bytes_utf16 *u, struct kt_err *err)
{
	ssize_t n = u->from->read(u->from, u->chunk, sizeof u->chunk, err);

	kt_buf_clear(&u->out);
	u->given = 0;
	if (n > 0) {
		kt_utf16_add(&u->state, (struct kt_str){u->chunk, (size_t)n}, &u->out);
		u->taken += (uint64_t)n;
	}
	return n;
}

static ssize_t read_utf16(struct kt_bytes *b, char *to, size_t want, struct kt_err *err)
{
	struct kt_bytes_utf16 *u = (struct kt_bytes_utf16 *)b;

	while (u->given == u->out.len) {
		ssize_t n = decode_some(u, err);
		if (n <= 0)
			return n;
	}
	struct kt_str piece = kt_str_sub(kt_buf_view(&u->out), u->given, want);
	memcpy(to, piece.p, piece.len);
	u->given += piece.len;
	return (ssize_t)piece.len;
}

struct kt_bytes *kt_bytes_of_utf16(struct kt_bytes_utf16 *u, struct kt_bytes *from, bool big)
{
	u->bytes = (struct kt_bytes){read_utf16};
	u->from = from;
	u->state = (struct kt_utf16){.big = big};
	u->out = KT_BUF(2 * KT_DECODE_CHUNK);
	u->given = 0;
	u->taken = 0;
	return &u->bytes;
}

void kt_bytes_utf16_free(struct kt_bytes_utf16 *u)
{
	kt_buf_free(&u->out);
}
