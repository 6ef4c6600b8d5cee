#include "rules/keys.h"

#include "core/judge.h"

#include "base/banned.h"

#define WORD3(id, word, x)         word,
#define WORD2(id, word)            word,
#define JSON_WORD(id, shown, json) json,

const char *const kt_words_weight[] = {"proves",        "strong",         "suggests",       "hints",
				       "hints-against", "argues-against", "strong-against", NULL};
const char *const kt_words_against[] = {"hints-against", "argues-against", "strong-against", NULL};
const char *const kt_words_prior[] = {KT_PRIORS(WORD3) NULL};
const char *const kt_words_rerun[] = {"safe", "unsafe", "unsafe-until-checked", NULL};
const char *const kt_words_fact_type[] = {KT_FACT_TYPES(WORD2) NULL};
const char *const kt_words_step[] = {KT_STEPS(WORD2) NULL};
const char *const kt_words_scope[] = {"incident", "operation", NULL};
const char *const kt_words_clean[] = {"none", "guid", "lower", NULL};
const char *const kt_words_endpoint[] = {"engine", "ingest", NULL};
const char *const kt_words_check_kind[] = {"mgmt", "query", "scan", NULL};
const char *const kt_words_case_kind[] = {"fires", "quiet", "look-alike", NULL};
const char *const kt_words_provenance[] = {"recorded", "source-template", "constructed", NULL};
const char *const kt_words_verdict[] = {KT_VERDICTS(JSON_WORD) NULL};

#define SECTION(name, title, one_of) \
	static const struct kt_keys name##_section = {#name, title, one_of, name##_keys, KT_LEN(name##_keys)}

#define ACCEPT_DOC "Checks of rules check that need not hold here, each with the reason."

/* ---- fact ---- */

static const struct kt_key default_keys[] = {
	{"value", KT_V_TEXT, KT_ONE, true, .doc = "Value of the option when it is not set."},
	{"when", KT_V_COND, KT_ONE, .doc = "The default holds when this is true."},
};
SECTION(default, "a default", NULL);

static const struct kt_key learn_keys[] = {
	{"log", KT_V_REGEX, KT_ONE,
	 .doc = "Regex over one record. A group named like the fact gives the value: (?<factId>…)."},
	{"show", KT_V_ID, KT_ONE, .doc = "A check; with value and one of any, all, none, rows."},
	{"any", KT_V_COND, KT_ONE, .doc = "True in some row of the result."},
	{"all", KT_V_COND, KT_ONE, .doc = "True in every row of the result."},
	{"none", KT_V_COND, KT_ONE, .doc = "True in no row of the result."},
	{"rows", KT_V_ROWS, KT_ONE, .doc = "Number of rows: '>= 1'."},
	{"value", KT_V_TEXT, KT_ONE,
	 .doc = "A match or a true predicate means this value; without it the group gives the value."},
};
SECTION(learn, "a learn entry", "log show");

