#include "match/need.h"

#include <string.h>

#include "match/part.h"

#include "base/banned.h"

#define DEPTH     60
#define CLASS_MAX 4 /* bytes of a class that is spelt out */

struct reader {
	struct kt_arena *a;
	struct kt_str re;
	size_t at;
	unsigned depth;
	bool fold; /* (?i) holds here */
	bool bad;  /* something not understood: no answer */
	bool nested;
};

static struct kt_part read_alternatives(struct reader *r);

static int peek(const struct reader *r)
{
	return r->at < r->re.len ? (unsigned char)r->re.p[r->at] : -1;
}

static int peek_at(const struct reader *r, size_t ahead)
{
	return r->at + ahead < r->re.len ? (unsigned char)r->re.p[r->at + ahead] : -1;
}

static bool take(struct reader *r, const char *word)
{
	struct kt_str w = kt_str_c(word);

	if (!kt_str_starts(kt_str_from(r->re, r->at), w))
		return false;
	r->at += w.len;
	return true;
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* --- parts --- */

static struct kt_part opaque(struct reader *r)
{
	return kt_part_opaque(r->a);
}

static struct kt_part empty(struct reader *r)
{
	return kt_part_empty(r->a);
}

static struct kt_part bad(struct reader *r)
{
	r->bad = true;
	return opaque(r);
}

static struct kt_part byte_part(struct reader *r, unsigned char c)
{
	char low = (char)(c >= 'A' && c <= 'Z' && r->fold ? c + 32 : c);

	return kt_part_exactly(kt_texts_one(r->a, (struct kt_str){&low, 1}, r->fold && is_letter(c)));
}

/* --- repeats --- */

static bool read_number(struct reader *r, size_t *ahead, uint32_t *out)
{
	uint32_t n = 0;

	if (!is_digit(peek_at(r, *ahead)))
		return false;
	for (; is_digit(peek_at(r, *ahead)); (*ahead)++)
		n = n < 100000 ? n * 10 + (uint32_t)(peek_at(r, *ahead) - '0') : n;
	*out = n;
	return true;
}

/* "{2}", "{2,}", "{2,5}". Forms whose meaning depends on the version of the library
 * ("{,5}", blanks inside) are not understood. */
static bool read_braces(struct reader *r, uint32_t *min, uint32_t *max)
{
	size_t ahead = 1;

	if (peek_at(r, 1) == ',' || peek_at(r, 1) == ' ')
		r->bad = true;
	if (!read_number(r, &ahead, min))
		return false;
	*max = *min;
	if (peek_at(r, ahead) == ' ')
		r->bad = true;
	if (peek_at(r, ahead) == ',') {
		ahead++;
		if (peek_at(r, ahead) == ' ')
			r->bad = true;
		if (!read_number(r, &ahead, max))
			*max = KT_PART_UNBOUNDED;
	}
	if (peek_at(r, ahead) != '}')
		return false;
	r->at += ahead + 1;
	return true;
}

static bool read_repeat(struct reader *r, uint32_t *min, uint32_t *max)
{
	int c = peek(r);

	*min = c == '+';
	*max = c == '?' ? 1 : KT_PART_UNBOUNDED;
	if (c == '{')
		return read_braces(r, min, max);
	if (c != '*' && c != '+' && c != '?')
		return false;
	r->at++;
	return true;
}

/* All repeats behind P: "a{2}{3}", "a+?", "a++". */
static struct kt_part read_repeats(struct reader *r, struct kt_part p)
{
	uint32_t min, max;

	while (!r->bad && read_repeat(r, &min, &max)) {
		bool possessive = peek(r) == '+';
		if (possessive || peek(r) == '?')
			r->at++;
		r->nested |= max == KT_PART_UNBOUNDED && p.unbounded;
		bool unbounded = p.unbounded || (max == KT_PART_UNBOUNDED && !possessive);
		p = kt_part_repeated(r->a, p, min, max);
		p.unbounded = unbounded;
	}
	return p;
}

/* --- classes --- */

struct class
{
	bool has[256];
	bool wide; /* holds what is not spelt out */
};

/* "[:alpha:]" in a class; anything that only looks like it is not understood. */
static void skip_posix(struct reader *r)
{
	size_t end = r->at + 2;

	while (end < r->re.len && (is_letter((unsigned char)r->re.p[end]) || r->re.p[end] == '^'))
		end++;
	r->at = end;
	if (!take(r, ":]"))
		r->bad = true;
}

/* One byte of a class; -1: something else ("\d", "[:alpha:]"), which is skipped. */
static int class_byte(struct reader *r, struct class *c)
{
	int b = peek(r);

	if (b == '[' && (peek_at(r, 1) == '.' || peek_at(r, 1) == '='))
		r->bad = true;
	if (b == '[' && peek_at(r, 1) == ':') {
		skip_posix(r);
		c->wide = true;
		return -1;
	}
	r->at++;
	if (b != '\\')
		return b;
	b = peek(r);
	r->at++;
	if (b < 0 || (is_digit(b)) || (is_letter(b) && !strchr("dDwWsShHvVtnr", b)))
		r->bad = true; /* \x41, \Q, \b: not needed, not read */
	switch (b) {
	case 't': return '\t';
	case 'n': return '\n';
	case 'r': return '\r';
	default: break;
	}
	if (is_letter(b)) {
		c->wide = true;
		return -1;
	}
	return b;
}

static void class_range(struct reader *r, struct class *c, int from)
{
	int to = from;

	if (peek(r) == '-' && peek_at(r, 1) != ']') {
		r->at++;
		to = class_byte(r, c);
		if (to < 0) { /* "a-\d": three members */
			c->wide = true;
			return;
		}
	}
	for (int b = from; b >= 0 && b <= to; b++)
		c->has[b] = true;
}

static struct kt_texts class_texts(struct reader *r, const struct class *c)
{
	struct kt_texts out = {0};

	for (int b = 0; b < 256; b++) {
		if (!c->has[b])
			continue;
		struct kt_texts one = byte_part(r, (unsigned char)b).exact;
		out = out.n ? kt_texts_plus(r->a, out, one, KT_TEXTS_COVER) : one;
		if (!out.n || out.n > CLASS_MAX)
			return (struct kt_texts){0};
	}
	return out;
}

static struct kt_part read_class(struct reader *r)
{
	struct class c = {.wide = false};

	r->at++;
	if (peek(r) == '^') {
		c.wide = true;
		r->at++;
	}
	for (bool first = true; first || peek(r) != ']'; first = false) {
		if (peek(r) < 0 || r->bad)
			return bad(r);
		int b = class_byte(r, &c);
		if (b >= 0)
			class_range(r, &c, b);
	}
	r->at++;
	struct kt_texts t = {0};
	if (!c.wide)
		t = class_texts(r, &c);
	return t.n ? kt_part_exactly(t) : opaque(r);
}

/* --- escapes --- */

static int hex(int c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* "\xhh" behind the x. */
static struct kt_part read_hex(struct reader *r)
{
	int a = hex(peek(r)), b = hex(peek_at(r, 1));

	if (a < 0 || b < 0)
		return bad(r);
	r->at += 2;
	return byte_part(r, (unsigned char)(a * 16 + b));
}

/* "\k<name>" and the like behind the k. */
static struct kt_part read_backref(struct reader *r)
{
	int open = peek(r);
	char close = open == '<' ? '>' : open == '{' ? '}' : open == '\'' ? '\'' : '\0';
	size_t end = close ? kt_str_chr(r->re, close, r->at + 1) : KT_NPOS;

	if (end == KT_NPOS)
		return bad(r);
	r->at = end + 1;
	return opaque(r);
}

static struct kt_part read_letter_escape(struct reader *r, int c)
{
	switch (c) {
	case 'd':
	case 'D':
	case 'w':
	case 'W':
	case 's':
	case 'S':
	case 'h':
	case 'H':
	case 'v':
	case 'V':
	case 'N':
	case 'R': return opaque(r);
	case 'b':
	case 'B':
	case 'A':
	case 'Z':
	case 'z':
	case 'G':
	case 'K': return empty(r);
	case 't': return byte_part(r, '\t');
	case 'n': return byte_part(r, '\n');
	case 'r': return byte_part(r, '\r');
	case 'f': return byte_part(r, '\f');
	case 'e': return byte_part(r, 27);
	case 'a': return byte_part(r, 7);
	case 'x': return read_hex(r);
	case 'k': return read_backref(r);
	default: return bad(r);
	}
}

static struct kt_part read_escape(struct reader *r)
{
	r->at++;
	int c = peek(r);
	if (c < 0)
		return bad(r);
	r->at++;
	if (is_digit(c)) {
		if (c == '0' || is_digit(peek(r)))
			return bad(r);
		return opaque(r); /* \1 */
	}
	if (is_letter(c))
		return read_letter_escape(r, c);
	return c < 128 ? byte_part(r, (unsigned char)c) : bad(r);
}

/* --- groups --- */

/* Behind "(?": the flags and what follows. True: a group whose content follows. */
static bool read_flags(struct reader *r)
{
	bool on = true, any = false;

	for (;; r->at++) {
		int c = peek(r);
		any |= c == 'i' || c == 'm' || c == 's' || c == '-';
		if (c == '-')
			on = false;
		else if (c == 'i')
			r->fold = on;
		else if (c == ':' || c == ')')
			break;
		else if (c != 'm' && c != 's' && c != 'J' && c != 'U') {
			r->bad = true;
			return false;
		}
	}
	r->bad |= !any;
	bool group = peek(r) == ':';
	r->at++;
	return group;
}

static struct kt_part skip_call(struct reader *r)
{
	size_t close = kt_str_chr(r->re, ')', r->at);

	if (close == KT_NPOS)
		return bad(r);
	r->at = close + 1;
	return opaque(r);
}

static struct kt_part read_content(struct reader *r, bool fold_after)
{
	struct kt_part p = read_alternatives(r);

	if (peek(r) != ')')
		return bad(r);
	r->at++;
	r->fold = fold_after;
	return p;
}

static bool skip_name(struct reader *r, char close)
{
	size_t end = kt_str_chr(r->re, close, r->at);

	if (end == KT_NPOS)
		return false;
	r->at = end + 1;
	return true;
}

static struct kt_part read_special_group(struct reader *r)
{
	bool fold = r->fold;
	int c = peek(r), next = peek_at(r, 1);

	if (take(r, "=") || take(r, "!") || take(r, "<=") || take(r, "<!")) {
		read_content(r, fold); /* what it looks at is not part of the match */
		return empty(r);
	}
	if (take(r, ":") || take(r, "|") || take(r, ">"))
		return read_content(r, fold);
	if (take(r, "P<") || take(r, "<"))
		return skip_name(r, '>') ? read_content(r, fold) : bad(r);
	if (take(r, "'"))
		return skip_name(r, '\'') ? read_content(r, fold) : bad(r);
	if (c == 'R' || c == '&' || is_digit(c) || ((c == '+' || c == '-') && is_digit(next)) ||
	    (c == 'P' && (next == '=' || next == '>')))
		return skip_call(r);
	if (!read_flags(r)) /* "(?i)": holds to the end of the group around it */
		return empty(r);
	return read_content(r, fold);
}

static struct kt_part read_group(struct reader *r)
{
	struct kt_part p;

	r->at++;
	if (++r->depth > DEPTH || peek(r) == '*')
		return bad(r);
	if (peek(r) == '?') {
		r->at++;
		p = read_special_group(r);
	} else {
		p = read_content(r, r->fold);
	}
	r->depth--;
	return p;
}

/* --- sequence and alternatives --- */

static struct kt_part read_atom(struct reader *r)
{
	int c = peek(r);

	switch (c) {
	case '\\': return read_escape(r);
	case '[': return read_class(r);
	case '(': return read_group(r);
	case '.': r->at++; return opaque(r);
	case '^':
	case '$': r->at++; return empty(r);
	case '*':
	case '+':
	case '?': return bad(r);
	default: break;
	}
	uint32_t min, max;
	if (c == '{' && read_braces(r, &min, &max))
		return bad(r);
	r->at++;
	return byte_part(r, (unsigned char)c);
}

static struct kt_part read_sequence(struct reader *r)
{
	struct kt_chain c = kt_chain_begin(r->a);

	while (!r->bad && peek(r) >= 0 && peek(r) != '|' && peek(r) != ')') {
		struct kt_part p = read_atom(r);
		if (r->bad)
			break;
		p = read_repeats(r, p);
		kt_chain_add(r->a, &c, &p);
	}
	return kt_chain_end(&c);
}

static struct kt_part read_alternatives(struct reader *r)
{
	struct kt_part p = read_sequence(r);

	while (!r->bad && peek(r) == '|') {
		r->at++;
		p = kt_part_either(r->a, p, read_sequence(r));
	}
	return p;
}

struct kt_need kt_need_of(struct kt_arena *a, struct kt_str regex)
{
	struct reader r = {.a = a, .re = regex};
	struct kt_need need = {0};

	struct kt_part p = read_alternatives(&r);
	need.known = !r.bad && r.at == regex.len;
	need.nested = r.nested;
	if (need.known && kt_texts_shortest(p.cover))
		need.cover = p.cover;
	return need;
}
