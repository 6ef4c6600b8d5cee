#include <criterion/criterion.h>
#include <string.h>

#include "kusto/fill.h"

struct pair {
	const char *name, *value;
};

static bool lookup(void *ctx, struct kt_str name, enum kt_fill_type type, struct kt_str *value)
{
	(void)type;
	for (const struct pair *p = ctx; p->name; p++) {
		if (kt_str_eq_c(name, p->name)) {
			*value = kt_str_c(p->value);
			return true;
		}
	}
	return false;
}

static void value_is(enum kt_fill_type type, const char *value, const char *want)
{
	struct kt_buf b = KT_BUF(8192);
	struct kt_err err = {0};
	int rc = kt_fill_value(type, kt_str_c(value), &b, &err);

	if (want) {
		cr_assert(rc == 0, "%s: %s", value, err.text);
		cr_assert_str_eq(kt_buf_c(&b), want);
	} else {
		cr_assert(rc < 0, "%s was taken: %s", value, kt_buf_c(&b));
		cr_assert(err.cls == KT_ERR_REFUSED);
	}
	kt_buf_free(&b);
}

Test(fill, datetimes)
{
	value_is(KT_FILL_DATETIME, "2026-01-31", "datetime(2026-01-31T00:00:00Z)");
	value_is(KT_FILL_DATETIME, "2026-01-31 08:30:15,123", "datetime(2026-01-31T08:30:15.123Z)");
	value_is(KT_FILL_DATETIME, "2026-01-31T08:30:15.123456789Z",
		 "datetime(2026-01-31T08:30:15.1234567Z)");
	value_is(KT_FILL_DATETIME, "2026-01-01T00:30+02:00", "datetime(2025-12-31T22:30:00Z)");
	value_is(KT_FILL_DATETIME, "2024-02-28T23:30:00-0100", "datetime(2024-02-29T00:30:00Z)");
	value_is(KT_FILL_DATETIME, "2025-02-28T23:30:00-01", "datetime(2025-03-01T00:30:00Z)");
	value_is(KT_FILL_DATETIME, "2025-02-29", NULL);
	value_is(KT_FILL_DATETIME, "2026-13-01", NULL);
	value_is(KT_FILL_DATETIME, "0000-01-01", NULL);
	value_is(KT_FILL_DATETIME, "9999-12-31T23:59:00-01:00", NULL);
	value_is(KT_FILL_DATETIME, "2026-01-31T24:00:00Z", NULL);
	value_is(KT_FILL_DATETIME, "2026-01-31T00:00:00Z)", NULL);
	value_is(KT_FILL_DATETIME, "now()", NULL);
	value_is(KT_FILL_DATETIME, "", NULL);
}

Test(fill, timespans)
{
	value_is(KT_FILL_TIMESPAN, "15m", "15m");
	value_is(KT_FILL_TIMESPAN, "100ms", "100ms");
	value_is(KT_FILL_TIMESPAN, "1.02:03:04", "timespan(1.02:03:04)");
	value_is(KT_FILL_TIMESPAN, "00:05:00.5", "timespan(00:05:00.5)");
	value_is(KT_FILL_TIMESPAN, "15", NULL);
	value_is(KT_FILL_TIMESPAN, "m", NULL);
	value_is(KT_FILL_TIMESPAN, "15m)", NULL);
	value_is(KT_FILL_TIMESPAN, "25:00:00", NULL);
	value_is(KT_FILL_TIMESPAN, "-5m", NULL);
}

Test(fill, guids_strings_and_names)
{
	value_is(KT_FILL_GUID, "B5B2A5B4-6d2a-4d0e-9a57-1d2f4ad1f6a1",
		 "b5b2a5b4-6d2a-4d0e-9a57-1d2f4ad1f6a1");
	value_is(KT_FILL_GUID, "b5b2a5b4_6d2a_4d0e_9a57_1d2f4ad1f6a1", NULL);
	value_is(KT_FILL_GUID, "b5b2a5b4-6d2a-4d0e-9a57-1d2f4ad1f6a", NULL);
	value_is(KT_FILL_STRING, "a'b\"c\\d\ne", "\"a\\'b\\\"c\\\\d\\u000Ae\"");
	value_is(KT_FILL_STRING, "\xff", NULL);
	value_is(KT_FILL_ENTITY, "Sales Orders-2", "['Sales Orders-2']");
	value_is(KT_FILL_ENTITY, "Größe", "['Größe']");
	value_is(KT_FILL_ENTITY, "'] | .drop", NULL);
	value_is(KT_FILL_ENTITY, "*", NULL);
	value_is(KT_FILL_ENTITY, "", NULL);
}

