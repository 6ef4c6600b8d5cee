#include <criterion/criterion.h>

#include "gather.h"
#include "input/split.h"

static struct kt_headers *parse(const char *table)
{
	struct kt_err err = {0};
	struct kt_headers *h = kt_headers_parse(kt_str_c(table), &err);

	cr_assert(h != NULL, "%s", err.text);
	return h;
}

static void expect_signs(const char *table, const char *want)
{
	static const char letter[] = {
		[KT_SIGN_JSON] = 'J', [KT_SIGN_EVENT] = 'E', [KT_SIGN_PART] = 'P', [KT_SIGN_QUOTE] = 'Q'};
	struct kt_headers *h = parse(table);
	struct kt_buf got = KT_BUF(4096);
	size_t n;
	const struct kt_str *sign = kt_headers_signs(h, &n);

	for (size_t i = 0; i < n; i++)
		kt_buf_fmt(&got, "%c<" KT_FMT ">", letter[kt_headers_sign_kind(h, i)], KT_ARG(sign[i]));
	cr_expect_str_eq(kt_buf_c(&got), want, "%s: %s", table, kt_buf_c(&got));
	kt_buf_free(&got);
	kt_headers_free(h);
}

Test(signs, of_every_kind_of_row)
{
	expect_signs("J\tjson\ttime=ts level=level+ message=msg+\n", "J<\"level\">");
	expect_signs("J\tjson\tlevel=a.level+ message=properties.msg+ trace=longer_but_not_needed\n",
		     "J<\"properties\">");
	expect_signs("D\twrap\ttext=log+ -=stream+\nD2\twrap\ttext=stream+\n", "J<\"stream\">");
	expect_signs("E\teventlog\t{\"Event\":#x\n", "E<{\"Event\":>");
	expect_signs("K\tprefix\t#+(Z|#)\\s(std|err)\\stream\\s<part:[FP]>\\s?\n",
		     "P< std tream P>P< err tream P>");
	expect_signs("K\tprefix\t#+\\s(std|err)\\st?ream-\\s<part:[FP]>\n", "P<ream- P>");
	expect_signs("K\tprefix\t#+(Z|a)?frombefore\\s<part:[FP]>\n", "P<frombefore P>");
	expect_signs("Q\tquote\tLast\\s<length:#+>\\sbytes\\sof\\s(abc|defghijklmnopqrst)[^:]*:\n",
		     "Q< bytes of >");
	/* these need none */
	expect_signs("-\tlevel\tINFO\nS\tlog\t<level>\\s<message>\nB\tbreak\tEnd\nK\tprefix\t#+\\s\n", "");
}

Test(signs, of_the_shipped_table_are_long_enough)
{
	struct kt_headers *h = gather_headers();
	size_t n;
	const struct kt_str *sign = kt_headers_signs(h, &n);

	cr_assert(n >= 6);
	for (size_t i = 0; i < n; i++)
		cr_expect(sign[i].len >= KT_SIGN_MIN && kt_str_chr(sign[i], '\n', 0) == KT_NPOS);
	kt_headers_free(h);
}

static void expect_refused(const char *table)
{
	struct kt_err err = {0};
	struct kt_headers *h = kt_headers_parse(kt_str_c(table), &err);

	cr_expect(h == NULL &&
			  kt_str_find(kt_str_c(err.text), KT_S("no fixed text of 7 bytes"), 0) != KT_NPOS,
		  "%s: %s", table, err.text);
	kt_headers_free(h);
}

Test(signs, a_row_without_one_is_refused)
{
	expect_refused("J\tjson\tmessage=text+ level=long_but_not_needed\n");
	expect_refused("J\tjson\tmessage=msg\n");
	expect_refused("D\twrap\ttext=log+\n");
	expect_refused("E\teventlog\t{\"Ev#ent\":\n");
	expect_refused("K\tprefix\tabcdefghi(j)?\\s<part:[FP]>\n");
	expect_refused("Q\tquote\tLast\\s<length:#+>\\s[a-z]+\n");
}

/* --- every line that is other than it looks holds one --- */

/* Splits one line in the middle of a log and says what it did. */
struct probe {
	struct kt_split split;
	struct kt_input input;
	unsigned records;
};

