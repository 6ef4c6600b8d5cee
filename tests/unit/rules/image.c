#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "fixture.h"
#include "rules/load.h"

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

static char folder[] = "/tmp/ktriage-image-XXXXXX";
static struct kt_buf text, path;

static const char *at(const char *name)
{
	kt_buf_clear(&path);
	kt_buf_fmt(&path, "%s/%s", folder, name);
	return kt_buf_c(&path);
}

static void put(const char *name, struct kt_str content)
{
	struct kt_err err = {0};

	cr_assert(kt_file_replace(at(name), content, &err) == 0, "%s", err.text);
}

/* A rules folder with one pack, and a cache beside it. */
static void make_folder(void)
{
	path = KT_BUF(4096);
	cr_assert(mkdtemp(folder));
	mkdir(at("packs"), 0700);
	mkdir(at("packs/demo"), 0700);
	put("packs/demo/pack.yaml", fixture_valid(&text));
	put("guard.tsv", KT_S("kind\tshape\n"));
	setenv("XDG_CACHE_HOME", at("cache"), 1);
	unsetenv("KTRIAGE_NO_IMAGE");
}

static void remove_folder(void)
{
	struct kt_buf command = KT_BUF(4096);

	kt_buf_fmt(&command, "rm -rf %s", folder);
	FILE *p = popen(kt_buf_c(&command), "r");
	if (p)
		pclose(p);
	kt_buf_free(&command);
	kt_buf_free(&text);
	kt_buf_free(&path);
}

static struct kt_rules *open_folder(void)
{
	struct kt_diags diags = {0};
	struct kt_err err = {0};
	struct kt_rules *rules = NULL;

	cr_assert(kt_rules_open(folder, &fixture_hooks, &rules, &diags, &err) == 0, "%s", err.text);
	kt_diags_free(&diags);
	return rules;
}

/* Opens, and tells whether it came from an image. */
static bool from_image(void)
{
	struct kt_rules *rules = open_folder();
	bool image = rules->from_image;

	cr_assert_eq(rules->kb->n_causes, 1);
	kt_rules_free(rules);
	return image;
}

/* The one image in the cache. */
static void image_path(struct kt_buf *out)
{
	struct kt_buf command = KT_BUF(4096);
	char line[4096] = "";

	kt_buf_fmt(&command, "ls %s", at("cache/ktriage"));
	FILE *p = popen(kt_buf_c(&command), "r");
	cr_assert(p && fgets(line, sizeof line, p));
	pclose(p);
	line[strcspn(line, "\n")] = '\0';
	*out = KT_BUF(4096);
	kt_buf_fmt(out, "%s/%s", at("cache/ktriage"), line);
	kt_buf_free(&command);
}

Test(image, second_open_reads_the_image_with_the_same_tables, .init = make_folder, .fini = remove_folder)
{
	struct kt_rules *first = open_folder(), *second = open_folder();

	cr_assert(!first->from_image && second->from_image);
	cr_assert(same_tables(first->kb, second->kb));
	cr_assert_eq(first->key, second->key);
	cr_assert(kt_str_eq_c(kt_kb_file(second->kb, "guard.tsv"), "kind\tshape\n"));
	kt_rules_free(first);
	kt_rules_free(second);
}

Test(image, changed_added_and_removed_files_make_it_stale, .init = make_folder, .fini = remove_folder)
{
	cr_assert(!from_image());
	cr_assert(from_image());
	put("packs/demo/more.yaml", KT_S("options: [{id: a, scope: read}]\n"));
	cr_assert(!from_image());
	put("packs/demo/more.yaml", KT_S("options: [{id: b, scope: read}]\n"));
	cr_assert(!from_image());
	cr_assert(from_image());
	unlink(at("packs/demo/more.yaml"));
	cr_assert(!from_image());
	put("guard.tsv", KT_S("kind\tshape2\n"));
	cr_assert(!from_image());
	put("trusted.tsv", KT_S("x\n"));
	cr_assert(!from_image());
	cr_assert(from_image());
}

