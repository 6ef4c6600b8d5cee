/* A pattern and a text: where the pattern matches, one of its literals stands. The
 * input is "pattern NUL text", or "g" and bytes by which both are grown. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Part of the unit tests' program, not of a library. */
#include "../unit/match/grow.c"
#include "base/alloc.h"
#include "match/literal.h"
#include "match/pcre.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LONGEST 2000 /* bytes of a pattern */

static void fail(const char *why, struct kt_str regex, struct kt_str text)
{
	fprintf(stderr, "%s\npattern: " KT_FMT "\ntext: " KT_FMT "\n", why, KT_ARG(regex), KT_ARG(text));
	abort();
}

static void check_form(const struct kt_literals *lits, struct kt_str regex)
{
	if (!lits->n || lits->n > KT_LITERALS_MAX)
		fail("how many literals?", regex, KT_NONE);
	for (uint32_t i = 0; i < lits->n; i++)
		if (!lits->lit[i].len || lits->lit[i].len > KT_LITERAL_LEN ||
		    lits->lit[i].len < lits->shortest || kt_str_chr(kt_literal(lits, i), '\n', 0) != KT_NPOS)
			fail("a bad literal", regex, kt_literal(lits, i));
}

static bool stands(const struct kt_literals *lits, struct kt_str text)
{
	for (uint32_t i = 0; i < lits->n; i++) {
		struct kt_str s = kt_literal(lits, i);
		if ((lits->fold ? kt_str_ifind(text, s, 0) : kt_str_find(text, s, 0)) != KT_NPOS)
			return true;
	}
	return false;
}

struct subject {
	pcre2_code *re;
	pcre2_match_data *data;
	pcre2_match_context *limits;
	struct kt_str regex;
	struct kt_literals *lits;
};

static void check_text(const struct subject *s, struct kt_str text)
{
	const char *p = text.p ? text.p : "";

	if (pcre2_match(s->re, (PCRE2_SPTR)p, text.len, 0, 0, s->data, s->limits) >= 0 &&
	    !stands(s->lits, text))
		fail("a match without a literal", s->regex, text);
}

/* The pattern without most of what is special in it: often near to a match. */
static void plain(struct kt_str regex, struct kt_buf *out)
{
	for (size_t i = 0; i < regex.len; i++)
		if (kt_str_chr(KT_S("\\()|?*+^$"), regex.p[i], 0) == KT_NPOS)
			kt_buf_char(out, regex.p[i]);
}

static void check(struct kt_str regex, struct kt_str text)
{
	struct subject s = {.regex = regex, .lits = kt_alloc(sizeof *s.lits)};
	struct kt_buf more = KT_BUF(1 << 20);
	int code;
	size_t at;

	bool covered = kt_literals_of(regex, s.lits);
	s.re = covered ? kt_pcre_compile(regex, &code, &at) : NULL;
	if (covered)
		check_form(s.lits, regex);
	if (s.re) {
		s.data = pcre2_match_data_create(1, NULL);
		s.limits = pcre2_match_context_create(NULL);
		pcre2_set_match_limit(s.limits, 20000);
		pcre2_set_depth_limit(s.limits, 2000);
		check_text(&s, text);
		plain(regex, &more);
		check_text(&s, kt_buf_view(&more));
		kt_buf_add(&more, text);
		check_text(&s, kt_buf_view(&more));
		pcre2_match_data_free(s.data);
		pcre2_match_context_free(s.limits);
		pcre2_code_free(s.re);
	}
	kt_free(s.lits);
	kt_buf_free(&more);
}

static void check_grown(struct kt_str choices)
{
	struct grow g = {.state = choices.len, .choices = choices};
	struct kt_buf regex = KT_BUF(1 << 16), sample = KT_BUF(1 << 16), text = KT_BUF(1 << 17);

	grow_pattern(&g, &regex, &sample);
	struct kt_str s = kt_buf_view(&sample);
	if (regex.len <= LONGEST) {
		check(kt_buf_view(&regex), s);
		grow_noise(&g, &text, grow_below(&g, 60));
		kt_buf_add(&text, kt_str_sub(s, 0, grow_below(&g, (uint32_t)s.len + 1)));
		grow_noise(&g, &text, grow_below(&g, 30));
		check(kt_buf_view(&regex), kt_buf_view(&text));
	}
	kt_buf_free(&regex);
	kt_buf_free(&sample);
	kt_buf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kt_str text = {(const char *)data, size}, regex;

	if (size && data[0] == 'g')
		check_grown(kt_str_from(text, 1));
	else if (kt_str_cut(&text, '\0', &regex) && regex.len <= LONGEST)
		check(regex, text);
	return 0;
}
