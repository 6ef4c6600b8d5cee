/* What was found in the record at hand, and which equal ones were seen before; for
 * the files of this folder only.
 *
 *     kt_found_begin(&f, record, name);
 *     kt_found_hit(&f, hit);                 // for each hit
 *     kt_found_end(&f);                      // its observations stand in the act
 */
#ifndef KT_SESSION_FOUND_H
#define KT_SESSION_FOUND_H

#include "input/record.h"
#include "session/state.h"

#define KT_FOUND_FACTS   48
#define KT_FOUND_ITEMS   128
#define KT_FOUND_FOREIGN 64

/* A value that a record teaches; PRIORITY: the row of the author's list. */
struct kt_found_fact {
	uint32_t fact, priority;
	struct kt_str value;
	size_t at;
};

struct kt_found_item {
	uint32_t item;
	size_t at;
};

struct kt_found_seen;
struct kt_found_thread;

struct kt_found {
	struct kt_session *s;
	struct kt_act *act;
	struct kt_str foreign[KT_FOUND_FOREIGN];
	size_t n_foreign;
	struct kt_found_seen *seen; /* open addressing, power of two */
	size_t n_seen, cap_seen;
	struct kt_found_thread *threads;
	size_t n_threads, cap_threads;
	bool over;     /* more different records than are kept */
	uint64_t told; /* records that gave an item or are fatal */
	/* of the record at hand */
	struct kt_arena scratch;
	const struct kt_record *rec;
	struct kt_str input_name;
	struct kt_found_fact facts[KT_FOUND_FACTS];
	size_t n_facts;
	struct kt_found_item items[KT_FOUND_ITEMS];
	size_t n_items;
	bool fatal, noise;
	size_t fatal_at;
};

void kt_found_begin(struct kt_found *c, const struct kt_record *rec, struct kt_str input_name);
int kt_found_hit(void *ctx, const struct kt_hit *hit);
void kt_found_end(struct kt_found *c);
void kt_found_free(struct kt_found *c);

/* "driver.log:4182" of byte AT of the record at hand. */
struct kt_str kt_found_place(struct kt_found *c, size_t at);

#endif
