#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "json/json.h"
#include "pack.h"
#include "report/report.h"

#define ID_A "0f8fad5b-d9cb-469f-a165-70867728950e"
#define ID_B "7c9e6679-7425-40de-944b-e07fc1f90ae7"

static enum kt_verdict verdict(struct fixture *f)
{
	return kt_session_judgement(f->s)->verdict;
}

static uint32_t cause(struct fixture *f, const char *id)
{
	return kt_kb_cause(f->rules->kb, kt_str_c(id));
}

static const struct kt_fact_view *fact(struct fixture *f, const char *id)
{
	return &kt_session_judgement(f->s)->facts[kt_kb_fact(f->rules->kb, kt_str_c(id))];
}

static int set(struct fixture *f, const char *name, const char *value, struct kt_err *err)
{
	return kt_session_set(f->s, kt_str_c(name), kt_str_c(value), KT_S("answer"), err);
}

static void must_set(struct fixture *f, const char *name, const char *value)
{
	struct kt_err err = {0};

	cr_assert(set(f, name, value, &err) == 0, "%s", err.text);
}

Test(session, a_pasted_error_is_diagnosed_and_an_unknown_gate_blocks_confirmed)
{
	struct fixture f;

	pack_open(&f);
	PASTE(&f, "24/05/01 10:00:00 ERROR Tool: the second thing broke\n");
	cr_assert_eq(verdict(&f), KT_LIKELY);
	const struct kt_cause_view *c = &kt_session_judgement(f.s)->causes[cause(&f, "write.second")];
	cr_assert_eq(c->n_open_gates, 2);
	must_set(&f, "operation", "write");
	must_set(&f, "mode", "fast");
	cr_assert_eq(verdict(&f), KT_CONFIRMED);
	pack_close(&f);
}

Test(session, an_answer_excludes_and_undo_brings_back)
{
	struct fixture f;
	struct kt_str what;

	pack_open(&f);
	PASTE(&f, "24/05/01 10:00:00 ERROR Tool: the first thing broke\n");
	must_set(&f, "mode", "fast");
	cr_assert(kt_session_judgement(f.s)->causes[cause(&f, "write.first")].excluded);
	cr_assert(kt_session_undo(f.s, &what));
	cr_assert(kt_str_eq_c(what, "mode = fast"));
	cr_assert(!kt_session_judgement(f.s)->causes[cause(&f, "write.first")].excluded);
	cr_assert(kt_session_redo(f.s, &what));
	cr_assert(kt_session_judgement(f.s)->causes[cause(&f, "write.first")].excluded);
	pack_close(&f);
}

Test(session, two_values_dispute_and_unset_ends_it)
{
	struct fixture f;
	struct kt_err err = {0};

	pack_open(&f);
	PASTE(&f, "24/05/01 10:00:00 INFO Tool: option mode=fast\n");
	must_set(&f, "mode", "slow");
	cr_assert_eq(fact(&f, "mode")->state, KT_FS_DISPUTED);
	cr_assert(kt_session_unset(f.s, KT_S("mode"), &err) == 0, "%s", err.text);
	cr_assert_eq(fact(&f, "mode")->state, KT_FS_KNOWN);
	cr_assert(kt_str_eq_c(fact(&f, "mode")->value, "fast"));
	cr_assert(kt_session_unset(f.s, KT_S("mode"), &err) == 0, "%s", err.text);
	cr_assert_eq(fact(&f, "mode")->state, KT_FS_UNKNOWN, "a learned value can be set aside");
	must_set(&f, "mode", "slow");
	cr_assert_eq(fact(&f, "mode")->state, KT_FS_KNOWN, "what is stated after that counts alone");
	cr_assert(kt_str_eq_c(fact(&f, "mode")->value, "slow"));
	struct kt_str what;
	cr_assert(kt_session_undo(f.s, &what));
	cr_assert_eq(fact(&f, "mode")->state, KT_FS_UNKNOWN);
	pack_close(&f);
}

Test(session, not_set_is_an_assumption_until_the_version_is_known)
{
	struct fixture f;

	pack_open(&f);
	must_set(&f, "mode", "not-set");
	cr_assert_eq(fact(&f, "mode")->state, KT_FS_ASSUMED);
	must_set(&f, "toolVersion", "1.2");
	cr_assert_eq(fact(&f, "mode")->state, KT_FS_DEFAULT);
	pack_close(&f);
}

