#include "base/redact.h"

#include "base/banned.h"

#define MASK "***"

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	       c == '-' || c == '.';
}

static bool is_token(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	       c == '-';
}

/* Ends of names whose value is a secret; compared without case, '_', '-', '.'. */
static const struct kt_str secret_ends[] = {
	{"secret", 6},
	{"password", 8},
	{"passwd", 6},
	{"pwd", 3},
	{"token", 5},
	{"accountkey", 10},
	{"accesskey", 9},
	{"appkey", 6},
	{"apikey", 6},
	{"applicationkey", 14},
	{"sharedkey", 9},
	{"privatekey", 10},
	{"sig", 3},
	{"signature", 9},
	{"credential", 10},
	{"authorization", 13},
	{"accesssignature", 15},
	{"clientassertion", 15},
	{"cookie", 6},
};

static bool secret_end(struct kt_str name)
{
	char squeezed[64];
	size_t n = 0;

	for (size_t i = name.len > 60 ? name.len - 60 : 0; i < name.len; i++)
		if (name.p[i] != '_' && name.p[i] != '-' && name.p[i] != '.')
			squeezed[n++] = name.p[i];
	for (size_t i = 0; i < KT_LEN(secret_ends); i++) {
		struct kt_str end = secret_ends[i];
		/* "sig" must be the whole name. */
		if (n < end.len || (end.len == 3 && n != end.len && end.p[0] == 's'))
			continue;
		if (kt_str_ieq((struct kt_str){squeezed + n - end.len, end.len}, end))
			return true;
	}
	return false;
}

/* "fs.azure.account.key.<host>": the secret's name stands in front of a host. */
static bool secret_part(struct kt_str name)
{
	static const struct kt_str parts[] = {{"key", 3}, {"secret", 6}, {"password", 8}, {"token", 5}};
	struct kt_str rest = name, part;

	if (kt_str_ifind(name, KT_S("fs.azure."), 0) == KT_NPOS)
		return false;
	while (kt_str_cut(&rest, '.', &part))
		for (size_t i = 0; i < KT_LEN(parts); i++)
			if (kt_str_ieq(part, parts[i]))
				return true;
	return false;
}

/* "Application Key": the word in front of "key" makes it a secret's name. */
static bool secret_key(struct kt_str s, size_t word, struct kt_str name)
{
	static const struct kt_str before[] = {{"application", 11}, {"app", 3},    {"account", 7},
					       {"access", 6},       {"api", 3},    {"shared", 6},
					       {"private", 7},      {"client", 6}, {"storage", 7}};
	size_t end = word ? word - 1 : 0, from = end;

	if (!kt_str_ieq(name, KT_S("key")) || !word || s.p[end] != ' ')
		return false;
	while (from > 0 && is_token(s.p[from - 1]))
		from--;
	for (size_t i = 0; i < KT_LEN(before); i++)
		if (kt_str_ieq(kt_str_sub(s, from, end - from), before[i]))
			return true;
	return false;
}

/* What an escape in front of a name left on it: "\u0026sig", "%26sig", "\nsig". */
static size_t escape_before(struct kt_str s, size_t word)
{
	struct kt_str name = kt_str_from(s, word);
	char c = word ? s.p[word - 1] : ' ';

	if (c == '%')
		return kt_str_starts(name, KT_S("25")) ? 4 : 2;
	if (c != '\\' || !name.len)
		return 0;
	if (name.p[0] == 'u')
		return 5;
	return name.p[0] == 'n' || name.p[0] == 'r' || name.p[0] == 't';
}

