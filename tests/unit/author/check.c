/* Each proof of kt_author_check: a base in which all holds, changed in one place. */
#include <criterion/criterion.h>

#include "author/author.h"
#include "fixture.h"

/* Runs the check; WANT must be in what it says, and ERRORS the sum. */
static void says(const char *want, const char *sum)
{
	struct kt_author_opts o = {.dir = fixture_folder};
	struct kt_buf out = KT_BUF(1 << 20);
	struct kt_err err = {0};
	int rc = kt_author_check(&o, &out, &err);
	bool wrong = kt_str_find(kt_buf_view(&out), KT_S("error: "), 0) != KT_NPOS;

	cr_assert(kt_str_find(kt_buf_view(&out), kt_str_c(want), 0) != KT_NPOS, "not said: %s\n%s", want,
		  kt_buf_c(&out));
	cr_assert(kt_str_ends(kt_buf_view(&out), kt_str_c(sum)), "%s\n%s", sum, kt_buf_c(&out));
	cr_assert((rc < 0) == wrong && (err.cls == KT_ERR_RULES) == wrong);
	kt_buf_free(&out);
}

#define PACK "packs/demo/pack.yaml"
#define ONE  ": 1 error, 0 warnings\n"

TestSuite(check, .init = fixture_make, .fini = fixture_clean);

Test(check, a_good_base_has_no_fault)
{
	says("2 causes, 3 facts, 2 checks, 5 patterns, 6 cases: 0 errors, 0 warnings\n", "");
}

Test(check, rules_that_do_not_load_are_told_with_place)
{
	fixture_edit(PACK, "weight: strong", "weight: stronk");
	says("pack.yaml:47:71: error: \"stronk\" is no value of \"weight\"; did you mean \"strong\"?\n",
	     "1 error, 0 warnings\n");
}

Test(check, a_cause_needs_a_specific_item)
{
	fixture_edit(PACK, "weight: strong", "weight: hints");
	says("pack.yaml:47:7: error: demo.queue-full has no specific item", ONE);
	fixture_edit(PACK, "title: The queue is full", "title: The queue is full\n    carrier: true");
	says("", ": 0 errors, 0 warnings\n");
}

Test(check, a_gate_can_be_true)
{
	fixture_edit(PACK, "when: mode == Queued", "when: mode == Queued and not mode in [Queued, Direct]");
	says("pack.yaml:44:11: error: the gate of this cause can never be true", ONE);
}

Test(check, versions_can_be_true)
{
	fixture_edit(PACK, "'>=1.2'", "'>=1.2,<1.2.0'");
	says("the gate of this cause can never be true", ONE);
	fixture_edit(PACK, "'>=1.2,<1.2.0'", "'>1.2,<1.2.1'");
	says("", ": 0 errors, 0 warnings\n");
}

Test(check, every_fact_is_asked_or_learned)
{
	fixture_edit(PACK, "    ask: Which version of the sink?\n    why: Older ones lose batches.\n", "");
	says("pack.yaml:24:3: error: fact sinkVersion is neither asked nor learned", ONE);
}

Test(check, a_question_says_why)
{
	fixture_edit(PACK, "    why: Older ones lose batches.\n", "");
	says("fact sinkVersion is asked without a why:", ONE);
}

Test(check, what_nothing_uses_is_a_warning)
{
	fixture_edit(PACK, "    versions: {sink: '>=1.2'}\n", "");
	fixture_edit(PACK, "show: failures, rows: '== 0'", "");
	fixture_edit(PACK,
		     "show: failures, any: ErrorCode == 'BadBatch', weight: strong, absent: argues-against",
		     "ask: mode == Direct, weight: strong");
	fixture_edit(PACK, "{text: No failures., }", "{text: No failures.}");
	says("warning: nothing uses check failures", ": 0 errors, 2 warnings\n");
	says("warning: nothing uses fact sinkVersion", ": 0 errors, 2 warnings\n");
}

