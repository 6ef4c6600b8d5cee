/* Case folders through a session: what passes, and what is said of what fails. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "author/author.h"
#include "fixture.h"

/* Runs the cases that begin with ONLY; WANT must be in what it says. */
static int says(const char *only, const char *want)
{
	struct kt_author_opts o = {.dir = fixture_folder, .only = kt_str_c(only)};
	struct kt_buf out = KT_BUF(1 << 20);
	struct kt_err err = {0};
	int rc = kt_author_test(&o, &out, &err);

	cr_assert(kt_str_find(kt_buf_view(&out), kt_str_c(want), 0) != KT_NPOS, "not said: %s\n%s%s", want,
		  kt_buf_c(&out), err.text);
	cr_assert((rc < 0) == (err.cls != KT_ERR_NONE));
	kt_buf_free(&out);
	return rc;
}

#define FIRES "cases/demo.queue-full/fires/"

TestSuite(test, .init = fixture_make, .fini = fixture_clean);

Test(test, all_cases_of_a_good_base_pass)
{
	cr_assert(says("", "6 passed, 0 failed\n") == 0);
	cr_assert(says("demo.rejected", "3 passed, 0 failed\n") == 0);
	cr_assert(says("demo.rejected/fires", "1 passed, 0 failed\n") == 0);
	cr_assert(says("nothing", "0 passed, 0 failed\n") < 0);
}

Test(test, another_verdict_fails)
{
	fixture_edit(FIRES "expect.yaml", "verdict: [likely, confirmed]", "verdict: healthy");
	cr_assert(says("demo.queue-full/fires", "  verdict likely instead of healthy\n") < 0);
	cr_assert(says("", "5 passed, 1 failed\n") < 0);
}

Test(test, another_lead_fails)
{
	fixture_edit(FIRES "expect.yaml", "first: demo.queue-full", "first: demo.rejected");
	cr_assert(says("demo.queue-full/fires", "  demo.queue-full leads instead of demo.rejected\n") < 0);
}

Test(test, without_a_verdict_a_case_that_fires_must_have_an_answer)
{
	fixture_edit(FIRES "expect.yaml", "verdict: [likely, confirmed]\n", "");
	cr_assert(says("demo.queue-full/fires", "1 passed") == 0);
	fixture_edit(FIRES "input.txt", "queue is full, orders waits", "queue is fuller");
	cr_assert(says("demo.queue-full/fires", "  nothing leads instead of demo.queue-full\n") < 0);
}

Test(test, a_quiet_case_must_not_be_its_own_cause)
{
	fixture_edit("cases/demo.queue-full/quiet/input.txt", "queue is half full",
		     "queue is full, orders waits");
	cr_assert(says("demo.queue-full/quiet", "  demo.queue-full is the answer and should be quiet\n") < 0);
}

Test(test, never_means_never)
{
	fixture_edit(FIRES "expect.yaml", "verdict:", "never: [demo.rejected, demo.queue-full]\nverdict:");
	cr_assert(says("demo.queue-full/fires", "  demo.queue-full is the answer and must never be\n") < 0);
}

Test(test, answers_count_and_an_excluded_cause_is_named)
{
	fixture_edit(FIRES "answers.yaml", "1.3.0", "1.0.0");
	cr_assert(
		says("demo.queue-full/fires",
		     "    demo.queue-full is excluded by its gate: mode == Queued and sinkVersion >= 1.2\n") <
		0);
}

Test(test, wrong_answers_are_told)
{
	fixture_edit(FIRES "answers.yaml", "", "mode: Sideways\n");
	cr_assert(says("demo.queue-full/fires", "Sideways") < 0);
}

Test(test, a_case_that_cannot_be_read_fails)
{
	fixture_edit(FIRES "expect.yaml", "kind: fires", "kind: fire");
	cr_assert(says("demo.queue-full/fires", "0 passed, 1 failed\n") < 0);
}

Test(test, rules_that_do_not_load_are_an_error)
{
	fixture_edit("packs/demo/pack.yaml", "weight: strong", "weight: stronk");
	cr_assert(says("", "did you mean \"strong\"?\n") < 0);
}
