#!/bin/sh
# shellcheck disable=SC1091,SC2154 # lib.sh stands beside it and sets what is used here
# Microsoft's own parser over what the guard lets through: every command of the
# table with sample values, and texts with every operator and form of literal.
. "$(dirname "$0")/lib.sh"

tools=$shared/tools/kql
[ -d "$tools" ] || skip "no $tools"
npm_install npm-kql @kusto/language-service-next@12.4.1
cp "$tools/kql_check.mjs" "$build/npm-kql/"

# The shapes that may be sent, with values in their slots.
awk -F '\t' '$1 == "command" && $3 != "refuse" && $3 != "redacted" { print $2 }' "$here/../../rules/guard.tsv" |
	sed -e 's/{entities}/A, B/g; s/{entity}/MyTable/g; s/{string}/"x"/g; s/{int}/1/g; s/{bool}/true/g' \
		-e 's/{guids}/b5b2a5b4-6d2a-4d0e-9a57-1d2f4ad1f6a1, b5b2a5b4-6d2a-4d0e-9a57-1d2f4ad1f6a2/g' \
		-e 's/{guid}/b5b2a5b4-6d2a-4d0e-9a57-1d2f4ad1f6a1/g; s/{datetime}/datetime(2026-01-31)/g; s/{timespan}/1d/g' \
		-e 's/<\([^|>]*\)[^>]*>/\1/g' >"$work/texts"
grep -v '^#' "$here/kql.txt" >>"$work/texts"
"$build/tests/server/ask" --guard <"$work/texts" >"$work/canonical"
if grep '^!' "$work/canonical"; then
	echo "the guard refuses a text that it should let through"
	failed=1
fi
node -e '
const lines = require("fs").readFileSync(process.argv[1], "utf8").split("\n").filter((l) => l && l[0] !== "!");
lines.forEach((text, i) => console.log(JSON.stringify({ id: "c" + i, text })));
' "$work/canonical" >"$work/items.jsonl"
# Names of tables, columns of unknown entities and functions are not judged: they are not here.
(cd "$build/npm-kql" && node kql_check.mjs --ignore "$(sed -n 's/^# ignore //p' "$here/kql.txt")" --jsonl <"$work/items.jsonl") \
	>"$work/out" || true
tail -1 "$work/out"
# What the grammar does not know (commands of the ingest endpoint, documented only) is on the list.
grep -v ' warning: ' "$work/out" | grep ' error: ' | while IFS=: read -r id rest; do
	text=$(sed -n "s/^{\"id\":\"$id\",\"text\":\"\(.*\)\"}$/\1/p" "$work/items.jsonl")
	grep -qxF "$text" "$here/kql.known" || echo "$text:$rest"
done >"$work/bad"
if [ -s "$work/bad" ]; then
	cat "$work/bad"
	failed=1
fi
exit "$failed"
