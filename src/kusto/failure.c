/* Failures as the service and what stands before it write them; see answer.h. */
#include "kusto/answer.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/redact.h"
#include "base/utf8.h"

#include "base/banned.h"

#define SHOWN 300 /* bytes of a foreign text in an error */

const char *kt_reply_word(enum kt_reply_state s)
{
	static const char *const words[] = {
#define X(id, word) [KT_REPLY_##id] = word,
		KT_REPLY_STATES(X)
#undef X
	};
	return words[s];
}

int kt_decoding_fail(struct kt_decoding *d, enum kt_reply_state state, const char *fmt, ...)
{
	char text[sizeof d->err->text];
	struct kt_str id = d->a->activity_id.len ? d->a->activity_id : d->activity_id;
	va_list ap;

	if (d->state != KT_REPLY_DONE)
		return -1;
	d->state = state;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	enum kt_err_class cls = state == KT_REPLY_LIMIT ? KT_ERR_LIMIT : KT_ERR_CLUSTER;
	if (id.len && id.len < 64)
		return kt_err_set(d->err, cls, "%.520s (activity id " KT_FMT ")", text, KT_ARG(id));
	return kt_err_set(d->err, cls, "%s", text);
}

int kt_decoding_malformed(struct kt_decoding *d, const char *what)
{
	return kt_decoding_fail(d, KT_REPLY_MALFORMED, "the answer is malformed: %s", what);
}

/* One line: blanks joined, bytes that are no text left out, cut. */
static void join_blanks(struct kt_str s, struct kt_buf *out)
{
	bool blank = false;

	for (size_t at = 0; at < s.len && out->len < SHOWN;) {
		uint32_t c;
		size_t n = kt_utf8_next(s, at, &c);
		bool space = c <= ' ' || c == 0x7f;
		if (!space && c != KT_UTF8_BAD) {
			if (blank && out->len)
				kt_buf_char(out, ' ');
			kt_buf_add(out, kt_str_sub(s, at, n));
		}
		blank = space || (blank && c == KT_UTF8_BAD);
		at += n;
		if (out->len >= SHOWN && at < s.len)
			kt_buf_str(out, "…");
	}
}

/* What a foreign text shows of itself: one line, without secrets. */
static void one_line(struct kt_str s, struct kt_buf *out)
{
	struct kt_buf line = KT_BUF(1024);

	join_blanks(s, &line);
	kt_redact(out, kt_buf_view(&line));
	kt_buf_free(&line);
}

/* The service puts a stack trace behind the first line. */
static struct kt_str first_part(struct kt_str s)
{
	size_t end = kt_str_find(s, KT_S("\r\n"), 0);
	size_t stack = kt_str_find(s, KT_S("\n[0]"), 0);

	if (stack < end)
		end = stack;
	return kt_str_sub(s, 0, end);
}

/* What a code or a message says about the kind of failure. */
static const struct {
	const char *part;
	enum kt_reply_state state;
} kinds[] = {
	{"80da0003", KT_REPLY_LIMIT},
	{"2133196797", KT_REPLY_LIMIT},
	{"limitsexceeded", KT_REPLY_LIMIT},
	{"80da0007", KT_REPLY_LIMIT},
	{"lowmemorycondition", KT_REPLY_LIMIT},
	{"80da0001", KT_REPLY_LIMIT},
	{"payload too large", KT_REPLY_LIMIT},
	{"80da0006", KT_REPLY_TIMEOUT},
	{"query is expired", KT_REPLY_TIMEOUT},
	{"requestexecutiontimeout", KT_REPLY_TIMEOUT},
	{"servicetimeout", KT_REPLY_TIMEOUT},
	{"forbidden", KT_REPLY_PERMISSION},
	{"not authorized to", KT_REPLY_PERMISSION},
	{"toomanyrequests", KT_REPLY_THROTTLED},
	{"throttl", KT_REPLY_THROTTLED},
	{"notexist", KT_REPLY_NOT_FOUND},
	{"doesnotexist", KT_REPLY_NOT_FOUND},
	{"entitynotfound", KT_REPLY_NOT_FOUND},
	{"databasenotfound", KT_REPLY_NOT_FOUND},
};

static enum kt_reply_state kind_of(struct kt_str text, enum kt_reply_state otherwise)
{
	for (size_t i = 0; i < KT_LEN(kinds); i++)
		if (kt_str_ifind(text, kt_str_c(kinds[i].part), 0) != KT_NPOS)
			return kinds[i].state;
	return otherwise;
}

static enum kt_reply_state by_status(int status, enum kt_reply_state otherwise)
{
	switch (status) {
	case 401: return KT_REPLY_SIGN_IN;
	case 403: return KT_REPLY_PERMISSION;
	case 404: return KT_REPLY_NOT_FOUND;
	case 413: return KT_REPLY_LIMIT;
	case 429: return KT_REPLY_THROTTLED;
	case 504: return KT_REPLY_TIMEOUT;
	default: return otherwise;
	}
}

