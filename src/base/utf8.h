/* UTF-8, one character at a time, strict: no overlong forms, no surrogates. */
#ifndef KT_BASE_UTF8_H
#define KT_BASE_UTF8_H

#include "base/str.h"

#define KT_UTF8_BAD UINT32_MAX

/* Character at AT (AT < s.len): *C and its length in bytes. A byte that starts no
 * valid character gives KT_UTF8_BAD and length 1. */
size_t kt_utf8_next(struct kt_str s, size_t at, uint32_t *c);
void kt_utf8_encode(uint32_t c, char out[4], size_t *len);

/* Characters that change how a terminal or a reader lays out the rest: bidi
 * controls, line and paragraph separators, zero-width marks, BOM, tags. */
bool kt_utf8_is_format(uint32_t c);

#endif
