#include "hits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"

#include "base/banned.h"

#define SAID 5

struct hits hits_new(const struct kt_kb *kb)
{
	return (struct hits){.limits = kt_alloc_n(kb->n_patterns, sizeof(uint64_t)),
			     .n_patterns = kb->n_patterns};
}

void hits_free(struct hits *take_h)
{
	for (size_t i = 0; i < take_h->n; i++)
		kt_free(take_h->list[i].caps);
	kt_free(take_h->list);
	kt_free(take_h->limits);
}

static char *caps_of(const struct kt_hit *hit)
{
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	for (size_t i = 0; i < hit->n_caps; i++) {
		const struct kt_capture *c = &hit->caps[i];
		kt_buf_fmt(&b, KT_FMT "[%" PRIu64 ",%" PRIu64 "]=", KT_ARG(c->name), c->start, c->end);
		kt_buf_add(&b, c->text);
		kt_buf_char(&b, '\n');
	}
	char *text = kt_strdup(kt_buf_view(&b));
	kt_buf_free(&b);
	return text;
}

void hits_add(struct hits *h, const struct kt_record *rec, const struct kt_hit *hit)
{
	KT_PUSH(h->list, h->n, h->cap) = (struct hit){
		.input = rec->input,
		.pattern = hit->pattern,
		.record = rec->line,
		.lines = rec->lines,
		.offset = rec->offset,
		.text = kt_str_hash(rec->text, KT_HASH_SEED),
		.line = kt_record_line_at(rec, hit->start),
		.start = hit->start,
		.end = hit->end,
		.caps = caps_of(hit),
	};
}

bool hits_all_read(const struct kt_input *in, size_t n, const char *who)
{
	bool all = n > 0;

	for (size_t i = 0; i < n; i++) {
		if (in[i].opened)
			continue;
		fprintf(stderr, "%s: " KT_FMT ": " KT_FMT "\n", who, KT_ARG(in[i].name),
			KT_ARG(in[i].problem));
		all = false;
	}
	return all;
}

static bool same(const struct hit *a, const struct hit *b)
{
	return a->input == b->input && a->pattern == b->pattern && a->record == b->record &&
	       a->lines == b->lines && a->offset == b->offset && a->text == b->text && a->line == b->line &&
	       a->start == b->start && a->end == b->end && strcmp(a->caps, b->caps) == 0;
}

/* The order in which hits are given. */
static int order(const struct hit *a, const struct hit *b)
{
#define BY(field)                 \
	if (a->field != b->field) \
		return a->field < b->field ? -1 : 1;
	BY(input)
	BY(record)
	BY(pattern)
	BY(start)
#undef BY
	return 0;
}

static void say(const struct kt_kb *kb, const char *what, const struct hit *h)
{
	fprintf(stderr,
		"  %s: input %" PRIu32 " record at line %" PRIu64 " (+%" PRIu64 ", byte %" PRIu64
		", text %016" PRIx64 ") line %" PRIu64 " [%" PRIu64 ",%" PRIu64 ") " KT_FMT "\n%s",
		what, h->input, h->record, h->lines, h->offset, h->text, h->line, h->start, h->end,
		KT_ARG(kt_kb_text(kb, kb->patterns[h->pattern].text)), h->caps);
}

struct pair {
	const struct kt_kb *kb;
	const struct hits *want, *got;
	size_t differences;
};

static bool left_out(const struct pair *p, const struct hit *h)
{
	return p->want->limits[h->pattern] || p->got->limits[h->pattern];
}

static void differ(struct pair *p, const char *name, const char *what, const struct hit *h)
{
	if (left_out(p, h))
		return;
	if (!p->differences++)
		fprintf(stderr, "%s:\n", name);
	if (p->differences <= SAID)
		say(p->kb, what, h);
}

size_t hits_differ(const struct kt_kb *kb, const struct hits *want, const struct hits *got, const char *name)
{
	struct pair p = {kb, want, got, 0};
	size_t i = 0, k = 0;

	while (i < want->n || k < got->n) {
		const struct hit *w = i < want->n ? &want->list[i] : NULL;
		const struct hit *g = k < got->n ? &got->list[k] : NULL;
		int c = !w ? 1 : !g ? -1 : order(w, g);
		if (c == 0 && !same(w, g)) {
			differ(&p, name, "want", w);
			differ(&p, name, "got ", g);
		} else if (c < 0) {
			differ(&p, name, "lost", w);
		} else if (c > 0) {
			differ(&p, name, "more", g);
		}
		i += c <= 0;
		k += c >= 0;
	}
	return p.differences;
}
