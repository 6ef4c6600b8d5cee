#include "fixture.h"

static int check_pattern(void *ctx, struct kt_str regex, struct kt_rules_pattern *out, size_t *at,
			 struct kt_err *err)
{
	size_t open = kt_str_chr(regex, '[', 0);
	struct kt_str word = regex;

	(void)ctx;
	if (open != KT_NPOS && kt_str_chr(regex, ']', open) == KT_NPOS) {
		*at = open;
		return kt_err_set(err, KT_ERR_RULES, "a class that is not closed");
	}
	kt_str_cut(&word, ' ', &out->literals[0]);
	out->n = 1;
	return 0;
}

static int check_command(void *ctx, struct kt_rules_command *c, struct kt_err *err)
{
	(void)ctx;
	if (kt_str_starts(c->text, KT_S(".show ")))
		return 0;
	c->at = 1;
	return kt_err_set(err, KT_ERR_REFUSED, "this is no .show command");
}

const struct kt_rules_hooks fixture_hooks = {NULL, check_pattern, check_command};

struct kt_rules *fixture_load(struct kt_str text, struct kt_diags *diags)
{
	struct kt_rules_text file = {KT_S("packs/demo/pack.yaml"), text};
	struct kt_rules *rules;
	struct kt_err err = {0};

	return kt_rules_load_texts(&file, 1, &fixture_hooks, &rules, diags, &err) < 0 ? NULL : rules;
}

struct kt_str fixture_valid(struct kt_buf *text)
{
	struct kt_err err = {0};

	*text = KT_BUF(1 << 20);
	if (kt_file_read(KT_TEST_DATA "/broken-rules/00-valid/input.yaml", text, &err) < 0)
		return KT_NONE;
	return kt_buf_view(text);
}
