/* What a line at the prompt means. */
#include <criterion/criterion.h>

#include "cli/shell_in.h"
#include "core/build.h"

static struct kt_kbb *builder;
static struct kt_session *session;
static uint32_t mode, version, table, shared, started, operation;

static struct kt_span choices(const char *const *values, size_t n)
{
	struct kt_span span = {kt_kbb_kb(builder)->n_choices, (uint32_t)n};

	for (size_t i = 0; i < n; i++) {
		struct kt_choice c = {.value = kt_kbb_text(builder, kt_str_c(values[i]))};
		kt_kbb_add_choices(builder, &c);
	}
	return span;
}

static uint32_t fact(const char *id, enum kt_fact_type type, const char *const *values, size_t n)
{
	struct kt_fact f = {
		.id = kt_kbb_text(builder, kt_str_c(id)), .type = type, .when = KT_NIL, .needs = KT_NIL};

	f.choices = choices(values, n);
	return kt_kbb_add_facts(builder, &f);
}

static void begin(void)
{
	static const char *const modes[] = {"Transactional", "Queued", "KustoStreaming"};
	static const char *const operations[] = {"read", "write", "query", "ingest"};
	struct kt_session_opts o = {0};
	struct kt_err err = {0};

	builder = kt_kbb_new();
	mode = fact("writeMode", KT_FACT_CHOICE, modes, 3);
	operation = fact("operation", KT_FACT_CHOICE, operations, 4);
	version = fact("connectorVersion", KT_FACT_VERSION, NULL, 0);
	table = fact("targetTable", KT_FACT_STRING, NULL, 0);
	shared = fact("sharedCluster", KT_FACT_BOOL, NULL, 0);
	started = fact("failedAt", KT_FACT_DATETIME, NULL, 0);
	o.kb = kt_kbb_kb(builder);
	cr_assert(kt_session_new(&o, &session, &err) == 0);
}

static void end(void)
{
	kt_session_free(session);
	kt_kbb_free(builder);
}

TestSuite(words, .init = begin, .fini = end);

static struct kt_shell_line line;

static enum kt_shell_meaning meaning(uint32_t question, const char *text)
{
	kt_shell_meaning(session, question, kt_str_c(text), false, &line);
	return line.meaning;
}

static enum kt_shell_meaning pasted(uint32_t question, const char *text)
{
	kt_shell_meaning(session, question, kt_str_c(text), true, &line);
	return line.meaning;
}

static bool is_command(const char *name)
{
	return line.meaning == KT_SHELL_COMMAND && kt_str_eq_c(kt_str_c(line.cmd->name), name);
}

Test(words, a_dot_and_a_letter_is_a_command_of_the_cluster)
{
	cr_assert(meaning(mode, " .show tables\n| take 1 ") == KT_SHELL_KUSTO);
	cr_assert(kt_str_eq_c(line.rest, ".show tables\n| take 1"));
	cr_assert(pasted(mode, ".show tables\n| take 1") == KT_SHELL_KUSTO);
	cr_assert(meaning(mode, "... 20 more lines") == KT_SHELL_TEXT);
	cr_assert(meaning(mode, ".") != KT_SHELL_KUSTO);
}

Test(words, a_whole_command_name_is_that_command_even_where_an_answer_is_due)
{
	meaning(table, "where");
	cr_assert(is_command("where"));
	meaning(table, "scan  a b ");
	cr_assert(is_command("scan") && kt_str_eq_c(line.rest, "a b"));
	meaning(operation, "query T | take 1");
	cr_assert(is_command("query"));
	meaning(KT_NIL, "why-not write.x");
	cr_assert(is_command("why-not"));
}

Test(words, a_choice_that_is_a_command_without_its_arguments_is_the_answer)
{
	cr_assert(meaning(operation, "query") == KT_SHELL_ANSWER);
	meaning(KT_NIL, "query");
	cr_assert(is_command("query"));
	meaning(table, "query");
	cr_assert(is_command("query"));
}

Test(words, a_valid_answer_is_one_in_the_spelling_of_the_fact)
{
	cr_assert(meaning(mode, "queued") == KT_SHELL_ANSWER && kt_str_eq_c(line.rest, "Queued"));
	cr_assert(meaning(mode, "KustoStreaming") == KT_SHELL_ANSWER);
	cr_assert(meaning(mode, "UNKNOWN") == KT_SHELL_ANSWER && kt_str_eq_c(line.rest, "unknown"));
	cr_assert(meaning(mode, "?") == KT_SHELL_ANSWER && kt_str_eq_c(line.rest, "unknown"));
	cr_assert(meaning(shared, "yes") == KT_SHELL_ANSWER && kt_str_eq_c(line.rest, "true"));
	cr_assert(meaning(shared, "False") == KT_SHELL_ANSWER && kt_str_eq_c(line.rest, "false"));
	cr_assert(meaning(version, "5.0.6") == KT_SHELL_ANSWER);
	cr_assert(meaning(table, "Sales2024") == KT_SHELL_ANSWER && kt_str_eq_c(line.rest, "Sales2024"));
	cr_assert(meaning(started, "2026-01-31 10:00") == KT_SHELL_ANSWER);
}

