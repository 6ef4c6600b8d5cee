/* Conditions of rules in words. */
#ifndef KT_REPORT_CONDITION_H
#define KT_REPORT_CONDITION_H

#include "base/arena.h"
#include "base/buf.h"
#include "core/kb.h"

/* "operation is write and connectorVersion is 3.1.0 or later"; NODE KT_NIL adds nothing. */
void kt_condition_words(const struct kt_kb *kb, uint32_t node, struct kt_buf *out);
/* An item: "some row has State is Throttled", "operation is write", and of a log item
 * the texts that a record holds: "says “Failed to … extents”". Nothing when its pattern
 * has none that says something. */
void kt_item_words(const struct kt_kb *kb, const struct kt_item *item, struct kt_buf *out);

/* The texts of a pattern for a person, at most MOST of them: “Failed to … extents”. A
 * text longer than KT_TEXT_SHOWN bytes is cut. False when there are none. */
#define KT_TEXT_SHOWN 240u
bool kt_pattern_words(struct kt_str regex, size_t most, struct kt_buf *out);
/* The pieces of one text of a pattern, cut at LEN bytes: Failed to … extents. */
void kt_text_words(struct kt_str text, size_t len, struct kt_buf *out);
/* The first of them without marks around it, cut at LEN bytes; for labels. */
bool kt_pattern_label(struct kt_str regex, size_t len, struct kt_buf *out);

/* S without the part of a character that was cut at its end, "…" behind it if it was cut. */
void kt_add_cut(struct kt_buf *out, struct kt_str s, size_t len);

/* What a condition requires of one fact: VALUES, of which one must be given. */
struct kt_needed {
	uint32_t fact;
	struct kt_span values; /* rows of strings */
};
/* The parts of NODE joined by "and" that are "fact == value" or "fact in [...]", over
 * facts with choices; fills at most MOST. Whatever else NODE says is passed over. */
size_t kt_condition_needed(const struct kt_kb *kb, uint32_t node, struct kt_needed *out, size_t most);

#endif
