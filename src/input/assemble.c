#include "input/assemble.h"

#include "base/banned.h"

void kt_assembler_init(struct kt_assembler *a, const struct kt_headers *h,
		       const struct kt_input_limits *limits, kt_record_fn fn, void *ctx)
{
	*a = (struct kt_assembler){0};
	kt_cut_init(&a->line, limits->head, limits->tail);
	kt_split_init(&a->split, h, limits, fn, ctx);
}

void kt_assembler_free(struct kt_assembler *a)
{
	kt_split_free(&a->split);
	kt_cut_free(&a->line);
}

void kt_assembler_begin(struct kt_assembler *a, struct kt_input *input, uint32_t row, uint64_t lines)
{
	kt_split_begin(&a->split, input, row, lines);
	a->line_open = false;
}

static void keep_line(struct kt_assembler *a, struct kt_str s, uint64_t offset)
{
	if (!a->line_open) {
		kt_cut_clear(&a->line);
		a->line_offset = offset;
		a->line_open = true;
	}
	kt_cut_add_line(&a->line, s);
}

static int finish_line(struct kt_assembler *a)
{
	struct kt_cut_view v = kt_cut_view(&a->line);

	a->line_open = false;
	return kt_split_line(&a->split, &v, a->line_offset);
}

/* Empty lines at AT are taken at once: how many. There may be millions of them. */
static size_t take_empty(struct kt_assembler *a, struct kt_str text, size_t at)
{
	size_t n = 0;

	while (!a->line_open && at + n < text.len && text.p[at + n] == '\n')
		n++;
	return n && kt_split_empty(&a->split, n) ? n : 0;
}

int kt_assembler_add(struct kt_assembler *a, struct kt_str text, uint64_t offset)
{
	size_t at = take_empty(a, text, 0), end;
	int rc = 0;

	while (!rc && (end = kt_str_chr(text, '\n', at)) != KT_NPOS) {
		struct kt_str s = kt_str_sub(text, at, end - at);
		if (a->line_open || s.len > a->line.head_max + a->line.tail_max) {
			keep_line(a, s, offset + at);
			rc = finish_line(a);
		} else {
			rc = kt_split_line(&a->split, &(struct kt_cut_view){.head = s}, offset + at);
		}
		at = end + 1;
		at += take_empty(a, text, at);
	}
	if (!rc && at < text.len)
		keep_line(a, kt_str_from(text, at), offset + at);
	return rc;
}

int kt_assembler_end(struct kt_assembler *a)
{
	int rc = a->line_open ? finish_line(a) : 0;

	return rc ? rc : kt_split_end(&a->split);
}

bool kt_assembler_settled(const struct kt_assembler *a)
{
	return !a->line_open && kt_split_settled(&a->split);
}
