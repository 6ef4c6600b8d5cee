#include "rules/load.h"

#include "base/alloc.h"

#include "base/banned.h"

#define SHOW_COST_S   5
#define SHOW_AVAIL_PM 700
#define SCAN_COST_S   1
#define SCAN_AVAIL_PM 900

/* mgmt, query, scan: the order of enum kt_check_kind. */
static uint32_t kind_of(const struct kt_yaml *check)
{
	return kt_load_word(check, "kind", kt_words_check_kind, KT_CHECK_SHOW);
}

static void declare_check(struct kt_load *l, const struct kt_yaml *check)
{
	struct kt_check row = {.kind = kind_of(check)};

	if (!kt_load_declare(l, &l->checks, check->key, check->key->text, "check"))
		return;
	row.id = kt_kbb_text(l->b, check->key->text);
	row.order = l->order++;
	row.columns = kt_load_list(l, check, "columns");
	uint32_t at = kt_kbb_add_checks(l->b, &row);
	if (row.kind == KT_CHECK_SCAN && l->scan != KT_NIL)
		KT_LOAD_FAULT(l, check->key->at, NULL, "there is a check of kind scan already");
	else if (row.kind == KT_CHECK_SCAN)
		l->scan = at;
}

void kt_load_declare_checks(struct kt_load *l, const struct kt_yaml *root)
{
	const struct kt_yaml *checks = kt_yaml_get(root, "checks");

	for (const struct kt_yaml *c = checks ? checks->first : NULL; c; c = c->next)
		if (!c->key->bad)
			declare_check(l, c);
}

/* ---- placeholders ---- */

struct needs {
	uint32_t *at;
	size_t n, cap;
};

static void need(struct needs *needs, uint32_t fact)
{
	for (size_t i = 0; i < needs->n; i++)
		if (needs->at[i] == fact)
			return;
	KT_PUSH(needs->at, needs->n, needs->cap) = fact;
}

static const char *const types[] = {"string", "guid", "datetime", "timespan", "entity", NULL};

static bool is_time_of_incident(struct kt_str name)
{
	return kt_str_eq_c(name, "from") || kt_str_eq_c(name, "to");
}

/* INSIDE is what stands between the braces, at byte AT of the command. */
static void load_placeholder(struct kt_load *l, const struct kt_yaml *command, size_t at,
			     struct kt_str inside, struct needs *needs)
{
	struct kt_str type = inside, name;
	uint32_t fact;

	if (!kt_str_cut(&type, ':', &name) || kt_word_at(types, type, KT_NIL) == KT_NIL) {
		KT_LOAD_FAULT(l, kt_yaml_inside(command, at),
			      "{fact:string}, or guid, datetime, timespan, entity",
			      "\"{" KT_FMT "}\" is no placeholder", KT_ARG(kt_str_sub(inside, 0, 60)));
	} else if (is_time_of_incident(name)) {
		if (!kt_str_eq_c(type, "datetime"))
			KT_LOAD_FAULT(l, kt_yaml_inside(command, at), NULL, "{" KT_FMT "} is a datetime",
				      KT_ARG(name));
	} else if ((fact = kt_map_get(&l->facts.map, name)) == KT_NIL) {
		kt_load_unknown(l, kt_yaml_inside(command, at), "fact", name, &l->facts.map);
	} else {
		need(needs, fact);
	}
}

static void load_placeholders(struct kt_load *l, const struct kt_yaml *command, struct needs *needs)
{
	struct kt_str text = kt_yaml_text(command);
	size_t at = 0;

	while ((at = kt_str_chr(text, '{', at)) != KT_NPOS) {
		size_t end = kt_str_chr(text, '}', ++at);
		if (end == KT_NPOS) {
			KT_LOAD_FAULT(l, kt_yaml_inside(command, at - 1), NULL, "\"{\" is not closed");
			return;
		}
		load_placeholder(l, command, at, kt_str_sub(text, at, end - at), needs);
		at = end + 1;
	}
}

static struct kt_span load_needs(struct kt_load *l, const struct kt_yaml *check)
{
	const struct kt_yaml *list = kt_yaml_get(check, "needs");
	struct needs needs = {0};

