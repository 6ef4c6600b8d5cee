#include "kusto/guard.h"

#include "base/alloc.h"
#include "kusto/columns.h"
#include "kusto/shape.h"

#include "base/banned.h"

const char *kt_guard_class_word(enum kt_guard_class cls)
{
	static const char *const words[] = {
#define X(id, word) [KT_GUARD_##id] = word,
		KT_GUARD_CLASSES(X)
#undef X
	};
	return words[cls];
}

/* ---- the table ---- */

enum field { F_KIND, F_SHAPE, F_CLASS, F_ENDPOINT, F_PERMISSION, F_RETENTION, F_COLUMNS, F_WHY, N_FIELDS };

static int class_of(struct kt_str word, enum kt_guard_class *out, struct kt_err *err)
{
	for (size_t i = 0; i <= KT_GUARD_REDACTED; i++) {
		if (kt_str_eq_c(word, kt_guard_class_word((enum kt_guard_class)i))) {
			*out = (enum kt_guard_class)i;
			return 0;
		}
	}
	return kt_err_set(err, KT_ERR_RULES, "no class '" KT_FMT "'", KT_ARG(word));
}

static int retention_of(struct kt_str word, uint32_t *out, struct kt_err *err)
{
	bool days = kt_str_ends(word, KT_S("d")), hours = kt_str_ends(word, KT_S("h"));
	uint64_t n;

	if (kt_str_eq_c(word, "-"))
		return 0;
	if ((!days && !hours) || !kt_str_uint(kt_str_sub(word, 0, word.len - 1), 10000, &n))
		return kt_err_set(err, KT_ERR_RULES, "no retention '" KT_FMT "': write 14d or 6h",
				  KT_ARG(word));
	*out = (uint32_t)n * (days ? 86400 : 3600);
	return 0;
}

static int endpoint_of(struct kt_str word, struct kt_guard_row *row, struct kt_err *err)
{
	row->either = kt_str_eq_c(word, "both");
	row->endpoint = kt_str_eq_c(word, "ingest") ? KT_INGEST : KT_ENGINE;
	if (row->either || row->endpoint == KT_INGEST || kt_str_eq_c(word, "engine"))
		return 0;
	return kt_err_set(err, KT_ERR_RULES, "no endpoint '" KT_FMT "'", KT_ARG(word));
}

static struct kt_str or_none(struct kt_str s)
{
	return kt_str_eq_c(s, "-") ? KT_NONE : s;
}

static int add_command(struct kt_guard *g, const struct kt_str *f, struct kt_err *err)
{
	struct kt_guard_row row = {.shape = f[F_SHAPE],
				   .permission = or_none(f[F_PERMISSION]),
				   .columns = or_none(f[F_COLUMNS]),
				   .why = or_none(f[F_WHY])};

	if (class_of(f[F_CLASS], &row.cls, err) < 0 || endpoint_of(f[F_ENDPOINT], &row, err) < 0 ||
	    retention_of(f[F_RETENTION], &row.retention_s, err) < 0 || kt_shape_parse(g, &row, err) < 0)
		return -1;
	KT_PUSH(g->rows, g->n_rows, g->cap_rows) = row;
	return 0;
}

static int add_function(struct kt_guard *g, const struct kt_str *f, struct kt_err *err)
{
	struct kt_guard_fn fn = {.name = f[F_SHAPE], .why = or_none(f[F_WHY])};
	enum kt_guard_class cls = KT_GUARD_REFUSE;

	if (class_of(f[F_CLASS], &cls, err) < 0)
		return -1;
	fn.fn = kt_str_eq_c(f[F_KIND], "aggregate") ? KT_FN_AGGREGATE : KT_FN_SCALAR;
	if (cls != KT_GUARD_ALLOW)
		fn.fn = KT_FN_REFUSED;
	KT_PUSH(g->fns, g->n_fns, g->cap_fns) = fn;
	return 0;
}

static int add_line(struct kt_guard *g, struct kt_str line, struct kt_err *err)
{
	struct kt_str f[N_FIELDS];
	size_t n = 0;

	while (n < N_FIELDS && kt_str_cut(&line, '\t', &f[n]))
		n++;
	if (n < N_FIELDS || line.len)
		return kt_err_set(err, KT_ERR_RULES, "a row has %d fields with tabs between", N_FIELDS);
	if (kt_str_eq_c(f[F_KIND], "command"))
		return add_command(g, f, err);
	if (kt_str_eq_c(f[F_KIND], "function") || kt_str_eq_c(f[F_KIND], "aggregate"))
		return add_function(g, f, err);
	return kt_err_set(err, KT_ERR_RULES, "no kind of row '" KT_FMT "'", KT_ARG(f[F_KIND]));
}

struct kt_guard *kt_guard_new(struct kt_str tsv, struct kt_err *err)
{
	struct kt_guard *g = kt_alloc(sizeof *g);
	struct kt_str line;

