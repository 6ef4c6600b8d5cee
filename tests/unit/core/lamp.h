/* A small base that reads like a story, for tests of single functions.
 *
 *     bulb   flicker strong, hum suggests
 *     fuse   smell strong, volts (a command) strong / absent argues-against   when lamp == old
 *     wire   flicker strong, lamp == new (a question) hints
 *     dark   no-light proves, a carrier
 */
#ifndef KT_TESTS_CORE_LAMP_H
#define KT_TESTS_CORE_LAMP_H

#include "base/arena.h"
#include "core/build.h"
#include "core/explain.h"

enum { LAMP_BULB, LAMP_FUSE, LAMP_WIRE, LAMP_DARK };                              /* causes */
enum { LAMP_FLICKER, LAMP_HUM, LAMP_SMELL, LAMP_VOLTS, LAMP_NEW, LAMP_NO_LIGHT }; /* items */
enum { LAMP_FACT, LAMP_FAILED };                                                  /* facts */

struct lamp {
	struct kt_kbb *b;
	const struct kt_kb *kb;
	struct kt_arena a;
	struct kt_rec recs[16];
	struct kt_obs obs[16];
	size_t n;
};

void lamp_make(struct lamp *l);
void lamp_free(struct lamp *l);
/* A hit in a record of that exception class; one class is one fault. */
struct kt_rec *lamp_hit(struct lamp *l, uint32_t item, const char *cls);
void lamp_row(struct lamp *l, enum kt_state state);
void lamp_told(struct lamp *l, uint32_t fact, const char *value, const char *op);
struct kt_judgement lamp_judge(struct lamp *l);

#endif
