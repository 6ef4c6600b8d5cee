/* The runbook companion: what the rules say, without an incident. */
#include "report/words.h"

#include "base/alloc.h"

#include "base/banned.h"

static void text_row(const struct kt_report *r, const struct kt_kb *kb, const char *label, struct kt_ref text)
{
	if (text.len)
		kt_row(r, label, KT_PAINT_PLAIN, kt_kb_text(kb, text));
}

static void evidence_row(const struct kt_report *r, const struct kt_kb *kb, const struct kt_evidence *e,
			 bool first)
{
	const struct kt_item *item = &kb->items[e->item];
	static const char *const kinds[] = {"log", "show", "ask"};
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	kt_buf_fmt(&b, "%s: ", kinds[item->kind]);
	if (item->kind == KT_ITEM_SHOW)
		kt_buf_fmt(&b, KT_FMT ": ", KT_ARG(kt_kb_text(kb, kb->checks[item->check].id)));
	kt_buf_fmt(&b, KT_FMT "  (%s", KT_ARG(kt_kb_text(kb, e->note.len ? e->note : item->text)),
		   kt_weight_word((enum kt_weight)e->weight));
	if (e->absent != KT_W_NONE)
		kt_buf_fmt(&b, "; absent %s", kt_weight_word((enum kt_weight)e->absent));
	kt_buf_char(&b, ')');
	kt_row(r, first ? "evidence" : "", KT_PAINT_PLAIN, kt_buf_view(&b));
	kt_buf_free(&b);
}

static void list_row(const struct kt_report *r, const struct kt_kb *kb, const char *label,
		     struct kt_span span)
{
	for (uint32_t i = 0; i < span.n; i++)
		kt_row(r, i ? "" : label, KT_PAINT_DIM, kt_kb_text(kb, kb->strings[span.at + i]));
}

void kt_report_cause(const struct kt_report *r, const struct kt_kb *kb, uint32_t cause)
{
	const struct kt_cause *c = &kb->causes[cause];

	kt_line(r, KT_PAINT_HEAD, KT_FMT ": " KT_FMT, KT_ARG(kt_kb_text(kb, c->id)),
		KT_ARG(kt_kb_text(kb, c->title)));
	text_row(r, kb, "what", c->explain);
	text_row(r, kb, "only when", c->gate_text);
	for (uint32_t i = 0; i < c->evidence.n; i++)
		evidence_row(r, kb, &kb->evidence[c->evidence.at + i], i == 0);
	text_row(r, kb, "confirm", c->would_confirm);
	text_row(r, kb, "fix", c->fix_text);
	text_row(r, kb, "cost", c->tradeoff);
	kt_row_fmt(r, "re-run", KT_PAINT_PLAIN, "%s%s" KT_FMT, kt_rerun_word((enum kt_rerun)c->rerun),
		   c->rerun_reason.len ? ": " : "", KT_ARG(kt_kb_text(kb, c->rerun_reason)));
	text_row(r, kb, "verify", c->verify_text);
	list_row(r, kb, "looks like", c->look_alikes);
	list_row(r, kb, "see", c->refs);
}

void kt_report_option(const struct kt_report *r, const struct kt_kb *kb, uint32_t option)
{
	const struct kt_option *o = &kb->options[option];

	kt_line(r, KT_PAINT_HEAD, KT_FMT " (" KT_FMT ")", KT_ARG(kt_kb_text(kb, o->id)),
		KT_ARG(kt_kb_text(kb, o->scope)));
	text_row(r, kb, "default", o->def);
	text_row(r, kb, "allowed", o->allowed);
	text_row(r, kb, "since", o->since);
	text_row(r, kb, "effect", o->impact);
	text_row(r, kb, "mistakes", o->mistake);
	list_row(r, kb, "see", o->refs);
}

/* How many of the words stand in the text. */
static unsigned score_text(struct kt_str text, struct kt_str words, unsigned worth)
{
	struct kt_str word;
	unsigned score = 0;

	while (kt_str_cut(&words, ' ', &word))
		if (word.len > 1 && kt_str_ifind(text, word, 0) != KT_NPOS)
			score += worth;
	return score;
}