	for (unsigned n = 1; kt_str_cut(&tsv, '\n', &line); n++) {
		if (!line.len || line.p[0] == '#' || kt_str_starts(line, KT_S("kind\t")))
			continue;
		if (add_line(g, line, err) < 0) {
			kt_err_prefix(err, "guard.tsv:%u: ", n);
			kt_guard_free(g);
			return NULL;
		}
	}
	if (!g->n_rows) {
		kt_err_set(err, KT_ERR_RULES, "guard.tsv: no commands in it");
		kt_guard_free(g);
		return NULL;
	}
	return g;
}

void kt_guard_free(struct kt_guard *take_guard)
{
	if (!take_guard)
		return;
	kt_free(take_guard->rows);
	kt_free(take_guard->fns);
	kt_arena_free(&take_guard->arena);
	kt_free(take_guard);
}

void kt_guard_each(const struct kt_guard *guard, struct kt_str prefix,
		   bool (*fn)(void *ctx, struct kt_str shape, enum kt_guard_class cls), void *ctx)
{
	for (size_t i = 0; i < guard->n_rows; i++) {
		const struct kt_guard_row *row = &guard->rows[i];
		if (row->cls == KT_GUARD_REFUSE || row->cls == KT_GUARD_REDACTED ||
		    !kt_str_starts(row->shape, prefix))
			continue;
		if (!fn(ctx, row->shape, row->cls))
			return;
	}
}

/* ---- functions ---- */

static enum kt_fn find_fn(const void *ctx, struct kt_str name, struct kt_str *why)
{
	const struct kt_guard *g = ctx;

	for (size_t i = 0; i < g->n_fns; i++) {
		if (kt_str_eq(g->fns[i].name, name)) {
			*why = g->fns[i].why;
			return g->fns[i].fn;
		}
	}
	return KT_FN_UNKNOWN;
}

static struct kt_str nearest_fn(const void *ctx, struct kt_str name)
{
	const struct kt_guard *g = ctx;
	struct kt_str *words = kt_alloc_n(g->n_fns + 1, sizeof *words), near;
	size_t n = 0;

	for (size_t i = 0; i < g->n_fns; i++)
		if (g->fns[i].fn != KT_FN_REFUSED)
			words[n++] = g->fns[i].name;
	near = kt_str_nearest(name, words, n);
	kt_free(words);
	return near;
}

/* ---- one text ---- */

struct reading {
	const struct kt_guard *guard;
	struct kt_str text;
	const struct kt_token *t;
	size_t n_toks;
	enum kt_guard_by by;
	struct kt_guard_plan *out;
	struct kt_err *err;
};

#define WORDS_SHOWN 60

/* The command without its operators, as far as an error shows it. */
static struct kt_str first_words(const struct reading *r)
{
	size_t n = 0;

	while (r->t[n].kind != KT_TOK_END && !kt_tok_is(r->t + n, "|") &&
	       r->t[n].end - r->t[0].at <= WORDS_SHOWN)
		n++;
	return kt_str_sub(r->text, r->t[0].at, n ? r->t[n - 1].end - r->t[0].at : 0);
}

static int refuse_command(const struct reading *r, struct kt_str why)
{
	const struct kt_guard_row *near = kt_shape_nearest(r->guard, r->t);
	struct kt_str shape = near ? near->shape : KT_NONE;

	return kt_lex_refuse(r->text, r->t[0].at, r->err, "'" KT_FMT "' is refused: " KT_FMT "%s" KT_FMT,
			     KT_ARG(first_words(r)), KT_ARG(why),
			     shape.len ? "; the nearest that may be sent is " : "", KT_ARG(shape));
}

static int read_steps(struct reading *r, size_t from, struct kt_kql **steps)
{
	struct kt_fn_table functions = {.ctx = r->guard, .find = find_fn, .nearest = nearest_fn};
	struct kt_parser p = {.text = r->text,
			      .t = r->t + from,
			      .a = &r->out->arena,
			      .functions = &functions,
			      .err = r->err};

	return kt_kql_pipeline(&p, steps);
}

/* Follows the steps, limits them where nothing does, and prints them. */
static int finish(struct reading *r, const struct kt_kql *steps)
{
	struct kt_guard_plan *out = r->out;

	if (out->cls == KT_GUARD_FILTERED && !kt_columns_limited(out, steps))
		out->limit = KT_GUARD_TAKE;
	kt_columns_follow(out, steps);
	kt_kql_print_pipeline(steps, &out->text);
	if (out->limit)
		kt_buf_fmt(&out->text, " | take %d", KT_GUARD_TAKE);
	if (out->text.full)
		return kt_lex_refuse(r->text, 0, r->err, "the command is longer than %d bytes",
				     KT_GUARD_MAX_TEXT);
	return 0;
}

