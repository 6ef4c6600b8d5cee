/* What is packed is given as it was, whoever packed it, and named. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "unpack_make.h"

static const int filters[] = {ARCHIVE_FILTER_GZIP,  ARCHIVE_FILTER_ZSTD, ARCHIVE_FILTER_XZ,
			      ARCHIVE_FILTER_BZIP2, ARCHIVE_FILTER_LZ4,  ARCHIVE_FILTER_COMPRESS};

static void expect(struct kt_str packed, const char *want)
{
	for (int portable = 0; portable < 2; portable++) {
		struct unpacked u = UNPACKED;

		u.limits.portable = portable;
		unpack_all(&u, packed);
		cr_expect(kt_str_eq_c(kt_buf_view(&u.out), want), "%s\n---\n%s", kt_buf_c(&u.out), want);
		unpacked_free(&u);
	}
}

/* PACKED has one member without a name, which is TEXT, however its bytes come. */
static void expect_text(struct kt_str packed, struct kt_str text)
{
	static const size_t sizes[][2] = {{0, 1 << 20}, {0, 1}, {1, 8192}, {7, 13}, {4096, 4095}, {65537, 3}};

	for (size_t i = 0; i < 2 * KT_LEN(sizes); i++) {
		struct unpacked u = UNPACKED;

		u.limits.portable = i % 2;
		u.at_once = sizes[i / 2][0];
		u.chunk = sizes[i / 2][1];
		unpack_all(&u, packed);
		cr_expect(u.members == 1 && !u.errors.len, "%zu: %s", i, kt_buf_c(&u.errors));
		cr_expect(kt_str_starts(kt_buf_view(&u.out), KT_S("<> ")));
		cr_expect(kt_str_eq(kt_buf_view(&u.text), text), "%zu: %zu bytes, not %zu", i, u.text.len,
			  text.len);
		unpacked_free(&u);
	}
}

Test(unpack, files_of_other_programs)
{
	static const char *const streams[] = {"gzip.gz",   "igzip.gz", "zstd.zst", "xz.xz",
					      "bzip2.bz2", "lz4.lz4",  "java.lz4"};
	static const char *const bundles[][2] = {{"gnu.tar.gz", "driver/stderr"},
						 {"infozip.zip", "driver/stderr"},
						 {"stream.zip", "-"},
						 {"stored-stream.zip", "-"}};
	struct kt_buf plain = KT_BUF(4096), packed = KT_BUF(4096), want = KT_BUF(8192);

	make_read("plain.log", &plain);
	for (size_t i = 0; i < KT_LEN(streams); i++) {
		kt_buf_clear(&packed);
		make_read(streams[i], &packed);
		expect_text(kt_buf_view(&packed), kt_buf_view(&plain));
	}
	for (size_t i = 0; i < KT_LEN(bundles); i++) {
		kt_buf_clear(&packed);
		kt_buf_clear(&want);
		make_read(bundles[i][0], &packed);
		kt_buf_fmt(&want, "<%s> %zu\n%s", bundles[i][1], plain.len, kt_buf_c(&plain));
		expect(kt_buf_view(&packed), kt_buf_c(&want));
	}
	kt_buf_free(&plain);
	kt_buf_free(&packed);
	kt_buf_free(&want);
}

Test(unpack, every_compression_gives_what_was_packed)
{
	static const size_t lines[] = {1, 100, 6000};
	struct kt_buf text = KT_BUF(MAKE_MAX), packed = KT_BUF(MAKE_MAX);

	for (size_t n = 0; n < KT_LEN(lines); n++) {
		kt_buf_clear(&text);
		make_log(lines[n], &text);
		for (size_t i = 0; i < KT_LEN(filters); i++) {
			kt_buf_clear(&packed);
			make_stream(filters[i], kt_buf_view(&text), &packed);
			expect_text(kt_buf_view(&packed), kt_buf_view(&text));
		}
	}
	kt_buf_free(&text);
	kt_buf_free(&packed);
}

Test(unpack, an_empty_text)
{
	struct kt_buf packed = KT_BUF(4096);

	for (size_t i = 0; i < KT_LEN(filters); i++) {
		kt_buf_clear(&packed);
		make_stream(filters[i], KT_NONE, &packed);
		if (filters[i] != ARCHIVE_FILTER_COMPRESS) /* libarchive writes three bytes, and reads none */
			expect_text(kt_buf_view(&packed), KT_NONE);
	}
	kt_buf_free(&packed);
}

