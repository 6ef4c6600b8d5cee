#include "base.h"

#include <inttypes.h>

uint32_t base_pattern(struct kt_kbb *b, struct kt_str regex)
{
	struct kt_literals lits;
	struct kt_str list[KT_LITERALS_MAX];
	uint32_t row = kt_kbb_pattern(b, regex);

	if (!kt_literals_of(regex, &lits))
		return row;
	for (uint32_t i = 0; i < lits.n; i++)
		list[i] = kt_literal(&lits, i);
	kt_kbb_literals(b, row, list, lits.n, lits.fold);
	return row;
}

int base_note_hit(void *ctx_buf, const struct kt_hit *hit)
{
	struct kt_buf *b = ctx_buf;

	kt_buf_fmt(b, "%u@%" PRIu64 "-%" PRIu64, hit->pattern, hit->start, hit->end);
	for (size_t i = 0; i < hit->n_caps; i++)
		kt_buf_fmt(b, " " KT_FMT "=" KT_FMT, KT_ARG(hit->caps[i].name), KT_ARG(hit->caps[i].text));
	kt_buf_char(b, '\n');
	return 0;
}

void base_note_limit(void *ctx_limit, uint32_t pattern, uint64_t offset, enum kt_inconclusive why)
{
	struct base_limit *l = ctx_limit;

	*l = (struct base_limit){l->n + 1, pattern, offset, why};
}

void base_hits(const struct kt_kb *kb, const struct kt_match_limits *limits, struct kt_str text,
	       struct kt_buf *out, struct base_limit *limit)
{
	struct kt_matcher *m = kt_matcher_new(kb, limits);

	if (limit)
		kt_matcher_on_limit(m, base_note_limit, limit);
	kt_match_feed(m, text, 0, base_note_hit, out);
	kt_matcher_free(m);
}
