/* What the tests of the loader share. */
#ifndef TESTS_RULES_FIXTURE_H
#define TESTS_RULES_FIXTURE_H

#include "base/file.h"
#include "rules/rules.h"

/* Stand-ins for matcher and guard: a class that is not closed is refused, and so is a
 * command that does not begin with ".show "; the literal of a regex is its first word. */
extern const struct kt_rules_hooks fixture_hooks;

/* Loads TEXT as the pack.yaml of a pack; NULL with an error. */
struct kt_rules *fixture_load(struct kt_str text, struct kt_diags *diags);

/* A small valid pack. */
struct kt_str fixture_valid(struct kt_buf *text);

#endif