/* Rotated logs are put one behind the other; each of the programs reads that, too. */
Test(unpack, streams_one_behind_the_other)
{
	static const struct kt_str skip = {"\x5a\x2a\x4d\x18\x03\0\0\0abc", 11},
				   zeros = {"\0\0\0\0\0\0\0\0", 8};
	struct kt_buf text = KT_BUF(MAKE_MAX), one = KT_BUF(MAKE_MAX), all = KT_BUF(MAKE_MAX),
		      twice = KT_BUF(MAKE_MAX);

	make_log(3000, &text);
	kt_buf_add(&twice, kt_buf_view(&text));
	kt_buf_str(&twice, "and\n");
	for (size_t i = 0; i < KT_LEN(filters); i++) {
		bool skips = filters[i] == ARCHIVE_FILTER_ZSTD || filters[i] == ARCHIVE_FILTER_LZ4;
		if (filters[i] == ARCHIVE_FILTER_COMPRESS)
			continue;
		kt_buf_clear(&all);
		if (skips)
			kt_buf_add(&all, skip);
		make_stream(filters[i], kt_buf_view(&text), &all);
		if (skips)
			kt_buf_add(&all, skip);
		else
			kt_buf_add(&all, zeros);
		make_stream(filters[i], KT_NONE, &all);
		make_stream(filters[i], KT_S("and\n"), &all);
		kt_buf_add(&all, zeros);
		expect_text(kt_buf_view(&all), kt_buf_view(&twice));
	}
	make_read("java.lz4", &one);
	kt_buf_clear(&all);
	kt_buf_add(&all, kt_buf_view(&one));
	kt_buf_add(&all, kt_buf_view(&one));
	kt_buf_clear(&text);
	kt_buf_clear(&twice);
	make_read("plain.log", &twice);
	make_read("plain.log", &twice);
	expect_text(kt_buf_view(&all), kt_buf_view(&twice));
	kt_buf_free(&text);
	kt_buf_free(&one);
	kt_buf_free(&all);
	kt_buf_free(&twice);
}

static void small_bundle(int format, int filter, struct kt_buf *out)
{
	struct make m;

	make_begin(&m, format, filter, out);
	make_other(&m, "driver/", AE_IFDIR, NULL);
	make_file(&m, "driver/stderr", KT_S("one\n"));
	make_file(&m, "driver/empty", KT_NONE);
	make_file(&m, "driver/stdout", KT_S("two\nthree\n"));
	make_end(&m);
}

Test(unpack, bundles_of_every_kind)
{
	static const int formats[] = {ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE,
				      ARCHIVE_FORMAT_TAR_GNUTAR, ARCHIVE_FORMAT_TAR, ARCHIVE_FORMAT_ZIP};
	struct kt_buf packed = KT_BUF(MAKE_MAX);

	for (size_t f = 0; f < KT_LEN(formats); f++)
		for (size_t i = 0; i <= KT_LEN(filters); i++) {
			kt_buf_clear(&packed);
			small_bundle(formats[f], i ? filters[i - 1] : ARCHIVE_FILTER_NONE, &packed);
			expect(kt_buf_view(&packed), "<driver/stderr> 4\none\n"
						     "<driver/empty> 0\n"
						     "<driver/stdout> 10\ntwo\nthree\n");
		}
	kt_buf_free(&packed);
}

/* Tars of before 1988 and of some embedded tools: no mark, only a sum. */
Test(unpack, a_tar_without_its_mark)
{
	struct kt_buf packed = KT_BUF(MAKE_MAX);
	unsigned sum = 0;

	small_bundle(ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_NONE, &packed);
	memset(packed.p + 257, 0, 8);
	memset(packed.p + 148, ' ', 8);
	for (size_t i = 0; i < 512; i++)
		sum += (unsigned char)packed.p[i];
	snprintf(packed.p + 148, 8, "%06o", sum);
	expect(kt_buf_view(&packed),
	       "<driver/stderr> 4\none\n<driver/empty> 0\n<driver/stdout> 10\ntwo\nthree\n");
	packed.p[0] ^= 1; /* the sum does not fit */
	expect(kt_buf_view(&packed), "!not compressed\n");
	kt_buf_free(&packed);
}

