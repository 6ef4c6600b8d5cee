/* The form of a scalar: id, word, time, range, … */
#include "rules/keys.h"

#include <string.h>

#include "core/cond.h"

#include "base/banned.h"

#define SHOWN 60 /* bytes of a faulty text that are quoted */

static int shown_len(struct kt_str s)
{
	return (int)(s.len < SHOWN ? s.len : SHOWN);
}
#define QUOTED(s) shown_len(s), ((s).p ? (s).p : "")

void kt_yaml_fault(struct kt_diags *d, struct kt_yaml *node, const char *hint, const char *fmt, ...)
{
	struct kt_buf text = KT_BUF(KT_BUF_NAME);
	va_list ap;

	va_start(ap, fmt);
	kt_buf_vfmt(&text, fmt, ap);
	va_end(ap);
	kt_diags_add(d, KT_DIAG_ERROR, node->at, hint, "%s", kt_buf_c(&text));
	kt_buf_free(&text);
	node->bad = true;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_name(struct kt_str s)
{
	if (!s.len || s.len > 32 || !is_letter(s.p[0])) /* 32: longest group name of PCRE2 */
		return false;
	for (size_t i = 0; i < s.len; i++)
		if (!is_letter(s.p[i]) && !is_digit(s.p[i]))
			return false;
	return true;
}

static bool is_id(struct kt_str s)
{
	bool start = true;

	for (size_t i = 0; i < s.len; i++) {
		char c = s.p[i];
		if (start ? !is_letter(c) && !is_digit(c)
			  : !is_letter(c) && !is_digit(c) && c != '-' && c != '_' && c != '.')
			return false;
		start = c == '.';
	}
	return !start && s.len <= 100;
}

bool kt_value_time(struct kt_str s, uint32_t *seconds)
{
	static const struct {
		char unit;
		uint32_t seconds;
	} units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
	uint64_t n;

	for (size_t i = 0; s.len && i < KT_LEN(units); i++) {
		if (s.p[s.len - 1] != units[i].unit)
			continue;
		if (!kt_str_uint(kt_str_sub(s, 0, s.len - 1), 40000000u / units[i].seconds, &n))
			return false;
		*seconds = (uint32_t)n * units[i].seconds;
		return true;
	}
	return false;
}

bool kt_value_share(struct kt_str s, uint32_t *milli)
{
	struct kt_str rest = s, whole, part = KT_NONE;
	uint64_t w, p = 0, unit = 1000;

	if (!kt_str_cut(&rest, '.', &whole) || !kt_str_uint(whole, 1, &w))
		return false;
	if (rest.p) {
		part = rest;
		if (part.len > 3 || !kt_str_uint(part, 999, &p))
			return false;
	}
	for (size_t i = 0; i < part.len; i++)
		unit /= 10;
	*milli = (uint32_t)(w * 1000 + p * unit);
	return *milli <= 1000;
}

static bool is_version(struct kt_str s)
{
	int order;

	return kt_str_chr(s, ' ', 0) == KT_NPOS && kt_version_cmp(s, s, &order);
}

/* Operator at the front of S: its length, or 0. */
static size_t operator_len(struct kt_str s)
{
	static const char *const ops[] = {">=", "<=", "==", "!=", ">", "<"};

	for (size_t i = 0; i < KT_LEN(ops); i++)
		if (kt_str_starts(s, kt_str_c(ops[i])))
			return strlen(ops[i]);
	return 0;
}

static bool is_range(struct kt_str s)
{
	struct kt_str rest = s, part;

	while (kt_str_cut(&rest, ',', &part)) {
		part = kt_str_trim(part);
		size_t n = operator_len(part);
		if (!n || !is_version(kt_str_trim(kt_str_from(part, n))))
			return false;
	}
	return s.len > 0;
}

static bool is_rows(struct kt_str s)
{
	size_t n = operator_len(s);
	uint64_t v;

	return n && kt_str_uint(kt_str_trim(kt_str_from(s, n)), UINT32_MAX, &v);
}

uint32_t kt_word_at(const char *const *words, struct kt_str s, uint32_t otherwise)
{
	for (uint32_t i = 0; words[i]; i++)
		if (kt_str_eq_c(s, words[i]))
			return i;
	return otherwise;
}

static struct kt_str nearest_word(struct kt_str s, const char *const *words, struct kt_buf *all)
{
	struct kt_str list[32];
	size_t n = 0;

	for (; n < KT_LEN(list) && words[n]; n++) {
		list[n] = kt_str_c(words[n]);
		kt_buf_fmt(all, "%s%s", n ? ", " : "", words[n]);
	}
	return kt_str_nearest(s, list, n);
}

static void check_word(struct kt_diags *d, struct kt_yaml *node, const char *key, const char *const *words)
{
	struct kt_buf all = KT_BUF(KT_BUF_NAME);

	if (kt_word_at(words, node->text, KT_NIL) != KT_NIL)
		return;
	struct kt_str near = nearest_word(node->text, words, &all);
	if (near.len)
		kt_yaml_fault(d, node, NULL, "\"%.*s\" is no value of \"%s\"; did you mean \"" KT_FMT "\"?",
			      QUOTED(node->text), key, KT_ARG(near));
	else
		kt_yaml_fault(d, node, NULL, "\"%.*s\" is no value of \"%s\"; one of: %s", QUOTED(node->text),
			      key, kt_buf_c(&all));
	kt_buf_free(&all);
}

static const char *const bool_words[] = {"true", "false", NULL};

struct form {
	bool (*is)(struct kt_str s);
	const char *fault, *hint;
};

static bool is_time(struct kt_str s)
{
	uint32_t v;
	return kt_value_time(s, &v);
}

static bool is_share(struct kt_str s)
{
	uint32_t v;
	return kt_value_share(s, &v);
}

static bool is_pin(struct kt_str s)
{
	return s.len == 1 && s.p[0] >= '1' && s.p[0] <= '9';
}

static const struct form forms[] = {
	[KT_V_ID] = {is_id, "is no id",
		     "letters, digits, - and _, parts joined by dots: write.empty-move-result"},
	[KT_V_NAME] = {is_name, "is no fact's name", "letters and digits, at most 32, as in retryCount"},
	[KT_V_TIME] = {is_time, "is no time", "a number with s, m, h or d: 8s, 14d"},
	[KT_V_SHARE] = {is_share, "is no share", "a number from 0 to 1 with at most three decimals: 0.85"},
	[KT_V_DIGIT] = {is_pin, "is no place in an order", "a number from 1 to 9"},
	[KT_V_RANGE] = {is_range, "is no version range",
			"operators and dotted numbers, all of which must hold: '>=3.1.0,<5'"},
	[KT_V_ROWS] = {is_rows, "is no number of rows", "an operator and a number: '>= 1'"},
};

static void check_regex(struct kt_diags *d, struct kt_yaml *node)
{
	if (node->style != KT_YAML_SINGLE)
		kt_yaml_fault(d, node, "in single quotes nothing but ' needs care: it is written ''",
			      "a regex stands in single quotes");
}

void kt_value_check(struct kt_diags *d, struct kt_yaml *node, const struct kt_key *key, enum kt_value value)
{
	if (node->kind != KT_YAML_SCALAR) {
		kt_yaml_fault(d, node, NULL, "\"%s\" must be a text, not a %s", key->name,
			      node->kind == KT_YAML_MAP ? "map" : "list");
		return;
	}
	if (value != KT_V_TEXT0 && !kt_str_trim(node->text).len) {
		kt_yaml_fault(d, node, NULL, "\"%s\" has no value", key->name);
		return;
	}
	if (value == KT_V_WORD)
		check_word(d, node, key->name, key->words);
	else if (value == KT_V_BOOL)
		check_word(d, node, key->name, bool_words);
	else if (value == KT_V_REGEX)
		check_regex(d, node);
	else if (value < KT_LEN(forms) && forms[value].is && !forms[value].is(node->text))
		kt_yaml_fault(d, node, forms[value].hint, "\"%.*s\" %s", QUOTED(node->text),
			      forms[value].fault);
}
