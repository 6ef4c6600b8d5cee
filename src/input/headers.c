#include "base/alloc.h"
#include "input/headers.h"
#include "input/shape.h"

#include "base/banned.h"

#define MAX_ROWS  64 /* of one kind: a bit each in the first-byte masks */
#define MAX_SIGNS 64

struct row {
	struct kt_str id;
	enum kt_shape_kind kind;
	struct kt_shape shape;
	size_t shared; /* with the row before */
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
	struct table heads, prefixes, quotes;
	struct kt_json_row json[MAX_ROWS];
	size_t n_json;
	struct kt_str sign[MAX_SIGNS];
	enum kt_sign_kind sign_kind[MAX_SIGNS];
	size_t n_signs;
};

/* --- signs --- */

static int add_sign(struct kt_headers *h, enum kt_sign_kind kind, struct kt_str text, struct kt_err *err)
{
	if (text.len < KT_SIGN_MIN)
		return kt_err_set(err, KT_ERR_RULES,
				  "no fixed text of %u bytes by which such lines can be found, only '" KT_FMT
				  "'",
				  KT_SIGN_MIN, KT_ARG(text));
	for (size_t i = 0; i < h->n_signs; i++)
		if (h->sign_kind[i] == kind && kt_str_eq(h->sign[i], text))
			return 0;
	if (h->n_signs == MAX_SIGNS)
		return kt_err_set(err, KT_ERR_RULES, "more than %d texts to look for", MAX_SIGNS);
	h->sign_kind[h->n_signs] = kind;
	h->sign[h->n_signs++] = text;
	return 0;
}

/* Of a prefix that says whether the line goes on: the texts with which it says so. */
static int add_part_signs(struct kt_headers *h, const struct kt_shape *shape, struct kt_err *err)
{
	struct kt_str before[KT_SHAPE_TEXTS];
	size_t n = kt_shape_before(shape, &h->arena, KT_FIELD_PART, before);
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0; i++)
		rc = add_sign(h, KT_SIGN_PART, kt_shape_join(&h->arena, before[i], KT_S("P")), err);
	return rc;
}

static int add_shape_signs(struct kt_headers *h, enum kt_shape_kind kind, const struct kt_shape *shape,
			   struct kt_err *err)
{
	switch (kind) {
	case KT_SHAPE_EVENT: return add_sign(h, KT_SIGN_EVENT, kt_shape_leading(shape, &h->arena), err);
	case KT_SHAPE_QUOTE: return add_sign(h, KT_SIGN_QUOTE, kt_shape_longest(shape, &h->arena), err);
	case KT_SHAPE_PREFIX:
	case KT_SHAPE_STAMP: return add_part_signs(h, shape, err);
	default: return 0;
	}
}

/* The longest key that the row needs. */
static int add_json_sign(struct kt_headers *h, const struct kt_json_pair *pairs, size_t n, struct kt_err *err)
{
	struct kt_str longest = KT_NONE;

	for (size_t i = 0; i < n; i++) {
		struct kt_str path = pairs[i].path, key;
		while (pairs[i].needed && kt_str_cut(&path, '.', &key))
			if (key.len > longest.len)
				longest = key;
	}
	longest = kt_shape_join(&h->arena, KT_S("\""), longest);
	return add_sign(h, KT_SIGN_JSON, kt_shape_join(&h->arena, longest, KT_S("\"")), err);
}

const struct kt_str *kt_headers_signs(const struct kt_headers *h, size_t *n)
{
	*n = h->n_signs;
	return h->sign;
}

enum kt_sign_kind kt_headers_sign_kind(const struct kt_headers *h, size_t i)
{
	return h->sign_kind[i];
}

/* --- the table --- */

