/* What a record says about an exception: its classes, its place, and marks by
 * which other records that quote it can be known.
 *
 * Java, Scala and .NET traces (head, frames, "Caused by:" chain), Python
 * tracebacks, and the two nested as PySpark prints them. Heads inside a line
 * ("Lost task 0.3 in stage 1.0 (TID 4): java.lang.X: text") count too.
 *
 *     struct kt_trace t;
 *     kt_trace_parse(rec->text, foreign, n_foreign, &t);
 *     rec.cls = t.cls; rec.frame = t.frame;
 *
 * Everything is borrowed from TEXT.
 */
#ifndef KT_INPUT_TRACE_H
#define KT_INPUT_TRACE_H

#include "base/str.h"

#define KT_TRACE_HEADS 32

/* One "class: message" of a trace. Equal KEYs: the same head, wherever it stands
 * (its class, the first line of its message, and the first frame below, if it has
 * one and no message tells it apart). */
struct kt_trace_head {
	struct kt_str cls;     /* qualified as printed */
	struct kt_str message; /* its first line, trimmed; may be empty */
	size_t at;             /* where the class stands in the text */
	uint64_t key;
};

struct kt_trace {
	struct kt_str cls;     /* class of the root: the last "Caused by:" of the outermost chain,
	                            else the innermost head; empty: no exception here */
	struct kt_str message; /* its first line */
	struct kt_str frame;   /* first frame outside the foreign prefixes, the root's first, then
	                            outwards: "com.x.Y.call(Y.scala:12)", or a Python
	                            "path", line N, in f"; empty if none */
	size_t at;             /* where the root's head stands */
	struct kt_trace_head heads[KT_TRACE_HEADS]; /* in order of the text; of more, the last
	                                               replaces the last */
	size_t n_heads;
};

/* FOREIGN: prefixes of frames that name no place of a fault (kb->frames): of
 * "class.method" for the JVM, of the path or a part of it after a '/' for Python. */
void kt_trace_parse(struct kt_str text, const struct kt_str *foreign, size_t n_foreign, struct kt_trace *out);

/* True when OUTER's text holds a head of INNER: one of them tells of the other. */
bool kt_trace_quotes(const struct kt_trace *outer, const struct kt_trace *inner);

/* A line that may go on with a trace ("\tat …", "Caused by: …", "... 3 more",
 * "Driver stacktrace:", a Python frame); and one that begins a trace at its first
 * byte. The splitter uses both. */
bool kt_trace_is_inner_line(struct kt_str line);
bool kt_trace_is_head_line(struct kt_str line);

#endif
