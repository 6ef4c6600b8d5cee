/* What a session holds; for the files of this folder only.
 *
 * Acts and all they point to live in `keep` until the session ends (undo may bring
 * them back). The view (observations for the core, judgement, plan) lives in
 * `view` and is thrown away by every change.
 */
#ifndef KT_SESSION_STATE_H
#define KT_SESSION_STATE_H

#include "base/alloc.h"
#include "input/trace.h"
#include "kusto/cluster.h"
#include "scan/scan.h"
#include "session/session.h"

#define KT_RAW_KEYS       2
#define KT_FACT_DATABASE  "database" /* the database that commands run in */
#define KT_FACT_FAILED_AT "failedAt"

/* A record that gave at least one observation. */
struct kt_raw_rec {
	struct kt_str cls, frame, logger, source;
	struct {
		uint32_t fact; /* a fact with a key rank */
		struct kt_str value;
	} keys[KT_RAW_KEYS]; /* strongest first */
	uint32_t n_keys;
	uint64_t head;         /* hash of its own exception line, 0 if none worth it */
	const uint64_t *heads; /* hashes of all exception lines in it */
	size_t n_heads;
	enum kt_media media;
	uint32_t input; /* index in the act */
	uint64_t line;
};

struct kt_raw {
	enum kt_obs_kind kind;
	uint32_t item, fact; /* as in struct kt_obs */
	enum kt_state state;
	uint32_t rec; /* index in the act, or KT_NIL */
	uint32_t row;
	struct kt_str value, source, text;
	uint64_t line;
	uint32_t count;
	bool at_least;       /* COUNT is not all: of further ones only literals were counted */
	uint32_t last_input; /* COUNT over 1: where the last one is; index in the act */
	uint64_t last_line;
};

#define KT_ACTS(X)      \
	X(SCAN, "scan") \
	X(PASTE, "paste") X(SET, "set") X(UNSET, "unset") X(ASIDE, "aside") X(RUN, "run") X(SHOW, "show")

enum kt_act_kind {
#define X(id, word) KT_ACT_##id,
	KT_ACTS(X)
#undef X
};

struct kt_act {
	enum kt_act_kind kind;
	struct kt_str label; /* what undo says: "scan driver.log" */
	uint32_t fact;       /* SET, UNSET; else KT_NIL */
	uint32_t check;      /* RUN; else KT_NIL */
	struct kt_raw_rec *recs;
	size_t n_recs, cap_recs;
	struct kt_raw *raws;
	size_t n_raws, cap_raws;
	struct kt_input_view *inputs;
	size_t n_inputs, cap_inputs;
	struct kt_command_view *commands;
	size_t n_commands, cap_commands;
	struct kt_str *inconclusive;
	size_t n_inconclusive, cap_inconclusive;
	struct kt_str first_time, last_time; /* of the records that gave something, ISO text */
};

/* What a pattern means: the rows of the base that name it. */
struct kt_meaning {
	uint32_t *items, *learns;
	size_t n_items, n_learns;
	bool fatal, noise;
};

struct kt_journal;

struct kt_session {
	const struct kt_kb *kb;
	const struct kt_ui *ui;
	void *ui_ctx;
	uint64_t max_bytes;
	unsigned threads;
	bool trace_match;
	bool stopped; /* the last scan, when only a part was read */
	struct kt_arena keep, view;
	struct kt_act **acts;
	size_t n_acts, cap_acts;     /* in force: [0, n_acts) */
	size_t n_redo;               /* undone: [n_acts, n_acts + n_redo) */
	struct kt_meaning *meanings; /* one for every pattern; built at the first scan */
	struct kt_scan *scan;        /* made at the first scan, as are: */
	struct kt_headers *headers;
	struct kt_cluster *cluster;
	struct kt_str database;
	uint32_t probed; /* automatic check that was run at connecting, or KT_NIL */
	struct kt_guard *guard;
	struct kt_journal *journal;

	bool fresh; /* the view is of the acts in force */
	struct kt_obs *obs;
	size_t n_obs;
	struct kt_judgement judgement;
	bool planned;
	struct kt_plan plan;
	struct kt_input_view *inputs;
	size_t n_inputs;
	struct kt_command_view *commands;
	size_t n_commands;
	struct kt_str *inconclusive;
	size_t n_inconclusive;
};

/* act.c */
struct kt_act *kt_act_new(struct kt_session *s, enum kt_act_kind kind, struct kt_str label);
struct kt_raw *kt_act_raw(struct kt_act *act, enum kt_obs_kind kind);
struct kt_raw_rec *kt_act_rec(struct kt_act *act);
void kt_act_free(struct kt_act *take_act);
/* Puts the act in force, writes it to the journal and drops what was undone. */
int kt_act_add(struct kt_session *s, struct kt_act *take_act, struct kt_err *err);
/* Redacted copy that lives as long as the session. */
struct kt_str kt_session_keep(struct kt_session *s, struct kt_str text);
/* First line of TEXT around AT, trimmed and cut for showing; redacted copy. */
struct kt_str kt_session_line(struct kt_session *s, struct kt_str text, size_t at);

/* view.c */
void kt_session_stale(struct kt_session *s);
void kt_session_view(struct kt_session *s);

/* ops.c: the operation of each record of the acts in force, by its keys. */
struct kt_ops;
struct kt_ops *kt_ops_new(const struct kt_session *s, struct kt_arena *a);
struct kt_str kt_ops_of(const struct kt_ops *ops, const struct kt_raw_rec *rec);

/* answer.c */
bool kt_fact_valid(const struct kt_kb *kb, uint32_t fact, struct kt_str value);
/* Normalised as the fact's `clean` says; in A. */
struct kt_str kt_fact_clean(const struct kt_kb *kb, uint32_t fact, struct kt_str value, struct kt_arena *a);

/* fill.c: value of a placeholder, seen from CAUSE; false if not known. */
bool kt_session_lookup(struct kt_session *s, struct kt_str name, uint32_t cause, struct kt_str *value);

/* incident.c: the incident's time as KQL datetimes; false if not known. */
bool kt_session_span(struct kt_session *s, struct kt_buf *from, struct kt_buf *to);
/* Did the incident begin before what is kept for RETENTION_S seconds until NOW_S (of the
 * epoch)? False when its time is not known. */
bool kt_session_forgotten(struct kt_session *s, uint32_t retention_s, int64_t now_s);
/* Header time of a log as "2026-01-31T10:11:12Z"; empty if it is none. */
struct kt_str kt_time_iso(struct kt_str header_time, struct kt_arena *a);

/* journal.c */
int kt_journal_open(const char *path, bool fresh, struct kt_journal **out, struct kt_err *err);
int kt_journal_act(struct kt_session *s, const struct kt_act *act, struct kt_err *err);
void kt_journal_mark(struct kt_session *s, const char *type); /* "undo", "redo" */
void kt_journal_close(struct kt_journal *take_j);

/* predicate.c: evaluates an item over the rows of a result. */
struct kt_rows_hit {
	bool present;
	uint32_t *rows; /* the rows that satisfy it, for ANY */
	size_t n_rows;
};
void kt_rows_judge(const struct kt_kb *kb, const struct kt_item *item, const struct kt_result *result,
		   struct kt_arena *a, struct kt_rows_hit *out);

#endif
