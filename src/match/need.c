#include "match/need.h"

#include <string.h>

#include "base/banned.h"

#define DEPTH 60
#define CLASS_MAX 4          /* bytes of a class that is spelt out */
#define UNBOUNDED UINT32_MAX

/* What is known of the texts that a part of the pattern matches. */
struct part {
	struct kt_texts exact;   /* all of them */
	struct kt_texts head, tail; /* every one begins / ends with one of these (may be {""}) */
	struct kt_texts cover;   /* every one holds one of these */
	bool unbounded;          /* holds an unbounded repeat */
};

struct reader {
	struct kt_arena *a;
	struct kt_str re;
	size_t at;
	unsigned depth;
	bool fold;               /* (?i) holds here */
	bool bad;                /* something not understood: no answer */
	bool nested;
};

static struct part read_alternatives(struct reader *r);

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

static struct kt_texts nothing(struct reader *r)
{
	return kt_texts_one(r->a, KT_NONE, false);
}

/* Matches something that is not known, perhaps the empty text. */
static struct part opaque(struct reader *r)
{
	return (struct part){.head = nothing(r), .tail = nothing(r)};
}

static struct part exactly(struct kt_texts t)
{
	return (struct part){.exact = t, .head = t, .tail = t, .cover = t};
}

static struct part bad(struct reader *r)
{
	r->bad = true;
	return opaque(r);
}

static struct part byte_part(struct reader *r, unsigned char c)
{
	char low = (char)(c >= 'A' && c <= 'Z' && r->fold ? c + 32 : c);

	return exactly(kt_texts_one(r->a, (struct kt_str){&low, 1}, r->fold && is_letter(c)));
}

/* Two parts one behind the other. RUN: texts that end where the next part begins. */
struct chain {
	struct kt_texts run, head, cover;
	bool exact;              /* all so far is RUN */
	bool unbounded;
};

static void break_run(struct chain *c, struct kt_texts next)
{
	c->cover = kt_texts_better(c->cover, c->run);
	if (c->exact)
		c->head = c->run;
	c->exact = false;
	c->run = next;
}

static void chain_add(struct reader *r, struct chain *c, const struct part *p)
{
	bool whole = p->exact.n > 0;
	struct kt_texts more = kt_texts_times(r->a, c->run, whole ? p->exact : p->head);

	c->unbounded |= p->unbounded;
	if (whole && more.n) {
		c->run = more;
		return;
	}
	if (more.n)
		c->run = more;
	break_run(c, whole ? p->exact : p->tail);
	c->cover = kt_texts_better(c->cover, p->cover);
}

static struct part chain_end(struct chain *c)
{
	if (c->exact)
		return (struct part){c->run, c->run, c->run, c->run, c->unbounded};
	return (struct part){.head = c->head, .tail = c->run, .unbounded = c->unbounded,
			     .cover = kt_texts_better(c->cover, c->run)};
}

static struct part either(struct reader *r, struct part x, struct part y)
{
	struct part out = {.unbounded = x.unbounded || y.unbounded};

	out.exact = kt_texts_plus(r->a, x.exact, y.exact, KT_TEXTS_EXACT);
	out.head = kt_texts_plus(r->a, x.head, y.head, KT_TEXTS_EXACT);
	out.tail = kt_texts_plus(r->a, x.tail, y.tail, KT_TEXTS_EXACT);
	out.cover = kt_texts_plus(r->a, x.cover, y.cover, KT_TEXTS_COVER);
	if (!out.head.n)
		out.head = nothing(r);
	if (!out.tail.n)
		out.tail = nothing(r);
	return out;
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
			*max = UNBOUNDED;
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
	*max = c == '?' ? 1 : UNBOUNDED;
	if (c == '{')
		return read_braces(r, min, max);
	if (c != '*' && c != '+' && c != '?')
		return false;
	r->at++;
	return true;
}

static struct part times_exactly(struct reader *r, const struct part *p, uint32_t n)
{
	struct chain c = {.run = nothing(r), .exact = true};

	for (uint32_t i = 0; i < n; i++)
		chain_add(r, &c, p);
	return chain_end(&c);
}

static struct part repeated(struct reader *r, struct part p, uint32_t min, uint32_t max)
{
	if (min == 0 && max == 1)
		return either(r, p, exactly(nothing(r)));
	if (min == max && min >= 1 && min <= 8)
		return times_exactly(r, &p, min);
	struct part out = opaque(r);
	if (min >= 1) {
		out.head = p.head;
		out.tail = p.tail;
		out.cover = p.cover;
	}
	return out;
}

