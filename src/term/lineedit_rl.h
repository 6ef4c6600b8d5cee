/* The line editor behind lineedit.h on a terminal. lineedit_rl.c is the only file
 * that knows readline; since readline keeps its state in globals, there is one
 * editor in a process. */
#ifndef KT_TERM_LINEEDIT_RL_H
#define KT_TERM_LINEEDIT_RL_H

#include "term/lineedit.h"

void kt_rl_init(const struct kt_edit_opts *opts);
void kt_rl_end(void);
/* QUESTION: no history, no completion, and ^C is an event. */
enum kt_edit_event kt_rl_read(const char *prompt, bool question, struct kt_edit_input *out);
/* Above the prompt; false when no line is being edited. */
bool kt_rl_notice(struct kt_str safe);
/* Bytes that somebody else read from the terminal and did not use. */
void kt_rl_typed_ahead(struct kt_str bytes);

#endif
