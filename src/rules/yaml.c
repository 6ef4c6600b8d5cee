#include "rules/yaml.h"

#include <string.h>
#include <yaml.h>

#include "base/utf8.h"

#include "base/banned.h"

struct reader {
	yaml_parser_t p;
	struct kt_source *src;
	struct kt_arena *a;
	struct kt_diags *d;
	size_t n_nodes;
	bool failed;
};

/* What libyaml's short sentences mean to an author. The first that fits. */
static const struct {
	const char *problem, *hint;
} hints[] = {
	{"did not find expected key", "the line does not belong to the map above: look at its indentation, "
				      "and whether a quote was closed too early ('' stands for ')"},
	{"mapping values are not allowed", "a text that holds \": \" must stand in quotes, or under > or |"},
	{"found character that cannot start any token",
	 "a text cannot begin with this character (a tab, @, % or `): put it in single quotes; indent with "
	 "blanks"},
	{"could not find expected ':'",
	 "a key is followed by \": \"; a text of several lines stands under > or |"},
	{"found unexpected end of stream", "a quote is not closed ('' stands for ' inside single quotes)"},
	{"found unexpected document indicator", "a quote is not closed before ---"},
	{"found unknown escape character",
	 "in double quotes \\ begins an escape: write regexes in single quotes"},
	{"did not find expected hexdecimal number",
	 "in double quotes \\ begins an escape: write regexes in single quotes"},
	{"did not find expected '-' indicator",
	 "the items of a list all begin with \"- \" in the same column"},
	{"did not find expected ',' or ']'",
	 "close the list with ], or quote the item that holds a comma, quote or bracket"},
	{"did not find expected ',' or '}'",
	 "close the map with }, or quote the value that holds a comma, quote or brace"},
	{"block sequence entries are not allowed", "begin the list on a line of its own below the key"},
	{"did not find expected node content", "a value is missing here"},
	{"did not find expected comment or line break", "nothing may follow | or > on the same line"},
	{"found a tab character", "indent with blanks, not with tabs"},
	{"did not find expected alphabetic or numeric character",
	 "a text cannot begin with * or &: put it in single quotes"},
	{"found undefined tag handle", "a text cannot begin with !: put it in single quotes"},
	{"mapping keys are not allowed",
	 "a key stands at the beginning of its line; a text cannot begin with \"? \""},
	{"did not find expected <document start>", "one document per file, without --- in the middle"},
};

static const char *hint_of(const char *problem)
{
	for (size_t i = 0; i < KT_LEN(hints); i++)
		if (strstr(problem, hints[i].problem))
			return hints[i].hint;
	return NULL;
}

static struct kt_place place_of_mark(const struct reader *r, yaml_mark_t m)
{
	return (struct kt_place){r->src, (uint32_t)m.line + 1, (uint32_t)m.column + 1};
}

#define FAULT(r, at, hint, ...)                                                 \
	do {                                                                    \
		kt_diags_add((r)->d, KT_DIAG_ERROR, (at), (hint), __VA_ARGS__); \
		(r)->failed = true;                                             \
	} while (0)

static int next_event(struct reader *r, yaml_event_t *e)
{
	if (yaml_parser_parse(&r->p, e))
		return 0;
	const char *problem = r->p.problem ? r->p.problem : "cannot be read";
	if (r->p.context)
		FAULT(r, place_of_mark(r, r->p.problem_mark), hint_of(problem),
		      "%s %s that begins in line %zu", problem, r->p.context, r->p.context_mark.line + 1);
	else
		FAULT(r, place_of_mark(r, r->p.problem_mark), hint_of(problem), "%s", problem);
	return -1;
}

static bool control_character(struct kt_str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (((unsigned char)s.p[i] < 0x20 && s.p[i] != '\n' && s.p[i] != '\t') || s.p[i] == 0x7f)
			return true;
	return false;
}

static void refuse_decoration(struct reader *r, struct kt_yaml *node, const yaml_char_t *anchor,
			      const yaml_char_t *tag)
{
	if (anchor)
		FAULT(r, node->at,
		      "write the text again where it is needed, or quote a text that begins with &",
		      "anchors are not allowed (&%.60s)", (const char *)anchor);
	if (tag)
		FAULT(r, node->at, "quote a text that begins with !", "tags are not allowed (%.60s)",
		      (const char *)tag);
	node->bad = node->bad || anchor || tag;
}

