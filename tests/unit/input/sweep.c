/* Pieces of text as files that shrink make them. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "input/sweep.h"

#include "base/banned.h"

static const struct kt_sieve_place *nothing(void *ctx, struct kt_str text, size_t from, size_t to, size_t *n)
{
	(void)ctx, (void)text, (void)from, (void)to;
	*n = 0;
	return NULL;
}

static int count(void *ctx, const struct kt_record *rec)
{
	(void)rec;
	++*(int *)ctx;
	return 0;
}

/* A file that ends where its next window would begin, in the middle of a long line. */
Test(sweep, an_end_without_text_ends_the_record)
{
	enum { LEN = 600 << 10 };
	struct kt_err err = {0};
	struct kt_headers *h = kt_headers_parse(KT_NONE, &err);
	struct kt_sieve sieve = {.find = nothing};
	struct kt_inputs in = KT_INPUTS(h);
	struct kt_input row = {0};
	struct kt_sweep w;
	char *text = kt_alloc(LEN);
	size_t used;
	int n = 0;

	memset(text, 'x', LEN);
	in.sieve = &sieve;
	kt_sweep_init(&w, &in, count, &n);
	kt_sweep_begin(&w, &row, 0, 0);
	cr_assert(kt_sweep_add(&w, (struct kt_str){text, LEN}, false, UINT64_MAX, &used) == 0);
	cr_assert(w.open && used == LEN && n == 0);
	cr_assert(kt_sweep_add(&w, KT_NONE, true, UINT64_MAX, &used) == 0);
	cr_assert(!w.open && used == 0 && n == 1 && kt_sweep_lines(&w) == 0);
	kt_sweep_free(&w);
	kt_free(text);
	kt_headers_free(h);
}
