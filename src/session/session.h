/* An incident under diagnosis: what was read, answered and run, and what follows.
 *
 * Everything known is a list of acts (a scan, an answer, a command); each act
 * holds the observations it gave. Verdict and plan are computed from the acts in
 * force, never stored. Undo takes the last act out, redo puts it back; the journal
 * holds the acts, so resuming is reading them again.
 *
 * All text that comes from an input, a cluster or a person is redacted before it is
 * kept. Getters return views that live until the next change of the session.
 *
 *     struct kt_session *s;
 *     kt_session_new(&(struct kt_session_opts){.kb = kb, .ui = &script_ui}, &s);
 *     kt_session_scan(s, "driver.log", &err);
 *     kt_session_set(s, KT_S("writeMode"), KT_S("Queued"), KT_S("--set"), &err);
 *     const struct kt_judgement *j = kt_session_judgement(s);
 *     kt_session_free(s);
 */
#ifndef KT_SESSION_SESSION_H
#define KT_SESSION_SESSION_H

#include <signal.h>

#include "base/buf.h"
#include "core/explain.h"
#include "kusto/cluster.h"

struct kt_session;

/* What a session needs of the one who drives it. Every function may be NULL. */
struct kt_ui {
	/* Something went on that is no answer: a limit was hit, a file skipped. */
	void (*note)(void *ctx, struct kt_str text);
	/* Called now and then during long work; DONE of TOTAL bytes, TOTAL 0 if not known. */
	void (*progress)(void *ctx, const char *what, uint64_t done, uint64_t total);
	/* True once the person pressed ^C: the work in hand stops with class CANCELLED. */
	bool (*cancelled)(void *ctx);
	/* The same as a flag that a signal handler sets, so that waiting for an input ends. */
	const volatile sig_atomic_t *stop;
	/* May a command of the class `ask` be sent? NULL: no. */
	bool (*confirm)(void *ctx, struct kt_str command, struct kt_str why);
	/* The open question. Returns false to leave it open (a script); else *ANSWER. */
	bool (*ask)(void *ctx, uint32_t fact, struct kt_str *answer);
};

struct kt_session_opts {
	const struct kt_kb *kb; /* borrowed, outlives the session */
	const struct kt_ui *ui; /* may be NULL */
	void *ui_ctx;
	uint64_t max_bytes;  /* of one input; 0: no limit */
	const char *journal; /* path of a new journal, or NULL */
	unsigned threads;    /* that scan; 0: one for each processor */
	bool trace_match;    /* time each pattern: see kt_session_patterns */
};

int kt_session_new(const struct kt_session_opts *opts, struct kt_session **out, struct kt_err *err);
void kt_session_free(struct kt_session *take_s);
/* Forgets all acts and the cluster, and keeps what was compiled: for one incident after
 * another. Not with a journal. */
void kt_session_forget(struct kt_session *s);
const struct kt_kb *kt_session_kb(const struct kt_session *s);

/* ---- acts ---- */

/* A file, a folder or "-" (stdin): one act. What cannot be read to its end is an
 * entry of kt_session_inputs with its problem, not an error of the call. When it was
 * cancelled the call fails, and what was found until then is in force, if anything was
 * read: kt_session_stopped tells. */
KT_MUST_CHECK int kt_session_scan(struct kt_session *s, const char *path, struct kt_err *err);
KT_MUST_CHECK int kt_session_paste(struct kt_session *s, struct kt_str text, struct kt_err *err);
bool kt_session_stopped(const struct kt_session *s);
/* PATH was named but is not read: an input with WHY as its problem. */
KT_MUST_CHECK int kt_session_skip(struct kt_session *s, const char *path, struct kt_str why,
				  struct kt_err *err);

/* An answer; "unknown" is one. Wrong values are errors of class USAGE that name the
 * choices. A set fact is changed by unset and set, never silently: two values dispute. */
KT_MUST_CHECK int kt_session_set(struct kt_session *s, struct kt_str fact, struct kt_str value,
				 struct kt_str source, struct kt_err *err);
KT_MUST_CHECK int kt_session_unset(struct kt_session *s, struct kt_str fact, struct kt_err *err);
/* Checks a value without setting it. */
KT_MUST_CHECK int kt_session_valid(const struct kt_session *s, uint32_t fact, struct kt_str value,
				   struct kt_err *err);
/* Sets a cause's specific evidence aside, with all its faults (ends a conflict). */
KT_MUST_CHECK int kt_session_set_aside(struct kt_session *s, struct kt_str cause, struct kt_err *err);

bool kt_session_undo(struct kt_session *s, struct kt_str *what); /* false: nothing to undo */
bool kt_session_redo(struct kt_session *s, struct kt_str *what);

/* ---- cluster ---- */

/* The cluster is closed with the session. DATABASE may be empty. An act. */
KT_MUST_CHECK int kt_session_connect(struct kt_session *s, struct kt_cluster *take_cluster,
				     struct kt_str database, struct kt_err *err);
void kt_session_disconnect(struct kt_session *s);
bool kt_session_connected(const struct kt_session *s);

