/* A compressed stream, whatever its coder: refills, frames one behind the other,
 * what stands behind the last one, and where it was cut. */
#include <string.h>

#include "input/unpack/part.h"

#define IN_SIZE    ((size_t)128 << 10)
#define FRAME_HEAD 16 /* bytes that tell whether a frame begins */

struct stream {
	struct kt_codec codec;
	const struct kt_coder *coder;
	void *state;
	unsigned char *in;
	size_t at, len; /* what is left of it: [at, len) */
	bool eof;       /* of the source, or it failed */
	bool failed;    /* said when all that came before was given */
	bool given;     /* the only member */
	bool in_frame;
	bool over; /* nothing more: the end, or the trouble */
};

bool kt_starts_with(const unsigned char *p, size_t n, const char *magic, size_t len)
{
	return n >= len && memcmp(p, magic, len) == 0;
}

bool kt_starts_skippable(const unsigned char *p, size_t n)
{
	return n >= 4 && (p[0] & 0xf0) == 0x50 && memcmp(p + 1, "\x2a\x4d\x18", 3) == 0;
}

bool kt_starts_gzip(const unsigned char *p, size_t n)
{
	return kt_starts_with(p, n, "\x1f\x8b\x08", 3);
}

static void stop(struct stream *s, enum kt_codec_fault fault)
{
	s->over = true;
	s->codec.trouble.fault = s->failed ? KT_FAULT_SOURCE : fault;
}

/* Until AT LEAST bytes are there or the source ends. */
static void refill(struct stream *s, size_t at_least)
{
	if (s->eof || s->len - s->at >= at_least)
		return;
	memmove(s->in, s->in + s->at, s->len - s->at);
	s->len -= s->at;
	s->at = 0;
	while (!s->eof && s->len < at_least) {
		ssize_t n = s->codec.host.read(s->codec.host.ctx, (char *)s->in + s->len, IN_SIZE - s->len);
		s->failed = n < 0;
		s->eof = n <= 0;
		s->len += n > 0 ? (size_t)n : 0;
	}
}

/* Tapes, block devices and xz pad with zeros. */
static void pass_zeros(struct stream *s)
{
	do {
		while (s->at < s->len && !s->in[s->at])
			s->at++;
		refill(s, 1);
	} while (s->at < s->len && !s->in[s->at]);
}

static void begin_frame(struct stream *s)
{
	bool first = !s->state;

	if (!first)
		pass_zeros(s);
	refill(s, FRAME_HEAD);
	if (s->at == s->len) {
		stop(s, first ? KT_FAULT_TRUNCATED : KT_FAULT_NONE);
	} else if (!s->coder->starts(s->in + s->at, s->len - s->at)) {
		stop(s, first ? KT_FAULT_DAMAGED : KT_FAULT_TRAILING);
	} else {
		if (first)
			s->state = s->coder->make(&s->codec.host);
		s->in_frame = s->state && s->coder->begin(s->state);
		if (!s->in_frame)
			stop(s, KT_FAULT_MEMORY);
	}
}

/* A decoder that neither takes nor gives anything waits for more. */
static void decode(struct stream *s, struct kt_piece *p)
{
	size_t room = p->out_len;

	refill(s, 1);
	p->in = s->in + s->at;
	p->in_len = s->len - s->at;
	enum kt_step step = s->coder->step(s->state, p, &s->codec.trouble);
	bool moved = p->in_len != s->len - s->at || p->out_len != room;
	s->at = s->len - p->in_len;
	if (step == KT_STEP_FAULT)
		s->over = true;
	else if (step == KT_STEP_FRAME)
		s->in_frame = false;
	else if (!moved)
		stop(s, s->eof && s->at == s->len ? KT_FAULT_TRUNCATED : KT_FAULT_DAMAGED);
}

static ssize_t stream_read(struct kt_codec *c, char *to, size_t want)
{
	struct stream *s = (struct stream *)c;
	void *out = to;
	struct kt_piece p = {.out = out, .out_len = want};

	while (p.out_len == want && !s->over) {
		if (!s->in_frame)
			begin_frame(s);
		else
			decode(s, &p);
	}
	if (p.out_len < want)
		return (ssize_t)(want - p.out_len);
	return c->trouble.fault ? -1 : 0;
}

static int stream_next(struct kt_codec *c, struct kt_codec_member *m)
{
	struct stream *s = (struct stream *)c;

	m->unsized = true;
	if (s->given)
		return c->trouble.fault ? -1 : 0;
	s->given = true;
	return 1;
}

static void stream_close(struct kt_codec *take_c)
{
	struct stream *s = (struct stream *)take_c;
	void (*release)(void *) = take_c->host.free;

	if (s->state)
		s->coder->end(s->state);
	release(s->in);
	release(s);
}

struct kt_codec *kt_stream_open(const struct kt_coder *coder, const struct kt_codec_host *host)
{
	static const struct kt_codec_vt vt = {stream_next, stream_read, stream_close};
	struct stream *s = host->alloc(sizeof *s);

	*s = (struct stream){.codec = {&vt, *host, {KT_FAULT_NONE, ""}}, .coder = coder};
	s->in = host->alloc(IN_SIZE);
	return &s->codec;
}
