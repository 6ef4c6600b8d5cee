#include "input/trace.h"

#include "input/traceline.h"

#include "base/banned.h"

#define LINKS   32
#define TELLING 20 /* bytes of a message that tells a head apart by itself */

/* An exception and its first own frame; the next link is its cause. */
struct link {
	struct kt_str cls, message, frame;
	size_t at;
};

struct parser {
	struct kt_str text;
	const struct kt_str *foreign;
	size_t n_foreign;
	struct kt_trace *out;
	struct link link[LINKS];
	size_t n_links;
	bool frames;     /* frames of the chain were seen: the next plain head is another trace */
	bool closed;     /* the outermost chain is over */
	bool suppressed; /* inside a "Suppressed:" part that begins at this indent: */
	size_t suppressed_indent;
	bool python; /* in a traceback, before its last line */
	struct kt_str python_frame;
	bool keyless; /* the last head waits for a frame to tell it apart */
};

static bool is_foreign(const struct parser *p, struct kt_str frame)
{
	if (kt_str_find(frame, KT_S("$$Lambda"), 0) != KT_NPOS) /* has a number of this run */
		return true;
	for (size_t i = 0; i < p->n_foreign; i++)
		if (kt_str_starts(frame, p->foreign[i]))
			return true;
	return false;
}

/* 'File "/x/site-packages/pyspark/sql.py", …' with the prefix "pyspark/". */
static bool is_foreign_path(const struct parser *p, struct kt_str frame)
{
	size_t at = kt_str_chr(frame, ' ', 0) + 1;

	if (at < frame.len && frame.p[at] == '"')
		at++;
	for (size_t i = 0; i < p->n_foreign; i++) {
		struct kt_str prefix = p->foreign[i];
		size_t hit = at;
		while (prefix.len && (hit = kt_str_find(frame, prefix, hit)) != KT_NPOS) {
			if (hit == at || frame.p[hit - 1] == '/')
				return true;
			hit++;
		}
	}
	return false;
}

/* --- heads --- */

static struct kt_trace_head *last_head(struct parser *p)
{
	return p->out->n_heads ? &p->out->heads[p->out->n_heads - 1] : NULL;
}

static void add_head(struct parser *p, struct kt_str cls, struct kt_str message, size_t at)
{
	struct kt_trace *t = p->out;

	if (t->n_heads == KT_TRACE_HEADS)
		t->n_heads--;
	t->heads[t->n_heads++] = (struct kt_trace_head){
		.cls = cls,
		.message = message,
		.at = at,
		.key = kt_str_hash(message, kt_str_hash(KT_S(": "), kt_str_hash(cls, KT_HASH_SEED)))};
	p->keyless = message.len < TELLING;
}

/* "Read timed out" says little: the place makes two of them different. */
static void tell_head_apart(struct parser *p, struct kt_str frame)
{
	struct kt_trace_head *h = last_head(p);

	if (p->keyless && h)
		h->key = kt_str_hash(frame, h->key);
	p->keyless = false;
}

static void push(struct parser *p, struct kt_str cls, struct kt_str message, size_t at, struct kt_str frame)
{
	if (p->n_links == LINKS)
		p->n_links--;
	p->link[p->n_links++] = (struct link){cls, message, frame, at};
}

static void add_class(struct parser *p, struct kt_str line, size_t offset, const struct kt_class_name *c,
		      bool link)
{
	struct kt_str cls = kt_str_sub(line, c->at, c->len);

	add_head(p, cls, c->message, offset + c->at);
	if (link && !p->closed)
		push(p, cls, c->message, offset + c->at, KT_NONE);
}

/* All classes of the line from FROM on; the innermost becomes a link if LINK. */
static void add_classes(struct parser *p, struct kt_str line, size_t offset, size_t from, bool link)
{
	struct kt_class_name c, next;

	if (!kt_class_next(line, &from, &c))
		return;
	while (kt_class_next(line, &from, &next)) {
		add_class(p, line, offset, &c, false);
		c = next;
	}
	add_class(p, line, offset, &c, link);
}

/* --- lines --- */

static void caused_by(struct parser *p, struct kt_str line, size_t offset, size_t indent, size_t at)
{
	struct kt_class_name c;

	if (p->suppressed && indent < p->suppressed_indent)
		p->suppressed = false;
	bool link = !p->suppressed;
	if (!kt_class_here(line, at, &c)) {
		add_classes(p, line, offset, at, link);
		return;
	}
	size_t more = c.at + c.len;
	add_class(p, line, offset, &c, link);
	add_classes(p, line, offset, more, false);
}

