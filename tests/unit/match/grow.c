#include "grow.h"

/* Few words that share pieces, so that chance hits and near misses are common. */
static const char *const words[] = {"Kusto",     "kusto",   "Ingest",  "ingestion", "failed", "Failed to",
				    " retry ",   "Extents", "extents", "a",         "ab",     "b",
				    "x",         " ",       ": ",      "'",         "(",      ")",
				    "{",         "[",       "\n",      "12",        "0",      ".",
				    "Exception", "Error",   "at ",     "\t",        "moving"};

uint32_t grow_below(struct grow *g, uint32_t n)
{
	if (g->choices.len) {
		unsigned char c = (unsigned char)g->choices.p[0];
		g->choices = kt_str_from(g->choices, 1);
		return c % n;
	}
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
	} classes[] = {{"\\d", "7"},         {"\\w", "b"},    {"\\S", "'"},           {"\\s", " "},
		       {"[ab]", "a"},        {"[Kk]", "k"},   {"[^x]", "y"},          {"[a-f\\d]", "e"},
		       {".", "x"},           {"[]x]", "]"},   {"\\x41", "A"},         {"[^\\n]", "n"},
		       {"[[:digit:]]", "3"}, {"[\\b]", "\b"}, {"[\\x41-\\x43]", "B"}, {"[\\cI\\e]", "\t"},
		       {"(?:\\0611)", "11"}, {"(?:\\b)", ""}, {"[\\[\\]]", "["},      {"[-a]", "-"}};
	uint32_t i = grow_below(g, KT_LEN(classes));

	kt_buf_str(regex, classes[i].regex);
	kt_buf_str(sample, classes[i].sample);
}

static void alternatives(struct grow *g, unsigned depth, struct kt_buf *regex, struct kt_buf *sample);

static void put_coded(struct kt_buf *regex, unsigned char c, uint32_t kind)
{
	switch (kind) {
	case 0: kt_buf_fmt(regex, "\\x%02x", c); break;
	case 1: kt_buf_fmt(regex, "\\x{%x}", c); break;
	case 2: kt_buf_fmt(regex, "\\o{%o}", c); break;
	case 3: kt_buf_fmt(regex, c < 64 ? "\\0%02o" : "\\%03o", c); break;
	case 4: kt_buf_fmt(regex, "\\Q%c\\E", c); break;
	default: put_char(regex, (char)c);
	}
}

/* A word written in another way. */
static void put_odd_word(struct grow *g, struct kt_buf *regex, struct kt_buf *sample)
{
	const char *w = word(g);
	uint32_t kind = grow_below(g, 7);

	kt_buf_str(sample, w);
	if (kind == 6) {
		kt_buf_fmt(regex, "\\Q%s\\E", w);
		return;
	}
	for (const char *p = w; *p; p++)
		put_coded(regex, (unsigned char)*p, kind);
	kt_buf_str(regex, kind == 5 ? "(?#|)" : "");
}

/* "(?x: a b # remark )": blanks that are meant must be written otherwise. */
static void put_extended(struct grow *g, struct kt_buf *regex, struct kt_buf *sample)
{
	const char *w = word(g);

	kt_buf_str(regex, grow_below(g, 2) ? "(?x: " : "(?:a{0}(?x) ");
	for (const char *p = w; *p; p++)
		if (*p == ' ' || *p == '\n' || *p == '\t')
			kt_buf_fmt(regex, " [%c] # ) |\n", *p);
		else
			put_char(regex, *p);
	kt_buf_str(regex, " )");
	kt_buf_str(sample, w);
}

/* Constructs that look at, repeat or depend on another part. */
static void put_linked(struct grow *g, unsigned depth, struct kt_buf *regex, struct kt_buf *sample)
{
	struct kt_buf part = KT_BUF(1 << 16), text = KT_BUF(1 << 16);
	unsigned name = g->names++;

	alternatives(g, depth, &part, &text);
	const char *p = kt_buf_c(&part), *s = kt_buf_c(&text);
	kt_buf_str(regex, "(?:");
	uint32_t kind = grow_below(g, 10);
	switch (kind) {
	case 0: kt_buf_fmt(regex, "(?=%s)(?:%s)", p, p); break;
	case 1: kt_buf_fmt(regex, "(?=.*?(?:%s))[^q]*?(?:%s)", p, p); break;
	case 2:
		kt_buf_fmt(regex, "(?<l%u>%s)\\k<l%u>", name, p, name);
		kt_buf_str(sample, s);
		break;
	case 3: kt_buf_fmt(regex, "(?<l%u>%s)(?(<l%u>)|zz)", name, p, name); break;
	case 4: kt_buf_fmt(regex, "(?(?=%s)(?:%s)|zz)", p, p); break;
	case 5: kt_buf_fmt(regex, "(?(DEFINE)(?<l%u>%s))(?&l%u)", name, p, name); break;
	case 6: kt_buf_fmt(regex, "(?|(%s)|(zz))", p); break;
	case 7: kt_buf_fmt(regex, "(?:%s)(?<![~])", p); break;
	case 8: kt_buf_fmt(regex, "(?:%s)(?=[\\s\\S]|\\z)?", p); break;
	default: kt_buf_fmt(regex, "(?:%s)\\d(?<=\\d)", p);
	}
	kt_buf_char(regex, ')');
	kt_buf_str(sample, s);
	if (kind == 9)
		kt_buf_char(sample, '5');
	kt_buf_free(&part);
	kt_buf_free(&text);
}

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
	uint32_t kind = grow_below(g, 14);

	if (kind < 5)
		put_word(g, regex, sample);
	else if (kind < 7 || (kind < 11 && !depth))
		put_class(g, regex, sample);
	else if (kind < 10)
		put_group(g, depth - 1, regex, sample);
	else if (kind < 11)
		put_linked(g, depth - 1, regex, sample);
	else if (kind < 13)
		put_odd_word(g, regex, sample);
	else
		put_extended(g, regex, sample);
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
