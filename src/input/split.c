#include "input/split.h"

#include <string.h>

#include "input/jsonline.h"
#include "input/plain.h"
#include "input/trace.h"
#include "input/traceline.h"

#include "base/banned.h"

#define PARAGRAPH (32u << 10) /* bytes after which pasted text is divided at a line */
#define PREFIXES  8           /* taken off one line */
#define DECODED   (1u << 20)  /* bytes of a line that is decoded */
#define ESC       '\033'
#define PIECE     (16u << 10) /* at which container runtimes divide a line */
#define QUOTED    65536       /* bytes that a quote may have */

void kt_split_init(struct kt_split *s, const struct kt_headers *h, const struct kt_input_limits *limits,
		   kt_record_fn fn, void *ctx)
{
	*s = (struct kt_split){.headers = h, .fn = fn, .ctx = ctx};
	kt_cut_init(&s->text, limits->head, limits->tail);
	kt_cut_init(&s->part, limits->head, limits->tail);
	s->inner = s->plain = s->quiet = s->decoded = KT_BUF(DECODED);
}

void kt_split_free(struct kt_split *s)
{
	kt_cut_free(&s->text);
	kt_cut_free(&s->part);
	kt_buf_free(&s->inner);
	kt_buf_free(&s->plain);
	kt_buf_free(&s->quiet);
	kt_buf_free(&s->decoded);
}

void kt_split_begin(struct kt_split *s, struct kt_input *input, uint32_t row, uint64_t lines)
{
	s->input = input;
	s->rec.input = row;
	s->headed = s->open = s->part_open = s->wrapped = s->truncated = false;
	s->line_no = lines;
	s->quoted = 0;
}

bool kt_split_settled(const struct kt_split *s)
{
	return !s->part_open && !s->quoted;
}

/* --- the record at hand --- */

static struct kt_str field(const struct kt_split *s, enum kt_field f)
{
	struct kt_str whole = {s->rec.text.p, s->rec.cut ? s->rec.cut_at : s->rec.text.len};

	return s->len[f] ? kt_str_sub(whole, s->from[f], s->len[f]) : KT_NONE;
}

static void count(struct kt_split *s)
{
	struct kt_input *in = s->input;

	in->records++;
	in->events += s->rec.media == KT_MEDIA_EVENTLOG;
	in->headed += s->rec.header.len > 0;
	if (s->rec.cut && !in->cut++)
		in->cut_line = s->rec.line;
}

/* Hands out the record, if there is one. */
static int flush(struct kt_split *s)
{
	struct kt_record *r = &s->rec;

	if (!s->open)
		return 0;
	s->open = false;
	r->text = kt_cut_text(&s->text, &r->cut_at, &r->cut_len);
	r->cut = s->text.dropped > 0;
	r->dropped = s->text.dropped;
	r->dropped_lines = s->text.dropped_lines;
	r->time = field(s, KT_FIELD_TIME);
	r->level = field(s, KT_FIELD_LEVEL);
	r->thread = field(s, KT_FIELD_THREAD);
	r->logger = field(s, KT_FIELD_LOGGER);
	r->message = field(s, KT_FIELD_MESSAGE);
	count(s);
	return s->fn(s->ctx, r);
}

static int begin(struct kt_split *s, enum kt_media media, struct kt_str header)
{
	int rc = flush(s);

	kt_cut_clear(&s->text);
	s->rec = (struct kt_record){.input = s->rec.input,
				    .line = s->line_no,
				    .lines = 1,
				    .offset = s->offset,
				    .media = media,
				    .header = header};
	memset(s->len, 0, sizeof s->len);
	s->open = true;
	s->frames = s->traceback = s->chained = false;
	s->blank = 0;
	return rc;
}

static void note_fields(struct kt_split *s, const struct kt_header_match *m, struct kt_str line)
{
	for (size_t f = 0; f < KT_FIELDS; f++)
		if (m->field[f].len) {
			s->from[f] = (size_t)(m->field[f].p - line.p);
			s->len[f] = m->field[f].len;
		}
}

/* --- lines with a header --- */

