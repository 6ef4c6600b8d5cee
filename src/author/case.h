/* Case folders: what was logged, what a person answered, what must come out.
 *
 *     rules/cases/<cause-id>/<name>/
 *         input.txt or inputs/…   answers.yaml   cluster/   expect.yaml
 */
#ifndef KT_AUTHOR_CASE_H
#define KT_AUTHOR_CASE_H

#include "rules/rules.h"
#include "rules/yaml.h"

enum kt_case_kind { KT_CASE_FIRES, KT_CASE_QUIET, KT_CASE_LOOK_ALIKE };
enum kt_provenance { KT_RECORDED, KT_SOURCE_TEMPLATE, KT_CONSTRUCTED };

struct kt_case_answer {
	struct kt_str fact, value;
	struct kt_place at;
};

struct kt_case {
	struct kt_str cause, name; /* of the folders */
	struct kt_str path;
	struct kt_source expect; /* expect.yaml */
	bool bad;                /* an error was told for it */
	enum kt_case_kind kind;
	enum kt_provenance provenance;
	struct kt_str first; /* empty if not given */
	struct kt_place first_at;
	uint32_t verdicts; /* 1 << enum kt_verdict; 0: not given */
	struct kt_str *never;
	size_t n_never;
	struct kt_case_answer *answers;
	size_t n_answers;
	struct kt_str *inputs; /* paths, by name */
	size_t n_inputs;
	struct kt_str cluster; /* path of the recordings; empty if there are none */
};

struct kt_cases {
	struct kt_case *at; /* by cause, then by name */
	size_t n, cap;
};

/* Reads all cases of a folder; a folder that is not there holds none. What is wrong
 * with one goes to D. */
KT_MUST_CHECK int kt_cases_read(const char *dir, struct kt_arena *a, struct kt_diags *d, struct kt_cases *out,
				struct kt_err *err);
void kt_cases_free(struct kt_cases *c);

#endif
