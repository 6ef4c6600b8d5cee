/* Pieces that v1 and v2 answers share; for the decoder only. */
#ifndef KT_KUSTO_ANSWER_H
#define KT_KUSTO_ANSWER_H

#include "json/json.h"
#include "kusto/decode.h"

/* A decoding under way. The first failure is kept. */
struct kt_decoding {
	const struct kt_answer *a;
	struct kt_result *out;
	struct kt_err *err;
	enum kt_reply_state state; /* DONE until something is wrong */
	struct kt_str activity_id; /* of the body, where the header has none */
	size_t cap_cells, n_cells; /* of out->cells while it grows */
};

/* Sets the state and the error, with the activity id behind the text. Returns -1. */
int kt_decoding_fail(struct kt_decoding *d, enum kt_reply_state state, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int kt_decoding_malformed(struct kt_decoding *d, const char *what);

/* An error as the service writes it: {"error": {…}} or the inner object. */
int kt_decoding_one_api(struct kt_decoding *d, const struct kt_json *error);
/* Text of a failure without structure. */
int kt_decoding_text(struct kt_decoding *d, struct kt_str text);
/* An answer whose status is not 200. */
int kt_decoding_status(struct kt_decoding *d);
/* A body that is not JSON: names the content type and shows its beginning. */
int kt_decoding_foreign(struct kt_decoding *d);

/* Reads the columns; a table without them is malformed. */
KT_MUST_CHECK int kt_table_columns(struct kt_decoding *d, const struct kt_json *columns);
/* Adds rows; every row has as many cells as there are columns. */
KT_MUST_CHECK int kt_table_rows(struct kt_decoding *d, const struct kt_json *rows);
void kt_table_clear_rows(struct kt_decoding *d);
/* Rows of tables that are not kept hold failures, too. */
KT_MUST_CHECK int kt_table_check(struct kt_decoding *d, const struct kt_json *rows);

/* Position of a named column in a "Columns" array, or KT_NPOS. */
size_t kt_answer_column(const struct kt_json *columns, const char *name);

KT_MUST_CHECK int kt_decode_v1(struct kt_decoding *d, const struct kt_json *doc);
KT_MUST_CHECK int kt_decode_v2(struct kt_decoding *d, const struct kt_json *doc);

#endif
