/* Cut, changed and hostile: what came before is given, the fault is named, nothing hangs
 * and nothing grows. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/alloc.h"
#include "unpack_make.h"

/* Small ones of every kind; BUNDLE: one with names. */
static const struct kind {
	const char *file; /* of tests/data/packed, or NULL: */
	int format, filter;
	bool bundle;
	bool sums; /* its texts are guarded by a sum */
} kinds[] = {
	{"gzip.gz", 0, 0, false, true},
	{"igzip.gz", 0, 0, false, true},
	{"zstd.zst", 0, 0, false, true},
	{"xz.xz", 0, 0, false, true},
	{"bzip2.bz2", 0, 0, false, true},
	{"lz4.lz4", 0, 0, false, true},
	{"java.lz4", 0, 0, false, true},
	{NULL, ARCHIVE_FORMAT_RAW, ARCHIVE_FILTER_COMPRESS, false, false},
	{"gnu.tar.gz", 0, 0, true, true},
	{"infozip.zip", 0, 0, true, false},
	{"stream.zip", 0, 0, true, false},
	{"stored-stream.zip", 0, 0, true, false},
	{NULL, ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE, ARCHIVE_FILTER_NONE, true, false},
	{NULL, ARCHIVE_FORMAT_TAR_GNUTAR, ARCHIVE_FILTER_ZSTD, true, false},
};

static void make_kind(const struct kind *k, struct kt_str plain, struct kt_buf *out)
{
	struct make m;

	kt_buf_clear(out);
	if (k->file) {
		make_read(k->file, out);
		return;
	}
	make_begin(&m, k->format, k->filter, out);
	make_file(&m, "stderr", plain);
	make_end(&m);
}

struct prepared {
	struct kt_buf plain, packed, copy;
};

static void prepare(struct prepared *p, const struct kind *k)
{
	*p = (struct prepared){KT_BUF(1 << 20), KT_BUF(1 << 20), KT_BUF(1 << 20)};
	make_read("plain.log", &p->plain);
	make_kind(k, kt_buf_view(&p->plain), &p->packed);
}

static void finish(struct prepared *p)
{
	kt_buf_free(&p->plain);
	kt_buf_free(&p->packed);
	kt_buf_free(&p->copy);
}

static const char *name_of(const struct kind *k)
{
	return k->file ? k->file : k->bundle ? "a tar" : "a stream";
}

/* Of a tar in something that is cut before the mark at byte 257, nothing tells that it is
 * one. */
static bool is_text_or_no_tar(const struct kind *k, const struct prepared *p, const struct unpacked *u)
{
	return kt_str_starts(kt_buf_view(&p->plain), kt_buf_view(&u->text)) ||
	       (k->bundle && u->text.len < 262 && kt_str_starts(kt_buf_view(&u->out), KT_S("<> ")));
}

/* Two libraries may read it. */
static int n_ways(const struct kind *k)
{
	return k->file && kt_str_ends(kt_str_c(k->file), KT_S(".gz")) ? 2 : 1;
}

/* A cut file gives a beginning, which grows with it, and says that it is cut; the end
 * of an archive may be missing, as programs that write them leave it out. */
static void cut_everywhere(const struct kind *k, bool portable)
{
	struct prepared p;
	struct unpacked u = UNPACKED;
	size_t before = 0;

	prepare(&p, k);
	u.limits.portable = portable;
	for (size_t n = 1; n <= p.packed.len; n++) {
		struct kt_str cut = kt_str_sub(kt_buf_view(&p.packed), 0, n);
		char *exact = kt_alloc(n); /* a sanitizer sees a read behind it */
		memcpy(exact, cut.p, n);
		unpack_all(&u, (struct kt_str){exact, n});
		kt_free(exact);
		cr_assert(is_text_or_no_tar(k, &p, &u), "%s cut at %zu gives\n%s", name_of(k), n,
			  kt_buf_c(&u.text));
		cr_assert(u.text.len >= before, "%s cut at %zu gives %zu bytes, before %zu", name_of(k), n,
			  u.text.len, before);
		/* the format of compress has neither an end nor a sum */
		cr_assert(k->filter == ARCHIVE_FILTER_COMPRESS || u.errors.len || u.text.len == p.plain.len,
			  "%s cut at %zu: nothing is said of it", name_of(k), n);
		cr_assert(!u.errors.len || n < p.packed.len, "%s: %s", name_of(k), kt_buf_c(&u.errors));
		cr_assert(!u.text.len || !u.errors.len ||
				  kt_str_starts(kt_buf_view(&u.errors), KT_S("truncated (")),
			  "%s cut at %zu: %s", name_of(k), n, kt_buf_c(&u.errors));
		before = kt_str_starts(kt_buf_view(&u.out), KT_S("<> ")) && k->bundle ? 0 : u.text.len;
	}
	cr_assert(before == p.plain.len);
	unpacked_free(&u);
	finish(&p);
}

