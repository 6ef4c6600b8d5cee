#include "term/lineedit.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/alloc.h"
#include "term/escape.h"
#include "term/lineedit_rl.h"
#include "term/pager.h"
#include "term/pastes.h"
#include "term/signals.h"

#include "base/banned.h"

#define READ_SIZE 16384
#define CTRL_D    4
#define PAUSE_MS  250 /* a text in a pipe comes without such a pause */

struct kt_edit {
	struct kt_edit_opts opts;
	bool interactive;
	struct kt_buf read; /* bytes that were read and not used yet */
	size_t used;        /* of READ */
	size_t scanned;     /* of READ: no line feed from USED to here */
	bool at_end;
	int error; /* errno of a failed read */
	bool raw;  /* the terminal gives bytes, not lines; before, it was as in OLD */
	struct termios old;
};

struct kt_edit *kt_edit_new(const struct kt_edit_opts *opts)
{
	struct kt_edit *e = kt_alloc(sizeof *e);

	e->opts = *opts;
	e->interactive = !opts->plain && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	e->read = KT_BUF(KT_EDIT_PASTE_MAX);
	kt_signal_init();
	if (e->interactive)
		kt_rl_init(opts);
	return e;
}

void kt_edit_free(struct kt_edit *take_e)
{
	if (!take_e)
		return;
	if (take_e->interactive)
		kt_rl_end();
	kt_buf_free(&take_e->read);
	kt_free(take_e);
}

int kt_edit_error(const struct kt_edit *e)
{
	return e->error;
}

bool kt_edit_interactive(const struct kt_edit *e)
{
	return e->interactive;
}

void kt_edit_input_free(struct kt_edit_input *in)
{
	in->text.max = KT_EDIT_PASTE_MAX;
	kt_buf_free(&in->text);
	in->pasted = 0;
	in->whole = in->cut = false;
}

/* ---- without an editor ---- */

enum wait { WAIT_READ, WAIT_CANCEL, WAIT_END };

static void make_room(struct kt_edit *e)
{
	kt_buf_drop(&e->read, e->used);
	e->scanned -= e->used < e->scanned ? e->used : e->scanned;
	e->used = 0;
}

/* Waits for bytes or a signal and takes the bytes. There is room for some. */
static enum wait fill(struct kt_edit *e)
{
	struct pollfd p[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
			      {.fd = kt_signal_fd(), .events = POLLIN}};
	char chunk[READ_SIZE];

	make_room(e);
	if (poll(p, 2, -1) < 0 && errno != EINTR)
		return WAIT_END;
	if (kt_signal_ending())
		return WAIT_END;
	if (kt_signal_cancelled()) {
		kt_signal_clear();
		e->used = e->scanned = e->read.len;
		return WAIT_CANCEL;
	}
	if (!p[0].revents) {
		while (kt_signal_take())
			; /* a signal that means nothing here */
		return WAIT_READ;
	}
	size_t room = e->read.max - e->read.len;
	ssize_t n = kt_read(STDIN_FILENO, chunk, room < sizeof chunk ? room : sizeof chunk);
	if (n == 0 && e->raw && !(p[0].revents & POLLHUP))
		return WAIT_READ;
	if (n <= 0) {
		e->error = n < 0 ? errno : 0;
		/* Half a line is no command. */
		if (n < 0)
			e->used = e->scanned = e->read.len;
		e->at_end = true;
		return WAIT_END;
	}
	kt_buf_add(&e->read, (struct kt_str){chunk, (size_t)n});
	return WAIT_READ;
}

/* Cuts a line off what was read; false when there is no whole one yet. The last
 * line needs no line feed, one beyond the ceiling is cut. */
static bool cut_line(struct kt_edit *e, struct kt_str *line)
{
	struct kt_str all = kt_buf_view(&e->read);
	size_t from = e->scanned > e->used ? e->scanned : e->used;
	size_t at = kt_str_chr(all, '\n', from);
	bool found = at != KT_NPOS;

	e->scanned = found ? at + 1 : all.len;
	if (!found && !(all.len > e->used && e->at_end) && all.len - e->used < e->read.max)
		return false;
	*line = kt_str_sub(all, e->used, found ? at - e->used : KT_NPOS);
	e->used += line->len + found;
	if (line->len && line->p[line->len - 1] == '\r')
		line->len--;
	return true;
}

/* The next line without its end, a view into E that the next call ends. */
static enum kt_edit_event next_line(struct kt_edit *e, struct kt_str *line)
{
	while (!cut_line(e, line)) {
		if (e->at_end)
			return KT_EDIT_END;
		enum wait w = fill(e);
		if (w == WAIT_CANCEL)
			return KT_EDIT_CANCEL;
		if (w == WAIT_END && !e->at_end)
			return KT_EDIT_END;
	}
	return KT_EDIT_INPUT;
}

/* A line can be had without a long wait: who writes into a pipe may wait for us. */
static bool line_waits(const struct kt_edit *e)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};

	return kt_str_chr(kt_buf_view(&e->read), '\n', e->used) != KT_NPOS ||
	       (!e->at_end && poll(&p, 1, PAUSE_MS) > 0) || (e->at_end && e->read.len > e->used);
}

static enum kt_line_kind kind_of(const struct kt_edit *e, struct kt_str line)
{
	return e->opts.kind ? e->opts.kind(e->opts.ctx, line) : KT_LINE_OTHER;
}

