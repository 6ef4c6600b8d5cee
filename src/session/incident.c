/* The incident's time: what {from} and {to} of a command mean. */
#include "session/state.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/banned.h"

#define BEFORE_S 3600 /* a command that led to the failure may be older */
#define HOUR_S   3600 /* whole hours: one more line changes no command */
#define AFTER_S  7200 /* moves and ingestions end later than the error */

static bool digits(struct kt_str s, size_t at, size_t n, int64_t *out)
{
	uint64_t v;

	if (at + n > s.len || !kt_str_uint(kt_str_sub(s, at, n), 1000000, &v))
		return false;
	*out = (int64_t)v;
	return true;
}

/* Days since 1970-01-01 of a civil date (Howard Hinnant's algorithm). */
static int64_t days_of(int64_t y, int64_t m, int64_t d)
{
	y -= m <= 2;
	int64_t era = y / 400, yoe = y - era * 400;
	int64_t doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

static void civil_of(int64_t days, int64_t *y, int64_t *m, int64_t *d)
{
	int64_t z = days + 719468, era = z / 146097, doe = z - era * 146097;
	int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;

	*d = doy - (153 * mp + 2) / 5 + 1;
	*m = mp + (mp < 10 ? 3 : -9);
	*y = yoe + era * 400 + (*m <= 2);
}

static bool seconds_of(struct kt_str t, int64_t *out)
{
	int64_t y, mo, d, h = 0, mi = 0, s = 0;
	size_t w = t.len > 4 && t.p[4] == '-' ? 4 : 2; /* yyyy-mm-dd or yy/mm/dd */

	if (!digits(t, 0, w, &y) || !digits(t, w + 1, 2, &mo) || !digits(t, w + 4, 2, &d))
		return false;
	if (w == 2)
		y += y < 70 ? 2000 : 1900;
	if (digits(t, w + 7, 2, &h) && digits(t, w + 10, 2, &mi) && !digits(t, w + 13, 2, &s))
		s = 0;
	if (mo < 1 || mo > 12 || d < 1 || d > 31 || h > 23 || mi > 59 || s > 60)
		return false;
	*out = days_of(y, mo, d) * 86400 + h * 3600 + mi * 60 + s;
	return true;
}

static void add_iso(struct kt_buf *out, int64_t seconds)
{
	int64_t y, m, d, days = seconds / 86400, rest = seconds % 86400;

	civil_of(days, &y, &m, &d);
	kt_buf_fmt(out,
		   "%04" PRId64 "-%02" PRId64 "-%02" PRId64 "T%02" PRId64 ":%02" PRId64 ":%02" PRId64 "Z", y,
		   m, d, rest / 3600, rest / 60 % 60, rest % 60);
}

/* Event logs count milliseconds since 1970. */
static bool epoch_ms(struct kt_str t, int64_t *out)
{
	uint64_t v;

	if (t.len != 13 || !kt_str_uint(t, UINT64_C(4102444800000), &v))
		return false;
	*out = (int64_t)(v / 1000);
	return true;
}

struct kt_str kt_time_iso(struct kt_str header_time, struct kt_arena *a)
{
	struct kt_buf b = KT_BUF(64);
	struct kt_str iso = KT_NONE;
	int64_t seconds;

	if (epoch_ms(header_time, &seconds) || seconds_of(header_time, &seconds)) {
		add_iso(&b, seconds);
		iso = kt_arena_str(a, kt_buf_view(&b));
	}
	kt_buf_free(&b);
	return iso;
}

/* First and last of what the acts saw, or the time a person gave. */
static bool bounds(struct kt_session *s, int64_t *first, int64_t *last)
{
	bool some = false;
	int64_t t;
	struct kt_str given;

	if (kt_session_lookup(s, KT_S(KT_FACT_FAILED_AT), KT_NIL, &given) && seconds_of(given, &t)) {
		*first = *last = t;
		return true;
	}
	for (size_t i = 0; i < s->n_acts; i++) {
		const struct kt_act *act = s->acts[i];
		if (seconds_of(act->first_time, &t) && (!some || t < *first))
			*first = t;
		if (seconds_of(act->last_time, &t) && (!some || t > *last))
			*last = t;
		some = some || act->first_time.len;
	}
	return some;
}

bool kt_session_span(struct kt_session *s, struct kt_buf *from, struct kt_buf *to)
{
	int64_t first = 0, last = 0;

	if (!bounds(s, &first, &last))
		return false;
	add_iso(from, (first - BEFORE_S) / HOUR_S * HOUR_S);
	add_iso(to, (last + AFTER_S + HOUR_S - 1) / HOUR_S * HOUR_S);
	return true;
}

bool kt_session_forgotten(struct kt_session *s, uint32_t retention_s, int64_t now_s)
{
	int64_t first = 0, last = 0;

	return bounds(s, &first, &last) && first - BEFORE_S < now_s - (int64_t)retention_s;
}
