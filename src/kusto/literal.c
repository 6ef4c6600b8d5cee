#include "kusto/literal.h"

#include "base/utf8.h"

#include "base/banned.h"

#define SHOWN      40   /* bytes of a refused value that an error quotes */
#define ENTITY_MAX 1024 /* characters; the service's limit */

static int refuse(struct kt_err *err, struct kt_str v, const char *why)
{
	struct kt_str shown = kt_str_sub(v, 0, SHOWN);

	return kt_err_set(err, KT_ERR_REFUSED, "'" KT_FMT "%s' %s", KT_ARG(shown), v.len > SHOWN ? "…" : "",
			  why);
}

static bool must_escape(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || c == 0xfeff ||
	       kt_utf8_is_format(c);
}

int kt_literal_string(struct kt_str v, struct kt_buf *out, struct kt_err *err)
{
	kt_buf_char(out, '"');
	for (size_t at = 0; at < v.len;) {
		uint32_t c;
		size_t n = kt_utf8_next(v, at, &c);
		if (c == KT_UTF8_BAD)
			return refuse(err, v, "is not valid UTF-8");
		if (c == 0)
			return refuse(err, v, "holds a NUL");
		if (c == '"' || c == '\'' || c == '\\')
			kt_buf_char(out, '\\');
		if (!must_escape(c))
			kt_buf_add(out, kt_str_sub(v, at, n));
		else if (c > 0xffff)
			kt_buf_fmt(out, "\\U%08X", (unsigned)c);
		else
			kt_buf_fmt(out, "\\u%04X", (unsigned)c);
		at += n;
	}
	kt_buf_char(out, '"');
	return 0;
}

static bool ascii_in_name(uint32_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	       c == '.' || c == '-' || c == ' ';
}

int kt_literal_entity(struct kt_str v, struct kt_buf *out, struct kt_err *err)
{
	size_t n_chars = 0;

	for (size_t at = 0; at < v.len; n_chars++) {
		uint32_t c;
		at += kt_utf8_next(v, at, &c);
		if (c == KT_UTF8_BAD)
			return refuse(err, v, "is no entity name: not valid UTF-8");
		if (c < 0x80 ? !ascii_in_name(c) : must_escape(c))
			return refuse(err, v,
				      "is no entity name: only letters, digits, '_', '.', "
				      "'-' and blanks may stand in one");
	}
	if (n_chars == 0 || n_chars > ENTITY_MAX)
		return refuse(err, v, "is no entity name: it has 1 to 1024 characters");
	kt_buf_str(out, "['");
	kt_buf_add(out, v);
	kt_buf_str(out, "']");
	return 0;
}

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool kt_literal_is_guid(struct kt_str v)
{
	if (v.len != 36)
		return false;
	for (size_t i = 0; i < 36; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;
		if (dash ? v.p[i] != '-' : !is_hex(v.p[i]))
			return false;
	}
	return true;
}

int kt_literal_guid(struct kt_str v, struct kt_buf *out, struct kt_err *err)
{
	if (!kt_literal_is_guid(v))
		return refuse(err, v, "is no guid: 8-4-4-4-12 hexadecimal digits");
	for (size_t i = 0; i < v.len; i++)
		kt_buf_char(out, kt_literal_lower(v.p[i]));
	return 0;
}

/* ---- datetime ---- */

struct when {
	int64_t year, month, day, hour, minute, second;
	struct kt_str fraction; /* digits */
	int64_t offset_min;
};

/* Exactly N digits off the front of *S. */
static bool digits(struct kt_str *s, size_t n, int64_t *out)
{
	uint64_t v;

	if (s->len < n || !kt_str_uint(kt_str_sub(*s, 0, n), 9999, &v))
		return false;
	*out = (int64_t)v;
	*s = kt_str_from(*s, n);
	return true;
}

static bool skip(struct kt_str *s, char c)
{
	if (!s->len || s->p[0] != c)
		return false;
	*s = kt_str_from(*s, 1);
	return true;
}

static bool read_zone(struct kt_str *s, struct when *w)
{
	int64_t h, m = 0;
	int64_t sign = s->len && s->p[0] == '-' ? -1 : 1;

	if (!s->len || skip(s, 'Z') || skip(s, 'z'))
		return true;
	if (!skip(s, '+') && !skip(s, '-'))
		return false;
	if (!digits(s, 2, &h))
		return false;
	skip(s, ':');
	if (s->len && !digits(s, 2, &m))
		return false;
	w->offset_min = sign * (h * 60 + m);
	return h <= 14 && m < 60;
}