static int on_record(void *ctx, const struct kt_record *r)
{
	struct probe *p = ctx;

	p->records++;
	p->input.media = r->media;
	return 0;
}

/* Whether the line of itself needs a sign: it is JSON, an event, goes on or quotes. */
static bool is_special(const struct kt_headers *h, struct kt_str line)
{
	static const struct kt_input_limits limits = {.head = 4096, .tail = 512};
	struct probe p = {.records = 0};
	struct kt_cut_view head = {.head = KT_S("24/01/01 10:00:00 INFO X: before")}, v = {.head = line};

	kt_split_init(&p.split, h, &limits, on_record, &p);
	kt_split_begin(&p.split, &p.input, 0, 0);
	kt_split_line(&p.split, &head, 0);
	kt_split_line(&p.split, &v, 40);
	bool special = p.split.part_open || p.split.quoted || p.split.wrapped ||
		       (p.split.open && p.split.rec.flat);
	kt_split_end(&p.split);
	kt_split_free(&p.split);
	return special;
}

static bool has_sign(const struct kt_headers *h, struct kt_str line)
{
	size_t n;
	const struct kt_str *sign = kt_headers_signs(h, &n);

	for (size_t i = 0; i < n; i++)
		if (kt_str_find(line, sign[i], 0) != KT_NPOS)
			return true;
	return kt_str_chr(line, '\033', 0) != KT_NPOS;
}

static uint64_t seed = 88172645463325252ull;

static unsigned any(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed >> 33) % n;
}

/* Pieces from which such lines are made, whole ones and what they are made of. */
static const char *const pieces[] = {
	"2024-05-01T10:00:00.1Z stdout P ",
	"2024-05-01T10:00:00.123456789+02:00 stderr F ",
	"2024-05-01T10:00:00.1Z ",
	" stdout P",
	"stderr P ",
	"[pod/a/b] ",
	"[2024-05-01 10:00:00] {s.py:4} INFO - ",
	"[Stage 3:==> (2 + 4) / 10]",
	"\r",
	"> ",
	"{\"log\":\"",
	"\",\"stream\":\"stderr\"}",
	"\\n\",\"stream\":\"stdout\",\"time\":\"t\"}",
	"{\"Event\":\"X\"}",
	"{\"Event\":",
	"{\"ts\":\"t\",\"level\":\"INFO\",\"msg\":\"m\",\"logger\":\"L\"}",
	"{\"level\":\"INFO\",\"msg\":\"m\"",
	"{\"level\":\"WARN\",\"loggerName\":\"a\",\"message\":\"m\"}",
	"}",
	",\"logger\":\"x\"",
	"{",
	"\"level\"",
	":1",
	"{\"properties\":{\"level\":\"INFO\",\"message\":\"m\"}}",
	"Last 4096 bytes of stderr :",
	"Last ",
	"12",
	" bytes of ",
	"x:",
	"2024-05-01T10:00:00.123456Z ",
	"24/05/01 10:00:00 INFO LineBufferedStream: stdout: ",
	"{\"LogEntry\":\"",
	"\",\"LogEntrySource\":\"x\"}",
	"\",\"stream\":\"e\",\"logtag\":\"P\"}",
	"INFO:a:b",
	"10:00:00.123 [main] INFO  F - m",
	"\"2024-05-01T10:00:00.123Z\",",
	"24/01/01 10:00:00 INFO X: ",
	"2024-01-01 10:00:00,123 WARN Y [t]: ",
	"text ",
	"\tat a.b",
	"\033[31m",
};

static void make_line(struct kt_buf *line)
{
	unsigned n = 1 + any(5);

	kt_buf_clear(line);
	for (unsigned i = 0; i < n; i++) {
		struct kt_str piece = kt_str_c(pieces[any((unsigned)KT_LEN(pieces))]);
		if (!any(8)) /* and broken ones */
			piece = kt_str_sub(piece, any(3), piece.len - any(4));
		kt_buf_add(line, piece);
	}
}

