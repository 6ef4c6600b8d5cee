/* What a thread found, on its way to the thread that tells of it. Inside the module
 * only. */
#ifndef KT_SCAN_NEWS_H
#define KT_SCAN_NEWS_H

#include "scan/scan.h"

enum kt_news_kind { KT_NEWS_RECORD, KT_NEWS_LIMIT, KT_NEWS_CAPPED };

/* One of them, with copies of all that it needs but the names of inputs (theirs are
 * borrowed from the unit), captures and headers. */
struct kt_news {
	struct kt_news *next;
	enum kt_news_kind kind;
	size_t size; /* bytes it takes */
	uint32_t input, pattern;
	struct kt_str name; /* of the input */
	uint64_t line, literals;
	enum kt_inconclusive why;
	struct kt_record rec;
	const struct kt_hit *hits;
	size_t n;
};

struct kt_news *kt_news_of_record(const struct kt_record *rec, const struct kt_hit *hits, size_t n);
struct kt_news *kt_news_of_limit(uint32_t input, uint64_t line, uint32_t pattern, enum kt_inconclusive why);
struct kt_news *kt_news_of_cap(uint32_t input, uint32_t pattern, uint64_t literals);
void kt_news_free(struct kt_news *take_n);

#endif
