/* What a command line means. */
#include <criterion/criterion.h>

#include "cli/cli.h"

#include "base/banned.h"

/* Parses "ktriage WORDS…"; the words end with NULL. */
static int parse(char **words, struct kt_args *a, struct kt_err *err)
{
	char *argv[16] = {(char[]){"ktriage"}};
	int argc = 1;

	for (; words[argc - 1]; argc++)
		argv[argc] = words[argc - 1];
	return kt_args_parse(argc, argv, a, err);
}

#define WORDS(...) ((char *[]){__VA_ARGS__, NULL})
/* A literal lives on; the parser writes into no word. */
#define W(text) ((char *)(uintptr_t)(text))

static void refused(char **words, const char *says)
{
	struct kt_args a;
	struct kt_err err = {0};

	cr_assert(parse(words, &a, &err) < 0, "taken: %s", words[0]);
	cr_assert(err.cls == KT_ERR_USAGE);
	cr_assert(kt_str_find(kt_str_c(err.text), kt_str_c(says), 0) != KT_NPOS, "%s: %s", words[0],
		  err.text);
}

Test(args, the_command_is_the_first_word)
{
	struct kt_args a;
	struct kt_err err = {0};

	cr_assert(parse(WORDS(W("diagnose"), W("a.log"), W("--verbose"), W("b.log")), &a, &err) == 0, "%s",
		  err.text);
	cr_assert_str_eq(a.command->name, "diagnose");
	cr_assert(a.n_rest == 2 && a.verbose);
	cr_assert(parse(WORDS(W("--verbose")), &a, &err) == 0, "%s", err.text);
	cr_assert_str_eq(a.command->name, "");
}

Test(args, nothing_that_was_typed_is_ignored)
{
	refused(WORDS(W("--verbose"), W("demo")), "'demo' behind");
	refused(WORDS(W("demo"), W("x")), "not 'x'");
	refused(WORDS(W("sessions"), W("x")), "not 'x'");
	refused(WORDS(W("diagnos")), "did you mean 'diagnose'?");
	refused(WORDS(W("diagnose"), W("--verbos")), "did you mean --verbose?");
	refused(WORDS(W("explain"), W("--save")), "does not go with 'explain'");
	refused(WORDS(W("diagnose"), W("-v")), "long words");
}

Test(args, an_option_of_two_commands_has_two_texts)
{
	struct kt_args a;
	struct kt_err err = {0};
	struct kt_buf help = KT_BUF(KT_BUF_TEXT);

	cr_assert(parse(WORDS(W("show"), W("--format=csv"), W(".show tables")), &a, &err) == 0, "%s",
		  err.text);
	cr_assert(kt_str_eq_c(a.format, "csv"));
	kt_help(a.command, &help);
	cr_assert(kt_str_find(kt_buf_view(&help), KT_S("print table (default), json, csv or tsv"), 0) !=
		  KT_NPOS);
	cr_assert(kt_str_find(kt_buf_view(&help), KT_S("print text"), 0) == KT_NPOS);
	kt_buf_free(&help);
}
