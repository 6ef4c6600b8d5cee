/* Can each option fault be told, and is it about options that there are? */
#include "author/lint.h"
#include "author/options.h"

#include "base/banned.h"

struct walk {
	struct kt_lint *l;
	uint32_t fault;
};

static void unknown_name(struct kt_lint *l, uint32_t fault, const char *key, struct kt_str name)
{
	struct kt_str names[256];
	size_t n = 0;

	for (uint32_t i = 0; i < l->kb->n_options && n < KT_LEN(names); i++)
		names[n++] = kt_kb_text(l->kb, l->kb->options[i].id);
	struct kt_str near = kt_str_nearest(name, names, n);
	kt_lint_say(l, KT_LINT_UNKNOWN_OPTION, l->faults[fault], kt_lint_at(l->faults[fault], key), NULL,
		    "no option \"" KT_FMT "\"%s" KT_FMT "%s", KT_ARG(name),
		    near.len ? "; did you mean \"" : "", KT_ARG(near), near.len ? "\"?" : "");
}

static void check_leaf(void *ctx, const struct kt_node *leaf)
{
	struct walk *w = ctx;
	struct kt_str name = kt_kb_text(w->l->kb, leaf->name);

	if (!kt_options_name(w->l->kb, name))
		unknown_name(w->l, w->fault, "when", name);
}

/* {name} in the text; other braces are text. */
static void check_text(struct kt_lint *l, uint32_t fault)
{
	struct kt_str text = kt_kb_text(l->kb, l->kb->option_faults[fault].text);
	size_t at = 0;

	while ((at = kt_str_chr(text, '{', at)) != KT_NPOS) {
		size_t end = kt_str_chr(text, '}', at);
		struct kt_str name = end == KT_NPOS ? KT_NONE : kt_str_sub(text, at + 1, end - at - 1);
		if (name.len && !kt_options_name(l->kb, name))
			unknown_name(l, fault, "text", name);
		at++;
	}
}

static bool nothing(void *ctx, const struct kt_node *node, struct kt_str *value)
{
	(void)ctx, (void)node;
	*value = KT_NONE;
	return true;
}

static void check_cause(struct kt_lint *l, uint32_t fault)
{
	struct kt_str cause = kt_kb_text(l->kb, l->kb->option_faults[fault].cause);

	if (cause.len && kt_kb_cause(l->kb, cause) == KT_NIL)
		kt_lint_say(l, KT_LINT_UNKNOWN_CAUSE, l->faults[fault], kt_lint_at(l->faults[fault], "cause"),
			    NULL, "unknown cause \"" KT_FMT "\"", KT_ARG(cause));
}

void kt_lint_options(struct kt_lint *l)
{
	for (uint32_t i = 0; i < l->kb->n_option_faults; i++) {
		uint32_t cond = l->kb->option_faults[i].cond;
		struct kt_place when = kt_lint_at(l->faults[i], "when");
		kt_cond_walk(l->kb, cond, check_leaf, &(struct walk){l, i});
		check_text(l, i);
		check_cause(l, i);
		if (!kt_lint_satisfiable(l, cond, KT_NIL, false))
			kt_lint_say(l, KT_LINT_IMPOSSIBLE_CONDITION, l->faults[i], when, NULL,
				    "this condition can never be true");
		if (kt_cond_eval(l->kb, cond, nothing, NULL) == KT_TRUE)
			kt_lint_say(l, KT_LINT_FAULT_OF_NOTHING, l->faults[i], when,
				    "X != '' stands in front of what is said of X",
				    "this is true when no option is set");
	}
}
