/* The journal: one JSON line for each act, written with one call and synced, so a
 * crash loses at most the line in hand. A torn last line is cut off at reopening.
 *
 * Where a line cannot be written the journal ends: lines behind a missing one would
 * say something else than what was done. */
#include "session/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "json/write.h"

#include "base/banned.h"

#define LINE_MAX_BYTES (64u << 20)
#define JOURNAL_MAX    (256u << 20)

struct kt_journal {
	int fd;
	uint64_t seq;
	char *path;
	off_t whole; /* bytes of whole lines */
	bool ended;  /* a line could not be written */
};

int kt_journal_open(const char *path, bool fresh, struct kt_journal **out, struct kt_err *err)
{
	int flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (fresh ? O_CREAT | O_EXCL : 0);
	int fd = open(path, flags, 0600);
	struct stat st;

	if (fd < 0)
		return kt_err_set(err, KT_ERR_OUTPUT, "%s: %s", path, strerror(errno));
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return kt_err_set(err, KT_ERR_INPUT, "%s: is no file", path);
	}
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		int why = errno;
		close(fd);
		return kt_err_set(
			err, KT_ERR_OUTPUT,
			why == EWOULDBLOCK
				? "%s: another ktriage writes this session; resume it there, or wait"
				: "%s: cannot be locked",
			path);
	}
	*out = kt_alloc(sizeof **out);
	(*out)->fd = fd;
	(*out)->path = kt_strdup(kt_str_c(path));
	return 0;
}

void kt_journal_close(struct kt_journal *take_j)
{
	if (!take_j)
		return;
	close(take_j->fd);
	kt_free(take_j->path);
	kt_free(take_j);
}

static int end_journal(struct kt_journal *j, const char *why, struct kt_err *err)
{
	j->ended = true;
	kt_err_set(err, KT_ERR_OUTPUT,
		   "%s: cannot be written: %s; what was done before is kept, what follows is not", j->path,
		   why);
	if (ftruncate(j->fd, j->whole) < 0)
		errno = 0; /* resuming cuts a torn line off, too */
	return -1;
}

static int write_line(struct kt_journal *j, struct kt_buf *line, struct kt_err *err)
{
	if (line->full)
		return end_journal(j, "an act is too large", err);
	if (kt_write_all(j->fd, line->p, line->len) < 0 || fdatasync(j->fd) < 0)
		return end_journal(j, strerror(errno), err);
	j->whole += (off_t)line->len;
	return 0;
}

bool kt_session_kept(const struct kt_session *s)
{
	return s->journal && !s->journal->ended;
}

int kt_journal_act(struct kt_session *s, const struct kt_act *act, struct kt_err *err)
{
	struct kt_buf line = KT_BUF(LINE_MAX_BYTES);

	if (!kt_session_kept(s))
		return 0;
	kt_act_write(s, act, s->journal->seq++, &line);
	int rc = write_line(s->journal, &line, err);
	kt_buf_free(&line);
	return rc;
}

static void note(struct kt_session *s, const char *text)
{
	if (s->ui && s->ui->note)
		s->ui->note(s->ui_ctx, kt_str_c(text));
}

void kt_journal_mark(struct kt_session *s, const char *type)
{
	struct kt_buf line = KT_BUF(256);
	struct kt_jw w = {.out = &line};
	struct kt_err err = {0};

	if (!kt_session_kept(s))
		return;
	kt_jw_open(&w, NULL, '{');
	kt_jw_int(&w, "v", 1);
	kt_jw_int(&w, "seq", (int64_t)s->journal->seq++);
	kt_jw_str(&w, "type", kt_str_c(type));
	kt_jw_close(&w);
	kt_buf_char(&line, '\n');
	if (write_line(s->journal, &line, &err) < 0)
		note(s, err.text);
	kt_buf_free(&line);
}

int kt_session_save(struct kt_session *s, const char *path, struct kt_err *err)
{
	struct kt_buf text = KT_BUF(JOURNAL_MAX);
	int rc;

	for (size_t i = 0; i < s->n_acts; i++)
		kt_act_write(s, s->acts[i], i, &text);
	if (text.full)
		rc = kt_err_set(err, KT_ERR_LIMIT, "%s: the session is larger than %u bytes", path,
				JOURNAL_MAX);
	else
		rc = kt_file_replace(path, kt_buf_view(&text), err);
	kt_buf_free(&text);
	return rc;
}

