#include "core/kb.h"

#include "base/banned.h"

/* Ids are looked up by people and loaders, a few times per run: a plain walk. */
#define FIND_BY_ID(table)                                           \
	for (uint32_t i = 0; i < kb->n_##table; i++)                \
		if (kt_str_eq(kt_kb_text(kb, kb->table[i].id), id)) \
			return i;                                   \
	return KT_NIL

uint32_t kt_kb_cause(const struct kt_kb *kb, struct kt_str id)
{
	FIND_BY_ID(causes);
}

uint32_t kt_kb_fact(const struct kt_kb *kb, struct kt_str id)
{
	FIND_BY_ID(facts);
}

uint32_t kt_kb_check_id(const struct kt_kb *kb, struct kt_str id)
{
	FIND_BY_ID(checks);
}

struct kt_str kt_kb_file(const struct kt_kb *kb, const char *name)
{
	for (uint32_t i = 0; i < kb->n_files; i++)
		if (kt_str_eq_c(kt_kb_text(kb, kb->files[i].name), name))
			return kt_kb_text(kb, kb->files[i].text);
	return KT_NONE;
}

struct kt_str kt_kb_fix(const struct kt_kb *kb, uint32_t cause)
{
	const struct kt_cause *c = &kb->causes[cause];

	return kt_kb_text(kb, c->fix_id.len ? c->fix_id : c->id);
}

int kt_weight_ddb(enum kt_weight w)
{
	static const int ddb[] = {
#define X(id, word, value) [KT_W_##id] = value,
		KT_WEIGHTS(X)
#undef X
	};
	return ddb[w];
}

const char *kt_weight_word(enum kt_weight w)
{
	static const char *const words[] = {
#define X(id, word, value) [KT_W_##id] = word,
		KT_WEIGHTS(X)
#undef X
	};
	return words[w];
}

int kt_prior_ddb(enum kt_prior p)
{
	static const int ddb[] = {
#define X(id, word, value) [KT_PRIOR_##id] = value,
		KT_PRIORS(X)
#undef X
	};
	return ddb[p];
}

const char *kt_rerun_word(enum kt_rerun r)
{
	static const char *const words[] = {
#define X(id, word) [KT_RERUN_##id] = word,
		KT_RERUNS(X)
#undef X
	};
	return words[r];
}

const char *kt_step_word(enum kt_step s)
{
	static const char *const words[] = {
#define X(id, word) [KT_STEP_##id] = word,
		KT_STEPS(X)
#undef X
	};
	return words[s];
}

const char *kt_fact_type_word(enum kt_fact_type t)
{
	static const char *const words[] = {
#define X(id, word) [KT_FACT_##id] = word,
		KT_FACT_TYPES(X)
#undef X
	};
	return words[t];
}