Test(unpack, what_is_no_file_is_passed_over)
{
	struct kt_buf packed = KT_BUF(MAKE_MAX);
	struct make m;

	make_begin(&m, ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE, ARCHIVE_FILTER_GZIP, &packed);
	make_other(&m, "pipe", AE_IFIFO, NULL);
	make_other(&m, "tty", AE_IFCHR, NULL);
	make_other(&m, "disk", AE_IFBLK, NULL);
	make_file(&m, "log", KT_S("x\n"));
	make_other(&m, "passwd", AE_IFLNK, "/etc/passwd");
	make_other(&m, "again", AE_IFREG, "log");
	make_other(&m, "folder", AE_IFDIR, NULL);
	make_end(&m);
	expect(kt_buf_view(&packed), "<log> 2\nx\n");
	kt_buf_free(&packed);
}

Test(unpack, names_are_labels)
{
	struct kt_buf packed = KT_BUF(MAKE_MAX), name = KT_BUF(80000);
	struct unpacked u = UNPACKED;
	struct make m;

	make_begin(&m, ARCHIVE_FORMAT_TAR_GNUTAR, ARCHIVE_FILTER_GZIP, &packed);
	make_file(&m, "/etc/passwd", KT_S("1\n"));
	make_file(&m, "../../x", KT_S("2\n"));
	make_file(&m, "a\x1b[31m\n", KT_S("3\n"));
	make_file(&m, "caf\xc3\xa9", KT_S("4\n"));
	make_file(&m, "bad\xff\xc3", KT_S("5\n"));
	for (size_t i = 0; i < 65536; i++)
		kt_buf_char(&name, 'n');
	make_file(&m, kt_buf_c(&name), KT_S("6\n"));
	make_end(&m);
	unpack_all(&u, kt_buf_view(&packed));
	struct kt_str out = kt_buf_view(&u.out);
	cr_expect(kt_str_starts(out, KT_S("</etc/passwd> 2\n1\n<../../x> 2\n2\n<a\x1b[31m\n> "
					  "2\n3\n<caf\xc3\xa9> 2\n4\n<bad")),
		  "%s", kt_buf_c(&u.out));
	size_t at = kt_str_find(out, KT_S("<nnnn"), 0);
	cr_expect(at != KT_NPOS && kt_str_find(out, KT_S("nnn...> 2\n6\n"), at) == at + KT_BUF_NAME - 5,
		  "%zu", at);
	cr_expect(u.members == 6 && !u.errors.len);
	kt_buf_free(&packed);
	kt_buf_free(&name);
	unpacked_free(&u);
}

/* The path of a pax header is UTF-8 whatever the locale; it may be long. */
Test(unpack, names_of_pax_headers)
{
	struct kt_buf packed = KT_BUF(MAKE_MAX), name = KT_BUF(4096), want = KT_BUF(4096);
	struct archive_entry *e = archive_entry_new();
	struct make m;

	for (size_t i = 0; i < 100; i++)
		kt_buf_str(&name, "gr\xc3\xbc\xc3\x9f"
				  "e/");
	kt_buf_fmt(&want, "<%s> 2\nx\n", kt_buf_c(&name));
	make_begin(&m, ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE, ARCHIVE_FILTER_NONE, &packed);
	kt_buf_cut(&name, name.len - 1);
	archive_entry_update_pathname_utf8(e, kt_buf_c(&name));
	archive_entry_set_filetype(e, AE_IFREG);
	archive_entry_set_size(e, 2);
	archive_write_header(m.a, e);
	archive_write_data(m.a, "x\n", 2);
	archive_entry_free(e);
	make_end(&m);
	kt_buf_clear(&want);
	kt_buf_fmt(&want, "<%s> 2\nx\n", kt_buf_c(&name));
	expect(kt_buf_view(&packed), kt_buf_c(&want));
	kt_buf_free(&packed);
	kt_buf_free(&name);
	kt_buf_free(&want);
}

