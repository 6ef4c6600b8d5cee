/* Labelled reports: what is counted, what is wrong with labels, what moved. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "author/author.h"
#include "fixture.h"

#define LABELS "reports/labels.tsv"

/* Three reports: one of a known cause, one that nobody knows, one whose logs and answers decide. */
static void make(void)
{
	fixture_make();
	fixture_shell("cd %s && mkdir -p reports/dev/full reports/dev/novel reports/dev/asked/inputs && "
		      "cp cases/demo.queue-full/fires/input.txt reports/dev/full/ && "
		      "echo 26/10/15 03:14:09 ERROR DemoSink: disk is gone > reports/dev/novel/input.txt && "
		      "echo 26/10/15 03:14:09 INFO DemoSink: starts > reports/dev/asked/input.txt && "
		      "echo 26/10/15 03:14:09 ERROR DemoSink: queue is full, orders waits > "
		      "reports/dev/asked/inputs/a.log",
		      fixture_folder);
	fixture_edit(LABELS, "",
		     "case\tsplit\tfidelity\texpected\toutcome\tmust_not\n"
		     "full\tdev\tmachine-text\tdemo.queue-full\tdiagnose\tdemo.rejected\n"
		     "novel\tdev\tmachine-text\t-\tunknown\tdemo.rejected\n"
		     "asked\tdev\treworded\tdemo.queue-full\tdiagnose\t-\n");
}

TestSuite(eval, .init = make, .fini = fixture_clean);

struct run {
	struct kt_buf out, notes;
	struct kt_err err;
	int rc;
};

static struct run run(bool json, const char *against)
{
	struct run r = {.out = KT_BUF(1 << 20), .notes = KT_BUF(1 << 20)};
	char tree[256], before[256];

	snprintf(tree, sizeof tree, "%s/reports", fixture_folder);
	snprintf(before, sizeof before, "%s/%s", fixture_folder, against ? against : "");
	struct kt_author_opts o = {.dir = fixture_folder,
				   .tree = tree,
				   .against = against ? before : NULL,
				   .json = json,
				   .notes = &r.notes};
	r.rc = kt_author_eval(&o, &r.out, &r.err);
	return r;
}

static void done(struct run *r)
{
	kt_buf_free(&r->out);
	kt_buf_free(&r->notes);
}

static void holds(const struct kt_buf *b, const char *want)
{
	cr_assert(kt_str_find(kt_buf_view(b), kt_str_c(want), 0) != KT_NPOS, "not said: %s\n%s", want,
		  kt_buf_c(b));
}

Test(eval, each_phase_is_counted)
{
	struct run r = run(true, NULL);

	cr_assert(r.rc == 0, "%s", r.err.text);
	cr_assert(r.notes.len == 0, "%s", kt_buf_c(&r.notes));
	holds(&r.out, "\"error\":{\"cases\":3,\"right_first\":1,");
	holds(&r.out, "\"logs\":{\"cases\":3,\"right_first\":2,");
	holds(&r.out, "\"novel\":1,\"novel_named\":1,");
	holds(&r.out, "\"wrong\":0,\"harmful\":0,");
	done(&r);
}

Test(eval, the_text_says_the_same_and_the_bound)
{
	struct run r = run(false, NULL);

	holds(&r.out, "3 cases\n");
	holds(&r.out, "confident and wrong: 0 of 3\n"); /* the bound would be all of them */
	done(&r);
}

Test(eval, answers_are_given_and_counted)
{
	fixture_edit("reports/answers.tsv", "",
		     "case\tfact\tvalue\nasked\tmode\tQueued\nasked\tsinkVersion\t1.3\n");
	struct run r = run(true, NULL);

	cr_assert(r.rc == 0, "%s", r.err.text);
	holds(&r.out, "\"case\":\"asked\"");
	struct kt_str out = kt_buf_view(&r.out);
	struct kt_str asked = kt_str_from(out, kt_str_find(out, KT_S("\"case\":\"asked\""), 0));
	struct kt_str last = kt_str_from(asked, kt_str_find(asked, KT_S("\"answers\":{"), 0));
	cr_assert(kt_str_starts(last, KT_S("\"answers\":{\"verdict\":\"likely\"")) ||
		  kt_str_starts(last, KT_S("\"answers\":{\"verdict\":\"confirmed\"")));
	done(&r);
}

Test(eval, who_is_confident_and_wrong_fails)
{
	fixture_edit(LABELS, "demo.queue-full\tdiagnose\tdemo.rejected",
		     "demo.rejected\tdiagnose\tdemo.queue-full");
	struct run r = run(false, NULL);

	cr_assert(r.rc < 0 && r.err.cls == KT_ERR_RULES);
	cr_assert_str_eq(r.err.text, "1 case is confident and wrong");
	holds(&r.out, "demo.rejected");
	holds(&r.out, "1, 1 with confidence\n");
	done(&r);
}

