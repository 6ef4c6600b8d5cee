/* Files → knowledge base. All files are read and checked before the first error ends
 * anything, so that an author sees all of them at once. */
#include "rules/load.h"

#include <string.h>

#include "base/alloc.h"

#include "base/banned.h"

static const struct kt_rules_hooks no_hooks;

static void parse_files(struct kt_load *l, struct kt_rule_files *files)
{
	for (size_t i = 0; i < files->n; i++) {
		struct kt_source *src = &files->at[i];
		if (kt_source_is_data(src))
			continue;
		/* A file with a fault in its syntax is not looked at: what else would be
		 * told of it is a consequence. */
		if (kt_yaml_parse(src, l->a, l->d) < 0)
			src->root = NULL;
		else if (src->root)
			kt_keys_check(kt_source_is_head(src) ? &kt_keys_pack : &kt_keys_file, src->root,
				      l->d);
		else
			KT_LOAD_FAULT(l, kt_place_whole(src), NULL, "the file is empty");
	}
}

static void add_data(struct kt_load *l, const struct kt_rule_files *files)
{
	for (size_t i = 0; i < files->n; i++) {
		const struct kt_source *src = &files->at[i];
		if (!kt_source_is_data(src))
			continue;
		struct kt_datafile row = {kt_kbb_text(l->b, src->name), kt_kbb_text(l->b, src->text)};
		kt_kbb_add_files(l->b, &row);
	}
}

static const struct kt_source *head_of(const struct kt_rule_files *files, struct kt_str pack)
{
	for (size_t i = 0; i < files->n; i++)
		if (kt_source_is_head(&files->at[i]) && kt_str_eq(kt_source_pack(&files->at[i]), pack))
			return &files->at[i];
	return NULL;
}

/* The row of the pack that a file belongs to; a new one at its first file. */
static uint32_t pack_of(struct kt_load *l, const struct kt_rule_files *files, size_t i, struct kt_map *packs)
{
	struct kt_str folder = kt_source_pack(&files->at[i]);
	uint32_t row = kt_map_get(packs, folder);

	if (row != KT_NIL || !folder.len)
		return row;
	const struct kt_source *head = head_of(files, folder);
	if (!head)
		KT_LOAD_FAULT(l, kt_place_whole(&files->at[i]), NULL, "no pack.yaml beside this file");
	const struct kt_yaml *root = head ? head->root : NULL, *id = kt_yaml_get(root, "pack");
	if (id)
		kt_load_declare(l, &l->packs, id, id->text, "pack");
	struct kt_pack pack = {.id = kt_load_text(l, root, "pack"),
			       .version = kt_load_text(l, root, "version"),
			       .title = kt_load_text(l, root, "title")};
	return kt_map_add(packs, l->a, folder, kt_kbb_add_packs(l->b, &pack));
}

static void build(struct kt_load *l, const struct kt_rule_files *files)
{
	struct kt_map packs = {0};

	for (size_t i = 0; i < files->n; i++) {
		kt_load_declare_facts(l, files->at[i].root);
		kt_load_declare_checks(l, files->at[i].root);
	}
	for (size_t i = 0; i < files->n; i++) {
		const struct kt_yaml *root = files->at[i].root;
		if (kt_source_is_data(&files->at[i]))
			continue;
		uint32_t pack = pack_of(l, files, i, &packs);
		kt_load_head(l, root);
		kt_load_facts(l, root);
		kt_load_checks(l, root);
		if (pack != KT_NIL)
			kt_load_causes(l, root, pack);
		kt_load_notes(l, root);
	}
	kt_load_taught(l);
}

static void free_load(struct kt_load *l)
{
	kt_free(l->packs.at);
	kt_free(l->facts.at);
	kt_free(l->checks.at);
	kt_free(l->causes.at);
	kt_free(l->options.at);
	kt_free(l->notes.at);
	kt_free(l->teach);
}

/* RULES has its arena and builder; FILES lie in that arena. */
static int load(struct kt_rules *r, struct kt_rule_files *files, const struct kt_rules_hooks *hooks,
		struct kt_diags *diags, struct kt_err *err)
{
	struct kt_load l = {.b = r->builder,
			    .a = &r->arena,
			    .d = diags,
			    .hooks = hooks ? hooks : &no_hooks,
			    .scan = KT_NIL};

	parse_files(&l, files);
	add_data(&l, files);
	build(&l, files);
	free_load(&l);
	kt_diags_sort(diags);
	r->key = kt_rules_key(files, l.hooks);
	r->sources = files->at;
	r->n_sources = files->n;
	r->kb = kt_kbb_kb(r->builder);
	if (diags->n_errors)
		return kt_err_set(err, KT_ERR_RULES, "%zu error%s in the rule files", diags->n_errors,
				  diags->n_errors == 1 ? "" : "s");
	return kt_kb_check(r->kb, err);
}

/* What was checked by hooks is not what was loaded without. */
uint64_t kt_rules_key(const struct kt_rule_files *files, const struct kt_rules_hooks *hooks)
{
	unsigned has = hooks ? (hooks->pattern ? 1u : 0u) | (hooks->command ? 2u : 0u) : 0u;

	return files->key ^ has;
}

struct kt_rules *kt_rules_new(void)
{
	struct kt_rules *r = kt_alloc(sizeof *r);

	r->builder = kt_kbb_new();
	return r;
}

int kt_rules_load_files(struct kt_rules *take_r, struct kt_rule_files *files,
			const struct kt_rules_hooks *hooks, struct kt_rules **out, struct kt_diags *diags,
			struct kt_err *err)
{
	*out = NULL;
	if (load(take_r, files, hooks, diags, err) < 0) {
		kt_rules_free(take_r);
		return -1;
	}
	*out = take_r;
	return 0;
}

int kt_rules_load(const char *dir, const struct kt_rules_hooks *hooks, struct kt_rules **out,
		  struct kt_diags *diags, struct kt_err *err)
{
	struct kt_rules *r = kt_rules_new();
	struct kt_rule_files files = {0};

	*out = NULL;
	if (kt_rule_files_read(dir, &r->arena, &files, err) < 0) {
		kt_rules_free(r);
		return -1;
	}
	return kt_rules_load_files(r, &files, hooks, out, diags, err);
}

int kt_rules_load_texts(const struct kt_rules_text *texts, size_t n, const struct kt_rules_hooks *hooks,
			struct kt_rules **out, struct kt_diags *diags, struct kt_err *err)
{
	struct kt_rules *r = kt_rules_new();
	struct kt_rule_files files = {0};

	kt_rule_files_of(texts, n, &r->arena, &files);
	return kt_rules_load_files(r, &files, hooks, out, diags, err);
}

void kt_rules_free(struct kt_rules *take_rules)
{
	if (!take_rules)
		return;
	kt_kbb_free(take_rules->builder);
	kt_arena_free(&take_rules->arena);
	kt_free(take_rules->image);
	kt_free(take_rules);
}
