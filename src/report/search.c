/* search: causes and options that speak of some words, the best first. A word that
 * nothing holds is taken for the nearest that something does, and that is said. */
#include "report/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/redact.h"
#include "match/wording.h"
#include "report/condition.h"

#include "base/banned.h"

#define MOST_SHOWN 10
#define MOST_WORDS 16
#define FEW        4 /* words that were thought of; more are a sentence that was copied */
#define CODE       6 /* letters of a piece that may stand inside a word: 80DA0007 in 0x80DA0007 */

/* What a word is worth where it stands. */
enum worth {
	NOTHING,
	IN_PROSE = 1,
	IN_FIX = 3,
	IN_TEXT = 8,
	IN_TITLE = 10,
	IN_ID = 16,
	WHOLE_TEXT = 60,
	WHOLE_ID = 200
};

struct found {
	uint32_t row;
	unsigned words, score;
	uint32_t item; /* whose text it was found by, or KT_NIL */
};

struct search {
	const struct kt_kb *kb;
	struct kt_arena arena;
	struct kt_str all, word[MOST_WORDS];
	size_t n;
	struct kt_wording *shown, *needed; /* by pattern; filled at first use */
	bool *known;
};

static bool holds(struct kt_str text, struct kt_str word)
{
	return kt_str_ifind(text, word, 0) != KT_NPOS;
}

static void word_pattern(struct search *s, uint32_t pattern)
{
	struct kt_str regex = kt_kb_text(s->kb, s->kb->patterns[pattern].text);

	if (s->known[pattern])
		return;
	s->known[pattern] = true;
	s->shown[pattern] = kt_wording_of(&s->arena, regex, KT_WORDING_SHOWN);
	s->needed[pattern] = kt_wording_of(&s->arena, regex, KT_WORDING_NEEDED);
}

static bool in_texts(const struct kt_wording *w, struct kt_str word)
{
	for (uint32_t i = 0; i < w->n; i++) {
		struct kt_str rest = w->s[i], piece;
		while (kt_wording_piece(&rest, &piece))
			if (holds(piece, word) || (piece.len >= CODE && holds(word, kt_str_trim(piece))))
				return true;
	}
	return false;
}

/* Does the log item speak of the word: in its texts, its regex, its note? */
static bool item_holds(struct search *s, const struct kt_evidence *e, struct kt_str word)
{
	const struct kt_item *item = &s->kb->items[e->item];

	if (holds(kt_kb_text(s->kb, item->text), word) || holds(kt_kb_text(s->kb, e->note), word))
		return true;
	if (item->kind != KT_ITEM_LOG)
		return false;
	word_pattern(s, item->pattern);
	return in_texts(&s->shown[item->pattern], word);
}

/* Is what was asked for a text that the item needs? */
static bool item_stands(struct search *s, const struct kt_item *item)
{
	if (item->kind != KT_ITEM_LOG)
		return false;
	word_pattern(s, item->pattern);
	const struct kt_wording *w = &s->needed[item->pattern];
	for (uint32_t i = 0; i < w->n; i++)
		if (kt_wording_longest(w->s[i]) >= KT_WORDING_SURE &&
		    kt_wording_stands(w->s[i], s->all, w->fold))
			return true;
	return false;
}

static enum worth word_worth(struct search *s, const struct kt_cause *c, struct kt_str word, uint32_t *item)
{
	if (kt_str_ieq(kt_kb_text(s->kb, c->id), word))
		return WHOLE_ID;
	if (holds(kt_kb_text(s->kb, c->id), word))
		return IN_ID;
	if (holds(kt_kb_text(s->kb, c->title), word))
		return IN_TITLE;
	for (uint32_t i = 0; i < c->evidence.n; i++) {
		const struct kt_evidence *e = &s->kb->evidence[c->evidence.at + i];
		if (!item_holds(s, e, word))
			continue;
		*item = s->kb->items[e->item].kind == KT_ITEM_LOG ? e->item : *item;
		return IN_TEXT;
	}
	if (holds(kt_kb_text(s->kb, c->fix_text), word))
		return IN_FIX;
	return holds(kt_kb_text(s->kb, c->explain), word) ? IN_PROSE : NOTHING;
}

static struct found look_at(struct search *s, uint32_t cause)
{
	const struct kt_cause *c = &s->kb->causes[cause];
	struct found f = {.row = cause, .item = KT_NIL};

