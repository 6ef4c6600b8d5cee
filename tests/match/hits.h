/* What was found in logs, in order, so that two ways of looking can be compared. */
#ifndef HITS_H
#define HITS_H

#include "core/kb.h"
#include "input/input.h"
#include "match/matcher.h"

struct hit {
	uint32_t input, pattern;
	uint64_t record, lines, offset; /* of the record: first line, lines, byte of the input */
	uint64_t text;                  /* a hash of the record's text */
	uint64_t line;                  /* of the input, where the match begins */
	uint64_t start, end;            /* in the record's text */
	char *caps;                     /* "name[start,end]=text" of each group that took part */
};

struct hits {
	struct hit *list;
	size_t n, cap;
	uint64_t *limits; /* by pattern: how often it could not be judged */
	uint32_t n_patterns;
};

struct hits hits_new(const struct kt_kb *kb);
void hits_free(struct hits *take_h);
void hits_add(struct hits *h, const struct kt_record *rec, const struct kt_hit *hit);

/* All N inputs were read as text; WHO says which were not. */
bool hits_all_read(const struct kt_input *in, size_t n, const char *who);

/* Says the first differences on stderr, with NAME of what was done; how many there are.
 * A pattern that met a limit in one of them is left out. */
size_t hits_differ(const struct kt_kb *kb, const struct hits *want, const struct hits *got, const char *name);

#endif
