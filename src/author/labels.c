#include "author/labels.h"

#include <sys/stat.h>
#include <unistd.h>

#include "author/folder.h"
#include "base/alloc.h"
#include "base/file.h"

#include "base/banned.h"

#define FILE_MAX    (16u << 20)
#define COLUMNS_MAX 16

struct reader {
	const char *dir;
	const struct kt_kb *kb;
	struct kt_arena *a;
	struct kt_diags *d;
	struct kt_labels *out;
};

/* A table whose first line names the columns. */
struct table {
	const struct kt_source *src;
	struct kt_str names[COLUMNS_MAX], cells[COLUMNS_MAX];
	size_t n;
	struct kt_str rest;
	uint32_t line;
};

static struct kt_place here(const struct table *t)
{
	return (struct kt_place){t->src, t->line, 1};
}

static size_t cut_cells(struct kt_str line, struct kt_str *cells)
{
	size_t n = 0;

	while (n < COLUMNS_MAX && kt_str_cut(&line, '\t', &cells[n]))
		n++;
	return n;
}

/* False at the end. Cells that a line has not are empty. */
static bool next_line(struct table *t)
{
	struct kt_str line;

	do {
		if (!kt_str_cut(&t->rest, '\n', &line))
			return false;
		t->line++;
		if (kt_str_ends(line, KT_S("\r")))
			line.len--;
	} while (!line.len);
	for (size_t i = cut_cells(line, t->cells); i < COLUMNS_MAX; i++)
		t->cells[i] = KT_NONE;
	return true;
}

static bool table_open(struct table *t, const struct kt_source *src)
{
	*t = (struct table){.src = src, .rest = src->text};
	if (!next_line(t))
		return false;
	for (size_t i = 0; i < COLUMNS_MAX; i++)
		t->names[i] = t->cells[i];
	t->n = COLUMNS_MAX;
	return true;
}

static struct kt_str cell(const struct table *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->names[i].len && kt_str_eq_c(t->names[i], name))
			return kt_str_trim(t->cells[i]);
	return KT_NONE;
}

static bool need_column(struct reader *r, const struct table *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (kt_str_eq_c(t->names[i], name))
			return true;
	struct kt_place first = {t->src, 1, 1};
	kt_diags_add(r->d, KT_DIAG_ERROR, first, NULL, "no column \"%s\"", name);
	return false;
}

static int read_source(struct reader *r, const char *path, struct kt_source *src, struct kt_err *err)
{
	struct kt_buf text = KT_BUF(FILE_MAX);
	int rc = kt_file_read(path, &text, err);

	*src = (struct kt_source){.path = kt_arena_str(r->a, kt_str_c(path))};
	src->name = src->path;
	src->text = kt_arena_str(r->a, kt_buf_view(&text));
	kt_buf_free(&text);
	return rc;
}

/* ---- one label ---- */

static struct kt_str_list cut_list(struct reader *r, struct kt_str text)
{
	size_t most = 1;
	struct kt_str piece;

	for (size_t i = 0; i < text.len; i++)
		most += text.p[i] == ',';
	struct kt_str_list list = {KT_NEW_N(r->a, struct kt_str, most), 0};
	while (kt_str_cut(&text, ',', &piece)) {
		piece = kt_str_trim(piece);
		if (piece.len && !kt_str_eq_c(piece, "-"))
			list.at[list.n++] = piece;
	}
	return list;
}

static bool add_outcome(struct reader *r, const struct table *t, struct kt_label *l)
{
	static const struct kt_str words[] = {
#define X(id, word) {word, sizeof word - 1},
		KT_OUTCOMES(X)
#undef X
	};
	struct kt_str word = cell(t, "outcome");

	for (size_t i = 0; i < KT_LEN(words); i++)
		if (kt_str_eq(words[i], word)) {
			l->outcome = (enum kt_outcome)i;
			return true;
		}
	struct kt_str near = kt_str_nearest(word, words, KT_LEN(words));
	kt_diags_add(r->d, KT_DIAG_ERROR, l->at, "an outcome is diagnose, ask_for_more or unknown",
		     "unknown outcome \"" KT_FMT "\"%s" KT_FMT "%s", KT_ARG(word),
		     near.len ? "; did you mean \"" : "", KT_ARG(near), near.len ? "\"?" : "");
	return false;
}

static bool cause_is_known(struct reader *r, const struct kt_label *l, struct kt_str id)
{
	if (kt_kb_cause(r->kb, id) != KT_NIL)
		return true;
	struct kt_str *ids = KT_NEW_N(r->a, struct kt_str, r->kb->n_causes + 1u);
	for (uint32_t i = 0; i < r->kb->n_causes; i++)
		ids[i] = kt_kb_text(r->kb, r->kb->causes[i].id);
	struct kt_str near = kt_str_nearest(id, ids, r->kb->n_causes);
	kt_diags_add(r->d, KT_DIAG_ERROR, l->at, NULL,
		     "case " KT_FMT ": no pack has a cause \"" KT_FMT "\"%s" KT_FMT "%s", KT_ARG(l->name),
		     KT_ARG(id), near.len ? "; did you mean \"" : "", KT_ARG(near), near.len ? "\"?" : "");
	return false;
}

