/* A set of patterns for tests and benchmarks: a file of lines "id TAB flags TAB
 * regex" becomes a knowledge base that holds nothing else. Flag i: case does not
 * count; f: its text is frequent in ordinary logs; m: it matches several lines;
 * x: only PCRE2 knows its constructs.
 *
 *     struct table t;
 *     if (!table_read(&t, "rules_150.tsv")) ...          // said on stderr
 *     kt_matcher_new(t.kb, NULL);
 *     table_free(&t);
 */
#ifndef TABLE_H
#define TABLE_H

#include "base/buf.h"
#include "core/build.h"

struct table_row {
	struct kt_str id, flags, regex; /* REGEX as it is compiled */
	uint32_t pattern;               /* row of kb->patterns */
};

struct table {
	struct kt_kbb *builder;
	const struct kt_kb *kb;
	struct table_row *rows;
	size_t n, cap;
	struct kt_buf text;
};

bool table_read(struct table *t, const char *path);
void table_free(struct table *t);

/* Adds REGEX with what kt_literals_of knows of it; equal ones are one row. */
uint32_t table_add(struct kt_kbb *b, struct kt_str regex);

#endif