Test(session, bounds_of_a_version_narrow_and_a_default_waits_for_the_version)
{
	struct fixture f;

	pack_open(&f);
	must_set(&f, "mode", "not-set");
	must_set(&f, "toolVersion", "1.2..1.6");
	cr_assert_eq(fact(&f, "toolVersion")->state, KT_FS_KNOWN);
	cr_assert_eq(fact(&f, "mode")->state, KT_FS_ASSUMED);
	must_set(&f, "toolVersion", "1.4..2.0");
	cr_assert(kt_str_eq_c(fact(&f, "toolVersion")->value, "1.4..1.6"));
	must_set(&f, "toolVersion", "1.5");
	cr_assert(kt_str_eq_c(fact(&f, "toolVersion")->value, "1.5"));
	cr_assert_eq(fact(&f, "mode")->state, KT_FS_DEFAULT);
	must_set(&f, "toolVersion", "1.7..1.9");
	cr_assert_eq(fact(&f, "toolVersion")->state, KT_FS_DISPUTED);
	pack_close(&f);
}

Test(session, who_cannot_answer_twice_is_asked_no_more_until_something_is_read)
{
	struct fixture f;

	pack_open(&f);
	PASTE(&f, "24/05/01 10:00:00 ERROR Tool: the second thing broke\n");
	cr_assert_neq(kt_session_question(f.s), KT_NIL);
	must_set(&f, "toolVersion", "unknown");
	cr_assert_neq(kt_session_question(f.s), KT_NIL);
	must_set(&f, "database", "unknown");
	cr_assert_neq(kt_session_best_question(f.s), KT_NIL);
	cr_assert(kt_session_asked_enough(f.s));
	cr_assert_eq(kt_session_question(f.s), KT_NIL);
	PASTE(&f, "24/05/01 10:00:00 ERROR Tool: the first thing broke\n");
	cr_assert(!kt_session_asked_enough(f.s));
	cr_assert_eq(kt_session_question(f.s), kt_session_best_question(f.s));
	pack_close(&f);
}

Test(session, a_clean_log_does_not_deny_what_somebody_saw)
{
	char path[] = "/tmp/kt-clean-XXXXXX";
	struct kt_err err = {0};
	struct fixture f;
	FILE *log = fdopen(mkstemp(path), "w");

	fputs("24/05/01 10:00:00 INFO Tool: started\n24/05/01 10:00:01 INFO Tool: stopped\n", log);
	fclose(log);
	pack_open(&f);
	cr_assert(kt_session_scan(f.s, path, &err) == 0, "%s", err.text);
	cr_assert_eq(verdict(&f), KT_HEALTHY);
	must_set(&f, "seen", "unknown");
	cr_assert_eq(verdict(&f), KT_HEALTHY);
	must_set(&f, "seen", "doubled");
	cr_assert_eq(verdict(&f), KT_NOT_KNOWN);
	unlink(path);
	pack_close(&f);
}

Test(session, each_operation_has_its_own_facts)
{
	struct fixture f;

	pack_open(&f);
	PASTE(&f, "24/05/01 10:00:00 INFO Tool: request " ID_A " option mode=fast\n"
		  "24/05/01 10:00:01 INFO Tool: request " ID_B " option mode=slow\n"
		  "24/05/01 10:00:02 ERROR Tool: request " ID_B " the first thing broke\n"
		  "24/05/01 10:00:03 ERROR Tool: request " ID_A " the second thing broke\n");
	const struct kt_judgement *j = kt_session_judgement(f.s);
	cr_assert_eq(fact(&f, "mode")->state, KT_FS_VARIES);
	cr_assert(!j->causes[cause(&f, "write.first")].excluded);
	cr_assert(!j->causes[cause(&f, "write.second")].excluded);
	cr_assert_eq(j->causes[cause(&f, "write.second")].n_open_gates, 1, "only operation is open");
	pack_close(&f);
}

