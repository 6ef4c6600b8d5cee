#include <criterion/criterion.h>
#include <stdlib.h>

#include "fixture.h"
#include "json/json.h"

Test(schema, the_shipped_file_is_what_the_table_gives)
{
	const char *source = getenv("KTRIAGE_SOURCE");
	struct kt_buf want = KT_BUF(1 << 20), got = KT_BUF(1 << 20), path = KT_BUF(4096);
	struct kt_err err = {0};

	kt_buf_fmt(&path, "%s/rules/schema/rules.schema.json", source ? source : KT_RULES_SOURCE "/..");
	kt_rules_schema(&got);
	if (getenv("KT_UPDATE"))
		cr_assert(kt_file_replace(kt_buf_c(&path), kt_buf_view(&got), &err) == 0, "%s", err.text);
	cr_assert(kt_file_read(kt_buf_c(&path), &want, &err) == 0, "%s", err.text);
	cr_assert(kt_str_eq(kt_buf_view(&want), kt_buf_view(&got)),
		  "write it anew with: ktriage rules schema > rules/schema/rules.schema.json");
	kt_buf_free(&want);
	kt_buf_free(&got);
	kt_buf_free(&path);
}

Test(schema, is_json_with_the_keys_that_the_loader_knows)
{
	struct kt_buf text = KT_BUF(1 << 20);
	struct kt_err err = {0};

	kt_rules_schema(&text);
	struct kt_json *doc = kt_json_parse(kt_buf_view(&text), &err);
	cr_assert(doc, "%s", err.text);
	struct kt_json *definitions = kt_json_get(doc, "definitions");
	struct kt_json *cause = kt_json_get(definitions, "cause");
	cr_assert(kt_json_kind(kt_json_get(kt_json_get(cause, "properties"), "look-alikes")) ==
		  KT_JSON_OBJECT);
	cr_assert(kt_json_len(kt_json_get(cause, "required")) == 8);
	cr_assert(kt_json_bool(kt_json_get(cause, "additionalProperties"), true) == false);
	cr_assert(kt_json_len(kt_json_get(kt_json_get(definitions, "evidence"), "oneOf")) == 3);
	kt_json_free(doc);
	kt_buf_free(&text);
}
