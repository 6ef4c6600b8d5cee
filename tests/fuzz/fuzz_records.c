/* Any bytes as an input: records and traces keep what their headers promise. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "input/input.h"
#include "input/trace.h"

#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct kt_headers *headers(void)
{
	static struct kt_headers *h;
	struct kt_buf text = KT_BUF(1 << 20);
	struct kt_err err = {0};

	if (!h) {
		if (kt_file_read(KT_RULES_SOURCE "/headers.tsv", &text, &err) == 0)
			h = kt_headers_parse(kt_buf_view(&text), &err);
		if (!h)
			fprintf(stderr, "%s\n", err.text);
		kt_buf_free(&text);
	}
	MUST(h);
	return h;
}

static bool inside(struct kt_str part, struct kt_str whole)
{
	return !part.len || (part.p >= whole.p && part.p + part.len <= whole.p + whole.len);
}

static void check_trace(struct kt_str text)
{
	static const struct kt_str foreign[] = {{"java.", 5}, {"org.apache.", 11}, {"lib/", 4}};
	struct kt_trace t;

	kt_trace_parse(text, foreign, KT_LEN(foreign), &t);
	MUST(inside(t.cls, text) && inside(t.message, text) && inside(t.frame, text));
	MUST(t.n_heads <= KT_TRACE_HEADS && (!t.cls.len || t.n_heads));
	for (size_t i = 0; i < t.n_heads; i++)
		MUST(inside(t.heads[i].cls, text) && inside(t.heads[i].message, text) && t.heads[i].cls.len);
	MUST(!t.n_heads || kt_trace_quotes(&t, &t));
}

struct seen {
	const struct kt_inputs *in;
	uint64_t n, line;
};

static int on_record(void *ctx, const struct kt_record *r)
{
	struct seen *s = ctx;
	uint64_t before = 0;

	MUST(r->line >= 1 && r->lines >= 1 && r->line > s->line - (s->line > 0));
	MUST(r->text.len <= (size_t)s->in->limits.head + 2 * s->in->limits.tail + 64);
	MUST(inside(r->time, r->text) && inside(r->level, r->text) && inside(r->thread, r->text));
	MUST(inside(r->logger, r->text) && inside(r->message, r->text));
	MUST(r->cut == (r->dropped > 0) && r->cut_at + r->cut_len <= r->text.len);
	for (size_t at = 0; at <= r->text.len; at += 1 + r->text.len / 50) {
		uint64_t line = kt_record_line_at(r, at);
		MUST(line >= before && line >= r->line && line < r->line + r->lines);
		MUST(inside(kt_record_line_text(r, at), r->text));
		before = line;
	}
	check_trace(r->text);
	s->line = r->line;
	s->n++;
	return 0;
}

/* How many lines there are, but for UTF-16. */
static void check_lines(const struct kt_input *in, struct kt_str text)
{
	uint64_t n = 0;

	if (!in->opened || kt_str_starts(text, KT_S("\xff\xfe")) || kt_str_starts(text, KT_S("\xfe\xff")))
		return;
	if (kt_str_starts(text, KT_S("\xef\xbb\xbf")))
		text = kt_str_from(text, 3);
	for (size_t i = 0; i < text.len; i++)
		n += text.p[i] == '\n';
	MUST(in->lines == n + (text.len && text.p[text.len - 1] != '\n'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kt_inputs in = KT_INPUTS(headers());
	struct seen s = {&in, 0, 0};

	if (!size)
		return 0;
	if (data[0] & 1) { /* short limits, so that short inputs meet them */
		in.limits.head = 200;
		in.limits.tail = 50;
	}
	MUST(kt_inputs_text(&in, (struct kt_str){(const char *)data + 1, size - 1}, KT_S("x"), on_record,
			    &s) == 0);
	MUST(in.n == 1 && in.list[0].records == s.n);
	MUST(in.list[0].complete == !in.list[0].problem.len);
	MUST(!in.list[0].opened || in.list[0].bytes == size - 1);
	check_lines(&in.list[0], (struct kt_str){(const char *)data + 1, size - 1});
	kt_inputs_free(&in);
	return 0;
}
