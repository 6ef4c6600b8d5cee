#include "report/condition.h"

#include "match/wording.h"

#include "base/banned.h"

static struct kt_str value(const struct kt_kb *kb, const struct kt_node *n, uint32_t i)
{
	return kt_kb_text(kb, kb->strings[n->values.at + i]);
}

static bool is_version(const struct kt_kb *kb, const struct kt_node *n)
{
	return n->fact != KT_NIL && kb->facts[n->fact].type == KT_FACT_VERSION;
}

static void add_values(const struct kt_kb *kb, const struct kt_node *n, struct kt_buf *out)
{
	for (uint32_t i = 0; i < n->values.n; i++) {
		kt_buf_str(out, !i ? "" : i + 1 < n->values.n ? ", " : " or ");
		kt_buf_add(out, value(kb, n, i));
	}
}

/* What stands before and behind the value; of versions, and of everything else. */
static const struct {
	const char *before, *version_before, *version_behind;
} words[] = {
	[KT_OP_EQ] = {" is ", " is ", ""},
	[KT_OP_NE] = {" is not ", " is not ", ""},
	[KT_OP_LT] = {" is less than ", " is older than ", ""},
	[KT_OP_LE] = {" is at most ", " is ", " or older"},
	[KT_OP_GT] = {" is more than ", " is newer than ", ""},
	[KT_OP_GE] = {" is at least ", " is ", " or newer"},
	[KT_OP_IN] = {" is ", " is ", ""},
	[KT_OP_IEQ] = {" is ", " is ", ""},
	[KT_OP_CONTAINS] = {" contains ", " contains ", ""},
	[KT_OP_STARTS] = {" begins with ", " begins with ", ""},
};

static void leaf(const struct kt_kb *kb, const struct kt_node *n, struct kt_buf *out)
{
	bool version = is_version(kb, n);

	kt_buf_add(out, kt_kb_text(kb, n->name));
	if (n->op >= KT_LEN(words) || !words[n->op].before)
		return;
	kt_buf_str(out, version ? words[n->op].version_before : words[n->op].before);
	add_values(kb, n, out);
	kt_buf_str(out, version ? words[n->op].version_behind : "");
}

static void inner(const struct kt_kb *kb, uint32_t node, uint32_t around, struct kt_buf *out)
{
	const struct kt_node *n = &kb->nodes[node];
	bool both = n->op == KT_OP_AND || n->op == KT_OP_OR;
	bool close = both && n->op != around && around != KT_NIL;

	if (n->op == KT_OP_NOT) {
		kt_buf_str(out, "not (");
		inner(kb, n->left, KT_NIL, out);
		kt_buf_char(out, ')');
		return;
	}
	if (!both) {
		leaf(kb, n, out);
		return;
	}
	kt_buf_str(out, close ? "(" : "");
	inner(kb, n->left, n->op, out);
	kt_buf_str(out, n->op == KT_OP_AND ? " and " : " or ");
	inner(kb, n->right, n->op, out);
	kt_buf_str(out, close ? ")" : "");
}

void kt_condition_words(const struct kt_kb *kb, uint32_t node, struct kt_buf *out)
{
	if (node != KT_NIL)
		inner(kb, node, KT_NIL, out);
}

void kt_add_cut(struct kt_buf *out, struct kt_str s, size_t len)
{
	if (s.len <= len) {
		kt_buf_add(out, s);
		return;
	}
	while (len && ((unsigned char)s.p[len] & 0xC0) == 0x80)
		len--;
	kt_buf_add(out, kt_str_sub(s, 0, len));
	kt_buf_str(out, "\u2026");
}

void kt_text_words(struct kt_str text, size_t len, struct kt_buf *out)
{
	struct kt_buf whole = KT_BUF(KT_BUF_TEXT);
	struct kt_str piece;
	bool some = false;

	while (kt_wording_piece(&text, &piece)) {
		piece = kt_str_trim(piece);
		if (!piece.len)
			continue;
		kt_buf_str(&whole, some ? " \u2026 " : "");
		kt_buf_add(&whole, piece);
		some = true;
	}
	kt_add_cut(out, kt_buf_view(&whole), len);
	kt_buf_free(&whole);
}

bool kt_pattern_words(struct kt_str regex, size_t most, struct kt_buf *out)
{
	struct kt_arena a = {0};
	struct kt_wording w = kt_wording_of(&a, regex, KT_WORDING_SHOWN);

	for (uint32_t i = 0; i < w.n && i < most; i++) {
		kt_buf_str(out, i ? " or \u201c" : "\u201c");
		kt_text_words(w.s[i], KT_TEXT_SHOWN, out);
		kt_buf_str(out, "\u201d");
	}
	if (w.n > most)
		kt_buf_fmt(out, " or %u more", w.n - (unsigned)most);
	kt_arena_free(&a);
	return w.n > 0;
}

bool kt_pattern_label(struct kt_str regex, size_t len, struct kt_buf *out)
{
	struct kt_arena a = {0};
	struct kt_wording w = kt_wording_of(&a, regex, KT_WORDING_SHOWN);

	if (w.n)
		kt_text_words(w.s[0], len, out);
	kt_arena_free(&a);
	return w.n > 0;
}

#define TEXTS_SHOWN 4

void kt_item_words(const struct kt_kb *kb, const struct kt_item *item, struct kt_buf *out)
{
	static const char *const modes[] = {"some row has ", "every row has ", "no row has ",
					    "the number of "};

	if (item->kind == KT_ITEM_LOG) {
		kt_pattern_words(kt_kb_text(kb, kb->patterns[item->pattern].text), TEXTS_SHOWN, out);
		return;
	}
	if (item->kind == KT_ITEM_SHOW)
		kt_buf_str(out, modes[item->mode]);
	kt_condition_words(kb, item->cond, out);
}

size_t kt_condition_needed(const struct kt_kb *kb, uint32_t node, struct kt_needed *out, size_t most)
{
	if (node == KT_NIL || !most)
		return 0;
	const struct kt_node *n = &kb->nodes[node];
	if (n->op == KT_OP_AND) {
		size_t got = kt_condition_needed(kb, n->left, out, most);
		return got + kt_condition_needed(kb, n->right, out + got, most - got);
	}
	if ((n->op != KT_OP_EQ && n->op != KT_OP_IN) || n->fact == KT_NIL || !kb->facts[n->fact].choices.n)
		return 0;
	*out = (struct kt_needed){n->fact, n->values};
	return 1;
}
