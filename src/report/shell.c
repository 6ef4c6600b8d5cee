/* Lists that only a conversation shows. */
#include "report/words.h"

#include "base/alloc.h"
#include "term/table.h"

#include "base/banned.h"

static void one_choice(const struct kt_report *r, struct kt_str value, struct kt_str text)
{
	struct kt_buf b = KT_BUF(KT_BUF_NAME);

	kt_buf_add(&b, value);
	kt_row(r, kt_buf_c(&b), KT_PAINT_PLAIN, text);
	kt_buf_free(&b);
}

void kt_report_ask(const struct kt_report *r, uint32_t fact)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	const struct kt_fact *f = &kb->facts[fact];
	struct kt_buf b = KT_BUF(KT_BUF_TEXT);

	kt_line(r, KT_PAINT_DIM, "Step %u of 5 \u00b7 %s", f->step + 1, kt_step_word((enum kt_step)f->step));
	kt_session_fill(r->session, kt_kb_text(kb, f->ask), KT_NIL, &b);
	kt_line(r, KT_PAINT_PLAIN, KT_FMT, KT_ARG(kt_buf_view(&b)));
	kt_buf_free(&b);
	bool not_set = f->defaults.n > 0;
	for (uint32_t i = 0; i < f->choices.n; i++) {
		const struct kt_choice *c = &kb->choices[f->choices.at + i];
		struct kt_str text = kt_kb_text(kb, c->text);
		if (f->type == KT_FACT_BOOL && !text.len)
			text = kt_str_eq_c(kt_kb_text(kb, c->value), "true") ? KT_S("or yes") : KT_S("or no");
		one_choice(r, kt_kb_text(kb, c->value), text);
		not_set = not_set && !kt_str_eq_c(kt_kb_text(kb, c->value), "not-set");
	}
	if (not_set)
		one_choice(r, KT_S("not-set"), KT_S("it was not set: its default counts"));
	one_choice(r, KT_S("unknown"), KT_S("not known: never taken for an answer"));
}

static const char *state_word(enum kt_command_state s)
{
	return s == KT_CMD_DONE ? "done" : s == KT_CMD_FAILED ? "failed" : "not sent";
}

void kt_report_commands(const struct kt_report *r)
{
	size_t n;
	const struct kt_command_view *c = kt_session_commands(r->session, &n);

	for (size_t i = 0; i < n; i++) {
		kt_line(r, c[i].state == KT_CMD_DONE ? KT_PAINT_PLAIN : KT_PAINT_WARN, "  %s: " KT_FMT,
			c[i].endpoint == KT_INGEST ? "ingest endpoint" : "engine", KT_ARG(c[i].text));
		if (c[i].state == KT_CMD_DONE)
			kt_row_fmt(r, "", KT_PAINT_PLAIN, "done, %zu row%s", (size_t)c[i].rows,
				   kt_plural(c[i].rows));
		else
			kt_row_fmt(r, "", KT_PAINT_WARN, "%s: " KT_FMT, state_word(c[i].state),
				   KT_ARG(c[i].reason));
	}
}

void kt_report_all_facts(const struct kt_report *r, const struct kt_kb *kb)
{
	struct kt_table t;

	kt_table_init(&t);
	kt_table_column(&t, KT_S("fact"), false);
	kt_table_column(&t, KT_S("step"), false);
	kt_table_column(&t, KT_S("type"), false);
	kt_table_column(&t, KT_S("question"), false);
	for (uint32_t i = 0; i < kb->n_facts; i++) {
		kt_table_cell(&t, kt_kb_text(kb, kb->facts[i].id));
		kt_table_cell_c(&t, kt_step_word((enum kt_step)kb->facts[i].step));
		kt_table_cell_c(&t, kt_fact_type_word((enum kt_fact_type)kb->facts[i].type));
		kt_table_cell(&t, kt_kb_text(kb, kb->facts[i].ask));
	}
	kt_table_render(&t, r->style, 0, r->out);
	kt_table_free(&t);
}

static bool first_of_area(const struct kt_kb *kb, uint32_t cause)
{
	struct kt_str area = kt_kb_text(kb, kb->causes[cause].area);

	for (uint32_t i = 0; i < cause; i++)
		if (kt_str_eq(kt_kb_text(kb, kb->causes[i].area), area))
			return false;
	return true;
}

static unsigned in_area(const struct kt_kb *kb, struct kt_str area)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < kb->n_causes; i++)
		n += kt_str_eq(kt_kb_text(kb, kb->causes[i].area), area);
	return n;
}

void kt_report_areas(const struct kt_report *r, const struct kt_kb *kb)
{
	for (uint32_t i = 0; i < kb->n_packs; i++)
		kt_line(r, KT_PAINT_HEAD, KT_FMT " " KT_FMT ": " KT_FMT " (%u cause%s)",
			KT_ARG(kt_kb_text(kb, kb->packs[i].id)), KT_ARG(kt_kb_text(kb, kb->packs[i].version)),
			KT_ARG(kt_kb_text(kb, kb->packs[i].title)), kb->packs[i].n_causes,
			kt_plural(kb->packs[i].n_causes));
	for (uint32_t i = 0; i < kb->n_causes; i++) {
		struct kt_str area = kt_kb_text(kb, kb->causes[i].area);
		if (first_of_area(kb, i))
			kt_line(r, KT_PAINT_PLAIN, "  " KT_FMT ": %u cause%s", KT_ARG(area),
				in_area(kb, area), kt_plural(in_area(kb, area)));
	}
	kt_line(r, KT_PAINT_DIM, "rules AREA lists the causes of one; explain CAUSE shows one.");
}

bool kt_report_area(const struct kt_report *r, const struct kt_kb *kb, struct kt_str area)
{
	struct kt_table t;

	kt_table_init(&t);
	kt_table_column(&t, KT_NONE, false);
	kt_table_column(&t, KT_NONE, false);
	for (uint32_t i = 0; i < kb->n_causes; i++) {
		if (!kt_str_eq(kt_kb_text(kb, kb->causes[i].area), area))
			continue;
		kt_table_cell(&t, kt_kb_text(kb, kb->causes[i].id));
		kt_table_cell(&t, kt_kb_text(kb, kb->causes[i].title));
	}
	bool some = t.n_cells > 0;
	kt_table_render(&t, r->style, 0, r->out);
	kt_table_free(&t);
	return some;
}
