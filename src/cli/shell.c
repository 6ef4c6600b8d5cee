#include "cli/shell.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/redact.h"
#include "cli/shell_in.h"
#include "term/escape.h"
#include "term/pager.h"
#include "term/signals.h"

#include "base/banned.h"

#define NEXT_SHOWN       3u
#define PROMPT           "> "
#define PARTLY           "stopped: what was read until then counts; undo takes it back"
#define EXIT_INPUT       5
#define EXIT_OUTPUT      74
#define EXIT_INTERRUPTED 130

/* ---- saying things ---- */

struct kt_report kt_shell_report(struct kt_shell *sh)
{
	return (struct kt_report){.session = sh->session,
				  .style = &sh->style,
				  .verbose = sh->o->verbose,
				  .talking = true,
				  .out = &sh->out};
}

void kt_shell_say(struct kt_shell *sh, const char *fmt, ...)
{
	struct kt_buf b = KT_BUF(KT_BUF_TEXT), clean = KT_BUF(KT_BUF_TEXT);
	va_list ap;

	va_start(ap, fmt);
	kt_buf_vfmt(&b, fmt, ap);
	va_end(ap);
	/* What was typed is said back, too. */
	kt_redact(&clean, kt_buf_view(&b));
	kt_wrap(&sh->out, &sh->style, KT_PAINT_PLAIN, kt_buf_view(&clean), 0, 0);
	kt_buf_char(&sh->out, '\n');
	kt_buf_free(&clean);
	kt_buf_free(&b);
}

void kt_shell_flush(struct kt_shell *sh, bool paged)
{
	struct kt_err err = {0};
	struct kt_str text = kt_buf_view(&sh->out);

	kt_progress_end(&sh->progress);
	if (sh->quit && sh->status == EXIT_OUTPUT) {
		kt_buf_clear(&sh->out); /* it was said */
		return;
	}
	if (sh->out.full)
		kt_shell_complain(sh, "the answer is too long: parts of it are missing");
	if ((paged ? kt_page(text, &err) : kt_print(text, &err)) < 0) {
		kt_shell_complain(sh, err.text);
		sh->status = EXIT_OUTPUT;
		sh->quit = true;
	}
	kt_buf_clear(&sh->out);
}

/* Errors go to stderr: stdout holds answers only. */
void kt_shell_complain(struct kt_shell *sh, const char *text)
{
	struct kt_buf b = KT_BUF(KT_BUF_TEXT), clean = KT_BUF(KT_BUF_TEXT);

	kt_progress_end(&sh->progress);
	kt_redact(&clean, kt_str_c(text));
	kt_wrap(&b, &sh->style, KT_PAINT_PLAIN, kt_buf_view(&clean), 0, 0);
	kt_buf_char(&b, '\n');
	if (kt_write_all(STDERR_FILENO, b.p, b.len) < 0)
		sh->status = EXIT_OUTPUT;
	kt_buf_free(&clean);
	kt_buf_free(&b);
}

/* ---- what follows a change ---- */

uint32_t kt_shell_question(struct kt_shell *sh)
{
	if (sh->chosen != KT_NIL)
		return sh->chosen;
	return kt_session_question(sh->session);
}

void kt_shell_said(struct kt_shell *sh, uint32_t fact, struct kt_str value)
{
	struct kt_str id = kt_kb_text(sh->kb, sh->kb->facts[fact].id);

	kt_shell_say(sh, KT_FMT " = " KT_FMT, KT_ARG(id), KT_ARG(value));
	if (kt_session_judgement(sh->session)->facts[fact].state == KT_FS_DISPUTED)
		kt_shell_say(
			sh,
			"It has another value, too, so it counts as unknown: facts shows both. undo takes "
			"this one back, unset " KT_FMT " all that was stated.",
			KT_ARG(id));
}

void kt_shell_ask(struct kt_shell *sh)
{
	struct kt_report r = kt_shell_report(sh);

	if (sh->chosen == KT_NIL)
		kt_report_question(&r);
	else
		kt_report_ask(&r, sh->chosen);
}

