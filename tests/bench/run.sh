#!/bin/sh
# ./dev bench: start-up and a pasted error against sqlite3, ranking, and how scanning
# grows: instructions and peak memory at three sizes.
# ./dev bench match [--quick] [--only PART]: the matcher against other programs.
set -eu
cd "$(dirname "$0")/../.."
program=build/release/ktriage
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [ "${1:-}" = match ]; then
	shift
	cmake --build --preset release --target bench_match bench_lines loggen >/dev/null
	python3 tests/bench/match.py build/release "$PWD" "$scratch" "$@"
	exit
fi

python3 tests/bench/ratio.py "$program" "$PWD" "$scratch"

cmake --build --preset release --target bench_rank >/dev/null
build/release/bench_rank

# A driver log of N times the same block: one failure among other records.
log() {
	python3 - "$1" <<'PY' >"$scratch/$1.log"
import sys
quiet = "".join("26/04/02 06:%02d:%02d INFO TaskSetManager: Finished task %d.0 in stage 0.0 (TID %d) in 134022 ms on 10.20.1.11 (executor 3)\n"
                % (i // 60 % 60, i % 60, i, i) for i in range(1000))
for block in range(int(sys.argv[1])):
    sys.stdout.write(quiet)
    sys.stdout.write("26/04/02 07:05:09 ERROR KustoConnector: FinalizeHelper$: caught exception when Trying to poll on pending ingestions, requestId: 'x'. EXCEPTION: java.lang.RuntimeException: boom\n\tat a.B.c(B.java:1)\n")
PY
}

echo "scanning: size, instructions a byte, peak memory"
for blocks in 10 40 160; do
	log $blocks
	bytes=$(wc -c <"$scratch/$blocks.log")
	XDG_CACHE_HOME=$scratch valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" diagnose --format json \
		"$scratch/$blocks.log" >/dev/null 2>"$scratch/callgrind" || true
	count=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$scratch/callgrind")
	peak=$(XDG_CACHE_HOME=$scratch python3 - "$program" "$scratch/$blocks.log" <<'PY'
import resource, subprocess, sys
subprocess.run([sys.argv[1], "diagnose", "--format", "json", sys.argv[2]], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PY
	)
	echo "  $bytes bytes  $((count / bytes)) instructions a byte  $peak KiB"
done
