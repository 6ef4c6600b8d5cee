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

/* Does NAME, squeezed, end like a secret's name? "sig" must be the whole name. */
static bool secret_name(struct kt_str name)
{
	char squeezed[64];
	size_t n = 0;

	for (size_t i = name.len > 60 ? name.len - 60 : 0; i < name.len; i++)
		if (name.p[i] != '_' && name.p[i] != '-' && name.p[i] != '.')
			squeezed[n++] = name.p[i];
	for (size_t i = 0; i < KT_LEN(secret_ends); i++) {
		struct kt_str end = secret_ends[i];
		if (n < end.len || (end.len == 3 && n != end.len && end.p[0] == 's'))
			continue;
		if (kt_str_ieq((struct kt_str){squeezed + n - end.len, end.len}, end))
			return true;
	}
	return false;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool ends_value(char c, char quote)
{
	if (quote)
		return c == quote || c == '\n' || c == '\r';
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

/* AT stands behind a secret's name: finds its value. */
static bool value_of(struct kt_str s, size_t at, size_t *from, size_t *to)
{
	char quote = 0;

	while (at < s.len && (s.p[at] == '"' || s.p[at] == '\'' || s.p[at] == '\\'))
		at++;
	while (at < s.len && is_blank(s.p[at]))
		at++;
	if (at >= s.len || (s.p[at] != '=' && s.p[at] != ':' && s.p[at] != '-'))
		return false;
	bool dash = s.p[at++] == '-';
	if (at < s.len && s.p[at] == '>')
		at++;
	else if (dash)
		return false;
	while (at < s.len && is_blank(s.p[at]))
		at++;
	while (at < s.len && s.p[at] == '\\')
		at++;
	if (at < s.len && (s.p[at] == '"' || s.p[at] == '\''))
		quote = s.p[at++];
	*from = at;
	while (at < s.len && !ends_value(s.p[at], quote))
		at++;
	*to = at;
	return !harmless(kt_str_sub(s, *from, at - *from));
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

/* The next secret at or after AT: its bytes [*from, *to). */
static bool next_secret(struct kt_str s, size_t at, size_t *from, size_t *to)
{
	size_t word = at;

	for (; at < s.len; at++) {
		bool starts = at == word && (at == 0 || !is_word(s.p[at - 1]));
		if (!is_word(s.p[at])) {
			word = at + 1;
			continue;
		}
		if (starts && jwt_at(s, at, to)) {
			*from = at;
			return true;
		}
		if (starts && scheme_at(s, at, from)) {
			*to = token_end(s, *from);
			if (*to - *from >= CREDENTIAL_MIN && !is_prose(kt_str_sub(s, *from, *to - *from)))
				return true;
		}
		if (at + 1 < s.len && is_word(s.p[at + 1]))
			continue;
		if (secret_name(kt_str_sub(s, word, at + 1 - word)) && value_of(s, at + 1, from, to)) {
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
