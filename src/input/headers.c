#include "base/alloc.h"
#include "input/headers.h"
#include "input/shape.h"

#include "base/banned.h"

#define MAX_ROWS 64 /* of one kind: a bit each in the first-byte masks */

struct row {
	struct kt_str id;
	enum kt_shape_kind kind;
	struct kt_shape shape;
};

/* Rows of shapes with the mask of those that may match, by first byte of a line. */
struct table {
	struct row row[MAX_ROWS];
	size_t n;
	uint64_t first[256];
};

struct kt_headers {
	struct kt_arena arena;
	struct kt_levels levels;
	struct table heads, prefixes;
	struct kt_json_row json[MAX_ROWS];
	size_t n_json;
};

static int add_levels(struct kt_headers *h, struct kt_str words, struct kt_err *err)
{
	struct kt_str word;

	while (kt_str_cut(&words, ' ', &word)) {
		if (!word.len)
			continue;
		if (h->levels.n == KT_SHAPE_LEVELS)
			return kt_err_set(err, KT_ERR_RULES, "more than %d level words", KT_SHAPE_LEVELS);
		h->levels.word[h->levels.n++] = kt_arena_str(&h->arena, word);
	}
	return 0;
}

static int add_shape(struct kt_headers *h, struct table *t, struct kt_str id, enum kt_shape_kind kind,
		     struct kt_str shape, struct kt_err *err)
{
	struct row *row = &t->row[t->n];
	bool first[256] = {false};

	if (t->n == MAX_ROWS)
		return kt_err_set(err, KT_ERR_RULES, "more than %d rows of a kind", MAX_ROWS);
	if (kt_shape_compile(&h->arena, shape, &row->shape, err) < 0)
		return -1;
	row->id = id;
	row->kind = kind;
	kt_shape_first(&row->shape, &h->levels, first);
	for (unsigned c = 0; c < 256; c++)
		t->first[c] |= (uint64_t)first[c] << t->n;
	t->n++;
	return 0;
}

/* "field=a.path+" */
static int add_pair(struct kt_headers *h, struct kt_str word, struct kt_json_pair *pair, struct kt_err *err)
{
	struct kt_str name;

	if (!kt_str_cut(&word, '=', &name) || !word.len)
		return kt_err_set(err, KT_ERR_RULES, "'" KT_FMT "' is not field=path", KT_ARG(name));
	pair->ignored = kt_str_eq_c(name, "-");
	pair->field = kt_field_of(name);
	if (!pair->ignored && pair->field == KT_FIELDS)
		return kt_err_set(err, KT_ERR_RULES, "unknown field '" KT_FMT "'", KT_ARG(name));
	pair->needed = kt_str_ends(word, KT_S("+"));
	pair->path = kt_arena_str(&h->arena, kt_str_sub(word, 0, word.len - pair->needed));
	return 0;
}

static int add_json(struct kt_headers *h, struct kt_str id, enum kt_shape_kind kind, struct kt_str pairs,
		    struct kt_err *err)
{
	struct kt_json_pair *list = KT_NEW_N(&h->arena, struct kt_json_pair, 2 * KT_FIELDS);
	struct kt_str word;
	size_t n = 0;

	while (kt_str_cut(&pairs, ' ', &word)) {
		if (!word.len)
			continue;
		if (n == 2 * KT_FIELDS)
			return kt_err_set(err, KT_ERR_RULES, "too many fields");
		if (add_pair(h, word, &list[n++], err) < 0)
			return -1;
	}
	if (h->n_json == MAX_ROWS || !n)
		return kt_err_set(err, KT_ERR_RULES, n ? "too many rows" : "no fields");
	h->json[h->n_json++] = (struct kt_json_row){id, kind, list, n};
	return 0;
}

static int add_row(struct kt_headers *h, struct kt_str id, struct kt_str kind, struct kt_str rest,
		   struct kt_err *err)
{
	id = kt_arena_str(&h->arena, id);
	if (kt_str_eq_c(kind, "level"))
		return add_levels(h, rest, err);
	if (kt_str_eq_c(kind, "log"))
		return add_shape(h, &h->heads, id, KT_SHAPE_LOG, rest, err);
	if (kt_str_eq_c(kind, "eventlog"))
		return add_shape(h, &h->heads, id, KT_SHAPE_EVENT, rest, err);
	if (kt_str_eq_c(kind, "break"))
		return add_shape(h, &h->heads, id, KT_SHAPE_BREAK, rest, err);
	if (kt_str_eq_c(kind, "prefix"))
		return add_shape(h, &h->prefixes, id, KT_SHAPE_PREFIX, rest, err);
	if (kt_str_eq_c(kind, "json"))
		return add_json(h, id, KT_SHAPE_JSON, rest, err);
	if (kt_str_eq_c(kind, "wrap"))
		return add_json(h, id, KT_SHAPE_WRAP, rest, err);
	return kt_err_set(err, KT_ERR_RULES, "unknown kind '" KT_FMT "'", KT_ARG(kind));
}

static int parse_line(struct kt_headers *h, struct kt_str line, struct kt_err *err)
{
	struct kt_str id, kind;

	if (!line.len || line.p[0] == '#')
		return 0;
	if (!kt_str_cut(&line, '\t', &id) || !kt_str_cut(&line, '\t', &kind) || !line.len)
		return kt_err_set(err, KT_ERR_RULES, "not three columns separated by tabs");
	return add_row(h, id, kind, line, err);
}

struct kt_headers *kt_headers_parse(struct kt_str text, struct kt_err *err)
{
	struct kt_headers *h = kt_alloc(sizeof *h);
	struct kt_str line;

	for (unsigned n = 1; kt_str_cut(&text, '\n', &line); n++) {
		if (kt_str_ends(line, KT_S("\r")))
			line.len--;
		if (parse_line(h, line, err) == 0)
			continue;
		kt_err_prefix(err, "headers.tsv:%u: ", n);
		kt_headers_free(h);
		return NULL;
	}
	return h;
}

void kt_headers_free(struct kt_headers *take_h)
{
	if (!take_h)
		return;
	kt_arena_free(&take_h->arena);
	kt_free(take_h);
}

static bool match_table(const struct kt_headers *h, const struct table *t, struct kt_str line,
			struct kt_header_match *m)
{
	uint64_t rows = line.len ? t->first[(unsigned char)line.p[0]] : 0;

	for (; rows; rows &= rows - 1) {
		const struct row *row = &t->row[__builtin_ctzll(rows)];
		*m = (struct kt_header_match){.id = row->id, .kind = row->kind};
		if (kt_shape_match(&row->shape, &h->levels, line, m->field, &m->len))
			return true;
	}
	return false;
}

bool kt_headers_match(const struct kt_headers *h, struct kt_str line, struct kt_header_match *m)
{
	return match_table(h, &h->heads, line, m);
}

bool kt_headers_prefix(const struct kt_headers *h, struct kt_str line, struct kt_header_match *m)
{
	return match_table(h, &h->prefixes, line, m) && m->len;
}

const struct kt_json_row *kt_headers_json(const struct kt_headers *h, size_t *n)
{
	*n = h->n_json;
	return h->json;
}