static int add_levels(struct kt_headers *h, struct kt_str words, struct kt_err *err)
{
	struct kt_str word;

	while (kt_str_cut(&words, ' ', &word)) {
		if (!word.len)
			continue;
		if (h->levels.n == KT_SHAPE_LEVELS)
			return kt_err_set(err, KT_ERR_RULES, "more than %d level words", KT_SHAPE_LEVELS);
		kt_levels_add(&h->levels, kt_arena_str(&h->arena, word));
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
	if (add_shape_signs(h, kind, &row->shape, err) < 0)
		return -1;
	kt_shape_first(&row->shape, &h->levels, first);
	for (unsigned c = 0; c < 256; c++)
		t->first[c] |= (uint64_t)first[c] << t->n;
	kt_shape_pack(&h->arena, &row->shape, t == &h->prefixes ? KT_SHAPE_STARTS : 1);
	row->shared = t->n ? kt_shape_shared(&row[-1].shape, &row->shape) : 0;
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
	return add_json_sign(h, list, n, err);
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
	if (kt_str_eq_c(kind, "stamp"))
		return add_shape(h, &h->prefixes, id, KT_SHAPE_STAMP, rest, err);
	if (kt_str_eq_c(kind, "quote"))
		return add_shape(h, &h->quotes, id, KT_SHAPE_QUOTE, rest, err);
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

/* The rows that may match, a bit each, from the first that begins as LINE does. */
static inline uint64_t candidates(const struct table *t, struct kt_str line)
{
	uint64_t rows = line.len ? t->first[(unsigned char)line.p[0]] : 0, start;

	if (!rows)
		return 0;
	start = kt_eight_bytes(line.p, line.len);
	while (rows && !kt_shape_may_match(&t->row[__builtin_ctzll(rows)].shape, line, start))
		rows &= rows - 1;
	return rows;
}

/* The one of ROWS that matches, or NULL; fields that it has not are left as they were. */
static const struct row *find_row(const struct kt_headers *h, const struct table *t, uint64_t rows,
				  struct kt_str line, struct kt_shape_try *try)
{
	const struct row *last = NULL;

	try->levels = &h->levels;
	try->line = line.p;
	try->end = line.p + line.len;
	for (; rows; rows &= rows - 1) {
		const struct row *row = &t->row[__builtin_ctzll(rows)];
		if (kt_shape_match(&row->shape, try, last && row == last + 1 ? row->shared : 0))
			return row;
		last = row;
	}
	return NULL;
}

/* Apart from those that call it, which are quick where no row may match. */
__attribute__((noinline)) static bool match_rows(const struct kt_headers *h, const struct table *t,
						 uint64_t rows, struct kt_str line, struct kt_header_match *m)
{
	struct kt_shape_try try;

	try.field = m->field;
	const struct row *row = find_row(h, t, rows, line, &try);
	if (!row)
		return false;
	m->id = row->id;
	m->kind = row->kind;
	m->len = (size_t)(try.to - line.p);
	for (unsigned f = 0; f < KT_FIELDS; f++)
		if (!(row->shape.fields >> f & 1))
			m->field[f] = KT_NONE;
	return true;
}

static inline bool match_table(const struct kt_headers *h, const struct table *t, struct kt_str line,
			       struct kt_header_match *m)
{
	uint64_t rows = candidates(t, line);

	return rows && match_rows(h, t, rows, line, m);
}

bool kt_headers_match(const struct kt_headers *h, struct kt_str line, struct kt_header_match *m)
{
	return match_table(h, &h->heads, line, m);
}

__attribute__((noinline)) static bool look_at_head(const struct kt_headers *h, uint64_t rows,
						   struct kt_str line, struct kt_str *look)
{
	struct kt_str field[KT_FIELDS];
	struct kt_shape_try try;

	try.field = field;
	const struct row *row = find_row(h, &h->heads, rows, line, &try);
	if (!row)
		return false;
	const char *from = row->shape.any_byte ? line.p : try.message;
	*look = (struct kt_str){from, (size_t)(try.message - from) + (try.message < line.p + line.len)};
	return true;
}

bool kt_headers_head(const struct kt_headers *h, struct kt_str line, struct kt_str *look)
{
	uint64_t rows = candidates(&h->heads, line);

	return rows && look_at_head(h, rows, line, look);
}

bool kt_headers_prefix(const struct kt_headers *h, struct kt_str line, struct kt_header_match *m)
{
	return match_table(h, &h->prefixes, line, m) && m->len;
}

bool kt_headers_quote(const struct kt_headers *h, struct kt_str line, struct kt_header_match *m)
{
	return match_table(h, &h->quotes, line, m);
}

const struct kt_json_row *kt_headers_json(const struct kt_headers *h, size_t *n)
{
	*n = h->n_json;
	return h->json;
}