Test(image, damaged_on_disk_is_rebuilt, .init = make_folder, .fini = remove_folder)
{
	struct kt_buf image, bytes = KT_BUF(1 << 20);
	struct kt_err err = {0};

	cr_assert(!from_image());
	image_path(&image);
	cr_assert(kt_file_read(kt_buf_c(&image), &bytes, &err) == 0);
	bytes.p[bytes.len / 2] ^= 1;
	cr_assert(kt_file_replace(kt_buf_c(&image), kt_buf_view(&bytes), &err) == 0);
	cr_assert(!from_image());
	cr_assert(from_image());
	cr_assert(truncate(kt_buf_c(&image), 100) == 0);
	cr_assert(!from_image());
	cr_assert(from_image());
	cr_assert(truncate(kt_buf_c(&image), 0) == 0);
	cr_assert(!from_image());
	cr_assert(from_image());
	kt_buf_free(&bytes);
	kt_buf_free(&image);
}

Test(image, one_that_others_can_write_is_not_trusted, .init = make_folder, .fini = remove_folder)
{
	struct kt_buf image;

	cr_assert(!from_image());
	image_path(&image);
	cr_assert(chmod(kt_buf_c(&image), 0666) == 0);
	cr_assert(!from_image());
	kt_buf_free(&image);
}

Test(image, works_without_a_cache_folder, .init = make_folder, .fini = remove_folder)
{
	setenv("XDG_CACHE_HOME", "/proc/no-such-folder", 1);
	cr_assert(!from_image());
	cr_assert(!from_image());
	unsetenv("XDG_CACHE_HOME");
	unsetenv("HOME");
	cr_assert(!from_image());
}

Test(image, the_environment_switches_it_off, .init = make_folder, .fini = remove_folder)
{
	cr_assert(!from_image());
	setenv("KTRIAGE_NO_IMAGE", "1", 1);
	cr_assert(!from_image());
	unsetenv("KTRIAGE_NO_IMAGE");
	cr_assert(from_image());
}

Test(image, one_beside_the_rules_counts, .init = make_folder, .fini = remove_folder)
{
	struct kt_diags diags = {0};
	struct kt_err err = {0};
	struct kt_rules *rules;

	cr_assert(kt_rules_load(folder, &fixture_hooks, &rules, &diags, &err) == 0, "%s", err.text);
	setenv("XDG_CACHE_HOME", "/proc/no-such-folder", 1);
	cr_assert(kt_rules_image_write(rules, at("rules.image"), &err) == 0, "%s", err.text);
	kt_rules_free(rules);
	cr_assert(from_image());
	put("guard.tsv", KT_S("other\n"));
	cr_assert(!from_image());
}

Test(image, what_hooks_checked_is_not_what_was_loaded_without, .init = make_folder, .fini = remove_folder)
{
	struct kt_diags diags = {0};
	struct kt_err err = {0};
	struct kt_rules *rules;

	cr_assert(kt_rules_open(folder, NULL, &rules, &diags, &err) == 0);
	cr_assert(!rules->from_image);
	kt_rules_free(rules);
	cr_assert(!from_image(), "the image made without hooks has no literals");
}

Test(image, wrong_rules_leave_no_image, .init = make_folder, .fini = remove_folder)
{
	struct kt_diags diags = {0};
	struct kt_err err = {0};
	struct kt_rules *rules;

	put("packs/demo/more.yaml", KT_S("option: x\n"));
	for (int i = 0; i < 2; i++) {
		err = (struct kt_err){0};
		cr_assert(kt_rules_open(folder, &fixture_hooks, &rules, &diags, &err) < 0);
		cr_assert(err.cls == KT_ERR_RULES && diags.n_errors == (size_t)i + 1 && !rules);
	}
	kt_diags_free(&diags);
}

Test(image, no_rules_is_an_error_of_input)
{
	struct kt_diags diags = {0};
	struct kt_err err = {0};
	struct kt_rules *rules;

	cr_assert(kt_rules_open("/no/such/folder", NULL, &rules, &diags, &err) < 0);
	cr_assert(err.cls == KT_ERR_INPUT && !rules);
}

/* ---- in memory ---- */

