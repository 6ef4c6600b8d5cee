/* Regexes: can the records in which they match be found without trying every one? */
#include "author/lint.h"
#include "match/grams.h"
#include "match/guard.h"
#include "match/literal.h"

#include "base/banned.h"

/* What the texts of a cover cost together, in sixteenths of a time in a MiB. */
struct cost {
	uint64_t stands, pieces;
	struct kt_str often, in_pieces; /* the text that adds most */
};

static struct cost cost_of(const struct kt_rules_pattern *info)
{
	struct cost c = {0};
	uint32_t top_stands = 0, top_pieces = 0;

	for (size_t i = 0; i < info->n; i++) {
		struct kt_window w = kt_gram_window(info->literals[i]);
		c.stands += w.stands;
		c.pieces += w.hits;
		c.often = w.stands >= top_stands ? info->literals[i] : c.often;
		c.in_pieces = w.hits >= top_pieces ? info->literals[i] : c.in_pieces;
		top_stands = w.stands > top_stands ? w.stands : top_stands;
		top_pieces = w.hits > top_pieces ? w.hits : top_pieces;
	}
	return c;
}

#define RARER "a rarer fixed text in each alternative, outside of optional parts"

/* A rule may look for nothing but a text that is rather frequent, and what stands
 * beside a text may tell that a record need not be tried. */
static uint64_t most_stands(struct kt_str regex)
{
	struct kt_literals lits;
	struct kt_beside guard;

	if (!kt_literals_of(regex, &lits))
		return 0;
	struct kt_str one = lits.n == 1 ? kt_literal(&lits, 0) : KT_NONE;
	return lits.whole || kt_beside_of(regex, one, lits.fold, &guard) ? KT_LINT_STANDS_EASY
									 : KT_LINT_STANDS;
}

static void check_cost(struct kt_lint *l, const struct kt_rules_pattern *info, struct kt_str regex,
		       const struct kt_yaml *rule, struct kt_place at)
{
	struct cost c = cost_of(info);
	const char *one = info->n == 1 ? "the fixed text" : "the fixed texts, most of all";
	const char *verb = info->n == 1 ? "stands" : "stand";

	if (c.stands / 16 >= most_stands(regex))
		kt_lint_say(l, KT_LINT_FREQUENT_TEXT, rule, at, RARER,
			    "%s \"" KT_FMT
			    "\" %s about %u times in a MiB of ordinary logs, and each time the "
			    "record is tried",
			    one, KT_ARG(c.often), verb, (unsigned)(c.stands / 16));
	else if (c.pieces / 16 >= KT_LINT_PIECES)
		kt_lint_say(l, KT_LINT_FREQUENT_TEXT, rule, at, RARER,
			    "pieces of %s \"" KT_FMT "\" stand about %u times in a MiB of ordinary logs", one,
			    KT_ARG(c.in_pieces), (unsigned)(c.pieces / 16));
}

static void check_literals(struct kt_lint *l, const struct kt_rules_pattern *info, struct kt_str regex,
			   const struct kt_yaml *rule, struct kt_place at)
{
	size_t shortest = info->n ? info->literals[0].len : 0;

	for (size_t i = 1; i < info->n; i++)
		if (info->literals[i].len < shortest)
			shortest = info->literals[i].len;
	if (!info->n)
		kt_lint_say(l, KT_LINT_NO_TEXT, rule, at,
			    "a fixed text in each alternative, outside of optional parts",
			    "no fixed text stands in every match of this regex: it is tried on every record");
	else if (shortest < KT_LINT_LITERAL)
		kt_lint_say(l, KT_LINT_SHORT_TEXT, rule, at,
			    "a longer fixed text in each alternative, outside of optional parts",
			    "the fixed text in a match of this regex may be as short as %zu byte%s; %d are "
			    "needed",
			    shortest, shortest == 1 ? "" : "s", KT_LINT_LITERAL);
	else
		check_cost(l, info, regex, rule, at);
}

void kt_lint_patterns(struct kt_lint *l)
{
	for (uint32_t i = 0; i < l->kb->n_patterns && l->hooks->pattern; i++) {
		struct kt_rules_pattern info = {.n = 0};
		struct kt_err err = {0};
		size_t at;
		struct kt_str regex = kt_kb_text(l->kb, l->kb->patterns[i].text);
		if (l->hooks->pattern(l->hooks->ctx, regex, &info, &at, &err) < 0 || !l->patterns[i])
			continue; /* told by the loader */
		check_literals(l, &info, regex, l->owners[i], l->patterns[i]->at);
		if (info.nested_repeats)
			kt_lint_say(l, KT_LINT_NESTED_REPEAT, l->owners[i], l->patterns[i]->at,
				    "give the inner or the outer one an end: {0,200}",
				    "an unbounded repeat inside an unbounded repeat");
	}
}
