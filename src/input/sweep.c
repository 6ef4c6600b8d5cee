#include "input/sweep.h"

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/count.h"
#include "input/plain.h"
#include "input/sieve.h"

#include "base/banned.h"

#define BLOCK  (128u << 10) /* looked at at once; less than half of the longest record */
#define SAMPLE (16u << 10)
#define ESC    '\033'

/* A text in which the sweep is CLEAN: a line at its start begins a record. */
struct piece {
	struct kt_str text;
	size_t limit; /* as far as records are complete; a line there begins a record, or the input ends */
	size_t done;  /* as far as they were handed out; a line there begins a record, but for 0 */
	bool final;   /* the input ends at the limit */
	size_t line, line_end; /* the line that a sign stood in last */
	size_t plain;          /* up to here lines with escapes were looked at */
};

void kt_sweep_init(struct kt_sweep *w, const struct kt_inputs *in, kt_record_fn fn, void *ctx)
{
	*w = (struct kt_sweep){.headers = in->headers, .sieve = in->sieve, .stop = in->stop};
	kt_assembler_init(&w->assembler, in->headers, &in->limits, fn, ctx);
	w->plain = w->scratch = KT_BUF(KT_BUF_TEXT);
}

void kt_sweep_free(struct kt_sweep *w)
{
	kt_assembler_free(&w->assembler);
	kt_buf_free(&w->plain);
	kt_buf_free(&w->scratch);
	kt_free(w->escaped);
}

void kt_sweep_begin(struct kt_sweep *w, struct kt_input *input, uint32_t row, uint64_t offset)
{
	w->input = input;
	w->row = row;
	w->open = false;
	w->offset = w->counted = offset;
	w->sample = offset < SAMPLE ? SAMPLE : 0;
	w->lines = 0;
}

static bool stopped(const struct kt_sweep *w)
{
	return w->stop && *w->stop;
}

/* --- lines --- */

static size_t next_line(struct kt_str text, size_t at)
{
	size_t end = kt_str_chr(text, '\n', at);

	return end == KT_NPOS ? text.len : end + 1;
}

/* Where the empty lines from AT on end. */
static size_t empty_lines(struct kt_str text, size_t at)
{
	while (at < text.len && text.p[at] == '\n')
		at++;
	return at;
}

/* Start of the line in which AT is; no lower than FLOOR, where a line starts. */
static size_t line_start(struct kt_str text, size_t floor, size_t at)
{
	const char *end = memrchr(text.p + floor, '\n', at - floor);

	return end ? (size_t)(end - text.p) + 1 : floor;
}

/* The next escape byte in [FROM, TO); else TO. */
static size_t next_escape(struct kt_str text, size_t from, size_t to)
{
	const char *at = from < to ? memchr(text.p + from, ESC, to - from) : NULL;

	return at ? (size_t)(at - text.p) : to;
}

static bool begins_record(struct kt_sweep *w, struct kt_str text, size_t at)
{
	size_t end = kt_str_chr(text, '\n', at);
	struct kt_str line = kt_str_sub(text, at, (end == KT_NPOS ? text.len : end) - at);

	if (next_escape(line, 0, line.len) < line.len)
		line = kt_plain_colours(line, &w->scratch);
	if (!kt_line_starts_record(w->headers, line))
		return false;
	w->input->headed += !w->input->headed;
	return true;
}

/* The last line before AT, or with it, that begins a record; else FLOOR. */
static size_t record_before(struct kt_sweep *w, struct kt_str text, size_t floor, size_t at)
{
	size_t start = line_start(text, floor, at);

	while (start > floor && !begins_record(w, text, start)) {
		while (start > floor + 1 && text.p[start - 2] == '\n') /* there may be millions */
			start--;
		start = line_start(text, floor, start - 1);
	}
	return start;
}

/* The first line that starts behind AT and begins a record; else LIMIT. */
static size_t record_after(struct kt_sweep *w, struct kt_str text, size_t at, size_t limit)
{
	size_t start = next_line(text, at);

	while (start < limit && !begins_record(w, text, start))
		start = next_line(text, empty_lines(text, start));
	return start < limit ? start : limit;
}

