/* Gates: in which operations a cause can be at all.
 *
 * A gate over facts of operations is judged in each operation that the faults
 * lie in which evoke the cause; a fault of no known operation, a row or an answer:
 * in the operation the person names, else by what all operations agree on. The
 * cause is excluded if the gate is false in all of them; hits where it is false do
 * not count.
 */
#include "core/eval.h"

#include "base/banned.h"

#define NOT_ASKED 3u /* beside the three values of enum kt_tri */

enum kt_tri kt_gate_incident(struct kt_base *b, uint32_t node)
{
	if (node == KT_NIL)
		return KT_TRUE;
	if (!b->gate_memo[node])
		b->gate_memo[node] = (uint8_t)(1 + kt_cond_eval(b->kb, node, kt_value_sure, &b->view));
	return (enum kt_tri)(b->gate_memo[node] - 1);
}

/* One cause judged in several operations. */
struct scopes {
	struct kt_run *r;
	const struct kt_cause *cause;
	struct kt_view view;
	uint8_t *of_op; /* the gate there; the last stands for no operation */
	bool *used;     /* hits for the cause lie there */
};

static enum kt_tri gate_in(struct scopes *s, uint32_t op)
{
	struct kt_base *b = s->r->base;
	uint32_t i = op == KT_NIL ? b->n_ops : op;

	if (op == KT_NIL)
		s->of_op[i] = (uint8_t)kt_gate_incident(b, s->cause->gate);
	if (s->of_op[i] == NOT_ASKED) {
		kt_view_reset(&s->view, op);
		s->of_op[i] = (uint8_t)kt_cond_eval(b->kb, s->cause->gate, kt_value_sure, &s->view);
	}
	return (enum kt_tri)s->of_op[i];
}

/* A fault may lie in several operations: what is true in one holds. */
static enum kt_tri gate_of_fault(struct scopes *s, uint32_t fault)
{
	const struct kt_base *b = s->r->base;
	struct kt_span ops = b->fault_ops[fault];
	enum kt_tri t = KT_FALSE;

	if (!ops.n)
		return gate_in(s, KT_NIL);
	for (uint32_t i = ops.at; i < ops.at + ops.n; i++)
		t = kt_tri_or(t, gate_in(s, b->op_list[i]));
	return t;
}

static void use_ops(struct scopes *s, uint32_t fault)
{
	const struct kt_base *b = s->r->base;
	struct kt_span ops = b->fault_ops[fault];

	if (!ops.n)
		s->used[b->n_ops] = true;
	for (uint32_t i = ops.at; i < ops.at + ops.n; i++)
		s->used[b->op_list[i]] = true;
}

/* Log hits of the cause, its weight for them between LEAST and MOST. */
static void each_log_hit(struct scopes *s, int least, int most,
			 void (*fn)(struct scopes *s, uint32_t fault, void *out), void *out)
{
	const struct kt_base *b = s->r->base;
	struct kt_span span = s->cause->evidence;

	for (uint32_t i = span.at; i < span.at + span.n; i++) {
		const struct kt_evidence *e = &b->kb->evidence[i];
		int ddb = kt_weight_ddb((enum kt_weight)e->weight);
		if (b->kb->items[e->item].kind != KT_ITEM_LOG || ddb < least || ddb > most)
			continue;
		struct kt_hits hits = b->item_hits[e->item];
		for (uint32_t h = 0; h < hits.n; h++)
			if (kt_counts(s->r->gone, &hits.p[h]))
				fn(s, hits.p[h].group, out);
	}
}

struct found {
	bool scoped; /* hits in a known operation */
	enum kt_tri gate;
};

static void see(struct scopes *s, uint32_t fault, void *out)
{
	struct found *f = out;

	f->scoped = f->scoped || s->r->base->fault_ops[fault].n > 0;
}

static void judge_in(struct scopes *s, uint32_t fault, void *out)
{
	struct found *f = out;

	f->gate = kt_tri_or(f->gate, gate_of_fault(s, fault));
	use_ops(s, fault);
}

/* Rows, answers and absences lie in no operation. */
static void judge_others(struct scopes *s, int least, struct found *f)
{
	struct kt_base *b = s->r->base;
	struct kt_span span = s->cause->evidence;

	for (uint32_t i = span.at; i < span.at + span.n; i++) {
		const struct kt_evidence *e = &b->kb->evidence[i];
		enum kt_state state = kt_look(b, e->item, s->r->gone).state;
		bool line = b->kb->items[e->item].kind == KT_ITEM_LOG && state == KT_STATE_PRESENT;
		if (line || kt_look_ddb(e, state) < least)
			continue;
		f->gate = kt_tri_or(f->gate, gate_in(s, KT_NIL));
		s->used[b->n_ops] = true;
	}
}

static enum kt_tri gate_from(struct scopes *s, int least)
{
	struct found f = {.gate = KT_FALSE};

	each_log_hit(s, least, INT32_MAX, judge_in, &f);
	judge_others(s, least, &f);
	return f.gate;
}

/* By what evokes it alone; where that is all false by all that speaks for it. */
static enum kt_tri gate_over(struct scopes *s)
{
	enum kt_tri all = gate_from(s, 1), strong = gate_from(s, KT_EVOKES_DDB);

	return strong != KT_FALSE ? strong : all;
}

struct marks {
	bool *lost, *unsure;
	bool any_lost, any_unsure;
};

static void mark(struct scopes *s, uint32_t fault, void *out)
{
	struct marks *m = out;
	enum kt_tri t = gate_of_fault(s, fault);

	if (t != KT_TRUE)
		m->unsure[fault] = m->any_unsure = true;
	if (t == KT_FALSE)
		m->lost[fault] = m->any_lost = true;
}

