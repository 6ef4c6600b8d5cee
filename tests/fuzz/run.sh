#!/bin/sh
# Fuzzes every target for some seconds (60 by default) with libFuzzer and the
# sanitizers. New inputs stay in build/fuzz/found; what crashes ends the run.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
CC=clang cmake -S . -B build/fuzz -G Ninja -DCMAKE_BUILD_TYPE=Debug -DKT_FUZZ=ON -DKT_SANITIZE=ON >/dev/null
for source in tests/fuzz/fuzz_*.c; do
	program=$(basename "$source" .c)
	name=${program#fuzz_}
	cmake --build build/fuzz --target "$program" >/dev/null
	mkdir -p "build/fuzz/found/$name"
	echo "fuzz: $name, $seconds s"
	set --
	[ ! -e "tests/fuzz/$name.dict" ] || set -- "-dict=tests/fuzz/$name.dict"
	"build/fuzz/tests/fuzz/$program" "$@" -max_total_time="$seconds" -timeout=10 -max_len=8192 -print_final_stats=0 \
		-artifact_prefix="build/fuzz/found/$name-" "build/fuzz/found/$name" "tests/fuzz/corpus/$name" 2>&1 |
		grep -E '^(Done|==|SUMMARY|.*ERROR)' || true
	if ls "build/fuzz/found/$name-"* >/dev/null 2>&1; then
		echo "fuzz: $name found something: build/fuzz/found/$name-*" >&2
		exit 1
	fi
done