Test(session, wrong_words_name_the_nearest)
{
	struct fixture f;
	struct kt_err err = {0};

	pack_open(&f);
	cr_assert(set(&f, "mod", "fast", &err) < 0);
	cr_assert(strstr(err.text, "did you mean 'mode'"), "%s", err.text);
	kt_err_clear(&err);
	cr_assert(set(&f, "mode", "fsat", &err) < 0);
	cr_assert(strstr(err.text, "did you mean 'fast'"), "%s", err.text);
	kt_err_clear(&err);
	cr_assert(set(&f, "requestId", "12", &err) < 0);
	cr_assert_eq(err.cls, KT_ERR_USAGE);
	pack_close(&f);
}

static void add_json(struct fixture *f, struct kt_buf *out)
{
	kt_report_json(f->s, 0, out);
}

Test(session, thirty_retries_are_one_fault)
{
	struct fixture f;
	struct kt_buf text = KT_BUF(100000);
	struct kt_err err = {0};

	pack_open(&f);
	for (int i = 0; i < 30; i++)
		kt_buf_fmt(&text,
			   "24/05/01 10:00:%02d ERROR Tool: the first thing broke in %d ms\n"
			   "java.lang.IllegalStateException: no\n\tat com.tool.Work.run(Work.java:%d)\n",
			   i, i * 7, 12);
	cr_assert(kt_session_paste(f.s, kt_buf_view(&text), &err) == 0);
	const struct kt_cause_view *c = &kt_session_judgement(f.s)->causes[cause(&f, "write.first")];
	cr_assert_eq(c->s_ddb, 200);
	cr_assert_eq(c->addends[0].hits, 30);
	kt_buf_free(&text);
	pack_close(&f);
}

/* What the report says of one cause, as text. */
static void add_how(struct fixture *f, const char *id, struct kt_buf *out)
{
	static const struct kt_style style = {.width = 160};
	struct kt_report r = {.session = f->s, .style = &style, .out = out};

	kt_report_how(&r, cause(f, id));
	kt_report_evidence(&r);
}

/* Equal records are one observation with a count and two places; a journal keeps them. */
Test(session, equal_ones_have_a_first_and_a_last_place)
{
	struct fixture f, g;
	struct kt_err err = {0};
	struct kt_buf json = KT_BUF(KT_BUF_TEXT), text = KT_BUF(KT_BUF_TEXT);
	char path[] = "/tmp/kt-journal-XXXXXX";

	close(mkstemp(path));
	pack_open(&f);
	PASTE(&f, "24/05/01 10:00:00 ERROR Tool: the first thing broke\n"
		  "24/05/01 10:00:01 INFO Tool: and so on\n"
		  "24/05/01 10:00:02 ERROR Tool: the first thing broke\n"
		  "24/05/01 10:00:03 INFO Tool: and so on\n"
		  "24/05/01 10:00:04 ERROR Tool: the first thing broke\n"
		  "24/05/01 10:00:05 INFO Tool: and so on\n"
		  "24/05/01 10:00:06 ERROR Tool: the second thing broke\n");
	cr_assert(kt_session_save(f.s, path, &err) == 0, "%s", err.text);
	pack_close(&f);
	pack_open(&g);
	cr_assert(kt_session_resume(g.s, path, &err) == 0, "%s", err.text);
	add_json(&g, &json);
	cr_expect(strstr(kt_buf_c(&json), "\"source\":\"pasted text:1\""), "%s", kt_buf_c(&json));
	cr_expect(strstr(kt_buf_c(&json), "\"last\":\"pasted text:5\""), "%s", kt_buf_c(&json));
	cr_expect(strstr(kt_buf_c(&json), "\"hits\":3,"), "%s", kt_buf_c(&json));
	cr_expect(strstr(kt_buf_c(&json), "\"last\":null"), "%s", kt_buf_c(&json));
	add_how(&g, "write.first", &text);
	cr_expect(strstr(kt_buf_c(&text), "(3 times, last at pasted text:5)"), "%s", kt_buf_c(&text));
	cr_expect(strstr(kt_buf_c(&text), "pasted text:1  pasted text:5      3"), "%s", kt_buf_c(&text));
	pack_close(&g);
	unlink(path);
	kt_buf_free(&json);
	kt_buf_free(&text);
}