	for (size_t i = 0; i < s->n; i++) {
		unsigned worth = word_worth(s, c, s->word[i], &f.item);
		f.words += worth > 0;
		f.score += worth;
	}
	for (uint32_t i = 0; i < c->evidence.n; i++) {
		const struct kt_evidence *e = &s->kb->evidence[c->evidence.at + i];
		if (kt_weight_ddb((enum kt_weight)e->weight) > 0 && item_stands(s, &s->kb->items[e->item])) {
			f.item = e->item;
			f.score += WHOLE_TEXT;
			f.words = (unsigned)s->n;
			break;
		}
	}
	return f;
}

static int best_first(const void *p, const void *q)
{
	const struct found *x = p, *y = q;

	if (x->words != y->words)
		return x->words > y->words ? -1 : 1;
	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return x->row < y->row ? -1 : 1;
}

/* --- options --- */

static bool option_holds(const struct kt_kb *kb, const struct kt_option *o, struct kt_str word)
{
	bool some = word.len > 3 && holds(kt_kb_text(kb, o->id), word);

	for (uint32_t i = 0; i < o->wrong.n && !some; i++)
		some = kt_str_ieq(kt_kb_text(kb, kb->choices[o->wrong.at + i].value), word);
	return some;
}

static bool option_found(const struct search *s, const struct kt_option *o)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->n > FEW ? kt_str_ieq(kt_kb_text(s->kb, o->id), s->word[i])
			       : option_holds(s->kb, o, s->word[i]))
			return true;
	return false;
}

/* --- misspelt words --- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

struct words {
	struct kt_str *at;
	size_t n, cap;
};

static void add_words(struct kt_arena *a, struct words *w, struct kt_str text)
{
	for (size_t i = 0; i < text.len;) {
		size_t from = i;
		while (i < text.len && is_letter(text.p[i]))
			i++;
		if (i - from > 3) {
			if (w->n == w->cap) {
				struct kt_str *more = KT_NEW_N(a, struct kt_str, w->cap ? w->cap * 2 : 256);
				if (w->n)
					memcpy(more, w->at, w->n * sizeof *more);
				w->at = more;
				w->cap = w->cap ? w->cap * 2 : 256;
			}
			w->at[w->n++] = kt_str_sub(text, from, i - from);
		}
		i += i == from;
	}
}

static void vocabulary(struct search *s, struct words *w)
{
	const struct kt_kb *kb = s->kb;

	for (uint32_t i = 0; i < kb->n_causes; i++) {
		add_words(&s->arena, w, kt_kb_text(kb, kb->causes[i].id));
		add_words(&s->arena, w, kt_kb_text(kb, kb->causes[i].title));
	}
	for (uint32_t i = 0; i < kb->n_options; i++)
		add_words(&s->arena, w, kt_kb_text(kb, kb->options[i].id));
	for (uint32_t i = 0; i < kb->n_causes; i++)
		add_words(&s->arena, w, kt_kb_text(kb, kb->causes[i].fix_text));
	for (uint32_t i = 0; i < kb->n_items; i++) {
		if (kb->items[i].kind != KT_ITEM_LOG)
			continue;
		word_pattern(s, kb->items[i].pattern);
		const struct kt_wording *texts = &s->shown[kb->items[i].pattern];
		for (uint32_t k = 0; k < texts->n; k++)
			add_words(&s->arena, w, texts->s[k]);
	}
}

static bool stands_somewhere(struct search *s, struct kt_str word)
{
	uint32_t ignored = KT_NIL;

	for (uint32_t i = 0; i < s->kb->n_causes; i++)
		if (word_worth(s, &s->kb->causes[i], word, &ignored))
			return true;
	for (uint32_t i = 0; i < s->kb->n_options; i++)
		if (option_holds(s->kb, &s->kb->options[i], word))
			return true;
	return false;
}

/* Only of a short search: a sentence that was copied holds many words that no rule has. */
static void mend(const struct kt_report *r, struct search *s)
{
	struct words w = {0};

	for (size_t i = 0; i < s->n && s->n <= FEW; i++) {
		if (stands_somewhere(s, s->word[i]))
			continue;
		if (!w.n)
			vocabulary(s, &w);
		struct kt_str near = kt_str_nearest(s->word[i], w.at, w.n);
		if (near.len)
			kt_line(r, KT_PAINT_DIM, "Nothing says '" KT_FMT "'; this is for '" KT_FMT "'.",
				KT_ARG(s->word[i]), KT_ARG(near));
		else
			kt_line(r, KT_PAINT_DIM, "Nothing says '" KT_FMT "'.", KT_ARG(s->word[i]));
		s->word[i] = near.len ? near : s->word[i];
	}
}

/* --- the answer --- */

static void row(const struct kt_report *r, unsigned indent, enum kt_paint paint, struct kt_str text)
{
	kt_blanks(r->out, indent);
	kt_wrap(r->out, r->style, paint, text, indent, indent + 2);
	kt_buf_char(r->out, '\n');
}