Test(unpack_damage, cut_at_every_byte)
{
	for (size_t i = 0; i < KT_LEN(kinds); i++)
		for (int portable = 0; portable < n_ways(&kinds[i]); portable++)
			cut_everywhere(&kinds[i], portable);
}

/* A changed file gives its text, or says that it is damaged. */
static void change_everywhere(const struct kind *k, unsigned char with, bool portable)
{
	struct prepared p;
	struct unpacked u = UNPACKED;

	prepare(&p, k);
	u.limits.portable = portable;
	for (size_t at = 0; at < p.packed.len; at++) {
		kt_buf_clear(&p.copy);
		kt_buf_add(&p.copy, kt_buf_view(&p.packed));
		p.copy.p[at] ^= (char)with;
		unpack_all(&u, kt_buf_view(&p.copy));
		cr_assert(!k->sums || u.errors.len || kt_str_eq(kt_buf_view(&u.text), kt_buf_view(&p.plain)),
			  "%s, changed at %zu, gives another text in silence:\n%s", name_of(k), at,
			  kt_buf_c(&u.out));
		/* a bzip2 can be changed into a bomb */
		cr_assert(u.text.len <= 50 << 20, "%s, changed at %zu, gives %zu bytes", name_of(k), at,
			  u.text.len);
	}
	unpacked_free(&u);
	finish(&p);
}

Test(unpack_damage, changed_at_every_byte)
{
	static const unsigned char with[] = {0xff, 0x01, 0x10};

	for (size_t i = 0; i < KT_LEN(kinds); i++)
		for (size_t w = 0; w < KT_LEN(with); w++)
			for (int portable = 0; portable < n_ways(&kinds[i]); portable++)
				change_everywhere(&kinds[i], with[w], portable);
}

/* What stands before the first changed byte is given, but for what the format itself
 * holds back: a block of it. */
Test(unpack_damage, what_came_before_is_given)
{
	static const struct {
		int filter;
		size_t block; /* of text */
	} streams[] = {{ARCHIVE_FILTER_GZIP, 2000},
		       {ARCHIVE_FILTER_ZSTD, 128 << 10},
		       {ARCHIVE_FILTER_BZIP2, 900000}};
	struct kt_buf text = KT_BUF(MAKE_MAX), packed = KT_BUF(MAKE_MAX);

	make_log(50000, &text); /* 2.5 MB */
	for (size_t i = 0; i < 2 * KT_LEN(streams); i++) {
		struct unpacked u = UNPACKED;
		kt_buf_clear(&packed);
		if (streams[i / 2].filter == ARCHIVE_FILTER_ZSTD) /* libarchive leaves the sums out */
			make_zstd(kt_buf_view(&text), 20, &packed);
		else
			make_stream(streams[i / 2].filter, kt_buf_view(&text), &packed);
		size_t at = packed.len - packed.len / 16;
		for (size_t k = 0; k < 64; k++)
			packed.p[at + k] ^= 0x55;
		u.limits.portable = i % 2;
		unpack_all(&u, kt_buf_view(&packed));
		size_t same = 0;
		while (same < u.text.len && u.text.p[same] == text.p[same])
			same++;
		size_t about = text.len - text.len / 16; /* the text is much the same everywhere */
		cr_expect(u.errors.len && same + streams[i / 2].block + text.len / 100 > about,
			  "%zu: %zu of about %zu bytes; %s", i, same, about, kt_buf_c(&u.errors));
		unpacked_free(&u);
	}
	kt_buf_free(&text);
	kt_buf_free(&packed);
}

static void expect_error(struct kt_str packed, const char *error)
{
	for (int portable = 0; portable < 2; portable++) {
		struct unpacked u = UNPACKED;

		u.limits.portable = portable;
		unpack_all(&u, packed);
		cr_expect(kt_str_eq_c(kt_buf_view(&u.errors), error), "%s---\n%s", kt_buf_c(&u.errors),
			  error);
		unpacked_free(&u);
	}
}

