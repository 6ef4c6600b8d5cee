#include "term/lineedit_rl.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "base/alloc.h"
#include "term/pastes.h"
#include "term/signals.h"

#include "base/banned.h"

#define HISTORY_ENTRIES   1000
#define HISTORY_ENTRY_MAX 4096u /* bytes; longer inputs are not kept */
#define BURST_MS          100   /* a paste without marks comes without such a pause */

static const char paste_begin[] = "\033[200~", paste_end[] = "\033[201~";

/* What readline's callbacks need; readline has no place for it. */
static struct {
	struct kt_edit_opts opts;
	struct kt_pastes pastes;
	struct kt_buf pushback;     /* read too much behind the end of a paste */
	struct kt_edit_words words; /* of the completion in hand */
	size_t next_word;
	struct kt_edit_input *out;
	bool question, done, ended, cancelled;
	bool reading; /* a line is being edited */
} rl;

/* ---- bytes ---- */

static bool readable(int timeout_ms)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};

	return rl.pushback.len || poll(&p, 1, timeout_ms) > 0;
}

static int get_byte(FILE *unused)
{
	unsigned char byte;
	ssize_t n;

	(void)unused;
	if (rl.pushback.len) {
		byte = (unsigned char)rl.pushback.p[0];
		kt_buf_drop(&rl.pushback, 1);
		return byte;
	}
	while ((n = read(STDIN_FILENO, &byte, 1)) < 0 && (errno == EINTR || errno == EAGAIN))
		if (errno == EAGAIN)
			readable(-1);
	return n == 1 ? byte : EOF;
}

/* For readline: how long it is ready to wait can only be asked this way. */
static int input_available(void)
{
	return readable(rl_set_keyboard_input_timeout(-1) / 1000);
}

/* Waits for more of a paste; false on ^C or at the end. */
static bool more_of_paste(struct kt_buf *text)
{
	struct pollfd p[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
			      {.fd = kt_signal_fd(), .events = POLLIN}};
	char chunk[16384];

	if (rl.pushback.len) {
		kt_buf_add(text, kt_buf_view(&rl.pushback));
		kt_buf_clear(&rl.pushback);
		return true;
	}
	while (poll(p, 2, -1) < 0)
		if (errno != EINTR)
			return false;
	if (p[1].revents)
		return false; /* the prompt's loop finds the signal in the pipe */
	ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);
	if (n > 0)
		kt_buf_add(text, (struct kt_str){chunk, (size_t)n});
	return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

/* Reads up to the end mark. TAIL keeps what did not fit, so that the mark is found
 * behind a paste beyond the ceiling too. */
static bool read_paste(struct kt_buf *text)
{
	struct kt_buf tail = KT_BUF(1u << 20);
	struct kt_str mark = kt_str_c(paste_end);
	size_t from = 0, at;
	bool ok = true;

	while ((at = kt_str_find(kt_buf_view(&tail), mark, from)) == KT_NPOS && ok) {
		/* All but a possible start of the mark is text. */
		if (tail.len > mark.len) {
			kt_buf_add(text, kt_str_sub(kt_buf_view(&tail), 0, tail.len - mark.len));
			kt_buf_drop(&tail, tail.len - mark.len);
		}
		ok = more_of_paste(&tail);
	}
	if (ok) {
		kt_buf_add(text, kt_str_sub(kt_buf_view(&tail), 0, at));
		kt_buf_add(&rl.pushback, kt_str_from(kt_buf_view(&tail), at + mark.len));
	}
	kt_buf_free(&tail);
	return ok;
}

static void insert_text(struct kt_str s)
{
	char *c = kt_strdup(s);

	rl_insert_text(c);
	kt_free(c);
}

static int on_paste(int count, int key)
{
	struct kt_buf text = KT_BUF(KT_EDIT_PASTE_MAX);

	(void)count;
	(void)key;
	if (!read_paste(&text)) {
		kt_buf_free(&text);
		return 0;
	}
	kt_paste_unify(&text);
	if (kt_paste_is_short(kt_buf_view(&text))) {
		insert_text(kt_buf_view(&text));
		kt_buf_free(&text);
	} else {
		insert_text(kt_pastes_hold(&rl.pastes, text));
	}
	return 0;
}

