#include "input/sniff.h"

#include "base/banned.h"

struct magic {
	struct kt_str bytes;
	size_t at;
	const char *name;
};

static const struct magic packed[] = {
	{{"\x1f\x8b", 2}, 0, "gzip"},
	{{"\x28\xb5\x2f\xfd", 4}, 0, "zstd"},
	{{"PK\x03\x04", 4}, 0, "zip"},
	{{"BZh", 3}, 0, "bzip2"},
	{{"\xfd"
	  "7zXZ",
	  5},
	 0,
	 "xz"},
	{{"7z\xbc\xaf\x27\x1c", 6}, 0, "7z"},
	{{"\x04\x22\x4d\x18", 4}, 0, "lz4"},
	{{"LZ4Block", 8}, 0, "lz4 (Java block)"},
	{{"\x82SNAPPY", 7}, 0, "snappy (Java)"},
	{{"\xff\x06\x00\x00sNaPpY", 10}, 0, "snappy"},
	{{"ZV\x01", 3}, 0, "lzf"},
	{{"\x1f\x9d", 2}, 0, "compress"},
	{{"Rar!\x1a\x07", 6}, 0, "rar"},
	{{"ustar", 5}, 257, "tar"},
};

static const struct {
	struct kt_str mark;
	enum kt_encoding encoding;
} marks[] = {
	{{"\xff\xfe\0\0", 4}, KT_ENC_OTHER}, {{"\0\0\xfe\xff", 4}, KT_ENC_OTHER},
	{{"\xff\xfe", 2}, KT_ENC_UTF16LE},   {{"\xfe\xff", 2}, KT_ENC_UTF16BE},
	{{"\xef\xbb\xbf", 3}, KT_ENC_BYTES},
};

/* One in sixteen: a log may have a few (a NUL after a crash, a form feed). */
static bool many_controls(struct kt_str head)
{
	size_t n = 0;

	for (size_t i = 0; i < head.len; i++) {
		unsigned char c = (unsigned char)head.p[i];
		n += (c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\b' &&
		      c != 0x1b) ||
		     c == 0x7f;
	}
	return n > head.len / 16;
}

struct kt_sniffed kt_sniff(struct kt_str head)
{
	struct kt_sniffed s = {0};

	for (size_t i = 0; i < KT_LEN(packed) && !s.packed; i++)
		if (kt_str_starts(kt_str_from(head, packed[i].at), packed[i].bytes))
			s.packed = packed[i].name;
	for (size_t i = 0; i < KT_LEN(marks) && !s.bom; i++)
		if (kt_str_starts(head, marks[i].mark)) {
			s.encoding = marks[i].encoding;
			s.bom = marks[i].mark.len;
		}
	if (s.encoding == KT_ENC_BYTES)
		s.binary = many_controls(head);
	return s;
}
