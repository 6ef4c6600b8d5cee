/* Inputs: files, folders, streams and pasted text → records.
 *
 * Whatever is named becomes a row of kt_inputs.list and stays there with what
 * became of it; a file that cannot be read is a row with a problem, not an error
 * of the call. Content is streamed in chunks of KT_INPUT_CHUNK bytes; memory does
 * not grow with the size of an input, only with the number of named inputs.
 *
 *     struct kt_headers *h = kt_headers_parse(kt_kb_file(kb, "headers.tsv"), err);
 *     struct kt_inputs in = KT_INPUTS(h);
 *     if (kt_inputs_path(&in, "driver.log", on_record, ctx) != 0)
 *             ...                      // the callback stopped it
 *     for (size_t i = 0; i < in.n; i++)
 *             if (!in.list[i].complete) say(in.list[i].name, in.list[i].problem);
 *     kt_inputs_free(&in);
 *
 * A folder is read in the order of names, with its folders, but of the files of one
 * log the oldest first (input/order.h): regular files only, names that begin with a
 * dot left out, each folder and file once (links may form circles).
 */
#ifndef KT_INPUT_INPUT_H
#define KT_INPUT_INPUT_H

#include <signal.h>

#include "base/arena.h"
#include "base/err.h"
#include "input/headers.h"
#include "input/record.h"
#include "input/sieve.h"

#define KT_INPUT_CHUNK (128u << 10)

struct kt_input_limits {
	uint64_t max_bytes;  /* of one input; what is behind is not read */
	uint32_t head, tail; /* bytes kept of the start and the end of a record */
	uint32_t max_files;  /* and folders, of one folder with its folders */
	uint32_t max_depth;  /* folders in folders */
	uint64_t segment;    /* bytes of a part of an input: see kt_sieve and kt_read_segment */
};

/* The head is that long because one event with a query plan often has 100 KiB, and
 * a record that is cut leaves its input incomplete. */
#define KT_INPUT_LIMITS                                    \
	((struct kt_input_limits){.max_bytes = UINT64_MAX, \
				  .head = 256u << 10,      \
				  .tail = 8u << 10,        \
				  .max_files = 10000,      \
				  .max_depth = 16,         \
				  .segment = 8u << 20})

struct kt_input {
	struct kt_str name;    /* as it was named; files of a folder: folder/file */
	struct kt_str problem; /* why it is not complete, low case; empty if it is */
	bool complete;         /* read to its end, and nothing of it left out */
	bool opened;           /* some of it was read as text */
	enum kt_media media;   /* EVENTLOG when most of its records are events */
	uint64_t bytes;        /* read, as stored */
	uint64_t lines;
	uint64_t records;  /* handed out */
	uint64_t events;   /* of them: media EVENTLOG */
	uint64_t headed;   /* of them: with a header or an event; at least 1 if there is one in the input */
	uint64_t cut;      /* records whose middle was left out */
	uint64_t cut_line; /* first line of the first of them */
};

struct kt_inputs {
	const struct kt_headers *headers; /* borrowed */
	struct kt_input_limits limits;
	const struct kt_sieve *sieve;      /* not NULL: only records around its places are handed out */
	const volatile sig_atomic_t *stop; /* not NULL and set: stop reading (^C) */
	/* Not NULL: told now and then how much of an input is read; TOTAL 0: not known. */
	void (*progress)(void *ctx, struct kt_str name, uint64_t done, uint64_t total);
	void *progress_ctx;
	/* Not NULL: is given the paths that kt_inputs_path finds, in order, in place of
	 * reading them, with the CTX of that call. */
	int (*file)(void *ctx, const char *path);
	bool decode_ahead; /* compressed inputs are unpacked by a thread of their own */
	struct kt_input *list;
	size_t n, cap;
	struct kt_arena arena; /* names and problems */
};

#define KT_INPUTS(h) ((struct kt_inputs){.headers = (h), .limits = KT_INPUT_LIMITS})

/* These read at once and call FN for each record, in order. They return 0, or the
 * value (not 0) with which FN ended the reading; rows are added in any case. */
KT_MUST_CHECK int kt_inputs_path(struct kt_inputs *in, const char *path, kt_record_fn fn, void *ctx);
/* Reads FD to its end and leaves it open. */
KT_MUST_CHECK int kt_inputs_fd(struct kt_inputs *in, int fd, struct kt_str name, kt_record_fn fn, void *ctx);
KT_MUST_CHECK int kt_inputs_text(struct kt_inputs *in, struct kt_str text, struct kt_str name,
				 kt_record_fn fn, void *ctx);
/* Adds the row of a folder whose reading was stopped before its last file was begun.
 * kt_inputs_path does so itself, unless in->file is set. */
void kt_inputs_stopped(struct kt_inputs *in, const char *folder);
void kt_inputs_free(struct kt_inputs *in);

#endif