static const struct kt_key fact_keys[] = {
	{"type", KT_V_WORD, KT_ONE, true, .words = kt_words_fact_type, .doc = "Type of the value."},
	{"scope", KT_V_WORD, KT_ONE, .words = kt_words_scope,
	 .doc = "operation: one log may hold several, each with its own value. Default: incident."},
	{"step", KT_V_WORD, KT_ONE, .words = kt_words_step,
	 .doc = "Step of the triage in which it is asked. Default: collect."},
	{"pin", KT_V_DIGIT, KT_ONE, .doc = "Asked early, in this order."},
	{"complaint", KT_V_BOOL, KT_ONE,
	 .doc = "A value says that something is wrong: with it nothing is HEALTHY."},
	{"key", KT_V_DIGIT, KT_ONE,
	 .doc = "A value names the operation a record belongs to; the smaller key wins."},
	{"when", KT_V_COND, KT_ONE, .doc = "Asked only when this is true."},
	{"ask", KT_V_TEXT, KT_ONE, .doc = "The question. Without it the fact is only learned from logs."},
	{"why", KT_V_TEXT, KT_ONE, .doc = "Why it is asked, in one sentence."},
	{"choices", KT_V_TEXT0, KT_DICT, .names = KT_V_TEXT,
	 .doc = "The values with a short text beside each. not-set: \"I did not set it\"."},
	{"default", KT_V_KEYS, KT_ONE_OR_LIST, .sub = &default_section,
	 .doc = "Value of the option when it is not set; of a list the first whose condition holds."},
	{"default-needs", KT_V_NAME, KT_ONE,
	 .doc = "The version fact that must be known for the default to count; else it is an assumption."},
	{"cost", KT_V_TIME, KT_ONE, .doc = "Time a person needs to answer: 8s. Default: 10s."},
	{"avail", KT_V_SHARE, KT_ONE, .doc = "How often a person knows it, 0 to 1. Default: 0.8."},
	{"clean", KT_V_WORD, KT_ONE, .words = kt_words_clean,
	 .doc = "A captured value is normalised: guid (_ to -, lower case), lower, none (default)."},
	{"learn", KT_V_KEYS, KT_LIST, .sub = &learn_section,
	 .doc = "Where it is read from logs; the first that captures wins within a record."},
	{"accept", KT_V_TEXT, KT_DICT, .names = KT_V_ID, .doc = ACCEPT_DOC},
};
SECTION(fact, "a fact", NULL);

/* ---- check ---- */

static const struct kt_key check_keys[] = {
	{"title", KT_V_TEXT, KT_ONE, true, .doc = "Short text shown in the plan."},
	{"command", KT_V_TEXT, KT_ONE,
	 .doc = "The management command or query, read-only, with typed placeholders "
		"{fact:string|guid|datetime|timespan|entity}; {from:datetime} and {to:datetime} are the "
		"incident's time."},
	{"endpoint", KT_V_WORD, KT_ONE, .words = kt_words_endpoint,
	 .doc = "Where it is sent. Default: engine."},
	{"kind", KT_V_WORD, KT_ONE, .words = kt_words_check_kind,
	 .doc = "mgmt (default), query, or scan: the one check that collects all log items."},
	{"needs", KT_V_NAME, KT_LIST,
	 .doc = "Facts that must be known before it can run. Placeholders count by themselves."},
	{"retention", KT_V_TIME, KT_ONE, .doc = "How far back the service keeps this: 14d."},
	{"permission", KT_V_TEXT, KT_ONE, .doc = "The role needed to see all rows."},
	{"cost", KT_V_TIME, KT_ONE, .doc = "Time it takes: 6s. Default: 5s."},
	{"avail", KT_V_SHARE, KT_ONE,
	 .doc = "How often it can be collected, 0 to 1. Default: 0.7, scan 0.9."},
	{"silent", KT_V_BOOL, KT_ONE, .doc = "Finds failures that leave no trace in logs."},
	{"auto", KT_V_BOOL, KT_ONE, .doc = "Free: run by itself once a cluster is connected."},
	{"columns", KT_V_TEXT, KT_LIST, .doc = "Columns of the result that predicates use."},
	{"accept", KT_V_TEXT, KT_DICT, .names = KT_V_ID, .doc = ACCEPT_DOC},
};
SECTION(check, "a check", NULL);

/* ---- cause ---- */

