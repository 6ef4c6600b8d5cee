/* Building a knowledge base row by row.
 *
 * The rule loader and the tests fill a builder and finish it once. Text is
 * interned (equal texts share their bytes), equal patterns and items become one
 * row. Spans are contiguous, so the rows of one span are added one after the
 * other: collect them in an array first, then add them with one call.
 *
 *     struct kt_kbb *b = kt_kbb_new();
 *     uint32_t p = kt_kbb_pattern(b, KT_S("None\\.get"));
 *     ...
 *     const struct kt_kb *kb = kt_kbb_kb(b);      // a view, valid until the next add
 *     kt_kbb_free(b);
 */
#ifndef KT_CORE_BUILD_H
#define KT_CORE_BUILD_H

#include "core/kb.h"

struct kt_kbb;

struct kt_kbb *kt_kbb_new(void);
void kt_kbb_free(struct kt_kbb *b);
const struct kt_kb *kt_kbb_kb(struct kt_kbb *b);

struct kt_ref kt_kbb_text(struct kt_kbb *b, struct kt_str s);
struct kt_span kt_kbb_strings(struct kt_kbb *b, const struct kt_str *s, size_t n);
struct kt_span kt_kbb_fact_refs(struct kt_kbb *b, const uint32_t *facts, size_t n);
uint32_t kt_kbb_pattern(struct kt_kbb *b, struct kt_str regex); /* equal texts: one row */
void kt_kbb_literals(struct kt_kbb *b, uint32_t pattern, const struct kt_str *s, size_t n, bool fold);
uint32_t kt_kbb_node(struct kt_kbb *b, const struct kt_node *node);
uint32_t kt_kbb_item(struct kt_kbb *b, const struct kt_item *item); /* equal rows: one row */

/* kt_kbb_add_facts(b, row) and so on: copy one row to the end of its table, return its number. */
#define X(name, type) uint32_t kt_kbb_add_##name(struct kt_kbb *b, const type *row);
KT_TABLES(X)
#undef X
/* The row may be changed until the base is used. */
#define X(name, type) type *kt_kbb_at_##name(struct kt_kbb *b, uint32_t i);
KT_TABLES(X)
#undef X

#endif
