/* Lines that are JSON: events, structured logs, wrapped lines. Inside the module only. */
#ifndef KT_INPUT_JSONLINE_H
#define KT_INPUT_JSONLINE_H

#include "base/buf.h"
#include "input/headers.h"

/* Adds LINE to OUT with the escapes inside its strings decoded; a string that
 * holds line ends stands on lines of its own. Works on any bytes: a line that is
 * no whole JSON comes out as far as it is understood. */
void kt_jsonline_plain(struct kt_str line, struct kt_buf *out);

/* When LINE fits a JSON row of the table: true, OUT (cleared before) holds
 * "time level logger: message" and the trace, and M the fields as parts of OUT. */
bool kt_jsonline_log(const struct kt_headers *h, struct kt_str line, struct kt_buf *out,
		     struct kt_header_match *m);

/* When LINE fits a WRAP row and its text is a string: true, OUT holds the line inside,
 * and PART says whether the wrapper says that it goes on. */
bool kt_jsonline_wrapped(const struct kt_headers *h, struct kt_str line, struct kt_buf *out, bool *part);

/* False: LINE is certainly no wrapper. */
bool kt_jsonline_may_be_wrapped(const struct kt_headers *h, struct kt_str line);

#endif