Test(signs, every_special_line_holds_one)
{
	struct kt_headers *h = gather_headers();
	struct kt_buf line = KT_BUF(4096);
	unsigned special = 0;

	for (unsigned i = 0; i < 20000; i++) {
		make_line(&line);
		if (!is_special(h, kt_buf_view(&line)))
			continue;
		special++;
		cr_expect(has_sign(h, kt_buf_view(&line)), "%s", kt_buf_c(&line));
	}
	cr_assert(special > 2000, "%u", special);
	kt_buf_free(&line);
	kt_headers_free(h);
}

/* --- kt_line_starts_record --- */

/* Whether LINE begins a record behind each of some other lines. */
static bool begins_everywhere(const struct kt_headers *h, struct kt_str line)
{
	static const char *const before[] = {"",
					     "24/01/01 10:00:00 INFO X: before",
					     "text",
					     "{\"Event\":\"E\"}",
					     "{\"level\":\"INFO\",\"msg\":\"m\"}",
					     "\tat a.b.c(D.java:1)",
					     "End of LogType:x",
					     "Traceback (most recent call last):"};
	static const struct kt_input_limits limits = {.head = 4096, .tail = 512};

	for (size_t i = 0; i < KT_LEN(before); i++) {
		struct probe p = {.records = 0};
		struct kt_cut_view first = {.head = kt_str_c(before[i])}, v = {.head = line};
		kt_split_init(&p.split, h, &limits, on_record, &p);
		kt_split_begin(&p.split, &p.input, 0, 0);
		kt_split_line(&p.split, &first, 0);
		kt_split_line(&p.split, &v, 40);
		bool begins = p.split.open && p.split.rec.offset == 40 && p.split.rec.header.len &&
			      !p.split.part_open && !p.split.wrapped;
		kt_split_end(&p.split);
		kt_split_free(&p.split);
		if (!begins)
			return false;
	}
	return true;
}

Test(signs, a_line_that_starts_a_record_does_so_everywhere)
{
	struct kt_headers *h = gather_headers();
	struct kt_buf line = KT_BUF(4096);
	unsigned starts = 0, missed = 0;

	for (unsigned i = 0; i < 20000; i++) {
		make_line(&line);
		bool can = begins_everywhere(h, kt_buf_view(&line));
		if (!kt_line_starts_record(h, kt_buf_view(&line))) {
			/* only these may be missed */
			if (can && !kt_str_starts(kt_buf_view(&line), KT_S("{")))
				missed += kt_str_chr(kt_buf_view(&line), '\033', 0) == KT_NPOS &&
					  kt_str_chr(kt_buf_view(&line), '{', 0) == KT_NPOS;
			continue;
		}
		starts++;
		cr_expect(can, "%s", kt_buf_c(&line));
	}
	cr_assert(starts > 2000 && missed == 0, "%u, %u", starts, missed);
	kt_buf_free(&line);
	kt_headers_free(h);
}

Test(signs, lines_that_start_a_record)
{
	static const struct {
		const char *line;
		bool starts;
	} cases[] = {
		{"24/01/01 10:00:00 INFO X: m", true},
		{"24/01/01 10:00:00 INFO X: m\r\r", true},
		{"24/01/01 10:00:00 INFO X: m \033[31mred\033[0m", true},
		{"24/01/01 10:00:00 \033[31mINFO\033[0m X: m", false},
		{"24/01/01 10:00:00 INFO X:\033[31m m", false},
		{"[pod/a] 2024-05-01T10:00:00.1Z stderr F 24/01/01 10:00:00 INFO X: m", true},
		{"2024-05-01T10:00:00.1Z stderr P 24/01/01 10:00:00 INFO X: m", false},
		{"[pod/\033a] 24/01/01 10:00:00 INFO X: m", false},
		{"{\"Event\":\"A\"}", true},
		{"{\"Event\":\"A\",\"log\":\"x\",\"stream\":\"y\"}", true},
		{"{\"log\":\"24/01/01 10:00:00 INFO X: m\\n\",\"stream\":\"stderr\"}", false},
		{"End of LogType:stderr", true},
		{"\tat a.b.c(D.java:1)", false},
		{"", false},
		{"\r", false},
	};
	struct kt_headers *h = gather_headers();

	for (size_t i = 0; i < KT_LEN(cases); i++)
		cr_expect(kt_line_starts_record(h, kt_str_c(cases[i].line)) == cases[i].starts, "%s",
			  cases[i].line);
	kt_headers_free(h);
}
