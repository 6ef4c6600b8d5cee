#include "cli/cli.h"

#include "base/banned.h"

static int set_help(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	(void)v, (void)err;
	a->help = true;
	return 0;
}

static int set_version(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	(void)v, (void)err;
	a->version = true;
	return 0;
}

static int set_verbose(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	(void)v, (void)err;
	a->verbose = true;
	return 0;
}

static int set_color(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	if (kt_color_parse(v, &a->color))
		return 0;
	return kt_err_set(err, KT_ERR_USAGE, "--color: '" KT_FMT "' is none of auto, always, never",
			  KT_ARG(v));
}

static int set_rules(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	(void)err;
	a->rules = v;
	return 0;
}

static int add_set(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	if (kt_str_chr(v, '=', 0) == KT_NPOS)
		return kt_err_set(err, KT_ERR_USAGE, "--set: '" KT_FMT "' has no '='; give FACT=VALUE",
				  KT_ARG(v));
	if (a->n_sets == KT_SETS_MAX)
		return kt_err_set(err, KT_ERR_USAGE, "--set: more than %d facts", KT_SETS_MAX);
	a->sets[a->n_sets++] = v;
	return 0;
}

static int set_cluster(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	(void)err;
	a->cluster = v;
	return 0;
}

static int set_database(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	(void)err;
	a->database = v;
	return 0;
}

static int set_auth(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	return kt_auth_parse(v, &a->auth, err);
}

static int add_host(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	if (a->n_trust_hosts == KT_HOSTS_MAX)
		return kt_err_set(err, KT_ERR_USAGE, "--trust-host: more than %d hosts", KT_HOSTS_MAX);
	a->trust_hosts[a->n_trust_hosts++] = v;
	return 0;
}

static int set_replay(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	(void)err;
	a->replay = v;
	return 0;
}

static int set_record(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	(void)err;
	a->record = v;
	return 0;
}

static int set_format(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	(void)err;
	a->format = v;
	return 0;
}

static int set_require(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	(void)v, (void)err;
	a->require_cluster = true;
	return 0;
}

static int set_save(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	(void)v, (void)err;
	a->save = true;
	return 0;
}

static int set_dry(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	(void)v, (void)err;
	a->dry_run = true;
	return 0;
}

static int set_fail_on(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	static const struct kt_str classes[] = {{"confirmed", 9}, {"likely", 6},  {"ambiguous", 9},
						{"not_known", 9}, {"healthy", 7}, {"damaged", 7}};
	struct kt_str rest = v, word;

	while (kt_str_cut(&rest, ',', &word)) {
		bool known = false;
		for (size_t i = 0; i < KT_LEN(classes); i++)
			known = known || kt_str_eq(word, classes[i]);
		struct kt_str near = kt_str_nearest(word, classes, KT_LEN(classes));
		if (!known)
			return kt_err_set(
				err, KT_ERR_USAGE,
				"--fail-on: no class '" KT_FMT "'%s" KT_FMT
				"%s; classes are confirmed, likely, ambiguous, not_known, healthy, damaged",
				KT_ARG(word), near.len ? "; did you mean '" : "", KT_ARG(near),
				near.len ? "'?" : "");
	}
	a->fail_on = v;
	return 0;
}

static int set_max_bytes(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	if (kt_str_uint(v, UINT64_MAX / 2, &a->max_bytes) && a->max_bytes)
		return 0;
	return kt_err_set(err, KT_ERR_USAGE, "--max-bytes: '" KT_FMT "' is no whole number of bytes above 0",
			  KT_ARG(v));
}

#define THREADS_MAX 1024 /* far more than are used */

static int set_threads(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	if (kt_str_uint(v, THREADS_MAX, &a->threads))
		return 0;
	return kt_err_set(err, KT_ERR_USAGE, "--threads: '" KT_FMT "' is no whole number from 0 to %d",
			  KT_ARG(v), THREADS_MAX);
}

static int set_trace(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	static const struct kt_str words[] = {{"match", 5}};
	struct kt_str near = kt_str_nearest(v, words, KT_LEN(words));

	a->trace_match = kt_str_eq(v, words[0]);
	if (a->trace_match)
		return 0;
	return kt_err_set(err, KT_ERR_USAGE,
			  "--trace: there is no '" KT_FMT "'%s" KT_FMT "%s; what can be traced is match",
			  KT_ARG(v), near.len ? "; did you mean '" : "", KT_ARG(near), near.len ? "'?" : "");
}

static int set_answers(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	(void)err;
	a->answers = v;
	return 0;
}

static int set_against(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	(void)err;
	a->against = v;
	return 0;
}

