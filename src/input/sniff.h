/* What the first bytes of an input are. Inside the module only. */
#ifndef KT_INPUT_SNIFF_H
#define KT_INPUT_SNIFF_H

#include "base/str.h"
#include "input/packing.h"

enum kt_encoding { KT_ENC_BYTES, KT_ENC_UTF16LE, KT_ENC_UTF16BE, KT_ENC_OTHER };

/* Bytes wanted before the kind of an input is decided; fewer are fine at its end. */
#define KT_SNIFF 4096

struct kt_sniffed {
	enum kt_encoding encoding;
	size_t bom; /* bytes of the mark to leave out */
	enum kt_packing packing;
	const char *packed; /* name of the compression or archive format, or NULL */
	bool binary;
};

struct kt_sniffed kt_sniff(struct kt_str head);

#endif