/* Line ends before AT of TEXT, which starts at w->offset. */
static uint64_t lines_before(struct kt_sweep *w, struct kt_str text, size_t at)
{
	size_t counted = w->counted > w->offset ? (size_t)(w->counted - w->offset) : 0;

	if (at < counted)
		return w->lines - kt_count_byte(text.p + at, counted - at, '\n');
	if (at > counted) /* else there may be no text at all */
		w->lines += kt_count_byte(text.p + counted, at - counted, '\n');
	w->counted = w->offset + at;
	return w->lines;
}

uint64_t kt_sweep_lines(const struct kt_sweep *w)
{
	return w->lines;
}

/* --- clean --- */

/* Hands out the records from that of AT on to the next place where it may be clean
 * again. */
static int assemble(struct kt_sweep *w, struct piece *p, size_t at)
{
	struct kt_assembler *a = &w->assembler;
	size_t from = record_before(w, p->text, p->done, at);
	int rc;

	kt_assembler_begin(a, w->input, w->row, lines_before(w, p->text, from));
	do {
		size_t to = record_after(w, p->text, at, p->limit);
		rc = kt_assembler_add(a, kt_str_sub(p->text, from, to - from), w->offset + from);
		p->done = from = at = to;
	} while (!rc && from < p->limit && !kt_assembler_settled(a));
	if (rc)
		return rc;
	if (kt_assembler_settled(a) || p->final)
		return kt_assembler_end(a);
	w->open = true;
	return 0;
}

/* A long line may hold many signs: its bounds are kept. */
static struct kt_str line_of(struct piece *p, size_t at)
{
	if (at < p->line || at >= p->line_end) {
		p->line = line_start(p->text, p->done, at);
		p->line_end = next_line(p->text, at);
	}
	return kt_str_sub(p->text, p->line, p->line_end - p->line);
}

/* Whether the line of sign I at AT may be other than it looks. */
static bool sign_matters(const struct kt_sweep *w, struct piece *p, size_t i, size_t at)
{
	bool again = at >= p->line && at < p->line_end;
	struct kt_str line = line_of(p, at);

	switch (kt_headers_sign_kind(w->headers, i)) {
	case KT_SIGN_EVENT: return !again && kt_str_chr(line, '\\', 0) != KT_NPOS;
	case KT_SIGN_QUOTE: return !again;
	case KT_SIGN_JSON:
	case KT_SIGN_PART: return true;
	}
	return true;
}

static bool matters(const struct kt_sweep *w, struct piece *p, const struct kt_sieve_place *place)
{
	const struct kt_sieve *s = w->sieve;

	return place->row >= s->first_sign ? sign_matters(w, p, place->row - s->first_sign, place->at)
					   : s->want(s->ctx, place->row);
}

/* --- lines with escape sequences --- */

static bool has_escape(struct kt_str line)
{
	return next_escape(line, 0, line.len) < line.len;
}

/* Adds the lines from AT on, as long as they hold escapes, to w->plain without them; where
 * they end. */
static size_t strip_lines(struct kt_sweep *w, const struct piece *p, size_t at)
{
	kt_buf_clear(&w->plain);
	while (at < p->limit && w->plain.len < BLOCK) {
		size_t next = next_line(p->text, at);
		size_t end = p->text.p[next - 1] == '\n' ? next - 1 : next;
		struct kt_str line = kt_str_sub(p->text, at, end - at);
		if (!has_escape(line))
			break;
		kt_buf_add(&w->plain, kt_plain_colours(line, &w->scratch));
		kt_buf_char(&w->plain, '\n');
		at = next;
	}
	return at;
}

/* What stands in the stripped lines, which begin at AT: noted at the starts of their
 * lines. */