Test(unpack_damage, what_is_wrong_is_said)
{
	struct kt_buf b = KT_BUF(1 << 20);

	make_read("gzip.gz", &b);
	expect_error(kt_str_sub(kt_buf_view(&b), 0, b.len - 9),
		     "truncated (gzip): it ends too early; the rest needs the whole file\n");
	b.p[b.len - 5] ^= 1;
	expect_error(kt_buf_view(&b),
		     "damaged (gzip): its checksum or length does not fit; get a good copy\n");
	b.p[b.len - 5] ^= 1;
	b.p[b.len - 2] ^= 1;
	expect_error(kt_buf_view(&b),
		     "damaged (gzip): its checksum or length does not fit; get a good copy\n");
	b.p[b.len - 2] ^= 1;
	kt_buf_str(&b, "\0\0\0and so on");
	kt_buf_str(&b, "and so on");
	expect_error(kt_buf_view(&b),
		     "damaged (gzip): something else stands behind its end and was not read\n");
	kt_buf_clear(&b);
	make_read("zstd.zst", &b);
	b.p[b.len - 1] ^= 1;
	expect_error(kt_buf_view(&b),
		     "damaged (zstd): its checksum or length does not fit; get a good copy\n");
	kt_buf_clear(&b);
	make_read("infozip.zip", &b);
	b.p[14] ^= 1; /* the sum in the member's header */
	expect_error(kt_buf_view(&b),
		     "damaged (zip): its checksum or length does not fit; get a good copy\n");
	kt_buf_free(&b);
}

/* Damage inside one file of a bundle leaves the others alone. */
Test(unpack_damage, of_one_member_is_not_that_of_all)
{
	struct kt_buf good = KT_BUF(1 << 20), bad = KT_BUF(1 << 20), tar = KT_BUF(1 << 20),
		      all = KT_BUF(1 << 20);
	struct unpacked u = UNPACKED;
	struct make m;

	make_stream(ARCHIVE_FILTER_GZIP, KT_S("good\n"), &good);
	make_begin(&m, ARCHIVE_FORMAT_TAR, ARCHIVE_FILTER_NONE, &tar);
	make_file(&m, "x", KT_S("in\n"));
	make_file(&m, "y", KT_S("lost\n"));
	make_end(&m);
	tar.p[1024 + 148] = 'z'; /* the sum of the second header */
	make_stream(ARCHIVE_FILTER_XZ, kt_buf_view(&tar), &bad);
	make_begin(&m, ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE, &all);
	make_file(&m, "bad.gz", kt_str_sub(kt_buf_view(&good), 0, good.len - 3));
	make_file(&m, "bad.tar.xz", kt_buf_view(&bad));
	make_file(&m, "good.gz", kt_buf_view(&good));
	make_end(&m);
	unpack_all(&u, kt_buf_view(&all));
	cr_expect(kt_str_eq_c(kt_buf_view(&u.out),
			      "<bad.gz> 5\ngood\n"
			      "!truncated (gzip): it ends too early; the rest needs the whole file\n"
			      "<bad.tar.xz!x> 3\nin\n"
			      "<bad.tar.xz> !damaged (tar): some of its members were not found; the rest "
			      "needs a good copy\n"
			      "<good.gz> 5\ngood\n"),
		  "%s", kt_buf_c(&u.out));
	kt_buf_free(&good);
	kt_buf_free(&bad);
	kt_buf_free(&tar);
	kt_buf_free(&all);
	unpacked_free(&u);
}

/* ---- the source ---- */

/* Its error is given as it is, behind all that was read; wherever it comes. */
Test(unpack_damage, a_source_that_fails_says_why)
{
	for (size_t i = 0; i < KT_LEN(kinds); i++) {
		struct prepared p;
		struct unpacked u = UNPACKED;
		size_t before = 0;

		prepare(&p, &kinds[i]);
		for (size_t n = 0; n < p.packed.len; n += n < 290 ? 1 : 7) {
			u.fail_at = n;
			unpack_all(&u, kt_buf_view(&p.packed));
			cr_assert(is_text_or_no_tar(&kinds[i], &p, &u), "%s, %zu: %s", name_of(&kinds[i]), n,
				  kt_buf_c(&u.out));
			cr_assert(u.text.len >= before, "%s, %zu", name_of(&kinds[i]), n);
			cr_assert(u.errors.len || u.text.len == p.plain.len);
			cr_assert(n < 262 || !u.errors.len ||
					  kt_str_starts(kt_buf_view(&u.errors),
							KT_S("the source was stopped\n")),
				  "%s, %zu: %s", name_of(&kinds[i]), n, kt_buf_c(&u.errors));
			before = kt_str_starts(kt_buf_view(&u.out), KT_S("<> ")) && kinds[i].bundle
					 ? 0
					 : u.text.len;
		}
		unpacked_free(&u);
		finish(&p);
	}
}

