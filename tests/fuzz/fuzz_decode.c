/* Whatever the answer: rows that fit their columns, or a failure with a reason and
 * no rows. The first byte chooses the version and the status. */
#include <stdlib.h>

#include "kusto/decode.h"

static void require(bool ok)
{
	if (!ok)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const int statuses[] = {200, 200, 200, 200, 302, 400, 401, 403, 404, 429, 503, 504};
	struct kt_result r = {0};
	struct kt_err err = {0};

	if (!size)
		return 0;
	struct kt_answer a = {.status = statuses[(data[0] >> 1) % KT_LEN(statuses)],
			      .v2 = data[0] & 1,
			      .location = KT_S("https://x.example/y"),
			      .body = {(const char *)data + 1, size - 1}};
	enum kt_reply_state state = kt_decode(&a, &r, &err);
	if (state == KT_REPLY_DONE) {
		require(a.status == 200 && r.n_columns > 0 && err.cls == KT_ERR_NONE);
		for (size_t i = 0; i < r.n_rows * r.n_columns; i++)
			require(r.cells[i].len == 0 || r.cells[i].p != NULL);
	} else {
		require(!r.n_rows && !r.n_columns && !r.cells && err.cls != KT_ERR_NONE && err.text[0]);
	}
	kt_result_free(&r);
	return 0;
}
