/* How records begin: the table rules/headers.tsv, compiled.
 *
 * A row is: id, kind, shape, separated by tabs; '#' at the start of a line is a
 * comment. Rows are tried in the order of the file, the first that matches wins.
 *
 *   level     (id "-") the level words, separated by blanks; stands before the shapes
 *   log       SHAPE of a line that starts a record of a log
 *   eventlog  a line that begins with SHAPE is one event
 *   break     like log; after it, lines without a header stand for themselves again
 *   prefix    SHAPE that a log collector puts in front of a line; taken off, again
 *             and again, before the rows above are tried
 *   stamp     like prefix, but stays where the line begins a record as it stands
 *   json      a line that is one JSON object with these fields: "field=a.path" pairs,
 *             separated by blanks; '+' behind the path: the object must have it; "-" as
 *             the field: only that it is there matters
 *   wrap      a line that is a JSON object whose field "text" (same pairs) is the line,
 *             with its line end or without; it goes on in the next where "part" is "P", or
 *             where there is no line end and the text is as long as container runtimes let
 *             one become (16 KiB)
 *   quote     a line without header after which <length:...> bytes of another log are
 *             quoted: their headers begin no records
 *
 * Shapes are matched at the start of the line, without backtracking but for
 * <thread> (at most 512 bytes), so a line is looked at once:
 *
 *   x  \x  \s       this byte; \s is a blank, \t a tab
 *   #               a digit
 *   [a-z] [^a]      a byte of the set (\ quotes inside; \r too)
 *   ? + *           after one of these: optional, one or more, any number (greedy)
 *   (a|b) (a|b)?    alternatives, tried in order; no nesting, no fields inside
 *   <name:...>      the bytes matched inside are the field NAME
 *   <level>         a level word, nothing of a word behind it
 *   <logger>        [A-Za-z_$][A-Za-z0-9_.$-]*
 *   <thread>        as little text as lets the rest match
 *   <message>       the rest of the line
 *
 * Fields: time level thread logger message; for json also class, text (of the
 * exception) and trace; for wrap text and part; for quote length. A prefix may have
 * <part:...>: "P" says that the line goes on in the next.
 *
 * Every line that changes what records are otherwise than by a header holds a text
 * that can be searched for, its sign, of at least KT_SIGN_MIN bytes; a row without
 * one is refused.
 */
#ifndef KT_INPUT_HEADERS_H
#define KT_INPUT_HEADERS_H

#include "base/err.h"
#include "base/str.h"
#include "core/memory.h"

struct kt_headers;

/* Compiles the table; TEXT may go afterwards. Errors are of class RULES and name
 * the line. NULL on error. */
struct kt_headers *kt_headers_parse(struct kt_str text, struct kt_err *err);
void kt_headers_free(struct kt_headers *take_h);

enum kt_field {
	KT_FIELD_TIME,
	KT_FIELD_LEVEL,
	KT_FIELD_THREAD,
	KT_FIELD_LOGGER,
	KT_FIELD_MESSAGE,
	KT_FIELD_PART,
	KT_FIELD_CLASS,
	KT_FIELD_TRACE,
	KT_FIELD_TEXT,
	KT_FIELD_LENGTH,
	KT_FIELDS
};

enum kt_shape_kind {
	KT_SHAPE_LOG,
	KT_SHAPE_BREAK,
	KT_SHAPE_EVENT,
	KT_SHAPE_JSON,
	KT_SHAPE_PREFIX,
	KT_SHAPE_STAMP,
	KT_SHAPE_WRAP,
	KT_SHAPE_QUOTE
};

struct kt_header_match {
	struct kt_str id;
	enum kt_shape_kind kind;
	struct kt_str field[KT_FIELDS]; /* parts of the line; empty where absent */
	size_t len;                     /* bytes matched (PREFIX: to take off) */
};

/* The first row of kind LOG, BREAK or EVENT that matches LINE (no line end in it).
 * False: no header. */
bool kt_headers_match(const struct kt_headers *h, struct kt_str line, struct kt_header_match *m);

/* Whether there is one. *LOOK: what might hold an escape sequence that
 * would make the header another one (the bytes that it looked at). */
bool kt_headers_head(const struct kt_headers *h, struct kt_str line, struct kt_str *look);

/* The first PREFIX or STAMP row that matches a piece of at least one byte. */
bool kt_headers_prefix(const struct kt_headers *h, struct kt_str line, struct kt_header_match *m);

/* The first QUOTE row that matches. */
bool kt_headers_quote(const struct kt_headers *h, struct kt_str line, struct kt_header_match *m);

/* The JSON and WRAP rows, in order; read by input/jsonline.h. */
struct kt_json_pair {
	enum kt_field field;
	bool ignored, needed;
	struct kt_str path;
};
struct kt_json_row {
	struct kt_str id;
	enum kt_shape_kind kind;
	const struct kt_json_pair *pairs;
	size_t n;
};
const struct kt_json_row *kt_headers_json(const struct kt_headers *h, size_t *n);

/* --- signs: texts that stand in such lines --- */

#define KT_SIGN_MIN 7 /* bytes */

enum kt_sign_kind {
	KT_SIGN_JSON,  /* a key, with its quotes, that a JSON or WRAP row needs */
	KT_SIGN_EVENT, /* the bytes an EVENT row begins with */
	KT_SIGN_PART,  /* what stands before <part:...> of a PREFIX or STAMP row, and "P" */
	KT_SIGN_QUOTE  /* the longest fixed text of a QUOTE row */
};

/* Each once, none with a line end in it. A line that is JSON or an event, goes on in
 * the next or begins a quote holds the sign of its row, or an escape sequence within
 * it (ESC is looked for by itself). They live as long as H. */
const struct kt_str *kt_headers_signs(const struct kt_headers *h, size_t *n);
enum kt_sign_kind kt_headers_sign_kind(const struct kt_headers *h, size_t i);

#endif
