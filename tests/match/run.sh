#!/bin/sh
# run.sh DIFFER LOGGEN PART [SIZE]: the differential test on logs of one kind. `big SIZE` is for
# a quiet machine: more than 2,000 patterns over SIZE bytes.
set -eu
differ=$1 loggen=$2 part=$3 size=${4:-100M}
source=${KTRIAGE_SOURCE:-$(dirname "$0")/../..}
sets=$source/tests/bench/patterns
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export TMPDIR="$scratch"

log() {
	name=$1
	shift
	"$loggen" "$@" >"$scratch/$name.log"
}

# odd SIZE SAMPLES N: logs in all forms; one entry in N is a failure, one in N is of a form that
# changes how the lines around it are read.
odd() {
	for kind in driver yarn eventlog json; do
		log "$3.$kind" --kind $kind --size "$1" --needle "$3" --odd "$3" --samples "$2" --nul 20 --bad 20
		log "$3.$kind.crlf" --kind $kind --size "$1" --needle "$3" --odd "$3" --samples "$2" --crlf --seed 2
	done
	log "$3.cri" --size "$1" --needle "$3" --odd "$3" --samples "$2" --wrap cri --seed 3
	log "$3.cri.json" --kind json --size "$1" --needle "$3" --odd "$3" --samples "$2" --wrap cri --crlf --seed 4
	log "$3.docker" --size "$1" --needle "$3" --odd "$3" --samples "$2" --wrap docker --seed 5
	log "$3.docker.event" --kind eventlog --size "$1" --needle "$3" --odd "$3" --samples "$2" --wrap docker --seed 6
}

case $part in
found)
	# Every sample is found, nothing meets a limit, and a literal that is lost is noticed.
	log few --size 300K --needle 2 --samples "$sets/samples_150.tsv"
	"$differ" --patterns "$sets/rules_150.tsv" --patterns "$sets/rules_lint.tsv" --rules "$source/rules" \
		--all-found --no-limits --mutate 8 "$scratch/few.log" 2>"$scratch/mutations"
	log many --size 4M --needle 2 --samples "$sets/samples_2000.tsv"
	"$differ" --patterns "$sets/rules_2000.tsv" --patterns "$sets/rules_500.tsv" --headers "$source/rules/headers.tsv" \
		--all-found --no-limits --threads 1-3 --segments 1000000 "$scratch/many.log"
	;;
odd)
	odd 100K "$sets/samples_150.tsv" 4
	odd 150K "$sets/samples_150.tsv" 50
	odd 150K "$sets/samples_150.tsv" 1000
	"$differ" --patterns "$sets/rules_150.tsv" --rules "$source/rules" --threads 1-3 --segments 0,65537 \
		"$scratch"/*.log
	;;
chunks)
	log short --size 110K --needle 3 --odd 5 --samples "$sets/samples_150.tsv" --kind mixed
	"$differ" --patterns "$sets/rules_150.tsv" --headers "$source/rules/headers.tsv" --chunks 1-64 "$scratch/short.log"
	log longer --size 500K --needle 3 --odd 5 --samples "$sets/samples_150.tsv" --kind mixed --seed 7
	"$differ" --patterns "$sets/rules_150.tsv" --headers "$source/rules/headers.tsv" --chunks 4095-4097,65535-65537 \
		--threads 1-3 "$scratch/longer.log"
	;;
offsets)
	log moved --size 200K --needle 3 --odd 5 --samples "$sets/samples_150.tsv" --kind mixed
	"$differ" --patterns "$sets/rules_150.tsv" --headers "$source/rules/headers.tsv" --offsets 0-63 --threads 1-3 \
		--segments 50000 "$scratch/moved.log"
	;;
folder)
	# Many files, some longer than a segment, some packed; in folders.
	mkdir -p "$scratch/app/1" "$scratch/app/2"
	for i in 1 2 3 4 5 6 7 8 9; do
		log "app/1/stderr.$i" --size "${i}0K" --needle 10 --odd 20 --seed "$i" --samples "$sets/samples_150.tsv"
		log "app/2/driver.$i" --size "$((10 - i))00K" --needle 100 --odd 200 --seed "1$i" --kind mixed \
			--samples "$sets/samples_150.tsv"
	done
	! command -v gzip >/dev/null || gzip "$scratch"/app/?/*[37].log
	! command -v zstd >/dev/null || zstd -q --rm "$scratch"/app/?/*[26].log
	"$differ" --patterns "$sets/rules_150.tsv" --headers "$source/rules/headers.tsv" --threads 1-3 --segments 0,100000 \
		"$scratch/app"
	;;
real)
	# What the cases of the rules hold, all of it as it is and the beginning packed; and real logs,
	# where there are any. Plain PCRE2 tries every pattern on every byte and the rules have more than
	# a thousand: of a long log the beginning is enough.
	find "$source/rules/cases" "$source/rules/demo" -name '*.txt' -o -name '*.log' | sort | while read -r file; do
		cat "$file"
		echo
	done >"$scratch/cases.log"
	set -- "$scratch/cases.log"
	most=200000
	for file in "${KTRIAGE_SHARED:-$source/../shared}"/data/logs/* \
		"${KTRIAGE_SHARED:-$source/../shared}"/data/eventlogs/*; do
		[ -f "$file" ] || continue
		begin=$scratch/$(basename "$file")
		case $file in
		*.zstd)
			! command -v zstd >/dev/null || {
				zstd -dc "$file" | head -c $most | zstd -q -c >"$begin"
				set -- "$@" "$begin"
			}
			;;
		*)
			head -c $most "$file" >"$begin"
			set -- "$@" "$begin"
			;;
		esac
	done
	head -c $most "$scratch/cases.log" >"$scratch/begin.log"
	for tool in gzip zstd; do
		! command -v $tool >/dev/null || {
			$tool -c "$scratch/begin.log" >"$scratch/begin.$tool"
			set -- "$@" "$scratch/begin.$tool"
		}
	done
	"$differ" --patterns "$sets/rules_150.tsv" --rules "$source/rules" --threads 1-3 --segments 0,65536 "$@"
	;;
big)
	log big --kind mixed --size "$size" --needle 200 --odd 2000 --samples "$sets/samples_2000.tsv"
	"$differ" --patterns "$sets/rules_2000.tsv" --patterns "$sets/rules_150.tsv" --rules "$source/rules" --threads 1-3 \
		--segments 0,1048576 --all-found "$scratch/big.log"
	odd 2M "$sets/samples_2000.tsv" 4
	odd 4M "$sets/samples_2000.tsv" 100
	rm "$scratch/big.log"
	"$differ" --patterns "$sets/rules_2000.tsv" --patterns "$sets/rules_150.tsv" --rules "$source/rules" --threads 1-3 \
		--segments 0,65536,1048577 "$scratch"/*.log
	;;
*)
	echo "run.sh: no part '$part'" >&2
	exit 2
	;;
esac