Test(unpack, a_sparse_file_has_its_zeros)
{
	struct kt_buf packed = KT_BUF(MAKE_MAX), text = KT_BUF(MAKE_MAX);
	struct archive_entry *e = archive_entry_new();
	struct unpacked u = UNPACKED;
	struct make m;

	for (size_t i = 0; i < 50000; i++)
		kt_buf_char(&text, i < 1000 || (i >= 30000 && i < 31000) ? 'x' : '\0');
	make_begin(&m, ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE, ARCHIVE_FILTER_NONE, &packed);
	archive_entry_copy_pathname(e, "sparse");
	archive_entry_set_filetype(e, AE_IFREG);
	archive_entry_set_size(e, (la_int64_t)text.len);
	archive_entry_sparse_add_entry(e, 0, 1000);
	archive_entry_sparse_add_entry(e, 30000, 1000);
	archive_write_header(m.a, e);
	archive_write_data(m.a, text.p, text.len);
	archive_entry_free(e);
	make_end(&m);
	cr_assert(packed.len < text.len);
	unpack_all(&u, kt_buf_view(&packed));
	cr_expect(kt_str_eq(kt_buf_view(&u.text), kt_buf_view(&text)) && !u.errors.len, "%zu %s", u.text.len,
		  kt_buf_c(&u.errors));
	kt_buf_free(&packed);
	kt_buf_free(&text);
	unpacked_free(&u);
}

/* A file in a file in a file: LAYERS times FILTER. */
static void wrap(int filter, unsigned layers, struct kt_str text, struct kt_buf *out)
{
	struct kt_buf inner = KT_BUF(MAKE_MAX);

	kt_buf_add(&inner, text);
	for (unsigned i = 0; i < layers; i++) {
		kt_buf_clear(out);
		make_stream(filter, kt_buf_view(&inner), out);
		kt_buf_clear(&inner);
		kt_buf_add(&inner, kt_buf_view(out));
	}
	kt_buf_free(&inner);
}

Test(unpack, files_in_files)
{
	struct kt_buf log = KT_BUF(MAKE_MAX), inner = KT_BUF(MAKE_MAX), twice = KT_BUF(MAKE_MAX),
		      all = KT_BUF(MAKE_MAX);
	struct make m;

	make_stream(ARCHIVE_FILTER_GZIP, KT_S("one\n"), &log);
	make_begin(&m, ARCHIVE_FORMAT_TAR, ARCHIVE_FILTER_ZSTD, &inner);
	make_file(&m, "x.log", KT_S("two\n"));
	make_file(&m, "y.log.gz", kt_buf_view(&log));
	make_end(&m);
	wrap(ARCHIVE_FILTER_XZ, 2, KT_S("six\n"), &twice);
	make_begin(&m, ARCHIVE_FORMAT_TAR, ARCHIVE_FILTER_GZIP, &all);
	make_file(&m, "driver/log4j.log.gz", kt_buf_view(&log));
	make_file(&m, "inner.tar.zst", kt_buf_view(&inner));
	make_file(&m, "twice", kt_buf_view(&twice));
	make_file(&m, "dump.7z", KT_S("7z\xbc\xaf\x27\x1c rest"));
	make_file(&m, "last", KT_S("seven\n"));
	make_end(&m);
	expect(kt_buf_view(&all),
	       "<driver/log4j.log.gz> 4\none\n"
	       "<inner.tar.zst!x.log> 4\ntwo\n"
	       "<inner.tar.zst!y.log.gz> !compressed (gzip) inside 2 others: unpack it first\n"
	       "<twice> !compressed (xz) inside 2 others: unpack it first\n"
	       "<dump.7z> !compressed (7z): unpack it first\n"
	       "<last> 6\nseven\n");
	kt_buf_free(&log);
	kt_buf_free(&inner);
	kt_buf_free(&twice);
	kt_buf_free(&all);
}