/* A text goes on with lines that read like text, that are indented or empty. */
static bool goes_on(const struct kt_edit *e, struct kt_str line)
{
	enum kt_line_kind kind = kind_of(e, line);
	bool indented = line.len == 0 || line.p[0] == ' ' || line.p[0] == '\t';

	return kind == KT_LINE_TEXT || (kind == KT_LINE_OTHER && indented);
}

/* Joins the lines of a text behind its first. */
static void join_text(struct kt_edit *e, struct kt_edit_input *out)
{
	struct kt_str line;
	size_t lines = 1;

	while (line_waits(e) && next_line(e, &line) == KT_EDIT_INPUT) {
		if (!goes_on(e, line)) {
			e->used = e->scanned = (size_t)(line.p - e->read.p);
			break;
		}
		kt_buf_char(&out->text, '\n');
		kt_buf_add(&out->text, line);
		lines++;
	}
	out->pasted = lines > 1 ? lines : 0;
	out->whole = lines > 1;
	out->cut = out->text.full;
}

static enum kt_edit_event plain_read(struct kt_edit *e, struct kt_edit_input *out)
{
	struct kt_str line;
	enum kt_edit_event event = next_line(e, &line);

	kt_edit_input_free(out);
	if (event != KT_EDIT_INPUT)
		return event;
	kt_buf_add(&out->text, line);
	if (kind_of(e, line) == KT_LINE_TEXT)
		join_text(e, out);
	return KT_EDIT_INPUT;
}

/* ---- the choice between the two ---- */

enum kt_edit_event kt_edit_read(struct kt_edit *e, const char *prompt, struct kt_edit_input *out)
{
	if (e->interactive)
		return kt_rl_read(prompt, false, out);
	enum kt_edit_event event;
	do
		event = plain_read(e, out);
	while (event == KT_EDIT_CANCEL);
	return event;
}

enum kt_edit_event kt_edit_ask(struct kt_edit *e, const char *prompt, struct kt_edit_input *out)
{
	struct kt_str line;

	if (e->interactive)
		return kt_rl_read(prompt, true, out);
	enum kt_edit_event event = next_line(e, &line);
	kt_edit_input_free(out);
	if (event == KT_EDIT_INPUT)
		kt_buf_add(&out->text, line);
	return event;
}

/* A terminal gives whole lines of 4 kB at most; without ICANON of any length. */
static bool long_lines(struct termios *old)
{
	struct termios t;

	if (tcgetattr(STDIN_FILENO, old) < 0)
		return false;
	t = *old;
	t.c_lflag &= ~(tcflag_t)ICANON;
	t.c_cc[VMIN] = 0; /* ^C empties the terminal between poll and read: the read must not wait */
	t.c_cc[VTIME] = 0;
	return tcsetattr(STDIN_FILENO, TCSANOW, &t) == 0;
}

static bool ends_raw(struct kt_str line)
{
	return kt_str_eq_c(line, ".") || (line.len && line.p[0] == CTRL_D);
}

/* ^D is no end without ICANON: it arrives as a byte at the start of a line. */
static bool ctrl_d_waits(const struct kt_edit *e)
{
	return e->read.len > e->used && e->read.p[e->used] == CTRL_D;
}

static enum kt_edit_event raw_lines(struct kt_edit *e, struct kt_edit_input *out)
{
	struct kt_str line;
	enum kt_edit_event event;

	for (;;) {
		if (e->read.len == e->used && !e->at_end) {
			enum wait w = fill(e);
			if (w == WAIT_CANCEL)
				return KT_EDIT_CANCEL;
		}
		if (e->interactive && ctrl_d_waits(e)) {
			e->used++;
			return KT_EDIT_INPUT;
		}
		if ((event = next_line(e, &line)) != KT_EDIT_INPUT)
			return event == KT_EDIT_END && out->pasted ? KT_EDIT_INPUT : event;
		if (ends_raw(line))
			return KT_EDIT_INPUT;
		kt_buf_add(&out->text, line);
		kt_buf_char(&out->text, '\n');
		out->pasted++;
	}
}

void kt_edit_raw_ready(struct kt_edit *e)
{
	if (e->interactive && !e->raw)
		e->raw = long_lines(&e->old);
}

enum kt_edit_event kt_edit_raw(struct kt_edit *e, struct kt_edit_input *out)
{
	kt_edit_raw_ready(e);
	kt_edit_input_free(out);
	enum kt_edit_event event = raw_lines(e, out);
	if (e->raw)
		tcsetattr(STDIN_FILENO, TCSANOW, &e->old);
	e->raw = false;
	if (e->interactive) {
		kt_rl_typed_ahead(kt_str_from(kt_buf_view(&e->read), e->used));
		e->used = e->read.len;
	}
	if (out->text.len)
		kt_buf_cut(&out->text, out->text.len - 1);
	out->whole = true;
	out->cut = out->text.full;
	return event;
}

void kt_edit_notice(struct kt_edit *e, struct kt_str text)
{
	struct kt_buf safe = KT_BUF(KT_BUF_TEXT);

	kt_escape(&safe, text, KT_ESC_TEXT);
	kt_buf_char(&safe, '\n');
	bool above = e->interactive && kt_rl_notice(kt_str_sub(kt_buf_view(&safe), 0, safe.len - 1));
	if (!above && kt_write_all(STDERR_FILENO, safe.p, safe.len) < 0)
		errno = 0; /* nowhere to say it */
	kt_buf_free(&safe);
}
