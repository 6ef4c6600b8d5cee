#include "input/record.h"

#include "base/banned.h"

static uint64_t count_lines(struct kt_str s)
{
	uint64_t n = 0;

	for (size_t at = 0; (at = kt_str_chr(s, '\n', at)) != KT_NPOS; at++)
		n++;
	return n;
}

/* The marker line brings one line end of its own, and may stand for a broken line. */
uint64_t kt_record_line_at(const struct kt_record *r, size_t at)
{
	if (r->flat)
		return r->line;
	if (!r->cut || at < r->cut_at + r->cut_len)
		return r->line +
		       count_lines(kt_str_sub(r->text, 0, r->cut && at > r->cut_at ? r->cut_at : at));
	/* counted from the end, where no line is missing */
	return r->line + r->lines - 1 - count_lines(kt_str_from(r->text, at));
}

struct kt_str kt_record_line_text(const struct kt_record *r, size_t at)
{
	size_t from = at > r->text.len ? r->text.len : at;
	size_t to = kt_str_chr(r->text, '\n', from);

	while (from && r->text.p[from - 1] != '\n')
		from--;
	return kt_str_sub(r->text, from, (to == KT_NPOS ? r->text.len : to) - from);
}
