#include "term/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/banned.h"

static int pipe_fd[2] = {-1, -1};
static volatile sig_atomic_t ending;
volatile sig_atomic_t kt_signal_flag;

static void on_signal(int sig)
{
	int saved = errno;
	unsigned char byte = (unsigned char)sig;

	if (sig == SIGTERM || sig == SIGHUP)
		ending = 1;
	if (sig == SIGINT || ending)
		kt_signal_flag = 1;
	/* A full pipe is fine: it is readable then. */
	if (write(pipe_fd[1], &byte, 1) < 0)
		errno = saved;
	errno = saved;
}

static void catch (int sig)
{
	struct sigaction sa = {.sa_handler = on_signal};
	struct sigaction old;

	sigemptyset(&sa.sa_mask);
	/* What the parent had ignored (nohup) stays ignored. */
	if (sigaction(sig, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
		return;
	sigaction(sig, &sa, NULL);
}

void kt_signal_init(void)
{
	if (pipe_fd[0] < 0 && pipe2(pipe_fd, O_NONBLOCK | O_CLOEXEC) < 0)
		return;
	catch (SIGINT);
	catch (SIGTERM);
	catch (SIGHUP);
	catch (SIGWINCH);
	signal(SIGPIPE, SIG_IGN);
}

int kt_signal_fd(void)
{
	return pipe_fd[0];
}

int kt_signal_take(void)
{
	unsigned char byte;

	if (pipe_fd[0] < 0 || read(pipe_fd[0], &byte, 1) != 1)
		return 0;
	return byte;
}

bool kt_signal_cancelled(void)
{
	return kt_signal_flag;
}

void kt_signal_clear(void)
{
	while (kt_signal_take())
		;
	kt_signal_flag = ending;
}

bool kt_signal_ending(void)
{
	return ending;
}

void kt_signal_catch_stop(bool on)
{
	struct sigaction old;

	if (on)
		catch (SIGTSTP);
	else if (sigaction(SIGTSTP, NULL, &old) == 0 && old.sa_handler == on_signal)
		signal(SIGTSTP, SIG_DFL);
}
