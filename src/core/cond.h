/* Conditions: three-valued logic over facts and over columns of a result.
 *
 *     condition = term { "or" term }      term = factor { "and" factor }
 *     factor    = "not" factor | "(" condition ")" | NAME OP VALUE | NAME "in" "[" VALUE {"," VALUE} "]"
 *     OP        = == != < <= > >=      and over columns also  =~ contains startswith
 *     VALUE     = a bare word or 'quoted text' ('' is a quote)
 *
 * Two values that are both dotted numbers compare as versions (3.1 == 3.1.0);
 * otherwise as bytes, and then only == != in =~ contains startswith are defined:
 * an order between other texts is unknown.
 */
#ifndef KT_CORE_COND_H
#define KT_CORE_COND_H

#include "core/build.h"

enum kt_tri { KT_FALSE, KT_TRUE, KT_UNKNOWN };

enum kt_tri kt_tri_not(enum kt_tri a);
enum kt_tri kt_tri_and(enum kt_tri a, enum kt_tri b);
enum kt_tri kt_tri_or(enum kt_tri a, enum kt_tri b);

/* A value "A..B" is a version of which only the bounds are known, both of them in it; a
 * comparison with it is UNKNOWN where the bounds do not decide. Any other value is its own
 * bounds. False when a bound is no dotted number. */
bool kt_version_span(struct kt_str v, struct kt_str *lo, struct kt_str *hi);
bool kt_version_is_span(struct kt_str v);

/* -1, 0, 1 for two dotted numbers; false when one is none ("5.0.0-BETA-06" is none). */
bool kt_version_cmp(struct kt_str a, struct kt_str b, int *out);

/* Fact of a name while parsing, or KT_NIL when there is no such fact. */
typedef uint32_t (*kt_cond_name_fn)(void *ctx, struct kt_str name);

/* Parses TEXT into nodes of B. FACT_OF resolves names; with NULL every name is a
 * column. On error returns -1, *AT is the byte offset of the fault in TEXT. */
KT_MUST_CHECK int kt_cond_parse(struct kt_kbb *b, struct kt_str text, kt_cond_name_fn fact_of, void *ctx,
				uint32_t *node, size_t *at, struct kt_err *err);

/* Value of the fact or column of NODE: false when it is not known. */
typedef bool (*kt_cond_value_fn)(void *ctx, const struct kt_node *node, struct kt_str *value);

/* Node KT_NIL is true. */
enum kt_tri kt_cond_eval(const struct kt_kb *kb, uint32_t node, kt_cond_value_fn value, void *ctx);

/* Calls FN for every comparison below NODE. */
void kt_cond_walk(const struct kt_kb *kb, uint32_t node, void (*fn)(void *ctx, const struct kt_node *leaf),
		  void *ctx);

#endif