/* Nothing was read and nothing is supported: a verdict would say nothing. */
static bool too_early(struct kt_shell *sh)
{
	size_t inputs;

	kt_session_inputs(sh->session, &inputs);
	return !inputs && !kt_session_judgement(sh->session)->n_evoked;
}

/* What the verdict says apart from names that were filled in: as long as it stays
 * the same the person need not read it again. */
static void verdict_key(struct kt_shell *sh, struct kt_buf *key)
{
	const struct kt_judgement *j = kt_session_judgement(sh->session);
	size_t inputs, limits;

	kt_session_inputs(sh->session, &inputs);
	kt_session_inconclusive(sh->session, &limits);
	kt_buf_fmt(key, "%d %zu %zu %zu %zu %d", (int)j->verdict, inputs, limits, j->n_problems,
		   j->n_unexplained, (int)j->open_conflict);
	for (size_t i = 0; i < j->n_evoked; i++) {
		const struct kt_cause_view *c = &j->causes[j->evoked[i]];
		kt_buf_fmt(key, " %u:%d:%zu:%zu:%zu", c->cause, c->s_ddb, c->n_addends, c->n_open_gates,
			   c->n_assumptions);
	}
}

static void still(struct kt_shell *sh, const struct kt_judgement *j)
{
	if (j->lead == KT_NIL)
		kt_shell_say(sh, "Still %s.", kt_verdict_word(j->verdict));
	else
		kt_shell_say(sh, "Still %s: " KT_FMT ".", kt_verdict_word(j->verdict),
			     KT_ARG(kt_kb_text(sh->kb, sh->kb->causes[j->lead].id)));
}

static void say_next(struct kt_shell *sh)
{
	enum kt_verdict v = kt_session_judgement(sh->session)->verdict;
	struct kt_report r = kt_shell_report(sh);

	if (v != KT_CONFIRMED && v != KT_HEALTHY)
		kt_report_next(&r, NEXT_SHOWN);
}

/* The verdict, or one line when it is the one that was said last; then the next steps. */
static void say_verdict(struct kt_shell *sh)
{
	const struct kt_judgement *j = kt_session_judgement(sh->session);
	struct kt_report r = kt_shell_report(sh);
	struct kt_buf key = KT_BUF(KT_BUF_TEXT);

	verdict_key(sh, &key);
	if (kt_str_eq(kt_buf_view(&key), kt_buf_view(&sh->verdict)))
		still(sh, j);
	else
		kt_report_verdict(&r);
	say_next(sh);
	kt_buf_free(&sh->verdict);
	sh->verdict = key;
}

static void follow(struct kt_shell *sh)
{
	/* A question that was put by name is done once a log answers it. */
	if (sh->chosen != KT_NIL && kt_session_judgement(sh->session)->facts[sh->chosen].state == KT_FS_KNOWN)
		sh->chosen = KT_NIL;
	if (!too_early(sh))
		say_verdict(sh);
	else if (kt_session_connected(sh->session))
		say_next(sh);
	kt_shell_flush(sh, true);
	kt_shell_ask(sh);
	kt_shell_flush(sh, false);
}

/* ---- one line ---- */

int kt_shell_text(struct kt_shell *sh, struct kt_str text, size_t pasted, struct kt_err *err)
{
	size_t n;

	sh->work = KT_S("reading what was pasted");
	if (kt_session_paste(sh->session, text, err) < 0) {
		sh->partly = err->cls == KT_ERR_CANCELLED && kt_session_stopped(sh->session);
		return -1;
	}
	const struct kt_input_view *in = kt_session_inputs(sh->session, &n);
	if (n)
		kt_shell_say(sh, "[%s %zu line%s: %zu record%s, %s%zu matched]", pasted ? "pasted" : "read",
			     (size_t)in[n - 1].lines, in[n - 1].lines == 1 ? "" : "s",
			     (size_t)in[n - 1].records, in[n - 1].records == 1 ? "" : "s",
			     kt_at_least(&sh->style, in[n - 1].at_least), (size_t)in[n - 1].matched);
	return 0;
}

