/* The judgement as its readers see it. */
#include "core/judge.h"

#include <stdlib.h>

#include "core/eval.h"

#include "base/banned.h"

static const struct kt_hit *hit_in(const bool *drop, const struct kt_part *p, uint32_t group)
{
	for (uint32_t i = 0; i < p->hits.n; i++)
		if (kt_counts(drop, &p->hits.p[i]) && (group == KT_NIL || p->hits.p[i].group == group))
			return &p->hits.p[i];
	return &p->hits.p[0]; /* a part has hits, if only some that do not count here */
}

static uint32_t count(struct kt_hits hits)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < hits.n; i++)
		n += hits.p[i].n;
	return n;
}

static bool more(struct kt_hits hits)
{
	for (uint32_t i = 0; i < hits.n; i++)
		if (hits.p[i].at_least)
			return true;
	return false;
}

/* The observation that was met last; NULL without any. */
static const struct kt_obs *last_of(struct kt_hits hits)
{
	const struct kt_obs *last = NULL;

	for (uint32_t i = 0; i < hits.n; i++)
		if (hits.p[i].last && (!last || kt_obs_last_at(hits.p[i].last) > kt_obs_last_at(last)))
			last = hits.p[i].last;
	return last;
}

/* The strongest part stands for its unit; the others were seen beside it. */
static size_t unit_addends(const bool *drop, const struct kt_unit *u, struct kt_addend *out)
{
	size_t n = 0;
	bool first = true;

	for (const struct kt_part *p = u->parts; p; p = p->next) {
		bool lives = kt_any_hit(p->hits, drop);
		const struct kt_hit *h = hit_in(drop, p, lives && u->counted ? u->group : KT_NIL);
		out[n++] = (struct kt_addend){.evidence = p->evidence,
					      .ddb = p->ddb,
					      .obs = h->obs,
					      .last = last_of(p->hits),
					      .hits = count(p->hits),
					      .at_least = more(p->hits),
					      .counted = u->counted && lives && first};
		first = first && !lives;
	}
	return n;
}

static int by_size(const void *p, const void *q)
{
	const struct kt_addend *a = p, *b = q;

	if ((a->ddb < 0) != (b->ddb < 0))
		return a->ddb < 0 ? 1 : -1;
	if (a->ddb != b->ddb)
		return abs(a->ddb) > abs(b->ddb) ? -1 : 1;
	if (a->counted != b->counted)
		return a->counted ? -1 : 1;
	return (a->evidence > b->evidence) - (a->evidence < b->evidence);
}

static void add_addends(const struct kt_standing *x, struct kt_arena *a, struct kt_cause_view *v)
{
	size_t n = 0;

	for (int side = 0; side < 2; side++)
		for (uint32_t i = 0; i < x->n_units[side]; i++)
			for (const struct kt_part *p = x->units[side][i].parts; p; p = p->next)
				n++;
	v->addends = KT_NEW_N(a, struct kt_addend, n);
	for (int side = 0; side < 2; side++)
		for (uint32_t i = 0; i < x->n_units[side]; i++)
			v->n_addends += unit_addends(x->drop[side], &x->units[side][i],
						     v->addends + v->n_addends);
	if (n)
		qsort(v->addends, n, sizeof *v->addends, by_size);
}

static void show_standing(const struct kt_run *r, const struct kt_standing *x, struct kt_cause_view *v)
{
	v->excluded = x->excluded;
	v->evoked = x->evoked;
	v->s_ddb = x->s;
	v->weight = x->weight;
	v->p_milli = x->evoked ? kt_milli(x->weight, r->total) : 0;
	v->open_gates = x->open;
	v->n_open_gates = x->n_open;
	v->assumptions = x->assumed;
	v->n_assumptions = x->n_assumed;
	add_addends(x, r->a, v);
}

static void show_causes(const struct kt_run *r, struct kt_judgement *out)
{
	const struct kt_kb *kb = r->base->kb;

	out->causes = KT_NEW_N(r->a, struct kt_cause_view, kb->n_causes);
	for (uint32_t i = 0; i < kb->n_causes; i++) {
		out->causes[i].cause = i;
		out->causes[i].s_ddb = kt_prior_ddb((enum kt_prior)kb->causes[i].prior);
		out->causes[i].excluded = kt_gate_incident(r->base, kb->causes[i].gate) == KT_FALSE;
	}
	for (uint32_t i = 0; i < r->n; i++)
		show_standing(r, &r->standing[i], &out->causes[r->standing[i].cause]);
	out->evoked = KT_NEW_N(r->a, uint32_t, r->n_evoked);
	out->n_evoked = r->n_evoked;
	for (uint32_t i = 0; i < r->n_evoked; i++)
		out->evoked[i] = r->standing[r->evoked[i]].cause;
}