static enum kt_yaml_style style_of(yaml_scalar_style_t s)
{
	switch (s) {
	case YAML_SINGLE_QUOTED_SCALAR_STYLE: return KT_YAML_SINGLE;
	case YAML_DOUBLE_QUOTED_SCALAR_STYLE: return KT_YAML_DOUBLE;
	case YAML_LITERAL_SCALAR_STYLE: return KT_YAML_LITERAL;
	case YAML_FOLDED_SCALAR_STYLE: return KT_YAML_FOLDED;
	default: return KT_YAML_PLAIN;
	}
}

static void read_scalar(struct reader *r, const yaml_event_t *e, struct kt_yaml *node)
{
	struct kt_str text = {(const char *)e->data.scalar.value, e->data.scalar.length};

	node->kind = KT_YAML_SCALAR;
	node->style = style_of(e->data.scalar.style);
	node->text = kt_arena_str(r->a, text);
	refuse_decoration(r, node, e->data.scalar.anchor, e->data.scalar.tag);
	if (control_character(text)) {
		FAULT(r, node->at, "write regexes in single quotes: in double quotes \\b is a backspace",
		      "a control character in a text");
		node->bad = true;
	}
}

static struct kt_yaml *read_node(struct reader *r, yaml_event_t *take_e, unsigned depth);

/* Told for each; the later one is left out. */
static bool is_duplicate(struct reader *r, const struct kt_yaml *map, const struct kt_yaml *key)
{
	for (const struct kt_yaml *c = map->first; c; c = c->next) {
		if (!kt_str_eq(c->key->text, key->text))
			continue;
		FAULT(r, key->at, NULL, "key \"%.60s\" is given twice, first in line %u", key->text.p,
		      c->key->at.line);
		return true;
	}
	return false;
}

static struct kt_yaml *read_key(struct reader *r, yaml_event_t *take_e, unsigned depth)
{
	struct kt_yaml *key = read_node(r, take_e, depth);

	if (key && key->kind != KT_YAML_SCALAR) {
		FAULT(r, key->at, "a text that begins with {, [ or ? must stand in quotes",
		      "a key must be a word");
		return NULL;
	}
	return key;
}

/* Members up to the event END. Returns -1 when the file cannot be read further. */
static int read_members(struct reader *r, struct kt_yaml *node, yaml_event_type_t end, unsigned depth)
{
	struct kt_yaml **tail = &node->first;
	yaml_event_t e;

	for (;;) {
		struct kt_yaml *key = NULL;
		if (next_event(r, &e) < 0)
			return -1;
		if (e.type == end) {
			yaml_event_delete(&e);
			return 0;
		}
		if (node->kind == KT_YAML_MAP && node->n >= KT_YAML_KEYS) {
			FAULT(r, place_of_mark(r, e.start_mark), "split the map over several files",
			      "more than %d keys in one map", KT_YAML_KEYS);
			yaml_event_delete(&e);
			return -1;
		}
		if (node->kind == KT_YAML_MAP) {
			key = read_key(r, &e, depth + 1);
			if (!key || next_event(r, &e) < 0)
				return -1;
		}
		struct kt_yaml *value = read_node(r, &e, depth + 1);
		if (!value)
			return -1;
		if (key && is_duplicate(r, node, key))
			continue;
		value->key = key;
		*tail = value;
		tail = &value->next;
		node->n++;
	}
}

/* The node that the event begins; NULL when the file cannot be read further. */
static struct kt_yaml *read_node(struct reader *r, yaml_event_t *take_e, unsigned depth)
{
	struct kt_yaml *node = KT_NEW(r->a, struct kt_yaml);
	yaml_event_t e = *take_e;
	int rc = 0;

	node->at = place_of_mark(r, e.start_mark);
	if (depth > KT_YAML_DEPTH) {
		FAULT(r, node->at, NULL, "nested more than %d deep", KT_YAML_DEPTH);
		rc = -1;
	} else if (++r->n_nodes > KT_YAML_NODES) {
		FAULT(r, node->at, "split the file", "more than %d values in one file", KT_YAML_NODES);
		rc = -1;
	} else if (e.type == YAML_SCALAR_EVENT) {
		read_scalar(r, &e, node);
	} else if (e.type == YAML_SEQUENCE_START_EVENT) {
		node->kind = KT_YAML_LIST;
		refuse_decoration(r, node, e.data.sequence_start.anchor, e.data.sequence_start.tag);
		rc = read_members(r, node, YAML_SEQUENCE_END_EVENT, depth);
	} else if (e.type == YAML_MAPPING_START_EVENT) {
		node->kind = KT_YAML_MAP;
		refuse_decoration(r, node, e.data.mapping_start.anchor, e.data.mapping_start.tag);
		rc = read_members(r, node, YAML_MAPPING_END_EVENT, depth);
	} else {
		FAULT(r, node->at, "write the text again, or quote a text that begins with *",
		      "aliases are not allowed");
		node->bad = true;
	}
	yaml_event_delete(&e);
	return rc < 0 ? NULL : node;
}

