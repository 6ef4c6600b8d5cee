/* Every folder of tests/data/broken-rules: a pack.yaml and what is said about it, byte
 * for byte. `KT_UPDATE=1` in the environment writes the files anew: read the diff. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"

#define ROOT KT_TEST_DATA "/broken-rules"

static void say(struct kt_str input, struct kt_buf *out)
{
	struct kt_diags diags = {0};
	struct kt_rules *rules = fixture_load(input, &diags);

	kt_diags_format(&diags, out);
	cr_assert((rules == NULL) == (diags.n_errors > 0),
		  "no rules are given without an error that says why");
	kt_rules_free(rules);
	kt_diags_free(&diags);
}

static void check_folder(const char *name)
{
	struct kt_buf input = KT_BUF(1 << 20), want = KT_BUF(1 << 20), got = KT_BUF(1 << 20);
	struct kt_buf path = KT_BUF(4096);
	struct kt_err err = {0};

	kt_buf_fmt(&path, ROOT "/%s/input.yaml", name);
	cr_assert(kt_file_read(kt_buf_c(&path), &input, &err) == 0, "%s", err.text);
	say(kt_buf_view(&input), &got);
	kt_buf_clear(&path);
	kt_buf_fmt(&path, ROOT "/%s/error", name);
	if (getenv("KT_UPDATE"))
		cr_assert(kt_file_replace(kt_buf_c(&path), kt_buf_view(&got), &err) == 0, "%s", err.text);
	cr_assert(kt_file_read(kt_buf_c(&path), &want, &err) == 0, "%s", err.text);
	cr_expect_str_eq(kt_buf_c(&got), kt_buf_c(&want), "%s", name);
	kt_buf_free(&input);
	kt_buf_free(&want);
	kt_buf_free(&got);
	kt_buf_free(&path);
}

Test(broken, each_says_what_its_folder_holds)
{
	DIR *dir = opendir(ROOT);
	const struct dirent *e;
	int n = 0;

	cr_assert(dir);
	while ((e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		check_folder(e->d_name);
		n++;
	}
	closedir(dir);
	cr_assert(n >= 60, "only %d folders", n);
}

Test(broken, the_valid_one_says_nothing)
{
	struct kt_buf text, out = KT_BUF(4096);

	say(fixture_valid(&text), &out);
	cr_assert_str_eq(kt_buf_c(&out), "");
	kt_buf_free(&text);
}

/* Each part of a message is worth nothing if the caret points elsewhere. */
Test(broken, caret_stands_below_the_column)
{
	struct kt_diags d = {0};
	struct kt_rules *rules = fixture_load(
		KT_S("pack: x\nversion: 1\ntitle: \xc3\xa4\xc3\xb6\nfatal: [a]\n"), &d);

	cr_assert(!rules && d.n == 1);
	cr_assert(d.at[0].line == 4 && d.at[0].col == 9 && d.at[0].caret == 8);
	kt_diags_free(&d);
}

Test(broken, many_errors_are_counted_and_cut)
{
	struct kt_buf text = KT_BUF(1 << 20), out = KT_BUF(1 << 20);
	struct kt_diags d = {0};

	kt_buf_str(&text, "pack: x\nversion: 1\ntitle: t\n");
	for (int i = 0; i < 600; i++)
		kt_buf_fmt(&text, "key%d: x\n", i);
	cr_assert(!fixture_load(kt_buf_view(&text), &d));
	cr_assert(d.n == KT_DIAGS_MAX && d.n_errors == 600);
	kt_diags_format(&d, &out);
	cr_assert(kt_str_ends(kt_buf_view(&out), KT_S("and 100 more that are not shown\n")));
	kt_diags_free(&d);
	kt_buf_free(&text);
	kt_buf_free(&out);
}
