/* A journal from a disk: resumed, judged, reported, saved and resumed again. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "author/author.h"
#include "base/alloc.h"
#include "base/file.h"
#include "report/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct kt_kb *base(void)
{
	static struct kt_rules *rules;
	struct kt_author_hooks hooks;
	struct kt_diags diags = {0};
	struct kt_err err = {0};

	if (rules)
		return rules->kb;
	kt_author_hooks_init(&hooks);
	if (kt_rules_load(KT_RULES_SOURCE, &hooks.hooks, &rules, &diags, &err) < 0) {
		fprintf(stderr, "fuzz: %s\n", err.text);
		abort();
	}
	kt_author_hooks_free(&hooks);
	kt_diags_free(&diags);
	return rules->kb;
}

/* The report of the journal at PATH; empty when it cannot be resumed. */
static void report_of(const char *path, struct kt_buf *out, const char *save_as)
{
	struct kt_session *s;
	struct kt_err err = {0};

	if (kt_session_new(&(struct kt_session_opts){.kb = base()}, &s, &err) < 0)
		abort();
	if (kt_session_resume(s, path, &err) == 0) {
		kt_report_json(s, 0, out);
		if (save_as && kt_session_save(s, save_as, &err) < 0)
			abort();
	}
	kt_session_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[] = "/tmp/kt-fuzz-journal-XXXXXX", again[64];
	struct kt_buf once = KT_BUF(KT_BUF_TEXT), twice = KT_BUF(KT_BUF_TEXT);
	int fd = mkstemp(path);

	if (fd < 0 || kt_write_all(fd, data, size) < 0)
		abort();
	close(fd);
	snprintf(again, sizeof again, "%s.again", path);
	report_of(path, &once, again);
	if (once.len) {
		report_of(again, &twice, NULL);
		if (!kt_str_eq(kt_buf_view(&once), kt_buf_view(&twice)))
			abort();
		unlink(again);
	}
	unlink(path);
	kt_buf_free(&once);
	kt_buf_free(&twice);
	return 0;
}
