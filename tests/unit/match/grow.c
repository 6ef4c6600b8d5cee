#include "grow.h"

/* Few words that share pieces, so that chance hits and near misses are common. */
static const char *const words[] = {"Kusto",     "kusto",   "Ingest",  "ingestion", "failed", "Failed to",
				    " retry ",   "Extents", "extents", "a",         "ab",     "b",
				    "x",         " ",       ": ",      "'",         "(",      ")",
				    "{",         "[",       "\n",      "12",        "0",      ".",
				    "Exception", "Error",   "at ",     "\t",        "moving"};

uint32_t grow_below(struct grow *g, uint32_t n)
{
	g->state = g->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(g->state >> 33) % n;
}

static const char *word(struct grow *g)
{
	return words[grow_below(g, KT_LEN(words))];
}

static void put_char(struct kt_buf *regex, char c)
{
	if (kt_str_chr(KT_S(".^$|()[]{}*+?\\"), c, 0) != KT_NPOS)
		kt_buf_char(regex, '\\');
	kt_buf_char(regex, c);
}

static void put_word(struct grow *g, struct kt_buf *regex, struct kt_buf *sample)
{
	const char *w = word(g);

	for (const char *p = w; *p; p++)
		if (*p == '\n')
			kt_buf_str(regex, "\\n");
		else
			put_char(regex, *p);
	kt_buf_str(sample, w);
}

static void put_class(struct grow *g, struct kt_buf *regex, struct kt_buf *sample)
{
	static const struct {
		const char *regex, *sample;
	} classes[] = {{"\\d", "7"},         {"\\w", "b"},    {"\\S", "'"},      {"\\s", " "},
		       {"[ab]", "a"},        {"[Kk]", "k"},   {"[^x]", "y"},     {"[a-f\\d]", "e"},
		       {".", "x"},           {"[]x]", "]"},   {"\\x41", "A"},    {"[^\\n]", "n"},
		       {"[[:digit:]]", "3"}, {"(?:\\b)", ""}, {"[\\[\\]]", "["}, {"[-a]", "-"}};
	uint32_t i = grow_below(g, KT_LEN(classes));

	kt_buf_str(regex, classes[i].regex);
	kt_buf_str(sample, classes[i].sample);
}

static void alternatives(struct grow *g, unsigned depth, struct kt_buf *regex, struct kt_buf *sample);

static void put_group(struct grow *g, unsigned depth, struct kt_buf *regex, struct kt_buf *sample)
{
	struct kt_buf other = KT_BUF(1 << 16);

	switch (grow_below(g, 9)) {
	case 0:
	case 1: kt_buf_str(regex, "("); break;
	case 2:
	case 3: kt_buf_str(regex, "(?:"); break;
	case 4: kt_buf_fmt(regex, "(?<n%u>", g->names++); break;
	case 5: kt_buf_str(regex, "(?i:"); break;
	case 6: kt_buf_str(regex, "(?>"); break;
	case 7:
		kt_buf_str(regex, "(?!");
		sample = &other;
		break;
	default: kt_buf_str(regex, grow_below(g, 2) ? "(?i)(?:" : "(?-i:"); break;
	}
	alternatives(g, depth, regex, sample);
	kt_buf_char(regex, ')');
	kt_buf_free(&other);
}

static void put_atom(struct grow *g, unsigned depth, struct kt_buf *regex, struct kt_buf *sample)
{
	uint32_t kind = grow_below(g, 10);

	if (kind < 5)
		put_word(g, regex, sample);
	else if (kind < 7 || !depth)
		put_class(g, regex, sample);
	else
		put_group(g, depth - 1, regex, sample);
}

static void put_item(struct grow *g, unsigned depth, struct kt_buf *regex, struct kt_buf *sample)
{
	static const struct {
		const char *mark;
		unsigned min, max;
	} repeats[] = {{"?", 0, 1},      {"*", 0, 2},  {"+", 1, 3},  {"{2}", 2, 2},  {"{1,3}", 1, 3},
		       {"{0,2}?", 0, 2}, {"+?", 1, 2}, {"??", 0, 1}, {"{2,}", 2, 3}, {"?+", 0, 1}};
	struct kt_buf once = KT_BUF(1 << 16);
	struct kt_buf again = KT_BUF(1 << 16);

	kt_buf_str(&again, "");
	put_atom(g, depth, &again, &once);
	kt_buf_add(regex, kt_buf_view(&again));
	unsigned times = 1;
	if (!grow_below(g, 4)) {
		uint32_t i = grow_below(g, KT_LEN(repeats));
		kt_buf_str(regex, repeats[i].mark);
		times = repeats[i].min + grow_below(g, repeats[i].max - repeats[i].min + 1);
	}
	while (times--)
		kt_buf_add(sample, kt_buf_view(&once));
	kt_buf_free(&once);
	kt_buf_free(&again);
}

static void sequence(struct grow *g, unsigned depth, struct kt_buf *regex, struct kt_buf *sample)
{
	for (uint32_t n = 1 + grow_below(g, 4); n; n--)
		put_item(g, depth, regex, sample);
}

static void alternatives(struct grow *g, unsigned depth, struct kt_buf *regex, struct kt_buf *sample)
{
	uint32_t n = grow_below(g, 3) ? 1 : 1 + grow_below(g, 3), chosen = grow_below(g, n);

	for (uint32_t i = 0; i < n; i++) {
		struct kt_buf other = KT_BUF(1 << 16);
		kt_buf_str(regex, i ? "|" : "");
		sequence(g, depth, regex, i == chosen ? sample : &other);
		kt_buf_free(&other);
	}
}

void grow_pattern(struct grow *g, struct kt_buf *regex, struct kt_buf *sample)
{
	g->names = 0;
	alternatives(g, 3, regex, sample);
}

void grow_noise(struct grow *g, struct kt_buf *out, size_t bytes)
{
	for (size_t from = out->len; out->len < from + bytes && !out->full;)
		kt_buf_str(out, word(g));
}
