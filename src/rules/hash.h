/* A fast hash of many bytes, to notice change and damage; no protection against malice. */
#ifndef KT_RULES_HASH_H
#define KT_RULES_HASH_H

#include "base/str.h"

/* 64 bits over S; pass the last result as SEED to go on. The value depends on the
 * byte order of the machine. */
uint64_t kt_rules_hash(struct kt_str s, uint64_t seed);

#endif
