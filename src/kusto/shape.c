#include "kusto/shape.h"

#include "base/alloc.h"
#include "kusto/literal.h"

#include "base/banned.h"

static const char *const slot_words[] = {
	[KT_SLOT_ENTITY] = "entity", [KT_SLOT_ENTITIES] = "entities", [KT_SLOT_STRING] = "string",
	[KT_SLOT_GUID] = "guid",     [KT_SLOT_GUIDS] = "guids",       [KT_SLOT_INT] = "int",
	[KT_SLOT_BOOL] = "bool",     [KT_SLOT_DATETIME] = "datetime", [KT_SLOT_TIMESPAN] = "timespan",
};

/* ---- shapes ---- */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static int slot_of(struct kt_part *part, struct kt_err *err)
{
	for (size_t i = 0; i < KT_LEN(slot_words); i++) {
		if (kt_str_eq_c(part->text, slot_words[i])) {
			part->slot = (enum kt_slot)i;
			return 0;
		}
	}
	return kt_err_set(err, KT_ERR_RULES, "no slot {" KT_FMT "}", KT_ARG(part->text));
}

/* The part that begins at *AT. */
static int next_part(struct kt_str s, size_t *at, struct kt_part *part, struct kt_err *err)
{
	char c = s.p[*at];
	size_t n = 1;

	if (kt_str_starts(kt_str_from(s, *at), KT_S("..."))) {
		part->kind = KT_PART_REST;
		*at += 3;
		return 0;
	}
	if (c == '{' || c == '<') {
		size_t end = kt_str_chr(s, c == '{' ? '}' : '>', *at);
		if (end == KT_NPOS)
			return kt_err_set(err, KT_ERR_RULES, "'%c' is not closed", c);
		part->text = kt_str_sub(s, *at + 1, end - *at - 1);
		part->kind = c == '{' ? KT_PART_SLOT : KT_PART_CHOICE;
		*at = end + 1;
		return c == '{' ? slot_of(part, err) : 0;
	}
	while (is_word(c) && *at + n < s.len && is_word(s.p[*at + n]))
		n++;
	part->kind = KT_PART_WORD;
	part->text = kt_str_sub(s, *at, n);
	*at += n;
	return 0;
}

int kt_shape_parse(struct kt_guard *g, struct kt_guard_row *row, struct kt_err *err)
{
	struct kt_part *parts = NULL;
	size_t n = 0, cap = 0;
	int rc = 0;

	for (size_t at = 0; at < row->shape.len && rc == 0;) {
		struct kt_part part = {0};
		while (row->shape.p[at] == ' ') {
			part.space = true;
			at++;
		}
		rc = next_part(row->shape, &at, &part, err);
		row->n_words += part.kind == KT_PART_WORD;
		KT_PUSH(parts, n, cap) = part;
	}
	row->n_parts = n;
	row->parts = kt_arena_alloc_n(&g->arena, n, sizeof *parts);
	for (size_t i = 0; i < n; i++)
		row->parts[i] = parts[i];
	kt_free(parts);
	return rc;
}

/* ---- agreement ---- */

static bool is_word_token(const struct kt_token *t, struct kt_str word)
{
	return (t->kind == KT_TOK_NAME || t->kind == KT_TOK_MARK || t->kind == KT_TOK_INT) &&
	       kt_str_ieq(t->text, word);
}