Test(eval, what_is_wrong_with_labels_is_named_and_left_out)
{
	fixture_shell("mkdir -p %s/reports/dev/nobody && touch %s/reports/dev/nobody/input.txt",
		      fixture_folder, fixture_folder);
	fixture_edit(LABELS, "novel\tdev\tmachine-text\t-\tunknown\tdemo.rejected\n",
		     "novel\tdev\tmachine-text\tdemo.rejectd\tunknown\t-\n"
		     "absent\tdev\tx\tdemo.rejected\tdiagnose\t-\n"
		     "full\tdev\tx\tdemo.rejected\tdiagnose\t-\n"
		     "../dev\tdev\tx\tdemo.rejected\tdiagnose\t-\n"
		     "odd\tdev\tx\t-\tdiagnos\t-\n");
	struct run r = run(false, NULL);

	cr_assert(r.rc < 0 && r.err.cls == KT_ERR_RULES, "%s", r.err.text);
	holds(&r.out, "2 cases\n");
	holds(&r.notes, "labels.tsv:3:1: error: case novel: no pack has a cause \"demo.rejectd\"; "
			"did you mean \"demo.rejected\"?");
	holds(&r.notes, "labels.tsv:4:1: error: case absent has no folder");
	holds(&r.notes, "labels.tsv:5:1: error: case full has two lines");
	holds(&r.notes, "labels.tsv:6:1: error: a case is the name of one folder");
	holds(&r.notes, "unknown outcome \"diagnos\"; did you mean \"diagnose\"?");
	holds(&r.notes, "no line for the case in ");
	done(&r);
}

Test(eval, what_would_be_waited_for_is_not_read)
{
	fixture_shell(
		"cd %s/reports/dev && rm novel/input.txt && mkfifo novel/input.txt && rm -r asked/inputs && "
		"touch asked/inputs",
		fixture_folder);
	struct run r = run(false, NULL);

	cr_assert(r.rc < 0);
	cr_assert_str_eq(r.err.text, "2 faults in the reports; what cannot be used was left out");
	holds(&r.out, "1 case\n");
	holds(&r.notes, "error: case novel: ");
	holds(&r.notes, "novel/input.txt is no file and no folder\n");
	holds(&r.notes, "error: case asked: ");
	done(&r);
}

Test(eval, a_name_with_a_zero_in_it_is_none)
{
	fixture_shell("cd %s && printf 'full\\0x\\tdev\\tx\\tdemo.rejected\\tdiagnose\\t-\\n' >> " LABELS,
		      fixture_folder);
	struct run r = run(false, NULL);

	cr_assert(r.rc < 0);
	holds(&r.notes, "labels.tsv:5:1: error: a case is the name of one folder");
	done(&r);
}

Test(eval, tables_without_their_columns_are_refused)
{
	fixture_edit(LABELS, "case\tsplit", "name\tsplit");
	fixture_edit("reports/answers.tsv", "", "case\tfact\nfull\tmode\n");
	struct run r = run(false, NULL);

	cr_assert(r.rc < 0);
	holds(&r.notes, "labels.tsv:1:1: error: no column \"case\"");
	holds(&r.notes, "answers.tsv:1:1: error: no column \"value\"");
	done(&r);
	fixture_edit(LABELS, "", "");
	r = run(false, NULL);
	cr_assert(r.rc < 0 && r.err.cls == KT_ERR_INPUT, "%s", r.err.text);
	done(&r);
}

Test(eval, answers_to_unknown_facts_and_cases_are_named)
{
	fixture_edit("reports/answers.tsv", "", "case\tfact\tvalue\nfull\tmod\tx\nnone\tmode\tQueued\n");
	struct run r = run(false, NULL);

	cr_assert(r.rc < 0);
	holds(&r.notes, "answers.tsv:2:1: error: no pack has a fact \"mod\"");
	holds(&r.notes, "answers.tsv:3:1: error: there is no case none");
	done(&r);
}

Test(eval, what_a_change_of_the_rules_moved_is_shown)
{
	struct run r = run(true, NULL);

	fixture_edit("before.json", "", kt_buf_c(&r.out));
	done(&r);
	r = run(false, "before.json");
	holds(&r.out, "moved: 0 of 3 cases\n");
	done(&r);
	fixture_edit("packs/demo/pack.yaml", "queue is full, (?<table>\\w+) waits', weight: strong",
		     "queue is full, (?<table>\\w+) waits', weight: hints");
	r = run(false, "before.json");
	holds(&r.out, "moved: 2 of 3 cases\n");
	holds(&r.out, "  full: likely demo.queue-full -> not_known - (not right)\n");
	done(&r);
	fixture_edit("before.json", "", "{\"schema\": \"other\"}");
	r = run(false, "before.json");
	cr_assert(r.rc < 0 && r.err.cls == KT_ERR_INPUT);
	done(&r);
}
