/* Commands that read or write files: inputs, sessions, reports, history. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "cli/exit.h"
#include "cli/shell_in.h"
#include "term/table.h"

#include "base/banned.h"

#define HISTORY_SHOWN 50u

static void say_inputs(struct kt_shell *sh, size_t before)
{
	size_t n;
	const struct kt_input_view *in = kt_session_inputs(sh->session, &n);

	for (size_t i = before; i < n; i++) {
		kt_shell_say(sh, KT_FMT ": %zu line%s, %s%zu record%s matched%s" KT_FMT, KT_ARG(in[i].name),
			     (size_t)in[i].lines, in[i].lines == 1 ? "" : "s",
			     kt_at_least(&sh->style, in[i].at_least), (size_t)in[i].matched,
			     in[i].matched == 1 ? "" : "s",
			     in[i].complete ? "" : "; not read to its end: ", KT_ARG(in[i].problem));
	}
}

/* A path as typed, with a leading ~/ filled in; the caller frees it. */
static char *path_of(struct kt_str typed)
{
	const char *home = getenv("HOME");
	struct kt_buf b = KT_BUF(KT_BUF_NAME);

	if (home && kt_str_starts(typed, KT_S("~/"))) {
		kt_buf_str(&b, home);
		typed = kt_str_from(typed, 1);
	}
	kt_buf_add(&b, typed);
	char *path = kt_strdup(kt_buf_view(&b));
	kt_buf_free(&b);
	return path;
}

static int scan_one(struct kt_shell *sh, struct kt_str path, struct kt_err *err)
{
	size_t before;
	char *c = path_of(path);

	kt_session_inputs(sh->session, &before);
	sh->work = path;
	/* A slip of the keyboard is no input. */
	int rc = access(c, R_OK) == 0
			 ? kt_session_scan(sh->session, c, err)
			 : kt_err_set(err, KT_ERR_INPUT, "%s: cannot be opened: %s", c, strerror(errno));
	sh->partly = rc < 0 && err->cls == KT_ERR_CANCELLED && kt_session_stopped(sh->session);
	if (rc == 0 || sh->partly)
		say_inputs(sh, before);
	kt_free(c);
	return rc;
}

int kt_shell_do_scan(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	for (size_t i = 0; i < args->n; i++) {
		if (kt_str_eq_c(args->w[i], "-"))
			return kt_err_set(err, KT_ERR_USAGE,
					  "stdin gives the commands here; paste reads lines from it");
		if (scan_one(sh, args->w[i], err) < 0)
			return -1;
	}
	return 0;
}

int kt_shell_do_paste(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_edit_input in = {0};
	int rc = 0;

	(void)args;
	kt_edit_raw_ready(sh->edit);
	if (kt_edit_interactive(sh->edit))
		kt_shell_say(sh, "Paste or type; a line with only a dot, or ^D, ends it; ^C gives it up.");
	kt_shell_flush(sh, false);
	enum kt_edit_event event = kt_edit_raw(sh->edit, &in);
	if (event == KT_EDIT_CANCEL)
		rc = kt_err_set(err, KT_ERR_USAGE, "nothing was pasted");
	else if (!kt_str_trim(kt_buf_view(&in.text)).len)
		rc = kt_err_set(err, KT_ERR_USAGE, "nothing but blanks was pasted");
	else
		rc = kt_shell_text(sh, kt_buf_view(&in.text), in.pasted, err);
	kt_edit_input_free(&in);
	return rc;
}

/* ---- sessions ---- */

struct kept {
	struct kt_str path, name;
	time_t changed;
	off_t size;
};

struct kept_list {
	struct kt_arena arena;
	struct kept *list;
	size_t n, cap;
};

static void kept_free(struct kept_list *k)
{
	kt_arena_free(&k->arena);
	kt_free(k->list);
}

static int newest_first(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	if (x->changed != y->changed)
		return x->changed > y->changed ? -1 : 1;
	return -kt_str_cmp(x->name, y->name);
}

static void look_at(struct kept_list *k, struct kt_str folder, const char *name)
{
	struct stat st;
	struct kt_str file = kt_str_c(name);

	if (!kt_str_ends(file, KT_S(".jsonl")))
		return;
	struct kt_str path = kt_arena_fmt(&k->arena, KT_FMT "/%s", KT_ARG(folder), name);
	if (stat(path.p, &st) < 0 || !S_ISREG(st.st_mode))
		return;
	KT_PUSH(k->list, k->n, k->cap) = (struct kept){.path = path,
						       .name = kt_arena_str(&k->arena, file),
						       .changed = st.st_mtime,
						       .size = st.st_size};
}

static int find_kept(struct kept_list *k, struct kt_err *err)
{
	struct kt_buf folder = KT_BUF(KT_BUF_NAME);

	if (kt_file_xdg("XDG_STATE_HOME", ".local/state", &folder, err) < 0) {
		kt_buf_free(&folder);
		return -1;
	}
	kt_buf_str(&folder, "/sessions");
	DIR *d = opendir(kt_buf_c(&folder));
	for (struct dirent *f; d && (f = readdir(d));)
		look_at(k, kt_buf_view(&folder), f->d_name);
	if (d)
		closedir(d);
	if (k->n)
		qsort(k->list, k->n, sizeof *k->list, newest_first);
	kt_buf_free(&folder);
	return 0;
}

static void session_row(struct kt_table *t, const struct kept *k, bool current)
{
	char when[32];
	struct kt_buf size = KT_BUF(64);
	struct tm tm;

	localtime_r(&k->changed, &tm);
	strftime(when, sizeof when, "%Y-%m-%d %H:%M", &tm);
	kt_buf_fmt(&size, "%lld kB", (long long)(k->size + 1023) / 1024);
	kt_table_cell_c(t, when);
	kt_table_cell(t, kt_buf_view(&size));
	kt_table_cell(t, k->path);
	kt_table_cell_c(t, current ? "this one" : "");
	kt_buf_free(&size);
}

