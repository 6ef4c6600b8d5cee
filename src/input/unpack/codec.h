/* What a module that unpacks offers: ktriage-unpack.so for compressions, and for
 * archives ktriage-archive.so, whose library brings ten more. A plain table of C
 * functions: they are loaded at the first input of their kind and link nothing of the
 * program.
 *
 * A codec takes one layer off: a compression has one member without a name, an
 * archive has many. Layers upon layers, names and limits are the program's business.
 */
#ifndef KT_INPUT_UNPACK_CODEC_H
#define KT_INPUT_UNPACK_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/packing.h"

#define KT_UNPACK_ABI 1

enum kt_codec_fault {
	KT_FAULT_NONE,
	KT_FAULT_SOURCE, /* the host's read failed; the host knows why */
	KT_FAULT_TRUNCATED,
	KT_FAULT_DAMAGED,
	KT_FAULT_CHECKSUM,
	KT_FAULT_TRAILING,  /* bytes of something else stand behind the end */
	KT_FAULT_WINDOW,    /* looks back further than max_window */
	KT_FAULT_METHOD,    /* packed in a way that is not read */
	KT_FAULT_ENCRYPTED, /* needs a password */
	KT_FAULT_MEMORY,    /* a library got none */
};

/* DETAIL: the library's own words, or "". It lives as long as the codec. */
struct kt_codec_trouble {
	enum kt_codec_fault fault;
	const char *detail;
};

/* The program's side, copied by open. */
struct kt_codec_host {
	void *(*alloc)(size_t size); /* zeroed, never NULL */
	void (*free)(void *take_p);
	/* Up to WANT packed bytes; 0: the end; -1: failed, and will fail again. */
	ssize_t (*read)(void *ctx, char *to, size_t want);
	void *ctx;
	uint64_t max_window; /* bytes */
	bool portable;       /* zlib even where there is something faster */
};

struct kt_codec_member {
	const char *name; /* until the next member; any bytes but NUL; "" for none */
	bool unsized;     /* passing over it means decoding it */
	struct kt_codec_trouble trouble;
};

struct kt_codec;

struct kt_codec_ops {
	unsigned abi;
	const char *gzip; /* the library that reads gzip when it is not asked to be portable; or NULL */
	struct kt_codec *(*open)(enum kt_packing what, const struct kt_codec_host *host); /* NULL: not this */
	/* 1: a member, perhaps one that cannot be read (its trouble); 0: no more; -1: no
	 * further, see trouble. */
	int (*next)(struct kt_codec *c, struct kt_codec_member *m);
	/* Of the member: how many bytes (at least 1); 0: its end; -1: see trouble. */
	ssize_t (*read)(struct kt_codec *c, char *to, size_t want);
	struct kt_codec_trouble (*trouble)(const struct kt_codec *c);
	void (*close)(struct kt_codec *take_c);
};

/* Of one and of the other; each module has its own name, since both are in one program. */
extern const struct kt_codec_ops kt_unpack_module __attribute__((visibility("default")));
extern const struct kt_codec_ops kt_archive_module __attribute__((visibility("default")));

#endif
