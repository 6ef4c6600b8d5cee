#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "kusto/decode.h"

static void read_file(const char *path, struct kt_buf *out)
{
	struct kt_err err = {0};

	*out = KT_BUF(8u << 20);
	cr_assert(kt_file_read(path, out, &err) == 0, "%s", err.text);
}

/* Rows as "a|b;c|d", null as ~; or "state: text". */
static void show(const struct kt_answer *a, struct kt_buf *out)
{
	struct kt_result r = {0};
	struct kt_err err = {0};
	enum kt_reply_state state = kt_decode(a, &r, &err);

	*out = KT_BUF(1u << 20);
	if (state != KT_REPLY_DONE) {
		kt_buf_fmt(out, "%s: %s", kt_reply_word(state), err.text);
		cr_assert(r.n_rows == 0 && !r.cells && !r.columns, "rows of a failure were kept");
		cr_assert(err.cls == KT_ERR_CLUSTER || err.cls == KT_ERR_LIMIT);
		return;
	}
	for (size_t row = 0; row < r.n_rows; row++) {
		for (size_t c = 0; c < r.n_columns; c++) {
			struct kt_str s = kt_result_cell(&r, row, c);
			kt_buf_fmt(out, "%s" KT_FMT, c ? "|" : row ? ";" : "", KT_ARG(s.p ? s : KT_S("~")));
		}
	}
	kt_result_free(&r);
}

static void body_is(const char *body, bool v2, int status, const char *want)
{
	struct kt_answer a = {
		.status = status, .body = kt_str_c(body), .v2 = v2, .content_type = KT_S("application/json")};
	struct kt_buf got;

	show(&a, &got);
	cr_assert(kt_str_starts(kt_buf_view(&got), kt_str_c(want)), "%s\n gives %s\n not   %s", body,
		  kt_buf_c(&got), want);
	kt_buf_free(&got);
}

static void file_is(const char *name, bool v2, int status, const char *want)
{
	struct kt_buf path = KT_BUF(KT_BUF_NAME), body;

	kt_buf_fmt(&path, "%s/recorded/%s", KT_TEST_DATA, name);
	read_file(kt_buf_c(&path), &body);
	body_is(kt_buf_c(&body), v2, status, want);
	kt_buf_free(&path);
	kt_buf_free(&body);
}

Test(decode, own_fixtures)
{
	file_is("v1_one_table.json", false, 200,
		"1.0.9|2026-01-31T08:00:00Z|true|9223372036854775807;|~|false|-1");
	file_is("v1_with_contents.json", false, 200, "T1;T2");
	file_is("v1_status_row.json", false, 200, "timeout: Query is expired (80DA0006)");
	file_is("v1_exceptions_row.json", false, 200,
		"limit: Query execution has exceeded the allowed limits (80DA0003): too many records");
	file_is("v2_plain.json", true, 200,
		"x|true|1|0.1|2.50|00:00:01|{\"a\":[1,\"b\"]}|1e+300;|false|~|1|~|~|text|NaN");
	file_is("v2_fragments.json", true, 200, "3;4");
	file_is("oneapi_403.json", false, 403,
		"permission: Principal 'aadapp=11111111-2222-3333-4444-555555555555;tenant' is not "
		"authorized to read "
		"database 'sales'. [Forbidden] (activity id 0a0b0c0d-0000-4000-8000-000000000001)");
	file_is("oneapi_403.json", false, 200, "permission: ");
}

/* Every way of cutting a good answer short is an error. */
Test(decode, a_body_that_ends_early_is_an_error)
{
	static const char *const names[] = {"v1_one_table.json", "v2_plain.json", "v2_fragments.json"};

	for (size_t i = 0; i < KT_LEN(names); i++) {
		struct kt_buf path = KT_BUF(KT_BUF_NAME), body, got;
		kt_buf_fmt(&path, "%s/recorded/%s", KT_TEST_DATA, names[i]);
		read_file(kt_buf_c(&path), &body);
		size_t whole = kt_str_trim(kt_buf_view(&body)).len;
		for (size_t len = 0; len < whole; len++) {
			struct kt_answer a = {
				.status = 200, .body = kt_str_sub(kt_buf_view(&body), 0, len), .v2 = i > 0};
			show(&a, &got);
			cr_assert(kt_str_starts(kt_buf_view(&got), KT_S("malformed: ")), "%s cut at %zu: %s",
				  names[i], len, kt_buf_c(&got));
			kt_buf_free(&got);
		}
		kt_buf_free(&path);
		kt_buf_free(&body);
	}
}

