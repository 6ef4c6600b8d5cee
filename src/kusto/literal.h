/* Values written as KQL literals, each checked first. Shared by guard and placeholders.
 *
 * Errors are of class REFUSED and quote at most the first bytes of the value.
 */
#ifndef KT_KUSTO_LITERAL_H
#define KT_KUSTO_LITERAL_H

#include "base/buf.h"
#include "base/err.h"

/* "…": every quote, backslash, control and layout character escaped. */
KT_MUST_CHECK int kt_literal_string(struct kt_str v, struct kt_buf *out, struct kt_err *err);
/* ['…'] */
KT_MUST_CHECK int kt_literal_entity(struct kt_str v, struct kt_buf *out, struct kt_err *err);
/* bare, lower case */
KT_MUST_CHECK int kt_literal_guid(struct kt_str v, struct kt_buf *out, struct kt_err *err);
/* datetime(…Z), or datetime(null) */
KT_MUST_CHECK int kt_literal_datetime(struct kt_str v, struct kt_buf *out, struct kt_err *err);
/* 15m or timespan(…), or timespan(null) */
KT_MUST_CHECK int kt_literal_timespan(struct kt_str v, struct kt_buf *out, struct kt_err *err);

bool kt_literal_is_guid(struct kt_str v);

static inline char kt_literal_lower(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c + ('a' - 'A'));
	return c;
}

/* Unit of a timespan literal: d h m s ms microsecond tick. */
bool kt_literal_is_unit(struct kt_str v);

#endif
