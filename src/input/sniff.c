#include "input/sniff.h"

#include "base/banned.h"

struct magic {
	struct kt_str bytes;
	size_t at;
	enum kt_packing packing;
	const char *name;
};

#define MAGIC(bytes, at, packing, name)                       \
	{                                                     \
		{bytes, sizeof(bytes) - 1}, at, packing, name \
	}

static const struct magic packed[] = {
	MAGIC("\x1f\x8b\x08", 0, KT_PACK_GZIP, "gzip"),
	MAGIC("\x28\xb5\x2f\xfd", 0, KT_PACK_ZSTD, "zstd"),
	MAGIC("PK\x03\x04", 0, KT_PACK_ZIP, "zip"),
	MAGIC("PK\x05\x06", 0, KT_PACK_ZIP, "zip"), /* an empty one */
	MAGIC("BZh", 0, KT_PACK_BZIP2, "bzip2"),
	MAGIC("\xfd\x37zXZ\0", 0, KT_PACK_XZ, "xz"),
	MAGIC("\x04\x22\x4d\x18", 0, KT_PACK_LZ4, "lz4"),
	MAGIC("LZ4Block", 0, KT_PACK_LZ4BLOCK, "lz4 (Java block)"),
	MAGIC("\x1f\x9d", 0, KT_PACK_COMPRESS, "compress"),
	MAGIC("ustar", 257, KT_PACK_TAR, "tar"),
	MAGIC("7z\xbc\xaf\x27\x1c", 0, KT_PACK_OTHER, "7z"),
	MAGIC("\x02\x21\x4c\x18", 0, KT_PACK_OTHER, "lz4 (legacy)"),
	MAGIC("\x82SNAPPY", 0, KT_PACK_OTHER, "snappy (Java)"),
	MAGIC("\xff\x06\x00\x00sNaPpY", 0, KT_PACK_OTHER, "snappy"),
	MAGIC("ZV\x01", 0, KT_PACK_OTHER, "lzf"),
	MAGIC("Rar!\x1a\x07", 0, KT_PACK_OTHER, "rar"),
	MAGIC("LZIP\x01", 0, KT_PACK_OTHER, "lzip"),
	MAGIC("\x89LZO\0\r\n\x1a\n", 0, KT_PACK_OTHER, "lzop"),
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

/* Frames that decoders pass over may stand first: pzstd writes them, lz4 may. What
 * stands behind them tells; zstd is the likelier where that is not in sight. */
static struct kt_str behind_skippable(struct kt_str head)
{
	while (head.len >= 8 && (head.p[0] & 0xf0) == 0x50 &&
	       kt_str_starts(kt_str_from(head, 1), (struct kt_str){"\x2a\x4d\x18", 3})) {
		const unsigned char *size = (const unsigned char *)head.p + 4;
		size_t n = size[0] | (size_t)size[1] << 8 | (size_t)size[2] << 16 | (size_t)size[3] << 24;
		head = kt_str_from(head, n + 8);
		if (!head.len)
			head = (struct kt_str){"\x28\xb5\x2f\xfd", 4};
	}
	return head;
}

/* A text may begin with the three letters. */
static bool is_bzip2(struct kt_str head)
{
	struct kt_str block = kt_str_from(head, 4);

	return head.len > 3 && head.p[3] >= '1' && head.p[3] <= '9' &&
	       (kt_str_starts(block, (struct kt_str){"1AY&SY", 6}) ||
		kt_str_starts(block, (struct kt_str){"\x17rE8P\x90", 6}) || block.len < 6);
}

/* Tars older than 1988 have no mark, but a sum over their header, in octal. */
static bool is_old_tar(struct kt_str head)
{
	unsigned sum = 8 * ' ', said = 0;

	if (head.len < 512 || !head.p[0])
		return false;
	for (size_t i = 0; i < 512; i++)
		sum += i < 148 || i >= 156 ? (unsigned char)head.p[i] : 0;
	for (size_t i = 148; i < 156; i++)
		if (head.p[i] >= '0' && head.p[i] <= '7')
			said = said * 8 + (unsigned)(head.p[i] - '0');
		else if (head.p[i] != ' ' && head.p[i])
			return false;
	return said == sum;
}

static void know_packing(struct kt_str head, struct kt_sniffed *s)
{
	struct kt_str first = behind_skippable(head);

	for (size_t i = 0; i < KT_LEN(packed) && !s->packed; i++)
		if (kt_str_starts(kt_str_from(first, packed[i].at), packed[i].bytes) &&
		    (packed[i].packing != KT_PACK_BZIP2 || is_bzip2(head))) {
			s->packing = packed[i].packing;
			s->packed = packed[i].name;
		}
	if (!s->packed && is_old_tar(head)) {
		s->packing = KT_PACK_TAR;
		s->packed = "tar";
	}
}

struct kt_sniffed kt_sniff(struct kt_str head)
{
	struct kt_sniffed s = {0};

	know_packing(head, &s);
	for (size_t i = 0; i < KT_LEN(marks) && !s.bom; i++)
		if (kt_str_starts(head, marks[i].mark)) {
			s.encoding = marks[i].encoding;
			s.bom = marks[i].mark.len;
		}
	if (s.encoding == KT_ENC_BYTES)
		s.binary = many_controls(head);
	return s;
}