static bool read_time(struct kt_str *s, struct when *w)
{
	size_t n = 0;

	if (!digits(s, 2, &w->hour) || !skip(s, ':') || !digits(s, 2, &w->minute))
		return false;
	if (skip(s, ':') && !digits(s, 2, &w->second))
		return false;
	if (skip(s, '.') || skip(s, ',')) {
		while (n < s->len && s->p[n] >= '0' && s->p[n] <= '9')
			n++;
		if (!n)
			return false;
		w->fraction = kt_str_sub(*s, 0, n < 7 ? n : 7); /* ticks of 100 ns */
		*s = kt_str_from(*s, n);
	}
	return w->hour < 24 && w->minute < 60 && w->second < 60;
}

static int64_t month_days(int64_t year, int64_t month)
{
	static const char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

static bool read_when(struct kt_str s, struct when *w)
{
	if (!digits(&s, 4, &w->year) || !skip(&s, '-') || !digits(&s, 2, &w->month) || !skip(&s, '-') ||
	    !digits(&s, 2, &w->day))
		return false;
	if (w->year < 1 || w->month < 1 || w->month > 12 || w->day < 1 ||
	    w->day > month_days(w->year, w->month))
		return false;
	if (skip(&s, 'T') || skip(&s, 't') || skip(&s, ' ')) {
		if (!read_time(&s, w) || !read_zone(&s, w))
			return false;
	} else if (skip(&s, 'Z')) {
		return s.len == 0;
	}
	return s.len == 0;
}

static void step_day(struct when *w, int64_t by)
{
	w->day += by;
	if (w->day < 1) {
		if (--w->month < 1) {
			w->month = 12;
			w->year--;
		}
		w->day = month_days(w->year, w->month);
	} else if (w->day > month_days(w->year, w->month)) {
		w->day = 1;
		if (++w->month > 12) {
			w->month = 1;
			w->year++;
		}
	}
}

static void to_utc(struct when *w)
{
	int64_t at = w->hour * 60 + w->minute - w->offset_min;

	if (at < 0 || at >= 1440) {
		step_day(w, at < 0 ? -1 : 1);
		at += at < 0 ? 1440 : -1440;
	}
	w->hour = at / 60;
	w->minute = at % 60;
}

int kt_literal_datetime(struct kt_str v, struct kt_buf *out, struct kt_err *err)
{
	struct when w = {0};

	if (kt_str_eq_c(v, "null")) {
		kt_buf_str(out, "datetime(null)");
		return 0;
	}
	if (!read_when(v, &w))
		return refuse(err, v, "is no datetime: write 2026-01-31T08:30:00Z");
	to_utc(&w);
	if (w.year < 1 || w.year > 9999)
		return refuse(err, v, "is no datetime that KQL can hold");
	kt_buf_fmt(out, "datetime(%04d-%02d-%02dT%02d:%02d:%02d", (int)w.year, (int)w.month, (int)w.day,
		   (int)w.hour, (int)w.minute, (int)w.second);
	if (w.fraction.len)
		kt_buf_fmt(out, "." KT_FMT, KT_ARG(w.fraction));
	kt_buf_str(out, "Z)");
	return 0;
}

/* ---- timespan ---- */

bool kt_literal_is_unit(struct kt_str v)
{
	static const char *const units[] = {"d", "h", "m", "s", "ms", "microsecond", "tick"};

	for (size_t i = 0; i < KT_LEN(units); i++)
		if (kt_str_eq_c(v, units[i]))
			return true;
	return false;
}

/* [d.]hh:mm:ss[.fffffff] */
static bool is_clock(struct kt_str s)
{
	size_t dot = kt_str_chr(s, '.', 0), colon = kt_str_chr(s, ':', 0);
	struct when w = {0};
	uint64_t days;

	if (colon == KT_NPOS)
		return false;
	if (dot < colon) {
		if (!kt_str_uint(kt_str_sub(s, 0, dot), 10675199, &days))
			return false;
		s = kt_str_from(s, dot + 1);
	}
	return read_time(&s, &w) && s.len == 0;
}

static bool is_short(struct kt_str s)
{
	size_t n = 0;
	uint64_t v;

	while (n < s.len && s.p[n] >= '0' && s.p[n] <= '9')
		n++;
	return kt_str_uint(kt_str_sub(s, 0, n), 9223372036854, &v) && kt_literal_is_unit(kt_str_from(s, n));
}

int kt_literal_timespan(struct kt_str v, struct kt_buf *out, struct kt_err *err)
{
	if (is_short(v))
		kt_buf_add(out, v);
	else if (is_clock(v) || kt_str_eq_c(v, "null"))
		kt_buf_fmt(out, "timespan(" KT_FMT ")", KT_ARG(v));
	else
		return refuse(err, v, "is no timespan: write 15m, 2d or 1.02:03:04");
	return 0;
}