static int run_command(struct kt_shell *sh, const struct kt_shell_line *line, struct kt_err *err)
{
	struct kt_arena a = {0};
	struct kt_shell_args args;
	int rc;

	kt_shell_split(line->rest, &a, &args);
	if (args.n < line->cmd->least)
		rc = kt_err_set(err, KT_ERR_USAGE, "%s needs %s: %s %s", line->cmd->name,
				line->cmd->least == 1 ? "an argument" : "two arguments", line->cmd->name,
				line->cmd->args);
	else
		rc = line->cmd->run(sh, &args, err);
	kt_arena_free(&a);
	return rc;
}

static int answer(struct kt_shell *sh, struct kt_str value, struct kt_err *err)
{
	uint32_t q = kt_shell_question(sh);
	struct kt_str id = kt_kb_text(sh->kb, sh->kb->facts[q].id);

	if (kt_session_set(sh->session, id, value, KT_ANSWER, err) < 0)
		return -1;
	sh->chosen = KT_NIL;
	kt_shell_said(sh, q, value);
	return 0;
}

static int unclear(struct kt_shell *sh, const struct kt_shell_line *line, struct kt_err *err)
{
	uint32_t q = kt_shell_question(sh);

	if (line->n_prefix > 1)
		return kt_err_set(err, KT_ERR_USAGE, "'" KT_FMT "' begins several commands; Tab shows them",
				  KT_ARG(line->word));
	if (line->near.len)
		return kt_err_set(err, KT_ERR_USAGE, "no command '" KT_FMT "'; did you mean '" KT_FMT "'?%s",
				  KT_ARG(line->word), KT_ARG(line->near),
				  q == KT_NIL ? "" : " (answer VALUE answers the question)");
	if (q != KT_NIL)
		return kt_session_valid(sh->session, q, line->rest, err) < 0
			       ? -1
			       : kt_err_set(err, KT_ERR_USAGE,
					    "'" KT_FMT "' may be meant for something else; 'answer " KT_FMT
					    "' answers the question",
					    KT_ARG(line->word), KT_ARG(line->word));
	return kt_err_set(err, KT_ERR_USAGE,
			  "no command '" KT_FMT "'; help lists them; paste diagnoses any text",
			  KT_ARG(line->word));
}

static int act_on(struct kt_shell *sh, const struct kt_shell_line *line, size_t pasted, struct kt_err *err)
{
	switch (line->meaning) {
	case KT_SHELL_NOTHING: return 0;
	case KT_SHELL_COMMAND: return run_command(sh, line, err);
	case KT_SHELL_KUSTO: return kt_shell_kusto(sh, line->rest, false, err);
	case KT_SHELL_ANSWER: return answer(sh, line->rest, err);
	case KT_SHELL_TEXT: return kt_shell_text(sh, line->rest, pasted, err);
	case KT_SHELL_UNCLEAR: return unclear(sh, line, err);
	}
	return 0;
}

static bool changes(const struct kt_shell_line *line)
{
	return line->meaning == KT_SHELL_ANSWER || line->meaning == KT_SHELL_TEXT ||
	       (line->meaning == KT_SHELL_COMMAND && line->cmd->changes);
}

