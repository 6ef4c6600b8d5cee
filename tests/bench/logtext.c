#include "logtext.h"

#include <string.h>

#include "base/alloc.h"

#include "base/banned.h"

/* --- numbers --- */

static uint64_t state[2] = {UINT64_C(0x853c49e6748fea9b), UINT64_C(0xda3e39cb94b95bdb)};

uint64_t any(void) /* xorshift128+ */
{
	uint64_t a = state[0], b = state[1];

	state[0] = b;
	a ^= a << 23;
	state[1] = a ^ b ^ (a >> 17) ^ (b >> 26);
	return state[1] + b;
}

void seed(uint64_t n)
{
	state[0] ^= n * UINT64_C(0x9E3779B97F4A7C15);
	for (unsigned i = 0; i < 20; i++)
		any();
}

uint32_t below(uint32_t n)
{
	return (uint32_t)(((any() >> 32) * n) >> 32);
}

bool one_in(uint32_t n)
{
	return n && below(n) == 0;
}

/* --- pieces of text --- */

char *out;

void put(struct kt_str s)
{
	memcpy(out, s.p, s.len);
	out += s.len;
}

void put_c(const char *c)
{
	put(kt_str_c(c));
}

void put_uint(uint64_t v)
{
	char digits[20];
	int n = 0;

	do
		digits[n++] = (char)('0' + v % 10);
	while (v /= 10);
	while (n)
		*out++ = digits[--n];
}

static void put_2(uint64_t v)
{
	*out++ = (char)('0' + v / 10 % 10);
	*out++ = (char)('0' + v % 10);
}

void put_hex(unsigned n)
{
	while (n--)
		*out++ = "0123456789abcdef"[any() >> 60];
}

static const char *const words[] = {
	"orders",  "events", "clicks",  "payments", "telemetry", "sessions", "users",   "invoices",
	"metrics", "raw",    "curated", "bronze",   "silver",    "gold",     "staging", "daily",
	"hourly",  "ledger", "device",  "sensor",   "audit",     "profile",  "catalog", "product",
	"region",  "store",  "basket",  "refund",   "shipments", "snapshot",
};
static const char *const classes[] = {"OrderLoader", "EventParser",       "SessionJob",  "RevenueReport",
				      "CsvIngest",   "MetricsAggregator", "LedgerMerge", "DeviceJoin",
				      "AuditTrail",  "UserProfileBuilder"};

static void put_word(void)
{
	put_c(words[below(KT_LEN(words))]);
}

uint64_t clock_ms = UINT64_C(1719800000000);

static void put_clock(uint64_t s)
{
	put_2(s / 3600 % 24);
	*out++ = ':';
	put_2(s / 60 % 60);
	*out++ = ':';
	put_2(s % 60);
}

static void put_day(const char *year, char sep)
{
	uint64_t day = clock_ms / 1000 / 86400;

	put_c(year);
	*out++ = sep;
	put_2(day / 28 % 12 + 1);
	*out++ = sep;
	put_2(day % 28 + 1);
}

void put_short_time(void)
{
	put_day("24", '/');
	*out++ = ' ';
	put_clock(clock_ms / 1000);
}

void put_iso_time(char between, char point)
{
	put_day("2024", '-');
	*out++ = between;
	put_clock(clock_ms / 1000);
	*out++ = point;
	*out++ = (char)('0' + clock_ms / 100 % 10);
	put_2(clock_ms % 100);
}

/* --- templates --- */

static void put_ip(void)
{
	put_c("10.");
	put_uint(below(255));
	*out++ = '.';
	put_uint(below(255));
	*out++ = '.';
	put_uint(below(255));
}

static void put_host(void)
{
	put_c("wn");
	put_uint(below(64));
	put_c("-spark.internal.cloudapp.net");
}

static void put_path(void)
{
	put_c("/data/");
	put_word();
	*out++ = '/';
	put_word();
	put_c("/dt=2024-0");
	put_uint(1 + below(9));
	put_c("/part-");
	put_uint(10000 + below(80000));
	*out++ = '-';
	put_hex(8);
}

static void put_uuid(void)
{
	put_hex(8);
	for (unsigned i = 0; i < 3; i++) {
		*out++ = '-';
		put_hex(4);
	}
	*out++ = '-';
	put_hex(12);
}

