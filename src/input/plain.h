/* What is taken out of a line before it is read. Inside the module only. */
#ifndef KT_INPUT_PLAIN_H
#define KT_INPUT_PLAIN_H

#include "base/buf.h"

/* LINE without escape sequences: itself, or in SCRATCH (cleared before). */
struct kt_str kt_plain_colours(struct kt_str line, struct kt_buf *scratch);

/* LINE with one NUL in place of several, and none at its start: itself, or in SCRATCH. */
struct kt_str kt_plain_noise(struct kt_str line, struct kt_buf *scratch);

#endif