/* Tokens that one value of the slot takes; 0: none stands here. */
static size_t value_here(enum kt_slot slot, const struct kt_token *t)
{
	switch (slot) {
	case KT_SLOT_ENTITY:
	case KT_SLOT_ENTITIES: return t->kind == KT_TOK_NAME || t->kind == KT_TOK_BRACKET;
	case KT_SLOT_STRING: return t->kind == KT_TOK_STRING || t->kind == KT_TOK_HIDDEN;
	case KT_SLOT_GUID:
	case KT_SLOT_GUIDS:
		return t->kind == KT_TOK_GUID || (t->kind == KT_TOK_STRING && kt_literal_is_guid(t->text));
	case KT_SLOT_INT: return t->kind == KT_TOK_INT;
	case KT_SLOT_BOOL:
		return t->kind == KT_TOK_NAME &&
		       (kt_str_eq_c(t->text, "true") || kt_str_eq_c(t->text, "false"));
	case KT_SLOT_DATETIME: return t->kind == KT_TOK_ATOM && kt_str_starts(t->text, KT_S("datetime("));
	case KT_SLOT_TIMESPAN:
		return t->kind == KT_TOK_ATOM && t->text.len && !kt_str_starts(t->text, KT_S("datetime(")) &&
		       !kt_str_starts(t->text, KT_S("guid("));
	}
	return 0;
}

static size_t slot_tokens(enum kt_slot slot, const struct kt_token *t)
{
	size_t n = value_here(slot, t);

	if (slot != KT_SLOT_ENTITIES && slot != KT_SLOT_GUIDS)
		return n;
	while (n && kt_tok_is(t + n, ",") && value_here(slot, t + n + 1))
		n += 2;
	return n;
}

/* "has|!has": tokens that the word which stands here takes, and that word. */
static size_t choice_tokens(struct kt_str choices, const struct kt_token *t, struct kt_str *word)
{
	bool negated = kt_tok_is(t, "!");

	while (kt_str_cut(&choices, '|', word)) {
		struct kt_str bare = kt_str_from(*word, kt_str_starts(*word, KT_S("!")));
		if ((bare.len < word->len) == negated && is_word_token(t + negated, bare))
			return 1 + (size_t)negated;
	}
	return 0;
}

static size_t part_tokens(const struct kt_part *part, const struct kt_token *t)
{
	struct kt_str word;
	size_t n = 0;

	switch (part->kind) {
	case KT_PART_WORD: return is_word_token(t, part->text);
	case KT_PART_SLOT: return slot_tokens(part->slot, t);
	case KT_PART_CHOICE: return choice_tokens(part->text, t, &word);
	case KT_PART_REST:
		while (t[n].kind != KT_TOK_END && !kt_tok_is(t + n, "|"))
			n++;
		return n ? n : KT_NPOS;
	}
	return 0;
}

/* ---- canonical print ---- */

static int print_token(const struct kt_token *t, enum kt_slot slot, struct kt_buf *out, struct kt_err *err)
{
	if (kt_tok_is(t, ","))
		kt_buf_char(out, ',');
	else if (slot == KT_SLOT_ENTITY || slot == KT_SLOT_ENTITIES)
		return kt_literal_entity(t->text, out, err);
	else if (slot == KT_SLOT_GUID || slot == KT_SLOT_GUIDS)
		return kt_literal_guid(t->text, out, err);
	else if (slot == KT_SLOT_STRING) {
		if (t->kind == KT_TOK_HIDDEN)
			kt_buf_char(out, 'h');
		return kt_literal_string(t->text, out, err);
	} else
		kt_buf_add(out, t->text);
	return 0;
}

static int print_part(const struct kt_part *part, const struct kt_token *t, size_t n, struct kt_buf *out,
		      struct kt_err *err)
{
	struct kt_str word = part->text;
	int rc = 0;

	if (part->space)
		kt_buf_char(out, ' ');
	if (part->kind == KT_PART_CHOICE)
		choice_tokens(part->text, t, &word);
	if (part->kind != KT_PART_SLOT)
		kt_buf_add(out, word);
	for (size_t i = 0; part->kind == KT_PART_SLOT && i < n && rc == 0; i++)
		rc = print_token(t + i, part->slot, out, err);
	return rc;
}