Test(check, a_pattern_holds_a_literal_of_seven_bytes)
{
	fixture_edit(PACK, "'exception ignored\\.'", "'ignoredx?|abcdefgh'");
	says("", ": 0 errors, 0 warnings\n");
	fixture_edit(PACK, "'ignoredx?|abcdefgh'", "'ignore|abcdefgh'");
	says("pack.yaml:6:9: error: the fixed text in a match of this regex may be as short as 6 bytes; 7 "
	     "are needed",
	     ONE);
	fixture_edit(PACK, "'ignore|abcdefgh'", "'\\d+\\w+'");
	says("pack.yaml:6:9: error: no fixed text stands in every match of this regex: it is tried on every "
	     "record",
	     ONE);
}

Test(check, a_text_that_stands_everywhere_is_a_warning)
{
	fixture_edit(PACK, "'exception ignored\\.'", "'org\\.apache\\.\\w+\\.x'");
	says("pack.yaml:6:9: warning: the fixed text \"org.apache.\" stands about ",
	     ": 0 errors, 1 warning\n");
	fixture_edit(PACK, "'org\\.apache\\.\\w+\\.x'", "'org\\.apache\\.\\w+\\.x|exception ignored'");
	says("pack.yaml:6:9: warning: the fixed texts, most of all \"org.apache.\" stand about ",
	     ": 0 errors, 1 warning\n");
	fixture_edit(PACK, "'org\\.apache\\.\\w+\\.x|exception ignored'", "'org\\.apache\\.\\w+\\.zyzzyva'");
	says("", ": 0 errors, 0 warnings\n");
}

Test(check, a_frequent_text_with_something_rare_beside_it_is_none)
{
	fixture_edit(PACK, "'exception ignored\\.'", "'Starting task (?:[\\s\\S]{0,9}|\\d+q)'");
	says("warning: the fixed text \"Starting task \" stands about ", ": 0 errors, 1 warning\n");
	fixture_edit(PACK, "(?:[\\s\\S]{0,9}|\\d+q)", "\\d+\\.[1-9].*x");
	says("", ": 0 errors, 0 warnings\n");
}

Test(check, pieces_that_stand_everywhere_are_a_warning)
{
	fixture_edit(PACK, "'exception ignored\\.'", "'(?:1|2|3|4|5|6|7|8|9|[a-m]) in stage \\d+x'");
	says("warning: pieces of the fixed texts, most of all \"", ": 0 errors, 1 warning\n");
}

Test(check, no_unbounded_repeat_in_another)
{
	fixture_edit(PACK, "'exception ignored\\.'", "'exception ignored(?:a+b?)+\\.'");
	says("pack.yaml:6:9: error: an unbounded repeat inside an unbounded repeat", ONE);
}

Test(check, a_regex_is_one_that_the_matcher_takes)
{
	fixture_edit(PACK, "'exception ignored\\.'", "'exception (ignored\\.'");
	says("pack.yaml:6:", "1 error, 0 warnings\n");
}

Test(check, a_command_passes_the_guard)
{
	fixture_edit(PACK, ".show ingestion failures", ".drop table x");
	says("pack.yaml:33:7: error: '.drop table x' is refused", "1 error, 0 warnings\n");
}

Test(check, columns_are_those_of_the_command)
{
	fixture_edit(PACK, "columns: [FailedOn, ErrorCode]", "columns: [FailedOn, ErrorCode, Principal]");
	says("pack.yaml:36:36: error: the result has no column \"Principal\"", "1 error, 0 warnings\n");
}

Test(check, a_command_uses_columns_of_its_input)
{
	fixture_edit(PACK, "project FailedOn, ErrorCode", "project FailedOn, ErrorCode = ErorCode");
	says("pack.yaml:35:39: error: the command uses a column \"ErorCode\"", "1 error, 0 warnings\n");
}