/* "Last 4096 bytes of stderr :" quotes the log of a dead container: its headers
 * begin no records of this log. Only as many bytes as it says, and at most up to
 * the next line of the diagnostics. */
static uint64_t quote_length(const struct kt_split *s, struct kt_str line)
{
	struct kt_header_match m;
	uint64_t n;

	if (!kt_headers_quote(s->headers, line, &m))
		return 0;
	return kt_str_uint(m.field[KT_FIELD_LENGTH], QUOTED, &n) ? n : 0;
}

static bool in_quote(struct kt_split *s, struct kt_str line)
{
	uint64_t len = line.len + 1;

	if (line.len > 1 && line.p[0] == '[' && line.p[1] >= '0' && line.p[1] <= '9')
		s->quoted = 0;
	s->quoted = s->quoted > len ? s->quoted - len : 0;
	return s->quoted > 0;
}

static int begin_event(struct kt_split *s, const struct kt_cut_view *line, struct kt_str id)
{
	int rc = begin(s, KT_MEDIA_EVENTLOG, id);
	struct kt_cut_view decoded = *line;

	kt_buf_clear(&s->decoded);
	kt_jsonline_plain(line->head, &s->decoded);
	size_t head = s->decoded.len;
	kt_jsonline_plain(line->tail, &s->decoded);
	decoded.head = kt_str_sub(kt_buf_view(&s->decoded), 0, head);
	decoded.tail = kt_str_from(kt_buf_view(&s->decoded), head);
	kt_cut_add_view(&s->text, &decoded);
	s->rec.flat = true;
	s->headed = false; /* what goes on behind it does not depend on what stood before it */
	return rc;
}

/* A wrapper can hold a whole message with its trace. */
static bool several_lines(const struct kt_split *s, struct kt_str line)
{
	return s->wrapped && kt_str_chr(line, '\n', 0) != KT_NPOS;
}

static struct kt_str first_line(const struct kt_split *s, struct kt_str line)
{
	return several_lines(s, line) ? kt_str_sub(line, 0, kt_str_chr(line, '\n', 0)) : line;
}

static int begin_headed(struct kt_split *s, const struct kt_cut_view *line, const struct kt_header_match *m)
{
	int rc = begin(s, KT_MEDIA_LOG, m->id);

	note_fields(s, m, line->head);
	kt_cut_add_view(&s->text, line);
	s->rec.flat = several_lines(s, line->head);
	s->headed = m->kind != KT_SHAPE_BREAK;
	return rc;
}

static int begin_json(struct kt_split *s, const struct kt_header_match *m)
{
	struct kt_str text = kt_buf_view(&s->decoded);
	int rc = begin(s, KT_MEDIA_LOG, m->id);

	note_fields(s, m, text);
	kt_cut_add(&s->text, text);
	s->rec.flat = true;
	s->headed = true;
	return rc;
}

/* --- lines without one --- */

static bool blank(struct kt_str line)
{
	return kt_line_indent(line) == line.len;
}

/* Whether LINE, which has no header, begins a record. */
static bool starts_record(struct kt_split *s, struct kt_str line)
{
	if (!s->open || s->rec.flat)
		return true;
	if (kt_trace_is_inner_line(line) || kt_line_indent(line))
		return false;
	if (kt_trace_is_head_line(line)) {
		if (kt_line_is_traceback(line))
			return !s->chained && (!s->headed || s->frames || s->traceback);
		return !s->traceback && (!s->headed || s->frames);
	}
	return !s->headed && !s->traceback && (s->blank || s->text.len > PARAGRAPH);
}

/* What the line says about the trace that the record holds. */
static void note_trace(struct kt_split *s, struct kt_str line)
{
	if (kt_line_is_traceback(line)) {
		s->traceback = true;
		s->frames = s->chained = false;
	} else if (kt_trace_is_inner_line(line)) {
		bool code = kt_line_python_frame(line).len > 0;
		s->frames = s->frames || !code;
		s->chained = kt_str_find(line, KT_S("the above exception"), 0) != KT_NPOS ||
			     kt_str_starts(line, KT_S("The above exception"));
	} else if (s->traceback && !kt_line_indent(line) && kt_trace_is_head_line(line)) {
		s->traceback = false;
	}
}

