/* Does the program find exactly what plain PCRE2 finds, record by record?
 *
 *     differ --patterns rules_150.tsv --headers rules/headers.tsv driver.log folder ...
 *
 *   --patterns FILE   see tests/bench/table.h; may be given several times
 *   --rules DIR       the patterns of a rules folder, and its headers.tsv
 *   --headers FILE    how records begin
 *   --threads A-B     1 unless said otherwise
 *   --segments A,...  bytes of the parts that threads share
 *   --chunks A-B,...  the log also through a pipe that gives so many bytes at once
 *   --offsets A-B     with so many bytes before the log
 *   --all-found       every pattern of --patterns must be found somewhere
 *   --no-limits       no pattern may meet a limit
 *   --mutate N        afterwards: takes the literal of N patterns away, one after the
 *                     other, which must be noticed
 *
 * Ends with 1 when something differs.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "author/author.h"
#include "base/alloc.h"
#include "base/file.h"
#include "rules/rules.h"
#include "table.h"

#include "naive.h"
#include "product.h"

#include "base/banned.h"

struct range {
	unsigned long from, to;
};

struct ranges {
	struct range list[16];
	size_t n;
};

static struct {
	struct ranges chunks, offsets, threads, segments;
	bool all_found, no_limits;
	unsigned long mutate;
} opt = {.offsets = {{{0, 0}}, 1}, .threads = {{{1, 1}}, 1}, .segments = {{{0, 0}}, 1}};

struct wanted { /* a row of --patterns */
	char *id;
	uint32_t pattern;
};

static struct kt_kbb *builder;
static const struct kt_kb *kb;
static struct kt_headers *headers;
static struct wanted *wanted;
static size_t n_wanted, cap_wanted;
static uint64_t *found;                                 /* by pattern: hits in all files */
static struct kt_buf moved_name = {.max = KT_BUF_NAME}; /* a copy of the file behind other bytes */
static size_t differences, ways, undecided, bytes;

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "differ: %s\n", what);
	exit(2);
}

/* --- patterns --- */

static void add_table(const char *path)
{
	struct table t;

	if (!table_read(&t, path))
		die(path);
	for (size_t i = 0; i < t.n; i++)
		KT_PUSH(wanted, n_wanted, cap_wanted) = (struct wanted){kt_strdup(t.rows[i].id),
									table_add(builder, t.rows[i].regex)};
	table_free(&t);
}

static void read_headers(struct kt_str text)
{
	struct kt_err err = {0};

	headers = kt_headers_parse(text, &err);
	if (!headers)
		die(err.text);
}

static void read_headers_file(const char *path)
{
	struct kt_buf text = KT_BUF(KT_BUF_TEXT);
	struct kt_err err = {0};

	if (kt_file_read(path, &text, &err) < 0)
		die(err.text);
	read_headers(kt_buf_view(&text));
	kt_buf_free(&text);
}

/* The patterns of the packs with the literals that the loader found. */
static void add_rules(const char *dir)
{
	struct kt_author_hooks hooks;
	struct kt_diags diags = {0};
	struct kt_err err = {0};
	struct kt_rules *rules;

	kt_author_hooks_init(&hooks);
	if (kt_rules_load(dir, &hooks.hooks, &rules, &diags, &err) < 0)
		die(err.text);
	for (uint32_t i = 0; i < rules->kb->n_patterns; i++) {
		const struct kt_pattern *p = &rules->kb->patterns[i];
		struct kt_str *lits = kt_alloc_n(p->literals.n, sizeof *lits);
		uint32_t row = kt_kbb_pattern(builder, kt_kb_text(rules->kb, p->text));
		for (uint32_t k = 0; k < p->literals.n; k++)
			lits[k] = kt_kb_text(rules->kb, rules->kb->strings[p->literals.at + k]);
		kt_kbb_literals(builder, row, lits, p->literals.n, p->fold);
		kt_free(lits);
		for (uint32_t k = 0; k < rules->kb->n_learns; k++) /* all matches of it count */
			if (rules->kb->learns[k].pattern == i)
				kt_kbb_add_learns(builder, &(struct kt_learn){.pattern = row});
	}
	read_headers(kt_kb_file(rules->kb, "headers.tsv"));
	kt_rules_free(rules);
	kt_diags_free(&diags);
	kt_author_hooks_free(&hooks);
}

/* --- one log --- */

