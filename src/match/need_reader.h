/* The reader of regular expressions, by kinds of construct. Inside need*.c and wording.c only. */
#ifndef KT_MATCH_NEED_READER_H
#define KT_MATCH_NEED_READER_H

#include "match/part.h"

struct kt_need_reader {
	struct kt_arena *a;
	struct kt_str re;
	size_t at;
	unsigned depth;
	bool fold;     /* (?i) holds here */
	bool extended; /* (?x) holds here */
	bool quoted;   /* between \Q and \E */
	bool wide;     /* classes of up to sixteen bytes are spelt out, not four */
	bool bad;      /* something not understood: no answer */
	bool nested;
};

static inline int kt_need_peek(const struct kt_need_reader *r, size_t ahead)
{
	return r->at + ahead < r->re.len ? (unsigned char)r->re.p[r->at + ahead] : -1;
}

static inline bool kt_need_is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static inline bool kt_need_is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Takes WORD, if it stands here. */
bool kt_need_take(struct kt_need_reader *r, const char *word);
/* Takes all up to and with CLOSE. */
bool kt_need_skip_to(struct kt_need_reader *r, char close);
/* Marks the whole as not understood. */
struct kt_part kt_need_bad(struct kt_need_reader *r);
struct kt_part kt_need_byte(struct kt_need_reader *r, unsigned char c);

/* The code of "\x41", "\o{101}", "\012", "\cA", "\e" and the like; C is what stands
 * behind the backslash, which is taken. -1: it is none of these. */
int kt_need_code(struct kt_need_reader *r, int c);

/* Each reads one construct that begins here. */
struct kt_part kt_need_escape(struct kt_need_reader *r);
struct kt_part kt_need_class(struct kt_need_reader *r);
struct kt_part kt_need_group(struct kt_need_reader *r);
struct kt_part kt_need_alternatives(struct kt_need_reader *r);
/* "*", "{2,3}" and so on behind P, all of them. */
struct kt_part kt_need_repeats(struct kt_need_reader *r, struct kt_part p);
/* One of them; MAX KT_PART_UNBOUNDED: without end. */
bool kt_need_repeat(struct kt_need_reader *r, uint32_t *min, uint32_t *max);
/* "{2}", "{2,}", "{2,5}". */
bool kt_need_braces(struct kt_need_reader *r, uint32_t *min, uint32_t *max);
/* Skips what stands for nothing: comments, "\Q" and "\E", blanks under (?x). */
void kt_need_skip_silent(struct kt_need_reader *r);

#endif