static const struct kt_key evidence_keys[] = {
	{"log", KT_V_REGEX, KT_ONE, .doc = "Regex over one record."},
	{"show", KT_V_ID, KT_ONE, .doc = "A check; with one of any, all, none, rows."},
	{"ask", KT_V_COND, KT_ONE, .doc = "Condition over exactly one fact."},
	{"any", KT_V_COND, KT_ONE, .doc = "True in some row of the result."},
	{"all", KT_V_COND, KT_ONE, .doc = "True in every row of the result."},
	{"none", KT_V_COND, KT_ONE, .doc = "True in no row of the result."},
	{"rows", KT_V_ROWS, KT_ONE, .doc = "Number of rows: '>= 1'."},
	{"weight", KT_V_WORD, KT_ONE, true, .words = kt_words_weight,
	 .doc = "What it means when it is seen."},
	{"absent", KT_V_WORD, KT_ONE, .words = kt_words_against,
	 .doc = "What it means when it is absent from a complete source."},
	{"group", KT_V_ID, KT_ONE, .doc = "Items that share it count as one."},
	{"note", KT_V_TEXT, KT_ONE, .doc = "Short text shown beside the evidence."},
};
SECTION(evidence, "an evidence item", "log show ask");

static const struct kt_key fix_keys[] = {
	{"id", KT_V_ID, KT_ONE, .doc = "Causes with the same fix share it. Default: the cause's id."},
	{"text", KT_V_PROSE, KT_ONE, true, .doc = "What to change, with {fact} placeholders."},
};
SECTION(fix, "a fix", NULL);

static const struct kt_key rerun_keys[] = {
	{"verdict", KT_V_WORD, KT_ONE, true, .words = kt_words_rerun,
	 .doc = "May the job simply be run again?"},
	{"reason", KT_V_PROSE, KT_ONE, true, .doc = "Why."},
};
SECTION(rerun, "a rerun verdict", NULL);

static const struct kt_key verify_keys[] = {
	{"text", KT_V_PROSE, KT_ONE, true, .doc = "How to see that it is mended."},
	{"show", KT_V_ID, KT_ONE, .doc = "A check whose predicate is true when it is mended."},
	{"any", KT_V_COND, KT_ONE, .doc = "True in some row of the result."},
	{"all", KT_V_COND, KT_ONE, .doc = "True in every row of the result."},
	{"none", KT_V_COND, KT_ONE, .doc = "True in no row of the result."},
	{"rows", KT_V_ROWS, KT_ONE, .doc = "Number of rows: '== 0'."},
};
SECTION(verify, "a verify step", NULL);

static const struct kt_key cause_keys[] = {
	{"id", KT_V_ID, KT_ONE, true, .doc = "area.name; the area is the shelf it stands on."},
	{"title", KT_V_TEXT, KT_ONE, true, .doc = "What is wrong, in one line."},
	{"prior", KT_V_WORD, KT_ONE, .words = kt_words_prior,
	 .doc = "How often it happens. Default: uncommon."},
	{"carrier", KT_V_BOOL, KT_ONE, .doc = "true: only a wrapper, it yields to the cause inside."},
	{"when", KT_V_COND, KT_ONE, .doc = "Possible only when this is true."},
	{"unless", KT_V_COND, KT_ONE, .doc = "Not possible when this is true."},
	{"versions", KT_V_RANGE, KT_DICT, .names = KT_V_NAME,
	 .doc = "Version ranges: {connector: '>=3.1.0,<5'} is about the fact connector or connectorVersion."},
	{"seed", KT_V_TEXT, KT_LIST, .doc = "Rows of the seed documents that it stands for."},
	{"evidence", KT_V_KEYS, KT_LIST, true, .sub = &evidence_section,
	 .doc = "What speaks for or against it."},
	{"explain", KT_V_PROSE, KT_ONE, true, .doc = "What happens and why, for people."},
	{"fix", KT_V_KEYS, KT_ONE, true, .sub = &fix_section, .doc = "What to do."},
	{"rerun", KT_V_KEYS, KT_ONE, true, .sub = &rerun_section, .doc = "Whether a re-run is safe."},
	{"tradeoff", KT_V_PROSE, KT_ONE,
	 .doc = "What the fix costs, and what to do where that is not acceptable."},
	{"verify", KT_V_KEYS, KT_ONE, true, .sub = &verify_section, .doc = "How to see that it is mended."},
	{"would-confirm", KT_V_PROSE, KT_ONE,
	 .doc = "The one thing that would confirm it, and where to find it."},
	{"look-alikes", KT_V_ID, KT_LIST, .doc = "Causes that look like it."},
	{"twins", KT_V_ID, KT_LIST, .doc = "Causes that no check can tell from it; accepted."},
	{"accept", KT_V_TEXT, KT_DICT, .names = KT_V_ID, .doc = ACCEPT_DOC},
	{"refs", KT_V_TEXT, KT_LIST, true, .doc = "Where this is known from."},
};
SECTION(cause, "a cause", NULL);

