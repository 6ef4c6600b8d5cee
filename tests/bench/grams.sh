#!/bin/sh
# Measures src/match/gram_table.h again, from made-up and public logs of the reference
# data:
#
#     KTRIAGE_SHARED=FOLDER tests/bench/grams.sh > src/match/gram_table.h
set -eu
shared=$(cd "${KTRIAGE_SHARED:-$(dirname "$0")/../../../shared}" && pwd)
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cc -O2 -w -o "$scratch/loggen" "$shared/tools/bench/loggen.c" -lm
cc -O2 -o "$scratch/grams" grams.c -lm
for kind in driver executor yarn event; do
	"$scratch/loggen" --size 4M --kind $kind --needle 0 --trace 500 --seed 7 2>"$scratch/said" >"$scratch/$kind"
done
cat "$shared"/data/logs/* >"$scratch/logs"
find "$shared/data/eventlogs" "$shared/data/streaming_legacy" -type f | LC_ALL=C sort | while read -r file; do
	case $file in
	*.zstd) zstd -dc "$file" ;;
	*.gz) gzip -dc "$file" ;;
	*) cat "$file" ;;
	esac | head -c 1000000 >>"$scratch/events"
done
cd "$scratch"
./grams driver executor yarn event logs events