static bool speaks_of(const struct search *s, struct kt_str text)
{
	struct kt_wording one = {&text, 1, false};

	for (size_t i = 0; i < s->n; i++)
		if (in_texts(&one, s->word[i]))
			return true;
	return kt_wording_stands(text, s->all, true);
}

/* The text of a log item that was found; its first if that is not known. */
static struct kt_str text_of(struct search *s, uint32_t item)
{
	uint32_t pattern = s->kb->items[item].pattern;

	word_pattern(s, pattern);
	const struct kt_wording *w = &s->shown[pattern];
	for (uint32_t i = 0; i < w->n; i++)
		if (speaks_of(s, w->s[i]))
			return w->s[i];
	return w->n ? w->s[0] : kt_kb_text(s->kb, s->kb->items[item].text);
}

static void show_cause(const struct kt_report *r, struct search *s, const struct found *f)
{
	const struct kt_cause *c = &s->kb->causes[f->row];
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	kt_buf_fmt(&b, KT_FMT ": " KT_FMT, KT_ARG(kt_kb_text(s->kb, c->id)),
		   KT_ARG(kt_kb_text(s->kb, c->title)));
	row(r, 2, KT_PAINT_PLAIN, kt_buf_view(&b));
	kt_buf_clear(&b);
	if (f->item != KT_NIL) {
		kt_buf_str(&b, "the log says \u201c");
		kt_text_words(text_of(s, f->item), KT_TEXT_SHOWN, &b);
		kt_buf_str(&b, "\u201d");
		row(r, 6, KT_PAINT_DIM, kt_buf_view(&b));
	}
	kt_buf_free(&b);
}

static size_t show_causes(const struct kt_report *r, struct search *s)
{
	struct found *all = KT_NEW_N(&s->arena, struct found, s->kb->n_causes + 1u);
	size_t n = 0, shown = 0;

	for (uint32_t i = 0; i < s->kb->n_causes; i++) {
		all[n] = look_at(s, i);
		n += all[n].score > 0;
	}
	if (n)
		qsort(all, n, sizeof *all, best_first);
	for (; shown < n && shown < MOST_SHOWN && (s->n > FEW || all[shown].words == all[0].words); shown++)
		show_cause(r, s, &all[shown]);
	size_t alike = shown;
	while (alike < n && all[alike].words == all[0].words)
		alike++;
	if (alike > shown)
		kt_line(r, KT_PAINT_DIM, "%zu more; another word makes them fewer.", alike - shown);
	return shown;
}

static size_t show_options(const struct kt_report *r, const struct search *s)
{
	size_t shown = 0;

	for (uint32_t i = 0; i < s->kb->n_options; i++) {
		if (!option_found(s, &s->kb->options[i]))
			continue;
		if (shown++ == MOST_SHOWN)
			break;
		struct kt_buf b = KT_BUF(KT_BUF_TEXT);
		kt_buf_fmt(&b, "option " KT_FMT ": " KT_FMT, KT_ARG(kt_kb_text(s->kb, s->kb->options[i].id)),
			   KT_ARG(kt_str_trim(kt_kb_text(s->kb, s->kb->options[i].impact))));
		row(r, 2, KT_PAINT_PLAIN, kt_buf_view(&b));
		kt_buf_free(&b);
	}
	return shown;
}

void kt_report_search(const struct kt_report *r, const struct kt_kb *kb, struct kt_str words)
{
	/* Blanks at the ends, as there are in a text that the words were taken from. */
	struct search s = {.kb = kb};
	struct kt_buf clean = KT_BUF(KT_BUF_TEXT);
	struct kt_str rest, word;

	kt_redact(&clean, words); /* words that nothing says are shown */
	rest = words = kt_buf_view(&clean);

	s.shown = KT_NEW_N(&s.arena, struct kt_wording, kb->n_patterns + 1u);
	s.needed = KT_NEW_N(&s.arena, struct kt_wording, kb->n_patterns + 1u);
	s.known = KT_NEW_N(&s.arena, bool, kb->n_patterns + 1u);
	s.all = kt_arena_fmt(&s.arena, " " KT_FMT " ", KT_ARG(words));
	while (s.n < MOST_WORDS && kt_str_cut(&rest, ' ', &word))
		if (word.len > 1)
			s.word[s.n++] = word;
	mend(r, &s);
	if (show_causes(r, &s) + show_options(r, &s) == 0)
		kt_line(r, KT_PAINT_PLAIN, "No rule mentions these words.");
	kt_arena_free(&s.arena);
	kt_buf_free(&clean);
}
