#include "report/words.h"

#include <inttypes.h>
#include <stdarg.h>

#include "base/banned.h"

void kt_row(const struct kt_report *r, const char *label, enum kt_paint paint, struct kt_str text)
{
	kt_blanks(r->out, KT_LABEL_INDENT);
	kt_paint(r->out, r->style, KT_PAINT_DIM, kt_str_c(label));
	unsigned col = KT_LABEL_INDENT + kt_width(kt_str_c(label));
	if (col >= KT_TEXT_INDENT) {
		kt_blanks(r->out, 2);
		col += 2;
	}
	kt_wrap(r->out, r->style, paint, kt_str_trim(text), col, KT_TEXT_INDENT);
	kt_buf_char(r->out, '\n');
}

void kt_row_fmt(const struct kt_report *r, const char *label, enum kt_paint paint, const char *fmt, ...)
{
	struct kt_buf text = KT_BUF(KT_BUF_TEXT);
	va_list ap;

	va_start(ap, fmt);
	kt_buf_vfmt(&text, fmt, ap);
	va_end(ap);
	kt_row(r, label, paint, kt_buf_view(&text));
	kt_buf_free(&text);
}

void kt_line(const struct kt_report *r, enum kt_paint paint, const char *fmt, ...)
{
	struct kt_buf text = KT_BUF(KT_BUF_TEXT);
	va_list ap;

	va_start(ap, fmt);
	kt_buf_vfmt(&text, fmt, ap);
	va_end(ap);
	kt_wrap(r->out, r->style, paint, kt_buf_view(&text), 0, 0);
	kt_buf_char(r->out, '\n');
	kt_buf_free(&text);
}

const char *kt_addend_word(const struct kt_kb *kb, const struct kt_addend *a)
{
	const struct kt_evidence *e = &kb->evidence[a->evidence];
	bool absent = a->obs && a->obs->state == KT_STATE_ABSENT;

	if (!absent && kt_weight_ddb((enum kt_weight)e->weight) == a->ddb)
		return kt_weight_word((enum kt_weight)e->weight);
	return kt_weight_word(
		(enum kt_weight)(kt_weight_ddb((enum kt_weight)e->absent) == a->ddb ? e->absent : e->weight));
}

struct kt_str kt_addend_text(const struct kt_kb *kb, const struct kt_addend *a)
{
	const struct kt_evidence *e = &kb->evidence[a->evidence];

	if (a->obs && a->obs->text.len && kb->items[e->item].kind != KT_ITEM_ASK)
		return a->obs->text;
	if (e->note.len)
		return kt_kb_text(kb, e->note);
	return kt_kb_text(kb, kb->items[e->item].text);
}

struct kt_str kt_addend_note(const struct kt_kb *kb, const struct kt_addend *a)
{
	struct kt_str note = kt_kb_text(kb, kb->evidence[a->evidence].note);

	return kt_str_eq(note, kt_addend_text(kb, a)) ? KT_NONE : note;
}

struct kt_str kt_addend_last(const struct kt_addend *a)
{
	if (!a->last || a->hits < 2)
		return KT_NONE;
	struct kt_str place = a->last->last.len ? a->last->last : a->last->source;
	return a->obs && kt_str_eq(place, a->obs->source) ? KT_NONE : place;
}

const char *kt_at_least(const struct kt_style *style, bool at_least)
{
	return !at_least ? "" : style->ascii ? ">= " : "\u2265 ";
}

void kt_add_times(const struct kt_report *r, struct kt_buf *out, const struct kt_addend *a,
		  const char *before, const char *behind)
{
	struct kt_str last = kt_addend_last(a);

	if (a->hits < 2)
		return;
	kt_buf_fmt(out, "%s%s", before, kt_at_least(r->style, a->at_least));
	kt_add_thousands(out, a->hits);
	kt_buf_str(out, " times");
	if (last.len)
		kt_buf_fmt(out, ", last at " KT_FMT, KT_ARG(last));
	kt_buf_str(out, behind);
}

