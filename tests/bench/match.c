/* All patterns of a set over logs, as `ktriage` scans them, and what was found.
 *
 *     bench_match --patterns rules_150.tsv --headers rules/headers.tsv driver.log ...
 *
 *   --patterns FILE  see table.h
 *   --headers FILE   how records begin
 *   --threads N      1 unless said otherwise
 *   --portable       the filter without AVX2
 *   --cap N          see scan/scan.h
 *   --naive          every record to every pattern
 *   --hits           a line for each hit instead of one for each pattern: input, first
 *                    line of the record, how many, line of the hit, how many line ends
 *                    lie in it, id
 *
 * Printed: id, hits + literals beyond the cap, first and last place (input:line), a hash of places and
 * captures; and the totals.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "scan/scan.h"

#include "table.h"

#include "base/banned.h"

struct place {
	uint32_t input;
	uint64_t line;
};

struct tally {
	uint64_t hits, hash;
	uint64_t beyond; /* literals behind the cap */
	struct place first, last;
};

struct bench {
	struct table table;
	struct kt_headers *headers;
	struct tally *tally; /* by pattern */
	struct kt_str *id;   /* by pattern: the first row that has it */
	struct kt_scan_options options;
	uint64_t limits;
	bool each;
};

static uint64_t mix(uint64_t hash, uint64_t v)
{
	return kt_str_hash((struct kt_str){(const char *)&v, sizeof v}, hash);
}

static void print_hit(const struct bench *b, const struct kt_record *rec, const struct kt_hit *hit,
		      uint64_t line)
{
	printf("%" PRIu32 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t" KT_FMT "\n", rec->input,
	       rec->line, rec->lines, line, kt_record_line_at(rec, hit->end) - line,
	       KT_ARG(b->id[hit->pattern]));
}

static void count(struct bench *b, const struct kt_record *rec, const struct kt_hit *hit)
{
	struct tally *t = &b->tally[hit->pattern];
	uint64_t line = kt_record_line_at(rec, hit->start);

	t->last = (struct place){rec->input, line};
	if (!t->hits++)
		t->first = t->last;
	t->hash = mix(mix(mix(t->hash, rec->line), hit->start), hit->end);
	for (size_t i = 0; i < hit->n_caps; i++)
		t->hash = kt_str_hash(hit->caps[i].text, kt_str_hash(hit->caps[i].name, t->hash));
	if (b->each)
		print_hit(b, rec, hit, line);
}

static int on_record(void *ctx, const struct kt_record *rec, const struct kt_hit *hits, size_t n)
{
	for (size_t i = 0; i < n; i++)
		count(ctx, rec, &hits[i]);
	return 0;
}

static void on_limit(void *ctx, uint32_t input, uint64_t line, uint32_t pattern, enum kt_inconclusive why)
{
	struct bench *b = ctx;

	b->limits++;
	if (b->limits < 10)
		fprintf(stderr, "%" PRIu32 ":%" PRIu64 ": " KT_FMT ": %s\n", input, line,
			KT_ARG(b->id[pattern]), kt_inconclusive_word(why));
}

static void on_cap(void *ctx, uint32_t input, uint32_t pattern, uint64_t literals)
{
	struct bench *b = ctx;

	(void)input;
	b->tally[pattern].beyond += literals;
}

static void print(const struct bench *b, const struct kt_scan *scan)
{
	uint64_t hits = 0, bytes = 0, lines = 0;
	size_t n;
	const struct kt_input *in = kt_scan_inputs(scan, &n);

	for (uint32_t row = 0; row < b->table.kb->n_patterns; row++) {
		const struct tally *t = &b->tally[row];
		hits += t->hits;
		if (t->hits && !b->each)
			printf(KT_FMT "\t%" PRIu64 "+%" PRIu64 "\t%" PRIu32 ":%" PRIu64 "\t%" PRIu32
				      ":%" PRIu64 "\t%016" PRIx64 "\n",
			       KT_ARG(b->id[row]), t->hits, t->beyond, t->first.input, t->first.line,
			       t->last.input, t->last.line, t->hash);
	}
	for (size_t i = 0; i < n; i++) {
		bytes += in[i].bytes;
		lines += in[i].lines;
		if (!in[i].complete)
			fprintf(stderr, KT_FMT ": " KT_FMT "\n", KT_ARG(in[i].name), KT_ARG(in[i].problem));
	}
	if (!b->each)
		printf("total\t%" PRIu64 " hits\t%" PRIu64 " limits\t%" PRIu64 " bytes\t%" PRIu64 " lines\n",
		       hits, b->limits, bytes, lines);
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

static uint64_t number(const char *s)
{
	uint64_t n;

	if (!kt_str_uint(kt_str_c(s), UINT64_MAX, &n))
		usage();
	return n;
}

static bool flag(struct bench *b, const char *name)
{
	if (strcmp(name, "--naive") == 0) {
		b->options.every_record = true;
		b->options.match.prefilter = false;
	} else if (strcmp(name, "--portable") == 0) {
		b->options.path = KT_FILTER_PORTABLE;
	} else if (strcmp(name, "--hits") == 0) {
		b->each = true;
	} else {
		return false;
	}
	return true;
}

static void option(struct bench *b, const char *name, const char *value)
{
	if (!value)
		usage();
	if (strcmp(name, "--patterns") == 0)
		read_patterns(b, value);
	else if (strcmp(name, "--headers") == 0)
		read_headers(b, value);
	else if (strcmp(name, "--threads") == 0)
		b->options.threads = (unsigned)number(value);
	else if (strcmp(name, "--cap") == 0)
		b->options.cap = (uint32_t)number(value);
	else
		usage();
}

int main(int argc, char **argv)
{
	struct bench b = {.options = KT_SCAN_OPTIONS};
	struct kt_scan_sink sink = {.record = on_record, .limit = on_limit, .capped = on_cap, .ctx = &b};
	int i = 1, rc = 0;

	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++)
		if (!flag(&b, argv[i])) {
			option(&b, argv[i], argv[i + 1]);
			i++;
		}
	if (i >= argc || !b.tally || !b.headers)
		usage();
	struct kt_scan *scan = kt_scan_new(b.table.kb, b.headers, &b.options);
	for (; i < argc && !rc; i++)
		rc = kt_scan_path(scan, argv[i], &sink);
	print(&b, scan);
	kt_scan_free(scan);
	kt_headers_free(b.headers);
	table_free(&b.table);
	kt_free(b.tally);
	kt_free(b.id);
	return rc != 0;
}
