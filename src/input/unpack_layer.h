/* One layer of packing, and the first bytes of what is in it; for unpack*.c only. */
#ifndef KT_INPUT_UNPACK_LAYER_H
#define KT_INPUT_UNPACK_LAYER_H

#include "input/sniff.h"
#include "input/unpack.h"
#include "input/unpack/codec.h"

/* Bytes whose beginning can be looked at before they are read. */
struct kt_peek {
	struct kt_bytes bytes;
	struct kt_bytes *rest;
	size_t at, len; /* of the head: what is left of it */
	char head[KT_SNIFF];
};

void kt_peek_init(struct kt_peek *p, struct kt_bytes *rest);
/* Reads the head: up to KT_SNIFF bytes. A failure shows again when REST is read on. */
struct kt_str kt_peek_head(struct kt_peek *p, struct kt_err *err);

/* What all layers of an input share. */
struct kt_unpack_count {
	uint64_t total, max_total; /* bytes that decoders gave */
	bool over;                 /* the limit was met */
};

struct kt_layer {
	struct kt_bytes content; /* of the member at hand */
	struct kt_peek peek;     /* the same, from its start */
	struct kt_layer *under;
	const struct kt_codec_ops *ops;
	struct kt_codec *codec;
	struct kt_bytes *from;
	struct kt_unpack_count *count;
	enum kt_packing packing;
	const char *packed;     /* its name */
	uint32_t depth;         /* of files in files, from 1; a tar in a gzip is one */
	size_t name_len;        /* of the name of what it stands in */
	uint64_t max_window;    /* for words */
	bool unsized, ended;    /* of the member at hand */
	struct kt_err why;      /* the content's end is this */
	struct kt_err why_from; /* the same of FROM */
};

bool kt_packing_is_archive(enum kt_packing p);

/* NULL: the module cannot be loaded. */
struct kt_layer *kt_layer_new(const struct kt_sniffed *kind, struct kt_bytes *from,
			      const struct kt_unpack_limits *limits, struct kt_unpack_count *count,
			      struct kt_err *err);
void kt_layer_free(struct kt_layer *take_l);

/* As kt_codec_ops.next, having passed over the rest of the member at hand. */
int kt_layer_next(struct kt_layer *l, struct kt_codec_member *m, struct kt_err *err);

/* Says in words what is wrong with it. Ends the program when a library had no memory. */
int kt_layer_say(const struct kt_layer *l, struct kt_codec_trouble t, struct kt_err *err);

/* The module that reads WHAT; NULL: it cannot be loaded. */
const struct kt_codec_ops *kt_unpack_ops(enum kt_packing what, struct kt_err *err);

#endif
