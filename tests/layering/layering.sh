#!/bin/sh
# Fails when an #include points against the layering:
#   base <- json <- core <- { rules, input, match, kusto, term } <- scan (input and match) <- session
#        <- report <- author <- cli
# and when a library is named outside its folder.
set -u
cd "${KTRIAGE_SOURCE:-$(dirname "$0")/../..}" || exit 1

allowed() {
	case $1 in
	base) echo "base" ;;
	json) echo "base json" ;;
	core) echo "base json core" ;;
	rules | input | match | kusto | term) echo "base json core $1" ;;
	scan) echo "base json core input match scan" ;;
	session) echo "base json core rules input match scan kusto term session" ;;
	report) echo "base json core rules input match scan kusto term session report" ;;
	author) echo "base json core rules input match scan kusto term session report author" ;;
	cli) echo "base json core rules input match scan kusto term session report author cli" ;;
	*) echo "" ;;
	esac
}

bad=0
for file in $(find src -name '*.[ch]' | sort); do
	module=$(echo "$file" | cut -d/ -f2)
	may=" $(allowed "$module") "
	# shellcheck disable=SC2013 # module names are words
	for used in $(sed -n 's/^#include "\([a-z]*\)\/.*/\1/p' "$file" | sort -u); do
		case $may in
		*" $used "*) ;;
		*)
			echo "$file: $module may not include $used/ (allowed:$may)"
			bad=1
			;;
		esac
	done
	if grep -n '#include "[^/"]*"' "$file"; then
		echo "$file: name the header from src/, as in \"base/str.h\""
		bad=1
	fi
done

# library header -> the folders that may name it
only() {
	found=$(grep -rlE "#include <$1" src | grep -vE "^src/($2)/" || true)
	if [ -n "$found" ]; then
		echo "$found: <$1…> belongs to src/$2 only"
		bad=1
	fi
}
only 'jansson' 'json'
only 'yaml\.h' 'rules'
only 'pcre2' 'match|input'
only '((archive|archive_entry|zlib|zstd|zstd_errors|lzma|bzlib|lz4|lz4frame)\.h|isa-l)' 'input/unpack'
only 'curl/' 'kusto'
only 'openssl/' 'kusto'
only 'readline/' 'term'
only 'uni(str|width|lbrk|typeset)' 'term'

# No clock, I/O or floating point in the core.
if grep -nE '\b(float|double|time|clock_gettime|printf|fopen|open|read|write|getenv)\b *\(|\b(float|double)\b' src/core/*.[ch] | grep -vE '^[^:]*:[0-9]*:[[:space:]]*(/?\*|//)'; then
	echo "src/core: no input or output, clock or floating point"
	bad=1
fi
exit $bad
