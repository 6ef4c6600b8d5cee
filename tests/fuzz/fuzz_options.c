/* Any bytes as the source of a job. Findings stand in the order of the text and inside it;
 * they are the same the second time; what is told of nothing is an error. */
#include <stdint.h>

#include "author/options.h"
#include "must.h"
#include "rules/rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char pack[] =
	"pack: p\nversion: 1\ntitle: t\noption-sources: [sink.demo, demo]\nforeign-options: [path]\n"
	"options:\n"
	"  - {id: sinkMode, scope: write, constant: SINK_MODE, wrong: {sinkWay: it is an old name}}\n"
	"  - {id: sinkSize, scope: write, constant: SINK_SIZE}\n"
	"  - {id: sinkHost, scope: both, argument: 1}\n"
	"  - {id: sinkTable, scope: write, argument: 2}\n"
	"  - {id: sinkQuery, scope: read, argument: 2}\n"
	"  - {id: sinkSecret, scope: both}\n"
	"  - {id: sinkJson, scope: write}\n"
	"option-faults:\n"
	"  - {id: mode, when: \"sinkMode != '' and not sinkMode in [Fast, Slow]\", text: 'mode {sinkMode}', "
	"refs: [x]}\n"
	"  - {id: size, when: sinkSize >= 2048 or sinkSize.form == text, text: 'size {sinkSize}', refs: "
	"[x]}\n"
	"  - {id: both, when: sinkMode == Fast and sinkSecret != '', text: 'secret {sinkSecret}', level: "
	"warning, "
	"refs: [x]}\n"
	"  - {id: json, when: sinkJson.form == object and sinkJson contains tag, text: 'json {sinkJson}', "
	"refs: [x]}\n"
	"  - {id: table, when: \"sinkTable == '' and chain.ended == true and chain.operation == write\", "
	"text: none, "
	"refs: [x]}\n"
	"  - {id: save, when: \"chain.mode != '' and not chain.mode =~ append\", text: 'mode {chain.mode}', "
	"refs: [x]}\n";

static const struct kt_kb *base(void)
{
	static struct kt_rules *rules;
	struct kt_rules_text text = {KT_S("packs/p/pack.yaml"), KT_S(pack)};
	struct kt_diags diags = {0};
	struct kt_err err = {0};

	if (!rules)
		MUST(kt_rules_load_texts(&text, 1, NULL, &rules, &diags, &err) == 0);
	kt_diags_free(&diags);
	return rules->kb;
}

static void check_findings(const struct kt_option_findings *f, size_t size)
{
	MUST(f->n == 0 || f->lists > 0);
	for (size_t i = 0; i < f->n; i++) {
		MUST(f->p[i].at <= size && f->p[i].text.len && f->p[i].id.len);
		MUST(f->p[i].line >= 1 && f->p[i].column >= 1 && f->p[i].column <= size + 1);
		MUST(!i || f->p[i - 1].at <= f->p[i].at);
		MUST(!i || f->p[i - 1].line <= f->p[i].line);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kt_str text = {(const char *)data, size};
	struct kt_arena a = {0};
	struct kt_option_findings one, two;

	kt_options_check(base(), text, &a, &one);
	check_findings(&one, size);
	kt_options_check(base(), text, &a, &two);
	MUST(one.n == two.n && one.lists == two.lists && one.options == two.options);
	for (size_t i = 0; i < one.n; i++)
		MUST(one.p[i].at == two.p[i].at && kt_str_eq(one.p[i].text, two.p[i].text));
	kt_arena_free(&a);
	return 0;
}
