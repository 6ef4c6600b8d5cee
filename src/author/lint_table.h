/* The checks of rules check: name, level, what is proved, and why it matters. */
#ifndef KT_AUTHOR_LINT_TABLE_H
#define KT_AUTHOR_LINT_TABLE_H

#include "rules/diag.h"

/* clang-format off */
#define KT_LINT_CHECKS(X) \
	X(NO_SPECIFIC, "no-specific-item", ERROR, \
	  "Every cause has an item that weighs strong or proves, or is a carrier.", \
	  "LIKELY needs one. A cause without it can lead and never be said; a mere wrapper is marked carrier: true.") \
	X(NAMES_ITSELF, "names-itself", ERROR, \
	  "No cause is among its own look-alikes or twins.", \
	  "The other cause is missing from the list.") \
	X(UNKNOWN_CAUSE, "unknown-cause", ERROR, \
	  "A look-alike or twin that is nearly the id of a cause is that id; an option fault leads to a cause.", \
	  "Ids that no pack has are allowed as look-alikes, a later pack may bring them; slips are not.") \
	X(NEVER_KNOWN, "never-known", ERROR, \
	  "Every fact is asked or learned somewhere.", \
	  "A gate on a fact that nobody can know stays unknown for ever and blocks CONFIRMED.") \
	X(NO_WHY, "asked-without-why", ERROR, \
	  "Every question says why it is asked.", \
	  "People answer with more care when they know what the answer decides.") \
	X(UNUSED_FACT, "unused-fact", WARNING, \
	  "Every fact is used by a gate, an item, a command, a text or the program itself.", \
	  "What decides nothing need not be asked or learned.") \
	X(UNREACHABLE_QUESTION, "unreachable-question", ERROR, \
	  "Every question can be asked while some cause that it tells something about is still possible.", \
	  "All values of the facts in its when: and in the gates of those causes were tried: whenever it may be asked, they are excluded.") \
	X(UNREACHABLE_ITEM, "unreachable-item", ERROR, \
	  "Every item of a cause can be collected while the gate of the cause holds.", \
	  "A question whose when: contradicts the gate, and a command that needs a fact nobody can know, never speak for or against it.") \
	X(UNUSED_CHECK, "unused-check", WARNING, \
	  "Every check is used by an item, a verify step or a note.", \
	  "It would never be run.") \
	X(NO_TEXT, "no-fixed-text", ERROR, \
	  "Every match of a pattern holds a fixed text.", \
	  "Without one the pattern is tried on every record of every log.") \
	X(SHORT_TEXT, "short-fixed-text", ERROR, \
	  "The fixed text in every match of a pattern has seven bytes or more.", \
	  "Shorter ones stand everywhere in ordinary logs.") \
	X(FREQUENT_TEXT, "frequent-text", WARNING, \
	  "The fixed texts of a pattern are rare in ordinary logs, by measured frequencies.", \
	  "Each place where one stands costs a trial of the whole pattern.") \
	X(NESTED_REPEAT, "nested-repeat", ERROR, \
	  "No pattern repeats without end what repeats without end.", \
	  "Such patterns take a time that doubles with each byte on some lines.") \
	X(IMPOSSIBLE_GATE, "impossible-gate", ERROR, \
	  "The gate of every cause can be true.", \
	  "All values of its facts were tried, and those around each bound: the cause could never be said.") \
	X(IMPOSSIBLE_CONDITION, "impossible-condition", ERROR, \
	  "The condition of every question and default can be true.", \
	  "All values of its facts were tried: it would never be asked, never hold.") \
	X(INSEPARABLE, "inseparable", ERROR, \
	  "Causes with different fixes that one text evokes can be told apart by a check.", \
	  "Found in the rules (both hold the item) and by running the cases (both were evoked). Give one a show:, an ask:, a gate or a text that the other has not, or accept them with twins:.") \
	X(DOMINATED, "dominated", ERROR, \
	  "No cause loses to another whatever is observed.", \
	  "All that speaks for it speaks for the other as loudly, and nothing speaks against the other: it can never win.") \
	X(NO_FIRES, "no-case-fires", ERROR, \
	  "Every cause has a case in which it leads.", \
	  "A rule that nobody has seen work does not work.") \
	X(NO_QUIET, "no-case-quiet", ERROR, \
	  "Every cause has a case near it in which it is not the answer.", \
	  "Confident and wrong is the worst fault; this is the case that would show it.") \
	X(NO_LOOK_ALIKE, "no-case-look-alike", ERROR, \
	  "Every cause has a case in which a named look-alike wins.", \
	  "Where no look-alike is in the base a second quiet case does.") \
	X(ALL_CONSTRUCTED, "all-constructed", ERROR, \
	  "One case of each cause at least is recorded or made from the software's own format.", \
	  "Text written from a regex proves nothing about it.") \
	X(BARE_INPUT, "bare-input", ERROR, \
	  "The input of a case holds more than what the patterns of the cause spell.", \
	  "A case is a log extract with other records around.") \
	X(WRONG_CASE, "wrong-case", ERROR, \
	  "A case names facts and causes that are there, and expects what its kind allows.", \
	  "Else it tests something else than its name says.") \
	X(DATA_FILE, "data-file", ERROR, \
	  "The tables beside the packs can be read.", \
	  "They are read when they are needed, long after the rules.") \
	X(UNKNOWN_OPTION, "unknown-option", ERROR, \
	  "The condition and the text of an option fault name options that are in the reference.", \
	  "A condition on an option that does not exist is never true: the fault would not be found.") \
	X(FAULT_OF_NOTHING, "fault-of-nothing", ERROR, \
	  "No option fault is told of a list without options.", \
	  "not X in [..] is true of an option that is not set: X != '' stands in front of it.") \
	X(UNKNOWN_CHECK, "unknown-check", ERROR, \
	  "accept: names checks of this list.", \
	  "A slip there would accept nothing.") \
	X(IDLE_EXCEPTION, "idle-exception", INFO, \
	  "What accept: accepts is there.", \
	  "The fault was mended: the exception may go, and would hide the next one.")
/* clang-format on */

enum kt_lint_id {
#define X(id, name, level, proves, why) KT_LINT_##id,
	KT_LINT_CHECKS(X)
#undef X
		KT_N_LINTS
};

struct kt_lint_row {
	const char *name;
	enum kt_diag_kind level;
	const char *proves, *why;
};

extern const struct kt_lint_row kt_lint_rows[KT_N_LINTS];

#endif
