/* Recordings and tokens. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "asking.h"
#include "base/file.h"

TestSuite(record, .init = ask_setup, .fini = ask_teardown, .timeout = 60);
TestSuite(token, .init = ask_setup, .fini = ask_teardown, .timeout = 60);

/* ---- recordings ---- */

static const char *const asked[] = {
	".show version",         ".show tables",          "T",
	".show database",        ".show functions",       ".show cluster",
	".show diagnostics",     ".show workload_groups", ".get ingestion resources",
	".show principal roles",
};

/* No bytes of a recording hold a secret. */
static void no_secrets(const char *dir)
{
	DIR *d = opendir(dir);
	size_t n = 0;

	for (struct dirent *e; (e = readdir(d));) {
		char path[8192];
		struct kt_buf text = KT_BUF(1u << 20);
		struct kt_err err = {0};
		struct stat st;
		snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
		if (e->d_name[0] == '.')
			continue;
		cr_assert(kt_file_read(path, &text, &err) == 0, "%s", err.text);
		cr_assert(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600);
		cr_assert(!strstr(text.p, "SECRET") && !strstr(text.p, "c2VjcmV0") &&
				  !strstr(text.p, "T0K3N"),
			  "%s", text.p);
		kt_buf_free(&text);
		n++;
	}
	closedir(d);
	cr_assert(n == KT_LEN(asked), "%zu files", n);
}

Test(record, a_recording_answers_as_the_cluster_did)
{
	struct server s = start_cases();
	struct kt_cluster_opts o = opts_for(s.url);
	struct kt_buf live[KT_LEN(asked)], replayed;
	char dir[4200];

	snprintf(dir, sizeof dir, "%s/rec", folder);
	o.record_dir = kt_str_c(dir);
	o.auth.method = KT_AUTH_ENV;
	o.database = KT_S("sales");
	setenv("KTRIAGE_TOKEN", "T0K3N", 1);
	struct kt_cluster *c = open_it(&o);
	for (size_t i = 0; i < KT_LEN(asked); i++) {
		ask_as(c, asked[i], KT_BY_PACK, (struct kt_request){0}, &live[i]);
		kt_buf_cut(&live[i], kt_str_chr(kt_buf_view(&live[i]), '#', 0)); /* the tries differ */
	}
	char *name = strdup(s.url);
	kt_cluster_close(c);
	stop(&s);
	no_secrets(dir);
	o = (struct kt_cluster_opts){
		.replay_dir = kt_str_c(dir), .guard = guard_of_rules, .database = KT_S("sales")};
	c = open_it(&o);
	cr_assert(kt_str_eq_c(kt_cluster_name(c), name));
	for (size_t i = 0; i < KT_LEN(asked); i++) {
		ask_as(c, asked[i], KT_BY_PACK, (struct kt_request){0}, &replayed);
		kt_buf_cut(&replayed, kt_str_chr(kt_buf_view(&replayed), '#', 0));
		cr_assert_str_eq(kt_buf_c(&replayed), kt_buf_c(&live[i]), "%s", asked[i]);
		kt_buf_free(&replayed);
		kt_buf_free(&live[i]);
	}
	answers(c, ".show capacity", "not-recorded: the recordings in ");
	free(name);
	kt_cluster_close(c);
}

static void write_record(const char *dir, const char *name, const char *text)
{
	char path[8192];
	struct kt_err err = {0};

	mkdir(dir, 0700);
	snprintf(path, sizeof path, "%s/%s", dir, name);
	cr_assert(kt_file_replace(path, kt_str_c(text), &err) == 0, "%s", err.text);
}

#define RECORD(text, more) "{\"schema\":\"ktriage.recording/1\",\"text\":\"" text "\"," more "}"

Test(record, recordings_may_be_written_by_hand)
{
	struct kt_cluster_opts o = {.guard = guard_of_rules};
	char dir[4200];

	snprintf(dir, sizeof dir, "%s/hand", folder);
	write_record(dir, "tables.json",
		     RECORD(".show   tables\\n| where TableName=='T'",
			    "\"state\":\"done\",\"columns\":[[\"TableName\",\"string\"]],\"rows\":[[\"T\"],["
			    "null]]"));
	write_record(dir, "failures.json",
		     RECORD(".show ingestion failures",
			    "\"state\":\"permission\",\"error\":\"not yours\",\"class\":\"cluster\""));
	write_record(dir, "dm.json",
		     RECORD(".show version", "\"endpoint\":\"ingest\",\"state\":\"done\",\"columns\":[[\"a\","
					     "\"string\"]],\"rows\":[[\"dm\"]]"));
	write_record(dir, "read.me", "not a recording");
	o.replay_dir = kt_str_c(dir);
	struct kt_cluster *c = open_it(&o);
	answers(c, ".show tables | where TableName == 'T'", "T;#0");
	answers(c, ".show ingestion failures", "permission: not yours");
	answers(c, ".show version", "not-recorded");
	struct kt_buf got;
	ask_as(c, ".show version", KT_BY_PACK, (struct kt_request){.ingest = true}, &got);
	cr_assert(kt_str_starts(kt_buf_view(&got), KT_S("dm")));
	kt_buf_free(&got);
	kt_cluster_close(c);
}

