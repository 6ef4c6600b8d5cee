/* What is wrong with the authors' files: collected, sorted, printed with the line
 * and a caret, all of one run together.
 *
 *     rules/packs/p/write.yaml:12:5: error: unknown key "tittle" in a cause; did you mean "title"?
 *        12 |     tittle: The move returned nothing
 *           |     ^
 *       hint: …
 *
 * Lines and columns count from 1, columns in characters. Text and excerpt hold no
 * control characters.
 */
#ifndef KT_RULES_DIAG_H
#define KT_RULES_DIAG_H

#include "base/arena.h"
#include "base/buf.h"

enum kt_diag_kind { KT_DIAG_ERROR, KT_DIAG_WARNING, KT_DIAG_INFO };

struct kt_diag {
	enum kt_diag_kind kind;
	uint32_t order;     /* of the file among all, for sorting */
	uint32_t line, col; /* line 0: the file as a whole */
	struct kt_str file, text, hint;
	struct kt_str excerpt; /* part of the line, tabs as blanks; may be empty */
	uint32_t caret;        /* characters before the caret in the excerpt */
};

/* Zeroed is empty. */
struct kt_diags {
	struct kt_arena arena;
	struct kt_diag *at;
	size_t n, cap;
	size_t n_errors, n_warnings, n_infos; /* counted, also those above the limit that are not kept */
};

#define KT_DIAGS_MAX 500

/* A file that errors can point into. Lines end with LF. */
struct kt_source {
	struct kt_str path; /* as people see it */
	struct kt_str name; /* below the rules folder: "packs/p/write.yaml" */
	struct kt_str text;
	uint32_t order;
	struct kt_yaml *root; /* NULL: not read yet, or it could not be read */
};

struct kt_place {
	const struct kt_source *src;
	uint32_t line, col;
};

/* The file as a whole. */
static inline struct kt_place kt_place_whole(const struct kt_source *src)
{
	return (struct kt_place){src, 0, 0};
}

/* Adds one. HINT may be NULL. */
void kt_diags_add(struct kt_diags *d, enum kt_diag_kind kind, struct kt_place at, const char *hint,
		  const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* In the order of files, lines and columns. */
void kt_diags_sort(struct kt_diags *d);
/* All of them, sorted. "N errors" is not among it. */
void kt_diags_format(const struct kt_diags *d, struct kt_buf *out);
void kt_diags_free(struct kt_diags *d);

/* The byte offset of a place in its text (clipped), and the place of a byte offset. */
size_t kt_place_offset(struct kt_place at);
struct kt_place kt_place_of(const struct kt_source *src, size_t offset);

#endif
