/* Lists while they are read, and the variables that stand for them. */
#include "author/options_parse.h"

#include "base/alloc.h"

#include "base/banned.h"

#define USES_MAX 64

uint32_t kt_optr_new_list(struct kt_opt_reader *r, size_t at, bool chain)
{
	struct kt_opt_lists *out = r->out;

	KT_PUSH(out->p, out->n, out->cap) = (struct kt_opt_list){.at = at, .chain = chain};
	return (uint32_t)(out->n - 1);
}

void kt_optr_bind(struct kt_opt_reader *r, struct kt_str name, uint32_t list)
{
	if (!name.len)
		return;
	uint32_t row = kt_map_add(&r->vars, r->a, name, (uint32_t)r->n_bound);
	if (row == r->n_bound)
		KT_PUSH(r->bound, r->n_bound, r->cap_bound) = list;
	r->bound[row] = list;
}

/* What a variable stands for; a chain that has ended is no longer one. */
uint32_t kt_optr_lookup(struct kt_opt_reader *r, struct kt_str name)
{
	uint32_t row = name.len ? kt_map_get(&r->vars, name) : KT_NIL;

	if (row == KT_NIL || r->bound[row] == KT_NIL || r->out->p[r->bound[row]].ended)
		return KT_NIL;
	return r->bound[row];
}

/* The variable stands for what the expression does; for a list that was made in it when
 * something was added to that; else for nothing that is known. */
void kt_optr_end_statement(struct kt_opt_reader *r, struct kt_opt_frame *f)
{
	uint32_t row = f->assign.len ? kt_map_get(&r->vars, f->assign) : KT_NIL;

	if (f->cur != KT_NIL)
		kt_optr_bind(r, f->assign, f->cur);
	else if (row != KT_NIL && r->bound[row] == f->was)
		r->bound[row] = KT_NIL;
	f->assign = KT_NONE;
}

void kt_optr_assign_to(struct kt_opt_reader *r, struct kt_opt_frame *f, struct kt_str name)
{
	uint32_t row = name.len ? kt_map_get(&r->vars, name) : KT_NIL;

	f->assign = name;
	f->was = row == KT_NIL ? KT_NIL : r->bound[row];
}

void kt_optr_take_in(struct kt_opt_reader *r, uint32_t chain, uint32_t list)
{
	struct kt_opt_list *c = &r->out->p[chain];

	if (chain == list)
		return;
	if (c->n_uses == USES_MAX) {
		c->open = true;
		return;
	}
	KT_PUSH(c->uses, c->n_uses, c->cap_uses) = list;
	r->out->p[list].used = true;
	c->open = c->open || r->out->p[list].open;
}

uint32_t kt_optr_list_of(struct kt_opt_reader *r, struct kt_opt_frame *f)
{
	if (f->chain != KT_NIL && f->call != KT_OC_MAP && f->call != KT_OC_NOTHING)
		return f->chain;
	if (f->list == KT_NIL) {
		f->list = kt_optr_new_list(r, f->key.at, false);
		if (!f->bare)
			kt_optr_bind(r, f->assign, f->list);
	}
	return f->list;
}

void kt_optr_add_pair(struct kt_opt_reader *r, uint32_t list, const struct kt_opt_pair *pair)
{
	struct kt_opt_list *l = &r->out->p[list];

	KT_PUSH(l->pairs, l->n, l->cap) = *pair;
}