static void put_small(void)
{
	put_uint(below(2) ? below(400) : below(9000));
}

static void put_large(void)
{
	put_uint(100000 + any() % UINT64_C(9000000000));
}

static void put_float(void)
{
	put_uint(below(900));
	*out++ = '.';
	put_uint(below(10));
}

static void put_app(void)
{
	put_c("application_1719800000000_");
	put_uint(1000 + below(9000));
}

static void put_container(void)
{
	put_c("container_e17_1719800000000_");
	put_uint(1000 + below(9000));
	put_c("_01_");
	put_uint(100000 + below(900));
}

static void put_blob(void)
{
	put_c("https://acct");
	put_uint(below(90));
	put_c(".blob.core.windows.net/");
	put_word();
	*out++ = '/';
	put_hex(8);
	put_c(".csv.gz");
}

static void put_hex_12(void)
{
	put_hex(12);
}

static void put_class(void)
{
	put_c(classes[below(KT_LEN(classes))]);
}

void put_stamp(void)
{
	put_iso_time(' ', ',');
}

static const struct {
	const char *name;
	void (*fill)(void);
} placeholders[] = {
	{"d", put_small},    {"D", put_large},   {"f", put_float},   {"w", put_word},
	{"ip", put_ip},      {"host", put_host}, {"path", put_path}, {"uuid", put_uuid},
	{"hex", put_hex_12}, {"cls", put_class}, {"app", put_app},   {"cont", put_container},
	{"blob", put_blob},  {"ts", put_stamp},
};

static int placeholder(struct kt_str name)
{
	for (size_t i = 0; i < KT_LEN(placeholders); i++)
		if (kt_str_eq_c(name, placeholders[i].name))
			return (int)i;
	return -1;
}

struct template compile(struct kt_str s)
{
	struct template t = {0};
	size_t from = 0;

	for (size_t at = kt_str_chr(s, '{', 0); at != KT_NPOS; at = kt_str_chr(s, '{', at + 1)) {
		size_t end = kt_str_chr(s, '}', at);
		int what = end == KT_NPOS ? -1 : placeholder(kt_str_sub(s, at + 1, end - at - 1));
		if (what < 0)
			continue;
		KT_PUSH(t.pieces, t.n, t.cap) = (struct piece){kt_str_sub(s, from, at - from), what};
		from = end + 1;
	}
	KT_PUSH(t.pieces, t.n, t.cap) = (struct piece){kt_str_from(s, from), -1};
	return t;
}

void fill(const struct template *t)
{
	for (size_t i = 0; i < t->n; i++) {
		if (t->pieces[i].text.len)
			put(t->pieces[i].text);
		if (t->pieces[i].what >= 0)
			placeholders[t->pieces[i].what].fill();
	}
}

struct deck deck_of(const struct weighted *w, size_t n)
{
	struct deck d = {.card = kt_alloc_n(n, sizeof *d.card)};
	uint32_t at = 0;

	for (size_t i = 0; i < n; i++)
		d.n += w[i].weight;
	d.of = kt_alloc_n(d.n, sizeof *d.of);
	for (size_t i = 0; i < n; i++) {
		d.card[i] = compile(kt_str_c(w[i].text));
		for (unsigned k = 0; k < w[i].weight; k++)
			d.of[at++] = (uint16_t)i;
	}
	return d;
}

void draw(const struct deck *d)
{
	fill(&d->card[d->of[below(d->n)]]);
}

/* The letter that stands for C in a JSON string behind a '\\'; 0: C itself may stand there. */
static char json_letter(char c)
{
	switch (c) {
	case '"':
	case '\\': return c;
	case '\n': return 'n';
	case '\r': return 'r';
	case '\t': return 't';
	default: return 0;
	}
}

void json_from(char *from)
{
	size_t len = (size_t)(out - from);
	char *text = kt_strdup((struct kt_str){from, len});

	out = from;
	for (size_t i = 0; i < len; i++) {
		char letter = json_letter(text[i]);
		if (letter)
			*out++ = '\\';
		*out++ = letter ? letter : text[i];
	}
	kt_free(text);
}
