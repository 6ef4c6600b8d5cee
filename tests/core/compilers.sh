#!/bin/sh
# The core gives the same bytes from gcc and clang, at -O0 and -O3, in any locale.
# usage: compilers.sh SOURCE_FOLDER
set -eu
src=$1
for tool in gcc clang; do
	command -v "$tool" >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$src"

python3 tests/core/inputs.py 600 9 >"$tmp/in"
for f in tests/core/vectors/*.jsonl; do
	cat "$f" >>"$tmp/in"
done

files="src/core/*.c src/json/json.c src/json/write.c tests/core/vectors.c tests/core/load.c tests/core/print.c"
for f in alloc arena buf err str utf8; do
	files="$files src/base/$f.c"
done

build() { # compiler, level
	# shellcheck disable=SC2046,SC2086
	"$1" -std=c17 "$2" -D_GNU_SOURCE -Isrc -Itests/core $(pkg-config --cflags jansson) \
		-o "$tmp/$1$2" $files $(pkg-config --libs jansson)
}

for tool in gcc clang; do
	for level in -O0 -O3; do
		build "$tool" "$level"
	done
done

lines=$(wc -l <"$tmp/in")
for tool in gcc clang; do
	for level in -O0 -O3; do
		for locale in C C.UTF-8; do
			LC_ALL=$locale "$tmp/$tool$level" <"$tmp/in" >"$tmp/out.$tool$level.$locale"
			cmp "$tmp/out.gcc-O0.C" "$tmp/out.$tool$level.$locale"
		done
	done
done
[ "$(wc -l <"$tmp/out.gcc-O0.C")" -eq "$lines" ] || { echo "answers are missing"; exit 1; }
echo "$lines inputs, the same bytes from gcc and clang, -O0 and -O3"
