/* sessions: what was saved, newest first. */
#include "cli/cli.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"

#include "base/banned.h"

static int newest_first(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*b)->d_name, (*a)->d_name);
}

static int is_journal(const struct dirent *d)
{
	return kt_str_ends(kt_str_c(d->d_name), KT_S(".jsonl"));
}

enum kt_exit kt_run_sessions(struct kt_args *a)
{
	struct kt_buf dir = KT_BUF(KT_BUF_NAME), out = KT_BUF(KT_BUF_TEXT);
	struct kt_err err = {0};
	struct dirent **names = NULL;
	enum kt_exit rc;

	(void)a;
	if (kt_file_xdg("XDG_STATE_HOME", ".local/state", &dir, &err) < 0) {
		rc = kt_fail(&err);
		goto out;
	}
	kt_buf_str(&dir, "/sessions");
	int n = scandir(kt_buf_c(&dir), &names, is_journal, newest_first);
	for (int i = 0; i < n; i++) {
		kt_buf_fmt(&out, "%s/%s\n", kt_buf_c(&dir), names[i]->d_name);
		free(names[i]);
	}
	free(names);
	if (!out.len)
		kt_buf_str(&out, "No session is saved. diagnose --save and the shell keep them.\n");
	rc = kt_answer_out(&out, true, KT_EXIT_FOUND);
out:
	kt_buf_free(&dir);
	kt_buf_free(&out);
	return rc;
}