static int set_check(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	if (!v.len)
		return kt_err_set(err, KT_ERR_USAGE, "--check: name a file, or - for standard input");
	a->check = v;
	return 0;
}

static int set_explain(struct kt_args *a, struct kt_str v, struct kt_err *err)
{
	(void)err;
	a->explain = v;
	return 0;
}

/* clang-format off */
const struct kt_option_row kt_options[] = {
	{"help", NULL, "print this and end", KT_OG_ALL, set_help},
	{"version", NULL, "print the version and end", KT_OG_ALL, set_version},
	{"color", "WHEN", "colours: auto, always or never", KT_OG_ALL, set_color},
	{"rules", "DIR", "use the rules in DIR", KT_OG_ALL, set_rules},
	{"verbose", NULL, "show decibels, probabilities and bits too", KT_OG_VERBOSE, set_verbose},
	{"set", "FACT=VALUE", "state a fact; unknown and not-set are values, too; may be repeated", KT_OG_DIAGNOSE, add_set},
	{"cluster", "URL", "ask this cluster; nothing is sent without it", KT_OG_CLUSTER, set_cluster},
	{"database", "DB", "the database that commands run in", KT_OG_CLUSTER, set_database},
	{"auth", "METHOD", "sign in by: default, none, env (KTRIAGE_TOKEN), file:PATH, stdin or az", KT_OG_CLUSTER, set_auth},
	{"trust-host", "HOST", "send the token to this host too; exact name, may be repeated", KT_OG_CLUSTER, add_host},
	{"replay", "DIR", "take the cluster's answers from DIR, without a network", KT_OG_CLUSTER, set_replay},
	{"record", "DIR", "keep the cluster's answers in DIR, for --replay", KT_OG_CLUSTER, set_record},
	{"format", "FORMAT", "print text (default) or json", KT_OG_DIAGNOSE, set_format},
	{"format", "FORMAT", "print table (default), json, csv or tsv", KT_OG_SHOW, set_format},
	{"require-cluster", NULL, "end with 7 when the cluster of --cluster or --replay cannot be asked", KT_OG_DIAGNOSE, set_require},
	{"fail-on", "CLASS,...", "end with 3 for these: confirmed, likely, ambiguous, not_known, healthy, damaged", KT_OG_DIAGNOSE, set_fail_on},
	{"save", NULL, "keep the session, so that resume goes on with it", KT_OG_DIAGNOSE, set_save},
	{"dry-run", NULL, "print the commands that would be sent, and send none", KT_OG_DIAGNOSE, set_dry},
	{"max-bytes", "N", "read at most N bytes of each input", KT_OG_DIAGNOSE, set_max_bytes},
	{"threads", "N", "read logs with N threads; 0 (default): one for each processor", KT_OG_SCAN, set_threads},
	{"explain", "CHECK", "rules check: say what a check proves, and why; 'all' lists them", KT_OG_RULES, set_explain},
	{"answers", "FILE", "rules eval: answers to what is asked (case, fact, value); DIR/answers.tsv", KT_OG_RULES, set_answers},
	{"against", "FILE", "rules eval: name the cases that moved since that JSON answer", KT_OG_RULES, set_against},
	{"format", "FORMAT", "rules eval: print text (default) or json; rules doc: markdown (default), html, man or mermaid", KT_OG_RULES, set_format},
	{"check", "FILE", "check an option list or a job's source; - for standard input", KT_OG_OPTION, set_check},
	{"format", "FORMAT", "with --check: print text (default) or json", KT_OG_OPTION, set_format},
	{"trace", "WHAT", "print to stderr what the work cost; WHAT is match: each pattern", KT_OG_DIAGNOSE, set_trace},
};
/* clang-format on */
const size_t kt_n_options = KT_LEN(kt_options);

