/* What the session asks of the shell while it works. */
#include <unistd.h>

#include "base/alloc.h"
#include "cli/shell_in.h"
#include "term/escape.h"
#include "term/signals.h"

#include "base/banned.h"

static void note(void *ctx, struct kt_str text)
{
	struct kt_shell *sh = ctx;

	kt_progress_end(&sh->progress);
	kt_edit_notice(sh->edit, text);
}

static void progress(void *ctx, const char *what, uint64_t done, uint64_t total)
{
	struct kt_shell *sh = ctx;

	kt_progress_tick(&sh->progress, kt_str_c(what), done, total);
}

bool kt_shell_cancelled(void *ctx)
{
	struct kt_shell *sh = ctx;

	/* A cluster that is waited for asks this all the time, too. */
	kt_progress_tick(&sh->progress, sh->work, 0, 0);
	return kt_signal_cancelled();
}

static bool yes(struct kt_str s)
{
	s = kt_str_trim(s);
	return kt_str_ieq(s, KT_S("y")) || kt_str_ieq(s, KT_S("yes"));
}

static bool confirm(void *ctx, struct kt_str command, struct kt_str why)
{
	struct kt_shell *sh = ctx;
	struct kt_edit_input in = {0};

	kt_progress_end(&sh->progress);
	kt_shell_say(sh, KT_FMT, KT_ARG(command));
	kt_shell_say(sh, "This one is sent only when you say so%s" KT_FMT ".", why.len ? ": " : "",
		     KT_ARG(why));
	kt_shell_flush(sh, false);
	bool sent = kt_edit_ask(sh->edit, "Send it? [y/N] ", &in) == KT_EDIT_INPUT &&
		    yes(kt_buf_view(&in.text));
	kt_edit_input_free(&in);
	return sent;
}

const struct kt_ui kt_shell_ui = {
	.note = note,
	.progress = progress,
	.cancelled = kt_shell_cancelled,
	.stop = &kt_signal_flag,
	.confirm = confirm,
};