static void one_line(struct kt_shell *sh, const struct kt_edit_input *in)
{
	struct kt_shell_line line;
	struct kt_err err = {0};

	if (in->cut)
		kt_shell_complain(sh,
				  "what was pasted is longer than 64 MB: its end is missing; use scan FILE");
	kt_shell_meaning(sh->session, kt_shell_question(sh), kt_buf_view(&in->text), in->whole, &line);
	sh->work = KT_S("working");
	bool kept = kt_session_kept(sh->session);
	sh->partly = false;
	int rc = act_on(sh, &line, in->pasted, &err);
	kt_progress_end(&sh->progress);
	if (rc < 0) {
		kt_shell_flush(sh, true);
		kt_shell_complain(sh, sh->partly                    ? PARTLY
				      : err.cls == KT_ERR_CANCELLED ? "stopped; nothing was lost"
								    : err.text);
		if (sh->partly)
			kt_signal_clear();
		/* It was done all the same when only the journal could not be written. */
		if (sh->partly || (kept && !kt_session_kept(sh->session) && changes(&line) && !sh->quit))
			follow(sh);
	} else if (changes(&line) && !sh->quit) {
		follow(sh);
	} else {
		kt_shell_flush(sh, true);
	}
	kt_signal_clear();
}

static enum kt_line_kind kind(void *ctx, struct kt_str text)
{
	struct kt_shell *sh = ctx;
	struct kt_shell_line line;

	kt_shell_meaning(sh->session, kt_shell_question(sh), text, false, &line);
	if (line.meaning == KT_SHELL_COMMAND || line.meaning == KT_SHELL_KUSTO)
		return KT_LINE_COMMAND;
	/* What answers some question may come behind a text that is piped in. */
	return line.meaning == KT_SHELL_TEXT && !kt_shell_is_choice(sh->kb, kt_str_trim(text))
		       ? KT_LINE_TEXT
		       : KT_LINE_OTHER;
}

/* May a line stand in the history? "set clientSecret x" names a secret without a
 * sign between, so blanks are read as one; too careful does no harm here. */
static bool keep(void *ctx, struct kt_str line)
{
	struct kt_buf joined = KT_BUF(KT_EDIT_PASTE_MAX);

	(void)ctx;
	kt_buf_add(&joined, line);
	for (size_t i = 0; i < joined.len; i++)
		if (joined.p[i] == ' ')
			joined.p[i] = '=';
	bool secret = kt_redact_needed(line) || kt_redact_needed(kt_buf_view(&joined));
	kt_buf_free(&joined);
	return !secret;
}

/* ---- start and end ---- */

int kt_shell_session(struct kt_shell *sh, const char *journal, struct kt_err *err)
{
	struct kt_session_opts o = {.kb = sh->kb,
				    .ui = &kt_shell_ui,
				    .ui_ctx = sh,
				    .max_bytes = sh->o->max_bytes,
				    .threads = sh->o->threads,
				    .journal = journal};
	struct kt_session *fresh = NULL;
	int rc = kt_session_new(&o, &fresh, err);

	if (rc < 0 && journal) {
		kt_session_free(fresh);
		return -1;
	}
	kt_session_free(sh->session);
	sh->session = fresh;
	sh->chosen = KT_NIL;
	kt_buf_clear(&sh->verdict);
	return rc;
}

/* A shell without a home still works: it keeps nothing, and says so. */
static void open_session(struct kt_shell *sh)
{
	struct kt_err err = {0};

	if (!sh->o->no_journal && kt_session_path(&sh->journal, &err) == 0 &&
	    kt_shell_session(sh, kt_buf_c(&sh->journal), &err) == 0) {
		sh->own_journal = true;
		return;
	}
	kt_buf_clear(&sh->journal);
	if (err.cls != KT_ERR_NONE) {
		kt_err_prefix(&err, "this session is not kept: ");
		kt_shell_complain(sh, err.text);
	}
	err = (struct kt_err){0};
	if (kt_shell_session(sh, NULL, &err) < 0)
		kt_shell_complain(sh, err.text);
}

static void open_edit(struct kt_shell *sh)
{
	struct kt_err err = {0};
	struct kt_edit_opts o = {.kind = kind, .keep = keep, .complete = kt_shell_complete, .ctx = sh};

	if (isatty(STDIN_FILENO) && kt_file_xdg("XDG_STATE_HOME", ".local/state", &sh->history, &err) == 0) {
		kt_buf_str(&sh->history, "/history");
		o.history = sh->history.full ? NULL : kt_buf_c(&sh->history);
	} else {
		kt_buf_clear(&sh->history);
	}
	sh->edit = kt_edit_new(&o);
}