int kt_shape_walk(const struct kt_guard_row *row, const struct kt_token *t, size_t *n_parts, size_t *n_toks,
		  struct kt_buf *out, struct kt_err *err)
{
	*n_parts = *n_toks = 0;
	for (size_t i = 0; i < row->n_parts; i++) {
		size_t n = part_tokens(&row->parts[i], t + *n_toks);
		if (!n)
			break;
		if (n == KT_NPOS) /* "..." over nothing */
			n = 0;
		if (out && print_part(&row->parts[i], t + *n_toks, n, out, err) < 0)
			return -1;
		*n_toks += n;
		(*n_parts)++;
	}
	return 0;
}

/* ---- choice of the row ---- */

static size_t agree(const struct kt_guard_row *row, const struct kt_token *t, size_t *n_toks)
{
	size_t n_parts;

	if (kt_shape_walk(row, t, &n_parts, n_toks, NULL, NULL) < 0)
		return 0;
	return n_parts;
}

const struct kt_guard_row *kt_shape_find(const struct kt_guard *g, const struct kt_token *t, size_t *n_toks)
{
	const struct kt_guard_row *best = NULL;

	for (size_t i = 0; i < g->n_rows; i++) {
		const struct kt_guard_row *row = &g->rows[i];
		size_t n;
		if (agree(row, t, &n) < row->n_parts)
			continue;
		if (t[n].kind != KT_TOK_END && !kt_tok_is(t + n, "|"))
			continue;
		if (best && best->n_words >= row->n_words)
			continue;
		best = row;
		*n_toks = n;
	}
	return best;
}

/* Larger is nearer. A wrong verb is passed over: `.drop table X` is near `.show table`. */
static unsigned likeness(const struct kt_guard_row *row, const struct kt_token *t)
{
	unsigned score = 0;
	size_t i = 0, at = 0;

	if (kt_tok_is(t, ".") && t[1].kind == KT_TOK_NAME && row->n_parts > 2) {
		score = is_word_token(t + 1, row->parts[1].text) ? 12 : 0;
		i = at = 2;
	}
	for (; i < row->n_parts && t[at].kind != KT_TOK_END; i++) {
		size_t n = part_tokens(&row->parts[i], t + at);
		if (!n || n == KT_NPOS) {
			if (row->parts[i].kind == KT_PART_WORD && row->parts[i].text.len > 2) {
				unsigned d = kt_str_distance(t[at].text, row->parts[i].text, 4);
				score += d <= 2 ? 7 - 2 * d : 0;
			}
			return score * 16;
		}
		score += row->parts[i].kind == KT_PART_WORD ? 10 : 3;
		at += n;
	}
	unsigned rest = (unsigned)(row->n_parts - i);
	return score * 16 + 15 - (rest < 15 ? rest : 15);
}

const struct kt_guard_row *kt_shape_nearest(const struct kt_guard *g, const struct kt_token *t)
{
	const struct kt_guard_row *best = NULL;
	unsigned best_score = 0;

	for (size_t i = 0; i < g->n_rows; i++) {
		if (g->rows[i].cls == KT_GUARD_REFUSE || g->rows[i].cls == KT_GUARD_REDACTED)
			continue;
		unsigned score = likeness(&g->rows[i], t);
		if (score > best_score) {
			best_score = score;
			best = &g->rows[i];
		}
	}
	return best;
}

size_t kt_shape_columns(struct kt_str columns, struct kt_arena *a, struct kt_guard_column **out)
{
	struct kt_str rest = columns, piece;
	size_t n = 0;

	while (kt_str_cut(&rest, ',', &piece))
		n++;
	*out = kt_arena_alloc_n(a, n, sizeof **out);
	rest = columns;
	for (size_t i = 0; kt_str_cut(&rest, ',', &piece); i++) {
		size_t colon;
		piece = kt_str_trim(piece);
		colon = kt_str_chr(piece, ':', 0);
		(*out)[i].name = kt_str_sub(piece, 0, colon);
		(*out)[i].type = colon == KT_NPOS ? KT_NONE : kt_str_from(piece, colon + 1);
	}
	return n;
}