Test(check, look_alikes_that_one_text_evokes_can_be_told_apart)
{
	fixture_edit(PACK, "    when: mode == Queued\n    versions: {sink: '>=1.2'}\n", "");
	fixture_edit(PACK,
		     "      - {log: 'DemoSink: queue is full, (?<table>\\w+) waits', weight: strong}\n"
		     "      - {log: 'DemoSink: batch refused', weight: suggests}",
		     "      - {log: 'DemoSink: batch refused', weight: strong}");
	fixture_edit(PACK,
		     "      - {show: failures, any: ErrorCode == 'BadBatch', weight: strong, absent: "
		     "argues-against}",
		     "      - {ask: sinkVersion < 2, weight: hints}\n      - {ask: table == x, weight: "
		     "hints-against}");
	says("error: no check tells demo.rejected from demo.queue-full (both are evoked by 'DemoSink: batch "
	     "refused')",
	     ONE);
	fixture_edit(PACK, "    look-alikes: [demo.queue-full]", "    twins: [demo.queue-full]");
	says("", ": 0 errors, 0 warnings\n");
}

Test(check, no_cause_is_dominated)
{
	fixture_edit(PACK, "    when: mode == Queued\n    versions: {sink: '>=1.2'}\n",
		     "    when: sinkVersion > 1\n");
	fixture_edit(PACK, "weight: strong, absent: argues-against}",
		     "weight: strong}\n      - {log: 'DemoSink: queue is full, (?<table>\\w+) waits', "
		     "weight: proves}");
	says("pack.yaml:42:9: error: demo.queue-full can never win: all that speaks for it speaks for "
	     "demo.rejected as well",
	     ONE);
}

Test(check, a_misspelt_look_alike_is_found_and_a_foreign_one_is_fine)
{
	fixture_edit(PACK, "look-alikes: [demo.queue-full]",
		     "look-alikes: [demo.queue-ful, other.pack, demo.queue-full]");
	says("error: unknown cause \"demo.queue-ful\"; did you mean \"demo.queue-full\"?", ONE);
}

/* ---- cases ---- */

static void remove_case(const char *name)
{
	fixture_shell("rm -rf %s/cases/%s", fixture_folder, name);
}

Test(check, each_kind_of_case_is_there)
{
	remove_case("demo.queue-full/fires");
	says("error: demo.queue-full has no case that fires", ONE);
	remove_case("demo.queue-full/look-alike");
	says("error: demo.queue-full has no case of a look-alike", ": 2 errors, 0 warnings\n");
	remove_case("demo.queue-full/quiet");
	says("error: demo.queue-full has no quiet case", ": 3 errors, 0 warnings\n");
}

Test(check, not_all_cases_are_constructed)
{
	fixture_edit("cases/demo.rejected/fires/expect.yaml", "recorded", "constructed");
	fixture_edit("cases/demo.rejected/look-alike/expect.yaml", "source-template", "constructed");
	fixture_edit("cases/demo.rejected/fires/input.txt", "",
		     "26/10/15 03:14:08 INFO Demo: one of many others\n"
		     "26/10/15 03:14:08 INFO Demo: one of many other records\n26/10/15 03:14:09 ERROR "
		     "DemoSink: batch refused\n");
	says("error: all cases of demo.rejected are constructed", ONE);
}

Test(check, an_input_holds_more_than_the_pattern)
{
	fixture_edit("cases/demo.queue-full/fires/input.txt", "", "DemoSink: queue is full, orders waits\n");
	says("fires/expect.yaml:1:1: error: the input holds hardly more than the patterns of the cause spell",
	     ONE);
}

Test(check, expectations_are_read_with_places)
{
	fixture_edit("cases/demo.queue-full/fires/expect.yaml", "kind: fires", "kind: fire");
	says("fires/expect.yaml:1:7: error: \"fire\" is no value of \"kind\"; did you mean \"fires\"?", ONE);
	fixture_edit("cases/demo.queue-full/fires/expect.yaml", "verdict: [likely, confirmed]",
		     "verdict: [likly, confirmed]");
	says("fires/expect.yaml:5:11: error: \"likly\" is no value of \"verdict\"; did you mean \"likely\"?",
	     ": 2 errors, 0 warnings\n");
}