static void show_fact(struct kt_run *r, uint32_t fact, struct kt_fact_view *v)
{
	struct kt_base *b = r->base;
	const struct kt_slot *s = kt_view_fact(&b->view, fact);
	struct kt_rows rows = kt_view_uses(&b->view, fact, r->a);

	v->state = (enum kt_fact_state)s->state;
	v->value = s->value;
	v->asked = kt_view_asked(b, fact);
	v->obs = KT_NEW_N(r->a, const struct kt_obs *, rows.n);
	for (uint32_t i = 0; i < rows.n; i++)
		v->obs[v->n_obs++] = b->obs[rows.p[i]];
}

static void show_facts(struct kt_run *r, struct kt_judgement *out)
{
	out->facts = KT_NEW_N(r->a, struct kt_fact_view, r->base->kb->n_facts);
	for (uint32_t i = 0; i < r->base->kb->n_facts; i++)
		show_fact(r, i, &out->facts[i]);
}

/* Each record once; the list is in order of place. */
static void show_unexplained(const struct kt_run *r, struct kt_judgement *out)
{
	const struct kt_base *b = r->base;

	out->unexplained = KT_NEW_N(r->a, const struct kt_rec *, b->n_fatal);
	for (size_t i = 0; i < b->n_fatal; i++) {
		const struct kt_rec *rec = b->obs[b->fatal[i]]->rec;
		size_t n = out->n_unexplained;
		if (r->explained[b->fault[b->fatal[i]]] || (n && out->unexplained[n - 1]->id == rec->id))
			continue;
		out->unexplained[out->n_unexplained++] = rec;
	}
}

static void show_best(const struct kt_run *r, struct kt_judgement *out)
{
	uint64_t next = r->other_weight;

	out->lead = KT_NIL;
	if (r->best == KT_NIL)
		return;
	const struct kt_fixsum *best = &r->fixes[r->best];
	for (uint32_t i = 0; i < r->n_fixes; i++)
		if (i != r->best && r->fixes[i].weight > next)
			next = r->fixes[i].weight;
	out->fix = best->fix;
	out->fix_p_milli = kt_milli(best->weight, r->total);
	out->lead = r->standing[best->lead].cause;
	out->has_margin = true;
	out->margin_ddb = kt_margin(best->weight, next);
}

static void show(struct kt_run *r, struct kt_judgement *out)
{
	*out = (struct kt_judgement){
		.verdict = r->verdict,
		.other_s_ddb = r->other_s,
		.other_p_milli = kt_milli(r->other_weight, r->total),
		.other_weight = r->other_weight,
		.total_weight = r->total,
		.conflicts = r->conflicts,
		.n_conflicts = r->n_conflicts,
		.open_conflict = r->n_conflicts > r->n_fix_conflicts || (r->n_fix_conflicts && !r->closed),
		.problems = r->problems,
		.n_problems = r->n_problems,
		.not_checked = r->not_checked,
		.n_not_checked = r->n_not_checked,
		.run = r,
	};
	show_causes(r, out);
	show_best(r, out);
	show_facts(r, out);
	show_unexplained(r, out);
}

void kt_judge(const struct kt_kb *kb, const struct kt_obs *obs, size_t n, struct kt_arena *a,
	      struct kt_judgement *out)
{
	struct kt_base *b = KT_NEW(a, struct kt_base);
	struct kt_run *r = KT_NEW(a, struct kt_run);

	kt_base_init(b, kb, obs, n, a);
	kt_run(r, b, a, NULL, NULL);
	show(r, out);
}

const char *kt_verdict_word(enum kt_verdict v)
{
	static const char *const words[] = {
#define X(id, shown, json) [KT_##id] = shown,
		KT_VERDICTS(X)
#undef X
	};
	return words[v];
}

const char *kt_verdict_json(enum kt_verdict v)
{
	static const char *const words[] = {
#define X(id, shown, json) [KT_##id] = json,
		KT_VERDICTS(X)
#undef X
	};
	return words[v];
}

const char *kt_fact_state_word(enum kt_fact_state s)
{
	static const char *const words[] = {
		[KT_FS_UNKNOWN] = "unknown", [KT_FS_KNOWN] = "known",       [KT_FS_DEFAULT] = "default",
		[KT_FS_ASSUMED] = "assumed", [KT_FS_DISPUTED] = "disputed", [KT_FS_VARIES] = "varies",
	};
	return words[s];
}

bool kt_judge_value(void *ctx, const struct kt_node *node, struct kt_str *value)
{
	const struct kt_judgement *j = ctx;

	if (node->fact == KT_NIL)
		return false;
	const struct kt_fact_view *f = &j->facts[node->fact];
	*value = f->value;
	return f->state == KT_FS_KNOWN || f->state == KT_FS_DEFAULT;
}
