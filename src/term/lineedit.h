/* Reading what a person types, pastes or pipes in.
 *
 * On a terminal this is readline: editing, history, completion. A paste that the
 * terminal marks as one (bracketed paste) is ONE input of any size: it is held
 * aside, and "[pasted 213 lines]" stands in the line instead. When stdin or stdout
 * is no terminal, lines are read as they come, and the lines of a text (a stack
 * trace in a pipe) are joined to one input.
 *
 * ^C at the prompt gives the line up; ^D on an empty line ends. Signals come
 * through term/signals.h.
 *
 *     struct kt_edit *e = kt_edit_new(&(struct kt_edit_opts){.history = path});
 *     struct kt_edit_input in = {0};
 *     while (kt_edit_read(e, "> ", &in) == KT_EDIT_INPUT) ...
 *     kt_edit_input_free(&in);
 *     kt_edit_free(e);
 */
#ifndef KT_TERM_LINEEDIT_H
#define KT_TERM_LINEEDIT_H

#include "base/arena.h"
#include "base/buf.h"

struct kt_edit;

enum kt_edit_event {
	KT_EDIT_INPUT,
	KT_EDIT_CANCEL, /* ^C where the caller waits for it: kt_edit_ask, kt_edit_raw */
	KT_EDIT_END,    /* ^D, end of the pipe, SIGTERM, a closed terminal */
};

/* What a line is, so that the lines of a text can be joined. */
enum kt_line_kind { KT_LINE_OTHER, KT_LINE_COMMAND, KT_LINE_TEXT };

/* Completions of one word. */
struct kt_edit_words {
	struct kt_arena arena;
	struct kt_str *list;
	size_t n, cap;
	struct kt_str typed; /* what stands there already */
	bool files;          /* they are paths */
};

struct kt_edit_opts {
	const char *history; /* file, made with mode 0600; NULL: none */
	enum kt_line_kind (*kind)(void *ctx, struct kt_str line);
	/* May LINE be kept in the history? NULL: yes. */
	bool (*keep)(void *ctx, struct kt_str line);
	/* Completions of LINE[at..], the word under the cursor, which ends LINE. */
	void (*complete)(void *ctx, struct kt_str line, size_t at, struct kt_edit_words *out);
	void *ctx;
	bool plain; /* no readline even on a terminal */
};

struct kt_edit_input {
	struct kt_buf text; /* with the pastes in their places, without a last line feed */
	size_t pasted;      /* lines that were pasted; 0: all typed */
	bool whole;         /* nothing but pastes */
	bool cut;           /* a paste was longer than the ceiling: its end is missing */
};

#define KT_EDIT_PASTE_MAX (64u << 20) /* bytes of one input */

struct kt_edit *kt_edit_new(const struct kt_edit_opts *opts);
void kt_edit_free(struct kt_edit *take_e);
/* errno of a read that failed and ended the input, or 0. */
int kt_edit_error(const struct kt_edit *e);
/* A person sits at both ends. */
bool kt_edit_interactive(const struct kt_edit *e);

enum kt_edit_event kt_edit_read(struct kt_edit *e, const char *prompt, struct kt_edit_input *out);
void kt_edit_input_free(struct kt_edit_input *in);

/* One line as the answer to a question: no history, no completion. */
enum kt_edit_event kt_edit_ask(struct kt_edit *e, const char *prompt, struct kt_edit_input *out);
/* Readies the terminal for kt_edit_raw. To be called before the person is told to type:
 * what arrives while the terminal changes its mode may not be seen until more comes. */
void kt_edit_raw_ready(struct kt_edit *e);
/* Lines as they are, up to a line with nothing but "." or the end. */
enum kt_edit_event kt_edit_raw(struct kt_edit *e, struct kt_edit_input *out);

/* Prints TEXT, escaped, above the prompt while a line is being edited, else on stderr. */
void kt_edit_notice(struct kt_edit *e, struct kt_str text);

/* Offers WORD if it goes on from what is typed and is harmless on a terminal. */
void kt_edit_offer(struct kt_edit_words *out, struct kt_str word);
/* Offers the files that fit. */
void kt_edit_offer_files(struct kt_edit_words *out);

#endif
