#include "input/unpack.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "input/unpack_layer.h"

#include "base/banned.h"

struct kt_unpack {
	struct kt_bytes bytes; /* of the member at hand */
	struct kt_unpack_limits limits;
	struct kt_unpack_count count;
	struct kt_bytes first; /* FROM, watched */
	struct kt_bytes *from;
	bool from_failed;
	struct kt_peek peek;  /* of it */
	struct kt_layer *top; /* its member is the one at hand, or what the next layer stands in */
	bool at_hand;         /* there is a member to be read */
	uint64_t given;       /* bytes of it */
	bool too_long;        /* there were more than may be given */
	uint32_t members;     /* of archives */
	struct kt_buf name, problem;
	struct kt_err end; /* no further */
};

/* ---- names ---- */

/* Valid UTF-8, whatever an archive says. */
static void add_name(struct kt_buf *out, struct kt_str name)
{
	static const struct kt_str bad = {"\xef\xbf\xbd", 3}, more = {"...", 3};

	for (size_t at = 0; at < name.len;) {
		uint32_t c;
		size_t n = kt_utf8_next(name, at, &c);
		struct kt_str piece = c == KT_UTF8_BAD ? bad : kt_str_sub(name, at, n);
		bool fits = out->len + piece.len + more.len <= out->max;
		kt_buf_add(out, fits ? piece : more);
		at = fits ? at + n : name.len;
	}
}

static void name_member(struct kt_unpack *u, const struct kt_layer *l, const char *name)
{
	kt_buf_cut(&u->name, l->name_len);
	if (u->name.len && *name)
		add_name(&u->name, KT_S("!"));
	add_name(&u->name, kt_str_c(name));
}

/* ---- layers ---- */

static void pop(struct kt_unpack *u)
{
	struct kt_layer *l = u->top;

	u->top = l->under;
	kt_buf_cut(&u->name, l->name_len);
	kt_layer_free(l);
}

static int push(struct kt_unpack *u, const struct kt_sniffed *kind, struct kt_bytes *from, uint32_t depth,
		struct kt_err *err)
{
	struct kt_layer *l = kt_layer_new(kind, from, &u->limits, &u->count, err);

	if (!l)
		return -1;
	l->under = u->top;
	l->depth = depth;
	l->name_len = u->name.len;
	u->top = l;
	return 0;
}

static void say_problem(struct kt_unpack *u, struct kt_member *m, const char *text)
{
	kt_buf_clear(&u->problem);
	kt_buf_str(&u->problem, text);
	m->problem = kt_buf_view(&u->problem);
}

static int end(struct kt_unpack *u, const struct kt_err *why)
{
	u->end = *why;
	return -1;
}

/* A member that is packed again is opened, or named where it may not be. True: it is
 * for the caller as it is, or with its problem. */
static bool is_last_layer(struct kt_unpack *u, struct kt_member *m)
{
	struct kt_layer *l = u->top;
	struct kt_sniffed kind = kt_sniff(kt_peek_head(&l->peek, NULL));
	bool bundle = kt_packing_is_archive(kind.packing) && !kt_packing_is_archive(l->packing);
	uint32_t depth = l->depth + !bundle;
	struct kt_err why = {0};

	if (kind.packing == KT_PACK_NONE)
		return true;
	if (kind.packing == KT_PACK_OTHER)
		kt_err_set(&why, KT_ERR_INPUT, "compressed (%s): unpack it first", kind.packed);
	else if (depth > u->limits.max_depth)
		kt_err_set(&why, KT_ERR_LIMIT, "compressed (%s) inside %" PRIu32 " other%s: unpack it first",
			   kind.packed, l->depth, l->depth == 1 ? "" : "s");
	if (!why.cls && push(u, &kind, &l->peek.bytes, depth, &why) == 0)
		return false;
	say_problem(u, m, why.text);
	return true;
}

/* No further in this layer: what it stands in has that problem, and those behind it
 * may be good; or all ends here. */
static int lost(struct kt_unpack *u, struct kt_member *m, const struct kt_err *why)
{
	if (u->top->depth == 1 || u->from_failed || u->count.over)
		return end(u, why);
	say_problem(u, m, why->text);
	pop(u);
	return 1;
}

static int too_many(struct kt_unpack *u)
{
	struct kt_err why = {0};

	kt_err_set(&why, KT_ERR_LIMIT,
		   "holds more than %" PRIu32
		   " files: the rest was not read; unpack it and name those that matter",
		   u->limits.max_members);
	return end(u, &why);
}

