#include "cli/cli.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/redact.h"
#include "author/author.h"
#include "term/escape.h"
#include "term/pager.h"
#include "term/signals.h"

#include "base/banned.h"

void kt_complain(struct kt_str text)
{
	struct kt_buf clean = KT_BUF(KT_BUF_TEXT), line = KT_BUF(KT_BUF_TEXT);

	kt_redact(&clean, text);
	kt_buf_str(&line, "ktriage: ");
	kt_escape(&line, kt_buf_view(&clean), KT_ESC_TEXT);
	kt_buf_char(&line, '\n');
	if (kt_write_all(STDERR_FILENO, line.p, line.len) < 0)
		kt_buf_clear(&line); /* nowhere left to say it */
	kt_buf_free(&clean);
	kt_buf_free(&line);
}

enum kt_exit kt_fail(const struct kt_err *err)
{
	kt_complain(kt_str_c(err->text));
	return kt_exit_of_error(err);
}

enum kt_exit kt_answer_out(const struct kt_buf *answer, bool paged, enum kt_exit otherwise)
{
	struct kt_str text = kt_buf_view(answer);
	struct kt_err err = {0};

	/* A cut answer must not look like a whole one. */
	if (answer->full)
		kt_err_set(&err, KT_ERR_OUTPUT, "the answer is longer than %zu bytes", answer->max);
	if (answer->full || (paged ? kt_page(text, &err) : kt_print(text, &err)) < 0)
		return kt_fail(&err);
	return otherwise;
}

/* The folder that the program lies in. */
static bool own_folder(struct kt_buf *out)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path);

	while (n > 0 && path[n - 1] != '/')
		n--;
	if (n <= 0)
		return false;
	kt_buf_add(out, (struct kt_str){path, (size_t)n});
	return true;
}

void kt_cli_rules_dir(const struct kt_args *a, struct kt_buf *out)
{
	const char *env = getenv("KTRIAGE_RULES");

	if (a->rules.len) {
		kt_buf_add(out, a->rules);
		return;
	}
	if (env && env[0]) {
		kt_buf_str(out, env);
		return;
	}
	if (own_folder(out)) {
		kt_buf_str(out, "../share/ktriage/rules");
		char *real = out->full ? NULL : realpath(out->p, NULL);
		if (real) {
			kt_buf_clear(out);
			kt_buf_str(out, real);
			free(real);
			return;
		}
	}
	kt_buf_clear(out);
	kt_buf_str(out, access(KT_RULES_INSTALLED, R_OK) == 0 ? KT_RULES_INSTALLED : KT_RULES_SOURCE);
}

enum kt_exit kt_cli_rules(const struct kt_args *a, struct kt_rules **out)
{
	struct kt_buf dir = KT_BUF(KT_BUF_NAME), text = KT_BUF(KT_BUF_TEXT);
	struct kt_author_hooks hooks;
	struct kt_diags diags = {0};
	struct kt_err err = {0};
	enum kt_exit rc = KT_EXIT_FOUND;

	kt_cli_rules_dir(a, &dir);
	kt_author_hooks_init(&hooks);
	if (kt_rules_open(kt_buf_c(&dir), &hooks.hooks, out, &diags, &err) < 0) {
		kt_diags_format(&diags, &text);
		kt_buf_str(&text, err.text);
		kt_complain(kt_buf_view(&text));
		rc = KT_EXIT_RULES;
	}
	kt_author_hooks_free(&hooks);
	kt_diags_free(&diags);
	kt_buf_free(&dir);
	kt_buf_free(&text);
	return rc;
}

static bool cancelled(void *ctx)
{
	(void)ctx;
	return kt_signal_cancelled();
}

int kt_cli_cluster(const struct kt_args *a, const struct kt_kb *kb, const struct kt_guard *guard,
		   struct kt_cluster **out, struct kt_err *err)
{
	*out = NULL;
	if (!a->cluster.len && !a->replay.len)
		return 0;
	struct kt_cluster_opts opts = {
		.url = a->cluster,
		.database = a->database,
		.auth = a->auth,
		.guard = guard,
		.trusted_tsv = kt_kb_file(kb, "trusted.tsv"),
		.trust_hosts = a->trust_hosts,
		.n_trust_hosts = a->n_trust_hosts,
		.replay_dir = a->replay,
		.record_dir = a->record,
		.cancelled = cancelled,
		.cancel_fd = -1,
	};
	*out = kt_cluster_open(&opts, err);
	return *out ? 0 : -1;
}

int kt_cli_sets(const struct kt_args *a, struct kt_session *s, struct kt_err *err)
{
	for (size_t i = 0; i < a->n_sets; i++) {
		size_t eq = kt_str_chr(a->sets[i], '=', 0);
		if (kt_session_set(s, kt_str_sub(a->sets[i], 0, eq), kt_str_from(a->sets[i], eq + 1),
				   KT_S("--set"), err) < 0)
			return kt_err_prefix(err, "--set: ");
	}
	return 0;
}

/* A standard stream that is closed would be the next file that is opened: a rule
 * image would get the answer. Opened the wrong way, so that using it still fails. */
static void hold_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			return;
}

enum kt_exit kt_main(int argc, char **argv)
{
	struct kt_args a;
	struct kt_err err = {0};
	struct kt_buf text = KT_BUF(KT_BUF_TEXT);
	enum kt_exit rc;

	hold_standard_streams();
	kt_signal_init();
	if (kt_args_parse(argc, argv, &a, &err) < 0)
		return kt_fail(&err);
	if (a.help) {
		kt_help(a.command, &text);
		rc = kt_answer_out(&text, true, KT_EXIT_FOUND);
	} else if (a.version) {
		kt_buf_str(&text, "ktriage " KT_VERSION "\n");
		rc = kt_answer_out(&text, false, KT_EXIT_FOUND);
	} else {
		rc = a.command->run(&a);
	}
	kt_buf_free(&text);
	return rc;
}
