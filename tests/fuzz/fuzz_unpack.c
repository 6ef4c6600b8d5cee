/* Any bytes as a packed input: limits hold, names are UTF-8, faults are said once and for
 * all, and it does not matter how many bytes are asked for at a time; nor, as long as
 * nothing is wrong, which library reads gzip. The first byte chooses the limits. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "input/unpack.h"

#include "must.h"

#define TOTAL   ((uint64_t)1 << 18)
#define MEMBERS 40

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What came of a way to read it. */
struct got {
	struct kt_buf text, names, faults;
};

static void is_name(struct kt_str name)
{
	uint32_t c;

	for (size_t at = 0; at < name.len;) {
		at += kt_utf8_next(name, at, &c);
		MUST(c != KT_UTF8_BAD);
	}
}

static void add_fault(struct got *g, const struct kt_err *err)
{
	MUST(err->cls == KT_ERR_INPUT || err->cls == KT_ERR_LIMIT);
	MUST(err->text[0] >= 'a' && err->text[0] <= 'z');
	kt_buf_fmt(&g->faults, "%s\n", err->text);
}

static void read_member(struct got *g, struct kt_unpack *u, size_t chunk, uint64_t most)
{
	char *to = kt_alloc(chunk);
	struct kt_err err = {0};
	size_t before = g->text.len;
	ssize_t n;

	while ((n = kt_unpack_read(u, to, chunk, &err)) > 0) {
		MUST((size_t)n <= chunk);
		kt_buf_add(&g->text, (struct kt_str){to, (size_t)n});
	}
	MUST(g->text.len - before <= most && (n < 0) == (err.cls != KT_ERR_NONE));
	MUST(kt_unpack_read(u, to, chunk, NULL) == n);
	if (n < 0)
		add_fault(g, &err);
	kt_free(to);
}

static void unpack(struct got *g, struct kt_str packed, const struct kt_unpack_limits *limits, size_t chunk)
{
	struct kt_bytes_text t;
	struct kt_err err = {0};
	struct kt_member m;
	uint32_t members = 0;
	struct kt_unpack *u = kt_unpack_open(kt_bytes_of_text(&t, packed), limits, &err);
	int rc = -1;

	*g = (struct got){KT_BUF(8 * TOTAL), KT_BUF(1 << 20), KT_BUF(1 << 20)};
	while (u && (rc = kt_unpack_next(u, &m, &err)) == 1) {
		is_name(m.name);
		MUST(++members <= 3 * MEMBERS);
		kt_buf_fmt(&g->names, KT_FMT "|" KT_FMT "\n", KT_ARG(m.name), KT_ARG(m.problem));
		if (!m.problem.len && members % 5 != 4)
			read_member(g, u, chunk, limits->max_bytes);
		if (m.problem.len)
			kt_buf_str(&g->faults, "a member\n");
	}
	MUST((rc < 0) == (err.cls != KT_ERR_NONE));
	if (rc < 0)
		add_fault(g, &err);
	MUST(!u || kt_unpack_next(u, &m, NULL) == rc);
	MUST(g->text.len <= limits->max_total + packed.len + chunk && !g->text.full);
	kt_unpack_close(u);
}

static void drop(struct got *g)
{
	kt_buf_free(&g->text);
	kt_buf_free(&g->names);
	kt_buf_free(&g->faults);
}

static bool same(const struct kt_buf *a, const struct kt_buf *b)
{
	return kt_str_eq(kt_buf_view(a), kt_buf_view(b));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kt_unpack_limits limits = KT_UNPACK_LIMITS;
	struct got a, b, c;

	if (!size)
		return 0;
	struct kt_str packed = {(const char *)data + 1, size - 1};
	limits.max_total = TOTAL;
	limits.max_members = MEMBERS;
	limits.max_window = UINT64_C(8) << 20;
	limits.max_bytes = data[0] & 1 ? 100 : TOTAL / 2;
	limits.max_depth = data[0] & 2 ? 1 : 2;
	unpack(&a, packed, &limits, 4096);
	unpack(&b, packed, &limits, 1 + (data[0] >> 2));
	MUST(same(&a.names, &b.names) && same(&a.faults, &b.faults));
	MUST(a.faults.len || same(&a.text, &b.text)); /* libbz2 drops what it made of a damaged block */
	limits.portable = true;
	unpack(&c, packed, &limits, 4096);
	MUST(a.faults.len || c.faults.len || (same(&a.names, &c.names) && same(&a.text, &c.text)));
	drop(&a);
	drop(&b);
	drop(&c);
	return 0;
}
