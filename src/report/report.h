/* Every text that leaves the program.
 *
 * Functions add to OUT and never print. Foreign text is escaped here, once, for the
 * format at hand; text for people is wrapped to the width of the style.
 */
#ifndef KT_REPORT_REPORT_H
#define KT_REPORT_REPORT_H

#include "session/session.h"
#include "term/style.h"

struct kt_report {
	struct kt_session *session;
	const struct kt_style *style; /* width, colour */
	bool verbose;                 /* decibels and bits too */
	bool talking;                 /* what to collect waits while there is something to ask */
	struct kt_buf *out;
};

/* The whole answer of diagnose. EXIT is the status the program will end with. */
void kt_report_text(const struct kt_report *r);
void kt_report_json(struct kt_session *s, int exit_code, struct kt_buf *out);

/* What each pattern cost in the scans, the dearest first; of a session with trace_match. */
void kt_report_patterns(const struct kt_report *r);

/* "≥ " or ">= ", as the style can show it, before a count that is not all; else "". */
const char *kt_at_least(const struct kt_style *style, bool at_least);

/* There were inputs, and not a line of any could be read. */
bool kt_report_nothing_read(struct kt_session *s);

/* Parts, as the shell shows them. */
void kt_report_verdict(const struct kt_report *r);           /* verdict, re-run, why, against, fix in brief */
void kt_report_next(const struct kt_report *r, size_t most); /* "Next, best first" 1) 2) 3) */
void kt_report_question(const struct kt_report *r);          /* step line, open question, choices */
void kt_report_ask(const struct kt_report *r, uint32_t fact); /* one question, its choices in words */
void kt_report_commands(const struct kt_report *r); /* what was sent to a cluster, and what became of it */
void kt_report_all_facts(const struct kt_report *r, const struct kt_kb *kb); /* every fact that can be set */
void kt_report_areas(const struct kt_report *r, const struct kt_kb *kb);     /* packs and their areas */
/* The causes of an area; false when there is no such area. */
bool kt_report_area(const struct kt_report *r, const struct kt_kb *kb, struct kt_str area);
void kt_report_where(const struct kt_report *r); /* the five steps, what is known, what is left */
void kt_report_facts(const struct kt_report *r);
void kt_report_evidence(const struct kt_report *r); /* every item seen, with place and weight */
void kt_report_inputs(const struct kt_report *r);
void kt_report_how(const struct kt_report *r, uint32_t cause);
void kt_report_why(const struct kt_report *r, uint32_t fact);
void kt_report_why_not(const struct kt_report *r, uint32_t cause);
void kt_report_what_if(const struct kt_report *r, uint32_t fact, struct kt_str value);
void kt_report_fix(const struct kt_report *r, uint32_t cause);
void kt_report_collect(const struct kt_report *r); /* step 4: what to collect */
void kt_report_result(const struct kt_report *r, const struct kt_result *result);

/* The runbook companion: needs the base only (r->session may be NULL then). */
void kt_report_cause(const struct kt_report *r, const struct kt_kb *kb, uint32_t cause);
void kt_report_option(const struct kt_report *r, const struct kt_kb *kb, uint32_t option);
/* The same, if NAME is one that is set instead of it by mistake: says so, returns true. */
bool kt_report_wrong_option(const struct kt_report *r, const struct kt_kb *kb, uint32_t option,
			    struct kt_str name);
void kt_report_search(const struct kt_report *r, const struct kt_kb *kb, struct kt_str words);
/* Causes whose texts stand in what the session read: evidence, no verdict. */
void kt_report_texts(const struct kt_report *r);
void kt_report_runbook(const struct kt_report *r, const struct kt_kb *kb, struct kt_str area);

#endif