/* clang-format off */
const struct kt_command kt_commands[] = {
	{"diagnose", "[FILE|DIR|-]...", "diagnose without asking", KT_OG_ALL | KT_OG_CLUSTER | KT_OG_DIAGNOSE | KT_OG_VERBOSE | KT_OG_SCAN, kt_run_diagnose,
	 "Reads what is named: files, folders with all that is in them, - for standard input. Without\n"
	 "a name standard input is read, unless it is a terminal. The exit status tells the verdict,\n"
	 "see ktriage --help.\n"},
	{"show", "COMMAND", "run one read-only command or query", KT_OG_ALL | KT_OG_CLUSTER | KT_OG_SHOW, kt_run_show,
	 "COMMAND is one argument, so it stands in quotes. With a dot in front it is a management\n"
	 "command, else a query over one table. What changes anything is refused and not sent.\n"},
	{"explain", "ID", "all that the rules say of a cause; a part of its id will do", KT_OG_ALL, kt_run_explain, NULL},
	{"search", "WORDS|-", "causes and options that mention the words; -: whose texts stand in an error on stdin", KT_OG_ALL, kt_run_search, NULL},
	{"option", "[NAME]", "the connector's options: defaults, values, mistakes", KT_OG_ALL | KT_OG_OPTION, kt_run_option,
	 "With --check what is wrong with options is printed, one finding a line, with its place:\n"
	 "names that nothing reads, values out of range, options that cannot work together. It reads\n"
	 "jobs in Python, Scala and Java, notebooks, maps, JSON and name=value. A value that a variable\n"
	 "gives is not known, and nothing is said of it. The status is 1 when something was found.\n"},
	{"runbook", "[AREA]", "the rules as a runbook", KT_OG_ALL, kt_run_runbook, NULL},
	{"rules", "check|test|eval|doc|schema|image [ID|DIR|AREA]", "for authors: check the rules, run their cases; print them as a runbook", KT_OG_ALL | KT_OG_RULES, kt_run_rules,
	 "  check   prove what can be proved of the rules without an incident, show what to mend\n"
	 "  test    run the cases; with ID those whose name begins with it: write.  write.x/fires\n"
	 "  eval    run the labelled reports in DIR and count how often the rules are right\n"
	 "  doc     print all the rules as a runbook, or those of one AREA: Markdown, a page for a\n"
	 "          browser, a manual page, or the decision flows for Mermaid\n"
	 "  schema  print the JSON Schema of rule files, for editors\n"
	 "  image   compile the rules into rules.image, beside the packs\n"},
	{"resume", "[FILE]", "go on with the last session, or the one in FILE", KT_OG_ALL | KT_OG_CLUSTER | KT_OG_VERBOSE | KT_OG_SCAN, kt_run_resume, NULL},
	{"sessions", "", "list the saved sessions", KT_OG_ALL, kt_run_sessions, NULL},
	{"demo", "", "a bundled incident, diagnosed against its recorded cluster", KT_OG_ALL | KT_OG_VERBOSE, kt_run_demo, NULL},
};
/* clang-format on */
const size_t kt_n_commands = KT_LEN(kt_commands);

static const struct kt_command shell_command = {
	"", "", "the shell", KT_OG_ALL | KT_OG_CLUSTER | KT_OG_VERBOSE | KT_OG_SCAN, kt_run_shell, NULL};

static int no_option(struct kt_str name, const struct kt_command *cmd, struct kt_err *err)
{
	struct kt_str names[KT_LEN(kt_options)];
	size_t n = 0;

	for (size_t i = 0; i < kt_n_options; i++) {
		if (kt_str_eq_c(name, kt_options[i].name))
			return kt_err_set(err, KT_ERR_USAGE, "--" KT_FMT " does not go with '%s'",
					  KT_ARG(name), cmd->name[0] ? cmd->name : "the shell");
		if (kt_options[i].groups & cmd->groups)
			names[n++] = kt_str_c(kt_options[i].name);
	}
	struct kt_str near = kt_str_nearest(name, names, n);
	if (near.len)
		return kt_err_set(err, KT_ERR_USAGE, "no option --" KT_FMT "; did you mean --" KT_FMT "?",
				  KT_ARG(name), KT_ARG(near));
	return kt_err_set(err, KT_ERR_USAGE, "no option --" KT_FMT "; ktriage %s%s--help lists them",
			  KT_ARG(name), cmd->name, cmd->name[0] ? " " : "");
}

static int take_option(struct kt_args *a, struct kt_str arg, int *at, int argc, char **argv,
		       struct kt_err *err)
{
	size_t eq = kt_str_chr(arg, '=', 0);
	struct kt_str name = kt_str_sub(arg, 2, (eq == KT_NPOS ? arg.len : eq) - 2);

	for (size_t i = 0; i < kt_n_options; i++) {
		const struct kt_option_row *o = &kt_options[i];
		if (!kt_str_eq_c(name, o->name) || !(o->groups & a->command->groups))
			continue;
		if (!o->arg && eq != KT_NPOS)
			return kt_err_set(err, KT_ERR_USAGE, "--%s takes no value", o->name);
		if (o->arg && eq == KT_NPOS && ++*at >= argc)
			return kt_err_set(err, KT_ERR_USAGE, "--%s needs a value: --%s %s", o->name, o->name,
					  o->arg);
		struct kt_str value = eq != KT_NPOS ? kt_str_from(arg, eq + 1)
				      : o->arg      ? kt_str_c(argv[*at])
						    : KT_NONE;
		return o->apply(a, value, err);
	}
	return no_option(name, a->command, err);
}