static const bool *both(struct kt_run *r, const bool *a, const bool *b)
{
	if (!a || !b)
		return a ? a : b;
	bool *out = KT_NEW_N(r->a, bool, r->base->n_groups);
	for (uint32_t i = 0; i < r->base->n_groups; i++)
		out[i] = a[i] || b[i];
	return out;
}

static void mark_faults(struct scopes *s, struct kt_standing *x)
{
	struct kt_run *r = s->r;
	struct marks m = {.lost = KT_NEW_N(r->a, bool, r->base->n_groups),
			  .unsure = KT_NEW_N(r->a, bool, r->base->n_groups)};

	each_log_hit(s, INT32_MIN, INT32_MAX, mark, &m);
	x->lost = m.any_lost ? m.lost : NULL;
	x->unsure = m.any_unsure ? m.unsure : NULL;
	x->drop[0] = x->drop[1] = both(r, r->gone, x->lost);
}

/* Where the cause can be: its questions are judged there too. */
static void keep_ops(struct scopes *s, struct kt_standing *x)
{
	const struct kt_base *b = s->r->base;

	x->ops = KT_NEW_N(s->r->a, uint32_t, b->n_ops + 1);
	for (uint32_t i = 0; i <= b->n_ops; i++) {
		uint32_t op = i == b->n_ops ? KT_NIL : i;
		if (s->used[i] && (x->excluded || gate_in(s, op) != KT_FALSE))
			x->ops[x->n_ops++] = op;
	}
}

static void judge_scopes(struct scopes *s, struct kt_standing *x)
{
	struct kt_run *r = s->r;
	struct kt_base *b = r->base;

	s->of_op = KT_NEW_N(r->a, uint8_t, b->n_ops + 1);
	s->used = KT_NEW_N(r->a, bool, b->n_ops + 1);
	for (uint32_t i = 0; i <= b->n_ops; i++)
		s->of_op[i] = NOT_ASKED;
	kt_view_init(&s->view, b, r->a);
	x->gate = gate_over(s);
	x->excluded = x->gate == KT_FALSE;
	if (!x->excluded)
		mark_faults(s, x);
	keep_ops(s, x);
}

void kt_gate(struct kt_run *r, struct kt_standing *x)
{
	struct scopes s = {.r = r, .cause = &r->base->kb->causes[x->cause]};
	struct found f = {0};

	x->drop[0] = x->drop[1] = r->gone;
	if (r->base->op_facts && r->base->n_ops)
		each_log_hit(&s, 1, INT32_MAX, see, &f);
	if (f.scoped) {
		judge_scopes(&s, x);
		return;
	}
	x->gate = kt_gate_incident(r->base, s.cause->gate);
	x->excluded = x->gate == KT_FALSE;
}

/* Facts that keep a gate unknown, in one view. */
struct lists {
	struct kt_base *b;
	struct kt_view *view;
	struct kt_standing *x;
	bool soft; /* with assumptions the gate has a value */
	bool all;  /* its facts have values, but they do not compare */
};

static void list_leaf(void *ctx, const struct kt_node *leaf)
{
	struct lists *l = ctx;
	const struct kt_slot *s = kt_view_fact(l->view, leaf->fact);

	if (l->all || (!kt_known(s, false) && !(l->soft && kt_known(s, true))))
		l->x->open[l->x->n_open++] = leaf->fact;
	if (s->state == KT_FS_ASSUMED)
		l->x->assumed[l->x->n_assumed++] = leaf->fact;
}

static void list_view(struct lists *l, uint32_t node)
{
	const struct kt_kb *kb = l->b->kb;

	if (kt_cond_eval(kb, node, kt_value_sure, l->view) != KT_UNKNOWN)
		return;
	l->soft = kt_cond_eval(kb, node, kt_value_soft, l->view) != KT_UNKNOWN;
	kt_cond_walk(kb, node, list_leaf, l);
	if (l->x->n_open || l->x->n_assumed)
		return;
	l->all = true;
	kt_cond_walk(kb, node, list_leaf, l);
	l->all = false;
}

static void count_leaf(void *ctx, const struct kt_node *leaf)
{
	(void)leaf;
	++*(uint32_t *)ctx;
}

void kt_gate_lists(struct kt_run *r, struct kt_standing *x)
{
	struct kt_base *b = r->base;
	struct lists l = {.b = b, .view = &b->view, .x = x};
	struct kt_view view;
	uint32_t node = b->kb->causes[x->cause].gate, leaves = 0;

	/* True somewhere, but what would confirm lies where it is not known. */
	bool unsure = x->gate == KT_TRUE && x->unsure && !kt_confirms(x, true, NULL) &&
		      kt_confirms(x, false, NULL);
	if (x->gate != KT_UNKNOWN && !unsure)
		return;
	kt_cond_walk(b->kb, node, count_leaf, &leaves);
	x->open = KT_NEW_N(r->a, uint32_t, leaves * (x->n_ops + 1));
	x->assumed = KT_NEW_N(r->a, uint32_t, leaves * (x->n_ops + 1));
	if (!x->ops)
		list_view(&l, node);
	kt_view_init(&view, b, r->a);
	for (uint32_t i = 0; i < x->n_ops; i++) {
		kt_view_reset(&view, x->ops[i]);
		l.view = x->ops[i] == KT_NIL ? &b->view : &view;
		list_view(&l, node);
	}
	kt_sort_facts(b->kb, x->open, &x->n_open);
	kt_sort_facts(b->kb, x->assumed, &x->n_assumed);
}