/* ---- completion ---- */

static void words_free(void)
{
	kt_arena_free(&rl.words.arena);
	kt_free(rl.words.list);
	rl.words = (struct kt_edit_words){0};
	rl.next_word = 0;
}

/* readline frees what it gets, so it must be malloc's. */
static char *next_word(const char *text, int state)
{
	(void)text;
	(void)state;
	if (rl.next_word == rl.words.n)
		return NULL;
	struct kt_str w = rl.words.list[rl.next_word++];
	return strndup(w.p, w.len);
}

static char **complete(const char *text, int start, int end)
{
	struct kt_str line = {rl_line_buffer, (size_t)end};

	rl_attempted_completion_over = 1; /* no file names where none are wanted */
	if (!rl.opts.complete || rl.question)
		return NULL;
	words_free();
	rl.words.typed = kt_str_c(text);
	rl.opts.complete(rl.opts.ctx, line, (size_t)start, &rl.words);
	rl_filename_completion_desired = rl.words.files;
	return rl_completion_matches(text, next_word);
}

/* ---- history ---- */

static void history_open(void)
{
	using_history();
	history_comment_char = '#';
	history_write_timestamps = 1; /* entries of several lines survive only with these */
	stifle_history(HISTORY_ENTRIES);
	if (!rl.opts.history)
		return;
	int fd = open(rl.opts.history, O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0) {
		rl.opts.history = NULL;
		return;
	}
	if (fchmod(fd, 0600) < 0)
		rl.opts.history = NULL;
	close(fd);
	if (rl.opts.history)
		read_history(rl.opts.history);
}

static bool same_as_last(const char *line)
{
	HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;

	return last && strcmp(last->line, line) == 0;
}

static void remember(struct kt_str line)
{
	if (!kt_str_trim(line).len || line.len > HISTORY_ENTRY_MAX || memchr(line.p, 0, line.len))
		return;
	if (rl.opts.keep && !rl.opts.keep(rl.opts.ctx, line))
		return;
	char *c = kt_strdup(line);
	if (!same_as_last(c)) {
		add_history(c);
		if (rl.opts.history)
			append_history(1, rl.opts.history);
	}
	kt_free(c);
}

/* ---- one line ---- */

/* Lines of a paste that the terminal did not mark come in one burst behind the
 * first. Only a text is joined: commands typed ahead stay commands. */
static void join_burst(struct kt_edit_input *out)
{
	char chunk[4096];
	ssize_t n = 1;

	if (!rl.opts.kind || rl.question || out->pasted || !readable(0) ||
	    rl.opts.kind(rl.opts.ctx, kt_buf_view(&out->text)) != KT_LINE_TEXT)
		return;
	rl_prep_terminal(1);
	kt_buf_char(&out->text, '\n');
	while (n > 0 && readable(BURST_MS)) {
		n = read(STDIN_FILENO, chunk, sizeof chunk);
		if (n > 0)
			kt_buf_add(&out->text, (struct kt_str){chunk, (size_t)n});
	}
	rl_deprep_terminal();
	kt_paste_unify(&out->text);
	while (out->text.len && out->text.p[out->text.len - 1] == '\n')
		kt_buf_cut(&out->text, out->text.len - 1);
	out->pasted = 1;
	for (size_t i = 0; i < out->text.len; i++)
		out->pasted += out->text.p[i] == '\n';
	out->whole = true;
}

static void on_line(char *line)
{
	rl_callback_handler_remove(); /* the terminal is in its usual modes while we work */
	rl.done = true;
	if (!line) {
		rl.ended = true;
		fputc('\n', stdout);
		fflush(stdout);
		return;
	}
	kt_pastes_expand(&rl.pastes, kt_str_c(line), rl.out);
	free(line);
	join_burst(rl.out);
	if (!rl.question)
		remember(kt_buf_view(&rl.out->text));
}