static void append(struct kt_split *s, const struct kt_cut_view *line)
{
	kt_cut_add_ends(&s->text, s->blank + 1);
	s->blank = 0;
	kt_cut_add_view(&s->text, line);
	s->rec.lines = s->line_no - s->rec.line + 1;
}

static int headless(struct kt_split *s, const struct kt_cut_view *line)
{
	int rc = 0;

	if (several_lines(s, line->head) || (!s->quoted && starts_record(s, line->head))) {
		rc = begin(s, KT_MEDIA_LOG, KT_NONE);
		kt_cut_add_view(&s->text, line);
		s->rec.flat = several_lines(s, line->head);
	} else {
		append(s, line);
	}
	note_trace(s, line->head);
	return rc;
}

/* --- one line, prefixes off --- */

static int whole_line(struct kt_split *s, const struct kt_cut_view *line)
{
	struct kt_header_match m;
	bool quoted = s->quoted && in_quote(s, line->head);

	if (blank(line->head) && !line->dropped) {
		s->blank += s->open;
		return 0;
	}
	if (!quoted && kt_headers_match(s->headers, first_line(s, line->head), &m)) {
		s->quoted = 0;
		return m.kind == KT_SHAPE_EVENT ? begin_event(s, line, m.id) : begin_headed(s, line, &m);
	}
	if (!quoted && line->head.p[0] == '{' && !line->dropped &&
	    kt_jsonline_log(s->headers, line->head, &s->decoded, &m))
		return begin_json(s, &m);
	int rc = headless(s, line);
	uint64_t quoted_now = quote_length(s, line->head);
	if (quoted_now)
		s->quoted = quoted_now;
	return rc;
}

/* --- what collectors and consoles do to lines --- */

/* Takes prefixes off; true when one of them says that the line goes on. */
static bool strip_prefixes(const struct kt_headers *h, struct kt_str *line)
{
	struct kt_header_match m;
	bool partial = false;

	for (unsigned i = 0; i < PREFIXES && kt_headers_prefix(h, *line, &m); i++) {
		struct kt_str look;
		if (m.kind == KT_SHAPE_STAMP && kt_headers_head(h, *line, &look))
			break;
		partial = partial || kt_str_eq_c(m.field[KT_FIELD_PART], "P");
		*line = kt_str_from(*line, m.len);
	}
	return partial;
}

static void drop_returns(struct kt_cut_view *line)
{
	struct kt_str *end = line->dropped ? &line->tail : &line->head;

	while (end->len && (end->p[end->len - 1] == '\r' || end->p[end->len - 1] == '\0'))
		end->len--;
}

/* An object in a line, and nothing that is a record as it stands (an event with such
 * fields). */
static bool may_be_wrapped(const struct kt_headers *h, struct kt_str line)
{
	struct kt_str look;

	return line.len && line.p[0] == '{' && !kt_headers_head(h, line, &look);
}

/* The line inside a wrapper; true when it goes on in the next. */
static bool unwrap(struct kt_split *s, struct kt_cut_view *line)
{
	bool part;

	if (line->dropped || !may_be_wrapped(s->headers, line->head) ||
	    !kt_jsonline_wrapped(s->headers, line->head, &s->inner, &part))
		return false;
	line->head = kt_buf_view(&s->inner);
	s->wrapped = true;
	if (!kt_str_ends(line->head, KT_S("\n")))
		return part || line->head.len >= PIECE;
	line->head.len--;
	drop_returns(line);
	return part;
}

static void add_part(struct kt_split *s, const struct kt_cut_view *line)
{
	if (!s->part_open) {
		kt_cut_clear(&s->part);
		s->part_line = s->line_no;
		s->part_offset = s->offset;
		s->part_open = true;
	}
	kt_cut_add_view(&s->part, line);
}

static int finish_part(struct kt_split *s)
{
	uint64_t line_no = s->line_no, offset = s->offset;
	struct kt_cut_view whole = kt_cut_view(&s->part);

	s->part_open = false;
	s->line_no = s->part_line;
	s->offset = s->part_offset;
	int rc = whole_line(s, &whole);
	s->line_no = line_no;
	s->offset = offset;
	return rc;
}