/* 1: a member; 0: not yet; -1: the end. */
static int advance(struct kt_unpack *u, struct kt_member *m)
{
	struct kt_layer *l = u->top;
	struct kt_codec_member got;
	struct kt_err why = {0};
	bool archive = kt_packing_is_archive(l->packing);

	/* What is wrong with a compression was said when its one member was read. */
	int rc = !archive && l->peek.rest ? 0 : kt_layer_next(l, &got, &why);
	if (rc < 0) {
		kt_buf_cut(&u->name, l->name_len);
		return lost(u, m, &why);
	}
	if (rc == 0) {
		pop(u);
		return 0;
	}
	if (archive && ++u->members > u->limits.max_members)
		return too_many(u);
	name_member(u, l, got.name);
	if (got.trouble.fault) {
		kt_layer_say(l, got.trouble, &why);
		say_problem(u, m, why.text);
		return 1;
	}
	return is_last_layer(u, m);
}

int kt_unpack_next(struct kt_unpack *u, struct kt_member *m, struct kt_err *err)
{
	int rc = 0;

	*m = (struct kt_member){KT_NONE, KT_NONE};
	u->at_hand = u->too_long = false;
	u->given = 0;
	while (!u->end.cls && u->top && rc == 0)
		rc = advance(u, m);
	if (u->end.cls)
		return kt_err_set(err, u->end.cls, "%s", u->end.text);
	m->name = kt_buf_view(&u->name);
	u->at_hand = rc == 1 && !m->problem.len;
	return rc;
}

/* ---- bytes ---- */

static struct kt_bytes *content(struct kt_unpack *u)
{
	return &u->top->peek.bytes;
}

/* Whether there is more than may be read; what is there does not matter. */
static ssize_t at_limit(struct kt_unpack *u, struct kt_err *err)
{
	char c;
	ssize_t n = u->too_long ? 1 : content(u)->read(content(u), &c, 1, err);

	if (n <= 0)
		return n;
	u->too_long = true;
	return kt_err_set(err, KT_ERR_LIMIT,
			  "longer than %" PRIu64
			  " bytes: the rest was not read; unpack it and cut out what matters",
			  u->limits.max_bytes);
}

ssize_t kt_unpack_read(struct kt_unpack *u, char *to, size_t want, struct kt_err *err)
{
	uint64_t left = u->limits.max_bytes - u->given;

	if (!u->at_hand)
		return 0;
	if (!left)
		return at_limit(u, err);
	ssize_t n = content(u)->read(content(u), to, left < want ? (size_t)left : want, err);
	u->given += n > 0 ? (uint64_t)n : 0;
	return n;
}

static ssize_t read_member(struct kt_bytes *b, char *to, size_t want, struct kt_err *err)
{
	return kt_unpack_read((struct kt_unpack *)b, to, want, err);
}

struct kt_bytes *kt_unpack_bytes(struct kt_unpack *u)
{
	return &u->bytes;
}

/* ---- begin and end ---- */

static ssize_t read_first(struct kt_bytes *b, char *to, size_t want, struct kt_err *err)
{
	struct kt_unpack *u = (struct kt_unpack *)((char *)b - offsetof(struct kt_unpack, first));
	ssize_t n = u->from->read(u->from, to, want, err);

	u->from_failed = n < 0;
	return n;
}

static int open_first(struct kt_unpack *u, struct kt_err *err)
{
	struct kt_err why = {0};
	struct kt_str head = kt_peek_head(&u->peek, &why);
	struct kt_sniffed kind = kt_sniff(head);

	if (!head.len && why.cls)
		return kt_err_set(err, why.cls, "%s", why.text);
	if (kind.packing == KT_PACK_NONE)
		return kt_err_set(err, KT_ERR_INPUT, "not compressed");
	if (kind.packing == KT_PACK_OTHER)
		return kt_err_set(err, KT_ERR_INPUT, "compressed (%s): unpack it first", kind.packed);
	return push(u, &kind, &u->peek.bytes, 1, err);
}

struct kt_unpack *kt_unpack_open(struct kt_bytes *from, const struct kt_unpack_limits *limits,
				 struct kt_err *err)
{
	struct kt_unpack *u = kt_alloc(sizeof *u);

	u->bytes.read = read_member;
	u->first.read = read_first;
	u->from = from;
	u->limits = *limits;
	u->count.max_total = limits->max_total;
	u->name = KT_BUF(KT_BUF_NAME);
	u->problem = KT_BUF(KT_BUF_NAME);
	kt_peek_init(&u->peek, &u->first);
	if (open_first(u, err) == 0)
		return u;
	kt_unpack_close(u);
	return NULL;
}

void kt_unpack_close(struct kt_unpack *take_u)
{
	if (!take_u)
		return;
	while (take_u->top)
		pop(take_u);
	kt_buf_free(&take_u->name);
	kt_buf_free(&take_u->problem);
	kt_free(take_u);
}