static struct kt_str text_of(const struct kt_json *e)
{
	struct kt_str s = kt_json_str(kt_json_get(e, "@message"));

	if (!s.len)
		s = kt_json_str(kt_json_get(kt_json_get(e, "innererror"), "@message"));
	if (!s.len)
		s = kt_json_str(kt_json_get(e, "message"));
	return s;
}

int kt_decoding_one_api(struct kt_decoding *d, const struct kt_json *error)
{
	const struct kt_json *inner = kt_json_get(error, "error");
	const struct kt_json *e = inner ? inner : error;
	struct kt_str code = kt_json_str(kt_json_get(e, "code")), text = first_part(text_of(e));
	struct kt_str type = kt_json_str(kt_json_get(e, "@type"));
	struct kt_buf line = KT_BUF(1024);

	d->activity_id = kt_json_str(kt_json_get(kt_json_get(e, "@context"), "activityId"));
	enum kt_reply_state state = kind_of(text, KT_REPLY_FAILED);
	state = kind_of(type, state);
	state = kind_of(code, state);
	state = by_status(d->a->status, state);
	one_line(text.len ? text : KT_S("the service names an error without a text"), &line);
	if (code.len)
		kt_decoding_fail(d, state, "%s [" KT_FMT "]", kt_buf_c(&line),
				 KT_ARG(kt_str_sub(code, 0, 60)));
	else
		kt_decoding_fail(d, state, "%s", kt_buf_c(&line));
	kt_buf_free(&line);
	return -1;
}

int kt_decoding_text(struct kt_decoding *d, struct kt_str text)
{
	struct kt_buf line = KT_BUF(1024);

	one_line(first_part(text), &line);
	kt_decoding_fail(d, by_status(d->a->status, kind_of(text, KT_REPLY_FAILED)), "%s",
			 line.len ? kt_buf_c(&line) : "the service names an error without a text");
	kt_buf_free(&line);
	return -1;
}

static const char *meaning(int status)
{
	switch (status) {
	case 401: return "the token was not accepted (expired, or for another service)";
	case 403: return "the identity may not do this";
	case 404: return "there is no cluster at this address";
	case 407: return "a proxy wants a sign-in";
	case 413: return "the request is too large";
	case 429: return "the service is throttling";
	case 503: return "the cluster is stopped, starting or overloaded";
	case 504: return "a gateway gave up waiting";
	default: return status >= 500 ? "the service failed" : "the request was not accepted";
	}
}

int kt_decoding_foreign(struct kt_decoding *d)
{
	struct kt_buf line = KT_BUF(1024);
	bool html = kt_str_ifind(kt_str_sub(d->a->body, 0, 512), KT_S("<html"), 0) != KT_NPOS ||
		    kt_str_ifind(d->a->content_type, KT_S("html"), 0) != KT_NPOS;

	one_line(d->a->body, &line);
	kt_decoding_fail(d, KT_REPLY_MALFORMED, "the answer is no JSON but %s%s: %s",
			 html ? "a web page, as of a proxy or a sign-in portal" : "text",
			 d->a->body.len ? "" : " of no length", kt_buf_c(&line));
	kt_buf_free(&line);
	return -1;
}

static int redirect(struct kt_decoding *d)
{
	struct kt_str to = d->a->location;
	size_t host = kt_str_find(to, KT_S("://"), 0);

	if (host != KT_NPOS)
		to = kt_str_from(to, host + 3);
	to = kt_str_sub(to, 0, kt_str_chr(to, '/', 0));
	return kt_decoding_fail(d, KT_REPLY_MALFORMED,
				"it answers %d and sends us to '" KT_FMT "'; redirects are "
				"not followed, they could take the token along",
				d->a->status, KT_ARG(kt_str_sub(to, 0, 200)));
}

int kt_decoding_status(struct kt_decoding *d)
{
	struct kt_err ignored = {0};
	struct kt_buf line = KT_BUF(1024);
	int status = d->a->status;

	if (status >= 300 && status < 400)
		return redirect(d);
	struct kt_json *doc = kt_json_parse(d->a->body, &ignored);
	if (kt_json_get(doc, "error") || text_of(doc).len) {
		kt_decoding_one_api(d, doc);
	} else {
		one_line(d->a->body, &line);
		kt_decoding_fail(d, by_status(status, kind_of(d->a->body, KT_REPLY_FAILED)),
				 "HTTP %d, %s%s%s", status, meaning(status), line.len ? ": " : "",
				 kt_buf_c(&line));
	}
	kt_json_free(doc);
	kt_buf_free(&line);
	return -1;
}