/* Of several files, too; what was seen once has one place. */
Test(session, the_last_place_may_be_in_another_file)
{
	struct fixture f;
	struct kt_err err = {0};
	struct kt_buf json = KT_BUF(KT_BUF_TEXT);
	char folder[] = "/tmp/kt-last-XXXXXX", a[64], b[64], want[128];

	cr_assert(mkdtemp(folder) != NULL);
	snprintf(a, sizeof a, "%s/driver.log.1", folder);
	snprintf(b, sizeof b, "%s/driver.log", folder);
	struct kt_str line = KT_S(
		"24/05/01 10:00:00 INFO Tool: begin\n24/05/01 10:00:00 ERROR Tool: the first thing broke\n");
	cr_assert(kt_file_replace(a, line, &err) == 0 && kt_file_replace(b, line, &err) == 0);
	pack_open(&f);
	cr_assert(kt_session_scan(f.s, folder, &err) == 0, "%s", err.text);
	add_json(&f, &json);
	snprintf(want, sizeof want, "\"last\":\"%s:2\"", b);
	cr_expect(strstr(kt_buf_c(&json), want), "%s", kt_buf_c(&json));
	snprintf(want, sizeof want, "\"source\":\"%s:2\"", a);
	cr_expect(strstr(kt_buf_c(&json), want), "%s", kt_buf_c(&json));
	pack_close(&f);
	unlink(a);
	unlink(b);
	rmdir(folder);
	kt_buf_free(&json);
}

static void must_say(const struct kt_buf *text, const char *what)
{
	cr_expect(strstr(text->p, what), "no %s in %s", what, text->p);
}

/* Of a pattern that was met a thousand times only the literals are counted. */
static void says_at_least(struct fixture *f)
{
	struct kt_buf json = KT_BUF(KT_BUF_TEXT), text = KT_BUF(KT_BUF_TEXT);
	struct kt_style ascii = {.width = 120, .ascii = true};
	struct kt_report r = {.session = f->s, .style = &ascii, .out = &text};

	add_json(f, &json);
	must_say(&json, "\"hits\":1000,\"last\":\"many.log:1000\",\"counted\":true,\"at_least\":true");
	must_say(&json, "\"hits\":1,\"last\":null,\"counted\":true,\"at_least\":false");
	must_say(&json, "\"lines\":3001,");
	must_say(&json, "\"problem\":null,\"at_least\":true");
	add_how(f, "write.first", &text);
	must_say(&text, "(\u2265 1,000 times, last at many.log:1000)");
	must_say(&text, "\u2265 1,000");
	kt_buf_clear(&text);
	kt_report_inputs(&r);
	must_say(&text, "3,001 lines read to the end, >= 1,001 records matched");
	kt_buf_clear(&text);
	kt_report_how(&r, cause(f, "write.first"));
	must_say(&text, "(>= 1,000 times");
	kt_buf_clear(&text);
	kt_report_how(&r, cause(f, "write.second"));
	cr_expect(!strstr(kt_buf_c(&text), ">="), "%s", kt_buf_c(&text));
	kt_buf_free(&json);
	kt_buf_free(&text);
}

Test(session, what_was_not_counted_to_its_end_is_at_least)
{
	struct fixture f, g;
	struct kt_err err = {0};
	struct kt_buf log = KT_BUF(KT_BUF_TEXT);
	char folder[] = "/tmp/kt-many-XXXXXX", path[] = "/tmp/kt-journal-XXXXXX";

	close(mkstemp(path));
	cr_assert(mkdtemp(folder) && chdir(folder) == 0);
	for (int i = 0; i < 3000; i++)
		kt_buf_str(&log, "24/05/01 10:00:00 ERROR Tool: the first thing broke\n");
	kt_buf_str(&log, "24/05/01 10:00:01 ERROR Tool: the second thing broke\n");
	cr_assert(kt_file_replace("many.log", kt_buf_view(&log), &err) == 0, "%s", err.text);
	pack_open(&f);
	cr_assert(kt_session_scan(f.s, "many.log", &err) == 0, "%s", err.text);
	says_at_least(&f);
	cr_assert(kt_session_save(f.s, path, &err) == 0, "%s", err.text);
	pack_close(&f);
	pack_open(&g);
	cr_assert(kt_session_resume(g.s, path, &err) == 0, "%s", err.text);
	says_at_least(&g);
	pack_close(&g);
	unlink("many.log");
	unlink(path);
	rmdir(folder);
	kt_buf_free(&log);
}