/* ---- the other sections ---- */

static const char *const option_scopes[] = {"read", "write", "both", NULL};

static const struct kt_key option_keys[] = {
	{"id", KT_V_ID, KT_ONE, true, .doc = "Name of the option, as the job spells it."},
	{"scope", KT_V_WORD, KT_ONE, true, .words = option_scopes, .doc = "Where it counts."},
	{"default", KT_V_TEXT, KT_ONE, .doc = "Value when it is not set."},
	{"allowed", KT_V_TEXT, KT_ONE, .doc = "Values that are allowed."},
	{"since", KT_V_TEXT, KT_ONE, .doc = "Version that brought or changed it."},
	{"impact", KT_V_TEXT, KT_ONE, .doc = "What it changes."},
	{"mistake", KT_V_TEXT, KT_ONE, .doc = "The usual mistake."},
	{"constant", KT_V_ID, KT_ONE, .doc = "Name of the constant that programs write instead of it."},
	{"argument", KT_V_DIGIT, KT_ONE,
	 .doc = "Its place among the arguments where a job calls the source's own method."},
	{"wrong", KT_V_TEXT, KT_DICT, .names = KT_V_ID,
	 .doc = "Names that are set instead of it and that nothing reads, each with a reason in one line."},
	{"refs", KT_V_TEXT, KT_LIST, .doc = "Where this is known from."},
};
SECTION(option, "an option", NULL);

static const char *const fault_levels[] = {"error", "warning", NULL};

static const struct kt_key option_fault_keys[] = {
	{"id", KT_V_ID, KT_ONE, true, .doc = "Name of the entry."},
	{"when", KT_V_COND, KT_ONE, true,
	 .doc = "Condition over names of options, '' when one is not set. NAME.form is whole, number, "
		"boolean, "
		"object, list or text; chain.operation is read or write, chain.format and chain.mode what "
		"the "
		"job gives there, chain.ended true where it ends in load, save or start."},
	{"text", KT_V_TEXT, KT_ONE, true, .doc = "What is wrong and what to write, with {option} values."},
	{"level", KT_V_WORD, KT_ONE, .words = fault_levels,
	 .doc = "warning: the job may still do what is wanted. Default: error."},
	{"cause", KT_V_ID, KT_ONE, .doc = "The cause that it leads to."},
	{"refs", KT_V_TEXT, KT_LIST, true, .doc = "Where this is known from."},
};
SECTION(option_fault, "an option fault", NULL);

static const struct kt_key collect_keys[] = {
	{"id", KT_V_ID, KT_ONE, true, .doc = "Name of the entry."},
	{"text", KT_V_PROSE, KT_ONE, true, .doc = "What to collect, and how."},
	{"unless", KT_V_COND, KT_ONE, .doc = "Left out when this is true: it is known already."},
	{"show", KT_V_ID, KT_ONE, .doc = "The check that collects it."},
};
SECTION(collect, "a collect entry", NULL);

static const struct kt_key advice_keys[] = {
	{"id", KT_V_ID, KT_ONE, true, .doc = "Name of the entry."},
	{"when", KT_V_COND, KT_ONE, .doc = "Printed when this is true."},
	{"text", KT_V_PROSE, KT_ONE, true, .doc = "The advice."},
	{"show", KT_V_ID, KT_ONE, .doc = "A check that goes with it."},
	{"refs", KT_V_TEXT, KT_LIST, .doc = "Where this is known from."},
};
SECTION(advice, "an advice entry", NULL);

