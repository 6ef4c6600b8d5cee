/* Bytes that are no text, in a log that is one. */
#include <criterion/criterion.h>

#include "gather.h"

#define HEAD 5000 /* bytes of text, by which an input is known to be one */

/* The records behind the first, which is the text: "line+lines id message", and the texts. */
struct noisy {
	struct gather g;
	struct kt_buf text; /* the input */
	unsigned n;
};

static int on_record(void *ctx, const struct kt_record *r)
{
	struct noisy *x = ctx;

	if (!x->n++)
		return 0;
	kt_buf_fmt(&x->g.out, "%u+%u " KT_FMT " " KT_FMT "\n", (unsigned)r->line - 1, (unsigned)r->lines,
		   KT_ARG(r->header), KT_ARG(r->message));
	kt_buf_add(&x->g.texts, r->text);
	kt_buf_str(&x->g.texts, "\n--\n");
	return 0;
}

static void begin(struct noisy *x)
{
	*x = (struct noisy){.text = KT_BUF(8u << 20)};
	gather_init(&x->g);
	kt_buf_str(&x->text, "24/01/01 10:00:00 INFO X: ");
	while (x->text.len < HEAD)
		kt_buf_str(&x->text, "text ");
	kt_buf_char(&x->text, '\n');
}

static void look(struct noisy *x)
{
	cr_assert(kt_inputs_text(&x->g.in, kt_buf_view(&x->text), KT_S("noisy"), on_record, x) == 0);
	cr_assert(x->n > 0);
}

static void end(struct noisy *x)
{
	gather_free(&x->g);
	kt_buf_free(&x->text);
}

static void expect(const char *name, struct kt_str input, const char *out)
{
	struct noisy x;

	begin(&x);
	kt_buf_add(&x.text, input);
	look(&x);
	cr_expect_str_eq(kt_buf_c(&x.g.out), out, "%s:\n%s", name, kt_buf_c(&x.g.out));
	end(&x);
}

#define A     "24/01/01 10:00:01 INFO X: a"
#define B     "24/01/01 10:00:02 INFO X: b"
#define C     "24/01/01 10:00:03 INFO X: c"
#define OUT_A "S1 a\n"
#define OUT_B "S1 b\n"
#define OUT_C "S1 c\n"
#define NULS  "\0\0\0\0\0\0\0\0\0"

/* A process dies, its file has a hole, and the next process goes on in it. */
Test(noise, of_a_crash)
{
	expect("before a line", KT_S(A "\n" NULS B "\n" C "\n"), "1+1 " OUT_A "2+1 " OUT_B "3+1 " OUT_C);
	expect("within a line", KT_S(A NULS B "\n" C "\n"), "1+1 " OUT_A "1+1 " OUT_B "2+1 " OUT_C);
	expect("twice in a line", KT_S(A "\0" B NULS C "\n" A "\n"),
	       "1+1 " OUT_A "1+1 " OUT_B "1+1 " OUT_C "2+1 " OUT_A);
	expect("in a trace", KT_S(A "\na.B: x\n\tat a.B.c(B.ja" NULS B "\n" C "\n"),
	       "1+3 " OUT_A "3+1 " OUT_B "4+1 " OUT_C);
	expect("at the end of a line", KT_S(A NULS "\n" B "\r" NULS "\r\n"), "1+1 " OUT_A "2+1 " OUT_B);
	expect("at the end", KT_S(A "\n" B "\n" NULS), "1+1 " OUT_A "2+1 " OUT_B);
	expect("behind a collector's prefix", KT_S("2024-05-01T10:00:00.1Z stderr F " NULS A "\n"),
	       "1+1 " OUT_A);
	expect("before an event", KT_S(A NULS "{\"Event\":\"x\"}\n" NULS "{\"Event\":\"y\"}\n"),
	       "1+1 " OUT_A "1+1 E1 \n2+1 E1 \n");
	expect("before a JSON line", KT_S(A "\n" NULS "{\"level\":\"INFO\",\"msg\":\"m\"}\n" B "\n"),
	       "1+1 " OUT_A "2+1 J1 m\n3+1 " OUT_B);
}

/* What is no header goes on, with one NUL for all. */
Test(noise, within_a_record)
{
	struct noisy x;
	struct kt_str want = KT_S(A "\0"
				    "24/01/01 no header\n\tmore\n--\n" B "\n--\n");

	begin(&x);
	kt_buf_add(&x.text, KT_S(A NULS "24/01/01 no header\n" NULS "\tmore" NULS "\n" B "\n"));
	look(&x);
	cr_expect(kt_str_eq(kt_buf_view(&x.g.texts), want), "%s", kt_buf_c(&x.g.texts));
	end(&x);
}