static void count_limits(const struct hits *h, const char *name)
{
	for (uint32_t i = 0; i < h->n_patterns; i++) {
		if (!h->limits[i])
			continue;
		undecided++;
		if (opt.no_limits)
			fprintf(stderr, "%s: a limit was met: " KT_FMT "\n", name,
				KT_ARG(kt_kb_text(kb, kb->patterns[i].text)));
	}
}

static void try_way(const struct hits *want, const char *path, const char *name, const struct way *way)
{
	struct hits got = hits_new(kb);
	struct kt_buf what = KT_BUF(KT_BUF_NAME);

	kt_buf_fmt(&what, "%s, %s filter, %u threads, segment %zu, chunk %zu", name,
		   way->portable ? "portable" : "AVX2", way->threads, (size_t)way->segment, way->chunk);
	if (!product_scan(kb, headers, path, way, &got))
		differences++;
	differences += hits_differ(kb, want, &got, kt_buf_c(&what));
	count_limits(&got, kt_buf_c(&what));
	ways++;
	kt_buf_free(&what);
	hits_free(&got);
}

static void try_chunks(const struct hits *want, const char *path, const char *name, struct way way)
{
	for (size_t i = 0; i < opt.segments.n; i++) {
		way.segment = opt.segments.list[i].from;
		try_way(want, path, name, &way);
	}
	way.segment = 0;
	for (size_t i = 0; i < opt.chunks.n; i++)
		for (way.chunk = opt.chunks.list[i].from; way.chunk <= opt.chunks.list[i].to; way.chunk++)
			try_way(want, path, name, &way);
}

static void try_file(struct naive *naive, const char *path, const char *name)
{
	struct hits want = hits_new(kb);

	if (!naive_scan(naive, path, &want))
		differences++;
	count_limits(&want, name);
	for (size_t i = 0; i < want.n; i++)
		found[want.list[i].pattern]++;
	for (unsigned portable = product_has_avx2() ? 0 : 1; portable < 2; portable++)
		for (unsigned long t = opt.threads.list[0].from; t <= opt.threads.list[0].to; t++)
			try_chunks(&want, path, name, (struct way){portable, (unsigned)t, 0, 0});
	hits_free(&want);
}

/* OFFSET bytes, the last of them a line end, and TEXT. */
static void write_moved(size_t offset, struct kt_str text)
{
	FILE *f = fopen(kt_buf_c(&moved_name), "w");

	if (!f)
		die("the temporary folder cannot be written");
	for (size_t i = 0; i < offset; i++)
		fputc(i + 1 < offset ? 'x' : '\n', f);
	if (fwrite(text.p, 1, text.len, f) != text.len || fclose(f) != 0)
		die("the temporary folder is full");
}

static void try_offsets(struct naive *naive, const char *path)
{
	struct kt_buf text = KT_BUF(UINT32_MAX);
	struct kt_err err = {0};
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
		try_file(naive, path, path);
		return;
	}
	if (kt_file_read(path, &text, &err) < 0)
		die(err.text);
	bytes += text.len;
	for (size_t at = opt.offsets.list[0].from; at <= opt.offsets.list[0].to; at++) {
		struct kt_buf name = KT_BUF(KT_BUF_NAME);
		kt_buf_fmt(&name, "%s behind %zu bytes", path, at);
		if (at)
			write_moved(at, kt_buf_view(&text));
		try_file(naive, at ? kt_buf_c(&moved_name) : path, kt_buf_c(&name));
		kt_buf_free(&name);
	}
	kt_buf_free(&text);
}

/* --- is the test able to fail? --- */

static const char never[] = "\x01no log holds this\x02";

/* Takes the only literal of PATTERN away; false when the loss would not be seen. */
static bool mutate(uint32_t pattern, char **files, int n)
{
	struct kt_str text = {never, sizeof never - 1};
	struct naive *naive = naive_new(kb, headers);
	struct kt_pattern before = kb->patterns[pattern];
	struct way way = {.threads = 1};
	size_t seen = 0;

	kt_kbb_literals(builder, pattern, &text, 1, false);
	kb = kt_kbb_kb(builder);
	fputs("without a literal, to see the test fail: ", stderr);
	for (int i = 0; i < n; i++) {
		struct hits want = hits_new(kb), got = hits_new(kb);
		if (naive_scan(naive, files[i], &want) && product_scan(kb, headers, files[i], &way, &got))
			seen += hits_differ(kb, &want, &got, files[i]);
		hits_free(&want);
		hits_free(&got);
	}
	*kt_kbb_at_patterns(builder, pattern) = before;
	naive_free(naive);
	return seen == found[pattern];
}

