#include "rules/load.h"

#include "base/banned.h"

static struct kt_span wrong_names(struct kt_load *l, const struct kt_yaml *y)
{
	const struct kt_yaml *wrong = kt_yaml_get(y, "wrong");
	struct kt_span span = {kt_kbb_kb(l->b)->n_choices, 0};

	for (const struct kt_yaml *v = wrong ? wrong->first : NULL; v; v = v->next) {
		if (v->bad)
			continue;
		struct kt_choice row = {kt_kbb_text(l->b, v->key->text),
					kt_kbb_text(l->b, kt_str_trim(v->text))};
		kt_kbb_add_choices(l->b, &row);
		span.n++;
	}
	return span.n ? span : (struct kt_span){0, 0};
}

static void load_option(struct kt_load *l, const struct kt_yaml *y)
{
	const struct kt_yaml *id = kt_yaml_get(y, "id");
	struct kt_option row = {
		.id = kt_load_text(l, y, "id"),
		.scope = kt_load_text(l, y, "scope"),
		.def = kt_load_text(l, y, "default"),
		.allowed = kt_load_text(l, y, "allowed"),
		.since = kt_load_text(l, y, "since"),
		.impact = kt_load_text(l, y, "impact"),
		.mistake = kt_load_text(l, y, "mistake"),
		.constant = kt_load_text(l, y, "constant"),
		.argument = kt_load_digit(y, "argument"),
		.wrong = wrong_names(l, y),
		.refs = kt_load_list(l, y, "refs"),
	};

	if (id && kt_load_declare(l, &l->options, id, id->text, "option"))
		kt_kbb_add_options(l->b, &row);
}

static void load_option_fault(struct kt_load *l, const struct kt_yaml *y)
{
	const struct kt_yaml *id = kt_yaml_get(y, "id");
	struct kt_option_fault row = {
		.id = kt_load_text(l, y, "id"),
		.text = kt_load_text(l, y, "text"),
		.cause = kt_load_text(l, y, "cause"),
		.cond = kt_load_names(l, kt_yaml_get(y, "when")),
		.warning = kt_str_eq_c(kt_yaml_text(kt_yaml_get(y, "level")), "warning"),
		.refs = kt_load_list(l, y, "refs"),
	};

	/* Without a condition there was an error already. */
	if (id && kt_load_declare(l, &l->notes, id, id->text, "entry") && row.cond != KT_NIL)
		kt_kbb_add_option_faults(l->b, &row);
}

static void load_note(struct kt_load *l, const struct kt_yaml *y, enum kt_note_kind kind)
{
	const struct kt_yaml *id = kt_yaml_get(y, "id");
	struct kt_note row = {
		.kind = kind,
		.id = kt_load_text(l, y, "id"),
		.text = kt_load_prose(l, y, "text"),
		.refs = kt_load_list(l, y, "refs"),
		.check = kt_load_check(l, kt_yaml_get(y, "show")),
		.cond = kt_load_cond(l, kt_yaml_get(y, kind == KT_NOTE_COLLECT ? "unless" : "when")),
	};

	if (id && kt_load_declare(l, &l->notes, id, id->text, "entry"))
		kt_kbb_add_notes(l->b, &row);
}

void kt_load_notes(struct kt_load *l, const struct kt_yaml *root)
{
	const struct kt_yaml *options = kt_yaml_get(root, "options");
	const struct kt_yaml *faults = kt_yaml_get(root, "option-faults");
	const struct kt_yaml *collect = kt_yaml_get(root, "collect"), *advice = kt_yaml_get(root, "advice");

	for (const struct kt_yaml *v = options ? options->first : NULL; v; v = v->next)
		load_option(l, v);
	for (const struct kt_yaml *v = faults ? faults->first : NULL; v; v = v->next)
		load_option_fault(l, v);
	for (const struct kt_yaml *v = collect ? collect->first : NULL; v; v = v->next)
		load_note(l, v, KT_NOTE_COLLECT);
	for (const struct kt_yaml *v = advice ? advice->first : NULL; v; v = v->next)
		load_note(l, v, KT_NOTE_ADVICE);
}

static void load_markers(struct kt_load *l, const struct kt_yaml *list, enum kt_role role)
{
	for (const struct kt_yaml *v = list ? list->first : NULL; v; v = v->next) {
		struct kt_marker row = {.role = role, .pattern = kt_load_pattern(l, v)};
		if (row.pattern != KT_NIL)
			kt_kbb_add_markers(l->b, &row);
	}
}

static void load_words(struct kt_load *l, const struct kt_yaml *list, enum kt_word_kind kind)
{
	for (const struct kt_yaml *v = list ? list->first : NULL; v; v = v->next) {
		struct kt_word row = {.kind = kind, .text = kt_kbb_text(l->b, kt_str_trim(kt_yaml_text(v)))};
		if (row.text.len)
			kt_kbb_add_words(l->b, &row);
	}
}

void kt_load_head(struct kt_load *l, const struct kt_yaml *root)
{
	const struct kt_yaml *requires = kt_yaml_get(root, "requires");
	const struct kt_yaml *frames = kt_yaml_get(root, "foreign-frames");

	if (requires && !kt_load_in_range(requires->text, KT_S(KT_VERSION)))
		KT_LOAD_FAULT(l, requires->at, NULL,
			      "the pack requires version " KT_FMT " of the program; this is %s",
			      KT_ARG(requires->text), KT_VERSION);
	load_markers(l, kt_yaml_get(root, "fatal"), KT_ROLE_FATAL);
	load_markers(l, kt_yaml_get(root, "noise"), KT_ROLE_NOISE);
	load_words(l, kt_yaml_get(root, "option-sources"), KT_WORD_SOURCE);
	load_words(l, kt_yaml_get(root, "foreign-options"), KT_WORD_FOREIGN);
	for (const struct kt_yaml *v = frames ? frames->first : NULL; v; v = v->next) {
		struct kt_ref prefix = kt_kbb_text(l->b, kt_str_trim(kt_yaml_text(v)));
		if (prefix.len)
			kt_kbb_add_frames(l->b, &prefix);
	}
}
