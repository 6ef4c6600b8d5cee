/* Whatever the text: what the guard lets through is one read-only statement, its
 * print is stable, and a value that is filled in stays inside its literal. */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "kusto/fill.h"
#include "kusto/guard.h"

static struct kt_guard *guard;
static struct kt_buf table = {.max = 4u << 20};

static void require(bool ok)
{
	if (!ok)
		abort();
}

static void load(void)
{
	struct kt_err err = {0};

	if (guard)
		return;
	require(kt_file_read(KT_RULES_SOURCE "/guard.tsv", &table, &err) == 0);
	guard = kt_guard_new(kt_buf_view(&table), &err);
	require(guard != NULL);
}

/* Behind the quote of the literal that begins at AT. */
static size_t skip_literal(struct kt_str s, size_t at)
{
	char quote = s.p[at++];

	while (at < s.len && s.p[at] != quote)
		at += s.p[at] == '\\' ? 2 : 1;
	require(at < s.len);
	return at + 1;
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* What stands behind `|` is an operator of the list. */
static bool is_step(struct kt_str s)
{
	static const char *const steps[] = {" where ",     " project ",   " project-away ", " extend ",
					    " summarize ", " top ",       " take ",         " sort by ",
					    " distinct ",  " mv-expand ", " parse "};

	for (size_t i = 0; i < KT_LEN(steps); i++)
		if (kt_str_starts(s, kt_str_c(steps[i])))
			return true;
	return kt_str_eq_c(s, " count") || kt_str_starts(s, KT_S(" count | "));
}

/* Knows nothing of the guard's tree: literals apart, no byte of the print can begin
 * a second statement, a comment, a feed or another source of rows. */
static void require_harmless(struct kt_str s)
{
	static const char *const marks[] = {";", "//", "<|", "{", "}", "$", "#", "@"};
	static const char *const calls[] = {"cluster(",     "database(", "externaldata(",   "toscalar(",
					    "materialize(", "table(",    "external_table(", "view(",
					    "datatable(",   "invoke("};

	require(kt_str_starts(s, KT_S(".show ")) || kt_str_starts(s, KT_S(".get ingestion resources")) ||
		kt_str_starts(s, KT_S("['")));
	for (size_t at = 0; at < s.len;) {
		struct kt_str here = kt_str_from(s, at);
		require((unsigned char)s.p[at] >= ' ' && s.p[at] != 0x7f);
		if (s.p[at] == '"' || s.p[at] == '\'') {
			at = skip_literal(s, at);
			continue;
		}
		for (size_t i = 0; i < KT_LEN(marks); i++)
			require(!kt_str_starts(here, kt_str_c(marks[i])));
		for (size_t i = 0; i < KT_LEN(calls); i++)
			require((at > 0 && is_word(s.p[at - 1])) || !kt_str_starts(here, kt_str_c(calls[i])));
		require(s.p[at] != '|' || is_step(kt_str_from(s, at + 1)));
		at++;
	}
}

static bool same_plan(const struct kt_guard_plan *a, const struct kt_guard_plan *b)
{
	return kt_str_eq(kt_buf_view(&a->text), kt_buf_view(&b->text)) && a->cls == b->cls &&
	       a->kind == b->kind && a->endpoint == b->endpoint && a->n_columns == b->n_columns;
}

static void read_text(struct kt_str text)
{
	struct kt_guard_plan once = {0}, twice = {0};
	struct kt_err err = {0};

	if (kt_guard_parse(guard, text, KT_BY_PACK, &once, &err) < 0) {
		require(err.cls == KT_ERR_REFUSED && err.text[0] && !once.text.len);
		return;
	}
	require_harmless(kt_buf_view(&once.text));
	require(kt_guard_parse(guard, kt_buf_view(&once.text), KT_BY_PACK, &twice, &err) == 0);
	/* A limit that was added stands in the text the second time. */
	require(same_plan(&once, &twice));
	kt_guard_plan_free(&once);
	kt_guard_plan_free(&twice);
}

static void fill_value(struct kt_str value)
{
	static const char *const before[] = {
		[KT_FILL_STRING] = ".show tables | where TableName == ",
		[KT_FILL_GUID] = ".show operations ",
		[KT_FILL_DATETIME] = ".show tables | where TableName > ",
		[KT_FILL_TIMESPAN] = ".show tables | where TableName > ",
		[KT_FILL_ENTITY] = ".show table ",
	};

	for (size_t i = 0; i < KT_LEN(before); i++) {
		struct kt_buf text = KT_BUF(1u << 20);
		struct kt_guard_plan plan = {0};
		struct kt_err err = {0};
		kt_buf_str(&text, before[i]);
		if (kt_fill_value((enum kt_fill_type)i, value, &text, &err) == 0 &&
		    text.len < KT_GUARD_MAX_TEXT) {
			require(kt_guard_parse(guard, kt_buf_view(&text), KT_BY_PACK, &plan, &err) == 0);
			require(kt_str_eq(kt_buf_view(&text), kt_buf_view(&plan.text)));
			kt_guard_plan_free(&plan);
		}
		kt_buf_free(&text);
	}
}

static bool nothing(void *ctx, struct kt_str name, enum kt_fill_type type, struct kt_str *value)
{
	return kt_fill_sample(ctx, name, type, value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kt_str s = {(const char *)data, size};
	struct kt_buf filled = KT_BUF(1u << 20);
	struct kt_err err = {0};

	load();
	read_text(s);
	fill_value(s);
	if (kt_fill(s, nothing, NULL, &filled, &err) == 0)
		read_text(kt_buf_view(&filled));
	kt_buf_free(&filled);
	return 0;
}