static void try_mutations(char **files, int n)
{
	uint32_t step = kb->n_patterns / (uint32_t)opt.mutate, done = 0;

	for (uint32_t i = 0; i < kb->n_patterns; i++) {
		if (i < done * step || kb->patterns[i].literals.n != 1 || !found[i])
			continue;
		if (!mutate(i, files, n)) {
			fprintf(stderr, "differ: a lost literal is not noticed: " KT_FMT "\n",
				KT_ARG(kt_kb_text(kb, kb->patterns[i].text)));
			differences++;
		}
		done++;
	}
	if (done < opt.mutate / 2)
		die("too few patterns were found to see the test fail");
}

/* --- options --- */

static struct ranges ranges_of(const char *s)
{
	struct ranges out = {0};
	char *end = NULL;

	while (out.n < KT_LEN(out.list)) {
		struct range *r = &out.list[out.n++];
		r->from = r->to = strtoul(s, &end, 10);
		if (*end == '-')
			r->to = strtoul(end + 1, &end, 10);
		if (*end != ',')
			break;
		s = end + 1;
	}
	if (!end || *end)
		die("a range is no range");
	return out;
}

static bool flag(const char *name)
{
	if (strcmp(name, "--all-found") == 0)
		return opt.all_found = true;
	if (strcmp(name, "--no-limits") == 0)
		return opt.no_limits = true;
	return false;
}

static void option(const char *name, const char *value)
{
	if (!value)
		die("see the head of differ.c");
	if (strcmp(name, "--patterns") == 0)
		add_table(value);
	else if (strcmp(name, "--rules") == 0)
		add_rules(value);
	else if (strcmp(name, "--headers") == 0)
		read_headers_file(value);
	else if (strcmp(name, "--threads") == 0)
		opt.threads = ranges_of(value);
	else if (strcmp(name, "--segments") == 0)
		opt.segments = ranges_of(value);
	else if (strcmp(name, "--chunks") == 0)
		opt.chunks = ranges_of(value);
	else if (strcmp(name, "--offsets") == 0)
		opt.offsets = ranges_of(value);
	else if (strcmp(name, "--mutate") == 0)
		opt.mutate = ranges_of(value).list[0].from;
	else
		die("see the head of differ.c");
}

static void check_found(void)
{
	for (size_t i = 0; i < n_wanted; i++)
		if (!found[wanted[i].pattern]) {
			fprintf(stderr, "differ: %s is never found: " KT_FMT "\n", wanted[i].id,
				KT_ARG(kt_kb_text(kb, kb->patterns[wanted[i].pattern].text)));
			differences++;
		}
}

static void start(void)
{
	const char *folder = getenv("TMPDIR");
	int fd;

	kb = kt_kbb_kb(builder);
	if (!headers || !kb->n_patterns)
		die("see the head of differ.c");
	found = kt_alloc_n(kb->n_patterns, sizeof *found);
	kt_buf_fmt(&moved_name, "%s/differ-XXXXXX", folder ? folder : "/tmp");
	if ((fd = mkstemp(moved_name.p)) < 0)
		die("no temporary folder");
	close(fd);
}

static void finish(void)
{
	unlink(kt_buf_c(&moved_name));
	kt_buf_free(&moved_name);
	for (size_t i = 0; i < n_wanted; i++)
		kt_free(wanted[i].id);
	kt_free(wanted);
	kt_free(found);
	kt_headers_free(headers);
	kt_kbb_free(builder);
}

int main(int argc, char **argv)
{
	uint64_t hits = 0;
	int i = 1;

	builder = kt_kbb_new();
	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++)
		if (!flag(argv[i])) {
			option(argv[i], argv[i + 1]);
			i++;
		}
	start();
	struct naive *naive = naive_new(kb, headers);
	for (int k = i; k < argc; k++)
		try_offsets(naive, argv[k]);
	naive_free(naive);
	if (opt.all_found)
		check_found();
	if (opt.no_limits)
		differences += undecided;
	for (uint32_t row = 0; row < kb->n_patterns; row++)
		hits += found[row];
	printf("%u patterns, %d logs, %zu bytes, %" PRIu64 " hits, %zu ways, %zu differences, %zu limits\n",
	       kb->n_patterns, argc - i, bytes, hits, ways, differences, undecided);
	if (opt.mutate && !differences)
		try_mutations(argv + i, argc - i);
	finish();
	return differences != 0;
}
