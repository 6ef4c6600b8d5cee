#include "match/literal.h"

#include <stdio.h>
#include <string.h>

#include "match/grams.h"
#include "match/need.h"
#include "match/pcre.h"

#include "base/banned.h"

static char low(char c, bool fold)
{
	return (char)(fold && c >= 'A' && c <= 'Z' ? c + 32 : c);
}

/* The part of S that is kept: the window that is looked for, as far as possible in
 * its middle. A part of a text that must occur must occur too. */
static struct kt_str shortened(struct kt_str s)
{
	struct kt_window w = kt_gram_window(s);
	size_t before = (KT_LITERAL_LEN - w.len) / 2;
	size_t at = w.at > before ? w.at - before : 0;

	if (s.len <= KT_LITERAL_LEN)
		return s;
	return kt_str_sub(s, at + KT_LITERAL_LEN > s.len ? s.len - KT_LITERAL_LEN : at, KT_LITERAL_LEN);
}

static void put(struct kt_literals *out, struct kt_str whole)
{
	struct kt_str s = shortened(whole);

	for (size_t i = 0; i < s.len; i++)
		out->lit[out->n].text[i] = low(s.p[i], out->fold);
	out->lit[out->n].len = (uint8_t)s.len;
	for (uint32_t i = 0; i < out->n; i++)
		if (kt_str_eq(kt_literal(out, i), kt_literal(out, out->n)))
			return;
	out->n++;
	if (s.len < out->shortest)
		out->shortest = s.len;
}

bool kt_literals_of(struct kt_str regex, struct kt_literals *out)
{
	struct kt_arena a = {0};
	struct kt_need need = kt_need_of(&a, regex);

	out->n = 0;
	out->fold = need.cover.fold;
	out->whole = need.known && need.whole;
	out->shortest = KT_LITERAL_LEN;
	for (uint32_t i = 0; i < need.cover.n; i++)
		put(out, need.cover.s[i]);
	if (!out->n)
		out->shortest = 0;
	kt_arena_free(&a);
	return out->n > 0;
}

static bool add_group(struct kt_pattern_info *out, struct kt_str name)
{
	for (uint32_t i = 0; i < out->n_groups; i++)
		if (kt_str_eq_c(name, out->group[i]))
			return true;
	if (out->n_groups == KT_PATTERN_GROUPS || name.len >= sizeof out->group[0])
		return false;
	memcpy(out->group[out->n_groups++], name.p, name.len);
	return true;
}

/* Names by group number: the table is sorted by name. */
static int take_groups(const pcre2_code *re, struct kt_pattern_info *out, struct kt_err *err)
{
	uint32_t n = kt_pcre_names(re), groups = 0;

	pcre2_pattern_info(re, PCRE2_INFO_CAPTURECOUNT, &groups);
	for (uint32_t g = 1; n && g <= groups; g++)
		for (uint32_t i = 0; i < n; i++) {
			struct kt_pcre_name name = kt_pcre_name(re, i);
			if (name.group == g && !add_group(out, name.name))
				return kt_err_set(err, KT_ERR_RULES, "more than %d named groups",
						  KT_PATTERN_GROUPS);
		}
	return 0;
}

static bool has_nested_repeats(struct kt_str regex)
{
	struct kt_arena a = {0};
	bool nested = kt_need_of(&a, regex).nested;

	kt_arena_free(&a);
	return nested;
}

int kt_pattern_check(struct kt_str regex, struct kt_pattern_info *out, size_t *at, struct kt_err *err)
{
	unsigned char text[128];
	int code = 0;

	*out = (struct kt_pattern_info){0};
	pcre2_code *re = kt_pcre_compile(regex, &code, at);
	if (!re) {
		if (pcre2_get_error_message(code, text, sizeof text) < 0)
			snprintf((char *)text, sizeof text, "error %d", code);
		return kt_err_set(err, KT_ERR_RULES, "not a regular expression: %s", (const char *)text);
	}
	int rc = take_groups(re, out, err);
	pcre2_code_free(re);
	out->nested_repeats = has_nested_repeats(regex);
	return rc;
}
