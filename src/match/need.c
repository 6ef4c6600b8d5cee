#include "match/need.h"

#include <string.h>

#include "match/need_reader.h"

#include "base/banned.h"

#define RUN_MAX 60 /* plain bytes that are read at once */

bool kt_need_take(struct kt_need_reader *r, const char *word)
{
	struct kt_str w = kt_str_c(word);

	if (!kt_str_starts(kt_str_from(r->re, r->at), w))
		return false;
	r->at += w.len;
	return true;
}

bool kt_need_skip_to(struct kt_need_reader *r, char close)
{
	size_t end = kt_str_chr(r->re, close, r->at);

	if (end == KT_NPOS)
		return false;
	r->at = end + 1;
	return true;
}

struct kt_part kt_need_bad(struct kt_need_reader *r)
{
	r->bad = true;
	return kt_part_opaque(r->a);
}

/* No text holds a line end: files may write it in other ways than records. */
struct kt_part kt_need_byte(struct kt_need_reader *r, unsigned char c)
{
	char low = (char)(c >= 'A' && c <= 'Z' && r->fold ? c + 32 : c);

	if (c == '\n')
		return kt_part_opaque(r->a);
	return kt_part_exactly(kt_texts_one(r->a, (struct kt_str){&low, 1}, r->fold && kt_need_is_letter(c)));
}

static bool is_plain(int c)
{
	return c > 0 && c != '\n' && !strchr("\\[](){}.^$*+?|", c);
}

/* Plain bytes that no repeat follows: most of a pattern is such. */
static struct kt_part read_run(struct kt_need_reader *r, size_t n)
{
	char text[RUN_MAX];
	bool fold = false;

	for (size_t i = 0; i < n; i++) {
		char c = r->re.p[r->at + i];
		bool letter = r->fold && kt_need_is_letter(c);
		text[i] = (char)(letter ? c | 0x20 : c);
		fold |= letter;
	}
	r->at += n;
	return kt_part_exactly(kt_texts_one(r->a, (struct kt_str){text, n}, fold));
}

/* How many bytes read_run may take; what may be repeated is left to others. */
static size_t run_here(const struct kt_need_reader *r)
{
	size_t n = 0;

	if (r->quoted || r->extended)
		return 0;
	while (n < RUN_MAX && is_plain(kt_need_peek(r, n)))
		n++;
	int next = kt_need_peek(r, n);
	return n && next >= 0 && next != '|' && next != ')' ? n - 1 : n;
}

static struct kt_part read_atom(struct kt_need_reader *r)
{
	int c = kt_need_peek(r, 0);

	switch (r->quoted ? 0 : c) {
	case '\\': return kt_need_escape(r);
	case '[': return kt_need_class(r);
	case '(': return kt_need_group(r);
	case '.': r->at++; return kt_part_opaque(r->a);
	case '^':
	case '$': r->at++; return kt_part_empty(r->a);
	case '*':
	case '+':
	case '?': return kt_need_bad(r);
	default: break;
	}
	uint32_t min, max;
	if (!r->quoted && c == '{' && kt_need_braces(r, &min, &max))
		return kt_need_bad(r);
	r->at++;
	return kt_need_byte(r, (unsigned char)c);
}

static bool at_end(const struct kt_need_reader *r)
{
	int c = kt_need_peek(r, 0);

	return r->bad || c < 0 || (!r->quoted && (c == '|' || c == ')'));
}

static struct kt_part read_sequence(struct kt_need_reader *r)
{
	struct kt_chain c;

	kt_chain_begin(r->a, &c);
	kt_need_skip_silent(r);
	while (!at_end(r)) {
		size_t run = run_here(r);
		struct kt_part p = run ? read_run(r, run) : read_atom(r);
		if (r->bad)
			break;
		if (!run)
			p = kt_need_repeats(r, p);
		kt_chain_add(r->a, &c, &p);
	}
	return kt_chain_end(r->a, &c);
}

struct kt_part kt_need_alternatives(struct kt_need_reader *r)
{
	struct kt_part p = read_sequence(r);

	while (!r->bad && kt_need_peek(r, 0) == '|') {
		r->at++;
		p = kt_part_either(r->a, p, read_sequence(r));
	}
	return p;
}

static struct kt_need read_all(struct kt_arena *a, struct kt_str regex, bool wide)
{
	struct kt_need_reader r = {.a = a, .re = regex, .wide = wide};
	struct kt_part p = kt_need_alternatives(&r);
	struct kt_need need = {
		.known = !r.bad && r.at == regex.len, .nested = r.nested, .whole = p.exact.n > 0};

	p.cover.price = kt_texts_price(p.cover);
	if (need.known && p.cover.price != KT_TEXTS_USELESS)
		need.cover = kt_texts_least(a, p.cover);
	return need;
}

/* Classes are spelt out further where that gives seven bytes in a row, or rarer ones. */
struct kt_need kt_need_of(struct kt_arena *a, struct kt_str regex)
{
	struct kt_need need = read_all(a, regex, false);

	if (!need.known || kt_texts_price(need.cover) < KT_TEXTS_CHEAP)
		return need;
	struct kt_need wide = read_all(a, regex, true);
	if (kt_texts_price(wide.cover) < KT_TEXTS_BRIEF)
		need.cover = kt_texts_better(need.cover, wide.cover);
	return need;
}
