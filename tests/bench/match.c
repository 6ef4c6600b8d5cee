/* All patterns of a set over logs, as `ktriage` scans them, and what was found.
 *
 *     bench_match --patterns rules_150.tsv --headers rules/headers.tsv driver.log ...
 *
 *   --patterns FILE  see table.h
 *   --headers FILE   how records begin
 *   --naive          every record to every pattern
 *   --hits           a line for each hit instead of one for each pattern:
 *                    input, first line of the record, how many, line of the hit, id
 *
 * Printed: id, hits, first and last place (input:line), a hash of places and
 * captures; and the totals.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "input/input.h"
#include "match/matcher.h"

#include "table.h"

#include "base/banned.h"

struct place {
	uint32_t input;
	uint64_t line;
};

struct tally {
	uint64_t hits, hash;
	struct place first, last;
};

struct bench {
	struct table table;
	struct kt_headers *headers;
	struct tally *tally;         /* by pattern */
	struct kt_str *id;           /* by pattern: the first row that has it */
	const struct kt_record *rec; /* at hand */
	struct kt_matcher *m;
	bool naive, each;
};

static uint64_t mix(uint64_t hash, uint64_t v)
{
	return kt_str_hash((struct kt_str){(const char *)&v, sizeof v}, hash);
}

static int on_hit(void *ctx, const struct kt_hit *hit)
{
	struct bench *b = ctx;
	struct tally *t = &b->tally[hit->pattern];
	uint64_t line = kt_record_line_at(b->rec, hit->start);

	t->last = (struct place){b->rec->input, line};
	if (!t->hits++)
		t->first = t->last;
	t->hash = mix(mix(mix(t->hash, b->rec->line), hit->start), hit->end);
	for (size_t i = 0; i < hit->n_caps; i++)
		t->hash = kt_str_hash(hit->caps[i].text, kt_str_hash(hit->caps[i].name, t->hash));
	if (b->each)
		printf("%" PRIu32 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t" KT_FMT "\n", b->rec->input,
		       b->rec->line, b->rec->lines, line, KT_ARG(b->id[hit->pattern]));
	return 0;
}

static int on_record(void *ctx, const struct kt_record *rec)
{
	struct bench *b = ctx;

	b->rec = rec;
	return kt_match_feed(b->m, rec->text, 0, true, on_hit, b);
}

static int scan_naive(struct bench *b, struct kt_inputs *in, char **files, int n)
{
	struct kt_match_limits limits = KT_MATCH_LIMITS;
	int rc = 0;

	limits.prefilter = !b->naive;
	b->m = kt_matcher_new(b->table.kb, &limits);
	for (int i = 0; i < n && rc == 0; i++) {
		kt_matcher_restart(b->m);
		rc = kt_inputs_path(in, files[i], on_record, b);
	}
	kt_matcher_free(b->m);
	return rc;
}

static void print(const struct bench *b, const struct kt_inputs *in)
{
	uint64_t hits = 0, bytes = 0, lines = 0, records = 0;

	for (uint32_t row = 0; row < b->table.kb->n_patterns; row++) {
		const struct tally *t = &b->tally[row];
		hits += t->hits;
		if (t->hits && !b->each)
			printf(KT_FMT "\t%" PRIu64 "\t%" PRIu32 ":%" PRIu64 "\t%" PRIu32 ":%" PRIu64
				      "\t%016" PRIx64 "\n",
			       KT_ARG(b->id[row]), t->hits, t->first.input, t->first.line, t->last.input,
			       t->last.line, t->hash);
	}
	for (size_t i = 0; i < in->n; i++) {
		bytes += in->list[i].bytes;
		lines += in->list[i].lines;
		records += in->list[i].records;
		if (!in->list[i].complete)
			fprintf(stderr, KT_FMT ": " KT_FMT "\n", KT_ARG(in->list[i].name),
				KT_ARG(in->list[i].problem));
	}
	if (!b->each)
		printf("total\t%" PRIu64 " hits\t%" PRIu64 " bytes\t%" PRIu64 " lines\n", hits, bytes, lines);
	(void)records;
}

static _Noreturn void usage(void)
{
	fputs("bench_match: see the head of match.c\n", stderr);
	exit(2);
}

static void read_headers(struct bench *b, const char *path)
{
	struct kt_buf text = KT_BUF(KT_BUF_TEXT);
	struct kt_err err = {0};

	if (kt_file_read(path, &text, &err) == 0)
		b->headers = kt_headers_parse(kt_buf_view(&text), &err);
	if (!b->headers) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	kt_buf_free(&text);
}

static void read_patterns(struct bench *b, const char *path)
{
	if (!table_read(&b->table, path))
		exit(1);
	struct kt_str *ids = kt_alloc_n(b->table.kb->n_patterns, sizeof *ids);
	for (size_t i = b->table.n; i-- > 0;)
		ids[b->table.rows[i].pattern] = b->table.rows[i].id;
	b->id = ids;
	b->tally = kt_alloc_n(b->table.kb->n_patterns, sizeof *b->tally);
	for (uint32_t i = 0; i < b->table.kb->n_patterns; i++)
		b->tally[i].hash = KT_HASH_SEED;
}

int main(int argc, char **argv)
{
	struct bench b = {.naive = false};
	int i = 1;

	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
		if (strcmp(argv[i], "--naive") == 0)
			b.naive = true;
		else if (strcmp(argv[i], "--hits") == 0)
			b.each = true;
		else if (i + 1 == argc)
			usage();
		else if (strcmp(argv[i], "--patterns") == 0)
			read_patterns(&b, argv[++i]);
		else if (strcmp(argv[i], "--headers") == 0)
			read_headers(&b, argv[++i]);
		else
			usage();
	}
	if (i == argc || !b.tally || !b.headers)
		usage();
	struct kt_inputs in = KT_INPUTS(b.headers);
	int rc = scan_naive(&b, &in, argv + i, argc - i);
	print(&b, &in);
	kt_inputs_free(&in);
	kt_headers_free(b.headers);
	table_free(&b.table);
	kt_free(b.tally);
	kt_free(b.id);
	return rc != 0;
}