int kt_shell_do_sessions(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kept_list k = {0};
	struct kt_table t;

	(void)args;
	if (find_kept(&k, err) < 0)
		return -1;
	kt_table_init(&t);
	kt_table_column(&t, KT_S("changed"), false);
	kt_table_column(&t, KT_S("size"), true);
	kt_table_column(&t, KT_S("file"), false);
	kt_table_column(&t, KT_NONE, false);
	for (size_t i = 0; i < k.n; i++)
		session_row(&t, &k.list[i], kt_str_eq(k.list[i].path, kt_buf_view(&sh->journal)));
	if (k.n)
		kt_table_render(&t, &sh->style, 0, &sh->out);
	else
		kt_shell_say(sh, "No session was kept.");
	kt_table_free(&t);
	kept_free(&k);
	return 0;
}

int kt_shell_do_save(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_str to = args->n ? args->rest : kt_buf_view(&sh->journal);

	if (!to.len)
		return kt_err_set(err, KT_ERR_USAGE, "this session has no file of its own: save FILE");
	if (!args->n) {
		kt_shell_say(sh, "This session is kept as it goes, in " KT_FMT, KT_ARG(to));
		return 0;
	}
	char *path = path_of(args->w[0]);
	int rc = kt_session_save(sh->session, path, err);
	if (rc == 0)
		kt_shell_say(sh, "Saved to %s; resume %s goes on with it.", path, path);
	kt_free(path);
	return rc;
}

/* The newest session that is not this one. */
static int last_kept(struct kt_shell *sh, struct kt_buf *path, struct kt_err *err)
{
	struct kept_list k = {0};
	int rc = find_kept(&k, err);

	for (size_t i = 0; rc == 0 && i < k.n && !path->len; i++)
		if (k.list[i].size > 0 && !kt_str_eq(k.list[i].path, kt_buf_view(&sh->journal)))
			kt_buf_add(path, k.list[i].path);
	if (rc == 0 && !path->len)
		rc = kt_err_set(err, KT_ERR_USAGE, "no other session was kept");
	kept_free(&k);
	return rc;
}

int kt_shell_resume(struct kt_shell *sh, const char *path, struct kt_err *err)
{
	struct kt_session *before = sh->session;

	if (kt_str_eq_c(kt_buf_view(&sh->journal), path))
		return kt_err_set(err, KT_ERR_USAGE, "%s is the session at hand", path);
	sh->session = NULL;
	if (kt_shell_session(sh, NULL, err) == 0 && kt_session_resume(sh->session, path, err) == 0) {
		kt_shell_drop(sh, before);
		sh->own_journal = false;
		kt_buf_clear(&sh->journal);
		kt_buf_str(&sh->journal, path);
		kt_shell_say(sh, "Going on with %s", path);
		return 0;
	}
	kt_session_free(sh->session);
	sh->session = before;
	return -1;
}

int kt_shell_resume_last(struct kt_shell *sh, struct kt_err *err)
{
	struct kt_buf path = KT_BUF(KT_BUF_NAME);
	int rc = last_kept(sh, &path, err);

	if (rc == 0)
		rc = kt_shell_resume(sh, kt_buf_c(&path), err);
	kt_buf_free(&path);
	return rc;
}

int kt_shell_do_resume(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	if (!args->n)
		return kt_shell_resume_last(sh, err);
	char *path = path_of(args->w[0]);
	int rc = kt_shell_resume(sh, path, err);
	kt_free(path);
	return rc;
}

/* ---- reports and history ---- */

int kt_shell_do_report(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_report r = kt_shell_report(sh);

	r.talking = false;
	if (!args->n) {
		kt_report_text(&r);
		return 0;
	}
	struct kt_style plain = {.width = 80};
	struct kt_buf text = KT_BUF(KT_BUF_TEXT);
	char *path = path_of(args->w[0]);
	r.style = &plain;
	r.out = &text;
	if (kt_str_ends(args->w[0], KT_S(".json")))
		kt_report_json(sh->session,
			       (int)kt_exit_of_verdict(kt_session_judgement(sh->session)->verdict), &text);
	else
		kt_report_text(&r);
	int rc = text.full ? kt_err_set(err, KT_ERR_LIMIT, "%s: the report is longer than %zu bytes", path,
					text.max)
			   : kt_file_replace(path, kt_buf_view(&text), err);
	if (rc == 0)
		kt_shell_say(sh, "Written to %s", path);
	kt_free(path);
	kt_buf_free(&text);
	return rc;
}

int kt_shell_do_history(struct kt_shell *sh, const struct kt_shell_args *args, struct kt_err *err)
{
	struct kt_buf text = KT_BUF(KT_BUF_TEXT);
	struct kt_str rest, line;
	size_t n = 0, seen = 0;

	(void)args;
	if (!sh->history.len)
		return kt_err_set(err, KT_ERR_USAGE, "no history is kept here");
	if (kt_file_read(kt_buf_c(&sh->history), &text, err) < 0) {
		kt_buf_free(&text);
		return -1;
	}
	/* Lines that begin with # are the times of the entries. */
	for (rest = kt_buf_view(&text); kt_str_cut(&rest, '\n', &line);)
		n += line.len && line.p[0] != '#';
	for (rest = kt_buf_view(&text); kt_str_cut(&rest, '\n', &line);) {
		if (!line.len || line.p[0] == '#')
			continue;
		if (++seen + HISTORY_SHOWN > n)
			kt_shell_say(sh, KT_FMT, KT_ARG(line));
	}
	kt_buf_free(&text);
	return 0;
}
