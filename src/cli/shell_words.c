#include "cli/shell_words.h"

#include "cli/shell_in.h"

#include "base/banned.h"

#define TEXT_WORDS 3u /* so many words are a text, not a name */
#define TYPO_WORDS 6u /* a mistyped command is no longer than this */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t count_words(struct kt_str s, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < s.len && n < most; i++)
		n += !is_blank(s.p[i]) && (i == 0 || is_blank(s.p[i - 1]));
	return n;
}

static struct kt_str first_word(struct kt_str s)
{
	size_t n = 0;

	while (n < s.len && !is_blank(s.p[n]))
		n++;
	return kt_str_sub(s, 0, n);
}

/* Commands and most answers are letters with hyphens; names that software prints
 * hold other marks, or a capital in their middle. */
static bool is_technical(struct kt_str word)
{
	for (size_t i = 0; i < word.len; i++) {
		char c = word.p[i];
		if (!is_letter(c) && c != '-')
			return true;
		if (i && c >= 'A' && c <= 'Z')
			return true;
	}
	return false;
}

bool kt_shell_is_text(struct kt_str text)
{
	struct kt_str s = kt_str_trim(text);

	if (!s.len)
		return false;
	if (kt_str_chr(s, '\n', 0) != KT_NPOS || count_words(s, TEXT_WORDS) >= TEXT_WORDS)
		return true;
	return is_technical(first_word(s)) && !(s.p[0] >= '0' && s.p[0] <= '9' && s.len < 16);
}

bool kt_shell_is_choice(const struct kt_kb *kb, struct kt_str text)
{
	for (uint32_t i = 0; i < kb->n_choices; i++)
		if (kt_str_ieq(kt_kb_text(kb, kb->choices[i].value), text))
			return true;
	return false;
}

struct kt_str kt_shell_value(const struct kt_kb *kb, uint32_t fact, struct kt_str text)
{
	const struct kt_fact *f = &kb->facts[fact];

	text = kt_str_trim(text);
	for (uint32_t i = 0; i < f->choices.n; i++) {
		struct kt_str value = kt_kb_text(kb, kb->choices[f->choices.at + i].value);
		if (kt_str_ieq(value, text))
			return value;
	}
	if (f->type == KT_FACT_BOOL && (kt_str_ieq(text, KT_S("yes")) || kt_str_ieq(text, KT_S("true"))))
		return KT_S("true");
	if (f->type == KT_FACT_BOOL && (kt_str_ieq(text, KT_S("no")) || kt_str_ieq(text, KT_S("false"))))
		return KT_S("false");
	if (kt_str_eq_c(text, "?") || kt_str_ieq(text, KT_S("unknown")))
		return KT_S("unknown");
	return kt_str_ieq(text, KT_S("not-set")) ? KT_S("not-set") : text;
}

/* Its values are words of the base: a valid one is no accident. */
static bool has_closed_values(const struct kt_fact *f)
{
	return f->type == KT_FACT_CHOICE || f->type == KT_FACT_BOOL;
}

/* Nearly any text is a valid answer, so validity tells nothing. */
static bool takes_any_text(const struct kt_fact *f)
{
	return f->type == KT_FACT_STRING || f->type == KT_FACT_URL || f->type == KT_FACT_DURATION;
}

static bool meant_command(struct kt_shell_line *out)
{
	const struct kt_shell_cmd *cmd;

	out->n_prefix = kt_shell_prefix(out->word, &cmd);
	out->near = kt_shell_nearest(out->word);
	return out->n_prefix || out->near.len;
}

/* One line, few words, the first nearly a command: a slip of the fingers. */
static bool mistyped(struct kt_str text, struct kt_shell_line *out)
{
	out->near = is_technical(out->word) ? KT_NONE : kt_shell_nearest(out->word);
	return out->near.len && kt_str_chr(text, '\n', 0) == KT_NPOS &&
	       count_words(text, TYPO_WORDS + 1) <= TYPO_WORDS;
}

static bool as_command(struct kt_str text, bool pasted, struct kt_shell_line *out)
{
	if (text.len > 1 && text.p[0] == '.' && is_letter(text.p[1])) {
		out->meaning = KT_SHELL_KUSTO;
		return true;
	}
	bool lines = kt_str_chr(text, '\n', 0) != KT_NPOS;
	out->cmd = kt_shell_find(out->word);
	/* A pasted log may begin with the word "where" or "query": only KQL of several
	 * lines is pasted as a command. */
	if (!out->cmd || (pasted && lines && out->cmd->run != kt_shell_do_query))
		return false;
	out->meaning = KT_SHELL_COMMAND;
	out->rest = kt_str_trim(kt_str_from(text, out->word.len));
	return true;
}

static bool is_answer(struct kt_session *s, uint32_t question, struct kt_str value)
{
	struct kt_err ignored = {0};

	return question != KT_NIL && kt_session_valid(s, question, value, &ignored) == 0;
}

