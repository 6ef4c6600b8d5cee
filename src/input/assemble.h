/* Bytes → lines → records, whatever the pieces in which the bytes come. Inside the
 * module only. */
#ifndef KT_INPUT_ASSEMBLE_H
#define KT_INPUT_ASSEMBLE_H

#include "input/split.h"

struct kt_assembler {
	struct kt_split split;
	struct kt_cut line; /* a line that began in an earlier piece */
	bool line_open;
	uint64_t line_offset;
};

void kt_assembler_init(struct kt_assembler *a, const struct kt_headers *h,
		       const struct kt_input_limits *limits, kt_record_fn fn, void *ctx);
void kt_assembler_free(struct kt_assembler *a);

/* From here on the bytes behind LINES lines of ROW, which is INPUT; nothing before
 * matters. */
void kt_assembler_begin(struct kt_assembler *a, struct kt_input *input, uint32_t row, uint64_t lines);

/* TEXT begins at OFFSET of the input. Returns what the record function returned. */
int kt_assembler_add(struct kt_assembler *a, struct kt_str text, uint64_t offset);

/* Hands out the last record. */
int kt_assembler_end(struct kt_assembler *a);

/* True when a line that begins a record would begin it here. */
bool kt_assembler_settled(const struct kt_assembler *a);

#endif
