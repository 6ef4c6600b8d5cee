/* Signals as bytes in a pipe.
 *
 * A handler may do next to nothing, so it writes the signal's number into a pipe
 * and sets a flag; whoever waits puts kt_signal_fd into its poll, whoever works
 * asks kt_signal_cancelled between two pieces of work. SIGPIPE is ignored: writes
 * fail instead.
 */
#ifndef KT_TERM_SIGNALS_H
#define KT_TERM_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Catches SIGINT, SIGTERM, SIGHUP and SIGWINCH. May be called again. */
void kt_signal_init(void);
/* Readable while a signal waits; -1 before kt_signal_init. */
int kt_signal_fd(void);
/* Next signal that waits, or 0. */
int kt_signal_take(void);

/* Not 0 while kt_signal_cancelled is true; for those who wait in a system call. */
extern volatile sig_atomic_t kt_signal_flag;
/* ^C was pressed (or an end was asked for) since the last kt_signal_clear. */
bool kt_signal_cancelled(void);
/* Forgets ^C and what waits in the pipe; an asked end (TERM, HUP) stays. */
void kt_signal_clear(void);
/* SIGTERM or SIGHUP came: finish soon. */
bool kt_signal_ending(void);
/* ^Z as a byte in the pipe too, while a line is edited: the terminal must be put
 * in order before the program stops. */
void kt_signal_catch_stop(bool on);

#endif
