/* An option list or the source of a job, checked against the reference of options.
 *
 * What is wrong is data: options, their wrong names and constants, and option-faults
 * with conditions over the values. A value that cannot be seen is unknown and leads to
 * nothing; options that others read are left alone.
 *
 *     kt_options_check(kb, text, &arena, &found);
 */
#ifndef KT_AUTHOR_OPTIONS_H
#define KT_AUTHOR_OPTIONS_H

#include "core/kb.h"

#include "base/arena.h"

struct kt_option_finding {
	uint32_t line, column; /* from 1; columns are characters */
	bool warning;
	struct kt_str id;     /* of the option fault, or of a check of names: see options_check.c */
	struct kt_str option; /* as it is written in the text */
	struct kt_str text;   /* without secrets; foreign bytes are in it */
	struct kt_str cause;  /* id, or empty */
	size_t at;
};

struct kt_option_findings {
	struct kt_option_finding *p; /* in the order of the text */
	size_t n;
	size_t lists, options; /* that were found and judged */
};

/* All of OUT lies in the arena. Takes time in proportion to the text. */
void kt_options_check(const struct kt_kb *kb, struct kt_str text, struct kt_arena *a,
		      struct kt_option_findings *out);

/* What a condition may name beside options: chain.operation and its like, and NAME.form. */
bool kt_options_name(const struct kt_kb *kb, struct kt_str name);

#endif