/* The guard's own limit cut the answer, perhaps: nobody may take a row for absent. */
Test(record, an_answer_as_long_as_the_limit_is_marked)
{
	struct kt_cluster_opts o = {.guard = guard_of_rules};
	char dir[4200];

	snprintf(dir, sizeof dir, "%s/long", folder);
	for (size_t n = KT_GUARD_TAKE - 1; n <= KT_GUARD_TAKE; n++) {
		struct kt_buf text = KT_BUF(1u << 20), got;
		kt_buf_str(
			&text,
			"{\"schema\":\"ktriage.recording/1\",\"text\":\".show journal\",\"state\":\"done\","
			"\"columns\":[[\"Event\",\"string\"]],\"rows\":[[\"x\"]");
		for (size_t i = 1; i < n; i++)
			kt_buf_str(&text, ",[\"x\"]");
		kt_buf_str(&text, "]}");
		write_record(dir, "1.json", kt_buf_c(&text));
		o.replay_dir = kt_str_c(dir);
		struct kt_cluster *c = open_it(&o);
		ask_as(c, ".show journal", KT_BY_PERSON, (struct kt_request){0}, &got);
		cr_assert(kt_str_ends(kt_buf_view(&got), KT_S(" cut")) == (n == KT_GUARD_TAKE), "%zu rows",
			  n);
		kt_cluster_close(c);
		kt_buf_free(&text);
		kt_buf_free(&got);
	}
}

Test(record, bad_recordings_are_named)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{"{", "1.json: 1:"},
		{"{}", "its schema is not"},
		{RECORD(".drop table T", "\"state\":\"done\""),
		 "1.json: column 1: '.drop table T' is refused"},
		{RECORD(".show tables", "\"state\":\"odd\""), "its state is none"},
		{RECORD(".show tables", "\"state\":\"done\""), "it needs columns and rows"},
		{RECORD(".show tables", "\"state\":\"done\",\"columns\":[[\"a\"]],\"rows\":[]"),
		 "a column is"},
		{RECORD(".show tables", "\"state\":\"done\",\"columns\":[[\"a\",\"b\"]],\"rows\":[[1,2]]"),
		 "one cell for each column"},
	};
	char dir[4200];
	struct kt_err err = {0};

	snprintf(dir, sizeof dir, "%s/none", folder);
	struct kt_cluster_opts o = {.guard = guard_of_rules, .replay_dir = kt_str_c(dir)};
	cr_assert_null(kt_cluster_open(&o, &err));
	cr_assert(err.cls == KT_ERR_INPUT);
	for (size_t i = 0; i < KT_LEN(rows); i++) {
		kt_err_clear(&err);
		write_record(dir, "1.json", rows[i].text);
		cr_assert_null(kt_cluster_open(&o, &err), "%s", rows[i].text);
		cr_assert(err.cls == KT_ERR_INPUT || err.cls == KT_ERR_REFUSED);
		cr_assert_not_null(strstr(err.text, rows[i].want), "%s", err.text);
	}
	write_record(dir, "1.json", RECORD(".show tables", "\"state\":\"failed\",\"error\":\"x\""));
	write_record(dir, "2.json", RECORD(".show  tables", "\"state\":\"failed\",\"error\":\"y\""));
	kt_err_clear(&err);
	cr_assert_null(kt_cluster_open(&o, &err));
	cr_assert_not_null(strstr(err.text, "the same command is recorded in 1.json"), "%s", err.text);
}

/* ---- tokens ---- */

static void token_fails(struct kt_auth auth, const char *want)
{
	struct kt_cluster_opts o = opts_for("https://127.0.0.1:1");
	struct kt_cluster *c;

	o.auth = auth;
	c = open_it(&o);
	answers(c, ".show version", want);
	kt_cluster_close(c);
}

Test(token, a_token_file_is_for_its_owner)
{
	char path[4200];
	struct kt_auth auth;
	struct kt_err err = {0};

	snprintf(path, sizeof path, "file:%s/token", folder);
	cr_assert(kt_auth_parse(kt_str_c(path), &auth, &err) == 0);
	token_fails(auth, "sign-in: ");
	cr_assert(kt_file_replace(path + 5, KT_S("T0K3N\n"), &err) == 0);
	chmod(path + 5, 0640);
	token_fails(auth, "others may read it (mode 640)");
	chmod(path + 5, 0600);
	token_fails(auth, "unreachable: ");
	cr_assert(kt_file_replace(path + 5, KT_S("two words\n"), &err) == 0);
	token_fails(auth, "it holds something else than one token");
	cr_assert(kt_file_replace(path + 5, KT_S(" \n"), &err) == 0);
	token_fails(auth, "there is no token in it");
}

Test(token, ways_to_sign_in_are_words)
{
	static const struct {
		const char *text, *want;
	} rows[] = {{"az", ""},
		    {"stdin", ""},
		    {"env", ""},
		    {"none", ""},
		    {"default", ""},
		    {"file:/x", ""},
		    {"file", "write file:PATH"},
		    {"file:", "write file:PATH"},
		    {"az:x", "only file: takes a path"},
		    {"sdtin", "did you mean 'stdin'?"},
		    {"", "no way to sign in"}};

	for (size_t i = 0; i < KT_LEN(rows); i++) {
		struct kt_auth auth;
		struct kt_err err = {0};
		int rc = kt_auth_parse(kt_str_c(rows[i].text), &auth, &err);
		cr_assert((rc == 0) == !rows[i].want[0] && strstr(err.text, rows[i].want), "%s: %s",
			  rows[i].text, err.text);
	}
}