static void suppressed(struct parser *p, struct kt_str line, size_t offset, size_t indent)
{
	p->suppressed = true;
	p->suppressed_indent = indent;
	add_classes(p, line, offset, indent, false);
}

static void frame(struct parser *p, struct kt_str place)
{
	tell_head_apart(p, place);
	if (p->closed || p->suppressed || !p->n_links)
		return;
	p->frames = true;
	struct link *l = &p->link[p->n_links - 1];
	if (!l->frame.len && !is_foreign(p, place))
		l->frame = place;
}

/* The class at the start of a line, perhaps behind Py4J's ": ". */
static bool starts_with_class(struct kt_str line)
{
	struct kt_class_name c;
	size_t from = kt_str_starts(line, KT_S(": ")) ? 2 : 0, first = from;

	return kt_class_next(line, &first, &c) && c.at == from;
}

static void plain_line(struct parser *p, struct kt_str line, size_t offset)
{
	bool first = starts_with_class(line);

	if (first && p->frames)
		p->closed = true;
	add_classes(p, line, offset, 0, first || !p->n_links);
}

static void begin_python(struct parser *p, struct kt_str line, size_t offset)
{
	plain_line(p, line, offset); /* "…PythonException: Traceback (most recent call last):" */
	p->python = true;
	p->python_frame = KT_NONE;
}

/* "ValueError: text", which ends a traceback; false for a line of code. */
static bool end_python(struct parser *p, struct kt_str line, size_t offset)
{
	struct kt_class_name c;
	size_t colon = kt_str_chr(line, ':', 0);

	if (kt_line_indent(line) || !line.len)
		return false;
	if (!kt_class_here(line, 0, &c)) {
		if (!kt_str_starts(line, KT_S("Exception")) || (colon != KT_NPOS && colon != 9))
			return false;
		c = (struct kt_class_name){0, 9, kt_str_trim(kt_str_from(line, 10))};
	}
	struct kt_str cls = kt_str_sub(line, 0, c.len);
	add_head(p, cls, c.message, offset);
	tell_head_apart(p, p->python_frame);
	if (!p->closed)
		push(p, cls, c.message, offset, p->python_frame);
	add_classes(p, line, offset, c.len, true); /* "Py4JJavaError: … : org.x.Y: text" */
	p->python = false;
	return true;
}

static void python_line(struct parser *p, struct kt_str line, size_t offset)
{
	struct kt_str place = kt_line_python_frame(line);

	if (place.len && !is_foreign_path(p, place))
		p->python_frame = place; /* the most recent call comes last */
	else if (!place.len)
		end_python(p, line, offset);
}

static void one_line(struct parser *p, struct kt_str line, size_t offset)
{
	size_t indent = kt_line_indent(line);
	struct kt_str s = kt_str_from(line, indent);
	struct kt_str place = kt_line_frame(line);

	if (kt_line_is_traceback(line))
		begin_python(p, line, offset);
	else if (place.len)
		frame(p, place);
	else if (kt_str_starts(s, KT_S("Caused by: ")))
		caused_by(p, line, offset, indent, indent + 11);
	else if (kt_str_starts(s, KT_S("---> ")))
		caused_by(p, line, offset, indent, indent + 5);
	else if (kt_str_starts(s, KT_S("Suppressed: ")))
		suppressed(p, line, offset, indent);
	else if (p->python)
		python_line(p, line, offset);
	else
		plain_line(p, line, offset);
}

/* The innermost link, with its frame or the next one outwards. */
static void conclude(struct parser *p)
{
	struct kt_trace *t = p->out;

	if (!p->n_links)
		return;
	const struct link *root = &p->link[p->n_links - 1];
	t->cls = root->cls;
	t->message = root->message;
	t->at = root->at;
	for (size_t i = p->n_links; i-- && !t->frame.len;)
		t->frame = p->link[i].frame;
}

void kt_trace_parse(struct kt_str text, const struct kt_str *foreign, size_t n_foreign, struct kt_trace *out)
{
	struct parser p = {.text = text, .foreign = foreign, .n_foreign = n_foreign, .out = out};
	struct kt_str line, rest = text;

	*out = (struct kt_trace){0};
	while (kt_str_cut(&rest, '\n', &line))
		one_line(&p, line, (size_t)(line.p - text.p));
	conclude(&p);
}

bool kt_trace_quotes(const struct kt_trace *outer, const struct kt_trace *inner)
{
	for (size_t i = 0; i < inner->n_heads; i++)
		for (size_t k = 0; k < outer->n_heads; k++)
			if (outer->heads[k].key == inner->heads[i].key)
				return true;
	return false;
}