static void read_document(struct reader *r)
{
	yaml_event_t e;
	yaml_event_type_t type;

	do {
		if (next_event(r, &e) < 0)
			return;
		type = e.type;
		if (type == YAML_DOCUMENT_START_EVENT && r->src->root) {
			FAULT(r, place_of_mark(r, e.start_mark), NULL, "one document per file");
			yaml_event_delete(&e);
			return;
		}
		if (type != YAML_SCALAR_EVENT && type != YAML_SEQUENCE_START_EVENT &&
		    type != YAML_MAPPING_START_EVENT && type != YAML_ALIAS_EVENT) {
			yaml_event_delete(&e);
			continue;
		}
		r->src->root = read_node(r, &e, 0);
		if (!r->src->root)
			return;
	} while (type != YAML_STREAM_END_EVENT);
}

static bool char_allowed(uint32_t c)
{
	if (c == '\n' || c == '\t')
		return true;
	/* NEL, LS and PS would be line ends to libyaml and to nobody else. */
	return c >= 0x20 && !(c >= 0x7f && c < 0xa0) && c != 0xfffe && c != 0xffff && !kt_utf8_is_format(c);
}

/* What libyaml would refuse without a place, and what no editor shows. */
static int check_bytes(struct kt_source *src, struct kt_diags *d)
{
	struct kt_str text = src->text;
	uint32_t c;

	if (text.len > KT_YAML_MAX) {
		kt_diags_add(d, KT_DIAG_ERROR, kt_place_whole(src), "split it", "longer than %u bytes",
			     KT_YAML_MAX);
		return -1;
	}
	for (size_t at = 0; at < text.len;) {
		size_t len = kt_utf8_next(text, at, &c);
		bool crlf = c == '\r' && at + 1 < text.len && text.p[at + 1] == '\n';
		if (c == KT_UTF8_BAD)
			kt_diags_add(d, KT_DIAG_ERROR, kt_place_of(src, at), "save the file as UTF-8",
				     "not UTF-8: byte 0x%02x", (unsigned char)text.p[at]);
		else if (!crlf && !char_allowed(c))
			kt_diags_add(d, KT_DIAG_ERROR, kt_place_of(src, at), "delete it",
				     "a character that is not shown: U+%04X", (unsigned)c);
		if (c == KT_UTF8_BAD || (!crlf && !char_allowed(c)))
			return -1;
		at += len;
	}
	return 0;
}

int kt_yaml_parse(struct kt_source *src, struct kt_arena *a, struct kt_diags *d)
{
	struct reader r = {.src = src, .a = a, .d = d};

	if (kt_str_starts(src->text, KT_S("\xef\xbb\xbf")))
		src->text = kt_str_from(src->text, 3);
	if (check_bytes(src, d) < 0)
		return -1;
	if (!yaml_parser_initialize(&r.p)) {
		kt_diags_add(d, KT_DIAG_ERROR, kt_place_whole(src), NULL, "out of memory");
		return -1;
	}
	yaml_parser_set_encoding(&r.p, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&r.p, (const unsigned char *)(src->text.p ? src->text.p : ""),
				     src->text.len);
	read_document(&r);
	yaml_parser_delete(&r.p);
	return r.failed ? -1 : 0;
}

struct kt_yaml *kt_yaml_get(const struct kt_yaml *map, const char *key)
{
	if (!map || map->kind != KT_YAML_MAP)
		return NULL;
	for (struct kt_yaml *c = map->first; c; c = c->next)
		if (kt_str_eq_c(c->key->text, key))
			return c->bad ? NULL : c;
	return NULL;
}

struct kt_str kt_yaml_text(const struct kt_yaml *node)
{
	return node && node->kind == KT_YAML_SCALAR ? node->text : KT_NONE;
}
