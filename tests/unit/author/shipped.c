/* The rules that are shipped. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "author/author.h"
#include "base/file.h"

static struct kt_buf dir, out;

static void name_folder(void)
{
	const char *source = getenv("KTRIAGE_SOURCE");

	dir = KT_BUF(4096);
	out = KT_BUF(4u << 20);
	kt_buf_fmt(&dir, "%s/rules", source ? source : KT_RULES_SOURCE "/..");
	setenv("KTRIAGE_NO_IMAGE", "1", 1);
}

static void forget(void)
{
	kt_buf_free(&dir);
	kt_buf_free(&out);
}

TestSuite(shipped, .init = name_folder, .fini = forget);

Test(shipped, every_proof_holds)
{
	struct kt_author_opts o = {.dir = kt_buf_c(&dir)};
	struct kt_err err = {0};
	int rc = kt_author_check(&o, &out, &err);

	cr_assert(rc == 0, "%s\n%s", err.text, kt_buf_c(&out));
}

Test(shipped, every_case_passes)
{
	struct kt_author_opts o = {.dir = kt_buf_c(&dir)};
	struct kt_err err = {0};
	int rc = kt_author_test(&o, &out, &err);

	cr_assert(rc == 0, "%s\n%s", err.text, kt_buf_c(&out));
}

static bool same_tables(const struct kt_kb *a, const struct kt_kb *b)
{
	bool same = kt_str_eq(a->pool, b->pool);
#define X(name, type)                                \
	same = same && a->n_##name == b->n_##name && \
	       (!a->n_##name || memcmp(a->name, b->name, a->n_##name * sizeof(type)) == 0);
	KT_TABLES(X)
#undef X
	return same;
}

Test(shipped, the_image_holds_the_tables_of_the_files)
{
	struct kt_author_hooks hooks;
	struct kt_diags diags = {0};
	struct kt_err err = {0};
	struct kt_rules *files, *image;
	char path[] = "/tmp/ktriage-shipped-XXXXXX";
	int fd = mkstemp(path);

	kt_author_hooks_init(&hooks);
	cr_assert(kt_rules_load(kt_buf_c(&dir), &hooks.hooks, &files, &diags, &err) == 0, "%s", err.text);
	cr_assert(fd >= 0 && close(fd) == 0);
	cr_assert(kt_rules_image_write(files, path, &err) == 0, "%s", err.text);
	cr_assert(kt_rules_image_read(path, files->key, &image, &err) == 0, "%s", err.text);
	cr_assert(files->kb->n_causes > 50 && same_tables(files->kb, image->kb));
	unlink(path);
	kt_rules_free(files);
	kt_rules_free(image);
	kt_diags_free(&diags);
	kt_author_hooks_free(&hooks);
}
