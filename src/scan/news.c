#include "scan/news.h"

#include <string.h>

#include "base/alloc.h"

#include "base/banned.h"

/* A part of FROM is the same part of TO. */
static struct kt_str moved(struct kt_str part, struct kt_str from, const char *to)
{
	return part.len ? (struct kt_str){to + (part.p - from.p), part.len} : KT_NONE;
}

static void move_record(struct kt_record *r, const char *to)
{
	struct kt_str from = r->text;

	r->time = moved(r->time, from, to);
	r->level = moved(r->level, from, to);
	r->thread = moved(r->thread, from, to);
	r->logger = moved(r->logger, from, to);
	r->message = moved(r->message, from, to);
	r->text.p = to;
}

static size_t count_captures(const struct kt_hit *hits, size_t n)
{
	size_t caps = 0;

	for (size_t i = 0; i < n; i++)
		caps += hits[i].n_caps;
	return caps;
}

static void copy_hits(struct kt_hit *to, struct kt_capture *caps, const struct kt_hit *hits, size_t n,
		      struct kt_str from, const char *text)
{
	for (size_t i = 0; i < n; i++) {
		to[i] = hits[i];
		to[i].caps = caps;
		for (size_t c = 0; c < hits[i].n_caps; c++) {
			*caps = hits[i].caps[c];
			caps->text = moved(caps->text, from, text);
			caps++;
		}
	}
}

struct kt_news *kt_news_of_record(const struct kt_record *rec, const struct kt_hit *hits, size_t n)
{
	size_t n_caps = count_captures(hits, n);
	size_t size = sizeof(struct kt_news) + n * sizeof(struct kt_hit) +
		      n_caps * sizeof(struct kt_capture) + rec->text.len;
	struct kt_news *news = kt_alloc(size);
	struct kt_hit *to = (struct kt_hit *)(news + 1);
	struct kt_capture *caps = (struct kt_capture *)(to + n);
	char *text = (char *)(caps + n_caps);

	if (rec->text.len)
		memcpy(text, rec->text.p, rec->text.len);
	copy_hits(to, caps, hits, n, rec->text, text);
	*news = (struct kt_news){
		.kind = KT_NEWS_RECORD, .size = size, .input = rec->input, .rec = *rec, .hits = to, .n = n};
	move_record(&news->rec, text);
	return news;
}

struct kt_news *kt_news_of_limit(uint32_t input, uint64_t line, uint32_t pattern, enum kt_inconclusive why)
{
	struct kt_news *news = kt_alloc(sizeof *news);

	*news = (struct kt_news){.kind = KT_NEWS_LIMIT,
				 .size = sizeof *news,
				 .input = input,
				 .line = line,
				 .pattern = pattern,
				 .why = why};
	return news;
}

struct kt_news *kt_news_of_cap(uint32_t input, uint32_t pattern, uint64_t literals)
{
	struct kt_news *news = kt_alloc(sizeof *news);

	*news = (struct kt_news){.kind = KT_NEWS_CAPPED,
				 .size = sizeof *news,
				 .input = input,
				 .pattern = pattern,
				 .literals = literals};
	return news;
}

void kt_news_free(struct kt_news *take_n)
{
	kt_free(take_n);
}
