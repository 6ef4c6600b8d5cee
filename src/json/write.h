/* JSON, written in the order of the calls.
 *
 * Commas and quotes come by themselves. Text that is not UTF-8 has each bad byte
 * written as U+FFFD; control characters are escaped, and so are U+2028 and
 * U+2029, DEL and C1 controls: what is written is inert on a terminal too.
 *
 *     struct kt_jw w = {.out = &buf};
 *     kt_jw_open(&w, NULL, '{');
 *     kt_jw_str(&w, "verdict", KT_S("likely"));
 *     kt_jw_close(&w);
 */
#ifndef KT_JSON_WRITE_H
#define KT_JSON_WRITE_H

#include "base/buf.h"

#define KT_JW_DEPTH 16

struct kt_jw {
	struct kt_buf *out;
	unsigned depth;
	char close[KT_JW_DEPTH]; /* '}' or ']' of each open value */
	bool some[KT_JW_DEPTH];  /* it has a member already */
};

/* KEY is NULL inside an array and at the top. */
void kt_jw_open(struct kt_jw *w, const char *key, char open); /* '{' or '[' */
void kt_jw_close(struct kt_jw *w);
void kt_jw_str(struct kt_jw *w, const char *key, struct kt_str s);
void kt_jw_str_or_null(struct kt_jw *w, const char *key, struct kt_str s); /* null when empty */
void kt_jw_int(struct kt_jw *w, const char *key, int64_t v);
void kt_jw_bool(struct kt_jw *w, const char *key, bool v);
void kt_jw_null(struct kt_jw *w, const char *key);
/* V * 10^-DECIMALS, all decimals shown: (983, 3) is 0.983. */
void kt_jw_fixed(struct kt_jw *w, const char *key, int64_t v, unsigned decimals);

/* One string with its quotes. */
void kt_json_quote(struct kt_buf *out, struct kt_str s);

#endif