/* Is the word [WORD, END) the name of a secret? */
static bool secret_name(struct kt_str s, size_t word, size_t end)
{
	struct kt_str name = kt_str_sub(s, word, end - word);

	return secret_end(name) || secret_end(kt_str_from(name, escape_before(s, word))) ||
	       secret_part(name) || secret_key(s, word, name);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool ends_value(char c)
{
	return is_blank(c) || c == '\n' || c == '\r' || c == ',' || c == ';' || c == '&' || c == ')' ||
	       c == '}' || c == ']' || c == '"' || c == '\'' || c == '<' || c == '>';
}

static bool harmless(struct kt_str v)
{
	static const struct kt_str words[] = {{"null", 4},  {"none", 4}, {"true", 4},
					      {"false", 5}, {MASK, 3},   {"undefined", 9}};

	for (size_t i = 0; i < KT_LEN(words); i++)
		if (kt_str_ieq(v, words[i]))
			return true;
	return v.len == 0;
}

static size_t skip_blanks(struct kt_str s, size_t at)
{
	while (at < s.len && is_blank(s.p[at]))
		at++;
	return at;
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'';
}

static size_t skip_quotes(struct kt_str s, size_t at)
{
	while (at < s.len && (is_quote(s.p[at]) || s.p[at] == '\\'))
		at++;
	return at;
}

static bool take(struct kt_str s, size_t *at, struct kt_str word)
{
	if (!kt_str_ieq(kt_str_sub(s, *at, word.len), word))
		return false;
	*at += word.len;
	return true;
}

/* What may stand between name and value, as it is written in assignments, JSON, URLs
 * that are escaped, tuples, XML and command lines. Moves AT behind it. */
static bool sign_at(struct kt_str s, size_t word, size_t *at)
{
	static const struct kt_str signs[] = {{"=", 1},     {":", 1},       {"->", 2}, {"%3d", 3},
					      {"%253d", 5}, {"\\u003d", 6}, {"%3a", 3}};
	size_t name_end = *at;
	bool tag = word > 0 && s.p[word - 1] == '<';
	bool option = kt_str_starts(kt_str_from(s, word), KT_S("--"));

	*at = skip_blanks(s, skip_quotes(s, *at));
	for (size_t i = 0; i < KT_LEN(signs); i++)
		if (take(s, at, signs[i])) {
			if (*at < s.len && s.p[*at] == '>' && signs[i].p[0] == '=')
				++*at; /* => */
			return true;
		}
	if (*at < s.len && s.p[*at] == ',' && *at > name_end) {
		size_t value = skip_blanks(s, *at + 1);
		*at = value;
		return value < s.len && (is_quote(s.p[value]) || s.p[value] == '\\');
	}
	if (tag && take(s, at, KT_S(">")))
		return true;
	if (take(s, at, KT_S("</name>"))) {
		while (*at < s.len && (is_blank(s.p[*at]) || s.p[*at] == '\n' || s.p[*at] == '\r'))
			++*at;
		return take(s, at, KT_S("<value>"));
	}
	return option && *at > name_end;
}

/* The end of a value that began with QUOTE, which was ESCAPED with a backslash. */
static size_t quoted_end(struct kt_str s, size_t at, char quote, bool escaped)
{
	for (; at < s.len && s.p[at] != '\n' && s.p[at] != '\r'; at++) {
		if (s.p[at] == quote)
			return at;
		if (s.p[at] != '\\' || at + 1 >= s.len || s.p[at + 1] == '\n')
			continue;
		if (escaped && s.p[at + 1] == quote)
			return at;
		at += !escaped;
	}
	return at;
}

/* A secret's name is [WORD, AT): finds its value. */
static bool value_of(struct kt_str s, size_t word, size_t at, size_t *from, size_t *to)
{
	if (!sign_at(s, word, &at))
		return false;
	at = skip_blanks(s, at);
	size_t back = at;
	while (at < s.len && s.p[at] == '\\')
		at++;
	if (at < s.len && is_quote(s.p[at])) {
		*from = at + 1;
		*to = quoted_end(s, at + 1, s.p[at], at > back);
	} else {
		*from = at;
		while (at < s.len && !ends_value(s.p[at]))
			at++;
		*to = at;
	}
	return !harmless(kt_str_sub(s, *from, *to - *from));
}

/* A scheme word in front of the credential stays: "Bearer ***". */
static bool scheme_at(struct kt_str s, size_t at, size_t *end)
{
	static const struct kt_str schemes[] = {{"bearer", 6}, {"basic", 5}, {"sharedkey", 9}};

	for (size_t i = 0; i < KT_LEN(schemes); i++) {
		size_t n = schemes[i].len;
		if (kt_str_ieq(kt_str_sub(s, at, n), schemes[i]) && at + n < s.len && is_blank(s.p[at + n])) {
			*end = at + n + 1;
			return true;
		}
	}
	return false;
}

static size_t token_end(struct kt_str s, size_t at)
{
	while (at < s.len && (is_token(s.p[at]) || s.p[at] == '.' || s.p[at] == '+' || s.p[at] == '/' ||
			      s.p[at] == '=' || s.p[at] == '~'))
		at++;
	return at;
}

#define CREDENTIAL_MIN 12 /* "Bearer authentication" is prose */

/* A JSON web token: "eyJ", two dots, long. */
static bool jwt_at(struct kt_str s, size_t at, size_t *end)
{
	if (!kt_str_starts(kt_str_from(s, at), KT_S("eyJ")))
		return false;
	size_t e = token_end(s, at), dots = 0;
	for (size_t i = at; i < e; i++)
		dots += s.p[i] == '.';
	*end = e;
	return e - at >= 20 && dots >= 1;
}

static bool is_prose(struct kt_str v)
{
	for (size_t i = 0; i < v.len; i++)
		if (v.p[i] < 'a' || v.p[i] > 'z')
			return false;
	return true;
}

/* "://user:password@host": the password. */
static bool user_at(struct kt_str s, size_t at, size_t *from, size_t *to)
{
	if (!kt_str_starts(kt_str_from(s, at), KT_S("://")))
		return false;
	*from = 0;
	for (at += 3; at < s.len && s.p[at] != '/' && !ends_value(s.p[at]); at++) {
		if (s.p[at] == ':' && !*from)
			*from = at + 1;
		*to = at;
		if (s.p[at] == '@' && *from && *to > *from)
			return !harmless(kt_str_sub(s, *from, *to - *from));
	}
	return false;
}

/* "-----BEGIN PRIVATE KEY-----" and what follows. */
static bool pem_at(struct kt_str s, size_t at, size_t *from, size_t *to)
{
	struct kt_str rest = kt_str_from(s, at);
	static const struct kt_str key = {"PRIVATE KEY-----", 16};

	if (!kt_str_starts(rest, KT_S("-----BEGIN ")))
		return false;
	size_t name = kt_str_find(kt_str_sub(rest, 0, 64), key, 0);
	if (name == KT_NPOS)
		return false;
	*from = at + name + key.len;
	size_t end = kt_str_find(s, KT_S("-----END"), *from);
	*to = end == KT_NPOS ? s.len : end;
	return !harmless(kt_str_sub(s, *from, *to - *from));
}

/* The next secret at or after AT: its bytes [*from, *to). */
static bool next_secret(struct kt_str s, size_t at, size_t *from, size_t *to)
{
	size_t word = at, no_jwt = 0; /* none begins before */

	for (; at < s.len; at++) {
		bool starts = at == word && (at == 0 || !is_word(s.p[at - 1]));
		if (s.p[at] == ':' && user_at(s, at, from, to))
			return true;
		if (starts && s.p[at] == '-' && pem_at(s, at, from, to))
			return true;
		if (!is_word(s.p[at])) {
			word = at + 1;
			continue;
		}
		*to = 0;
		if (starts && at >= no_jwt && jwt_at(s, at, to)) {
			*from = at;
			return true;
		}
		no_jwt = *to > no_jwt ? *to : no_jwt;
		if (starts && scheme_at(s, at, from)) {
			*to = token_end(s, *from);
			if (*to - *from >= CREDENTIAL_MIN && !is_prose(kt_str_sub(s, *from, *to - *from)))
				return true;
		}
		if (at + 1 < s.len && is_word(s.p[at + 1]))
			continue;
		if (secret_name(s, word, at + 1) && value_of(s, word, at + 1, from, to)) {
			size_t behind;
			if (scheme_at(s, *from, &behind)) {
				*from = behind;
				*to = token_end(s, behind);
			}
			if (*to > *from)
				return true;
		}
	}
	return false;
}

void kt_redact(struct kt_buf *out, struct kt_str text)
{
	size_t at = 0, from, to;

	while (next_secret(text, at, &from, &to)) {
		kt_buf_add(out, kt_str_sub(text, at, from - at));
		kt_buf_str(out, MASK);
		at = to > at ? to : at + 1;
	}
	kt_buf_add(out, kt_str_from(text, at));
}

bool kt_redact_needed(struct kt_str text)
{
	size_t from, to;

	return next_secret(text, 0, &from, &to);
}
