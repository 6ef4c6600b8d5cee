/* How every pattern is compiled, so that a check says what the matcher will do.
 * Inside the module only. */
#ifndef KT_MATCH_PCRE_H
#define KT_MATCH_PCRE_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/str.h"

/* NULL on error; *CODE and *AT say what and where. */
pcre2_code *kt_pcre_compile(struct kt_str regex, int *code, size_t *at);

/* Named group I, by order of the table PCRE2 keeps (sorted by name). */
struct kt_pcre_name {
	struct kt_str name;
	uint32_t group;
};
uint32_t kt_pcre_names(const pcre2_code *code);
struct kt_pcre_name kt_pcre_name(const pcre2_code *code, uint32_t i);

#endif
