/* search -: which causes' texts stand in an error that was given. Nothing is weighed
 * against anything and no condition is looked at: evidence, no verdict. */
#include "report/words.h"

#include <stdlib.h>

#include "base/arena.h"

#include "base/banned.h"

struct hit {
	uint32_t cause;
	int ddb; /* of all its texts, against it too */
	uint32_t n;
};

static const struct kt_obs **hits_by_item(const struct kt_report *r, struct kt_arena *a)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	const struct kt_obs **by_item = KT_NEW_N(a, const struct kt_obs *, kb->n_items + 1u);
	size_t n;
	const struct kt_obs *obs = kt_session_obs(r->session, &n);

	for (size_t i = 0; i < n; i++)
		if (obs[i].kind == KT_OBS_HIT && !by_item[obs[i].item])
			by_item[obs[i].item] = &obs[i];
	return by_item;
}

static int most_first(const void *p, const void *q)
{
	const struct hit *x = p, *y = q;

	if (x->ddb != y->ddb)
		return x->ddb > y->ddb ? -1 : 1;
	return x->cause < y->cause ? -1 : 1;
}

static void show_hit(const struct kt_report *r, const struct kt_obs *const *by_item, const struct hit *h)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	const struct kt_cause *c = &kb->causes[h->cause];

	kt_line(r, KT_PAINT_HEAD, KT_FMT ": " KT_FMT, KT_ARG(kt_kb_text(kb, c->id)),
		KT_ARG(kt_kb_text(kb, c->title)));
	for (uint32_t i = c->evidence.at; i < c->evidence.at + c->evidence.n; i++) {
		const struct kt_obs *o = by_item[kb->evidence[i].item];
		if (o)
			kt_row_fmt(r, "", KT_PAINT_PLAIN, KT_FMT "  " KT_FMT "  (%s)", KT_ARG(o->source),
				   KT_ARG(o->text), kt_weight_word((enum kt_weight)kb->evidence[i].weight));
	}
	if (c->gate_text.len)
		kt_row(r, "only when", KT_PAINT_DIM, kt_kb_text(kb, c->gate_text));
}

void kt_report_texts(const struct kt_report *r)
{
	const struct kt_kb *kb = kt_session_kb(r->session);
	struct kt_arena a = {0};
	const struct kt_obs **by_item = hits_by_item(r, &a);
	struct hit *hits = KT_NEW_N(&a, struct hit, kb->n_causes + 1u);
	size_t n = 0;

	for (uint32_t i = 0; i < kb->n_causes; i++) {
		struct kt_span span = kb->causes[i].evidence;
		hits[n] = (struct hit){.cause = i};
		for (uint32_t k = span.at; k < span.at + span.n; k++) {
			int ddb = by_item[kb->evidence[k].item]
					  ? kt_weight_ddb((enum kt_weight)kb->evidence[k].weight)
					  : 0;
			hits[n].ddb += ddb;
			hits[n].n += ddb > 0;
		}
		n += hits[n].n > 0;
	}
	if (n)
		qsort(hits, n, sizeof *hits, most_first);
	for (size_t i = 0; i < n; i++)
		show_hit(r, by_item, &hits[i]);
	kt_line(r, KT_PAINT_PLAIN, "%s",
		n ? "Texts of these causes stand in what was given. That is evidence, no verdict: "
		    "ktriage diagnose weighs all of it."
		  : "No text of a cause stands in it. ktriage diagnose says what to collect.");
	kt_arena_free(&a);
}