/* The command is the first word; without one it is the shell. */
static int find_command(struct kt_args *a, int argc, char **argv, int *word, struct kt_err *err)
{
	struct kt_str names[KT_LEN(kt_commands)];

	a->command = &shell_command;
	*word = 0;
	if (argc < 2 || argv[1][0] == '-')
		return 0;
	*word = 1;
	for (size_t i = 0; i < kt_n_commands; i++) {
		names[i] = kt_str_c(kt_commands[i].name);
		if (kt_str_eq_c(names[i], argv[1])) {
			a->command = &kt_commands[i];
			return 0;
		}
	}
	struct kt_str near = kt_str_nearest(kt_str_c(argv[1]), names, kt_n_commands);
	if (near.len)
		return kt_err_set(err, KT_ERR_USAGE, "no command '%s'; did you mean '" KT_FMT "'?", argv[1],
				  KT_ARG(near));
	return kt_err_set(err, KT_ERR_USAGE,
			  "no command '%s'; 'ktriage diagnose FILE' diagnoses a file, 'ktriage --help' lists "
			  "the commands",
			  argv[1]);
}

static int check_rest(const struct kt_args *a, struct kt_err *err)
{
	if (a->command->args[0] || !a->n_rest)
		return 0;
	if (!a->command->name[0])
		return kt_err_set(err, KT_ERR_USAGE,
				  "the command stands before its options, and '%s' behind them", a->rest[0]);
	return kt_err_set(err, KT_ERR_USAGE, "%s takes options only, not '%s'", a->command->name, a->rest[0]);
}

int kt_args_parse(int argc, char **argv, struct kt_args *out, struct kt_err *err)
{
	int word;
	bool only_rest = false;

	*out = (struct kt_args){.n_rest = 0};
	if (find_command(out, argc, argv, &word, err) < 0)
		return -1;
	for (int at = 1; at < argc; at++) {
		struct kt_str arg = kt_str_c(argv[at]);
		if (at == word)
			continue;
		if (!only_rest && kt_str_eq_c(arg, "--")) {
			only_rest = true;
		} else if (!only_rest && kt_str_starts(arg, KT_S("--"))) {
			if (take_option(out, arg, &at, argc, argv, err) < 0)
				return -1;
		} else if (!only_rest && arg.len > 1 && arg.p[0] == '-') {
			return kt_err_set(err, KT_ERR_USAGE,
					  "no option %s; options are long words, such as --help", argv[at]);
		} else {
			if (out->n_rest == KT_LEN(out->rest))
				return kt_err_set(err, KT_ERR_USAGE, "more than %zu names; give a folder",
						  KT_LEN(out->rest));
			out->rest[out->n_rest++] = argv[at];
		}
	}
	return check_rest(out, err);
}

static void option_lines(unsigned groups, struct kt_buf *out)
{
	for (size_t i = 0; i < kt_n_options; i++) {
		const struct kt_option_row *o = &kt_options[i];
		struct kt_buf left = KT_BUF(80);
		if (!(o->groups & groups))
			continue;
		kt_buf_fmt(&left, "--%s%s%s", o->name, o->arg ? " " : "", o->arg ? o->arg : "");
		kt_buf_fmt(out, "  %-22s %s\n", kt_buf_c(&left), o->help);
		kt_buf_free(&left);
	}
}

void kt_help(const struct kt_command *command, struct kt_buf *out)
{
	if (command && command->name[0]) {
		kt_buf_fmt(out, "usage: ktriage %s [OPTION]...%s%s\n\n%s\n", command->name,
			   command->args[0] ? " " : "", command->args, command->help);
		kt_buf_fmt(out, "%s%s\noptions\n", command->more ? "\n" : "",
			   command->more ? command->more : "");
		option_lines(command->groups, out);
		return;
	}
	kt_buf_str(out, "usage: ktriage [OPTION]...            the shell: asks, reads, explains\n"
			"       ktriage COMMAND [OPTION]...    one of\n\n");
	for (size_t i = 0; i < kt_n_commands; i++) {
		struct kt_buf left = KT_BUF(80);
		kt_buf_fmt(&left, "%s %s", kt_commands[i].name, kt_commands[i].args);
		kt_buf_fmt(out, "  %-37s  %s\n", kt_buf_c(&left), kt_commands[i].help);
		kt_buf_free(&left);
	}
	kt_buf_str(out, "\noptions of the shell\n");
	option_lines(shell_command.groups, out);
	kt_buf_str(out, "\nexit codes\n");
#define X(id, code, text) kt_buf_fmt(out, "  %3d  %s\n", code, text);
	KT_EXITS(X)
#undef X
}
