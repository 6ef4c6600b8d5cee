/* The files of a rules folder, read in the order in which they count. */
#ifndef KT_RULES_FILES_H
#define KT_RULES_FILES_H

#include "rules/rules.h"
#include "rules/yaml.h"

#define KT_RULES_FILES_MAX 4000

struct kt_rule_files {
	struct kt_source *at; /* data files first, then packs and their files by name */
	size_t n;
	uint64_t key; /* hash of names, texts, and what reads them */
};

/* Texts lie in A. Class INPUT when the folder or its packs cannot be read. */
KT_MUST_CHECK int kt_rule_files_read(const char *dir, struct kt_arena *a, struct kt_rule_files *out,
				     struct kt_err *err);
void kt_rule_files_of(const struct kt_rules_text *texts, size_t n, struct kt_arena *a,
		      struct kt_rule_files *out);

bool kt_source_is_data(const struct kt_source *src); /* guard.tsv and the like */
bool kt_source_is_head(const struct kt_source *src); /* packs/x/pack.yaml */
/* The folder: "x" of "packs/x/y.yaml". */
struct kt_str kt_source_pack(const struct kt_source *src);

/* What the compiled tables look like: row sizes and the program's version. */
uint64_t kt_rules_layout(void);

#endif
