#include "naive.h"

#include <stdio.h>
#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/alloc.h"

#include "base/banned.h"

#define MAX_HITS 16 /* of one pattern in one record, as KT_MATCH_LIMITS has it */
#define GROUPS   256

struct one {
	pcre2_code *code;
	bool many; /* all matches count, not only the first */
	struct {
		struct kt_str name;
		uint32_t group;
	} names[64];
	uint32_t n_names;
};

struct naive {
	const struct kt_kb *kb;
	const struct kt_headers *headers;
	struct one *patterns;
	pcre2_match_data *data;
	struct hits *out;
};

static void read_names(struct one *p)
{
	uint32_t n = 0, size = 0;
	PCRE2_SPTR table = NULL;

	pcre2_pattern_info(p->code, PCRE2_INFO_NAMECOUNT, &n);
	pcre2_pattern_info(p->code, PCRE2_INFO_NAMEENTRYSIZE, &size);
	pcre2_pattern_info(p->code, PCRE2_INFO_NAMETABLE, &table);
	for (uint32_t group = 1; group < GROUPS; group++)
		for (uint32_t i = 0; i < n && p->n_names < KT_LEN(p->names); i++) {
			const unsigned char *row = table + (size_t)i * size;
			if ((uint32_t)(row[0] << 8 | row[1]) != group)
				continue;
			p->names[p->n_names].name = kt_str_c((const char *)row + 2);
			p->names[p->n_names++].group = group;
		}
	p->many |= n > 0;
}

static void compile(struct one *p, struct kt_str regex, pcre2_compile_context *context)
{
	int code;
	PCRE2_SIZE at;

	p->code = pcre2_compile((PCRE2_SPTR)regex.p, regex.len, PCRE2_MULTILINE | PCRE2_DUPNAMES, &code, &at,
				context);
	if (!p->code) {
		fprintf(stderr, "naive: byte %zu of " KT_FMT "\n", (size_t)at, KT_ARG(regex));
		exit(1);
	}
	pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE);
	read_names(p);
}

struct naive *naive_new(const struct kt_kb *kb, const struct kt_headers *headers)
{
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	struct naive *n = kt_alloc(sizeof *n);

	*n = (struct naive){.kb = kb, .headers = headers};
	n->data = pcre2_match_data_create(GROUPS, NULL);
	n->patterns = kt_alloc_n(kb->n_patterns, sizeof *n->patterns);
	pcre2_set_newline(context, PCRE2_NEWLINE_LF);
	for (uint32_t i = 0; i < kb->n_learns; i++)
		if (kb->learns[i].pattern != KT_NIL)
			n->patterns[kb->learns[i].pattern].many = true;
	for (uint32_t i = 0; i < kb->n_patterns; i++)
		compile(&n->patterns[i], kt_kb_text(kb, kb->patterns[i].text), context);
	pcre2_compile_context_free(context);
	return n;
}

void naive_free(struct naive *take_n)
{
	for (uint32_t i = 0; i < take_n->kb->n_patterns; i++)
		pcre2_code_free(take_n->patterns[i].code);
	kt_free(take_n->patterns);
	pcre2_match_data_free(take_n->data);
	kt_free(take_n);
}

static void give(struct naive *n, uint32_t row, const struct kt_record *rec, const size_t *at)
{
	const struct one *p = &n->patterns[row];
	struct kt_capture caps[KT_LEN(p->names)];
	struct kt_hit hit = {.pattern = row, .start = at[0], .end = at[1], .caps = caps};

	for (uint32_t i = 0; i < p->n_names; i++) {
		const size_t *group = at + 2 * p->names[i].group;
		if (group[0] == PCRE2_UNSET || group[1] < group[0])
			continue;
		caps[hit.n_caps++] = (struct kt_capture){
			.name = p->names[i].name,
			.start = group[0],
			.end = group[1],
			.text = kt_str_sub(rec->text, group[0], group[1] - group[0])};
	}
	hits_add(n->out, rec, &hit);
}

static void run(struct naive *n, uint32_t row, const struct kt_record *rec)
{
	const struct one *p = &n->patterns[row];
	size_t from = 0;

	for (unsigned hits = 0; hits < (p->many ? MAX_HITS : 1); hits++) {
		const size_t *at = pcre2_get_ovector_pointer(n->data);
		int rc = pcre2_match(p->code, (PCRE2_SPTR)rec->text.p, rec->text.len, from, PCRE2_NOTEMPTY,
				     n->data, NULL);
		if (rc == PCRE2_ERROR_JIT_STACKLIMIT)
			rc = pcre2_match(p->code, (PCRE2_SPTR)rec->text.p, rec->text.len, from,
					 PCRE2_NOTEMPTY | PCRE2_NO_JIT, n->data, NULL);
		if (rc < 0 && rc != PCRE2_ERROR_NOMATCH)
			n->out->limits[row]++;
		if (rc < 0)
			return;
		give(n, row, rec, at);
		from = at[1] > from ? at[1] : from + 1;
		if (from > rec->text.len)
			return;
	}
}

static int on_record(void *ctx, const struct kt_record *rec)
{
	struct naive *n = ctx;

	if (rec->text.len)
		for (uint32_t row = 0; row < n->kb->n_patterns; row++)
			run(n, row, rec);
	return 0;
}

bool naive_scan(struct naive *n, const char *path, struct hits *out)
{
	struct kt_inputs in = KT_INPUTS(n->headers);

	n->out = out;
	bool read = kt_inputs_path(&in, path, on_record, n) == 0 && hits_all_read(in.list, in.n, "naive");
	kt_inputs_free(&in);
	return read;
}
