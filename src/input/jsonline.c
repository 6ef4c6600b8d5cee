#include "input/jsonline.h"

#include "base/utf8.h"
#include "json/json.h"

#include "base/banned.h"

/* --- escapes --- */

static bool hex4(struct kt_str s, size_t at, uint32_t *out)
{
	uint32_t v = 0;

	if (s.len < at + 4)
		return false;
	for (size_t i = at; i < at + 4; i++) {
		char c = s.p[i];
		uint32_t d = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
			     : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
			     : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10
						    : 16;
		if (d == 16)
			return false;
		v = v << 4 | d;
	}
	*out = v;
	return true;
}

/* "\uXXXX" (and the second half of a pair) at AT; returns bytes taken, 0 if none. */
static size_t unicode_escape(struct kt_str s, size_t at, struct kt_buf *out)
{
	uint32_t c, low;
	size_t taken = 6, len;
	char utf8[4];

	if (!hex4(s, at + 2, &c))
		return 0;
	if (c >= 0xD800 && c < 0xDC00 && kt_str_starts(kt_str_from(s, at + 6), KT_S("\\u")) &&
	    hex4(s, at + 8, &low) && low >= 0xDC00 && low < 0xE000) {
		c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
		taken = 12;
	} else if (c >= 0xD800 && c < 0xE000) {
		c = 0xFFFD;
	}
	kt_utf8_encode(c, utf8, &len);
	kt_buf_add(out, (struct kt_str){utf8, len});
	return taken;
}

/* The escape at AT; returns bytes taken. */
static size_t escape(struct kt_str s, size_t at, struct kt_buf *out)
{
	char c = at + 1 < s.len ? s.p[at + 1] : '\0';
	size_t taken = 2;

	switch (c) {
	case 'n': kt_buf_char(out, '\n'); break;
	case 't': kt_buf_char(out, '\t'); break;
	case 'r': break;
	case 'b':
	case 'f': kt_buf_char(out, ' '); break;
	case '"':
	case '\\':
	case '/': kt_buf_char(out, c); break;
	case 'u': taken = unicode_escape(s, at, out); break;
	default: taken = 0; break;
	}
	if (!taken) { /* not an escape: stays as it is */
		kt_buf_char(out, '\\');
		taken = 1;
	}
	return taken;
}

static void unescape(struct kt_str s, struct kt_buf *out)
{
	for (size_t at = 0; at < s.len;) {
		size_t next = kt_str_chr(s, '\\', at);
		if (next == KT_NPOS)
			next = s.len;
		kt_buf_add(out, kt_str_sub(s, at, next - at));
		at = next;
		if (at < s.len)
			at += escape(s, at, out);
	}
}

/* End of the string whose first byte is at AT: its closing quote, or the end. */
static size_t string_end(struct kt_str s, size_t at, bool *lines)
{
	*lines = false;
	for (; at < s.len && s.p[at] != '"'; at++)
		if (s.p[at] == '\\') {
			at++;
			*lines |= at < s.len && s.p[at] == 'n';
		}
	return at < s.len ? at : s.len;
}

void kt_jsonline_plain(struct kt_str line, struct kt_buf *out)
{
	size_t at = 0;

	if (kt_str_chr(line, '\\', 0) == KT_NPOS) {
		kt_buf_add(out, line);
		return;
	}
	while (at < line.len) {
		size_t quote = kt_str_chr(line, '"', at);
		bool lines;
		if (quote == KT_NPOS)
			break;
		kt_buf_add(out, kt_str_sub(line, at, quote + 1 - at));
		size_t end = string_end(line, quote + 1, &lines);
		kt_buf_str(out, lines ? "\n" : "");
		unescape(kt_str_sub(line, quote + 1, end - quote - 1), out);
		kt_buf_str(out, lines ? "\n" : "");
		kt_buf_add(out, kt_str_sub(line, end, 1));
		at = end + 1;
	}
	kt_buf_add(out, kt_str_from(line, at));
}

/* --- structured logs --- */

/* The value at "a.b.c". */
static struct kt_json *at_path(struct kt_json *v, struct kt_str path)
{
	struct kt_str key;
	char name[64];

	while (v && kt_str_cut(&path, '.', &key)) {
		if (key.len >= sizeof name)
			return NULL;
		for (size_t i = 0; i < key.len; i++)
			name[i] = key.p[i];
		name[key.len] = '\0';
		v = kt_json_get(v, name);
	}
	return v;
}

static bool has_key(struct kt_str line, struct kt_str key)
{
	for (size_t at = 0; (at = kt_str_find(line, key, at)) != KT_NPOS; at++)
		if (at && line.p[at - 1] == '"' && at + key.len < line.len && line.p[at + key.len] == '"')
			return true;
	return false;
}

/* A quick no: a key that the row needs does not stand in the line. */
static bool may_fit(const struct kt_json_row *row, struct kt_str line)
{
	for (size_t i = 0; i < row->n; i++) {
		struct kt_str path = row->pairs[i].path, key;
		while (row->pairs[i].needed && kt_str_cut(&path, '.', &key))
			if (!has_key(line, key))
				return false;
	}
	return true;
}

static bool fits(const struct kt_json_row *row, struct kt_json *doc, struct kt_json *field[KT_FIELDS])
{
	for (size_t f = 0; f < KT_FIELDS; f++)
		field[f] = NULL;
	for (size_t i = 0; i < row->n; i++) {
		struct kt_json *v = at_path(doc, row->pairs[i].path);
		if (row->pairs[i].needed && !v)
			return false;
		if (!row->pairs[i].ignored)
			field[row->pairs[i].field] = v;
	}
	return true;
}

