/* Working memory: everything known about an incident is a list of observations.
 *
 * Verdict, plan and explanations are pure functions of (knowledge base, list);
 * the order of the list does not matter. Undo takes one out and computes again.
 * All text is borrowed: whoever owns the list keeps it alive.
 */
#ifndef KT_CORE_MEMORY_H
#define KT_CORE_MEMORY_H

#include "core/kb.h"

enum kt_obs_kind {
	KT_OBS_HIT,       /* item (LOG) found in record rec */
	KT_OBS_FATAL,     /* record rec is fatal */
	KT_OBS_SHOW,      /* item (SHOW) of a command that was run: state, row */
	KT_OBS_FACT,      /* fact has value (state KNOWN) or the person does not know (UNKNOWN) */
	KT_OBS_INPUT,     /* a named input was read; complete or not */
	KT_OBS_CONNECTED, /* a cluster can be asked */
	KT_OBS_ASIDE,     /* the person sets an item, a fault (by one of its records) or a fact aside */
};

/* What is known of an item. Only ABSENT speaks against a cause. */
enum kt_state {
	KT_STATE_NOT_COLLECTED,
	KT_STATE_UNKNOWN, /* the person does not know */
	KT_STATE_FAILED,  /* could not be collected */
	KT_STATE_ABSENT,
	KT_STATE_PRESENT,
};

enum kt_media { KT_MEDIA_LOG, KT_MEDIA_EVENTLOG, KT_MEDIA_SOURCE };

/* A record of an input, as far as joining into faults and independence need it.
 * Records are joined when their exception class and first frame agree, when
 * class and operation agree, or when one quotes the other. FAULT, if not empty,
 * names the fault directly (tests). */
struct kt_rec {
	uint32_t id; /* unique in the list */
	struct kt_str fault;
	struct kt_str cls;   /* exception class, empty if none */
	struct kt_str frame; /* first frame outside the foreign ones */
	struct kt_str logger;
	struct kt_str op; /* operation key, empty if not known */
	uint32_t quotes;  /* id of a record whose text stands in this one, or KT_NIL */
	enum kt_media media;
	uint64_t at;          /* order of place: input number << 40 | line */
	struct kt_str source; /* "driver.log:4182" */
};

struct kt_obs {
	enum kt_obs_kind kind;
	uint32_t item;            /* HIT, SHOW, ASIDE; else KT_NIL */
	uint32_t fact;            /* FACT, ASIDE; else KT_NIL */
	enum kt_state state;      /* SHOW; FACT: PRESENT (has a value) or UNKNOWN */
	bool complete;            /* INPUT */
	const struct kt_rec *rec; /* HIT, FATAL, FACT learned from a record, ASIDE of a fault; else NULL */
	uint32_t row;             /* SHOW: row of the result that satisfies it */
	struct kt_str value;      /* FACT */
	struct kt_str scope;      /* FACT: operation key; empty: the whole incident */
	struct kt_str source;     /* shown: place, command and row, "answer", "--set" */
	uint64_t at;
	struct kt_str text; /* shown beside it: the matched line, cut; may be empty */
	uint32_t count;     /* how many equal ones it stands for; 0 counts as 1 */
	bool at_least;      /* COUNT is not all of them: further ones were not looked at */
	struct kt_str last; /* shown: the place of the last of them; empty: that of the first */
	uint64_t last_at;   /* its order, like AT */
};

/* "not-set": the person's answer "I did not set it". */
#define KT_NOT_SET "not-set"
/* The fact by which a person names the operation that failed. */
#define KT_FAILED_OPERATION "failedOperation"

#endif
