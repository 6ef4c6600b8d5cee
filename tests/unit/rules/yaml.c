#include "rules/yaml.h"

#include <criterion/criterion.h>

#include "base/alloc.h"

static struct kt_arena arena;
static struct kt_diags diags;
static struct kt_source src;

static void clean(void)
{
	kt_arena_free(&arena);
	kt_diags_free(&diags);
}

static int parse(const char *text)
{
	src = (struct kt_source){.path = KT_S("f"), .text = kt_str_c(text)};
	return kt_yaml_parse(&src, &arena, &diags);
}

TestSuite(yaml, .fini = clean);

Test(yaml, every_scalar_is_text)
{
	cr_assert(parse("a: 1.10\nb: yes\nc: null\nd: 'it''s'\ne: [x, {f: y}]\n") == 0);
	cr_assert(kt_str_eq_c(kt_yaml_text(kt_yaml_get(src.root, "a")), "1.10"));
	cr_assert(kt_str_eq_c(kt_yaml_text(kt_yaml_get(src.root, "b")), "yes"));
	cr_assert(kt_str_eq_c(kt_yaml_text(kt_yaml_get(src.root, "c")), "null"));
	cr_assert(kt_str_eq_c(kt_yaml_text(kt_yaml_get(src.root, "d")), "it's"));
	const struct kt_yaml *e = kt_yaml_get(src.root, "e");
	cr_assert(e->kind == KT_YAML_LIST && e->n == 2);
	cr_assert(kt_str_eq_c(kt_yaml_text(kt_yaml_get(e->first->next, "f")), "y"));
	cr_assert(!kt_yaml_get(src.root, "z") && !kt_yaml_get(NULL, "a") && !kt_yaml_get(e, "a"));
}

/* Where `@` stands in the value is where it stands in the file. */
static void finds_at(const char *text)
{
	struct kt_str s = kt_str_c(text);

	cr_assert(parse(text) == 0, "%s", text);
	const struct kt_yaml *v = kt_yaml_get(src.root, "v");
	size_t in_value = kt_str_chr(v->text, '@', 0);
	cr_assert(in_value != KT_NPOS);
	struct kt_place found = kt_yaml_inside(v, in_value);
	cr_expect_eq(kt_place_offset(found), kt_str_chr(s, '@', 0), "%s: %u:%u", text, found.line, found.col);
}

Test(yaml, bytes_of_a_value_are_found_in_the_file)
{
	finds_at("v: ab@c\n");
	finds_at("v: 'ab@c'\n");
	finds_at("v: 'it''s''@'\n");
	finds_at("v: \"a\\\"b\\u00e4\\x41 \\n\\t\\\\@\"\n");
	finds_at("v: |\n  one\n  two @\n");
	finds_at("v: |-\n  @\n");
	finds_at("v: >\n  one\n  two\n\n  three@\n");
	finds_at("v: one\n  two\n\n  @three\n");
	finds_at("v: '\xc3\xa4\xe2\x82\xac @'\n");
	finds_at("x: {y: z}\nv:   'a @'\n");
}

Test(yaml, the_end_of_a_value_is_behind_its_last_byte)
{
	cr_assert(parse("v: abc   # note\n") == 0);
	const struct kt_yaml *v = kt_yaml_get(src.root, "v");
	struct kt_place end = kt_yaml_inside(v, 3);
	cr_assert(end.line == 1 && end.col == 7);
}

Test(yaml, columns_count_characters)
{
	cr_assert(parse("\xc3\xa4\xc3\xb6: {\xe2\x82\xac: x}\n") == 0);
	const struct kt_yaml *outer = src.root->first;
	cr_assert(outer->at.col == 5 && outer->first->key->at.col == 6 && outer->first->at.col == 9);
}

static void refused(const char *text, const char *why)
{
	cr_assert(parse(text) < 0, "%s", text);
	cr_assert(diags.n > 0 && kt_str_find(diags.at[diags.n - 1].text, kt_str_c(why), 0) != KT_NPOS,
		  "%s: " KT_FMT, text, KT_ARG(diags.at[diags.n - 1].text));
}

Test(yaml, what_is_refused)
{
	refused("a: &x 1\n", "anchors");
	refused("a: *x\n", "aliases");
	refused("a: !!int 1\n", "tags");
	refused("a: !x [1]\n", "tags");
	refused("a: &x {b: c}\n", "anchors");
	refused("a: 1\n---\nb: 2\n", "one document");
	refused("a: 1\na: 2\n", "given twice");
	refused("? [a]\n: b\n", "a key must be a word");
	refused("a: \"\\0\"\n", "control character");
	refused("a: \xff\n", "not UTF-8");
	refused("a: \x01\n", "U+0001");
	refused("a: \xc2\x85 b\n", "U+0085");
	refused("a: \xe2\x80\xa8 b\n", "U+2028");
	refused("a: b\rc: d\n", "U+000D");
	refused("\x25\x9c", "not UTF-8");
	refused("%", "");
	refused("a: [", "");
	refused("{", "");
	refused("a: 'b", "");
}

Test(yaml, empty_files_have_no_root)
{
	cr_assert(parse("") == 0 && !src.root);
	cr_assert(parse("# only a note\n") == 0 && !src.root);
	src = (struct kt_source){.path = KT_S("f"), .text = KT_NONE};
	cr_assert(kt_yaml_parse(&src, &arena, &diags) == 0 && !src.root);
}

static void repeat(struct kt_buf *out, const char *piece, size_t n)
{
	*out = KT_BUF(8u << 20);
	while (n--)
		kt_buf_str(out, piece);
}

Test(yaml, size_depth_and_number_are_limited)
{
	struct kt_buf b;

	repeat(&b, "[", 100000);
	refused(kt_buf_c(&b), "nested more than 16 deep");
	kt_buf_free(&b);
	repeat(&b, "- a\n", KT_YAML_NODES + 1);
	refused(kt_buf_c(&b), "values in one file");
	kt_buf_free(&b);
	repeat(&b, "0123456789abcdef", KT_YAML_MAX / 16 + 1);
	refused(kt_buf_c(&b), "longer than");
	kt_buf_free(&b);
	b = KT_BUF(1u << 20);
	for (int i = 0; i <= KT_YAML_KEYS; i++)
		kt_buf_fmt(&b, "k%d: x\n", i);
	refused(kt_buf_c(&b), "keys in one map");
	kt_buf_free(&b);
}

/* A bomb of aliases costs nothing, since the first one ends the reading of its value. */
Test(yaml, alias_bomb, .timeout = 10)
{
	struct kt_buf b = KT_BUF(1u << 20);

	kt_buf_str(&b, "a0: &a0 [x, x]\n");
	for (int i = 1; i < 40; i++)
		kt_buf_fmt(&b, "a%d: &a%d [*a%d, *a%d]\n", i, i, i - 1, i - 1);
	cr_assert(parse(kt_buf_c(&b)) < 0);
	cr_assert(diags.n_errors == 40 + 2 * 39);
	kt_buf_free(&b);
}
