/* Which names mean what, as the rules say. */
#include "author/options_read.h"

#include "base/banned.h"

uint32_t kt_opt_named(const struct kt_kb *kb, struct kt_str name)
{
	for (uint32_t i = 0; i < kb->n_options; i++)
		if (kt_str_ieq(kt_kb_text(kb, kb->options[i].id), name))
			return i;
	return KT_NIL;
}

uint32_t kt_opt_constant(const struct kt_kb *kb, struct kt_str name)
{
	for (uint32_t i = 0; i < kb->n_options && name.len; i++)
		if (kt_str_eq(kt_kb_text(kb, kb->options[i].constant), name))
			return i;
	return KT_NIL;
}

bool kt_opt_foreign(const struct kt_kb *kb, struct kt_str name)
{
	for (uint32_t i = 0; i < kb->n_words; i++)
		if (kb->words[i].kind == KT_WORD_FOREIGN &&
		    kt_str_ieq(kt_kb_text(kb, kb->words[i].text), name))
			return true;
	return kt_str_chr(name, '.', 0) != KT_NPOS && kt_opt_constant(kb, name) == KT_NIL;
}

bool kt_opt_source(const struct kt_kb *kb, struct kt_str format)
{
	for (uint32_t i = 0; i < kb->n_words; i++) {
		struct kt_str w = kt_kb_text(kb, kb->words[i].text);
		if (kb->words[i].kind == KT_WORD_SOURCE && kt_str_ieq(kt_str_sub(format, 0, w.len), w) &&
		    (format.len == w.len || format.p[w.len] == '.'))
			return true;
	}
	return false;
}

bool kt_opt_method(const struct kt_kb *kb, struct kt_str name)
{
	for (uint32_t i = 0; i < kb->n_words; i++)
		if (kb->words[i].kind == KT_WORD_SOURCE && kt_str_eq(kt_kb_text(kb, kb->words[i].text), name))
			return true;
	return false;
}
