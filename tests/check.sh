#!/bin/sh
# Format, linters, layering, scripts, manual pages, rules. Prints what to mend and
# goes on; ends with 1 when anything is wrong.
set -u
cd "$(dirname "$0")/.." || exit 1
bad=0

fail() {
	echo "check: $1" >&2
	bad=1
}

say() {
	echo "== $1"
}

# The table of logarithms is lines of numbers.
files=$(git ls-files --cached --others --exclude-standard 'src/*.[ch]' 'tests/*.[ch]' | grep -v 'core/log2_table.h')

say format
# shellcheck disable=SC2086 # words are wanted
clang-format --dry-run -Werror $files || fail "format: run clang-format -i on the files above"

say layering
tests/layering/layering.sh || fail "layering: an include points the wrong way, see above"

say scripts
# shellcheck disable=SC2046 # words are wanted
shellcheck dev .ci/run $(git ls-files --cached --others --exclude-standard '*.sh') ||
	fail "scripts: mend what shellcheck says above"

say manual
for page in man/*.[1-9]; do
	mandoc -Tlint -Wwarning "$page" || fail "$page: mend what mandoc says above"
done

say build
if ! { cmake --preset dev && cmake --build --preset dev; } >/dev/null; then
	fail "build: ./dev test shows why"
fi

say rules
build/dev/ktriage rules check || fail "rules: mend the places above"
build/dev/ktriage rules test || fail "rules: these cases do not give what they expect"
build/dev/ktriage rules schema | cmp -s - rules/schema/rules.schema.json ||
	fail "schema: run build/dev/ktriage rules schema > rules/schema/rules.schema.json"

say clang-tidy
git ls-files --cached --others --exclude-standard 'src/*.c' | xargs -P 2 -n 8 clang-tidy -p build/dev --quiet 2>build/tidy.log || {
	tail -n 20 build/tidy.log >&2
	fail "clang-tidy: mend the places above"
}

say cppcheck
cppcheck --quiet --error-exitcode=1 --std=c11 --language=c --enable=warning,portability \
	--inline-suppr --suppress=missingIncludeSystem --suppress=normalCheckLevelMaxBranches \
	--suppress=unknownMacro -D_GNU_SOURCE -j 2 -I src src || fail "cppcheck: mend the places above"

exit $bad
