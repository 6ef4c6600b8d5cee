#!/bin/sh
# The shell where things are missing: no terminal, no home, no locale, no stdout.
set -u
if [ ! -x "${KTRIAGE_BIN:-}" ]; then
	echo "skipped: KTRIAGE_BIN names no program"
	exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
export KTRIAGE_RULES="$KTRIAGE_SOURCE/rules"
bad=0

# expect STATUS NAME: what was run ended so.
expect() {
	if [ "$status" -ne "$1" ]; then
		echo "FAILED: $2: status $status, not $1"
		bad=1
	fi
}

has() {
	if ! grep -qF -- "$2" "$work/$1"; then
		echo "FAILED: no '$2' in $1:"
		cat "$work/$1"
		bad=1
	fi
}

has_not() {
	if grep -qF -- "$2" "$work/$1"; then
		echo "FAILED: '$2' in $1"
		bad=1
	fi
}

# Commands from a pipe; the answers on stdout, what is wrong on stderr.
printf 'write\nwhere\nnosuch\nfacts' |
	env -i KTRIAGE_RULES="$KTRIAGE_RULES" HOME="$work" "$KTRIAGE_BIN" >"$work/out" 2>"$work/err"
status=$?
expect 0 "commands from a pipe"
has out "Step 1 of 5"
has out "operation = write"
has err "nosuch"
has_not out "nosuch"
has_not out "$(printf '\033')"

# A stack trace in a pipe is one input, and the command behind it still runs.
{
	cat "$KTRIAGE_SOURCE/tests/data/none-get.txt"
	printf '\nfacts\n'
} | env -i KTRIAGE_RULES="$KTRIAGE_RULES" HOME="$work" "$KTRIAGE_BIN" >"$work/out" 2>"$work/err"
status=$?
expect 0 "a trace from a pipe"
has out "[pasted 5 lines: 1 record"
has out "write.async-wait-none-get"

# No home: nothing is kept, and that is said.
printf 'write\nsessions\n' | env -i KTRIAGE_RULES="$KTRIAGE_RULES" "$KTRIAGE_BIN" >"$work/out" 2>"$work/err"
status=$?
expect 0 "no HOME"
has err "this session is not kept"
has err "HOME"
has out "operation = write"

# No stdout, and a full one.
printf 'write\n' | env -i KTRIAGE_RULES="$KTRIAGE_RULES" HOME="$work" "$KTRIAGE_BIN" >&- 2>"$work/err"
status=$?
expect 74 "closed stdout"
has err "stdout"
if [ -w /dev/full ]; then
	printf 'write\n' | env -i KTRIAGE_RULES="$KTRIAGE_RULES" HOME="$work" "$KTRIAGE_BIN" >/dev/full 2>"$work/err"
	status=$?
	expect 74 "full disk"
fi

# The journal of what was done before is whole: the session goes on.
printf 'write\n' | env -i KTRIAGE_RULES="$KTRIAGE_RULES" HOME="$work/j" "$KTRIAGE_BIN" >/dev/null 2>"$work/err"
printf 'facts\n' | env -i KTRIAGE_RULES="$KTRIAGE_RULES" HOME="$work/j" "$KTRIAGE_BIN" resume >"$work/out" 2>"$work/err"
status=$?
expect 0 "resume"
has out "Going on with"
has out "operation"

# A session in which nothing was done leaves no file.
printf 'where\n' | env -i KTRIAGE_RULES="$KTRIAGE_RULES" HOME="$work/k" "$KTRIAGE_BIN" >/dev/null 2>&1
if [ -n "$(find "$work/k" -name '*.jsonl')" ]; then
	echo "FAILED: an empty session was kept"
	bad=1
fi
[ "$bad" -eq 0 ] && echo passed
exit "$bad"