/* ---- limits ---- */

static void expect_limited(struct kt_str packed, struct kt_unpack_limits limits, const char *want)
{
	struct unpacked u = UNPACKED;

	u.limits = limits;
	unpack_all(&u, packed);
	cr_expect(kt_str_eq_c(kt_buf_view(&u.out), want), "%s\n---\n%s", kt_buf_c(&u.out), want);
	unpacked_free(&u);
}

Test(unpack_damage, limits_are_kept_and_named)
{
	struct kt_buf tgz = KT_BUF(1 << 20), zip = KT_BUF(1 << 20);
	struct kt_unpack_limits l = KT_UNPACK_LIMITS;
	struct make m;

	for (int i = 0; i < 2; i++) {
		make_begin(&m, i ? ARCHIVE_FORMAT_ZIP : ARCHIVE_FORMAT_TAR_USTAR,
			   i ? ARCHIVE_FILTER_NONE : ARCHIVE_FILTER_GZIP, i ? &zip : &tgz);
		make_file(&m, "a", KT_S("12345\n"));
		make_file(&m, "b", KT_S("123456\n"));
		make_file(&m, "c", KT_S("1\n"));
		make_end(&m);
	}
	l.max_bytes = 6;
	for (int i = 0; i < 2; i++)
		expect_limited(kt_buf_view(i ? &zip : &tgz), l,
			       "<a> 6\n12345\n<b> 6\n123456!longer than 6 bytes: the rest was not read; "
			       "unpack it and cut out what matters\n<c> 2\n1\n");
	l = KT_UNPACK_LIMITS;
	l.max_members = 2;
	for (int i = 0; i < 2; i++)
		expect_limited(
			kt_buf_view(i ? &zip : &tgz), l,
			"<a> 6\n12345\n<b> 7\n123456\n!holds more than 2 files: the rest was not read; "
			"unpack it and name those that matter\n");
	l.max_members = 3;
	expect_limited(kt_buf_view(&tgz), l, "<a> 6\n12345\n<b> 7\n123456\n<c> 2\n1\n");
	l.max_total = 12;
	expect_limited(
		kt_buf_view(&zip), l,
		"<a> 6\n12345\n<b> 7\n123456\n!more than 12 bytes when unpacked: the rest was not read; "
		"unpack it and name what matters\n!more than 12 bytes when unpacked: the rest was not read; "
		"unpack it and name what matters\n");
	kt_buf_free(&tgz);
	kt_buf_free(&zip);
}

Test(unpack_damage, a_window_too_large_is_refused)
{
	/* a frame of zstd whose window is 256 MiB, and one of 128 MiB; one raw block "x\n" */
	struct kt_str large = {"\x28\xb5\x2f\xfd\x00\x90\x11\0\0x\n", 11};
	struct kt_str fits = {"\x28\xb5\x2f\xfd\x00\x88\x11\0\0x\n", 11};
	struct kt_buf text = KT_BUF(MAKE_MAX), packed = KT_BUF(MAKE_MAX);
	struct kt_unpack_limits l = KT_UNPACK_LIMITS;

	expect_limited(large, l,
		       "<> 0\n!compressed (zstd) with a window over 128 MiB: unpack it first, with zstd -d "
		       "--long=31\n");
	expect_limited(fits, l, "<> 2\nx\n");
	l.max_window = 1 << 20;
	expect_limited(fits, l,
		       "<> 0\n!compressed (zstd) with a window over 1 MiB: unpack it first, with zstd -d "
		       "--long=31\n");
	make_stream(ARCHIVE_FILTER_XZ, KT_S("x\n"), &packed); /* of 8 MiB */
	expect_limited(kt_buf_view(&packed), l,
		       "<> 0\n!compressed (xz) with a window over 1 MiB: unpack it first\n");
	kt_buf_free(&text);
	kt_buf_free(&packed);
}

static long peak(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return r.ru_maxrss; /* KiB */
}

