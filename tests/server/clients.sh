#!/bin/sh
# shellcheck disable=SC1091,SC2154 # lib.sh stands beside it and sets what is used here
# The official Python and Node clients against our test server: it speaks as the
# service does, so what our own client reads from it, the service would send.
. "$(dirname "$0")/lib.sh"

tools=$shared/tools/clients
[ -d "$tools" ] || skip "no $tools"
cp -R "$tools"/. "$work"
ran=0

start_server clients.rules
url=http://127.0.0.1:$port
if /usr/bin/python3 -c 'import azure.kusto.data' 2>/dev/null; then
	/usr/bin/python3 "$work/client_py.py" "$url" --plain --token T >"$work/out" 2>&1 || failed=1
	cat "$work/out"
	expect "python" ": 0 unexpected" "$(tail -1 "$work/out")"
	ran=1
else
	echo "no Python client (python3-azure-kusto-data)"
fi
if [ -e "$build/npm-clients/done" ] || command -v npm >/dev/null; then
	npm_install npm-clients azure-kusto-data@7.0.4 @azure/identity
	ln -s "$build/npm-clients" "$work/node"
	node "$work/client_node.mjs" "$url" --plain --token T >"$work/out" 2>&1 || failed=1
	cat "$work/out"
	expect "node" ": 0 unexpected" "$(tail -1 "$work/out")"
	ran=1
else
	echo "no npm for the Node client"
fi
stop_server
[ $ran = 1 ] || skip "neither client is here"
exit "$failed"