Test(session, a_journal_gives_the_same_bytes)
{
	struct fixture f, g;
	struct kt_err err = {0};
	struct kt_buf before = KT_BUF(KT_BUF_TEXT), after = KT_BUF(KT_BUF_TEXT);
	char path[] = "/tmp/kt-journal-XXXXXX";

	close(mkstemp(path));
	pack_open(&f);
	PASTE(&f, "24/05/01 10:00:02 ERROR Tool: request " ID_B " the first thing broke\n");
	must_set(&f, "operation", "write");
	must_set(&f, "database", "sales");
	add_json(&f, &before);
	cr_assert(kt_session_save(f.s, path, &err) == 0, "%s", err.text);
	pack_close(&f);

	pack_open(&g);
	cr_assert(kt_session_resume(g.s, path, &err) == 0, "%s", err.text);
	add_json(&g, &after);
	cr_assert_str_eq(kt_buf_c(&after), kt_buf_c(&before));
	pack_close(&g);
	unlink(path);
	kt_buf_free(&before);
	kt_buf_free(&after);
}

Test(session, a_torn_tail_is_cut_off_and_the_rest_is_kept)
{
	struct fixture f, g;
	struct kt_err err = {0};
	struct kt_buf text = KT_BUF(KT_BUF_TEXT);
	char path[] = "/tmp/kt-journal-XXXXXX";

	close(mkstemp(path));
	pack_open(&f);
	must_set(&f, "operation", "write");
	must_set(&f, "mode", "slow");
	cr_assert(kt_session_save(f.s, path, &err) == 0);
	pack_close(&f);
	cr_assert(kt_file_read(path, &text, &err) == 0);
	cr_assert(truncate(path, (off_t)text.len - 5) == 0);

	pack_open(&g);
	cr_assert(kt_session_resume(g.s, path, &err) == 0, "%s", err.text);
	cr_assert_eq(fact(&g, "operation")->state, KT_FS_KNOWN);
	cr_assert_eq(fact(&g, "mode")->state, KT_FS_UNKNOWN);
	must_set(&g, "mode", "fast");
	pack_close(&g);
	kt_buf_clear(&text);
	cr_assert(kt_file_read(path, &text, &err) == 0);
	cr_assert(kt_str_find(kt_buf_view(&text), KT_S("\"value\":\"fast\""), 0) != KT_NPOS);
	cr_assert(kt_str_find(kt_buf_view(&text), KT_S("\"value\":\"slow\""), 0) == KT_NPOS);
	unlink(path);
	kt_buf_free(&text);
}

Test(session, secrets_are_never_kept)
{
	struct fixture f;
	struct kt_buf out = KT_BUF(KT_BUF_TEXT);

	pack_open(&f);
	PASTE(&f, "24/05/01 10:00:02 ERROR Tool: the first thing broke with AccountKey=Zm9vYmFy== and "
		  "sig=abc123\n");
	must_set(&f, "database", "x;AppKey=hunter2");
	add_json(&f, &out);
	cr_assert(strstr(kt_buf_c(&out), "Zm9vYmFy") == NULL);
	cr_assert(strstr(kt_buf_c(&out), "abc123") == NULL);
	cr_assert(strstr(kt_buf_c(&out), "hunter2") == NULL);
	cr_assert(strstr(kt_buf_c(&out), "***") != NULL);
	kt_buf_free(&out);
	pack_close(&f);
}

Test(session, commands_are_filled_and_say_what_is_missing)
{
	struct fixture f;
	struct kt_err err = {0};
	struct kt_buf out = KT_BUF(KT_BUF_TEXT);
	pack_open(&f);
	uint32_t check = kt_kb_check_id(f.rules->kb, KT_S("operations"));

	cr_assert(kt_session_command(f.s, check, &out, &err) < 0);
	cr_assert(strstr(err.text, "database"), "%s", err.text);
	must_set(&f, "database", "x'] | .drop table T //");
	kt_err_clear(&err);
	cr_assert(kt_session_command(f.s, check, &out, &err) == 0, "%s", err.text);
	cr_assert(strstr(kt_buf_c(&out), "== \"x\\'] | .drop table T //\"") ||
			  strstr(kt_buf_c(&out), "== \"x'] | .drop table T //\""),
		  "the value stays inside its literal: %s", kt_buf_c(&out));
	kt_buf_free(&out);
	pack_close(&f);
}

