/* What the first bytes of an input are. Inside the module only. */
#ifndef KT_INPUT_SNIFF_H
#define KT_INPUT_SNIFF_H

#include "base/str.h"

enum kt_encoding { KT_ENC_BYTES, KT_ENC_UTF16LE, KT_ENC_UTF16BE, KT_ENC_OTHER };

struct kt_sniffed {
	enum kt_encoding encoding;
	size_t bom;         /* bytes of the mark to leave out */
	const char *packed; /* name of the compression or archive format, or NULL */
	bool binary;
};

struct kt_sniffed kt_sniff(struct kt_str head);

#endif
