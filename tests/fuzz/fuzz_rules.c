/* Rule files and images of any bytes.
 *
 * Input that begins with '\1' damages an image: triples of two bytes place and one byte
 * value. Anything else is files: pack.yaml, and behind a NUL a second one. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/utf8.h"
#include "rules/load.h"

static void require(bool ok)
{
	if (!ok)
		abort();
}

static void require_plain(struct kt_str s)
{
	uint32_t c;

	for (size_t at = 0; at < s.len;) {
		at += kt_utf8_next(s, at, &c);
		require(c >= 0x20 && !(c >= 0x7f && c < 0xa0) && c != KT_UTF8_BAD && !kt_utf8_is_format(c));
	}
}

static void read_diags(struct kt_diags *d)
{
	struct kt_buf out = KT_BUF(KT_BUF_TEXT);

	for (size_t i = 0; i < d->n; i++) {
		require_plain(d->at[i].text);
		require_plain(d->at[i].excerpt);
		require(d->at[i].file.len > 0);
		require(i == 0 || d->at[i - 1].order <= d->at[i].order);
	}
	kt_diags_format(d, &out);
	kt_buf_free(&out);
}

static void walk(const struct kt_kb *kb)
{
	size_t sum = 0;

	for (uint32_t i = 0; i < kb->n_causes; i++)
		for (uint32_t j = 0; j < kb->causes[i].evidence.n; j++)
			sum += kt_kb_text(kb,
					  kb->items[kb->evidence[kb->causes[i].evidence.at + j].item].text)
				       .len;
	for (uint32_t i = 0; i < kb->n_strings; i++)
		sum += kt_kb_text(kb, kb->strings[i]).len;
	require(sum < SIZE_MAX);
}

static void load(const uint8_t *data, size_t size)
{
	struct kt_str all = {(const char *)data, size}, first, rest = all;
	struct kt_diags diags = {0};
	struct kt_err err = {0};
	struct kt_rules *rules;

	if (!kt_str_cut(&rest, '\0', &first))
		first = KT_NONE;
	struct kt_rules_text texts[] = {{KT_S("packs/f/pack.yaml"), first},
					{KT_S("packs/f/second.yaml"), rest}};
	int rc = kt_rules_load_texts(texts, rest.p ? 2 : 1, NULL, &rules, &diags, &err);
	require((rc == 0) == (diags.n_errors == 0));
	if (rc == 0)
		walk(rules->kb);
	read_diags(&diags);
	kt_rules_free(rc == 0 ? rules : NULL);
	kt_diags_free(&diags);
}

static const char pack[] =
	"pack: p\nversion: 1\ntitle: t\nfatal: ['ERROR one']\nforeign-frames: [java.]\n"
	"facts: {m: {type: choice, ask: m?, why: w, choices: {a: '', b: ''}, default: {value: a}},\n"
	"  v: {type: version, ask: v?, learn: [{log: 'v=(?<v>[0-9.]+)'}]}}\n"
	"checks: {c: {title: t, command: '.show x | where y == {m:string}', columns: [State]}}\n"
	"causes:\n  - {id: x.y, title: t, when: m == a, unless: m == b, versions: {v: '>1'}, explain: e, "
	"fix: {text: f},\n"
	"     evidence: [{log: 'some text', weight: proves}, {show: c, any: State == x, weight: hints, "
	"absent: hints-against},\n"
	"       {ask: m == b, weight: hints-against, group: g}], rerun: {verdict: safe, reason: r},\n"
	"     verify: {text: v, show: c, rows: '== 0'}, refs: [r], look-alikes: [x.z], seed: [s]}\n"
	"options: [{id: o, scope: read, refs: [r]}]\ncollect: [{id: n, text: t, unless: m == a, show: c}]\n"
	"advice: [{id: q, text: t, when: m == a}]\n";

/* The image of a small pack, made once; it stays until the end of the program. */
static const struct kt_buf *image(uint64_t *key)
{
	static struct kt_buf bytes = {.max = 1u << 20};
	static uint64_t made_key;
	char name[] = "/tmp/ktriage-fuzz-XXXXXX";
	struct kt_rules_text text = {KT_S("packs/p/pack.yaml"), KT_S(pack)};
	struct kt_diags diags = {0};
	struct kt_err err = {0};
	struct kt_rules *rules;

	if (!bytes.len) {
		int fd = mkstemp(name);
		require(fd >= 0 && close(fd) == 0);
		require(kt_rules_load_texts(&text, 1, NULL, &rules, &diags, &err) == 0);
		require(kt_rules_image_write(rules, name, &err) == 0 &&
			kt_file_read(name, &bytes, &err) == 0);
		made_key = rules->key;
		unlink(name);
		kt_rules_free(rules);
		kt_diags_free(&diags);
	}
	*key = made_key;
	return &bytes;
}

static void damage(const uint8_t *data, size_t size)
{
	uint64_t key;
	const struct kt_buf *good = image(&key);
	char *bytes = kt_alloc(good->len);
	struct kt_err err = {0};
	struct kt_rules *rules;

	memcpy(bytes, good->p, good->len);
	for (size_t i = 0; i + 3 <= size; i += 3)
		bytes[((size_t)data[i] << 8 | data[i + 1]) % good->len] = (char)data[i + 2];
	kt_rules_image_seal(bytes, good->len);
	if (kt_rules_image_parse((struct kt_str){bytes, good->len}, key, &rules, &err) == 0)
		walk(rules->kb);
	kt_rules_free(rules);
	kt_free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size && data[0] == 1)
		damage(data + 1, size - 1);
	else
		load(data, size);
	return 0;
}
