/* Words and lines that several reports use; for the files of this folder only. */
#ifndef KT_REPORT_WORDS_H
#define KT_REPORT_WORDS_H

#include "report/report.h"

#define KT_LABEL_INDENT 2u
#define KT_TEXT_INDENT  12u

/* "  fix       text", wrapped below its start. */
void kt_row(const struct kt_report *r, const char *label, enum kt_paint paint, struct kt_str text);
void kt_row_fmt(const struct kt_report *r, const char *label, enum kt_paint paint, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void kt_line(const struct kt_report *r, enum kt_paint paint, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The word of the weight that an addend stands for. */
const char *kt_addend_word(const struct kt_kb *kb, const struct kt_addend *a);
/* What an addend shows: the matched line, the row, or what the item says. */
struct kt_str kt_addend_text(const struct kt_kb *kb, const struct kt_addend *a);
/* What the author says beside it, where the text is what was found; else empty. */
struct kt_str kt_addend_note(const struct kt_kb *kb, const struct kt_addend *a);
/* Where the last of several stands; empty: there is one, or it has no other place. */
struct kt_str kt_addend_last(const struct kt_addend *a);
/* BEFORE "37 times, last at driver.log:990" BEHIND; nothing where there is one. */
void kt_add_times(const struct kt_report *r, struct kt_buf *out, const struct kt_addend *a,
		  const char *before, const char *behind);
/* A weight as it is shown with --verbose: " +20.0 dB"; nothing otherwise. */
void kt_add_db(const struct kt_report *r, struct kt_buf *out, int ddb);

/* What a step of the plan is, as one line: question, command or scan. */
void kt_step_text(struct kt_session *s, const struct kt_plan_step *step, struct kt_buf *out);
/* "about halves what is left", from the gain. */
const char *kt_gain_words(uint32_t gain_1024);

/* Commands that candidates would be told apart by, had a cluster been asked: the rows of
 * checks, best candidate's first. Fills at most MOST; none when a cluster has answered. */
size_t kt_offline_checks(struct kt_session *s, uint32_t *checks, size_t most);

/* The cause that a report speaks of when none was named: the leading one. */
uint32_t kt_lead(struct kt_session *s);
struct kt_str kt_cause_id(const struct kt_kb *kb, uint32_t cause);

/* 48212 → "48,212" */
void kt_add_thousands(struct kt_buf *out, uint64_t n);
const char *kt_plural(uint64_t n); /* "" for one, else "s" */

#endif
