#!/bin/sh
# The bundled incident is confirmed by its recorded cluster, and every command that it
# sends is recorded; its logs alone leave it open.
set -u
program=${KTRIAGE_BIN:-build/dev/ktriage}
source=${KTRIAGE_SOURCE:-.}
bad=0

out=$("$program" demo)
status=$?
case $status:$out in
0:*"CONFIRMED  capacity.ingestion-throttled"*) ;;
*)
	echo "the demo is not confirmed (status $status): $out"
	bad=1
	;;
esac
if "$program" diagnose --format json --replay "$source/rules/demo/cluster" "$source/rules/demo/logs" |
	grep -q '"state":"failed"'; then
	echo "a command of the demo is not recorded: record the answers again"
	bad=1
fi
"$program" diagnose "$source/rules/demo/logs" >/dev/null
status=$?
if [ $status -ne 3 ]; then
	echo "the logs alone should be AMBIGUOUS (3), not $status"
	bad=1
fi
exit $bad