#define HEAD "[{\"FrameType\":\"DataSetHeader\"},"
#define TABLE                                                                                       \
	"{\"FrameType\":\"DataTable\",\"TableId\":1,\"TableKind\":\"PrimaryResult\",\"Columns\":[{" \
	"\"ColumnName\":\"a\"}],\"Rows\":[[1]]}"
#define END "{\"FrameType\":\"DataSetCompletion\",\"HasErrors\":false,\"Cancelled\":false}]"
#define BEGIN                                                                                         \
	"{\"FrameType\":\"TableHeader\",\"TableId\":1,\"TableKind\":\"PrimaryResult\",\"Columns\":[{" \
	"\"ColumnName\":\"a\"}]}"
#define MORE                                                                                                 \
	"{\"FrameType\":\"TableFragment\",\"TableFragmentType\":\"DataAppend\",\"TableId\":1,\"Rows\":[[1]]" \
	"}"

Test(decode, failures_inside_200)
{
	body_is(HEAD TABLE "," END, true, 200, "1");
	body_is(HEAD TABLE ",{\"FrameType\":\"DataSetCompletion\",\"HasErrors\":true,\"Cancelled\":false,"
			   "\"OneApiErrors\":"
			   "[{\"error\":{\"code\":\"LimitsExceeded\",\"message\":\"m\"}}]}]",
		true, 200, "limit: m [LimitsExceeded]");
	body_is(HEAD TABLE ",{\"FrameType\":\"DataSetCompletion\",\"HasErrors\":true,\"Cancelled\":false}]",
		true, 200, "failed: the service says that it failed");
	body_is(HEAD TABLE ",{\"FrameType\":\"DataSetCompletion\",\"HasErrors\":false,\"Cancelled\":true}]",
		true, 200, "failed: the service cancelled it");
	body_is(HEAD BEGIN
		"," MORE ",{\"FrameType\":\"TableCompletion\",\"TableId\":1,\"RowCount\":1,\"OneApiErrors\":"
		"[{\"error\":{\"code\":\"X\",\"@message\":\"why\\r\\nstack\"}}]}," END,
		true, 200, "failed: why [X]");
	body_is("{\"error\":{\"code\":\"General_BadRequest\",\"message\":\"no\"}}", true, 200,
		"failed: no [General_BadRequest]");
	body_is("{\"Tables\":[],\"Exceptions\":[\"x\\r\\ny\"]}", false, 200, "failed: x");
	body_is("{\"Tables\":[{\"Columns\":[{\"ColumnName\":\"a\"}],\"Rows\":[[1]]}],\"Exceptions\":["
		"\"late\"]}",
		false, 200, "failed: late");
}

