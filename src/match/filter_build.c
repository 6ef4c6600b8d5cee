/* The table of a knowledge base. */
#include "match/filter_table.h"

#include "base/alloc.h"

#include "base/banned.h"

#define PIECES        (1u << HASH_BITS)
#define OFTEN         16 /* sixteenths: once in a MiB */
#define CHAIN_BITS    14 /* at most */
#define FOLDED_COPIES 64 /* literals without case: up to so many get their pieces in all cases */

static bool is_letter(char c)
{
	return (unsigned char)((c | 0x20) - 'a') < 26;
}

/* --- chains --- */

#define DF 0xdf /* letters of either case are equal, and some other bytes */

const unsigned char kt_entry_mask[ENTRY_MASKS][2 * PIECE] = {
	{0, 0, 0, 0, 255, 255, 255, 255},
	{0, 0, 0, 255, 255, 255, 255, 255},
	{0, 0, 255, 255, 255, 255, 255, 255},
	{0, 255, 255, 255, 255, 255, 255, 255},
	{255, 255, 255, 255, 255, 255, 255, 255},
	{0, 0, 0, 0, DF, DF, DF, DF},
	{0, 0, 0, DF, DF, DF, DF, DF},
	{0, 0, DF, DF, DF, DF, DF, DF},
	{0, DF, DF, DF, DF, DF, DF, DF},
	{DF, DF, DF, DF, DF, DF, DF, DF},
};

/* Pieces as they come, which are sorted into chains at the end. */
struct pile {
	struct heap {
		uint32_t piece; /* later its chain */
		uint32_t literal;
		uint32_t at; /* in the literal */
	} * list;
	uint32_t n;
};

static struct pile new_pile(size_t n)
{
	return (struct pile){kt_alloc_n(n, sizeof(struct heap)), 0};
}

static void pile_up(struct pile *p, const struct kt_literal_row *l, uint32_t literal, uint32_t at)
{
	p->list[p->n++] = (struct heap){kt_piece(l->text.p + at), literal, at};
}

/* The eight bytes up to the end of the piece at AT, as far as they are the literal's. */
static struct kt_entry entry_of(const struct kt_literal_row *l, uint32_t literal, uint32_t at)
{
	uint32_t before = at < PIECE ? at : PIECE;
	unsigned mask = before + (l->fold ? ENTRY_ANY_CASE : 0);
	char two[2 * PIECE] = {0};
	uint64_t x;

	if (before == PIECE)
		memcpy(two, l->text.p + at - PIECE, sizeof two);
	else
		memcpy(two + PIECE - before, l->text.p + at - before, before + PIECE);
	memcpy(&x, two, sizeof x);
	return (struct kt_entry){kt_masked(x, mask), literal, (uint16_t)at, (uint16_t)mask};
}

static unsigned bits_for(uint32_t n)
{
	unsigned bits = 8;

	while (bits < CHAIN_BITS && UINT32_C(1) << bits < n)
		bits++;
	return bits;
}

static void make_chains(struct kt_filter *f, struct kt_chains *c, struct pile *p)
{
	uint32_t at = 0;

	c->n = p->n;
	c->bits = bits_for(p->n);
	uint32_t n = UINT32_C(1) << c->bits;
	c->start = kt_alloc_n((size_t)n + 1, sizeof *c->start);
	c->entry = kt_alloc_n(p->n, sizeof *c->entry);
	for (uint32_t i = 0; i < p->n; i++) {
		p->list[i].piece = kt_piece_chain(c, p->list[i].piece);
		c->start[p->list[i].piece]++;
	}
	for (uint32_t i = 0; i <= n; i++) { /* where each chain ends */
		at += c->start[i];
		c->start[i] = at;
	}
	for (uint32_t i = p->n; i--;) {
		struct heap h = p->list[i];
		c->entry[--c->start[h.piece]] = entry_of(&f->literals[h.literal], h.literal, h.at);
	}
	kt_free(p->list);
}

/* --- the table of pieces --- */

static void mark(struct kt_grid *g, uint32_t piece, uint16_t bits)
{
	g->pieces[1 + kt_piece_hash(piece | g->or_mask)] |= bits;
}

static uint16_t *new_pieces(void)
{
	uint16_t *p = kt_alloc_n(PIECES + 2, sizeof *p);

	p[0] = p[1] = GROUP_ONE;
	for (size_t n = 2; n < PIECES; n *= 2)
		memcpy(p + n, p, n * sizeof *p);
	p[PIECES] = p[PIECES + 1] = GROUP_ONE;
	return p;
}