static bool causes_are_known(struct reader *r, const struct kt_label *l, const struct kt_str_list *ids)
{
	bool known = true;

	for (size_t i = 0; i < ids->n; i++)
		known = cause_is_known(r, l, ids->at[i]) && known;
	return known;
}

static bool there(struct kt_str path)
{
	return access(path.p, F_OK) == 0;
}

/* A pipe or a device would be waited for. */
static bool is_readable_kind(struct reader *r, const struct kt_label *l, struct kt_str path)
{
	struct stat st;

	if (stat(path.p, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
		return true;
	kt_diags_add(r->d, KT_DIAG_ERROR, l->at, NULL, "case " KT_FMT ": " KT_FMT " is no file and no folder",
		     KT_ARG(l->name), KT_ARG(path));
	return false;
}

static bool all_are_readable_kinds(struct reader *r, const struct kt_label *l)
{
	bool good = !l->error.len || is_readable_kind(r, l, l->error);

	for (size_t i = 0; i < l->logs.n; i++)
		good = is_readable_kind(r, l, l->logs.at[i]) && good;
	return good;
}

static struct kt_str_list files_in(struct reader *r, const struct kt_label *l, struct kt_str dir)
{
	struct kt_names names = {0};
	struct kt_err err = {0};

	if (!there(dir))
		return (struct kt_str_list){0};
	if (kt_folder_list(dir.p, r->a, &names, &err) < 0) {
		kt_diags_add(r->d, KT_DIAG_ERROR, l->at, NULL, "case " KT_FMT ": %s", KT_ARG(l->name),
			     err.text);
		return (struct kt_str_list){0};
	}
	struct kt_str_list list = {KT_NEW_N(r->a, struct kt_str, names.n + 1), 0};
	for (size_t i = 0; i < names.n; i++)
		list.at[list.n++] = kt_arena_fmt(r->a, KT_FMT "/" KT_FMT, KT_ARG(dir), KT_ARG(names.at[i]));
	kt_names_free(&names);
	return list;
}

static bool add_folder(struct reader *r, struct kt_label *l)
{
	struct kt_str dir = kt_arena_fmt(r->a, "%s/" KT_FMT, r->dir, KT_ARG(l->name));

	if (!kt_folder_is(dir.p) && l->split.len)
		dir = kt_arena_fmt(r->a, "%s/" KT_FMT "/" KT_FMT, r->dir, KT_ARG(l->split), KT_ARG(l->name));
	if (!kt_folder_is(dir.p)) {
		kt_diags_add(r->d, KT_DIAG_ERROR, l->at, NULL, "case " KT_FMT " has no folder",
			     KT_ARG(l->name));
		return false;
	}
	struct kt_str error = kt_arena_fmt(r->a, KT_FMT "/input.txt", KT_ARG(dir));
	struct kt_str cluster = kt_arena_fmt(r->a, KT_FMT "/cluster", KT_ARG(dir));
	l->error = there(error) ? error : KT_NONE;
	l->cluster = there(cluster) ? cluster : KT_NONE;
	size_t before = r->d->n_errors;
	l->logs = files_in(r, l, kt_arena_fmt(r->a, KT_FMT "/inputs", KT_ARG(dir)));
	if (r->d->n_errors > before || !all_are_readable_kinds(r, l))
		return false;
	if (l->error.len || l->logs.n || l->cluster.len)
		return true;
	kt_diags_add(r->d, KT_DIAG_ERROR, l->at, NULL,
		     "case " KT_FMT " has nothing to diagnose: no input.txt, inputs/ or cluster/",
		     KT_ARG(l->name));
	return false;
}

static struct kt_label *label_of(const struct kt_labels *l, struct kt_str name)
{
	for (size_t i = 0; i < l->n; i++)
		if (kt_str_eq(l->at[i].name, name))
			return &l->at[i];
	return NULL;
}

/* A name is one folder: it must not lead out of the tree. */
static bool is_name(struct kt_str name)
{
	return name.len && name.p[0] != '.' && kt_str_chr(name, '/', 0) == KT_NPOS &&
	       kt_str_chr(name, '\0', 0) == KT_NPOS;
}

static void read_label(struct reader *r, const struct table *t)
{
	struct kt_label l = {.name = cell(t, "case"),
			     .split = cell(t, "split"),
			     .fidelity = cell(t, "fidelity"),
			     .at = here(t)};

	l.expected = cut_list(r, cell(t, "expected"));
	l.must_not = cut_list(r, cell(t, "must_not"));
	if (!is_name(l.name) || (l.split.len && !is_name(l.split))) {
		kt_diags_add(r->d, KT_DIAG_ERROR, l.at, NULL, "a case is the name of one folder");
		return;
	}
	if (label_of(r->out, l.name)) {
		kt_diags_add(r->d, KT_DIAG_ERROR, l.at, NULL, "case " KT_FMT " has two lines",
			     KT_ARG(l.name));
		return;
	}
	bool good = add_outcome(r, t, &l);
	good = causes_are_known(r, &l, &l.expected) && good;
	good = causes_are_known(r, &l, &l.must_not) && good;
	good = add_folder(r, &l) && good;
	if (good && l.outcome == KT_OUTCOME_DIAGNOSE && !l.expected.n) {
		kt_diags_add(r->d, KT_DIAG_ERROR, l.at, NULL, "case " KT_FMT " expects no cause",
			     KT_ARG(l.name));
		good = false;
	}
	if (good)
		KT_PUSH(r->out->at, r->out->n, r->out->cap) = l;
}

/* ---- folders without a label ---- */

static bool is_case(struct reader *r, struct kt_str dir)
{
	static const char *const parts[] = {"input.txt", "inputs", "cluster"};

	for (size_t i = 0; i < KT_LEN(parts); i++)
		if (there(kt_arena_fmt(r->a, KT_FMT "/%s", KT_ARG(dir), parts[i])))
			return true;
	return false;
}

static bool has_line(const struct reader *r, struct kt_str name)
{
	struct table t;

	if (!table_open(&t, &r->out->source))
		return false;
	while (next_line(&t))
		if (kt_str_eq(cell(&t, "case"), name))
			return true;
	return false;
}

/* DEPTH 0: cases or splits; 1: cases of a split. */
static void find_unlabelled(struct reader *r, struct kt_str dir, int depth)
{
	struct kt_names names = {0};
	struct kt_err none = {0};

	if (kt_folder_list(dir.p, r->a, &names, &none) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		struct kt_str path = kt_arena_fmt(r->a, KT_FMT "/" KT_FMT, KT_ARG(dir), KT_ARG(names.at[i]));
		if (!kt_folder_is(path.p))
			continue;
		if (is_case(r, path) && !has_line(r, names.at[i]))
			kt_diags_add(r->d, KT_DIAG_ERROR, kt_place_whole(&r->out->source), NULL,
				     "no line for the case in " KT_FMT, KT_ARG(path));
		else if (depth == 0 && !is_case(r, path))
			find_unlabelled(r, path, 1);
	}
	kt_names_free(&names);
}

/* ---- answers ---- */

static void read_answer(struct reader *r, const struct table *t)
{
	struct kt_str name = cell(t, "case"), fact = cell(t, "fact");
	struct kt_label *l = label_of(r->out, name);

	if (kt_kb_fact(r->kb, fact) == KT_NIL)
		kt_diags_add(r->d, KT_DIAG_ERROR, here(t), NULL, "no pack has a fact \"" KT_FMT "\"",
			     KT_ARG(fact));
	else if (l)
		KT_PUSH(l->answers, l->n_answers,
			l->cap_answers) = (struct kt_case_answer){fact, cell(t, "value"), here(t)};
	else if (!has_line(r, name))
		kt_diags_add(r->d, KT_DIAG_ERROR, here(t), NULL, "there is no case " KT_FMT, KT_ARG(name));
}

static int read_answers(struct reader *r, const char *path, struct kt_err *err)
{
	struct kt_str beside = kt_arena_fmt(r->a, "%s/answers.tsv", r->dir);
	struct table t;

	if (!path && !there(beside))
		return 0;
	if (read_source(r, path ? path : beside.p, &r->out->answers, err) < 0)
		return -1;
	if (!table_open(&t, &r->out->answers))
		return 0;
	bool good = need_column(r, &t, "case");
	good = need_column(r, &t, "fact") && good;
	good = need_column(r, &t, "value") && good;
	while (good && next_line(&t))
		read_answer(r, &t);
	return 0;
}

/* ---- the whole ---- */

const char *kt_outcome_word(enum kt_outcome o)
{
	static const char *const words[] = {
#define X(id, word) word,
		KT_OUTCOMES(X)
#undef X
	};

	return words[o];
}

int kt_labels_read(const char *dir, const char *answers, const struct kt_kb *kb, struct kt_arena *a,
		   struct kt_diags *d, struct kt_labels *out, struct kt_err *err)
{
	struct reader r = {.dir = dir, .kb = kb, .a = a, .d = d, .out = out};
	struct kt_str path = kt_arena_fmt(a, "%s/labels.tsv", dir);
	struct table t;

	if (read_source(&r, path.p, &out->source, err) < 0)
		return -1;
	if (!table_open(&t, &out->source))
		return kt_err_set(err, KT_ERR_INPUT, "%s: the file is empty", path.p);
	bool good = need_column(&r, &t, "case");
	good = need_column(&r, &t, "expected") && good;
	good = need_column(&r, &t, "outcome") && good;
	while (good && next_line(&t))
		read_label(&r, &t);
	if (good)
		find_unlabelled(&r, kt_str_c(dir), 0);
	return read_answers(&r, answers, err);
}

void kt_labels_free(struct kt_labels *l)
{
	for (size_t i = 0; i < l->n; i++)
		kt_free(l->at[i].answers);
	kt_free(l->at);
	*l = (struct kt_labels){0};
}
