/* How an input may be packed. */
#ifndef KT_INPUT_PACKING_H
#define KT_INPUT_PACKING_H

enum kt_packing {
	KT_PACK_NONE,
	KT_PACK_GZIP,
	KT_PACK_ZSTD,
	KT_PACK_XZ,
	KT_PACK_LZ4,
	KT_PACK_LZ4BLOCK, /* of Java's LZ4BlockOutputStream: Spark's event logs */
	KT_PACK_BZIP2,
	KT_PACK_COMPRESS,
	KT_PACK_TAR, /* from here on: archives */
	KT_PACK_ZIP,
	KT_PACK_OTHER, /* not read: must be unpacked first */
};

#endif
