/* A small pack for the tests of session and report: two causes that one fact tells
 * apart, one command, one carrier. */
#ifndef KT_TESTS_PACK_H
#define KT_TESTS_PACK_H

#include <criterion/criterion.h>

#include "author/author.h"
#include "base/file.h"
#include "session/session.h"

static const char pack_yaml[] =
	"pack: test\n"
	"version: 1.0.0\n"
	"requires: '>=1.0'\n"
	"title: A pack for tests\n"
	"fatal: ['\\bERROR\\b']\n"
	"noise: ['ERROR is only a word']\n"
	"foreign-frames: ['java.', 'org.apache.spark.']\n"
	"facts:\n"
	"  operation:\n"
	"    type: choice\n"
	"    scope: operation\n"
	"    step: classify\n"
	"    pin: 1\n"
	"    ask: What failed?\n"
	"    why: Reads and writes share no causes.\n"
	"    choices: {read: a read, write: a write}\n"
	"    learn:\n"
	"      - {log: 'starting to write', value: write}\n"
	"  mode:\n"
	"    type: choice\n"
	"    scope: operation\n"
	"    step: classify\n"
	"    ask: Which mode?\n"
	"    why: It decides the path.\n"
	"    choices: {fast: '', slow: ''}\n"
	"    default: {value: slow}\n"
	"    default-needs: toolVersion\n"
	"    learn:\n"
	"      - log: 'option mode=(?<mode>\\w+)'\n"
	"  seen:\n"
	"    type: choice\n"
	"    complaint: true\n"
	"    ask: What do you see?\n"
	"    why: Logs may hold nothing of it.\n"
	"    choices: {doubled: 'rows twice', slow: ''}\n"
	"  toolVersion:\n"
	"    type: version\n"
	"    step: classify\n"
	"    ask: Which version?\n"
	"    why: Bugs have versions.\n"
	"    learn:\n"
	"      - log: 'tool version (?<toolVersion>[0-9.]+[0-9])'\n"
	"  requestId:\n"
	"    type: guid\n"
	"    scope: operation\n"
	"    step: collect\n"
	"    key: 1\n"
	"    clean: guid\n"
	"    ask: Which request?\n"
	"    why: It names the operation.\n"
	"    learn:\n"
	"      - log: 'request (?<requestId>[0-9A-Fa-f_-]{36})'\n"
	"  database:\n"
	"    type: string\n"
	"    step: collect\n"
	"    ask: Which database?\n"
	"    why: Commands need it.\n"
	"  rights:\n"
	"    type: choice\n"
	"    ask: Whose rows?\n"
	"    why: Absence counts only with all of them.\n"
	"    choices: {all: '', own: ''}\n"
	"    learn:\n"
	"      - {show: rights, any: Role contains 'admin', value: all}\n"
	"      - {show: rights, none: Role contains 'admin', value: own}\n"
	"checks:\n"
	"  rights:\n"
	"    title: own roles\n"
	"    command: |\n"
	"      .show database {database:entity} principal roles\n"
	"      | project Role\n"
	"    columns: [Role]\n"
	"    auto: true\n"
	"    cost: 1s\n"
	"  operations:\n"
	"    title: operations of the service\n"
	"    command: |\n"
	"      .show operations\n"
	"      | where StartedOn > ago(1d) and Database == {database:string}\n"
	"      | project StartedOn, State\n"
	"    columns: [State]\n"
	"    permission: admin\n"
	"    retention: 14d\n"
	"    cost: 6s\n"
	"causes:\n"
	"  - id: write.first\n"
	"    title: The first thing broke\n"
	"    when: operation == write and mode == slow\n"
	"    evidence:\n"
	"      - {log: 'the first thing broke', weight: strong}\n"
	"      - {show: operations, any: State == 'Failed', weight: strong, absent: argues-against}\n"
	"    explain: It broke.\n"
	"    fix: {text: 'mend {database}'}\n"
	"    rerun: {verdict: safe, reason: nothing was written}\n"
	"    verify: {text: look again, show: operations, none: State == 'Failed'}\n"
	"    refs: ['https://example.org/first']\n"
	"  - id: write.second\n"
	"    title: The second thing broke\n"
	"    when: operation == write and mode == fast\n"
	"    evidence:\n"
	"      - {log: 'the second thing broke', weight: proves}\n"
	"    explain: It broke, too.\n"
	"    fix: {text: replace it}\n"
	"    rerun: {verdict: unsafe, reason: rows may be there twice}\n"
	"    verify: {text: look again}\n"
	"    refs: ['https://example.org/second']\n";

struct fixture {
	struct kt_author_hooks hooks;
	struct kt_rules *rules;
	struct kt_session *s;
	struct kt_buf guard, headers;
};

static void pack_open(struct fixture *f)
{
	struct kt_err err = {0};
	struct kt_diags diags = {0};

	*f = (struct fixture){.guard = KT_BUF(KT_BUF_TEXT), .headers = KT_BUF(KT_BUF_TEXT)};
	kt_author_hooks_init(&f->hooks);
	cr_assert(kt_file_read(KT_RULES_SOURCE "/guard.tsv", &f->guard, &err) == 0, "%s", err.text);
	cr_assert(kt_file_read(KT_RULES_SOURCE "/headers.tsv", &f->headers, &err) == 0, "%s", err.text);
	struct kt_rules_text texts[] = {
		{KT_S("packs/test/pack.yaml"), {pack_yaml, sizeof pack_yaml - 1}},
		{KT_S("guard.tsv"), kt_buf_view(&f->guard)},
		{KT_S("headers.tsv"), kt_buf_view(&f->headers)},
	};
	int rc = kt_rules_load_texts(texts, KT_LEN(texts), &f->hooks.hooks, &f->rules, &diags, &err);
	struct kt_buf why = KT_BUF(KT_BUF_TEXT);
	kt_diags_format(&diags, &why);
	cr_assert(rc == 0, "%s%s", kt_buf_c(&why), err.text);
	kt_buf_free(&why);
	kt_diags_free(&diags);
	cr_assert(kt_session_new(&(struct kt_session_opts){.kb = f->rules->kb}, &f->s, &err) == 0);
}

static void pack_close(struct fixture *f)
{
	kt_session_free(f->s);
	kt_rules_free(f->rules);
	kt_author_hooks_free(&f->hooks);
	kt_buf_free(&f->guard);
	kt_buf_free(&f->headers);
}

#define PASTE(f, literal)                                                                             \
	do {                                                                                          \
		struct kt_err paste_err = {0};                                                        \
		cr_assert(kt_session_paste((f)->s, ((struct kt_str){(literal), sizeof(literal) - 1}), \
					   &paste_err) == 0,                                          \
			  "%s", paste_err.text);                                                      \
	} while (0)

#endif