Test(unpack, what_is_not_read_is_named)
{
	struct kt_buf packed = KT_BUF(4096);

	expect(KT_S("26/10/15 03:14:07 INFO plain\n"), "!not compressed\n");
	expect(KT_NONE, "!not compressed\n");
	expect(KT_S("7z\xbc\xaf\x27\x1c"), "!compressed (7z): unpack it first\n");
	expect(KT_S("BZh is how this text begins"), "!not compressed\n");
	make_read("encrypted.zip", &packed);
	expect(kt_buf_view(&packed), "<driver/stderr> !encrypted (zip): unpack it with its password first\n");
	kt_buf_clear(&packed);
	make_read("bzip2.zip", &packed);
	expect(kt_buf_view(&packed), "<driver/stderr> !compressed (zip, bzip): unpack it first\n");
	expect((struct kt_str){"PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 22}, "");
	kt_buf_free(&packed);
}

/* What is not read of a member is passed over, and the next one is whole. */
Test(unpack, members_may_be_left)
{
	static const int formats[] = {ARCHIVE_FORMAT_TAR, ARCHIVE_FORMAT_ZIP};
	struct kt_buf text = KT_BUF(MAKE_MAX), packed = KT_BUF(MAKE_MAX);

	make_log(5000, &text);
	for (size_t f = 0; f < KT_LEN(formats); f++) {
		struct kt_unpack_limits limits = KT_UNPACK_LIMITS;
		struct kt_bytes_text t;
		struct kt_err err = {0};
		struct kt_member m;
		struct make mk;
		char c[4];

		kt_buf_clear(&packed);
		make_begin(&mk, formats[f], ARCHIVE_FILTER_GZIP, &packed);
		make_file(&mk, "a", kt_buf_view(&text));
		make_file(&mk, "b", kt_buf_view(&text));
		make_file(&mk, "c", KT_S("end\n"));
		make_end(&mk);
		struct kt_unpack *u = kt_unpack_open(kt_bytes_of_text(&t, kt_buf_view(&packed)), &limits,
						     &err);
		cr_assert_not_null(u);
		struct kt_bytes *b = kt_unpack_bytes(u);
		cr_assert(kt_unpack_next(u, &m, &err) == 1 && kt_str_eq_c(m.name, "a"));
		cr_assert(kt_unpack_next(u, &m, &err) == 1 && kt_str_eq_c(m.name, "b"));
		cr_assert(b->read(b, c, sizeof c, &err) == 4 && memcmp(c, text.p, 4) == 0);
		cr_assert(kt_unpack_next(u, &m, &err) == 1 && kt_str_eq_c(m.name, "c"));
		cr_assert(b->read(b, c, sizeof c, &err) == 4 && memcmp(c, "end\n", 4) == 0);
		cr_assert(b->read(b, c, sizeof c, &err) == 0);
		cr_assert(kt_unpack_next(u, &m, &err) == 0 && err.cls == KT_ERR_NONE);
		kt_unpack_close(u);
	}
	kt_buf_free(&text);
	kt_buf_free(&packed);
}

struct job {
	struct kt_str packed, text;
	size_t wrong;
};

/* Without assertions: these do not work in threads. */
static void *unpack_often(void *ctx)
{
	struct job *job = ctx;
	struct kt_buf out = KT_BUF(MAKE_MAX);
	const struct kt_unpack_limits limits = KT_UNPACK_LIMITS;

	for (int i = 0; i < 20; i++) {
		struct kt_bytes_text t;
		struct kt_err err = {0};
		struct kt_member m;
		char chunk[5000];
		ssize_t n;
		struct kt_unpack *u = kt_unpack_open(kt_bytes_of_text(&t, job->packed), &limits, &err);
		kt_buf_clear(&out);
		while (u && kt_unpack_next(u, &m, &err) == 1)
			while ((n = kt_unpack_read(u, chunk, sizeof chunk, &err)) > 0)
				kt_buf_add(&out, (struct kt_str){chunk, (size_t)n});
		job->wrong += !u || err.cls != KT_ERR_NONE || !kt_str_eq(kt_buf_view(&out), job->text);
		kt_unpack_close(u);
	}
	kt_buf_free(&out);
	return NULL;
}

Test(unpack, several_threads_unpack_at_once)
{
	struct kt_buf text = KT_BUF(MAKE_MAX), packed[KT_LEN(filters)];
	struct job jobs[KT_LEN(filters)] = {0};
	pthread_t threads[KT_LEN(filters)];

	make_log(2000, &text);
	for (size_t i = 0; i < KT_LEN(filters); i++) {
		struct make m;
		packed[i] = KT_BUF(MAKE_MAX);
		make_begin(&m, i % 2 ? ARCHIVE_FORMAT_TAR : ARCHIVE_FORMAT_ZIP, filters[i], &packed[i]);
		make_file(&m, "x", kt_buf_view(&text));
		make_end(&m);
		jobs[i] = (struct job){kt_buf_view(&packed[i]), kt_buf_view(&text), 0};
		cr_assert(pthread_create(&threads[i], NULL, unpack_often, &jobs[i]) == 0);
	}
	for (size_t i = 0; i < KT_LEN(filters); i++) {
		pthread_join(threads[i], NULL);
		cr_expect(jobs[i].wrong == 0, "%zu: %zu", i, jobs[i].wrong);
		kt_buf_free(&packed[i]);
	}
	kt_buf_free(&text);
}