Test(decode, lies_are_malformed)
{
	static const struct {
		bool v2;
		const char *body;
	} rows[] = {
		{false, "{}"},
		{false, "[]"},
		{false, "{\"Tables\":[]}"},
		{false, "{\"Tables\":{}}"},
		{false, "{\"Tables\":[{\"Columns\":[],\"Rows\":[]}]}"},
		{false, "{\"Tables\":[{\"Columns\":[{\"ColumnName\":\"a\"}]}]}"},
		{false, "{\"Tables\":[{\"Columns\":[{\"ColumnName\":\"a\"}],\"Rows\":[[1,2]]}]}"},
		{false, "{\"Tables\":[{\"Columns\":[{\"ColumnName\":\"a\"}],\"Rows\":[[]]}]}"},
		{false, "{\"Tables\":[{\"Columns\":[{\"ColumnName\":\"a\"}],\"Rows\":[7]}]}"},
		{false, "{\"Tables\":[{\"Columns\":[{\"ColumnName\":\"a\"}],\"Rows\":[{}]}]}"},
		{false, "{\"Tables\":[{\"Columns\":[{}],\"Rows\":[]}]}"},
		{false, "{\"Tables\":[{\"Columns\":[{\"ColumnName\":\"a\"}],\"Rows\":[]},{\"Rows\":[]},{"
			"\"Rows\":[]}]}"},
		{false, "{\"Tables\":[],\"Tables\":[]}"},
		{true, HEAD END},
		{true, HEAD TABLE "]"},
		{true, HEAD TABLE "," END "x"},
		{true, "[" TABLE "," END},
		{true, HEAD TABLE ","
				  "{\"FrameType\":\"Joke\"}," END},
		{true, HEAD BEGIN "," MORE "," END},
		{true, HEAD BEGIN "," BEGIN "," END},
		{true, HEAD MORE "," END},
		{true, HEAD BEGIN "," MORE
				  ",{\"FrameType\":\"TableCompletion\",\"TableId\":1,\"RowCount\":2}," END},
		{true, HEAD BEGIN "," MORE
				  ",{\"FrameType\":\"TableCompletion\",\"TableId\":2,\"RowCount\":1}," END},
		{true, HEAD TABLE ",{\"FrameType\":\"DataSetCompletion\"}]"},
		{true, HEAD TABLE
		 ",{\"FrameType\":\"DataSetCompletion\",\"HasErrors\":false,\"Cancelled\":false}," TABLE "]"},
		{true, "{\"Tables\":[]}"},
		{true, "[]"},
		{true, "7"},
		{true, "null"},
		{true, "\"x\""},
	};

	for (size_t i = 0; i < KT_LEN(rows); i++)
		body_is(rows[i].body, rows[i].v2, 200, "malformed: ");
}

Test(decode, bodies_that_are_not_the_services)
{
	struct kt_buf got;
	struct kt_answer a = {.status = 200,
			      .content_type = KT_S("text/html"),
			      .body = KT_S("<HTML><body>Sign\n\n in</body>")};

	show(&a, &got);
	cr_assert_str_eq(kt_buf_c(&got),
			 "malformed: the answer is no JSON but a web page, as of a proxy or a sign-in "
			 "portal: <HTML><body>Sign in</body>");
	kt_buf_free(&got);
	body_is("", true, 200, "malformed: the answer is no JSON but text of no length");
	body_is("Pong!", true, 200, "malformed: the answer is no JSON but text: Pong!");
	body_is("", true, 401, "sign-in: HTTP 401, the token was not accepted");
	body_is("", true, 403, "permission: HTTP 403");
	body_is("", true, 404, "not-found: HTTP 404, there is no cluster at this address");
	body_is("", true, 429, "throttled: HTTP 429");
	body_is("<html>Gateway</html>", true, 504,
		"timeout: HTTP 504, a gateway gave up waiting: <html>Gateway</html>");
	body_is("<html>no</html>", true, 503,
		"failed: HTTP 503, the cluster is stopped, starting or overloaded");
	body_is("{\"message\":\"bare\"}", true, 400, "failed: bare");
	body_is("{\"error\":{\"code\":\"BadRequest_DatabaseNotExist\",\"message\":\"m\"}}", true, 400,
		"not-found: m");
	body_is("General_BadRequest: Request is invalid\nError details:\nx", true, 400,
		"failed: HTTP 400, the request was not accepted: General_BadRequest: Request is invalid "
		"Error details: x");
	a = (struct kt_answer){.status = 302, .location = KT_S("https://evil.example/steal?x")};
	show(&a, &got);
	cr_assert_str_eq(kt_buf_c(&got),
			 "malformed: it answers 302 and sends us to 'evil.example'; redirects are not "
			 "followed, they could take the token along");
	kt_buf_free(&got);
}

Test(decode, the_activity_id_of_the_header_is_named)
{
	struct kt_answer a = {
		.status = 400, .activity_id = KT_S("abc-1"), .body = KT_S("{\"error\":{\"message\":\"m\"}}")};
	struct kt_buf got;

	show(&a, &got);
	cr_assert_str_eq(kt_buf_c(&got), "failed: m (activity id abc-1)");
	kt_buf_free(&got);
}

