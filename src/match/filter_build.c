/* The table of a knowledge base. */
#include "match/filter_table.h"

#include "base/alloc.h"

#include "base/banned.h"

#define PIECES        (1u << HASH_BITS)
#define CHAIN_BITS    14 /* at most */
#define FOLDED_COPIES 64 /* literals without case: up to so many get their pieces in all cases */

static bool is_letter(char c)
{
	return (unsigned char)((c | 0x20) - 'a') < 26;
}

/* --- chains --- */

/* Entries as they come; sorted into chains at the end. */
struct pile {
	struct kt_entry *entry;
	uint32_t *chain; /* the folded piece, later its chain */
	uint32_t n;
};

static struct pile new_pile(size_t n)
{
	return (struct pile){kt_alloc_n(n, sizeof(struct kt_entry)), kt_alloc_n(n, sizeof(uint32_t)), 0};
}

static void put_byte(unsigned char *want, unsigned char *mask, char c, bool fold)
{
	*mask = fold && is_letter(c) ? 0xdf : 0xff;
	*want = (unsigned char)c & *mask;
}

/* The piece at AT of the literal: the eight bytes up to its end, as far as they are
 * the literal's. */
static void pile_up(struct pile *p, const struct kt_literal_row *l, uint32_t literal, uint32_t at)
{
	unsigned char want[2 * PIECE] = {0}, mask[2 * PIECE] = {0};
	struct kt_entry *e = &p->entry[p->n];

	for (uint32_t i = at < PIECE ? PIECE - at : 0; i < 2 * PIECE; i++)
		put_byte(&want[i], &mask[i], l->text.p[at + i - PIECE], l->fold);
	memcpy(&e->want, want, sizeof want);
	memcpy(&e->mask, mask, sizeof mask);
	e->literal = literal;
	e->back = at;
	p->chain[p->n++] = kt_piece(l->text.p + at);
}

static unsigned bits_for(uint32_t n)
{
	unsigned bits = 8;

	while (bits < CHAIN_BITS && UINT32_C(1) << bits < n)
		bits++;
	return bits;
}

static void make_chains(struct kt_chains *c, struct pile *p)
{
	uint32_t at = 0;

	c->n = p->n;
	c->bits = bits_for(p->n);
	uint32_t n = UINT32_C(1) << c->bits;
	c->start = kt_alloc_n((size_t)n + 1, sizeof *c->start);
	c->entry = kt_alloc_n(p->n, sizeof *c->entry);
	for (uint32_t i = 0; i < p->n; i++) {
		p->chain[i] = kt_piece_chain(c, p->chain[i]);
		c->start[p->chain[i]]++;
	}
	for (uint32_t i = 0; i <= n; i++) { /* where each chain ends */
		at += c->start[i];
		c->start[i] = at;
	}
	for (uint32_t i = p->n; i--;)
		c->entry[--c->start[p->chain[i]]] = p->entry[i];
	kt_free(p->entry);
	kt_free(p->chain);
}

/* --- the table of pieces --- */

static void mark(struct kt_grid *g, uint32_t piece, uint16_t bits)
{
	g->pieces[1 + kt_piece_hash(piece | g->or_mask)] |= bits;
}

static uint16_t *new_pieces(void)
{
	uint16_t *p = kt_alloc_n(PIECES + 2, sizeof *p);

	for (size_t i = 0; i < PIECES + 2; i++)
		p[i] = GROUP_ONE;
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

static void add_literal(struct kt_filter *f, struct kt_str text, uint32_t row, bool fold)
{
	f->literals[f->n_literals++] = (struct kt_literal_row){text, row, fold};
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
		folded += p->fold ? p->literals.n : 0;
	}
	for (size_t i = 0; i < n_signs; i++)
		add_literal(f, signs[i], kb->n_patterns + (uint32_t)i, false);
	return folded;
}

static void add_to_table(struct kt_filter *f, struct pile *wide, struct pile *brief, uint32_t literal)
{
	struct kt_window w = kt_gram_window(f->literals[literal].text);

	switch (w.len) {
	case KT_WINDOW_PAIR: add_pair(f, wide, literal, w.at); break;
	case KT_WINDOW_ONE: add_one(f, wide, literal, w.at); break;
	case KT_GRAM: add_brief(f, brief, literal, w.at); break;
	default: f->tiny[f->n_tiny++] = literal;
	}
}

static void finish(struct kt_grid *g, struct pile *p)
{
	for (uint32_t i = 0; i < p->n; i++)
		g->max_back = g->max_back > p->entry[i].back ? g->max_back : p->entry[i].back;
	make_chains(&g->chains, p);
}

struct kt_filter *kt_filter_new(const struct kt_kb *kb, const struct kt_str *signs, size_t n_signs)
{
	struct kt_filter *f = kt_alloc(sizeof *f);

	f->kb = kb;
	f->avx2 = kt_can_avx2();
	f->always = (struct kt_rowset){kt_alloc_n(kb->n_patterns / 64 + 1, sizeof(uint64_t)), kb->n_patterns};
	f->wide.or_mask = f->brief.or_mask = gather(f, signs, n_signs) > FOLDED_COPIES ? ANY_CASE : 0;
	f->wide.pieces = new_pieces();
	f->tiny = kt_alloc_n(f->n_literals, sizeof *f->tiny);
	struct pile wide = new_pile((size_t)f->n_literals * PIECE), brief = new_pile(f->n_literals);
	for (uint32_t i = 0; i < f->n_literals; i++)
		add_to_table(f, &wide, &brief, i);
	finish(&f->wide, &wide);
	finish(&f->brief, &brief);
	return f;
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