Test(words, a_log_line_is_never_an_answer)
{
	cr_assert(meaning(version, "24/01/31 10:00:00 ERROR KustoConnector: x") == KT_SHELL_TEXT);
	cr_assert(meaning(started, "2024-01-31 10:00:00 ERROR Foo: x") == KT_SHELL_TEXT);
	cr_assert(meaning(table, "java.util.NoSuchElementException: None.get at x") == KT_SHELL_TEXT);
}

Test(words, a_slip_is_never_an_answer_nor_a_text)
{
	cr_assert(meaning(table, "facst") == KT_SHELL_UNCLEAR && kt_str_eq_c(line.near, "facts"));
	cr_assert(meaning(table, "fac") == KT_SHELL_UNCLEAR);
	cr_assert(meaning(table, "Queued") == KT_SHELL_UNCLEAR); /* answers another question */
	cr_assert(meaning(mode, "Qeued") == KT_SHELL_UNCLEAR);
	cr_assert(meaning(KT_NIL, "explian write.none-get") == KT_SHELL_UNCLEAR);
	cr_assert(kt_str_eq_c(line.near, "explain"));
}

Test(words, what_reads_like_an_error_is_diagnosed)
{
	cr_assert(meaning(mode, "None.get") == KT_SHELL_TEXT);
	cr_assert(meaning(KT_NIL, "java.util.NoSuchElementException: None.get") == KT_SHELL_TEXT);
	cr_assert(meaning(mode, "the rows came twice") == KT_SHELL_TEXT);
	cr_assert(meaning(KT_NIL, "NoStorageContainersException") == KT_SHELL_TEXT);
	cr_assert(meaning(KT_NIL, "one\ntwo") == KT_SHELL_TEXT);
}

Test(words, a_pasted_text_is_one_whatever_its_first_word)
{
	cr_assert(pasted(mode, "where is\nmy table") == KT_SHELL_TEXT);
	cr_assert(pasted(mode, "explian x\ny") == KT_SHELL_TEXT);
	cr_assert(pasted(mode, "x\ny") == KT_SHELL_TEXT);
	pasted(mode, "query T\n| take 1");
	cr_assert(is_command("query"));
	pasted(mode, "where");
	cr_assert(is_command("where"));
}

Test(words, a_unique_prefix_is_that_command)
{
	meaning(KT_NIL, "conn http://127.0.0.1");
	cr_assert(is_command("connect") && kt_str_eq_c(line.rest, "http://127.0.0.1"));
	meaning(mode, "und");
	cr_assert(is_command("undo"));
	cr_assert(meaning(KT_NIL, "w") == KT_SHELL_UNCLEAR && line.n_prefix > 1);
	cr_assert(meaning(KT_NIL, "xyzzy") == KT_SHELL_UNCLEAR && line.n_prefix == 0);
	cr_assert(meaning(mode, "  \n ") == KT_SHELL_NOTHING);
}

Test(words, arguments_and_quotes)
{
	struct kt_arena a = {0};
	struct kt_shell_args args;

	kt_shell_split(KT_S("targetTable  \"my table\" 'x y'z \"open"), &a, &args);
	cr_assert(args.n == 5);
	cr_assert(kt_str_eq_c(args.w[0], "targetTable"));
	cr_assert(kt_str_eq_c(args.w[1], "my table"));
	cr_assert(kt_str_eq_c(args.w[2], "'x") && kt_str_eq_c(args.w[3], "y'z"));
	cr_assert(kt_str_eq_c(args.w[4], "\"open"));
	cr_assert(kt_str_eq_c(kt_shell_from(&args, 1), "\"my table\" 'x y'z \"open"));
	cr_assert(kt_shell_from(&args, 9).len == 0);
	kt_shell_split(KT_S("my\\ file.log C:\\temp it\\'s"), &a, &args);
	cr_assert(args.n == 3 && kt_str_eq_c(args.w[0], "my file.log"));
	cr_assert(kt_str_eq_c(args.w[1], "C:\\temp") && kt_str_eq_c(args.w[2], "it's"));
	kt_shell_split(KT_NONE, &a, &args);
	cr_assert(args.n == 0);
	kt_arena_free(&a);
}

Test(words, every_command_has_a_row_that_helps)
{
	for (size_t i = 0; i < kt_shell_n_cmds; i++) {
		const struct kt_shell_cmd *cmd = &kt_shell_cmds[i], *found;
		cr_assert(cmd->run && cmd->help[0] && cmd->args);
		cr_assert(kt_shell_find(kt_str_c(cmd->name)) == cmd);
		cr_assert(kt_shell_prefix(kt_str_c(cmd->name), &found) >= 1);
		cr_assert(!cmd->least || cmd->args[0]);
	}
}