/* Runs a check of the pack; its items become observations (an act). A command
 * that fails gives items in state FAILED and returns 0; -1 only when cancelled, or when
 * the journal or a recording cannot be written. */
KT_MUST_CHECK int kt_session_run(struct kt_session *s, uint32_t check, struct kt_err *err);
/* The command of a check with its placeholders filled, canonical. Class USAGE names
 * the facts that are missing. */
KT_MUST_CHECK int kt_session_command(struct kt_session *s, uint32_t check, struct kt_buf *out,
				     struct kt_err *err);
/* A command or query of the person's: guarded, run, its rows given back in A. */
KT_MUST_CHECK int kt_session_show(struct kt_session *s, struct kt_str text, bool query, struct kt_arena *a,
				  struct kt_result *out, struct kt_err *err);
/* Is the cause mended? KT_TRUE, KT_FALSE, or KT_UNKNOWN with the reason in ERR. */
enum kt_tri kt_session_verify(struct kt_session *s, uint32_t cause, struct kt_err *err);

/* The loop of a script: runs what needs no person, best first, until CONFIRMED or
 * nothing is worth it; then asks through ui->ask where there is one. */
KT_MUST_CHECK int kt_session_go(struct kt_session *s, struct kt_err *err);

/* ---- what follows ---- */

const struct kt_judgement *kt_session_judgement(struct kt_session *s);
const struct kt_plan *kt_session_plan(struct kt_session *s);
const struct kt_obs *kt_session_obs(struct kt_session *s, size_t *n);
/* Arena of the current views: explanations may be computed into it. */
struct kt_arena *kt_session_arena(struct kt_session *s);
/* Source of an answer to a question that was put; what was stated unasked has another. */
#define KT_ANSWER KT_S("answer")

/* The question that is open now, or KT_NIL; none once enough were put: five since something
 * was read, or two in a row that the person could not answer. */
uint32_t kt_session_question(struct kt_session *s);
bool kt_session_asked_enough(const struct kt_session *s);
/* The best question, however many were put. */
uint32_t kt_session_best_question(struct kt_session *s);
/* The step of the triage the session is in. */
enum kt_step kt_session_step(struct kt_session *s);
/* Text with its {fact} placeholders filled from the operation of CAUSE (KT_NIL: the
 * incident); unknown ones become <fact>. */
void kt_session_fill(struct kt_session *s, struct kt_str text, uint32_t cause, struct kt_buf *out);

struct kt_input_view {
	struct kt_str name; /* as given, "-" is "stdin" */
	uint64_t lines, bytes;
	uint64_t records; /* that were looked at: of a short input all */
	uint64_t matched;
	bool at_least;         /* more may have matched: see kt_scan_sink.capped */
	bool complete;         /* read to its end and not cut */
	bool is_log;           /* at least one record header was recognised */
	struct kt_str problem; /* empty if complete */
};
const struct kt_input_view *kt_session_inputs(struct kt_session *s, size_t *n);

enum kt_command_state { KT_CMD_DONE, KT_CMD_FAILED, KT_CMD_NOT_SENT };
struct kt_command_view {
	struct kt_str text; /* canonical, as sent */
	enum kt_endpoint endpoint;
	enum kt_command_state state;
	uint64_t rows;
	struct kt_str reason; /* why it failed or was not sent; else empty */
	uint32_t check;       /* or KT_NIL */
};
const struct kt_command_view *kt_session_commands(struct kt_session *s, size_t *n);

/* Limits that a pattern hit: "inconclusive at driver.log:4182: pattern …". */
const struct kt_str *kt_session_inconclusive(struct kt_session *s, size_t *n);

/* What a pattern cost in the scans of this session; with trace_match only. */
struct kt_pattern_cost {
	uint32_t pattern;    /* row of kb->patterns */
	uint64_t candidates; /* records that it was judged on: a text of its cover stands there */
	uint64_t hits, runs, limits;
	uint64_t ns; /* in PCRE2, of all threads */
};
struct kt_scan_cost {
	uint64_t records, bytes; /* that patterns were judged on */
	uint32_t compiled, jitted;
	struct kt_pattern_cost sum; /* of all patterns */
};
/* Patterns with a candidate or a hit, the dearest first. */
const struct kt_pattern_cost *kt_session_patterns(struct kt_session *s, struct kt_scan_cost *all, size_t *n);

/* ---- the journal ---- */

/* False without a journal, and once a line of it could not be written: the act in hand
 * is in force then and its call fails with class OUTPUT; later acts are not written. */
bool kt_session_kept(const struct kt_session *s);

/* Writes the acts in force as a journal to PATH, replacing it. */
KT_MUST_CHECK int kt_session_save(struct kt_session *s, const char *path, struct kt_err *err);
/* Reads the acts of a journal into a fresh session and goes on writing to it. A torn
 * tail is cut off and noted; another writer is refused, and a file that is no journal
 * is left as it is. */
KT_MUST_CHECK int kt_session_resume(struct kt_session *s, const char *path, struct kt_err *err);
/* Adds the path of a new journal under XDG state ("…/sessions/20261130-183000-4711.jsonl"). */
KT_MUST_CHECK int kt_session_path(struct kt_buf *out, struct kt_err *err);

#endif