static void greet(struct kt_shell *sh)
{
	kt_shell_say(sh,
		     "ktriage %s \u00b7 %u causes in %u pack%s \u00b7 %s. Paste an error, give a file (scan "
		     "FILE), "
		     "or answer. help lists the rest.",
		     KT_VERSION, sh->kb->n_causes, sh->kb->n_packs, sh->kb->n_packs == 1 ? "" : "s",
		     kt_session_connected(sh->session) ? "cluster connected" : "no cluster");
	kt_buf_char(&sh->out, '\n');
}

/* What the command line asked for. */
static int begin(struct kt_shell *sh, struct kt_err *err)
{
	const struct kt_shell_opts *o = sh->o;

	if (o->resume && kt_shell_resume(sh, o->resume, err) < 0)
		return -1;
	if (o->resume_last && kt_shell_resume_last(sh, err) < 0)
		return -1;
	if ((o->url.len || o->replay_dir.len) && kt_shell_connect(sh, o->url, o->database, err) < 0)
		return -1;
	for (size_t i = 0; i < o->n_files; i++)
		if (kt_session_scan(sh->session, o->files[i], err) < 0)
			return -1;
	return 0;
}

static void talk(struct kt_shell *sh)
{
	struct kt_edit_input in = {0};

	while (!sh->quit && !kt_signal_ending() && kt_edit_read(sh->edit, PROMPT, &in) == KT_EDIT_INPUT)
		one_line(sh, &in);
	kt_edit_input_free(&in);
	if (!kt_edit_error(sh->edit))
		return;
	struct kt_err err = {0};
	kt_err_set(&err, KT_ERR_INPUT, "stdin cannot be read: %s", strerror(kt_edit_error(sh->edit)));
	kt_shell_complain(sh, err.text);
	sh->status = EXIT_INPUT;
}

void kt_shell_drop(struct kt_shell *sh, struct kt_session *take_session)
{
	struct stat st;

	if (!take_session)
		return;
	kt_session_free(take_session);
	if (sh->own_journal && stat(kt_buf_c(&sh->journal), &st) == 0 && st.st_size == 0)
		unlink(sh->journal.p);
}

static void release(struct kt_shell *sh)
{
	/* What was said when it happened; the end must not look like success. */
	if (sh->journal.len && !kt_session_kept(sh->session) && !sh->status)
		sh->status = EXIT_OUTPUT;
	kt_shell_drop(sh, sh->session);
	kt_edit_free(sh->edit);
	kt_guard_free(sh->guard);
	kt_arena_free(&sh->keep);
	kt_buf_free(&sh->out);
	kt_buf_free(&sh->verdict);
	kt_buf_free(&sh->journal);
	kt_buf_free(&sh->history);
}

int kt_shell_run(const struct kt_shell_opts *opts)
{
	struct kt_shell sh = {.o = opts,
			      .kb = opts->kb,
			      .chosen = KT_NIL,
			      .out = KT_BUF(KT_BUF_TEXT),
			      .verdict = KT_BUF(KT_BUF_TEXT),
			      .journal = KT_BUF(KT_BUF_NAME),
			      .history = KT_BUF(KT_BUF_NAME),
			      .work = KT_S("working")};
	struct kt_err err = {0};

	kt_style_init(&sh.style, opts->color, STDOUT_FILENO);
	open_edit(&sh);
	open_session(&sh);
	greet(&sh);
	if (begin(&sh, &err) < 0) {
		kt_shell_complain(&sh, err.text);
		if (opts->resume || opts->resume_last)
			sh.status = EXIT_INPUT;
	}
	if (!sh.status) {
		follow(&sh);
		talk(&sh);
	}
	/* What stood behind in a pipe was not done. */
	if (!sh.status && kt_signal_ending() && !kt_edit_interactive(sh.edit))
		sh.status = EXIT_INTERRUPTED;
	release(&sh);
	return sh.status;
}
