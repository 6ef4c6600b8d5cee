/* Pieces of made-up logs: numbers, words, templates. Everything is appended at OUT,
 * which the caller points at room enough. */
#ifndef LOGTEXT_H
#define LOGTEXT_H

#include "base/str.h"

extern char *out;         /* where the next byte goes */
extern uint64_t clock_ms; /* what the entries are dated */

void seed(uint64_t n);
uint64_t any(void);
uint32_t below(uint32_t n);
bool one_in(uint32_t n); /* 0: never */

void put(struct kt_str s);
void put_c(const char *c);
void put_uint(uint64_t v);
void put_hex(unsigned digits);
void put_short_time(void);                   /* 24/07/01 06:00:00 */
void put_iso_time(char between, char point); /* 2024-07-01T06:00:00.000 */
void put_stamp(void);                        /* 2024-07-01 06:00:00,000 */
void json_from(char *from); /* what was put from FROM on becomes the inside of a JSON string */

/* A text with {placeholders}. */
struct piece {
	struct kt_str text; /* and then */
	int what;           /* row of placeholders, or -1 */
};
struct template
{
	struct piece *pieces;
	size_t n, cap;
	bool bare; /* a sample that stands at the start of a line */
};

struct weighted {
	unsigned weight;
	const char *text;
};

/* The templates of a kind, each as often as its weight: one look-up to choose. */
struct deck {
	struct template *card; /* [n_cards] */
	uint16_t *of;          /* [n] */
	uint32_t n;
};

struct template compile(struct kt_str s); /* S stays borrowed */
void fill(const struct template *t);
struct deck deck_of(const struct weighted *w, size_t n);
void draw(const struct deck *d); /* fills one of them */

#define DECK(list) deck_of(list, KT_LEN(list))

#endif