static int check_class(const struct reading *r, const struct kt_guard_row *row, size_t n)
{
	if (row->cls == KT_GUARD_REFUSE)
		return refuse_command(r, row->why);
	if (row->cls != KT_GUARD_REDACTED)
		return 0;
	if (r->by == KT_BY_PERSON)
		return refuse_command(r, KT_S("its answer holds secrets; a check of the rules may run it, "
					      "and then only kind and host are kept"));
	if (kt_tok_is(r->t + n, "|"))
		return kt_lex_refuse(r->text, r->t[n].at, r->err,
				     "an answer that holds secrets is not passed on to operators");
	return 0;
}

static int read_command(struct reading *r)
{
	struct kt_guard_plan *out = r->out;
	struct kt_kql *steps;
	size_t n = 0, parts, toks;
	const struct kt_guard_row *row = kt_shape_find(r->guard, r->t, &n);

	if (!row)
		return refuse_command(r, KT_S("it is not on the list of commands that only read"));
	if (check_class(r, row, n) < 0)
		return -1;
	if (kt_shape_walk(row, r->t, &parts, &toks, &out->text, r->err) < 0)
		return kt_err_prefix(r->err, "column 1: ");
	out->cls = row->cls;
	out->kind = KT_GUARD_MGMT;
	out->endpoint = row->endpoint;
	out->either = row->either;
	out->shape = row->shape;
	out->permission = row->permission;
	out->why = row->why;
	out->retention_s = row->retention_s;
	out->n_columns = 0;
	if (row->columns.len) {
		struct kt_guard_column *columns;
		out->n_columns = kt_shape_columns(row->columns, &out->arena, &columns);
		out->columns = columns;
		out->columns_known = true;
	}
	if (read_steps(r, n, &steps) < 0)
		return -1;
	return finish(r, steps);
}

static int read_query(struct reading *r)
{
	struct kt_guard_plan *out = r->out;
	struct kt_fn_table functions = {.ctx = r->guard, .find = find_fn, .nearest = nearest_fn};
	struct kt_parser p = {
		.text = r->text, .t = r->t, .a = &out->arena, .functions = &functions, .err = r->err};
	struct kt_kql *steps, *table;
	struct kt_str why = KT_NONE;

	if (r->t[0].kind == KT_TOK_NAME && kt_tok_is(r->t + 1, "(")) {
		find_fn(r->guard, r->t[0].text, &why);
		return kt_lex_refuse(r->text, r->t[0].at, r->err, "'" KT_FMT "(' is refused: %s" KT_FMT,
				     KT_ARG(r->t[0].text),
				     why.len ? "" : "a query begins with the name of one table", KT_ARG(why));
	}
	table = kt_kql_name(&p);
	if (!table || (p.t->kind != KT_TOK_END && !kt_tok_is(p.t, "|")))
		return kt_lex_refuse(r->text, r->t[0].at, r->err,
				     "a query is the name of one table, then '|' and operators");
	table->kind = KT_KQL_BRACKET;
	kt_kql_print(table, &out->text);
	out->cls = KT_GUARD_FILTERED;
	out->kind = KT_GUARD_QUERY;
	out->permission = KT_S("Database Viewer");
	if (read_steps(r, 1, &steps) < 0)
		return -1;
	return finish(r, steps);
}

int kt_guard_parse(const struct kt_guard *guard, struct kt_str text, enum kt_guard_by by,
		   struct kt_guard_plan *out, struct kt_err *err)
{
	struct reading r = {.guard = guard, .by = by, .out = out, .err = err};
	struct kt_token *toks;
	int rc = -1;

	out->text = KT_BUF(KT_GUARD_MAX_TEXT + 64);
	r.text = kt_arena_str(&out->arena,
			      kt_str_sub(text, 0, KT_GUARD_MAX_TEXT)); /* the plan points into it */
	if (text.len > KT_GUARD_MAX_TEXT)
		kt_err_set(err, KT_ERR_REFUSED, "the command is longer than %d bytes", KT_GUARD_MAX_TEXT);
	else if (kt_lex(r.text, &out->arena, &toks, &r.n_toks, err) == 0) {
		r.t = toks;
		if (toks[0].kind == KT_TOK_END)
			kt_err_set(err, KT_ERR_REFUSED, "there is no command");
		else
			rc = kt_tok_is(&toks[0], ".") ? read_command(&r) : read_query(&r);
	}
	if (rc < 0)
		kt_guard_plan_free(out);
	return rc;
}

void kt_guard_plan_free(struct kt_guard_plan *plan)
{
	kt_buf_free(&plan->text);
	kt_arena_free(&plan->arena);
	*plan = (struct kt_guard_plan){0};
}

bool kt_guard_has_column(const struct kt_guard_plan *plan, struct kt_str name)
{
	for (size_t i = 0; i < plan->n_columns; i++)
		if (kt_str_eq(plan->columns[i].name, name))
			return true;
	return !plan->columns_known;
}