/* All repeats behind P: "a{2}{3}", "a+?", "a++". */
static struct part read_repeats(struct reader *r, struct part p)
{
	uint32_t min, max;

	while (!r->bad && read_repeat(r, &min, &max)) {
		bool possessive = peek(r) == '+';
		if (possessive || peek(r) == '?')
			r->at++;
		r->nested |= max == UNBOUNDED && p.unbounded;
		bool unbounded = p.unbounded || (max == UNBOUNDED && !possessive);
		p = repeated(r, p, min, max);
		p.unbounded = unbounded;
	}
	return p;
}

/* --- classes --- */

struct class {
	bool has[256];
	bool wide;               /* holds what is not spelt out */
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

static struct part read_class(struct reader *r)
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
	struct kt_texts t = c.wide ? (struct kt_texts){0} : class_texts(r, &c);
	return t.n ? exactly(t) : opaque(r);
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
static struct part read_hex(struct reader *r)
{
	int a = hex(peek(r)), b = hex(peek_at(r, 1));

	if (a < 0 || b < 0)
		return bad(r);
	r->at += 2;
	return byte_part(r, (unsigned char)(a * 16 + b));
}

/* "\k<name>" and the like behind the k. */
static struct part read_backref(struct reader *r)
{
	int open = peek(r);
	char close = open == '<' ? '>' : open == '{' ? '}' : open == '\'' ? '\'' : '\0';
	size_t end = close ? kt_str_chr(r->re, close, r->at + 1) : KT_NPOS;

	if (end == KT_NPOS)
		return bad(r);
	r->at = end + 1;
	return opaque(r);
}

static struct part read_letter_escape(struct reader *r, int c)
{
	switch (c) {
	case 'd': case 'D': case 'w': case 'W': case 's': case 'S': case 'h': case 'H': case 'v': case 'V':
	case 'N': case 'R':
		return opaque(r);
	case 'b': case 'B': case 'A': case 'Z': case 'z': case 'G': case 'K':
		return exactly(nothing(r));
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

static struct part read_escape(struct reader *r)
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

static struct part skip_call(struct reader *r)
{
	size_t close = kt_str_chr(r->re, ')', r->at);

	if (close == KT_NPOS)
		return bad(r);
	r->at = close + 1;
	return opaque(r);
}

static struct part read_content(struct reader *r, bool fold_after)
{
	struct part p = read_alternatives(r);

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

static struct part read_special_group(struct reader *r)
{
	bool fold = r->fold;
	int c = peek(r), next = peek_at(r, 1);

	if (take(r, "=") || take(r, "!") || take(r, "<=") || take(r, "<!")) {
		read_content(r, fold); /* what it looks at is not part of the match */
		return exactly(nothing(r));
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
		return exactly(nothing(r));
	return read_content(r, fold);
}

static struct part read_group(struct reader *r)
{
	struct part p;

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

static struct part read_atom(struct reader *r)
{
	int c = peek(r);

	switch (c) {
	case '\\': return read_escape(r);
	case '[': return read_class(r);
	case '(': return read_group(r);
	case '.': r->at++; return opaque(r);
	case '^': case '$': r->at++; return exactly(nothing(r));
	case '*': case '+': case '?': return bad(r);
	default: break;
	}
	uint32_t min, max;
	if (c == '{' && read_braces(r, &min, &max))
		return bad(r);
	r->at++;
	return byte_part(r, (unsigned char)c);
}

static struct part read_sequence(struct reader *r)
{
	struct chain c = {.run = nothing(r), .exact = true};

	while (!r->bad && peek(r) >= 0 && peek(r) != '|' && peek(r) != ')') {
		struct part p = read_atom(r);
		if (r->bad)
			break;
		p = read_repeats(r, p);
		chain_add(r, &c, &p);
	}
	return chain_end(&c);
}

static struct part read_alternatives(struct reader *r)
{
	struct part p = read_sequence(r);

	while (!r->bad && peek(r) == '|') {
		r->at++;
		p = either(r, p, read_sequence(r));
	}
	return p;
}

struct kt_need kt_need_of(struct kt_arena *a, struct kt_str regex)
{
	struct reader r = {.a = a, .re = regex};
	struct kt_need need = {0};

	struct part p = read_alternatives(&r);
	need.known = !r.bad && r.at == regex.len;
	need.nested = r.nested;
	if (need.known && kt_texts_shortest(p.cover))
		need.cover = p.cover;
	return need;
}