static void give_line_up(void)
{
	rl_free_line_state();
	rl_callback_sigcleanup();
	kt_pastes_clear(&rl.pastes);
	rl_replace_line("", 0);
	fputs("^C\n", stdout);
	kt_signal_clear();
	if (rl.question) {
		rl_callback_handler_remove();
		rl.done = rl.cancelled = true;
		fflush(stdout);
		return;
	}
	rl_on_new_line();
	rl_redisplay();
}

static void stop(void)
{
	rl_deprep_terminal();
	fputc('\n', stdout);
	fflush(stdout);
	kt_signal_catch_stop(false);
	raise(SIGTSTP);
	kt_signal_catch_stop(true);
	rl_prep_terminal(1);
	rl_on_new_line();
	rl_redisplay();
}

static void on_signals(void)
{
	for (int sig; !rl.done && (sig = kt_signal_take());) {
		if (sig == SIGWINCH)
			rl_resize_terminal();
		else if (sig == SIGINT)
			give_line_up();
		else if (sig == SIGTSTP)
			stop();
		else
			rl.done = rl.ended = true;
	}
}

static void wait_and_feed(void)
{
	struct pollfd p[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
			      {.fd = kt_signal_fd(), .events = POLLIN}};

	if (rl.pushback.len) {
		rl_callback_read_char();
		return;
	}
	if (poll(p, 2, -1) < 0)
		return; /* EINTR: the pipe tells why */
	if (p[1].revents)
		on_signals();
	if (!rl.done && p[0].revents)
		rl_callback_read_char();
}

enum kt_edit_event kt_rl_read(const char *prompt, bool question, struct kt_edit_input *out)
{
	rl.out = out;
	rl.question = question;
	rl.done = rl.ended = rl.cancelled = false;
	kt_signal_clear();
	kt_signal_catch_stop(true);
	rl_reset_screen_size(); /* it may have changed while we worked */
	rl.reading = true;
	rl_callback_handler_install(prompt, on_line);
	while (!rl.done) {
		if (kt_signal_ending())
			rl.done = rl.ended = true;
		else
			wait_and_feed();
	}
	rl_callback_handler_remove();
	rl.reading = false;
	kt_signal_catch_stop(false);
	kt_pastes_clear(&rl.pastes);
	return rl.cancelled ? KT_EDIT_CANCEL : rl.ended ? KT_EDIT_END : KT_EDIT_INPUT;
}

void kt_rl_typed_ahead(struct kt_str bytes)
{
	kt_buf_add(&rl.pushback, bytes);
}

bool kt_rl_notice(struct kt_str safe)
{
	if (!rl.reading)
		return false;
	rl_clear_visible_line();
	fwrite(safe.p, 1, safe.len, stdout);
	fputc('\n', stdout);
	rl_on_new_line();
	rl_redisplay();
	return true;
}

/* ---- start and end ---- */

/* Without a locale readline would edit bytes; what people paste is UTF-8. */
static void use_utf8(void)
{
	if (!setlocale(LC_CTYPE, "") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		setlocale(LC_CTYPE, "C.UTF-8");
}

static void bind_paste(void)
{
	rl_bind_keyseq_in_map(paste_begin, on_paste, emacs_standard_keymap);
	rl_bind_keyseq_in_map(paste_begin, on_paste, vi_insertion_keymap);
	rl_bind_keyseq_in_map(paste_begin, on_paste, vi_movement_keymap);
}

void kt_rl_init(const struct kt_edit_opts *opts)
{
	static char name[] = "ktriage";

	rl.opts = *opts;
	rl.pushback = KT_BUF(1u << 20);
	use_utf8();
	rl_readline_name = name;
	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_getc_function = get_byte;
	rl_input_available_hook = input_available;
	rl_attempted_completion_function = complete;
	rl_basic_word_break_characters = " \t\n";
	rl_completer_quote_characters = "\"'";
	rl_filename_quote_characters = " \t";
	rl_variable_bind("enable-bracketed-paste", "on");
	rl_variable_bind("bell-style", "none");
	rl_initialize();
	bind_paste();
	history_open();
}

void kt_rl_end(void)
{
	if (rl.opts.history)
		history_truncate_file(rl.opts.history, HISTORY_ENTRIES);
	clear_history();
	kt_pastes_clear(&rl.pastes);
	kt_buf_free(&rl.pushback);
	words_free();
}
