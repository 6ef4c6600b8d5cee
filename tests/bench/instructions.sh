#!/bin/sh
# instructions.sh BUILD [CMAKE OPTION...]: the bars of the matcher that need no quiet machine, of
# an optimised build below BUILD.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
optimised=$1/optimised
shift
if ! command -v valgrind >/dev/null; then
	echo "skipped: valgrind is not there"
	exit 77
fi
cmake -S "$source" -B "$optimised" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF -DKT_FAULTS=OFF "$@" >/dev/null
cmake --build "$optimised" --target bench_match loggen >/dev/null
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -B "$source/tests/bench/match.py" "$optimised" "$source" "$scratch" --only instructions