static bool as_answer(struct kt_session *s, uint32_t question, struct kt_str text, struct kt_shell_line *out)
{
	const struct kt_kb *kb = kt_session_kb(s);

	if (question == KT_NIL || kt_str_chr(text, '\n', 0) != KT_NPOS)
		return false;
	struct kt_str value = kt_shell_value(kb, question, text);
	if (!is_answer(s, question, value))
		return false;
	bool sure = has_closed_values(&kb->facts[question]) || kt_str_eq_c(value, "unknown") ||
		    kt_str_eq_c(value, "not-set");
	if (!sure && count_words(text, TEXT_WORDS) >= TEXT_WORDS)
		return false;
	bool any = !sure && takes_any_text(&kb->facts[question]);
	bool elsewhere = any && (kt_shell_is_choice(kb, value) || meant_command(out));
	out->meaning = elsewhere ? KT_SHELL_UNCLEAR : KT_SHELL_ANSWER;
	out->rest = value;
	return true;
}

/* "query" is a command and may be a choice: alone it can only be the choice. */
static bool rather_answer(struct kt_session *s, uint32_t question, const struct kt_shell_line *line)
{
	return line->meaning == KT_SHELL_COMMAND && line->cmd->least && !line->rest.len &&
	       is_answer(s, question, line->word) && has_closed_values(&kt_session_kb(s)->facts[question]);
}

void kt_shell_meaning(struct kt_session *s, uint32_t question, struct kt_str text, bool pasted,
		      struct kt_shell_line *out)
{
	text = kt_str_trim(text);
	*out = (struct kt_shell_line){.word = first_word(text), .rest = text};
	if (!text.len)
		return;
	if (as_command(text, pasted, out) && !rather_answer(s, question, out))
		return;
	if (as_answer(s, question, text, out))
		return;
	bool slip = mistyped(text, out) && !pasted;
	if (pasted || (kt_shell_is_text(text) && !slip)) {
		out->meaning = KT_SHELL_TEXT;
		return;
	}
	out->n_prefix = kt_shell_prefix(out->word, &out->cmd);
	out->meaning = out->n_prefix == 1 ? KT_SHELL_COMMAND : KT_SHELL_UNCLEAR;
	if (out->n_prefix == 1)
		out->rest = kt_str_trim(kt_str_from(text, out->word.len));
}

/* ---- arguments ---- */

static size_t skip_blanks(struct kt_str s, size_t at)
{
	while (at < s.len && is_blank(s.p[at]))
		at++;
	return at;
}

static bool escaped_at(struct kt_str s, size_t at)
{
	return s.p[at] == '\\' && at + 1 < s.len &&
	       (is_blank(s.p[at + 1]) || s.p[at + 1] == '"' || s.p[at + 1] == '\'');
}

/* Where the word at AT ends; a backslash before a blank or a quote keeps it in. */
static size_t bare_end(struct kt_str s, size_t at)
{
	while (at < s.len && !is_blank(s.p[at]))
		at += escaped_at(s, at) ? 2 : 1;
	return at;
}

static struct kt_str without_escapes(struct kt_str word, struct kt_arena *a)
{
	char *p = kt_arena_alloc(a, word.len + 1);
	size_t n = 0;

	for (size_t i = 0; i < word.len; i++) {
		if (escaped_at(word, i))
			i++;
		p[n++] = word.p[i];
	}
	return (struct kt_str){p, n};
}

/* The word at AT and where it ends; quotes go round whole words only. */
static struct kt_str word_at(struct kt_str s, size_t at, struct kt_arena *a, size_t *end)
{
	char quote = s.p[at] == '"' || s.p[at] == '\'' ? s.p[at] : '\0';
	size_t close = quote ? kt_str_chr(s, quote, at + 1) : KT_NPOS;

	if (close != KT_NPOS && (close + 1 == s.len || is_blank(s.p[close + 1]))) {
		*end = close + 1;
		return kt_str_sub(s, at + 1, close - at - 1);
	}
	*end = bare_end(s, at);
	return without_escapes(kt_str_sub(s, at, *end - at), a);
}

void kt_shell_split(struct kt_str rest, struct kt_arena *a, struct kt_shell_args *out)
{
	size_t most = count_words(rest, KT_NPOS), end;

	*out = (struct kt_shell_args){.rest = rest};
	out->w = KT_NEW_N(a, struct kt_str, most + 1);
	out->at = KT_NEW_N(a, size_t, most + 1);
	for (size_t at = skip_blanks(rest, 0); at < rest.len; at = skip_blanks(rest, end)) {
		out->at[out->n] = at;
		out->w[out->n++] = word_at(rest, at, a, &end);
	}
}

struct kt_str kt_shell_from(const struct kt_shell_args *args, size_t i)
{
	return i < args->n ? kt_str_from(args->rest, args->at[i]) : KT_NONE;
}