/* Every way to write the letters of the piece at P. */
static void mark_cases(struct kt_grid *g, const char *p, uint16_t bits)
{
	for (unsigned some = 0; some < 1u << PIECE; some++) {
		char c[PIECE];
		bool real = true;
		for (unsigned i = 0; i < PIECE; i++) {
			bool other = some >> i & 1;
			c[i] = (char)(other ? p[i] ^ 0x20 : p[i]);
			real = real && (!other || is_letter(p[i]));
		}
		if (real)
			mark(g, kt_piece(c), bits);
	}
}

static void mark_piece(struct kt_grid *g, const struct kt_literal_row *l, uint32_t at, uint16_t bits)
{
	if (l->fold && !g->or_mask)
		mark_cases(g, l->text.p + at, bits);
	else
		mark(g, kt_piece(l->text.p + at), bits);
}

static void add_pair(struct kt_filter *f, struct pile *p, uint32_t literal, uint32_t at)
{
	const struct kt_literal_row *l = &f->literals[literal];
	/* neighbours are about one thing and share pieces: they share a group, too */
	unsigned group = (unsigned)((uint64_t)literal * PAIR_ROOMS / f->n_literals);

	for (uint32_t i = at; i < at + PIECE; i++) {
		mark_piece(&f->wide, l, i, (uint16_t)(1u << group));
		mark_piece(&f->wide, l, i + PIECE, (uint16_t)(1u << (group + 8)));
		pile_up(p, l, literal, i + PIECE);
	}
}

static void add_one(struct kt_filter *f, struct pile *p, uint32_t literal, uint32_t at)
{
	const struct kt_literal_row *l = &f->literals[literal];

	for (uint32_t i = at; i < at + PIECE; i++) {
		mark_piece(&f->wide, l, i, GROUP_ONE << 8);
		pile_up(p, l, literal, i);
	}
}

static void add_brief(struct kt_filter *f, struct pile *p, uint32_t literal, uint32_t at)
{
	const struct kt_literal_row *l = &f->literals[literal];

	if (!f->brief.pieces)
		f->brief.pieces = new_pieces();
	mark_piece(&f->brief, l, at, GROUP_ONE << 8);
	pile_up(p, l, literal, at);
}

/* --- the literals --- */

static struct kt_literal_row *add_literal(struct kt_filter *f, struct kt_str text, uint32_t row, bool fold)
{
	struct kt_literal_row *l = &f->literals[f->n_literals++];

	*l = (struct kt_literal_row){text, row, fold, kt_gram_window(text), NULL};
	return l;
}

/* Whether one of the last N literals is to be expected once in a MiB. A literal does not
 * stand at more places than its window. */
static bool often(const struct kt_filter *f, uint32_t n)
{
	const struct kt_literal_row *l = &f->literals[f->n_literals - n];
	uint64_t windows = 0, stands = 0;

	for (uint32_t i = 0; i < n; i++)
		windows += l[i].window.hits;
	for (uint32_t i = 0; i < n && windows >= OFTEN; i++)
		stands += kt_gram_stands(l[i].text);
	return stands >= OFTEN;
}

/* Literals that are everywhere are worth a second look at what stands beside them. Of
 * several it is not known which one a match has: another one takes their place. */
static void add_guard(struct kt_filter *f, uint32_t row, uint32_t n)
{
	const struct kt_pattern *p = &f->kb->patterns[row];
	struct kt_beside g, *keep;

	if (!f->guards || !often(f, n))
		return;
	struct kt_str literal = n == 1 ? f->literals[f->n_literals - 1].text : KT_NONE;
	if (!kt_beside_of(kt_kb_text(f->kb, p->text), literal, p->fold, &g))
		return;
	keep = kt_alloc(sizeof g);
	*keep = g;
	f->n_literals -= n;
	add_literal(f, (struct kt_str){keep->literal, keep->len}, row, p->fold)->guard = keep;
}

static bool can_judge(const struct kt_kb *kb, const struct kt_pattern *p)
{
	for (uint32_t i = 0; i < p->literals.n; i++)
		if (!kb->strings[p->literals.at + i].len)
			return false;
	return p->literals.n > 0;
}