static void add_many(struct kt_buf *b, char c, size_t n)
{
	for (; n; n--)
		kt_buf_char(b, c);
}

/* Holes of any length, wherever chunks end. */
Test(noise, of_holes)
{
	for (size_t n = 1; n < (2u << 20); n = n * 3 + 1) {
		struct noisy x;
		begin(&x);
		kt_buf_str(&x.text, A "\nmore of it");
		add_many(&x.text, '\0', n);
		kt_buf_str(&x.text, B "\n");
		add_many(&x.text, '\0', n);
		kt_buf_str(&x.text, C "\nend");
		look(&x);
		cr_expect_str_eq(kt_buf_c(&x.g.out), "1+2 " OUT_A "2+1 " OUT_B "3+2 " OUT_C, "%zu: %s", n,
				 kt_buf_c(&x.g.out));
		cr_expect_str_eq(kt_buf_c(&x.g.texts), A "\nmore of it\n--\n" B "\n--\n" C "\nend\n--\n");
		cr_expect(x.g.in.list[0].complete && x.g.in.list[0].lines == 5);
		end(&x);
	}
}

/* Behind a text that is too long to be kept, too. */
Test(noise, behind_a_long_line)
{
	struct noisy x;

	begin(&x);
	kt_buf_str(&x.text, A " ");
	add_many(&x.text, 'x', 1u << 20);
	add_many(&x.text, '\0', 1000);
	kt_buf_str(&x.text, B "\n" C "\n");
	look(&x);
	cr_expect(kt_str_starts(kt_buf_view(&x.g.out), KT_S("1+1 S1 a ")) &&
		  kt_str_ends(kt_buf_view(&x.g.out), KT_S("\n1+1 " OUT_B "2+1 " OUT_C)));
	cr_expect(x.g.in.list[0].cut == 1 && x.n == 4, "%u", x.n);
	end(&x);
}

/* What a core or a terminal leaves: any bytes. They go with the record before them,
 * and lines are counted as they are. */
Test(noise, of_any_bytes)
{
	uint64_t seed = 88172645463325252ull;

	for (unsigned turn = 0; turn < 50; turn++) {
		struct noisy x;
		struct kt_buf want = KT_BUF(4096);
		unsigned lines = 2;
		begin(&x);
		kt_buf_str(&x.text, A "\n");
		for (unsigned i = 0; i < 3000 * (turn % 5 + 1); i++) {
			seed = seed * 6364136223846793005ull + 1442695040888963407ull;
			lines += (char)(seed >> 56) == '\n';
			kt_buf_char(&x.text, (char)(seed >> 56));
		}
		kt_buf_str(&x.text, "\n" B "\n" C "\n");
		look(&x);
		kt_buf_fmt(&want, "\n%u+1 " OUT_B "%u+1 " OUT_C, lines + 1, lines + 2);
		cr_expect(kt_str_ends(kt_buf_view(&x.g.out), kt_buf_view(&want)), "%u: %s", turn,
			  kt_buf_c(&want));
		cr_expect(x.n == 4 && x.g.in.list[0].complete, "%u: %u", turn, x.n);
		cr_expect(x.g.in.list[0].lines == lines + 3);
		end(&x);
		kt_buf_free(&want);
	}
}

/* A terminal's title that never ends does not take the line with it. */
Test(noise, of_a_terminal)
{
	struct noisy x;

	begin(&x);
	kt_buf_add(&x.text, KT_S("\033]" A "\n\033]0;title" B "\n\033]0;title\033\\" C));
	look(&x);
	cr_expect_str_eq(kt_buf_c(&x.g.texts), A "\n0;title" B "\n--\n" C "\n--\n");
	end(&x);
}

/* Bytes that are no UTF-8 stay as they are. */
Test(noise, of_encodings)
{
	struct noisy x;

	begin(&x);
	kt_buf_add(&x.text, KT_S(A "\xff\xfe\x80 \xc3\n\xe2\x82\n" B "\n"));
	look(&x);
	cr_expect_str_eq(kt_buf_c(&x.g.texts), A "\xff\xfe\x80 \xc3\n\xe2\x82\n--\n" B "\n--\n");
	end(&x);
}

/* Nothing but noise is no log. */
Test(noise, alone)
{
	struct gather g;
	struct kt_buf text = KT_BUF(1u << 20);

	add_many(&text, '\1', 10000);
	kt_buf_str(&text, "\n" A "\n");
	gather_init(&g);
	gather_text(&g, kt_buf_view(&text));
	cr_expect(g.n == 0 && !g.in.list[0].opened && kt_str_eq_c(g.in.list[0].problem, "binary, not text"));
	gather_free(&g);
	kt_buf_free(&text);
}