void kt_add_db(const struct kt_report *r, struct kt_buf *out, int ddb)
{
	if (!r->verbose)
		return;
	kt_buf_str(out, ddb > 0 ? " +" : " ");
	kt_buf_fixed(out, ddb, 1);
	kt_buf_str(out, " dB");
}

static void add_check(struct kt_session *s, uint32_t check, struct kt_buf *out)
{
	const struct kt_kb *kb = kt_session_kb(s);
	const struct kt_check *c = &kb->checks[check];
	struct kt_err why = {0};

	if (c->endpoint == KT_INGEST)
		kt_buf_str(out, "at the ingest endpoint: ");
	if (kt_session_command(s, check, out, &why) < 0)
		kt_session_fill(s, kt_str_trim(kt_kb_text(kb, c->command)), KT_NIL, out);
}

void kt_step_text(struct kt_session *s, const struct kt_plan_step *step, struct kt_buf *out)
{
	const struct kt_kb *kb = kt_session_kb(s);

	if (step->kind == KT_PLAN_ASK)
		kt_session_fill(s, kt_kb_text(kb, kb->facts[step->fact].ask), KT_NIL, out);
	else if (step->kind == KT_PLAN_SHOW)
		add_check(s, step->check, out);
	else
		kt_buf_add(out, kt_kb_text(kb, kb->checks[step->check].title));
}

const char *kt_gain_words(uint32_t gain_1024)
{
	static const struct {
		uint32_t least;
		const char *words;
	} table[] = {
		{1536, "tells most of what is left"},
		{819, "about halves what is left"},
		{410, "narrows it down"},
		{102, "narrows it down a little"},
		{0, "tells little"},
	};

	for (size_t i = 0; i < KT_LEN(table); i++)
		if (gain_1024 >= table[i].least)
			return table[i].words;
	return "";
}

static size_t add_check_once(uint32_t *checks, size_t n, uint32_t check)
{
	for (size_t i = 0; i < n; i++)
		if (checks[i] == check)
			return n;
	checks[n] = check;
	return n + 1;
}

size_t kt_offline_checks(struct kt_session *s, uint32_t *checks, size_t most)
{
	const struct kt_kb *kb = kt_session_kb(s);
	const struct kt_judgement *j = kt_session_judgement(s);
	size_t n = 0, n_commands;
	const struct kt_command_view *commands = kt_session_commands(s, &n_commands);

	for (size_t i = 0; i < n_commands; i++)
		if (commands[i].state == KT_CMD_DONE)
			return 0;
	for (size_t i = 0; i < j->n_evoked; i++) {
		struct kt_span span = kb->causes[j->evoked[i]].evidence;
		for (uint32_t e = 0; e < span.n && n < most; e++) {
			const struct kt_item *item = &kb->items[kb->evidence[span.at + e].item];
			if (item->kind == KT_ITEM_SHOW)
				n = add_check_once(checks, n, item->check);
		}
	}
	return n;
}

bool kt_report_nothing_read(struct kt_session *s)
{
	size_t n;
	const struct kt_input_view *in = kt_session_inputs(s, &n);

	for (size_t i = 0; i < n; i++)
		if (in[i].complete || in[i].lines)
			return false;
	return n > 0;
}

uint32_t kt_lead(struct kt_session *s)
{
	return kt_session_judgement(s)->lead;
}

struct kt_str kt_cause_id(const struct kt_kb *kb, uint32_t cause)
{
	return cause == KT_NIL ? KT_NONE : kt_kb_text(kb, kb->causes[cause].id);
}

void kt_add_thousands(struct kt_buf *out, uint64_t n)
{
	if (n >= 1000) {
		kt_add_thousands(out, n / 1000);
		kt_buf_fmt(out, ",%03" PRIu64, n % 1000);
		return;
	}
	kt_buf_fmt(out, "%" PRIu64, n);
}

const char *kt_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}