Test(fill, a_nul_is_refused)
{
	struct kt_buf b = KT_BUF(64);
	struct kt_err err = {0};

	cr_assert(kt_fill_value(KT_FILL_STRING, KT_S("a\0b"), &b, &err) < 0);
	kt_buf_free(&b);
}

Test(fill, a_name_has_at_most_1024_characters)
{
	char name[1026];

	memset(name, 'x', sizeof name);
	name[1024] = '\0';
	struct kt_buf b = KT_BUF(8192);
	struct kt_err err = {0};
	cr_assert(kt_fill_value(KT_FILL_ENTITY, kt_str_c(name), &b, &err) == 0);
	name[1024] = 'x';
	name[1025] = '\0';
	cr_assert(kt_fill_value(KT_FILL_ENTITY, kt_str_c(name), &b, &err) < 0);
	kt_buf_free(&b);
}

static int fill(const char *tmpl, const struct pair *pairs, struct kt_buf *out, struct kt_err *err)
{
	kt_buf_clear(out);
	kt_err_clear(err);
	return kt_fill(kt_str_c(tmpl), lookup, (void *)(uintptr_t)pairs, out, err);
}

Test(fill, templates)
{
	static const struct pair pairs[] = {
		{"table", "T x"}, {"tag", "a\"b"}, {"from", "2026-01-31"}, {NULL, NULL}};
	struct kt_buf b = KT_BUF(4096);
	struct kt_err err;

	cr_assert(fill(".show table {table:entity} extents where tags has \"drop-by:\" {tag:string}", pairs,
		       &b, &err) == 0);
	cr_assert_str_eq(kt_buf_c(&b), ".show table ['T x'] extents where tags has \"drop-by:\" \"a\\\"b\"");
	cr_assert(fill("a {nope:string}", pairs, &b, &err) < 0);
	cr_assert(err.cls == KT_ERR_USAGE);
	cr_assert_str_eq(err.text, "nope is not known");
	cr_assert(fill("a {tag:entity}", pairs, &b, &err) < 0);
	cr_assert(err.cls == KT_ERR_REFUSED && strstr(err.text, "tag: 'a\"b' is no entity name"), "%s",
		  err.text);
	cr_assert(fill("a \"{tag:string}\"", pairs, &b, &err) < 0);
	cr_assert(err.cls == KT_ERR_RULES && strstr(err.text, "stands inside a string"), "%s", err.text);
	cr_assert(fill("a 'it\\'s {tag:string}'", pairs, &b, &err) < 0);
	cr_assert(err.cls == KT_ERR_RULES);
	cr_assert(fill("a 'b' {tag:string}", pairs, &b, &err) == 0);
	cr_assert(fill("{tag}", pairs, &b, &err) < 0 && err.cls == KT_ERR_RULES);
	cr_assert(fill("{tag:text}", pairs, &b, &err) < 0 && strstr(err.text, "the types are"));
	cr_assert(fill("{tag:string", pairs, &b, &err) < 0);
	kt_buf_free(&b);
}

static void count(void *ctx, struct kt_str name, enum kt_fill_type type)
{
	(void)name;
	*(int *)ctx += 1 + (type == KT_FILL_GUID) * 10;
}

Test(fill, placeholders_are_listed)
{
	struct kt_err err = {0};
	int n = 0;

	cr_assert(kt_fill_each(KT_S("{a:string} {b:guid} {a:string}"), count, &n, &err) == 0);
	cr_assert(n == 13);
	cr_assert(kt_fill_each(KT_S("{a}"), count, &n, &err) < 0);
}
