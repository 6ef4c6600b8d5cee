# shellcheck shell=sh disable=SC2034
# Shared by the scripts of this folder.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(dirname "${KTRIAGE_BIN:?run this by ctest}")
shared=${KTRIAGE_SHARED:-$here/../../../shared}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

skip() {
	echo "skipped: $*"
	exit 77
}

# start_server RULES [option...]: sets port; the server ends with this script.
start_server() {
	fifo=$work/stdin
	rm -f "$fifo" "$work/port"
	mkfifo "$fifo"
	rules=$1
	shift
	"$build/tests/server/testserver" "$here/$rules" "$@" <"$fifo" >"$work/port" &
	server=$!
	exec 9>"$fifo"
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ -s "$work/port" ] && break
		sleep 0.1
	done
	port=$(cat "$work/port")
	[ -n "$port" ] || { echo "the server gave no port"; exit 1; }
}

stop_server() {
	exec 9>&-
	wait "$server"
}

# expect WHAT PATTERN TEXT: TEXT holds PATTERN.
expect() {
	case $3 in
	*"$2"*) ;;
	*)
		echo "$1: expected '$2', got: $3"
		failed=1
		;;
	esac
}

refuse() {
	case $3 in
	*"$2"*)
		echo "$1: '$2' must not be in: $3"
		failed=1
		;;
	esac
}

ask() {
	"$build/tests/server/ask" --module "$build/ktriage-http.so" "$@" 2>&1 || true
}

# npm_install DIR PACKAGE...: once for a build folder; skips where it cannot be done.
npm_install() {
	dir=$build/$1
	shift
	[ -e "$dir/done" ] && return 0
	command -v node >/dev/null || skip "no node"
	command -v npm >/dev/null || skip "no npm"
	mkdir -p "$dir"
	(cd "$dir" && timeout 200 npm install --silent --no-audit --no-fund "$@" >npm.log 2>&1) || skip "npm cannot install $*"
	touch "$dir/done"
}
