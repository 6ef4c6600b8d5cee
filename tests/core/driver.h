/* Test driver: a knowledge base and observations from JSON, and what the core
 * makes of them as one line of JSON. The shape is that of vectors/README.md. */
#ifndef KT_TESTS_CORE_DRIVER_H
#define KT_TESTS_CORE_DRIVER_H

#include "base/arena.h"
#include "core/build.h"
#include "core/memory.h"
#include "json/json.h"

struct driver {
	struct kt_arena a;
	struct kt_kbb *b;
	const struct kt_kb *kb;
	uint32_t n_declared; /* facts of the input; those behind came up in conditions */
	struct kt_obs *obs;
	size_t n_obs, cap_obs;
	struct named_rec {
		struct kt_str name;
		struct kt_rec *rec;
	} * recs;
	size_t n_recs, cap_recs;
	uint32_t n_rec_ids;
};

/* Ends the program with a message on input that has no such shape. */
void driver_load(struct driver *d, const struct kt_json *kb, const struct kt_json *observations);
void driver_judge(struct driver *d, struct kt_buf *out);
void driver_free(struct driver *d);
_Noreturn void driver_die(const char *what, struct kt_str subject);

#endif