Test(check, first_fits_the_kind)
{
	fixture_edit("cases/demo.queue-full/fires/expect.yaml", "first: demo.queue-full",
		     "first: demo.rejected");
	says("error: a case that fires has first: demo.queue-full", ONE);
	fixture_edit("cases/demo.queue-full/fires/expect.yaml", "first: demo.rejected",
		     "first: demo.queue-fulll");
	says("error: unknown cause \"demo.queue-fulll\"", ONE);
	fixture_edit("cases/demo.queue-full/fires/expect.yaml", "first: demo.queue-fulll",
		     "first: demo.queue-full");
	fixture_edit("cases/demo.rejected/look-alike/expect.yaml", "first: demo.queue-full\n", "");
	says("error: a look-alike has first: another cause", ONE);
}

Test(check, answers_are_about_facts)
{
	fixture_edit("cases/demo.queue-full/fires/answers.yaml", "", "sinkVersoin: 1.3.0\n");
	says("answers.yaml:1:14: error: unknown fact \"sinkVersoin\"", ONE);
}

Test(check, a_folder_of_cases_is_named_like_its_cause)
{
	fixture_shell("mv %s/cases/demo.rejected %s/cases/demo.reject", fixture_folder, fixture_folder);
	says("error: unknown cause \"demo.reject\"", ": 4 errors, 0 warnings\n");
}

Test(check, a_case_holds_something_to_diagnose)
{
	fixture_shell("rm %s/cases/demo.rejected/fires/input.txt", fixture_folder);
	says("expect.yaml: error: nothing to diagnose", ONE);
}

Test(check, nothing_to_read_is_an_error_of_input)
{
	struct kt_author_opts o = {.dir = "/no/such/folder"};
	struct kt_buf out = KT_BUF(1 << 20);
	struct kt_err err = {0};

	cr_assert(kt_author_check(&o, &out, &err) < 0 && err.cls == KT_ERR_INPUT);
	kt_buf_free(&out);
}

Test(check, a_question_must_be_askable_while_its_causes_are_possible)
{
	fixture_edit(PACK, "    ask: Which version of the sink?",
		     "    when: mode == Direct\n    ask: Which version of the sink?");
	says("whenever sinkVersion may be asked, all causes that it tells of are excluded "
	     "[unreachable-question]",
	     ONE);
}

Test(check, an_item_must_be_collectable_while_the_gate_holds)
{
	fixture_edit(PACK, "      - {log: 'DemoSink: batch refused', weight: suggests}",
		     "      - {log: 'DemoSink: batch refused', weight: suggests}\n"
		     "      - {ask: late == true, weight: suggests}");
	fixture_edit(PACK, "  table:\n",
		     "  late:\n    type: bool\n    when: mode == Direct\n    ask: Was it late?\n"
		     "    why: It may be.\n  table:\n");
	says("whenever late may be asked, the gate of this cause is false [unreachable-item]",
	     ": 2 errors, 0 warnings\n"); /* the question itself, too */
}

Test(check, what_is_accepted_with_a_reason_is_not_told)
{
	fixture_edit(PACK, "weight: strong}", "weight: suggests}");
	says("demo.queue-full has no specific item: none weighs strong or proves [no-specific-item]", "");
	fixture_edit(PACK, "    title: The queue is full\n",
		     "    title: The queue is full\n    accept: {no-specific-item: a test}\n");
	struct kt_author_opts o = {.dir = fixture_folder};
	struct kt_buf out = KT_BUF(1 << 20);
	struct kt_err err = {0};
	cr_assert(kt_author_check(&o, &out, &err) == 0 || err.cls == KT_ERR_RULES);
	cr_assert(kt_str_find(kt_buf_view(&out), KT_S("[no-specific-item]"), 0) == KT_NPOS, "%s",
		  kt_buf_c(&out));
	kt_buf_free(&out);
}

Test(check, exceptions_that_accept_nothing_are_named)
{
	fixture_edit(PACK, "    title: The queue is full\n",
		     "    title: The queue is full\n    accept: {no-specific-item: a test}\n");
	says("info: no-specific-item finds nothing here [idle-exception]",
	     ": 0 errors, 0 warnings, 1 to know\n");
	fixture_edit(PACK, "no-specific-item: a test", "no-specifc-item: a test");
	says("error: no check \"no-specifc-item\"; did you mean \"no-specific-item\"? [unknown-check]", ONE);
}