/* Parses LINE and finds the row of KIND it fits; NULL if none. */
static struct kt_json *parse_for(const struct kt_headers *h, struct kt_str line, enum kt_shape_kind kind,
				 struct kt_json *field[KT_FIELDS], struct kt_str *id)
{
	size_t n;
	const struct kt_json_row *row = kt_headers_json(h, &n);
	struct kt_json *doc = NULL;
	bool parsed = false;

	for (size_t i = 0; i < n; i++) {
		if (row[i].kind != kind || !may_fit(&row[i], line))
			continue;
		if (!parsed)
			doc = kt_json_parse(line, NULL);
		parsed = true;
		if (doc && fits(&row[i], doc, field)) {
			*id = row[i].id;
			return doc;
		}
	}
	kt_json_free(doc);
	return NULL;
}

/* The text being built, and where its fields stand: its memory still moves. */
struct draft {
	struct kt_buf *out;
	struct kt_json **json; /* by field */
	size_t from[KT_FIELDS], len[KT_FIELDS];
};

static void put(struct draft *d, enum kt_field f, const char *behind)
{
	if (!d->json[f])
		return;
	d->from[f] = d->out->len;
	kt_json_text(d->json[f], d->out);
	d->len[f] = d->out->len - d->from[f];
	kt_buf_str(d->out, behind);
}

static struct kt_json *frame_part(struct kt_json *frame, const char *a, const char *b)
{
	struct kt_json *v = kt_json_get(frame, a);

	return v ? v : kt_json_get(frame, b);
}

static void put_frames(struct kt_json *frames, struct kt_buf *out)
{
	for (size_t i = 0; i < kt_json_len(frames); i++) {
		struct kt_json *f = kt_json_at(frames, i);
		kt_buf_str(out, "\n\tat ");
		kt_json_text(frame_part(f, "class", "className"), out);
		kt_buf_char(out, '.');
		kt_json_text(frame_part(f, "method", "methodName"), out);
		kt_buf_char(out, '(');
		kt_json_text(frame_part(f, "file", "fileName"), out);
		kt_buf_char(out, ':');
		kt_json_text(frame_part(f, "line", "lineNumber"), out);
		kt_buf_char(out, ')');
	}
}

/* The exception: the trace as printed where it begins with the class, else
 * "class: text" and the frames. */
static void put_exception(struct kt_json *field[KT_FIELDS], struct kt_buf *out)
{
	struct kt_json *trace = field[KT_FIELD_TRACE];
	struct kt_str cls = kt_json_str(field[KT_FIELD_CLASS]), printed = kt_json_str(trace);

	if (cls.len && !kt_str_starts(printed, cls)) {
		kt_buf_char(out, '\n');
		kt_buf_add(out, cls);
		kt_buf_str(out, field[KT_FIELD_TEXT] ? ": " : "");
		kt_json_text(field[KT_FIELD_TEXT], out);
	}
	if (kt_json_kind(trace) == KT_JSON_ARRAY)
		put_frames(trace, out);
	else if (printed.len) {
		kt_buf_char(out, '\n');
		kt_buf_add(out, printed);
	}
}

static void put_all(struct draft *d)
{
	put(d, KT_FIELD_TIME, " ");
	put(d, KT_FIELD_LEVEL, " ");
	put(d, KT_FIELD_LOGGER, "");
	kt_buf_str(d->out, d->json[KT_FIELD_THREAD] ? " [" : "");
	put(d, KT_FIELD_THREAD, "]");
	kt_buf_str(d->out, ": ");
	put(d, KT_FIELD_MESSAGE, "");
	put_exception(d->json, d->out);
}

bool kt_jsonline_log(const struct kt_headers *h, struct kt_str line, struct kt_buf *out,
		     struct kt_header_match *m)
{
	struct kt_json *field[KT_FIELDS];
	struct draft d = {.out = out, .json = field};
	struct kt_str id;
	struct kt_json *doc = parse_for(h, line, KT_SHAPE_JSON, field, &id);

	if (!doc)
		return false;
	*m = (struct kt_header_match){.id = id, .kind = KT_SHAPE_JSON, .len = line.len};
	kt_buf_clear(out);
	put_all(&d);
	kt_json_free(doc);
	for (size_t f = 0; f < KT_FIELDS; f++)
		m->field[f] = kt_str_sub(kt_buf_view(out), d.from[f], d.len[f]);
	size_t end = kt_str_chr(m->field[KT_FIELD_MESSAGE], '\n', 0);
	if (end != KT_NPOS) /* what is behind it belongs to no header line */
		m->field[KT_FIELD_MESSAGE].len = end;
	return !out->full;
}

bool kt_jsonline_wrapped(const struct kt_headers *h, struct kt_str line, struct kt_buf *out, bool *part)
{
	struct kt_json *field[KT_FIELDS];
	struct kt_str id;
	struct kt_json *doc = parse_for(h, line, KT_SHAPE_WRAP, field, &id);
	bool text = doc && kt_json_kind(field[KT_FIELD_TEXT]) == KT_JSON_STR;

	if (text) {
		kt_buf_clear(out);
		kt_buf_add(out, kt_json_str(field[KT_FIELD_TEXT]));
		*part = kt_str_eq_c(kt_json_str(field[KT_FIELD_PART]), "P");
	}
	kt_json_free(doc);
	return text && !out->full;
}

bool kt_jsonline_may_be_wrapped(const struct kt_headers *h, struct kt_str line)
{
	size_t n;
	const struct kt_json_row *row = kt_headers_json(h, &n);

	for (size_t i = 0; i < n; i++)
		if (row[i].kind == KT_SHAPE_WRAP && may_fit(&row[i], line))
			return true;
	return false;
}
