#!/bin/sh
# Runs one expect script on a pseudo terminal with a home of its own.
#   run.sh SCRIPT.exp [TESTSERVER]   needs KTRIAGE_BIN and KTRIAGE_SOURCE; 77: something is missing
here=$(cd "$(dirname "$0")" && pwd) || exit 1

if ! command -v expect >/dev/null; then
	echo "skipped: expect is not installed"
	exit 77
fi
if [ ! -x "${KTRIAGE_BIN:-}" ]; then
	echo "skipped: KTRIAGE_BIN names no program"
	exit 77
fi

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
mkdir "$work/home"

unset NO_COLOR CLICOLOR CLICOLOR_FORCE PAGER KTRIAGE_PAGER KTRIAGE_TOKEN
unset XDG_CACHE_HOME XDG_CONFIG_HOME
cd "$work" || exit 1
HOME=$work/home XDG_STATE_HOME=$work/state INPUTRC=/dev/null LC_ALL=C.UTF-8 TERM=xterm \
	KTRIAGE_RULES=$KTRIAGE_SOURCE/rules KTRIAGE_PAGER=cat PTY_LIB=$here/lib.exp PTY_HERE=$here PTY_SERVER=${2:-} \
	expect -f "$here/$1"