static unsigned score_cause(const struct kt_kb *kb, const struct kt_cause *c, struct kt_str words)
{
	unsigned score = score_text(kt_kb_text(kb, c->id), words, 4) +
			 score_text(kt_kb_text(kb, c->title), words, 3) +
			 score_text(kt_kb_text(kb, c->explain), words, 1) +
			 score_text(kt_kb_text(kb, c->fix_text), words, 1);

	for (uint32_t i = 0; i < c->evidence.n; i++)
		score += score_text(kt_kb_text(kb, kb->items[kb->evidence[c->evidence.at + i].item].text),
				    words, 2);
	return score;
}

void kt_report_search(const struct kt_report *r, const struct kt_kb *kb, struct kt_str words)
{
	unsigned *scores = kt_alloc_n(kb->n_causes, sizeof *scores);
	unsigned shown = 0;

	for (uint32_t i = 0; i < kb->n_causes; i++)
		scores[i] = score_cause(kb, &kb->causes[i], words);
	for (; shown < 10; shown++) {
		uint32_t best = KT_NIL;
		for (uint32_t i = 0; i < kb->n_causes; i++)
			if (scores[i] && (best == KT_NIL || scores[i] > scores[best]))
				best = i;
		if (best == KT_NIL)
			break;
		kt_row_fmt(r, "", KT_PAINT_PLAIN, KT_FMT ": " KT_FMT,
			   KT_ARG(kt_kb_text(kb, kb->causes[best].id)),
			   KT_ARG(kt_kb_text(kb, kb->causes[best].title)));
		scores[best] = 0;
	}
	for (uint32_t i = 0; i < kb->n_options; i++)
		if (score_text(kt_kb_text(kb, kb->options[i].id), words, 1)) {
			kt_row_fmt(r, "", KT_PAINT_PLAIN, "option " KT_FMT ": " KT_FMT,
				   KT_ARG(kt_kb_text(kb, kb->options[i].id)),
				   KT_ARG(kt_kb_text(kb, kb->options[i].impact)));
			shown++;
		}
	if (!shown)
		kt_line(r, KT_PAINT_PLAIN, "No rule mentions these words.");
	kt_free(scores);
}

static void notes(const struct kt_report *r, const struct kt_kb *kb, enum kt_note_kind kind,
		  const char *title)
{
	kt_line(r, KT_PAINT_HEAD, "%s", title);
	for (uint32_t i = 0; i < kb->n_notes; i++)
		if (kb->notes[i].kind == (uint32_t)kind)
			kt_row(r, "-", KT_PAINT_PLAIN, kt_kb_text(kb, kb->notes[i].text));
	kt_buf_char(r->out, '\n');
}

static void questions(const struct kt_report *r, const struct kt_kb *kb)
{
	for (int step = KT_STEP_CLASSIFY; step <= KT_STEP_RESOLVE; step++)
		for (uint32_t f = 0; f < kb->n_facts; f++)
			if (kb->facts[f].step == (uint32_t)step && kb->facts[f].ask.len)
				kt_row_fmt(r, kt_step_word((enum kt_step)step), KT_PAINT_PLAIN,
					   KT_FMT "  (" KT_FMT ")", KT_ARG(kt_kb_text(kb, kb->facts[f].ask)),
					   KT_ARG(kt_kb_text(kb, kb->facts[f].id)));
}

void kt_report_runbook(const struct kt_report *r, const struct kt_kb *kb, struct kt_str area)
{
	if (!area.len) {
		kt_line(r, KT_PAINT_HEAD, "Questions, step by step");
		questions(r, kb);
		kt_buf_char(r->out, '\n');
	}
	for (uint32_t i = 0; i < kb->n_causes; i++) {
		if (area.len && !kt_str_eq(kt_kb_text(kb, kb->causes[i].area), area))
			continue;
		kt_report_cause(r, kb, i);
		kt_buf_char(r->out, '\n');
	}
	if (area.len)
		return;
	notes(r, kb, KT_NOTE_COLLECT, "What to collect");
	notes(r, kb, KT_NOTE_ADVICE, "Closing rules");
	kt_line(r, KT_PAINT_HEAD, "Configuration reference");
	for (uint32_t i = 0; i < kb->n_options; i++)
		kt_report_option(r, kb, i);
}