static void note_stripped(struct kt_sweep *w, const struct piece *p, size_t at)
{
	struct kt_str plain = kt_buf_view(&w->plain);
	size_t n, seen = 0;
	const struct kt_sieve_place *place = w->sieve->find(w->sieve->ctx, plain, 0, plain.len, &n);

	if (w->plain.full || w->scratch.full) /* a very long line: assembled in any case */
		KT_PUSH(w->escaped, w->n_escaped,
			w->cap_escaped) = (struct kt_sieve_place){(uint32_t)at, w->sieve->first_sign};
	for (size_t i = 0; i < n; i++) {
		for (; (seen = kt_str_chr(plain, '\n', seen)) < place[i].at; seen++)
			at = next_line(p->text, at);
		seen = line_start(plain, 0, place[i].at);
		KT_PUSH(w->escaped, w->n_escaped, w->cap_escaped) = (struct kt_sieve_place){(uint32_t)at,
											    place[i].row};
	}
}

/* The places of [FROM, TO) that are only seen without escape sequences. */
static void look_at_escapes(struct kt_sweep *w, struct piece *p, size_t from, size_t to)
{
	size_t seen = p->done > p->plain ? p->done : p->plain;
	size_t escape = next_escape(p->text, from > seen ? from : seen, to);

	w->n_escaped = 0;
	while (escape < to) {
		size_t start = line_start(p->text, p->done, escape);
		size_t end = strip_lines(w, p, start);
		note_stripped(w, p, start);
		p->plain = end;
		escape = next_escape(p->text, end, to);
	}
}

/* Those before AT; *NEXT is the first of them. */
static int take_escaped(struct kt_sweep *w, struct piece *p, size_t *next, size_t at)
{
	const struct kt_sieve *s = w->sieve;
	int rc = 0;

	for (; !rc && !w->open && *next < w->n_escaped && w->escaped[*next].at < at; ++*next) {
		const struct kt_sieve_place *e = &w->escaped[*next];
		if (e->at >= p->done && (e->row >= s->first_sign || s->want(s->ctx, e->row)))
			rc = assemble(w, p, e->at);
	}
	return rc;
}

static int look_at_block(struct kt_sweep *w, struct piece *p, size_t from, size_t to)
{
	size_t n, escaped = 0;
	int rc = 0;

	look_at_escapes(w, p, from, to);
	const struct kt_sieve_place *place = w->sieve->find(w->sieve->ctx, p->text, from, to, &n);
	for (size_t i = 0; i < n && !rc && !w->open; i++) {
		rc = take_escaped(w, p, &escaped, place[i].at);
		if (!rc && !w->open && place[i].at >= p->done && matters(w, p, &place[i]))
			rc = assemble(w, p, place[i].at);
	}
	return rc || w->open ? rc : take_escaped(w, p, &escaped, SIZE_MAX);
}

/* A record that is too long to be kept whole takes two blocks' ends at least. */
static int look_for_long(struct kt_sweep *w, struct piece *p, size_t from, size_t to)
{
	if (to - from < BLOCK || p->done > from || record_before(w, p->text, from, to) > from)
		return 0;
	return assemble(w, p, to - 1);
}

static int look_at_sample(struct kt_sweep *w, struct piece *p)
{
	int rc = 0;

	while (!rc && !w->open && p->done < p->limit && w->offset + p->done < w->sample)
		rc = assemble(w, p, p->done);
	return rc;
}

static size_t block_end(const struct kt_sweep *w, const struct piece *p, size_t from)
{
	size_t to = from + BLOCK - (size_t)((w->offset + from) % BLOCK);

	return to < p->limit ? to : p->limit;
}

/* All of P; blocks end at multiples of their size from the start of the input. */
static int look_through(struct kt_sweep *w, struct piece *p, size_t *used)
{
	int rc = look_at_sample(w, p);
	size_t at = p->done;

	while (at < p->limit && !rc && !w->open && !stopped(w)) {
		size_t to = block_end(w, p, at);
		rc = look_at_block(w, p, at, to);
		if (!rc && !w->open)
			rc = look_for_long(w, p, at, to);
		lines_before(w, p->text, to);
		at = to;
	}
	if (p->final && at == p->limit && p->done < p->limit && !rc && !w->open)
		rc = assemble(w, p, p->limit - 1);
	*used = w->open ? p->done : at;
	return rc;
}