static void note_on(struct kt_session *s, const char *path, const char *text)
{
	struct kt_buf b = KT_BUF(KT_BUF_NAME);

	kt_buf_fmt(&b, "%s: %s", path, text);
	note(s, kt_buf_c(&b));
	kt_buf_free(&b);
}

/* False: it is no act. */
static bool take_line(struct kt_session *s, const struct kt_json *doc, size_t *lost)
{
	struct kt_str what, type = kt_json_str(kt_json_get(doc, "type"));

	if (kt_str_eq_c(type, "undo")) {
		kt_session_undo(s, &what);
		return true;
	}
	if (kt_str_eq_c(type, "redo")) {
		kt_session_redo(s, &what);
		return true;
	}
	struct kt_act *act = kt_act_read(s, doc, lost);
	if (act && kt_act_add(s, act, NULL) < 0)
		(*lost)++;
	return act != NULL;
}

/* Reads the whole lines; gives the length of what is whole. */
static size_t take_lines(struct kt_session *s, const char *path, struct kt_str text, uint64_t *seq)
{
	size_t at = 0, lost = 0, bad = 0;

	for (size_t end; (end = kt_str_chr(text, '\n', at)) != KT_NPOS; at = end + 1) {
		struct kt_json *doc = kt_json_parse(kt_str_sub(text, at, end - at), NULL);
		if (take_line(s, doc, &lost)) {
			int64_t n = kt_json_int(kt_json_get(doc, "seq"), -1);
			*seq = n >= 0 ? (uint64_t)n + 1 : *seq;
		} else {
			bad++;
		}
		kt_json_free(doc);
	}
	if (bad)
		note_on(s, path, "some lines are damaged and were left out");
	if (lost)
		note_on(s, path, "some observations name rules that are gone, and were left out");
	if (at < text.len)
		note_on(s, path, "the last line is torn and was cut off");
	return at;
}

/* Nothing is cut off or added to a file that is no journal: its first line is an act,
 * or, where even that is torn, begins as one. */
static bool is_journal(struct kt_str text)
{
	static const struct kt_str start = {"{\"v\":1,\"seq\":", 13};
	size_t end = kt_str_chr(text, '\n', 0);

	if (end == KT_NPOS)
		return kt_str_starts(text, start) || kt_str_starts(start, text);
	struct kt_json *doc = kt_json_parse(kt_str_sub(text, 0, end), NULL);
	bool is = kt_json_int(kt_json_get(doc, "v"), 0) == 1 && kt_json_str(kt_json_get(doc, "type")).len;
	kt_json_free(doc);
	return is;
}

static int read_journal(const char *path, struct kt_buf *text, struct kt_err *err)
{
	if (kt_file_read(path, text, err) < 0)
		return -1;
	if (!is_journal(kt_buf_view(text)))
		return kt_err_set(err, KT_ERR_INPUT,
				  "%s: is no session of ktriage; nothing of it was changed", path);
	return 0;
}

int kt_session_resume(struct kt_session *s, const char *path, struct kt_err *err)
{
	struct kt_buf text = KT_BUF(JOURNAL_MAX);
	struct kt_journal *j = NULL;
	uint64_t seq = 0;
	int rc = -1;

	if (kt_journal_open(path, false, &j, err) < 0 || read_journal(path, &text, err) < 0)
		goto out;
	kt_journal_close(s->journal);
	s->journal = NULL;
	size_t whole = take_lines(s, path, kt_buf_view(&text), &seq);
	if (whole < text.len && ftruncate(j->fd, (off_t)whole) < 0) {
		kt_err_set(err, KT_ERR_OUTPUT, "%s: its torn tail cannot be cut off: %s", path,
			   strerror(errno));
		goto out;
	}
	s->journal = j;
	j->seq = seq;
	j->whole = (off_t)whole;
	j = NULL;
	rc = 0;
out:
	kt_journal_close(j);
	kt_buf_free(&text);
	return rc;
}

int kt_session_path(struct kt_buf *out, struct kt_err *err)
{
	char stamp[32];
	time_t now = time(NULL);
	struct tm tm;

	if (kt_file_xdg("XDG_STATE_HOME", ".local/state", out, err) < 0)
		return -1;
	kt_buf_str(out, "/sessions");
	if (mkdir(kt_buf_c(out), 0700) < 0 && errno != EEXIST)
		return kt_err_set(err, KT_ERR_OUTPUT, "%s: cannot be made: %s", kt_buf_c(out),
				  strerror(errno));
	gmtime_r(&now, &tm);
	strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &tm);
	kt_buf_fmt(out, "/%s-%ld.jsonl", stamp, (long)getpid());
	return 0;
}