/* Returns how many go without case. */
static uint32_t gather(struct kt_filter *f, const struct kt_str *signs, size_t n_signs)
{
	const struct kt_kb *kb = f->kb;
	uint32_t folded = 0;
	size_t n = n_signs;

	for (uint32_t row = 0; row < kb->n_patterns; row++)
		n += kb->patterns[row].literals.n;
	f->literals = kt_alloc_n(n, sizeof *f->literals);
	for (uint32_t row = 0; row < kb->n_patterns; row++) {
		const struct kt_pattern *p = &kb->patterns[row];
		if (!can_judge(kb, p)) {
			kt_rowset_add(&f->always, row);
			f->has_always = true;
			continue;
		}
		for (uint32_t i = 0; i < p->literals.n; i++)
			add_literal(f, kt_kb_text(kb, kb->strings[p->literals.at + i]), row, p->fold);
		add_guard(f, row, p->literals.n);
		folded += p->fold ? p->literals.n : 0;
	}
	for (size_t i = 0; i < n_signs; i++)
		add_literal(f, signs[i], kb->n_patterns + (uint32_t)i, false);
	return folded;
}

static void add_to_table(struct kt_filter *f, struct pile *wide, struct pile *brief, uint32_t literal)
{
	struct kt_window w = f->literals[literal].window;

	switch (w.len) {
	case KT_WINDOW_PAIR: add_pair(f, wide, literal, w.at); break;
	case KT_WINDOW_ONE: add_one(f, wide, literal, w.at); break;
	case KT_GRAM: add_brief(f, brief, literal, w.at); break;
	default: f->tiny[f->n_tiny++] = literal;
	}
}

static void finish(struct kt_filter *f, struct kt_grid *g, struct pile *p)
{
	for (uint32_t i = 0; i < p->n; i++)
		g->max_back = g->max_back > p->list[i].at ? g->max_back : p->list[i].at;
	make_chains(f, &g->chains, p);
}

static struct kt_filter *new_filter(const struct kt_kb *kb, const struct kt_str *signs, size_t n_signs,
				    bool guards)
{
	struct kt_filter *f = kt_alloc(sizeof *f);

	f->kb = kb;
	f->guards = guards;
	f->avx2 = kt_can_avx2();
	f->always = (struct kt_rowset){kt_alloc_n(kb->n_patterns / 64 + 1, sizeof(uint64_t)), kb->n_patterns};
	f->wide.or_mask = f->brief.or_mask = gather(f, signs, n_signs) > FOLDED_COPIES ? ANY_CASE : 0;
	f->wide.pieces = new_pieces();
	f->tiny = kt_alloc_n(f->n_literals, sizeof *f->tiny);
	struct pile wide = new_pile((size_t)f->n_literals * PIECE), brief = new_pile(f->n_literals);
	for (uint32_t i = 0; i < f->n_literals; i++)
		add_to_table(f, &wide, &brief, i);
	finish(f, &f->wide, &wide);
	finish(f, &f->brief, &brief);
	return f;
}

struct kt_filter *kt_filter_new(const struct kt_kb *kb, const struct kt_str *signs, size_t n_signs)
{
	return new_filter(kb, signs, n_signs, true);
}

struct kt_filter *kt_filter_new_plain(const struct kt_kb *kb, const struct kt_str *signs, size_t n_signs)
{
	return new_filter(kb, signs, n_signs, false);
}

static void free_grid(struct kt_grid *g)
{
	kt_free(g->pieces);
	kt_free(g->chains.entry);
	kt_free(g->chains.start);
}

void kt_filter_free(struct kt_filter *take_f)
{
	if (!take_f)
		return;
	free_grid(&take_f->wide);
	free_grid(&take_f->brief);
	for (uint32_t i = 0; i < take_f->n_literals; i++)
		kt_free(take_f->literals[i].guard);
	kt_free(take_f->literals);
	kt_free(take_f->tiny);
	kt_free(take_f->always.bits);
	kt_free(take_f);
}

const struct kt_rowset *kt_filter_always(const struct kt_filter *f)
{
	return &f->always;
}

bool kt_filter_has_always(const struct kt_filter *f)
{
	return f->has_always;
}

bool kt_filter_take_path(struct kt_filter *f, enum kt_filter_path path)
{
	f->avx2 = path != KT_FILTER_PORTABLE && kt_can_avx2();
	return path != KT_FILTER_AVX2 || f->avx2;
}