static void put_recording(const char *dir, const char *name, const char *text, const char *column,
			  const char *rows)
{
	struct kt_buf path = KT_BUF(KT_BUF_NAME), body = KT_BUF(KT_BUF_TEXT);
	struct kt_err err = {0};

	kt_buf_fmt(&path, "%s/%s.json", dir, name);
	kt_buf_fmt(&body,
		   "{\"schema\":\"ktriage.recording/"
		   "1\",\"cluster\":\"x\",\"database\":\"sales\",\"endpoint\":\"engine\","
		   "\"kind\":\"mgmt\",\"text\":\"%s\",\"state\":\"done\",\"columns\":[[\"%s\",\"string\"]],"
		   "\"rows\":%s}\n",
		   text, column, rows);
	cr_assert(kt_file_replace(kt_buf_c(&path), kt_buf_view(&body), &err) == 0, "%s", err.text);
	kt_buf_free(&path);
	kt_buf_free(&body);
}

/* State of the first item of the check, after it ran against recordings. */
static enum kt_state state_with(const char *roles, const char *operations, enum kt_tri *mended)
{
	struct fixture f;
	struct kt_err err = {0};
	struct kt_buf command = KT_BUF(KT_BUF_TEXT), quoted = KT_BUF(KT_BUF_TEXT);
	char dir[] = "/tmp/kt-replay-XXXXXX";
	enum kt_state state = KT_STATE_NOT_COLLECTED;
	size_t n;

	cr_assert(mkdtemp(dir) != NULL);
	pack_open(&f);
	must_set(&f, "database", "sales");
	PASTE(&f, "24/05/01 10:00:00 ERROR Tool: the first thing broke\n");
	uint32_t check = kt_kb_check_id(f.rules->kb, KT_S("operations"));
	cr_assert(kt_session_command(f.s, check, &command, &err) == 0, "%s", err.text);
	for (size_t i = 0; i < command.len; i++)
		kt_buf_fmt(&quoted, command.p[i] == '"' || command.p[i] == '\\' ? "\\%c" : "%c",
			   command.p[i]);
	put_recording(dir, "a", kt_buf_c(&quoted), "State", operations);
	put_recording(dir, "b", ".show database ['sales'] principal roles | project Role", "Role", roles);
	struct kt_guard *guard = kt_guard_new(kt_buf_view(&f.guard), &err);
	struct kt_cluster *cluster = kt_cluster_open(&(struct kt_cluster_opts){.guard = guard,
									       .replay_dir = kt_str_c(dir),
									       .database = KT_S("sales")},
						     &err);
	cr_assert(cluster != NULL, "%s", err.text);
	cr_assert(kt_session_connect(f.s, cluster, KT_S("sales"), &err) == 0, "%s", err.text);
	*mended = kt_session_verify(f.s, cause(&f, "write.first"), &err);
	const struct kt_obs *obs = kt_session_obs(f.s, &n);
	const struct kt_kb *kb = f.rules->kb;
	for (size_t i = 0; i < n; i++)
		if (obs[i].kind == KT_OBS_SHOW && kb->items[obs[i].item].check == check &&
		    kb->items[obs[i].item].mode == KT_ROWS_ANY)
			state = obs[i].state;
	pack_close(&f);
	kt_guard_free(guard);
	kt_buf_free(&command);
	kt_buf_free(&quoted);
	for (const char *name = "ab"; *name; name++) {
		char path[64];
		snprintf(path, sizeof path, "%s/%c.json", dir, *name);
		unlink(path);
	}
	rmdir(dir);
	return state;
}

Test(session, a_missing_row_is_absent_only_with_the_right_to_see_all)
{
	enum kt_tri mended;

	cr_assert_eq(state_with("[[\"Database Admin\"]]", "[]", &mended), KT_STATE_ABSENT);
	cr_assert_eq(mended, KT_TRUE);
	cr_assert_eq(state_with("[[\"Database Viewer\"]]", "[]", &mended), KT_STATE_FAILED);
	cr_assert_eq(mended, KT_UNKNOWN, "what is not seen is not mended");
	cr_assert_eq(state_with("[[\"Database Viewer\"]]", "[[\"Failed\"]]", &mended), KT_STATE_PRESENT);
	cr_assert_eq(mended, KT_FALSE);
}