#define SECTIONS                                                                                            \
	{"facts",                                                                                           \
	 KT_V_KEYS,                                                                                         \
	 KT_DICT,                                                                                           \
	 .sub = &fact_section,                                                                              \
	 .names = KT_V_NAME,                                                                                \
	 .doc = "What can be known about an incident."},                                                    \
		{"checks",         KT_V_KEYS,                                                               \
		 KT_DICT,          .sub = &check_section,                                                   \
		 .names = KT_V_ID, .doc = "Acts that collect evidence."},                                   \
		{"causes", KT_V_KEYS, KT_LIST, .sub = &cause_section, .doc = "What can be wrong."},         \
		{"options", KT_V_KEYS, KT_LIST, .sub = &option_section, .doc = "Configuration reference."}, \
		{"option-faults", KT_V_KEYS, KT_LIST, .sub = &option_fault_section,                         \
		 .doc = "What can be wrong with the values of an option list."},                            \
		{"collect", KT_V_KEYS, KT_LIST, .sub = &collect_section,                                    \
		 .doc = "What to collect when nothing is known."},                                          \
		{"advice", KT_V_KEYS, KT_LIST, .sub = &advice_section, .doc = "Closing rules."},

static const struct kt_key pack_keys[] = {
	{"pack", KT_V_ID, KT_ONE, true, .doc = "Id of the pack."},
	{"version", KT_V_TEXT, KT_ONE, true, .doc = "Version of the pack."},
	{"requires", KT_V_RANGE, KT_ONE, .doc = "Version of the program that it needs: '>=1.0'."},
	{"title", KT_V_TEXT, KT_ONE, true, .doc = "What it is about."},
	{"fatal", KT_V_REGEX, KT_LIST, .doc = "What makes a record fatal."},
	{"noise", KT_V_REGEX, KT_LIST, .doc = "What looks fatal and is not."},
	{"foreign-frames", KT_V_TEXT, KT_LIST,
	 .doc = "Prefixes of stack frames that do not name a fault's place."},
	{"option-sources", KT_V_TEXT, KT_LIST,
	 .doc = "What a job gives to format() so that these options are read, or how such a name begins; "
		"also the "
		"name of a method that reads or writes."},
	{"foreign-options", KT_V_TEXT, KT_LIST,
	 .doc = "Options that others read, too: never told as unknown, no sign of a list of this source."},
	SECTIONS};
const struct kt_keys kt_keys_pack = {"pack", "pack.yaml", NULL, pack_keys, KT_LEN(pack_keys)};

static const struct kt_key file_keys[] = {SECTIONS};
const struct kt_keys kt_keys_file = {"file", "a rule file", NULL, file_keys, KT_LEN(file_keys)};

/* ---- cases ---- */

static const struct kt_key expect_keys[] = {
	{"kind", KT_V_WORD, KT_ONE, true, .words = kt_words_case_kind, .doc = "What the case shows."},
	{"provenance", KT_V_WORD, KT_ONE, true, .words = kt_words_provenance,
	 .doc = "How real the input is."},
	{"source", KT_V_TEXT, KT_ONE, true, .doc = "Where the text comes from."},
	{"first", KT_V_ID, KT_ONE, .doc = "The cause that must lead."},
	{"verdict", KT_V_WORD, KT_ONE_OR_LIST, .words = kt_words_verdict,
	 .doc = "The verdict, or several that will do."},
	{"never", KT_V_ID, KT_LIST, .doc = "Causes that must not be the answer."},
};
const struct kt_keys kt_keys_expect = {"expect", "expect.yaml", NULL, expect_keys, KT_LEN(expect_keys)};
