/* Single lines of stack traces. Inside the module only. */
#ifndef KT_INPUT_TRACELINE_H
#define KT_INPUT_TRACELINE_H

#include "base/str.h"

struct kt_class_name {
	size_t at, len;        /* in the line */
	struct kt_str message; /* what stands behind the ':' (or in parentheses), trimmed */
};

/* The next exception class at or after *FROM that is followed by a message or
 * ends the line; *FROM moves behind it. False: none. */
bool kt_class_next(struct kt_str line, size_t *from, struct kt_class_name *out);

/* Like that, but the class stands at AT, and its last part may have any name
 * ("Caused by: x.Y: text"). */
bool kt_class_here(struct kt_str line, size_t at, struct kt_class_name *out);

size_t kt_line_indent(struct kt_str line);
bool kt_line_is_traceback(struct kt_str line); /* Python's first line of a trace */

/* "at com.x.Y.z(Y.java:1)": the place without "at", module and what is behind it.
 * Empty: not a frame. */
struct kt_str kt_line_frame(struct kt_str line);
/* 'File "a.py", line 3, in f', without the indent. */
struct kt_str kt_line_python_frame(struct kt_str line);

#endif