	for (const struct kt_yaml *v = list ? list->first : NULL; v; v = v->next) {
		uint32_t fact = v->bad ? KT_NIL : kt_load_fact(l, v);
		if (fact != KT_NIL)
			need(&needs, fact);
	}
	if (kt_yaml_get(check, "command"))
		load_placeholders(l, kt_yaml_get(check, "command"), &needs);
	struct kt_span span = kt_kbb_fact_refs(l->b, needs.at, needs.n);
	kt_free(needs.at);
	return span;
}

/* ---- built ---- */

static struct kt_place column_place(const struct kt_yaml *check, size_t column)
{
	const struct kt_yaml *list = kt_yaml_get(check, "columns");
	const struct kt_yaml *v = list ? list->first : NULL;

	while (v && column--)
		v = v->next;
	return v ? v->at : check->key->at;
}

static void ask_hook(struct kt_load *l, const struct kt_yaml *check, const struct kt_check *row)
{
	const struct kt_kb *kb = kt_kbb_kb(l->b);
	const struct kt_yaml *command = kt_yaml_get(check, "command");
	struct kt_str *columns = kt_alloc_n(row->columns.n + 1u, sizeof *columns);
	struct kt_err err = {0};

	for (uint32_t i = 0; i < row->columns.n; i++)
		columns[i] = kt_kb_text(kb, kb->strings[row->columns.at + i]);
	struct kt_rules_command c = {
		.text = command->text,
		.guard = kt_kb_file(kb, "guard.tsv"),
		.kind = (enum kt_check_kind)row->kind,
		.endpoint = (enum kt_endpoint)row->endpoint,
		.columns = columns,
		.n_columns = row->columns.n,
		.at = KT_NPOS,
		.column = KT_NPOS,
	};
	if (l->hooks->command(l->hooks->ctx, &c, &err) < 0) {
		struct kt_place at = c.column != KT_NPOS ? column_place(check, c.column)
				     : c.at != KT_NPOS   ? kt_yaml_inside(command, c.at)
							 : command->at;
		KT_LOAD_FAULT(l, at, NULL, "%s", err.text);
	}
	kt_free(columns);
}

static void check_command(struct kt_load *l, const struct kt_yaml *check, const struct kt_check *row)
{
	const struct kt_yaml *command = kt_yaml_get(check, "command");
	bool scan = row->kind == KT_CHECK_SCAN;

	if (!scan && !command)
		KT_LOAD_FAULT(l, check->key->at, NULL, "a check needs \"command\"");
	else if (scan && command)
		KT_LOAD_FAULT(l, command->at, NULL, "a check of kind scan has no command");
	else if (command && l->hooks->command)
		ask_hook(l, check, row);
}

static void load_check(struct kt_load *l, uint32_t check, const struct kt_yaml *y)
{
	struct kt_check row = *kt_kbb_at_checks(l->b, check);
	bool scan = row.kind == KT_CHECK_SCAN;

	row.title = kt_load_text(l, y, "title");
	row.command = kt_load_text(l, y, "command");
	row.permission = kt_load_text(l, y, "permission");
	row.endpoint = kt_load_word(y, "endpoint", kt_words_endpoint, KT_ENGINE);
	row.cost_s = kt_load_time(y, "cost", scan ? SCAN_COST_S : SHOW_COST_S);
	row.avail_pm = kt_load_share(y, "avail", scan ? SCAN_AVAIL_PM : SHOW_AVAIL_PM);
	row.retention_s = kt_load_time(y, "retention", 0);
	row.silent = kt_load_flag(y, "silent");
	row.automatic = kt_load_flag(y, "auto");
	row.needs = load_needs(l, y);
	*kt_kbb_at_checks(l->b, check) = row;
	check_command(l, y, &row);
}

void kt_load_checks(struct kt_load *l, const struct kt_yaml *root)
{
	const struct kt_yaml *checks = kt_yaml_get(root, "checks");

	for (const struct kt_yaml *c = checks ? checks->first : NULL; c; c = c->next) {
		uint32_t row = kt_map_get(&l->checks.map, c->key->text);
		/* Of two with one name the first counts. */
		if (row != KT_NIL && l->checks.at[row].src == c->at.src &&
		    l->checks.at[row].line == c->key->at.line)
			load_check(l, row, c);
	}
}