/* --- open --- */

/* Goes on with the stretch, as far as lines are whole or very long. */
static int go_on(struct kt_sweep *w, struct kt_str text, bool last, size_t *used)
{
	struct kt_assembler *a = &w->assembler;
	size_t at = 0;
	int rc = 0;

	while (at < text.len && !rc && !stopped(w)) {
		size_t next = a->line_open ? at : empty_lines(text, at);
		next = next > at ? next : next_line(text, at);
		bool whole = text.p[next - 1] == '\n' || last;
		if (!a->line_open && !whole && text.len - at < KT_SWEEP_ENOUGH / 2)
			break;
		if (!w->fresh && kt_assembler_settled(a) && begins_record(w, text, at)) {
			w->open = false;
			rc = kt_assembler_end(a);
			break;
		}
		rc = kt_assembler_add(a, kt_str_sub(text, at, next - at), w->offset + at);
		w->fresh = false;
		at = next;
	}
	*used = at;
	if (rc || !w->open || !last || at < text.len)
		return rc;
	w->open = false;
	return kt_assembler_end(a);
}

/* --- pieces --- */

size_t kt_sweep_find(struct kt_sweep *w, struct kt_str text, uint64_t until)
{
	if (until <= w->offset || until - w->offset >= text.len)
		return KT_NPOS;
	size_t at = next_line(text, (size_t)(until - w->offset) - 1);
	size_t whole = line_start(text, 0, text.len);
	while (at < whole && !begins_record(w, text, at))
		at = next_line(text, empty_lines(text, at));
	return at < whole ? at : KT_NPOS;
}

static void set_limit(struct kt_sweep *w, struct piece *p, bool last, uint64_t until)
{
	size_t stop = kt_sweep_find(w, p->text, until);
	size_t whole = line_start(p->text, 0, p->text.len);

	p->final = last && stop == KT_NPOS;
	if (stop != KT_NPOS)
		p->limit = stop;
	else if (last)
		p->limit = p->text.len;
	else
		p->limit = whole ? record_before(w, p->text, 0, whole - 1) : 0;
}

/* Everything is one stretch: there is no sieve, or no end of the record in sight. */
static void open_here(struct kt_sweep *w)
{
	kt_assembler_begin(&w->assembler, w->input, w->row, w->lines);
	w->open = w->fresh = true;
}

static int step(struct kt_sweep *w, struct kt_str text, bool last, uint64_t until, size_t *used)
{
	struct piece p = {.text = text};

	if (w->open)
		return go_on(w, text, last, used);
	*used = 0;
	set_limit(w, &p, last, until);
	if (p.limit)
		return look_through(w, &p, used);
	if (text.len >= 2 * BLOCK)
		open_here(w);
	return 0;
}

/* Without a sieve. */
static int add_all(struct kt_sweep *w, struct kt_str text, bool last)
{
	if (!w->open)
		open_here(w);
	int rc = kt_assembler_add(&w->assembler, text, w->offset);
	lines_before(w, text, text.len);
	w->offset += text.len;
	return rc || !last ? rc : kt_assembler_end(&w->assembler);
}

int kt_sweep_add(struct kt_sweep *w, struct kt_str text, bool last, uint64_t until, size_t *used)
{
	bool open = w->open;
	size_t n = 1;
	int rc = 0;

	*used = 0;
	if (!w->sieve) {
		*used = text.len;
		return add_all(w, text, last);
	}
	while (!rc && (n || open != w->open) && !stopped(w) && (w->open || w->offset < until) &&
	       (*used < text.len || (last && w->open))) {
		struct kt_str rest = kt_str_from(text, *used);
		open = w->open;
		rc = step(w, rest, last, until, &n);
		lines_before(w, rest, n);
		w->offset += n;
		*used += n;
	}
	return rc;
}
