/* YAML as the authors may write it: a tree of maps, lists and scalars with places.
 *
 * Read by libyaml's events. No anchors, aliases, tags, second documents, duplicate
 * keys, invisible characters; a file is UTF-8, at most KT_YAML_MAX bytes, nested at
 * most KT_YAML_DEPTH deep, with at most KT_YAML_NODES nodes. Every scalar is text:
 * what it means is the reader's business.
 *
 *     if (kt_yaml_parse(&src, &arena, &diags) == 0)
 *             kt_str title = kt_yaml_text(kt_yaml_get(src.root, "title"));
 */
#ifndef KT_RULES_YAML_H
#define KT_RULES_YAML_H

#include "base/err.h"
#include "rules/diag.h"

#define KT_YAML_MAX   (1u << 20)
#define KT_YAML_DEPTH 16
#define KT_YAML_NODES 100000
#define KT_YAML_KEYS  4000

enum kt_yaml_kind { KT_YAML_SCALAR, KT_YAML_LIST, KT_YAML_MAP };
enum kt_yaml_style { KT_YAML_PLAIN, KT_YAML_SINGLE, KT_YAML_DOUBLE, KT_YAML_LITERAL, KT_YAML_FOLDED };

struct kt_yaml {
	enum kt_yaml_kind kind;
	enum kt_yaml_style style; /* of a scalar */
	struct kt_str text;       /* of a scalar; UTF-8 without control characters but TAB and LF */
	struct kt_place at;
	const struct kt_yaml *key;    /* the key of a map's entry, else NULL */
	struct kt_yaml *first, *next; /* members of a list or map, in the order of the file */
	size_t n;                     /* number of them */
	bool bad;                     /* an error was told for it: readers leave it alone */
};

/* Parses SRC->text into SRC->root. Errors go to D; -1 when there was one (the root
 * may still hold a tree without the faulty parts, or be NULL). */
KT_MUST_CHECK int kt_yaml_parse(struct kt_source *src, struct kt_arena *a, struct kt_diags *d);

/* The value of a key; NULL when MAP is no map (or NULL), the key is not there or bad. */
struct kt_yaml *kt_yaml_get(const struct kt_yaml *map, const char *key);
/* The text of a scalar; empty for NULL and others. */
struct kt_str kt_yaml_text(const struct kt_yaml *node);

/* The place of the byte AT of a scalar's text in the file. */
struct kt_place kt_yaml_inside(const struct kt_yaml *scalar, size_t at);

#endif
