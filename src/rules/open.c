/* Image or files? */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "rules/hash.h"
#include "rules/load.h"

#include "base/banned.h"

static bool images_wanted(void)
{
	const char *no = getenv("KTRIAGE_NO_IMAGE");

	return !no || !*no || strcmp(no, "0") == 0;
}

/* One image per rules folder: the path of the folder names it. */
static bool cache_path(const char *dir, struct kt_buf *out)
{
	struct kt_err quiet = {0};
	char *real = realpath(dir, NULL);

	if (!real || kt_file_xdg("XDG_CACHE_HOME", ".cache", out, &quiet) < 0) {
		free(real);
		return false;
	}
	kt_buf_fmt(out, "/rules-%016llx.image",
		   (unsigned long long)kt_rules_hash(kt_str_c(real), KT_HASH_SEED));
	free(real);
	return !out->full;
}

static bool try_image(const char *path, uint64_t key, struct kt_rules **out)
{
	struct kt_err quiet = {0};

	return kt_rules_image_read(path, key, out, &quiet) == 0;
}

int kt_rules_open(const char *dir, const struct kt_rules_hooks *hooks, struct kt_rules **out,
		  struct kt_diags *diags, struct kt_err *err)
{
	struct kt_rules *r = kt_rules_new();
	struct kt_rule_files files = {0};
	struct kt_buf cache = KT_BUF(PATH_MAX), beside = KT_BUF(PATH_MAX);
	struct kt_err quiet = {0};
	bool images = images_wanted(), has_cache = false, found = false;
	int rc = -1;

	*out = NULL;
	if (kt_rule_files_read(dir, &r->arena, &files, err) < 0)
		goto out;
	uint64_t key = kt_rules_key(&files, hooks);
	if (images) {
		kt_buf_fmt(&beside, "%s/rules.image", dir);
		found = try_image(kt_buf_c(&beside), key, out);
	}
	if (images && !found) {
		has_cache = cache_path(dir, &cache);
		found = has_cache && try_image(kt_buf_c(&cache), key, out);
	}
	if (found) {
		rc = 0;
		goto out;
	}
	rc = kt_rules_load_files(r, &files, hooks, out, diags, err);
	r = NULL;
	/* A cache that cannot be written costs time only. */
	if (rc == 0 && has_cache && kt_rules_image_write(*out, kt_buf_c(&cache), &quiet) < 0)
		kt_err_clear(&quiet);
out:
	kt_rules_free(r);
	kt_buf_free(&beside);
	kt_buf_free(&cache);
	return rc;
}
