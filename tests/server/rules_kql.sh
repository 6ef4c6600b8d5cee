#!/bin/sh
# shellcheck disable=SC1091,SC2154 # lib.sh stands beside it and sets what is used here
# Microsoft's own parser over the command of every check, with the columns it returns.
. "$(dirname "$0")/lib.sh"

npm_install npm-kql @kusto/language-service-next@12.4.1
python3 "$here/commands.py" "$here/../../rules" >"$work/items"
stated=$(grep -c '^    command:' "$here"/../../rules/packs/*/*.yaml | awk -F: '{ n += $2 } END { print n }')
if [ "$(wc -l <"$work/items")" -ne "$stated" ]; then
	echo "commands.py reads $(wc -l <"$work/items") of $stated commands"
	failed=1
fi
cp "$here/rules.mjs" "$build/npm-kql/rules.mjs"
(cd "$build/npm-kql" && node rules.mjs <"$work/items") || failed=1
# A column that is not there, and a command that is none, must be seen.
printf '%s\n' '{"id": "column", "text": ".show operations | where Stat == 1"}' >"$work/wrong"
! (cd "$build/npm-kql" && node rules.mjs <"$work/wrong" >/dev/null) || { echo "an unknown column passes"; failed=1; }
printf '%s\n' '{"id": "command", "text": ".show nothing of that kind"}' >"$work/wrong"
! (cd "$build/npm-kql" && node rules.mjs <"$work/wrong" >/dev/null) || { echo "an unknown command passes"; failed=1; }
exit "$failed"
