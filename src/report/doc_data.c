/* What the page's script needs of each cause: the facts that its condition needs, the
 * answers that its evidence names, and the texts of its patterns, piece by piece. */
#include "json/write.h"
#include "match/wording.h"
#include "report/condition.h"
#include "report/doc.h"

#include "base/banned.h"

#define NEEDS 12

static void add_values(struct kt_jw *w, const struct kt_kb *kb, const struct kt_needed *n)
{
	struct kt_buf id = KT_BUF(KT_BUF_NAME);

	kt_buf_add(&id, kt_kb_text(kb, kb->facts[n->fact].id));
	kt_jw_open(w, kt_buf_c(&id), '[');
	for (uint32_t i = 0; i < n->values.n; i++)
		kt_jw_str(w, NULL, kt_kb_text(kb, kb->strings[n->values.at + i]));
	kt_jw_close(w);
	kt_buf_free(&id);
}

/* Each fact once: a second condition over it is passed over. */
static void add_facts(struct kt_jw *w, const struct kt_kb *kb, const char *name,
		      const struct kt_needed *needed, size_t n)
{
	kt_jw_open(w, name, '{');
	for (size_t i = 0; i < n; i++) {
		bool again = false;
		for (size_t k = 0; k < i; k++)
			again |= needed[k].fact == needed[i].fact;
		if (!again)
			add_values(w, kb, &needed[i]);
	}
	kt_jw_close(w);
}

static size_t asked(const struct kt_kb *kb, const struct kt_cause *c, struct kt_needed *out)
{
	size_t n = 0;

	for (uint32_t i = c->evidence.at; i < c->evidence.at + c->evidence.n; i++) {
		const struct kt_item *item = &kb->items[kb->evidence[i].item];
		if (item->kind == KT_ITEM_ASK && kt_weight_ddb((enum kt_weight)kb->evidence[i].weight) > 0)
			n += kt_condition_needed(kb, item->cond, out + n, NEEDS - n);
	}
	return n;
}

/* What it weighs, then its pieces. */
static void add_text(struct kt_jw *w, struct kt_str text, int ddb)
{
	struct kt_str piece;

	kt_jw_open(w, NULL, '[');
	kt_jw_int(w, NULL, ddb);
	while (kt_wording_piece(&text, &piece))
		kt_jw_str(w, NULL, piece);
	kt_jw_close(w);
}

/* Texts of evidence for the cause; a record that speaks against it is none of it. */
static void add_texts(struct kt_jw *w, const struct kt_kb *kb, const struct kt_cause *c)
{
	struct kt_arena a = {0};
	bool fold = false;

	kt_jw_open(w, "texts", '[');
	for (uint32_t i = c->evidence.at; i < c->evidence.at + c->evidence.n; i++) {
		const struct kt_item *item = &kb->items[kb->evidence[i].item];
		int ddb = kt_weight_ddb((enum kt_weight)kb->evidence[i].weight);
		if (item->kind != KT_ITEM_LOG || ddb <= 0)
			continue;
		struct kt_wording words = kt_wording_of(&a, kt_kb_text(kb, kb->patterns[item->pattern].text),
							KT_WORDING_NEEDED);
		for (uint32_t k = 0; k < words.n; k++)
			if (kt_wording_longest(words.s[k]) >= KT_WORDING_SURE)
				add_text(w, words.s[k], ddb);
		fold |= words.fold;
	}
	kt_jw_close(w);
	kt_jw_bool(w, "fold", fold);
	kt_arena_free(&a);
}

static void add_cause(struct kt_jw *w, const struct kt_kb *kb, uint32_t cause)
{
	const struct kt_cause *c = &kb->causes[cause];
	struct kt_needed needed[NEEDS];
	struct kt_buf id = KT_BUF(KT_BUF_NAME);

	kt_buf_add(&id, kt_kb_text(kb, c->id));
	kt_jw_open(w, kt_buf_c(&id), '{');
	add_facts(w, kb, "needs", needed, kt_condition_needed(kb, c->gate, needed, NEEDS));
	add_facts(w, kb, "names", needed, asked(kb, c, needed));
	add_texts(w, kb, c);
	kt_jw_close(w);
	kt_buf_free(&id);
}

void kt_doc_data(const struct kt_doc *doc, struct kt_buf *out)
{
	struct kt_buf json = KT_BUF(KT_BUF_TEXT);
	struct kt_jw w = {.out = &json};

	kt_jw_open(&w, NULL, '{');
	kt_jw_open(&w, "causes", '{');
	for (size_t i = 0; i < doc->n; i++)
		for (size_t k = 0; k < doc->chapters[i].n; k++)
			if (doc->chapters[i].entries[k].cause != KT_NIL)
				add_cause(&w, doc->kb, doc->chapters[i].entries[k].cause);
	kt_jw_close(&w);
	kt_jw_close(&w);
	/* "</script>" and "<!--" would end or change the element; "<" stands in texts only. */
	for (size_t i = 0; i < json.len; i++)
		if (json.p[i] == '<')
			kt_buf_str(out, "\\u003c");
		else
			kt_buf_char(out, json.p[i]);
	kt_buf_free(&json);
}
