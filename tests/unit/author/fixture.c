#include "fixture.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

char fixture_folder[] = "/tmp/ktriage-author-XXXXXX";

void fixture_shell(const char *fmt, ...)
{
	struct kt_buf command = KT_BUF(1 << 16);
	va_list ap;

	va_start(ap, fmt);
	kt_buf_vfmt(&command, fmt, ap);
	va_end(ap);
	FILE *p = popen(kt_buf_c(&command), "r");
	cr_assert(p && pclose(p) == 0, "%s", kt_buf_c(&command));
	kt_buf_free(&command);
}

void fixture_make(void)
{
	cr_assert(mkdtemp(fixture_folder));
	setenv("KTRIAGE_NO_IMAGE", "1", 1);
	fixture_shell("cp -r %s/author/. %s && chmod -R u+w %s", KT_TEST_DATA, fixture_folder,
		      fixture_folder);
}

void fixture_clean(void)
{
	fixture_shell("rm -rf %s", fixture_folder);
}

void fixture_edit(const char *name, const char *from, const char *to)
{
	struct kt_buf path = KT_BUF(4096), text = KT_BUF(1 << 20), changed = KT_BUF(1 << 20);
	struct kt_err err = {0};

	kt_buf_fmt(&path, "%s/%s", fixture_folder, name);
	if (*from) {
		cr_assert(kt_file_read(kt_buf_c(&path), &text, &err) == 0, "%s", err.text);
		struct kt_str all = kt_buf_view(&text);
		size_t at = kt_str_find(all, kt_str_c(from), 0);
		cr_assert(at != KT_NPOS, "%s is not in %s", from, name);
		kt_buf_add(&changed, kt_str_sub(all, 0, at));
		kt_buf_str(&changed, to);
		kt_buf_add(&changed, kt_str_from(all, at + strlen(from)));
	} else {
		kt_buf_str(&changed, to);
	}
	cr_assert(kt_file_replace(kt_buf_c(&path), kt_buf_view(&changed), &err) == 0, "%s", err.text);
	kt_buf_free(&path);
	kt_buf_free(&text);
	kt_buf_free(&changed);
}
