#include "input/unpack_layer.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"

#include "base/banned.h"

#define SCRATCH ((size_t)64 << 10)

/* ---- looking ahead ---- */

static ssize_t read_peek(struct kt_bytes *b, char *to, size_t want, struct kt_err *err)
{
	struct kt_peek *p = (struct kt_peek *)b;
	size_t n = p->len - p->at < want ? p->len - p->at : want;

	if (!n)
		return p->rest->read(p->rest, to, want, err);
	memcpy(to, p->head + p->at, n);
	p->at += n;
	return (ssize_t)n;
}

void kt_peek_init(struct kt_peek *p, struct kt_bytes *rest)
{
	p->bytes.read = read_peek;
	p->rest = rest;
	p->at = p->len = 0;
}

struct kt_str kt_peek_head(struct kt_peek *p, struct kt_err *err)
{
	ssize_t n = 1;

	while (n > 0 && p->len < sizeof p->head) {
		n = p->rest->read(p->rest, p->head + p->len, sizeof p->head - p->len, err);
		p->len += n > 0 ? (size_t)n : 0;
	}
	return (struct kt_str){p->head, p->len};
}

/* ---- words ---- */

/* What the allocations of our own do then, for those of the libraries. */
static void no_memory(void)
{
	kt_free(kt_alloc_n(SIZE_MAX, 2));
}

int kt_layer_say(const struct kt_layer *l, struct kt_codec_trouble t, struct kt_err *err)
{
	const char *as = l->packed;

	switch (t.fault) {
	case KT_FAULT_NONE: break;
	case KT_FAULT_SOURCE: return kt_err_set(err, l->why_from.cls, "%s", l->why_from.text);
	case KT_FAULT_TRUNCATED:
		return kt_err_set(err, KT_ERR_INPUT,
				  "truncated (%s): it ends too early; the rest needs the whole file", as);
	case KT_FAULT_DAMAGED:
		return kt_err_set(err, KT_ERR_INPUT, "damaged (%s): %s; the rest needs a good copy", as,
				  *t.detail ? t.detail : "invalid data");
	case KT_FAULT_CHECKSUM:
		return kt_err_set(err, KT_ERR_INPUT,
				  "damaged (%s): its checksum or length does not fit; get a good copy", as);
	case KT_FAULT_TRAILING:
		return kt_err_set(err, KT_ERR_INPUT,
				  "damaged (%s): something else stands behind its end and was not read", as);
	case KT_FAULT_WINDOW:
		return kt_err_set(err, KT_ERR_LIMIT,
				  "compressed (%s) with a window over %" PRIu64 " MiB: unpack it first%s", as,
				  l->max_window >> 20,
				  l->packing == KT_PACK_ZSTD ? ", with zstd -d --long=31" : "");
	case KT_FAULT_METHOD:
		return kt_err_set(err, KT_ERR_INPUT, "compressed (%s, %s): unpack it first", as, t.detail);
	case KT_FAULT_ENCRYPTED:
		return kt_err_set(err, KT_ERR_INPUT, "encrypted (%s): unpack it with its password first", as);
	case KT_FAULT_MEMORY: no_memory(); break;
	}
	return kt_err_set(err, KT_ERR_INTERNAL, "damaged (%s) in a way that has no name", as);
}

/* ---- a layer ---- */

bool kt_packing_is_archive(enum kt_packing p)
{
	return p == KT_PACK_TAR || p == KT_PACK_ZIP;
}

static ssize_t feed(void *layer, char *to, size_t want)
{
	struct kt_layer *l = layer;

	return l->from->read(l->from, to, want, &l->why_from);
}

/* The bytes of a tar were counted where they were decoded, or are in the file. */
static bool may_give(struct kt_layer *l)
{
	struct kt_unpack_count *c = l->count;

	c->over |= c->total > c->max_total;
	return l->packing == KT_PACK_TAR || !c->over;
}

static ssize_t read_content(struct kt_bytes *b, char *to, size_t want, struct kt_err *err)
{
	struct kt_layer *l = (struct kt_layer *)b;
	ssize_t n = -1;

	if (!l->why.cls && !may_give(l))
		kt_err_set(&l->why, KT_ERR_LIMIT,
			   "more than %" PRIu64
			   " bytes when unpacked: the rest was not read; unpack it and name what matters",
			   l->count->max_total);
	else if (!l->why.cls)
		n = l->ops->read(l->codec, to, want);
	if (n < 0 && !l->why.cls)
		kt_layer_say(l, l->ops->trouble(l->codec), &l->why);
	if (n < 0)
		kt_err_set(err, l->why.cls, "%s", l->why.text);
	l->ended = n <= 0;
	l->count->total += n > 0 && l->packing != KT_PACK_TAR ? (uint64_t)n : 0;
	return n;
}

struct kt_layer *kt_layer_new(const struct kt_sniffed *kind, struct kt_bytes *from,
			      const struct kt_unpack_limits *limits, struct kt_unpack_count *count,
			      struct kt_err *err)
{
	const struct kt_codec_ops *ops = kt_unpack_ops(kind->packing, err);
	struct kt_codec_host host = {.alloc = kt_alloc,
				     .free = kt_free,
				     .read = feed,
				     .max_window = limits->max_window,
				     .portable = limits->portable};
	struct kt_layer *l;

	if (!ops)
		return NULL;
	l = host.ctx = kt_alloc(sizeof *l);
	l->content.read = read_content;
	l->ops = ops;
	l->from = from;
	l->count = count;
	l->packing = kind->packing;
	l->packed = kind->packed;
	l->max_window = limits->max_window;
	l->ended = true;
	l->codec = ops->open(kind->packing, &host);
	return l;
}

void kt_layer_free(struct kt_layer *take_l)
{
	if (take_l)
		take_l->ops->close(take_l->codec);
	kt_free(take_l);
}

/* A zip's member of unknown length is decoded to find its end: under our count. */
static int pass_over(struct kt_layer *l)
{
	char *scratch = NULL;

	while (kt_packing_is_archive(l->packing) && l->unsized && !l->ended) {
		if (!scratch)
			scratch = kt_alloc(SCRATCH);
		read_content(&l->content, scratch, SCRATCH, NULL);
	}
	kt_free(scratch);
	return l->count->over ? -1 : 0;
}

int kt_layer_next(struct kt_layer *l, struct kt_codec_member *m, struct kt_err *err)
{
	if (pass_over(l) < 0)
		return kt_err_set(err, l->why.cls, "%s", l->why.text);
	int rc = l->ops->next(l->codec, m);
	if (rc < 0)
		return kt_layer_say(l, l->ops->trouble(l->codec), err);
	kt_err_clear(&l->why);
	l->unsized = m->unsized;
	l->ended = rc == 0 || m->trouble.fault != KT_FAULT_NONE;
	kt_peek_init(&l->peek, &l->content);
	return rc;
}