/* Two patterns, one text: only a case shows that they meet. */
Test(check, look_alikes_that_a_case_evokes_together_can_be_told_apart)
{
	fixture_edit(PACK,
		     "      - {show: failures, any: ErrorCode == 'BadBatch', weight: strong, absent: "
		     "argues-against}\n",
		     "");
	fixture_edit(PACK, "    when: mode == Queued\n    versions: {sink: '>=1.2'}\n", "");
	fixture_edit(PACK, "{log: 'DemoSink: batch refused', weight: suggests}",
		     "{log: 'DemoSink: batch (?:refused|denied)', weight: suggests}");
	fixture_edit(PACK, "      - {log: 'DemoSink: queue is full, (?<table>\\w+) waits', weight: strong}\n",
		     "      - {log: 'DemoSink: batch refuse', weight: strong}\n");
	says("once both are evoked, as by ", "");
}

Test(check, a_check_is_explained_and_a_slip_named)
{
	struct kt_buf out = KT_BUF(1 << 16);
	struct kt_err err = {0};

	cr_assert(kt_author_explain(KT_S("dominated"), &out, &err) == 0);
	cr_assert(kt_str_starts(kt_buf_view(&out), KT_S("dominated (error)\n")));
	kt_buf_clear(&out);
	cr_assert(kt_author_explain(KT_S("all"), &out, &err) == 0);
	cr_assert(kt_str_find(kt_buf_view(&out), KT_S("idle-exception        info "), 0) != KT_NPOS);
	cr_assert(kt_author_explain(KT_S("dominatd"), &out, &err) < 0 && err.cls == KT_ERR_USAGE);
	cr_assert_str_eq(err.text, "no check 'dominatd'; did you mean 'dominated'?");
	kt_buf_free(&out);
}

/* ---- options ---- */

static void add_fault(const char *when, const char *text, const char *cause)
{
	struct kt_buf b = KT_BUF(1 << 12);

	kt_buf_fmt(&b,
		   "options:\n  - {id: sinkMode, scope: write, constant: SINK_MODE}\noption-faults:\n"
		   "  - id: mode\n    when: %s\n    text: '%s'\n    cause: %s\n    refs: [x]\n",
		   when, text, cause);
	fixture_edit("packs/demo/options.yaml", "", kt_buf_c(&b));
	kt_buf_free(&b);
}

Test(check, an_option_fault_can_be_told)
{
	add_fault("sinkMode != '' and not sinkMode in [Fast, Slow]", "mode {sinkMode}", "demo.rejected");
	says("", ": 0 errors, 0 warnings\n");
	add_fault("sinkMode contains ab and sinkMode contains cd and chain.ended == true", "x",
		  "demo.rejected");
	says("", ": 0 errors, 0 warnings\n");
	add_fault("sinkMode >= 2048 and sinkMode.form == whole", "{a, b}", "demo.rejected");
	says("options.yaml:6:11: error: no option \"a, b\" [unknown-option]", ONE);
	add_fault("sinkMode == Fast and sinkMode startswith S", "x", "demo.rejected");
	says("options.yaml:5:11: error: this condition can never be true [impossible-condition]", ONE);
}

Test(check, an_option_fault_is_about_options_and_a_cause_that_there_are)
{
	add_fault("sinkMod == Fast", "x", "demo.rejected");
	says("options.yaml:5:11: error: no option \"sinkMod\"; did you mean \"sinkMode\"? [unknown-option]",
	     ONE);
	add_fault("sinkMode.size == 1", "x", "demo.rejected");
	says("no option \"sinkMode.size\"", ONE);
	add_fault("sinkMode == Fast", "mode {sinkMod}", "demo.rejected");
	says("options.yaml:6:11: error: no option \"sinkMod\"; did you mean", ONE);
	add_fault("sinkMode == Fast", "x", "demo.reject");
	says("options.yaml:7:12: error: unknown cause \"demo.reject\" [unknown-cause]", ONE);
}

Test(check, an_option_fault_is_not_told_of_a_list_without_options)
{
	add_fault("not sinkMode in [Fast, Slow]", "x", "demo.rejected");
	says("options.yaml:5:11: error: this is true when no option is set [fault-of-nothing]", ONE);
}