static int one_line(struct kt_split *s, struct kt_cut_view *v)
{
	s->wrapped = s->wrapped && s->part_open;
	drop_returns(v);
	bool partial = unwrap(s, v);
	v->head = kt_plain_colours(v->head, &s->plain);
	size_t before = v->head.len;
	partial = strip_prefixes(s->headers, &v->head) || partial;
	if (partial || s->part_open) {
		add_part(s, v);
		return partial ? 0 : finish_part(s);
	}
	if (before && !v->head.len && !v->dropped) /* nothing but a progress bar */
		return 0;
	return whole_line(s, v);
}

/* --- what a crash leaves --- */

/* Where in TEXT a record begins behind a NUL: a process that was started again went on
 * in the line that the dead one did not end. KT_NPOS: nowhere. */
static size_t fresh_start(const struct kt_headers *h, struct kt_str text)
{
	for (size_t at = 0; (at = kt_str_chr(text, '\0', at)) != KT_NPOS; at++)
		if (kt_line_starts_record(h, kt_str_from(text, at + 1)))
			return at + 1;
	return KT_NPOS;
}

/* Takes what stands before such a place off *V into *FIRST. */
static bool cut_at_noise(const struct kt_split *s, struct kt_cut_view *v, struct kt_cut_view *first)
{
	size_t at = fresh_start(s->headers, v->head);

	*first = *v;
	if (at != KT_NPOS) {
		*first = (struct kt_cut_view){.head = kt_str_sub(v->head, 0, at - 1)};
		v->head = kt_str_from(v->head, at);
		return true;
	}
	at = v->dropped ? fresh_start(s->headers, v->tail) : KT_NPOS;
	if (at == KT_NPOS)
		return false;
	first->tail = kt_str_sub(v->tail, 0, at - 1);
	*v = (struct kt_cut_view){.head = kt_str_from(v->tail, at)};
	return true;
}

int kt_split_line(struct kt_split *s, const struct kt_cut_view *line, uint64_t offset)
{
	struct kt_cut_view v = *line, first;
	int rc = 0;

	s->line_no++;
	s->offset = offset;
	if (!v.dropped && kt_str_chr(v.head, '\0', 0) == KT_NPOS)
		return one_line(s, &v);
	v.head = kt_plain_noise(v.head, &s->quiet);
	while (!rc && cut_at_noise(s, &v, &first))
		rc = one_line(s, &first);
	return rc ? rc : one_line(s, &v);
}

bool kt_split_empty(struct kt_split *s, uint64_t n)
{
	if (!kt_split_settled(s))
		return false;
	s->line_no += n;
	s->wrapped = false;
	s->blank += s->open ? n : 0;
	return true;
}

int kt_split_end(struct kt_split *s)
{
	int rc = s->part_open ? finish_part(s) : 0;

	s->truncated = s->open && s->rec.media == KT_MEDIA_EVENTLOG && s->text.len &&
		       s->text.p[s->text.len - 1] != '}';
	return rc ? rc : flush(s);
}

static inline bool begins_blank(struct kt_str line)
{
	return line.len && (line.p[0] == ' ' || line.p[0] == '\t');
}

bool kt_line_starts_record(const struct kt_headers *h, struct kt_str line)
{
	struct kt_str inner = line, look;

	while (inner.len && inner.p[inner.len - 1] == '\r')
		inner.len--;
	if (may_be_wrapped(h, inner) && kt_jsonline_may_be_wrapped(h, inner))
		return false;
	if (strip_prefixes(h, &inner) || (begins_blank(inner) && blank(inner)) ||
	    !kt_headers_head(h, inner, &look))
		return false;
	if (inner.p != line.p) /* prefixes, too */
		look = (struct kt_str){line.p, (size_t)(look.p + look.len - line.p)};
	/* without those the line may be two, or another one */
	return !look.len || (!memchr(look.p, ESC, look.len) && !memchr(look.p, '\0', look.len));
}
