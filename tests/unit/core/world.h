/* Random knowledge bases and observations for property tests. */
#ifndef KT_TESTS_CORE_WORLD_H
#define KT_TESTS_CORE_WORLD_H

#include "base/arena.h"
#include "base/buf.h"
#include "core/build.h"
#include "core/judge.h"
#include "core/plan.h"

#define WORLD_CAUSES   6
#define WORLD_EVIDENCE 8
#define WORLD_OBS      400

/* What a base is made of, before it has row numbers. */
struct world_item {
	uint32_t kind;
	char name[16];  /* LOG: pattern, SHOW: predicate, ASK: condition */
	uint32_t check; /* SHOW */
	uint32_t weight, absent;
	char group; /* '\0' or the author's name */
};
struct world_cause {
	char id[16], fix[8];
	uint32_t prior;
	bool carrier;
	char gate[64];
	struct world_item items[WORLD_EVIDENCE];
	uint32_t n;
};

struct world {
	uint64_t state;  /* of the generator */
	bool operations; /* records lie in operations, facts are told for them */
	struct world_cause causes[WORLD_CAUSES];
	uint32_t n_causes;
	struct kt_kbb *b;
	const struct kt_kb *kb;
	struct kt_arena a;
	struct kt_obs obs[WORLD_OBS];
	size_t n;
	struct kt_rec recs[40];
	uint32_t n_recs;
};

/* A world of its own for each seed. REVERSED: the causes in the other order, the
 * same world otherwise; observations name the rows of that base. */
void world_make(struct world *w, uint64_t seed, bool reversed);
void world_free(struct world *w);
uint32_t world_below(struct world *w, uint32_t n);
bool world_chance(struct world *w, uint32_t percent);

/* More of the same kind. */
struct kt_obs *world_add(struct world *w, struct kt_obs o);
struct kt_obs world_hit(struct world *w, uint32_t item, struct kt_rec *rec);
struct kt_rec *world_rec(struct world *w); /* a record that joins no fault */
uint32_t world_item_row(const struct world *w, const struct world_item *it);
void world_add_idle(struct world *w, uint32_t n); /* causes that nothing fits */
void world_add_hinted(struct world *w, uint32_t n, uint32_t item);
const struct world_cause *world_cause_of(const struct world *w, uint32_t row);

/* All that a judgement says, by names. HITS: numbers of hits too. */
enum { DIGEST_NEXT = 1, DIGEST_HITS = 2 };
void world_digest(const struct world *w, const struct kt_obs *obs, size_t n, unsigned what,
		  struct kt_buf *out);

#endif