static void image_of_valid(struct kt_buf *bytes, uint64_t *key)
{
	struct kt_diags diags = {0};
	struct kt_buf valid;
	struct kt_err err = {0};
	char name[] = "/tmp/ktriage-bytes-XXXXXX";
	struct kt_rules *rules = fixture_load(fixture_valid(&valid), &diags);
	int fd = mkstemp(name);

	cr_assert(rules && fd >= 0);
	close(fd);
	*bytes = KT_BUF(1 << 20);
	cr_assert(kt_rules_image_write(rules, name, &err) == 0);
	cr_assert(kt_file_read(name, bytes, &err) == 0);
	*key = rules->key;
	unlink(name);
	kt_rules_free(rules);
	kt_diags_free(&diags);
	kt_buf_free(&valid);
}

static bool parses(struct kt_str bytes, uint64_t key)
{
	struct kt_err err = {0};
	struct kt_rules *rules;
	bool good = kt_rules_image_parse(bytes, key, &rules, &err) == 0;

	cr_assert(good == (rules != NULL) && good == (err.cls == KT_ERR_NONE));
	kt_rules_free(rules);
	return good;
}

Test(image, every_flipped_byte_is_seen)
{
	struct kt_buf bytes;
	uint64_t key;

	image_of_valid(&bytes, &key);
	cr_assert(parses(kt_buf_view(&bytes), key));
	for (size_t i = 0; i < bytes.len; i++) {
		char c = bytes.p[i];
		bytes.p[i] = (char)(c ^ (1 << (i % 8)));
		cr_assert(!parses(kt_buf_view(&bytes), key), "byte %zu", i);
		bytes.p[i] = c;
	}
	kt_buf_free(&bytes);
}

Test(image, every_truncation_is_seen)
{
	struct kt_buf bytes;
	uint64_t key;

	image_of_valid(&bytes, &key);
	for (size_t n = 0; n < bytes.len; n++)
		cr_assert(!parses(kt_str_sub(kt_buf_view(&bytes), 0, n), key), "%zu bytes", n);
	kt_buf_str(&bytes, "12345678");
	cr_assert(!parses(kt_buf_view(&bytes), key));
	kt_buf_free(&bytes);
}

Test(image, another_key_is_stale)
{
	struct kt_buf bytes;
	uint64_t key;

	image_of_valid(&bytes, &key);
	cr_assert(!parses(kt_buf_view(&bytes), key + 1));
	kt_buf_free(&bytes);
}

static void walk(const struct kt_kb *kb)
{
	volatile size_t sum = 0;

	for (uint32_t i = 0; i < kb->n_causes; i++)
		for (uint32_t j = 0; j < kb->causes[i].evidence.n; j++) {
			const struct kt_evidence *e = &kb->evidence[kb->causes[i].evidence.at + j];
			sum += kt_kb_text(kb, kb->items[e->item].text).len + (size_t)kt_weight_ddb(e->weight);
		}
	for (uint32_t i = 0; i < kb->n_strings; i++)
		sum += kt_kb_text(kb, kb->strings[i]).len;
}

/* The checksum protects against accidents only: with a right one each word may hold
 * anything, and must still be refused or harmless. */
Test(image, sealed_damage_is_refused_or_harmless)
{
	static const uint32_t values[] = {0, 1, 0x7fffffff, 0xffffffff};
	struct kt_buf bytes;
	uint64_t key;
	size_t refused = 0;

	image_of_valid(&bytes, &key);
	char *copy = kt_alloc(bytes.len);
	for (size_t i = 0; i + 4 <= bytes.len; i += 4)
		for (size_t v = 0; v < KT_LEN(values); v++) {
			struct kt_err err = {0};
			struct kt_rules *rules;
			memcpy(copy, bytes.p, bytes.len);
			memcpy(copy + i, &values[v], 4);
			kt_rules_image_seal(copy, bytes.len);
			if (kt_rules_image_parse((struct kt_str){copy, bytes.len}, key, &rules, &err) < 0)
				refused++;
			else
				walk(rules->kb);
			kt_rules_free(rules);
		}
	cr_assert(refused > 500, "%zu", refused);
	kt_free(copy);
	kt_buf_free(&bytes);
}