/* 24 MB of zeros in a few KB: they end where the limit is, in little memory. */
Test(unpack_damage, a_bomb_fills_no_memory)
{
	static const int filters[] = {ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_ZSTD, ARCHIVE_FILTER_XZ};
	struct kt_buf zeros = KT_BUF(MAKE_MAX), packed = KT_BUF(MAKE_MAX);
	struct kt_unpack_limits limits = KT_UNPACK_LIMITS;
	char *chunk = kt_alloc(1 << 16);

	zeros.p = kt_realloc(NULL, 24 << 20, 1);
	zeros.len = zeros.cap = 24 << 20;
	memset(zeros.p, 0, zeros.len);
	limits.max_total = 20 << 20;
	for (size_t i = 0; i < 2 * KT_LEN(filters); i++) {
		struct kt_bytes_text t;
		struct kt_err err = {0};
		struct kt_member m;
		uint64_t got = 0;
		ssize_t n;

		if (i % 2 == 0) {
			kt_buf_clear(&packed);
			make_stream(filters[i / 2], kt_buf_view(&zeros), &packed);
		}
		long before = peak();
		limits.portable = i % 2;
		struct kt_unpack *u = kt_unpack_open(kt_bytes_of_text(&t, kt_buf_view(&packed)), &limits,
						     &err);
		cr_assert(u && kt_unpack_next(u, &m, &err) == 1);
		while ((n = kt_unpack_read(u, chunk, 1 << 16, &err)) > 0)
			got += (uint64_t)n;
		cr_expect(n < 0 && err.cls == KT_ERR_LIMIT, "%s", err.text);
		cr_expect(got > limits.max_total && got <= limits.max_total + (1 << 16));
		kt_unpack_close(u);
#ifndef __SANITIZE_ADDRESS__
		cr_expect(peak() - before < 12 << 10, "%zu: %ld KiB", i, peak() - before);
#else
		(void)before;
#endif
	}
	kt_buf_free(&zeros);
	kt_buf_free(&packed);
	kt_free(chunk);
}

/* A member that is passed over costs what it would to read it, and counts as much. */
Test(unpack_damage, a_bomb_that_is_passed_over_ends_too)
{
	struct kt_buf zeros = KT_BUF(MAKE_MAX), packed = KT_BUF(MAKE_MAX);
	static const int formats[] = {ARCHIVE_FORMAT_TAR, ARCHIVE_FORMAT_ZIP};

	zeros.p = kt_realloc(NULL, 16 << 20, 1);
	zeros.len = zeros.cap = 16 << 20;
	memset(zeros.p, 0, zeros.len);
	for (size_t i = 0; i < KT_LEN(formats); i++) {
		struct kt_unpack_limits limits = KT_UNPACK_LIMITS;
		struct kt_bytes_text t;
		struct kt_err err = {0};
		struct kt_member m;
		struct make mk;

		kt_buf_clear(&packed);
		make_begin(&mk, formats[i], ARCHIVE_FILTER_GZIP, &packed);
		make_file(&mk, "bomb", kt_buf_view(&zeros));
		make_file(&mk, "log", KT_S("x\n"));
		make_end(&mk);
		limits.max_total = 1 << 20;
		struct kt_unpack *u = kt_unpack_open(kt_bytes_of_text(&t, kt_buf_view(&packed)), &limits,
						     &err);
		cr_assert(u && kt_unpack_next(u, &m, &err) == 1 && kt_str_eq_c(m.name, "bomb"));
		int rc = kt_unpack_next(u, &m, &err);
		/* zipped, the zeros are a few bytes that are passed over without being decoded */
		if (formats[i] == ARCHIVE_FORMAT_TAR)
			cr_expect(rc == -1 && err.cls == KT_ERR_LIMIT, "%zu: %d %s", i, rc, err.text);
		else
			cr_expect((rc == 1 && kt_str_eq_c(m.name, "log")) || err.cls == KT_ERR_LIMIT,
				  "%zu: %d %s", i, rc, err.text);
		kt_unpack_close(u);
	}
	kt_buf_free(&zeros);
	kt_buf_free(&packed);
}

/* A header that claims exabytes is not believed. */
Test(unpack_damage, sizes_that_are_claimed)
{
	struct kt_buf packed = KT_BUF(1 << 20);
	struct unpacked u = UNPACKED;
	unsigned sum = 0;
	struct make m;

	make_begin(&m, ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_NONE, &packed);
	make_file(&m, "log", KT_S("x\n"));
	make_end(&m);
	memcpy(packed.p + 124, "\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff", 12);
	memset(packed.p + 148, ' ', 8);
	for (size_t i = 0; i < 512; i++)
		sum += (unsigned char)packed.p[i];
	snprintf(packed.p + 148, 8, "%06o", sum);
	unpack_all(&u, kt_buf_view(&packed));
	cr_expect(u.text.len <= packed.len && u.errors.len, "%s", kt_buf_c(&u.out));
	kt_buf_free(&packed);
	unpacked_free(&u);
}
