#include "match/pcre.h"

#include "base/banned.h"

/* Bytes, not UTF: logs hold any. Lines end in '\n' only; the input module takes
 * the '\r' off. The same name for groups of several alternatives is allowed. Where a
 * match may begin is limited, so that a slow one can be given up. */
#define OPTIONS                                                                                           \
	(PCRE2_MULTILINE | PCRE2_NEVER_UTF | PCRE2_NEVER_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_DUPNAMES | \
	 PCRE2_USE_OFFSET_LIMIT)

pcre2_code *kt_pcre_compile(struct kt_str regex, int *code, size_t *at)
{
	pcre2_compile_context *c = pcre2_compile_context_create(NULL);
	PCRE2_SIZE where = 0;

	if (c) {
		pcre2_set_newline(c, PCRE2_NEWLINE_LF);
		pcre2_set_parens_nest_limit(c, 100);
	}
	pcre2_code *re = pcre2_compile((PCRE2_SPTR)(regex.p ? regex.p : ""), regex.len, OPTIONS, code, &where,
				       c);
	pcre2_compile_context_free(c);
	*at = where;
	return re;
}

uint32_t kt_pcre_names(const pcre2_code *code)
{
	uint32_t n = 0;

	pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &n);
	return n;
}

struct kt_pcre_name kt_pcre_name(const pcre2_code *code, uint32_t i)
{
	PCRE2_SPTR table = NULL;
	uint32_t size = 0;

	pcre2_pattern_info(code, PCRE2_INFO_NAMETABLE, &table);
	pcre2_pattern_info(code, PCRE2_INFO_NAMEENTRYSIZE, &size);
	const unsigned char *row = table + (size_t)i * size;
	return (struct kt_pcre_name){kt_str_c((const char *)row + 2), (uint32_t)row[0] << 8 | row[1]};
}
