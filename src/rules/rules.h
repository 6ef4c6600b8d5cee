/* Rule packs: YAML files of the authors → knowledge base.
 *
 *     struct kt_diags diags = {0};
 *     struct kt_rules *rules;
 *     if (kt_rules_open("rules", &hooks, &rules, &diags, &err) < 0) {
 *             kt_diags_format(&diags, &text);        // all errors of all files
 *     } else {
 *             ... rules->kb ...
 *             kt_rules_free(rules);
 *     }
 *     kt_diags_free(&diags);
 *
 * A rules folder holds packs/<pack>/<name>.yaml and the data files guard.tsv, headers.tsv
 * and trusted.tsv. Opening it takes milliseconds, since what was compiled is kept
 * as an image: beside the rules (rules.image, made when they are installed) or in
 * the person's cache. An image counts only if it was made from the same bytes by the
 * same program; whatever is wrong with it, the files are read instead.
 */
#ifndef KT_RULES_RULES_H
#define KT_RULES_RULES_H

#include "core/kb.h"
#include "rules/diag.h"

#define KT_RULES_LITERALS 64

/* What the matcher knows of a regex; the texts live until the next call. */
struct kt_rules_pattern {
	struct kt_str literals[KT_RULES_LITERALS];
	size_t n; /* 0: none known */
	bool fold;
	bool nested_repeats; /* an unbounded repeat inside another: may be slow */
};

/* A command or query to be judged, as written, with its placeholders. */
struct kt_rules_command {
	struct kt_str text;
	struct kt_str guard;     /* text of guard.tsv */
	enum kt_check_kind kind; /* SHOW or QUERY */
	enum kt_endpoint endpoint;
	const struct kt_str *columns; /* that predicates use */
	size_t n_columns;
	/* Set with an error: */
	size_t at;     /* byte of TEXT; KT_NPOS: no one place */
	size_t column; /* number of the column it is about; KT_NPOS: none */
};

/* What the loader needs of modules beside it. A function that is NULL skips its check. */
struct kt_rules_hooks {
	void *ctx;
	/* Does the matcher take this regex? *AT: byte of the error. */
	int (*pattern)(void *ctx, struct kt_str regex, struct kt_rules_pattern *out, size_t *at,
		       struct kt_err *err);
	/* Does the read-only guard let this through, and does the result have the columns? */
	int (*command)(void *ctx, struct kt_rules_command *command, struct kt_err *err);
};

struct kt_rules {
	const struct kt_kb *kb;
	uint64_t key; /* hash of all that it was made from */
	bool from_image;
	/* The files with their trees, if it was not read from an image. */
	const struct kt_source *sources;
	size_t n_sources;
	/* private */
	struct kt_arena arena;
	struct kt_kbb *builder;
	struct kt_kb view;
	void *image;
};

/* The image if there is a good one, else the files; then tries to leave an image in
 * $XDG_CACHE_HOME/ktriage. KTRIAGE_NO_IMAGE=1 in the environment: neither. Class
 * RULES when files are wrong (DIAGS says what), INPUT when there are none. HOOKS may
 * be NULL; then no image is written. */
KT_MUST_CHECK int kt_rules_open(const char *dir, const struct kt_rules_hooks *hooks, struct kt_rules **out,
				struct kt_diags *diags, struct kt_err *err);
/* The files, never an image. */
KT_MUST_CHECK int kt_rules_load(const char *dir, const struct kt_rules_hooks *hooks, struct kt_rules **out,
				struct kt_diags *diags, struct kt_err *err);

/* Files that are in memory already: names as in a rules folder, in reading order. */
struct kt_rules_text {
	struct kt_str name, text;
};
KT_MUST_CHECK int kt_rules_load_texts(const struct kt_rules_text *texts, size_t n,
				      const struct kt_rules_hooks *hooks, struct kt_rules **out,
				      struct kt_diags *diags, struct kt_err *err);
void kt_rules_free(struct kt_rules *take_rules);

/* Writes the compiled image to PATH, replacing it. */
KT_MUST_CHECK int kt_rules_image_write(const struct kt_rules *rules, const char *path, struct kt_err *err);
/* Reads an image made from what KEY is the hash of. Class INPUT when there is none,
 * RULES when it is stale, damaged or foreign. */
KT_MUST_CHECK int kt_rules_image_read(const char *path, uint64_t key, struct kt_rules **out,
				      struct kt_err *err);
/* The same from bytes in memory. */
KT_MUST_CHECK int kt_rules_image_parse(struct kt_str bytes, uint64_t key, struct kt_rules **out,
				       struct kt_err *err);

/* The JSON Schema (draft-07) of a rule file, for editors. */
void kt_rules_schema(struct kt_buf *out);

#endif
