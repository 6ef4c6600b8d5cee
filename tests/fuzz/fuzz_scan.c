/* Any bytes in the middle of a log: a scan, which passes over what cannot matter, finds
 * what is found when every record is given to every pattern. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "core/build.h"
#include "match/literal.h"
#include "scan/scan.h"

#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const patterns[] = {
	"Writing to table '(?<table>\\w+)' failed",
	"NoSuchElementException: None\\.get$",
	"(?i)operation timed out after \\d+ s",
	"ends the line\\n.*begins the next",
	"says \"hello\" to the sink",
	"ERROR Logger: composed message",
	"Caused by: org\\.example\\.\\w+",
};

static struct world {
	struct kt_kbb *builder;
	const struct kt_kb *kb;
	struct kt_headers *headers;
	struct kt_matcher *plain;
} world;

static void make_world(void)
{
	struct kt_match_limits limits = KT_MATCH_LIMITS;
	struct kt_buf text = KT_BUF(1 << 20);
	struct kt_err err = {0};

	world.builder = kt_kbb_new();
	for (size_t i = 0; i < KT_LEN(patterns); i++) {
		struct kt_literals lits;
		struct kt_str list[KT_LITERALS_MAX];
		uint32_t row = kt_kbb_pattern(world.builder, kt_str_c(patterns[i]));
		MUST(kt_literals_of(kt_str_c(patterns[i]), &lits));
		for (uint32_t k = 0; k < lits.n; k++)
			list[k] = kt_literal(&lits, k);
		kt_kbb_literals(world.builder, row, list, lits.n, lits.fold);
	}
	world.kb = kt_kbb_kb(world.builder);
	MUST(kt_file_read(KT_RULES_SOURCE "/headers.tsv", &text, &err) == 0);
	world.headers = kt_headers_parse(kt_buf_view(&text), &err);
	MUST(world.headers);
	limits.prefilter = false;
	world.plain = kt_matcher_new(world.kb, &limits);
	kt_buf_free(&text);
}

struct list {
	struct kt_buf out;
	const struct kt_record *rec;
};

static int put(void *ctx, const struct kt_hit *hit)
{
	struct list *l = ctx;

	kt_buf_fmt(&l->out, "%" PRIu64 "+%" PRIu64 "@%" PRIu64 ": %u at %" PRIu64 "-%" PRIu64 "\n",
		   l->rec->line, l->rec->lines, l->rec->offset, hit->pattern, hit->start, hit->end);
	return 0;
}

static int plain_record(void *ctx, const struct kt_record *rec)
{
	struct list *l = ctx;

	l->rec = rec;
	return kt_match_feed(world.plain, rec->text, 0, put, l);
}

static int scan_record(void *ctx, const struct kt_record *rec, const struct kt_hit *hits, size_t n)
{
	struct list *l = ctx;

	l->rec = rec;
	for (size_t i = 0; i < n; i++)
		put(l, &hits[i]);
	return 0;
}

static void plain(struct kt_str text, struct list *l, bool brief)
{
	struct kt_inputs in = KT_INPUTS(world.headers);

	if (brief)
		in.limits.head = 2000;
	MUST(kt_inputs_text(&in, text, KT_S("x"), plain_record, l) == 0);
	kt_inputs_free(&in);
}

static void scan(struct kt_str text, struct list *l, bool brief)
{
	struct kt_scan_options o = KT_SCAN_OPTIONS;
	struct kt_scan_sink sink = {.record = scan_record, .ctx = l};

	if (brief)
		o.input.head = 2000;
	o.cap = 0;
	o.input.segment = 20000;
	struct kt_scan *s = kt_scan_new(world.kb, world.headers, &o);
	MUST(kt_scan_text(s, text, KT_S("x"), &sink) == 0);
	kt_scan_free(s);
}

/* More than what is assembled in any case. */
static void quiet(struct kt_buf *b, size_t bytes)
{
	for (size_t end = b->len + bytes; b->len < end;)
		kt_buf_str(b, "26/03/15 10:12:48 INFO X: nothing to see here\n");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kt_buf log = KT_BUF(1 << 24);
	struct list want = {.out = KT_BUF(1 << 24)}, got = {.out = KT_BUF(1 << 24)};

	if (!world.kb)
		make_world();
	if (!size)
		return 0;
	quiet(&log, 17000);
	kt_buf_add(&log, (struct kt_str){(const char *)data + 1, size - 1});
	if (data[0] & 1)
		kt_buf_char(&log, '\n');
	quiet(&log, 500);
	plain(kt_buf_view(&log), &want, data[0] & 2);
	scan(kt_buf_view(&log), &got, data[0] & 2);
	MUST(kt_str_eq(kt_buf_view(&want.out), kt_buf_view(&got.out)));
	kt_buf_free(&log);
	kt_buf_free(&want.out);
	kt_buf_free(&got.out);
	return 0;
}