Test(decode, columns_by_name)
{
	struct kt_result r = {0};
	struct kt_column columns[] = {{KT_S("State"), KT_S("string")},
				      {KT_S("state"), KT_S("string")},
				      {KT_S("User"), KT_S("string")}};

	r.columns = columns;
	r.n_columns = 3;
	cr_assert(kt_result_column(&r, KT_S("state")) == 1);
	cr_assert(kt_result_column(&r, KT_S("STATE")) == KT_NPOS);
	cr_assert(kt_result_column(&r, KT_S("user")) == 2);
	cr_assert(kt_result_column(&r, KT_S("none")) == KT_NPOS);
}

/* The answers that others recorded from the real service, where they are at hand. */
static const struct {
	const char *name, *want;
	bool v2;
	int status;
} recorded[] = {
	{"python/versionshowcommandresult.json", "1.0.6693.14577|", false, 200},
	{"python/adminthenquery.json", "", false, 200},
	{"python/deft.json", "", true, 200},
	{"python/alternative_order.json", "", true, 200},
	{"python/deft_with_progressive_result.json", "", true, 200},
	{"python/progressive_result.json", "", true, 200},
	{"python/dataframe.json", "", true, 200},
	{"python/null_values.json", "~|~|~", true, 200},
	{"python/dynamic.json", "123|", true, 200},
	{"python/pandas_bool.json", "", true, 200},
	{"python/zero_results.json", "", true, 200},
	{"python/query_partial_results_defer_is_false.json", "limit: ", true, 200},
	{"python/query_partial_results_defer_is_true.json", "limit: ", true, 200},
	{"go/v1_success.json", "", false, 200},
	{"go/v1_dataTypeOnly.json", "", false, 200},
	{"go/v1_booleanInt.json", "false;false;true;true;~", false, 200},
	{"go/v1_partialError.json", "limit: Query execution has exceeded the allowed limits (80DA0003)",
	 false, 200},
	{"go/v1_error.txt", "failed: HTTP 400", false, 400},
	{"go/v2_validFrames.json", "", true, 200},
	{"go/v2_aliases.json", "", true, 200},
	{"go/v2_twoTables.json", "", true, 200},
	{"go/v2_partialError.json", "limit: Query execution has exceeded the allowed limits (80DA0003)", true,
	 200},
	{"go/v2_error.txt", "failed: HTTP 400", true, 400},
	{"spark/query-results-v1.json", "", false, 200},
	{"spark/query-results-v2.json", "", true, 200},
	{"spark/storage-result.json", "https://", false, 200},
	{"spark/storage-result-empty.json", "", false, 200},
};

Test(decode, answers_recorded_by_others)
{
	const char *shared = getenv("KTRIAGE_SHARED");
	struct stat st;
	struct kt_buf path = KT_BUF(KT_BUF_NAME);

	kt_buf_fmt(&path, "%s/data/recorded", shared ? shared : "../shared");
	if (stat(kt_buf_c(&path), &st) < 0)
		cr_skip_test("no recorded answers at %s", kt_buf_c(&path));
	for (size_t i = 0; i < KT_LEN(recorded); i++) {
		struct kt_buf file = KT_BUF(KT_BUF_NAME), body, got;
		kt_buf_fmt(&file, "%s/%s", kt_buf_c(&path), recorded[i].name);
		read_file(kt_buf_c(&file), &body);
		struct kt_answer a = {
			.status = recorded[i].status, .body = kt_buf_view(&body), .v2 = recorded[i].v2};
		show(&a, &got);
		const char *want = recorded[i].want;
		struct kt_str view = kt_buf_view(&got);
		bool failure = strchr(want, ':') && !strstr(want, "://");
		bool failed = kt_str_find(view, KT_S(": "), 0) < 14 && !strstr(recorded[i].name, "dynamic");
		cr_assert(failed == failure && kt_str_starts(view, kt_str_c(want)), "%s: %.300s",
			  recorded[i].name, kt_buf_c(&got));
		kt_buf_free(&file);
		kt_buf_free(&body);
		kt_buf_free(&got);
	}
	kt_buf_free(&path);
}
