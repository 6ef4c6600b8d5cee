/* Streams of lz4-java's LZ4BlockOutputStream: Spark's event logs with the codec lz4.
 * A block: "LZ4Block", a token (high half: 0x10 as it is, 0x20 lz4; low half: the
 * largest block is 1 << (10 + it)), its length packed and unpacked and a checksum, all
 * three 32 bits, low byte first. A block of length 0 ends the stream; one that is
 * still being written has none. */
#include <lz4.h>
#include <string.h>

#include "input/unpack/part.h"

#define MAGIC    "LZ4Block"
#define HEAD     21
#define AS_IT_IS 0x10u
#define PACKED   0x20u
#define SEED     0x9747b28cu
#define SUM_BITS 0x0fffffffu

struct buffer {
	unsigned char *p;
	size_t cap, len;
};

struct state {
	const struct kt_codec_host *host;
	unsigned char head[HEAD];
	size_t head_len;
	uint32_t packed_len, len, sum; /* of the block at hand; its head is whole */
	unsigned method;
	struct buffer packed, text;
	size_t text_at; /* of it what was given */
};

static uint32_t le32(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t rotated(uint32_t x, unsigned n)
{
	return x << n | x >> (32 - n);
}

/* XXH32, github.com/Cyan4973/xxHash: doc/xxhash_spec.md */
static uint32_t xxh32(const unsigned char *p, size_t n, uint32_t seed)
{
	const uint32_t p1 = 0x9e3779b1u, p2 = 0x85ebca77u, p3 = 0xc2b2ae3du, p4 = 0x27d4eb2fu,
		       p5 = 0x165667b1u;
	uint32_t v[4] = {seed + p1 + p2, seed + p2, seed, seed - p1};
	uint32_t h = seed + p5;
	size_t at = 0;

	for (; at + 16 <= n; at += 16)
		for (size_t i = 0; i < 4; i++)
			v[i] = rotated(v[i] + le32(p + at + 4 * i) * p2, 13) * p1;
	if (n >= 16)
		h = rotated(v[0], 1) + rotated(v[1], 7) + rotated(v[2], 12) + rotated(v[3], 18);
	h += (uint32_t)n;
	for (; at + 4 <= n; at += 4)
		h = rotated(h + le32(p + at) * p3, 17) * p4;
	for (; at < n; at++)
		h = rotated(h + p[at] * p5, 11) * p1;
	h = (h ^ h >> 15) * p2;
	h = (h ^ h >> 13) * p3;
	return h ^ h >> 16;
}

static void make_room(const struct kt_codec_host *host, struct buffer *b, size_t n)
{
	if (b->cap < n) {
		host->free(b->p);
		b->p = host->alloc(n);
		b->cap = n;
	}
	b->len = 0;
}

/* Moves bytes to TO until it has WANT; false: it waits for more. */
static bool gather(struct kt_piece *p, unsigned char *to, size_t *have, size_t want)
{
	size_t n = want - *have < p->in_len ? want - *have : p->in_len;

	if (n)
		memcpy(to + *have, p->in, n);
	p->in += n;
	p->in_len -= n;
	*have += n;
	return *have == want;
}

static bool read_head(struct state *s)
{
	unsigned token = s->head[8];
	uint64_t most = UINT64_C(1) << (10 + (token & 0x0f));

	s->method = token & 0xf0;
	s->packed_len = le32(s->head + 9);
	s->len = le32(s->head + 13);
	s->sum = le32(s->head + 17);
	if (memcmp(s->head, MAGIC, 8) != 0 || (s->method != AS_IT_IS && s->method != PACKED))
		return false;
	if (!s->len || !s->packed_len)
		return !s->len && !s->packed_len && !s->sum;
	return s->len <= most && (s->method == PACKED ? s->packed_len <= (uint64_t)LZ4_COMPRESSBOUND(s->len)
						      : s->packed_len == s->len);
}

static enum kt_step unpack_block(struct state *s, struct kt_codec_trouble *t)
{
	make_room(s->host, &s->text, s->len);
	if (s->method == AS_IT_IS)
		memcpy(s->text.p, s->packed.p, s->len);
	else if (LZ4_decompress_safe((const char *)s->packed.p, (char *)s->text.p, (int)s->packed_len,
				     (int)s->len) != (int)s->len)
		return kt_step_fault(t, KT_FAULT_DAMAGED, NULL);
	if ((xxh32(s->text.p, s->len, SEED) & SUM_BITS) != s->sum)
		return kt_step_fault(t, KT_FAULT_CHECKSUM, NULL);
	s->text.len = s->len;
	s->text_at = 0;
	s->head_len = 0;
	return KT_STEP_ON;
}

static void give(struct state *s, struct kt_piece *p)
{
	size_t left = s->text.len - s->text_at, n = left < p->out_len ? left : p->out_len;

	memcpy(p->out, s->text.p + s->text_at, n);
	s->text_at += n;
	p->out += n;
	p->out_len -= n;
}

static enum kt_step lz4block_step(void *state, struct kt_piece *p, struct kt_codec_trouble *t)
{
	struct state *s = state;

	if (s->text_at < s->text.len) {
		give(s, p);
		return KT_STEP_ON;
	}
	if (s->head_len < HEAD) {
		if (!gather(p, s->head, &s->head_len, HEAD))
			return KT_STEP_ON;
		if (!read_head(s))
			return kt_step_fault(t, KT_FAULT_DAMAGED, "invalid header of a block");
		if (!s->len)
			return KT_STEP_FRAME;
		make_room(s->host, &s->packed, s->packed_len);
		return KT_STEP_ON;
	}
	return gather(p, s->packed.p, &s->packed.len, s->packed_len) ? unpack_block(s, t) : KT_STEP_ON;
}

static bool lz4block_starts(const unsigned char *p, size_t n)
{
	return kt_starts_with(p, n, MAGIC, sizeof MAGIC - 1);
}

static void *lz4block_make(const struct kt_codec_host *host)
{
	struct state *s = host->alloc(sizeof *s);

	s->host = host;
	return s;
}

static bool lz4block_begin(void *state)
{
	((struct state *)state)->head_len = 0;
	return true;
}

static void lz4block_end(void *take_state)
{
	struct state *s = take_state;
	void (*release)(void *) = s->host->free;

	release(s->packed.p);
	release(s->text.p);
	release(s);
}

const struct kt_coder kt_coder_lz4block = {lz4block_starts, lz4block_make, lz4block_begin, lz4block_step,
					   lz4block_end};
